"""Values that processes exchange by keys: `Server`, in one of them, and `Client`, in each."""

from __future__ import annotations

import time
from collections import Counter
from functools import partialmethod
from threading import Condition, Thread
from typing import Any
from weakref import finalize

from .._core.errors import DistributedError

#: Seconds that a client waits for its server, and between two attempts.
PATIENCE, PAUSE = 60.0, 0.2


class Store:
    """The values of a `Server`; each client calls the methods in its own thread."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._values: dict[Any, Any] = {}
        self._arrived: Counter[Any] = Counter()

    def connect(self) -> bool:
        """Return True: the server runs."""
        return True

    def _put(self, kind: str, key: Any, value: Any) -> bool:
        with self._changed:
            self._values[kind, key] = value
            self._changed.notify_all()
        return True

    def _get(self, kind: str, key: Any) -> Any:
        with self._changed:
            self._changed.wait_for(lambda: (kind, key) in self._values)
            return self._values[kind, key]

    def _pop(self, kind: str, key: Any) -> Any:
        with self._changed:
            value = self._get(kind, key)
            del self._values[kind, key]
            self._changed.notify_all()
            return value

    def _hand_over(self, kind: str, key: Any, value: Any) -> bool:
        with self._changed:
            self._put(kind, key, value)
            return self._changed.wait_for(lambda: (kind, key) not in self._values)

    user_set: partialmethod[Any] = partialmethod(_put, "user")
    user_get: partialmethod[Any] = partialmethod(_get, "user")
    user_pop: partialmethod[Any] = partialmethod(_pop, "user")
    set_is_grad: partialmethod[Any] = partialmethod(_hand_over, "is_grad")
    check_is_grad: partialmethod[Any] = partialmethod(_pop, "is_grad")
    set_remote_tracer: partialmethod[Any] = partialmethod(_hand_over, "tracer")
    check_remote_tracer: partialmethod[Any] = partialmethod(_pop, "tracer")

    def group_barrier(self, key: Any, size: int) -> bool:
        """Wait until `size` clients have called this."""
        with self._changed:
            self._arrived[key] += 1
            here = self._arrived[key]
            wanted = -(-here // size) * size
            self._changed.notify_all()
            return self._changed.wait_for(lambda: self._arrived[key] >= wanted)

    def bcast_val(self, val: Any, key: Any, size: int) -> Any:
        """Return the value of the one client of `size` that passes one."""
        if val is not None:
            self._put("bcast", key, val)
        val = self._get("bcast", key)
        with self._changed:
            self._arrived["bcast", key] += 1
            if self._arrived["bcast", key] == size:
                del self._arrived["bcast", key], self._values["bcast", key]
        return val


class Server:
    """Keeps values for the clients of all processes, in a thread of this one.

    Anyone who can reach the port can read and write them.

    Examples
    --------
    >>> server = Server()
    >>> client = Client("localhost", server.py_server_port)
    >>> client.user_set("epoch", 3)
    True
    >>> client.user_get("epoch")
    3
    """

    py_server_port: int

    def __init__(self, port: int = 0) -> None:
        # These take time to import, and few programs need them.
        from socketserver import ThreadingMixIn
        from xmlrpc.server import SimpleXMLRPCServer

        kind = type("Threads", (ThreadingMixIn, SimpleXMLRPCServer), {"daemon_threads": True})
        server = kind(("0.0.0.0", port), logRequests=False, allow_none=True)
        server.register_instance(Store())
        self.py_server_port = server.server_address[1]
        Thread(target=server.serve_forever, daemon=True).start()
        finalize(self, _end, server).atexit = False  # the thread ends with the process


def _end(server: Any) -> None:
    server.shutdown()
    server.server_close()


class Client:
    """Reads and writes the values of a `Server`: numbers, text, bytes, lists and dicts of them.

    Examples
    --------
    >>> server = Server()
    >>> client = Client("localhost", server.py_server_port)
    >>> client.user_set("classes", ["cat", "dog"])
    True
    >>> client.user_pop("classes")
    ['cat', 'dog']
    """

    bcast_dict: Counter[str]
    master_ip: str
    port: int
    proxy: Any

    def __init__(self, master_ip: str, port: int) -> None:
        self.master_ip, self.port = master_ip, port
        self.bcast_dict = Counter()
        self.connect()

    def connect(self) -> None:
        """Connect to the server, which may start later."""
        from xmlrpc.client import ServerProxy

        self.proxy = ServerProxy(f"http://{self.master_ip}:{self.port}", allow_none=True)
        begun = time.monotonic()
        while True:
            try:
                self.proxy.connect()
                return
            except OSError as error:
                if time.monotonic() - begun > PATIENCE:
                    raise DistributedError(
                        f"Client: found no server at {self.master_ip}:{self.port} ({error}); make"
                        " a Server there, and pass its py_server_port"
                    ) from None
                time.sleep(PAUSE)

    def user_set(self, key: str, val: Any) -> Any:
        """Set a value."""
        return self.proxy.user_set(key, val)

    def user_get(self, key: str) -> Any:
        """Wait for a value, and return it."""
        return self.proxy.user_get(key)

    def user_pop(self, key: str) -> Any:
        """Wait for a value, return it, and remove it from the server."""
        return self.proxy.user_pop(key)

    def set_is_grad(self, key: str, is_grad: bool) -> None:
        """Send whether a gradient is needed, and wait until it is received."""
        self.proxy.set_is_grad(key, is_grad)

    def check_is_grad(self, key: str) -> Any:
        """Receive whether a gradient is needed."""
        return self.proxy.check_is_grad(key)

    def set_remote_tracer(self, key: str, tracer_set: Any) -> None:
        """Send the tracer, and wait until it is received."""
        self.proxy.set_remote_tracer(key, tracer_set)

    def check_remote_tracer(self, key: str) -> Any:
        """Receive the tracer."""
        return self.proxy.check_remote_tracer(key)

    def group_barrier(self, key: str, size: int) -> None:
        """Wait until `size` clients have called this."""
        self.proxy.group_barrier(key, size)

    def bcast_val(self, val: Any, key: str, size: int) -> Any:
        """Return the value of the one client of `size` that passes one."""
        self.bcast_dict[key] += 1
        return self.proxy.bcast_val(val, f"{key}_bcast_{self.bcast_dict[key]}", size)
