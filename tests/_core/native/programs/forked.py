"""Children compute after a fork."""

import os

from tests._core.native.test_threads import parallel, results, same

parallel.set_threads(3)
wanted = results()
children = []
for _ in range(3):
    child = os.fork()
    if not child:
        alone = parallel.threads() == 1
        once_more = same(results(), wanted)
        parallel.set_threads(2)
        os._exit(0 if alone and once_more and same(results(), wanted) else 1)
    children.append(child)
assert same(results(), wanted)
for child in children:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
