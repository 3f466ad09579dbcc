"""Have the interpreter find another file in place of the library."""

import importlib.machinery
import importlib.util
import sys


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "gluon._core.native._library":
            loader = importlib.machinery.ExtensionFileLoader(name, sys.argv[1])
            return importlib.util.spec_from_file_location(name, sys.argv[1], loader=loader)


sys.meta_path.insert(0, Finder)
from gluon import nd, runtime

print(runtime.compiled().reason)
print(nd.softmax(nd.zeros((100, 100))).sum().asscalar())
