"""Which of gluon's modules and names replace those of MXNet, and why some are missing."""

from __future__ import annotations

PAGE = "docs/coverage.md"

#: Modules of `mxnet.gluon` that are those of `gluon` of the same path.
_GLUON = (
    "block contrib contrib.cnn contrib.data contrib.data.sampler contrib.data.text "
    "contrib.estimator contrib.estimator.batch_processor contrib.estimator.estimator "
    "contrib.estimator.event_handler contrib.nn contrib.nn.basic_layers contrib.rnn "
    "contrib.rnn.conv_rnn_cell contrib.rnn.rnn_cell data data.dataloader data.dataset "
    "data.sampler data.vision data.vision.datasets data.vision.transforms loss model_zoo "
    "model_zoo.model_store model_zoo.vision model_zoo.vision.alexnet model_zoo.vision.densenet "
    "model_zoo.vision.inception model_zoo.vision.mobilenet model_zoo.vision.resnet "
    "model_zoo.vision.squeezenet model_zoo.vision.vgg nn nn.activations nn.basic_layers "
    "nn.conv_layers parameter rnn rnn.rnn_cell rnn.rnn_layer trainer utils"
).split()
#: Modules of MXNet that are those of `gluon` of the same path.
_HERE = (
    "autograd callback contrib.io contrib.svrg_optimization contrib.svrg_optimization.svrg_module "
    "contrib.text contrib.text.embedding contrib.text.utils contrib.text.vocab image initializer "
    "io kvstore kvstore.base lr_scheduler metric model module module.module monitor onnx "
    "operator optimizer optimizer.contrib profiler random recordio symbol "
    "symbol.contrib symbol.image symbol.linalg symbol.random symbol.sparse test_utils util"
).split()
#: And those of `gluon.mxnet`.
_OWN = "attribute base engine executor_manager libinfo log name rnn rnn.io".split()
#: Modules of MXNet -> the modules of gluon that they are. One that is not there yet is planned.
MODULES = {
    "gluon": "gluon",
    **{f"gluon.{path}": f"gluon.{path}" for path in _GLUON},
    **{path: f"gluon.{path}" for path in _HERE},
    **{path: f"gluon.mxnet.{path}" for path in _OWN},
    "contrib.amp": "gluon.mxnet.amp",
    "contrib.autograd": "gluon.mxnet.old_autograd",
    "context": "gluon._core.arrays.context",
    "contrib.onnx": "gluon.onnx",
    "error": "gluon._core.errors",
    "executor": "gluon.symbol.executor",
    "module.base_module": "gluon.module.base",
    "module.bucketing_module": "gluon.module.bucketing",
    "module.executor_group": "gluon.module.group",
    "module.python_module": "gluon.module.python",
    "module.sequential_module": "gluon.module.sequential",
    "ndarray": "gluon.nd",
    "ndarray.contrib": "gluon.nd.contrib",
    "ndarray.image": "gluon.nd.image",
    "ndarray.linalg": "gluon.nd.linalg",
    "ndarray.random": "gluon.nd.random",
    "ndarray.sparse": "gluon.nd.sparse",
    "numpy": "gluon.np",
    "numpy.linalg": "gluon.np.linalg",
    "numpy.random": "gluon.np.random",
    "numpy_extension": "gluon.npx",
    "numpy_extension.image": "gluon.npx.image",
    "numpy_extension.random": "gluon.npx.random",
    "registry": "gluon._core.registry",
    "rnn.rnn": "gluon.mxnet.rnn.checkpoints",
    "runtime": "gluon._core.runtime",
    "symbol.numpy": "gluon.symbol.np",
    "symbol.numpy.linalg": "gluon.symbol.np.linalg",
    "symbol.numpy.random": "gluon.symbol.np.random",
    "symbol.numpy_extension": "gluon.symbol.npx",
    "visualization": "gluon.viz",
}

#: Further paths to those modules.
ALIASES = {
    "contrib.amp.amp": "contrib.amp",
    "contrib.ndarray": "ndarray.contrib",
    "contrib.symbol": "symbol.contrib",
    "gluon.contrib.cnn.conv_layers": "gluon.contrib.cnn",
    "image.detection": "image",
    "image.image": "image",
    "io.io": "io",
    "io.utils": "io",
    "kvstore.kvstore": "kvstore",
    "ndarray.gen_contrib": "ndarray.contrib",
    "ndarray.gen_image": "ndarray.image",
    "ndarray.gen_linalg": "ndarray.linalg",
    "ndarray.gen_op": "ndarray",
    "ndarray.gen_random": "ndarray.random",
    "ndarray.gen_sparse": "ndarray.sparse",
    "ndarray.ndarray": "ndarray",
    "ndarray.numpy": "numpy",
    "ndarray.numpy._op": "numpy",
    "ndarray.numpy.linalg": "numpy.linalg",
    "ndarray.numpy.random": "numpy.random",
    "ndarray.numpy_extension": "numpy_extension",
    "ndarray.numpy_extension._op": "numpy_extension",
    "ndarray.numpy_extension.image": "numpy_extension.image",
    "ndarray.numpy_extension.random": "numpy_extension.random",
    "ndarray.op": "ndarray",
    "ndarray.utils": "ndarray",
    "numpy._op": "numpy",
    "numpy.multiarray": "numpy",
    "numpy_extension._op": "numpy_extension",
    "optimizer.optimizer": "optimizer",
    "rnn.rnn_cell": "rnn",
    "symbol.gen_contrib": "symbol.contrib",
    "symbol.gen_image": "symbol.image",
    "symbol.gen_linalg": "symbol.linalg",
    "symbol.gen_op": "symbol",
    "symbol.gen_sparse": "symbol.sparse",
    "symbol.op": "symbol",
    "symbol.symbol": "symbol",
}

#: Modules of MXNet -> modules of gluon with names that they have besides.
ADDED = {
    "_ctypes.ndarray": "gluon.mxnet.helpers.arrays",
    "_ffi.base": "gluon.mxnet.helpers.bindings",
    "autograd": "gluon.mxnet.helpers.scopes",
    "base": "gluon.mxnet.helpers.bindings",
    "contrib.tensorboard": "gluon.mxnet.helpers.stores",
    "gluon.block": "gluon.mxnet.helpers.blocks",
    "gluon.contrib.estimator.event_handler": "gluon.mxnet.helpers.feeding",
    "gluon.contrib.estimator.utils": "gluon.mxnet.helpers.feeding",
    "gluon.contrib.rnn.conv_rnn_cell": "gluon.mxnet.helpers.recurrent",
    "gluon.data.dataloader": "gluon.mxnet.helpers.loading",
    "gluon.data.dataset": "gluon.mxnet.helpers.loading",
    **{
        f"gluon.model_zoo.vision.{name}": "gluon.mxnet.helpers.zoo"
        for name in ("densenet", "inception", "mobilenet", "resnet", "squeezenet")
    },
    "gluon.parameter": "gluon.mxnet.helpers.blocks",
    "gluon.rnn.rnn_cell": "gluon.mxnet.helpers.recurrent",
    "gluon.utils": "gluon.mxnet.helpers.blocks",
    "image": "gluon.mxnet.helpers.training",
    "io": "gluon.mxnet.helpers.feeding",
    "kvstore": "gluon.mxnet.helpers.stores",
    "kvstore.base": "gluon.mxnet.helpers.stores",
    "model": "gluon.mxnet.helpers.training",
    "ndarray": "gluon.mxnet.helpers.arrays",
    "ndarray.contrib": "gluon.mxnet.helpers.arrays",
    "ndarray.random": "gluon.mxnet.helpers.arrays",
    "ndarray.register": "gluon.mxnet.helpers.protocol",
    "ndarray.sparse": "gluon.mxnet.helpers.arrays",
    "notebook.callback": "gluon.mxnet.helpers.charts",
    "numpy": "gluon.mxnet.helpers.protocol",
    "numpy.stride_tricks": "gluon.mxnet.helpers.protocol",
    "numpy.utils": "gluon.mxnet.helpers.protocol",
    "numpy_dispatch_protocol": "gluon.mxnet.helpers.protocol",
    "numpy_op_signature": "gluon.mxnet.helpers.protocol",
    "numpy_op_fallback": "gluon.mxnet.helpers.fallback",
    "operator": "gluon.mxnet.helpers.training",
    "optimizer": "gluon.mxnet.helpers.training",
    "test_utils": "gluon.mxnet.helpers.testing",
    "util": "gluon.mxnet.helpers.scopes",
    "visualization": "gluon.mxnet.helpers.training",
}

#: Names of MXNet's modules that gluon has elsewhere: module -> name -> the object it is.
NAMES = {
    "_ffi.base": {
        name: f"gluon.mxnet.base:{name}"
        for name in ("integer_types", "numeric_types", "string_types")
    },
    "_global_var": {
        "_ndarray_cls": "gluon.nd:NDArray",
        "_np_ndarray_cls": "gluon.np:ndarray",
    },
    "": {
        "MXNetError": "gluon:GluonError",
        "gpu_memory_info": "gluon:gpu_memory_info",
        "num_gpus": "gluon:num_gpus",
        "opt": "gluon.optimizer",
    },
    "contrib.amp.loss_scaler": {"LossScaler": "gluon.mxnet.amp:LossScaler"},
    "error": {
        "MXNetError": "gluon:GluonError",
        "InternalError": "gluon:GluonError",
        "register": "gluon.mxnet.helpers.bindings:register_error",
    },
    "gluon": {"tensor_types": "gluon.mxnet.base:tensor_types"},
    "gluon.contrib.rnn.conv_rnn_cell": {
        "_BaseConvRNNCell": "gluon.contrib.rnn.conv_rnn_cell:ConvCell",
        "_ConvGRUCell": "gluon.contrib.rnn.conv_rnn_cell:ConvGRUCell",
        "_ConvLSTMCell": "gluon.contrib.rnn.conv_rnn_cell:ConvLSTMCell",
        "_ConvRNNCell": "gluon.contrib.rnn.conv_rnn_cell:ConvRNNCell",
    },
    "gluon.data.dataloader": {"DataLoaderV1": "gluon.data:DataLoader"},
    "gluon.data.dataset": {
        "_LazyTransformDataset": "gluon.data.dataset:_Transformed",
        "_SampledDataset": "gluon.data.dataset:_Chosen",
        "_TransformFirstClosure": "gluon.data.dataset:_First",
    },
    "gluon.nn.basic_layers": {"_BatchNorm": "gluon.nn:BatchNorm"},
    "gluon.nn.conv_layers": {"_Pooling": "gluon.nn.pool_layers:_Pooling"},
    "gluon.parameter": {"tensor_types": "gluon.mxnet.base:tensor_types"},
    "gluon.rnn.rnn_cell": {"HybridRecurrentCell": "gluon.rnn.base:HybridRecurrentCell"},
    "gluon.rnn.rnn_layer": {"_RNNLayer": "gluon.rnn.rnn_layer:Layer"},
    "metric": {
        "_BinaryClassificationMetrics": "gluon.mxnet.helpers.scores:_BinaryClassificationMetrics",
        "_create": "gluon.metric:create",
    },
    "misc": {
        "FactorScheduler": "gluon.lr_scheduler:FactorScheduler",
        "LearningRateScheduler": "gluon.lr_scheduler:LRScheduler",
    },
    "model": {
        "_multiple_callbacks": "gluon.module.store:_multiple_callbacks",
        "_update_params_on_kvstore_nccl": "gluon.module.store:_update_params_on_kvstore",
    },
    "numpy.arrayprint": {"set_printoptions": "numpy:set_printoptions"},
    "initializer": {"_register": "gluon.initializer:register"},
    "optimizer.contrib": {"register": "gluon.optimizer:register"},
    "optimizer.optimizer": {"_flatten_list": "gluon.mxnet.helpers.arrays:_flatten_list"},
    "registry": {"_REGISTRY": "gluon._core.registry:_registries"},
    "symbol.numpy": {"_Symbol": "gluon.symbol.np_symbol:NpSymbol"},
}

INTERNAL = "MXNet's own internals are out of scope"
BINDING = "MXNet's C library is out of scope: gluon is written in Python"
SYMBOLS = "not available for symbols yet; compute it on arrays"
CUDA = "CUDA code is out of scope, since computations run on the host; write it with nd functions"
NETWORK = "data sets that download themselves are out of scope; read the files with gluon.data"
FILES = "gluon downloads no word vectors, and reads only files on this machine"
CELLS = "convolutional cells for symbols are planned; use those of gluon.contrib.rnn until then"
NUMPY = "out of scope: NumPy removed them; use the package numpy-financial"
QUANTISED = "quantized networks are out of scope; compute in float32 or float16"
HALF = "conversions to float16 are out of scope, since float16 is slower here than float32"

#: Names that can be imported, while their use is an error: module -> reason -> names,
#: or an empty string for all names that gluon lacks. The longest path that fits a name counts.
REASONS: dict[str, dict[str, str]] = {
    "": {INTERNAL: ""},
    "_ctypes": {BINDING: ""},
    "_ffi": {BINDING: ""},
    "base": {BINDING: ""},
    "contrib.amp": {HALF: ""},
    "contrib.quantization": {QUANTISED: ""},
    "contrib.text.embedding": {FILES: "FastText GloVe"},
    "contrib.text._constants": {FILES: ""},
    "contrib.svrg_optimization": {
        "replaced: SVRGModule reduces the variance itself, with any optimizer": ""
    },
    "gluon.contrib.data": {NETWORK: ""},
    "kvstore": {"stores of several processes need no server; use 'dist_sync'": ""},
    "library": {BINDING: ""},
    "ndarray.ndarray": {BINDING: "_new_alloc_handle"},
    "ndarray.sparse": {INTERNAL: ""},
    "numpy": {NUMPY: "mirr npv ppmt pv rate"},
    "numpy.fallback": {NUMPY: "mirr npv ppmt pv rate"},
    "numpy_extension": {CUDA: "get_cuda_compute_capability"},
    "operator": {
        "replaced: write operators with CustomOp and CustomOpProp": "NDArrayOp NumpyOp PythonOp"
    },
    "rnn": {CELLS: ""},
    "rtc": {CUDA: ""},
    "symbol": {SYMBOLS: ""},
    "torch": {"the bridge to Lua's Torch is out of scope": ""},
}
