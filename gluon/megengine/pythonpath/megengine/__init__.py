"""What ``import megengine`` finds in the subprocesses of a script that runs with the hook.

The hook puts the folder above into ``PYTHONPATH``. `install` takes the place of this module.
"""

from gluon.megengine.hook import inherit

inherit()
