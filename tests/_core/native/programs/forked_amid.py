"""A process forks while another thread computes."""

import os
import threading

from tests._core.native.test_threads import parallel, results, same

parallel.set_threads(3)
wanted, done = results(), threading.Event()


def compute():
    while not done.is_set():
        results()


other = threading.Thread(target=compute)
other.start()
try:
    for _ in range(10):
        child = os.fork()
        if not child:
            os._exit(0 if same(results(), wanted) else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
finally:
    done.set()
    other.join()
