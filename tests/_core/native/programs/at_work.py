"""Exit while a thread computes."""

import threading

from gluon import nd

x = nd.ones((600, 1000))
threading.Thread(target=lambda: [nd.exp(x) for _ in range(10_000)], daemon=True).start()
nd.exp(x)
