"""Wait for a signal while the threads of kernels, of C and of Python, are there."""

import os
import signal
import threading

number = signal.SIGUSR1
signal.signal(number, signal.SIG_DFL)  # ends the process, if a thread takes it
signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})

from gluon import nd
from gluon._core.kernels import parallel

nd.exp(nd.ones((300_000,))).asnumpy()
together = threading.Barrier(3, timeout=60)
parallel.in_parts(lambda begin, end: together.wait(), 3, 3 * parallel.PART)

signal.pthread_sigmask(signal.SIG_BLOCK, {number})
for _ in range(10):
    os.kill(os.getpid(), number)
    assert signal.sigwait({number}) == number
