"""The error for a name of MegEngine that is not here: planned, replaced or out of scope."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection

from ..hook.errors import error_for
from ..nd.absent import meant

ROOT = "megengine"
PLANNED = "planned"
SCOPE = "out of scope"

#: Names of MegEngine about GPUs and other hardware.
HARDWARE = (
    "DeviceType coalesce_free_memory get_allocated_memory get_cuda_compute_capability"
    " get_cuda_device_property get_cuda_driver_version get_cuda_version get_cudnn_version"
    " get_max_allocated_memory get_max_reserved_memory get_mem_status_bytes get_reserved_memory"
    " get_tensorrt_version is_atlas_available is_cambricon_available is_rocm_available"
    " reset_max_memory_stats set_prealloc_config what_is_xpu"
)
#: What stands for the names, by their module: status, what to do until then, the names.
ABSENT: dict[str, tuple[tuple[str, str, str], ...]] = {
    "": (
        (SCOPE, "it is internal to MegEngine", "core"),
        (PLANNED, "there is no replacement yet", "utils"),
        (SCOPE, "computations run on the host", f"dtr cgtools {HARDWARE}"),
        (SCOPE, "use float32", "quantization"),
        (SCOPE, "models run as they are written", "traced_module"),
        (SCOPE, "download the model and load its state_dict", "hub"),
        (
            "replaced",
            "use Python's logging",
            "enable_debug_log get_logger set_log_file set_log_level logger",
        ),
    ),
    "functional": (
        (SCOPE, "use float32", "quantized"),
        (
            SCOPE,
            "compute with real numbers",
            "complex create_complex get_imag get_real imag polar real",
        ),
        (SCOPE, "it needs a GPU; use correlation", "nvof"),
        (SCOPE, "kernels are not chosen here", "debug_param"),
        (PLANNED, "write it with conv2d and masks", "region_restricted_conv"),
        ("replaced", "use batch_norm: there is one process", "sync_batch_norm"),
    ),
    "module": (
        (SCOPE, "use float32", "qat quantized QuantStub DequantStub"),
        (PLANNED, "write it as a Module of your own", "RegionRestrictedConv"),
    ),
    "optimizer": ((PLANNED, "use AdamW", "LAMB LAMBFp16"),),
    "data": (
        (PLANNED, "write an object with apply(sample) and apply_batch(samples)", "transform"),
    ),
    "device": ((SCOPE, "computations run on the host", HARDWARE),),
    "jit": (
        (
            SCOPE,
            "models run as they are written",
            "xla_trace partial_trace DTRConfig GraphOptimizationConfig SublinearMemoryConfig"
            " TraceError",
        ),
    ),
    "amp": ((SCOPE, "use float32", "convert_module_format convert_tensor_format"),),
    "distributed": (
        (
            SCOPE,
            "there is one process",
            "Server Client get_client get_mm_server_addr get_py_server_addr group_start group_end"
            " override_backend synchronized remote_recv remote_send collective_comm",
        ),
    ),
}
PAGE = "docs/megengine_scripts.md"


def explained(module: str, name: str, names: Collection[str]) -> str:
    """One line on why `module`, without the package, has no `name`."""
    path = f"{ROOT}.{module}" if module else ROOT
    for status, instead, absent in ABSENT.get(module.partition(".")[0], ()):
        if name in absent.split():
            return f"{path}.{name} is {status}: {instead}; see {PAGE}"
    public = [one.rpartition(".")[2] for one in names]
    return f"{path} has no {name!r}" + (meant(name, public) or f"; {PAGE} lists what there is")


def missing(module: str, names: Collection[str]) -> Callable[[str], object]:
    """A module's ``__getattr__`` that raises one clear line for a name that is not there.

    Parameters
    ----------
    module : str
        Without the package: ``"functional"``, or ``""`` for the package itself.
    names : collection of str
        What the module has.

    Returns
    -------
    callable
    """

    def __getattr__(name: str) -> object:
        if name[:2] == "__":
            raise AttributeError(f"module {module or ROOT!r} has no attribute {name!r}")
        raise error_for(sys._getframe(1), explained(module, name, names), name)

    return __getattr__
