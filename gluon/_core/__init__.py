"""The machine under gluon's public modules. Nothing in here is public; read it from the bottom up.

1. `kernels` compute on raw arrays, and `native` has the same in C; `mpi` has the groups of
   processes that exchange arrays, and `errors` what gluon raises.
2. `engine` records calls and runs them backwards.
3. `ops` is the table of operators, a line each. `instruments` watch operators run, and `scopes` are
   the context managers that say who watches. `registry` has the registers of classes by name, and
   `html` the tables of notebooks.
4. `arrays` is what both array classes share, and `hints` what users of other libraries meant.
5. `faces` is what public functions are made with.

Public modules import from here. What is in here imports nothing public.
"""

import os.path

#: The folder of gluon, with which the file names of its functions begin.
PACKAGE = os.path.dirname(os.path.dirname(__file__))
