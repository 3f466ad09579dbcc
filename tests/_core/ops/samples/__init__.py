"""The samples of all operators, a module for a family, named as in `_core/ops/` or `nd/`."""

from importlib import import_module
from pkgutil import iter_modules

FAMILIES = {
    name: import_module(f"tests._core.ops.samples.{name}").SAMPLES
    for _, name, _ in iter_modules(__path__)
}
SAMPLES = [sample for family in FAMILIES.values() for sample in family]
