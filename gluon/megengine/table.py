"""The mapping of MegEngine's modules and names, and the reasons for missing ones."""

from __future__ import annotations

PAGE = "docs/megengine_scripts.md"
PACKAGE = __name__.rpartition(".")[0]


def under(path: str, names: str) -> dict[str, str]:
    """Further paths to the module at `path`."""
    return {f"{path.partition('.')[0]}.{name}": path for name in names.split()}


#: Modules of MegEngine that gluon.megengine has under the same path.
SAME = (
    "amp autodiff data data.dataloader data.sampler data.transform data.transform.meta_transform"
    " data.transform.vision data.transform.vision.functional data.transform.vision.transform"
    " device distributed functional functional.distributed functional.elemwise functional.loss"
    " functional.math functional.metric functional.nn functional.tensor functional.vision jit"
    " logger module module.init module.module module.normalization module.rnn optimizer"
    " optimizer.optimizer random serialization tensor"
)
MODULES = {
    "": PACKAGE,
    **{path: f"{PACKAGE}.{path}" for path in SAME.split()},
    "data.dataset": f"{PACKAGE}.data.dataset",
    "data.dataset.vision": f"{PACKAGE}.data.vision",
    "data.dataset.vision.coco": f"{PACKAGE}.data.scenes",
    "module.conv": f"{PACKAGE}.module.layers",
    "module.activation": f"{PACKAGE}.module.plain",
    "module.conv_bn": f"{PACKAGE}.module.fused",
    "module.multiheadattn": f"{PACKAGE}.module.attention",
    "module.lrn": f"{PACKAGE}.module.places",
    "optimizer.sgd": f"{PACKAGE}.optimizer.rules",
    "optimizer.lr_scheduler": f"{PACKAGE}.optimizer.schedule",
}
#: Modules of image datasets that gluon reads.
VISION = ("cifar", "folder", "meta_vision", "mnist", "utils")
SCENES = ("cityscapes", "imagenet", "objects365", "voc")
#: Further paths to those modules.
ALIASES = {
    "amp.autocast": "amp",
    "amp.grad_scaler": "amp",
    "autodiff.grad_manager": "autodiff",
    "data.collator": "data.dataloader",
    "data.dataset.meta_dataset": "data.dataset",
    **under("data.dataset.vision", " ".join(f"dataset.vision.{one}" for one in VISION)),
    **under("data.dataset.vision.coco", " ".join(f"dataset.vision.{one}" for one in SCENES)),
    "distributed.functional": "functional.distributed",
    "distributed.group": "distributed",
    "distributed.helper": "distributed",
    "distributed.launcher": "distributed",
    "distributed.server": "distributed",
    "jit.tracing": "jit",
    "module.batchnorm": "module.normalization",
    "module.conv_transpose_bn": "module.conv_bn",
    "module.deformable_psroi_pooling": "module.lrn",
    "module.linear_bn": "module.conv_bn",
    "random.rng": "random",
    **under("module.conv", "embedding linear"),
    **under(
        "module.activation",
        "adaptive_pooling concat dropout elemwise identity padding pixel_shuffle pooling"
        " sequential sliding_window batch_matmul_activation",
    ),
    **under("optimizer.sgd", "adadelta adagrad adam adamw lamb"),
    **under("optimizer.lr_scheduler", "clip_grad multi_step_lr"),
}
HELPERS = f"{PACKAGE}.helpers"
#: Modules of MegEngine -> modules of gluon with further names of theirs.
ADDED = {
    path: f"{HELPERS}.{module}"
    for module, paths in {
        "values": (
            "core._config core._imperative_rt.core2 core._trace_option core._wrap"
            " core.tensor.array_method core.tensor.dtype core.tensor.utils"
        ),
        "operators": "core._imperative_rt",
        "grad": "core.autodiff.grad",
        "hardware": "device",
        "utils": (
            "module.module utils.bn_fusion utils.deprecation utils.dlpack utils.future utils.hook"
            " utils.max_recursion_limit utils.module_utils utils.naming utils.tuple_function"
        ),
        "packing": "distributed",
        "hub": "hub hub.exceptions hub.fetcher hub.hub hub.tools utils.http_download",
        "stats": "utils.module_stats",
        "tracing": (
            "functional.debug_param functional.utils jit jit.dtr_config jit.graph_opt_config"
            " jit.sublinear_memory_config utils.profiler"
        ),
    }.items()
    for path in paths.split()
}
#: Names of MegEngine's modules that gluon has elsewhere: module -> name -> the object it is.
NAMES: dict[str, dict[str, str]] = {
    "": {
        "__version__": f"{PACKAGE}:__version__",
        "_full_sync": f"{HELPERS}.values:sync",
    },
    "autodiff.grad_manager": {"get_backwarding_grad_manager": f"{HELPERS}.tracing:nothing"},
    "core._imperative_rt.core2": {
        "Tensor": f"{PACKAGE}.tensor:Tensor",
        "TraceError": f"{HELPERS}.tracing:TraceError",
        "_from_dlpack": f"{HELPERS}.utils:from_dlpack",
    },
    "core._imperative_rt.common": {"CompNode": f"{PACKAGE}.device:CompNode"},
    "distributed.helper": {
        "AllreduceCallback": f"{PACKAGE}.distributed:make_allreduce_cb",
        "get_device_count_by_fork": f"{PACKAGE}.device:get_device_count",
    },
    "distributed.server": {"Methods": f"{PACKAGE}.server:Store"},
    "core.tensor.array_method": {
        "ArrayMethodMixin": f"{PACKAGE}.tensor:Tensor",
        "Tensor": f"{PACKAGE}.tensor:Tensor",
    },
    "core.tensor.utils": {"Tensor": f"{PACKAGE}.tensor:Tensor"},
    "utils.http_download": {"HTTPDownloadError": "gluon.utils:DownloadError"},
    "tensor": {"_Tensor": f"{PACKAGE}.tensor:Tensor"},
}

BINDING = "MegEngine's C++ library is out of scope: gluon is written in Python"
HARDWARE = "computations run on the host"
FLOATS = "quantized networks are out of scope; compute in float32"
GRAPHS = "compiled graphs are out of scope: models run eagerly"
NETWORK = "gluon downloads no data sets; read the files in a Dataset of your own"
ALONE = "MPI connects the processes"

#: Names that can be imported, while their use is an error: module -> reason -> names,
#: or an empty string for all names that gluon lacks. The longest path that fits a name counts.
REASONS: dict[str, dict[str, str]] = {
    "": {"it is internal to MegEngine": "", HARDWARE: "dtr"},
    "amp": {"use float32": ""},
    "core": {BINDING: ""},
    "data.dataset": {NETWORK: ""},
    "data.dataset.vision": {NETWORK: ""},
    "device": {HARDWARE: ""},
    "distributed": {ALONE: ""},
    "dtr": {HARDWARE: ""},
    "experimental": {FLOATS: ""},
    "functional.nn": {"write it with conv2d and masks": "region_restricted_conv"},
    "functional.tensor": {"complex numbers are unsupported": "complex imag polar real"},
    "functional.vision": {"it needs a GPU; use correlation": "nvof"},
    "functional.debug_param": {"gluon selects kernels itself": ""},
    "functional.distributed": {ALONE: ""},
    "functional.external": {"files for other run-time libraries are out of scope": ""},
    "functional.quantized": {FLOATS: ""},
    "hub": {"import megengine.hub under the hook": ""},
    "jit": {GRAPHS: ""},
    "module.conv": {"write it as a Module of your own": "RegionRestrictedConv"},
    "module.external": {"files for other run-time libraries are out of scope": ""},
    "module.qat": {FLOATS: ""},
    "module.quant_dequant": {FLOATS: ""},
    "module.quantized": {FLOATS: ""},
    "quantization": {FLOATS: ""},
    "tools": {"tools for MegEngine's own files are out of scope": ""},
    "traced_module": {GRAPHS: ""},
    "utils.comp_graph_tools": {GRAPHS: ""},
    "utils.custom_op_tools": {BINDING: ""},
    "utils.network": {GRAPHS: ""},
    "utils.network_node": {GRAPHS: ""},
    "utils.profile_analyzer": {"use gluon.profiler": ""},
    "utils.profiler": {"use gluon.profiler": ""},
}
