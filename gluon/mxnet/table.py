"""What stands for MXNet's modules and names, and why others are missing."""

from __future__ import annotations

PAGE = "docs/coverage.md"

#: Modules of MXNet -> the modules of gluon that they are. One that is not there yet is planned.
MODULES = {
    "attribute": "gluon.mxnet.attribute",
    "autograd": "gluon.autograd",
    "base": "gluon.mxnet.base",
    "callback": "gluon.callback",
    "contrib.amp": "gluon.mxnet.amp",
    "context": "gluon.ndarray.context",
    "contrib.io": "gluon.contrib.io",
    "contrib.text": "gluon.contrib.text",
    "contrib.text.embedding": "gluon.contrib.text.embedding",
    "contrib.text.utils": "gluon.contrib.text.utils",
    "contrib.text.vocab": "gluon.contrib.text.vocab",
    "engine": "gluon.bulk",
    "error": "gluon.engine.errors",
    "gluon": "gluon",
    "gluon.block": "gluon.block",
    "gluon.contrib": "gluon.contrib",
    "gluon.contrib.cnn": "gluon.contrib.cnn",
    "gluon.contrib.data": "gluon.contrib.data",
    "gluon.contrib.data.sampler": "gluon.contrib.data.sampler",
    "gluon.contrib.estimator": "gluon.contrib.estimator",
    "gluon.contrib.estimator.batch_processor": "gluon.contrib.estimator.batch_processor",
    "gluon.contrib.estimator.estimator": "gluon.contrib.estimator.estimator",
    "gluon.contrib.estimator.event_handler": "gluon.contrib.estimator.event_handler",
    "gluon.contrib.nn": "gluon.contrib.nn",
    "gluon.contrib.nn.basic_layers": "gluon.contrib.nn.basic_layers",
    "gluon.contrib.rnn": "gluon.contrib.rnn",
    "gluon.contrib.rnn.conv_rnn_cell": "gluon.contrib.rnn.conv_rnn_cell",
    "gluon.contrib.rnn.rnn_cell": "gluon.contrib.rnn.rnn_cell",
    "gluon.data": "gluon.data",
    "gluon.data.dataloader": "gluon.data.dataloader",
    "gluon.data.dataset": "gluon.data.dataset",
    "gluon.data.sampler": "gluon.data.sampler",
    "gluon.data.vision": "gluon.data.vision",
    "gluon.data.vision.datasets": "gluon.data.vision.datasets",
    "gluon.data.vision.transforms": "gluon.data.vision.transforms",
    "gluon.loss": "gluon.loss",
    "gluon.model_zoo": "gluon.model_zoo",
    "gluon.model_zoo.model_store": "gluon.model_zoo.model_store",
    "gluon.model_zoo.vision": "gluon.model_zoo.vision",
    "gluon.model_zoo.vision.alexnet": "gluon.model_zoo.vision.alexnet",
    "gluon.model_zoo.vision.densenet": "gluon.model_zoo.vision.densenet",
    "gluon.model_zoo.vision.inception": "gluon.model_zoo.vision.inception",
    "gluon.model_zoo.vision.mobilenet": "gluon.model_zoo.vision.mobilenet",
    "gluon.model_zoo.vision.resnet": "gluon.model_zoo.vision.resnet",
    "gluon.model_zoo.vision.squeezenet": "gluon.model_zoo.vision.squeezenet",
    "gluon.model_zoo.vision.vgg": "gluon.model_zoo.vision.vgg",
    "gluon.nn": "gluon.nn",
    "gluon.nn.activations": "gluon.nn.activations",
    "gluon.nn.basic_layers": "gluon.nn.basic_layers",
    "gluon.nn.conv_layers": "gluon.nn.conv_layers",
    "gluon.parameter": "gluon.parameter",
    "gluon.rnn": "gluon.rnn",
    "gluon.rnn.rnn_cell": "gluon.rnn.rnn_cell",
    "gluon.rnn.rnn_layer": "gluon.rnn.rnn_layer",
    "gluon.trainer": "gluon.trainer",
    "gluon.utils": "gluon.utils",
    "image": "gluon.image",
    "initializer": "gluon.initializer",
    "io": "gluon.io",
    "kvstore": "gluon.kvstore",
    "kvstore.base": "gluon.kvstore.base",
    "libinfo": "gluon.libinfo",
    "log": "gluon.mxnet.log",
    "lr_scheduler": "gluon.lr_scheduler",
    "metric": "gluon.metric",
    "model": "gluon.mxnet.model",
    "monitor": "gluon.monitor",
    "name": "gluon.mxnet.name",
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
    "operator": "gluon.operator",
    "optimizer": "gluon.optimizer",
    "optimizer.contrib": "gluon.optimizer.contrib",
    "profiler": "gluon.profiler",
    "random": "gluon.random",
    "recordio": "gluon.recordio",
    "registry": "gluon.registry",
    "runtime": "gluon.runtime",
    "test_utils": "gluon.test_utils",
    "util": "gluon.util",
    "visualization": "gluon.viz",
}

#: Further paths to those modules.
ALIASES = {
    "contrib.ndarray": "ndarray.contrib",
    "contrib.symbol": "symbol.contrib",
    "image.detection": "image",
    "image.image": "image",
    "io.io": "io",
    "io.utils": "io",
    "kvstore.kvstore": "kvstore",
    "module.base_module": "module",
    "module.bucketing_module": "module",
    "module.executor_group": "module",
    "module.module": "module",
    "module.python_module": "module",
    "module.sequential_module": "module",
    "ndarray.ndarray": "ndarray",
    "ndarray.op": "ndarray",
    "ndarray.utils": "ndarray",
    "numpy.multiarray": "numpy",
    "optimizer.optimizer": "optimizer",
    "rnn.io": "rnn",
    "rnn.rnn": "rnn",
    "rnn.rnn_cell": "rnn",
    "symbol.op": "symbol",
    "symbol.symbol": "symbol",
}

#: Other names in MXNet's modules: module -> name -> the object, or the module of MXNet, it is.
NAMES = {
    "": {
        "AttrScope": "gluon.mxnet.attribute:AttrScope",
        "Context": "gluon:Context",
        "MXNetError": "gluon:GluonError",
        "cpu": "gluon:cpu",
        "cpu_pinned": "gluon:cpu_pinned",
        "current_context": "gluon:current_context",
        "gpu": "gluon:gpu",
        "gpu_memory_info": "gluon:gpu_memory_info",
        "img": "mxnet.image",
        "init": "mxnet.initializer",
        "is_np_array": "gluon.util:is_np_array",
        "is_np_shape": "gluon.util:is_np_shape",
        "kv": "mxnet.kvstore",
        "mod": "mxnet.module",
        "mon": "mxnet.monitor",
        "nd": "mxnet.ndarray",
        "np": "mxnet.numpy",
        "np_array": "gluon.util:np_array",
        "np_shape": "gluon.util:np_shape",
        "npx": "mxnet.numpy_extension",
        "num_gpus": "gluon:num_gpus",
        "opt": "mxnet.optimizer",
        "rnd": "mxnet.random",
        "set_np_shape": "gluon.util:set_np_shape",
        "sym": "mxnet.symbol",
        "use_np": "gluon.util:use_np",
        "use_np_array": "gluon.util:use_np_array",
        "use_np_shape": "gluon.util:use_np_shape",
        "viz": "mxnet.visualization",
    },
    "contrib": {"nd": "mxnet.ndarray.contrib", "sym": "mxnet.symbol.contrib"},
    "error": {"MXNetError": "gluon:GluonError", "InternalError": "gluon:GluonError"},
    "gluon": {"tensor_types": "gluon.mxnet.base:tensor_types"},
    "model": {"FeedForward": "mxnet.module:FeedForward"},
    "symbol": {"Symbol": "gluon.symbol:Symbol"},
}

SYMBOLS = "computing with symbols is planned; write the network as a HybridBlock until then"
MODULE = "modules are planned; train a gluon Block with autograd and gluon.Trainer until then"
CUDA = "CUDA code is out of scope, since computations run on the host; write it with nd functions"

#: Modules whose names can be imported and compared, while their use is an error: module ->
#: reason -> names. ``*gluon.nd`` stands for all names that gluon.nd has.
LATER: dict[str, dict[str, str]] = {
    "contrib": {},
    "executor": {MODULE: "Executor"},
    "executor_manager": {MODULE: "DataParallelExecutorGroup DataParallelExecutorManager"},
    "module": {
        MODULE: (
            "BaseModule BucketingModule DataParallelExecutorGroup FeedForward Module"
            " PythonLossModule PythonModule SequentialModule"
        )
    },
    "rnn": {
        "the cells for symbols are planned; use those of gluon.rnn until then": (
            "BaseConvRNNCell BaseRNNCell BidirectionalCell BucketSentenceIter ConvGRUCell"
            " ConvLSTMCell ConvRNNCell DropoutCell FusedRNNCell GRUCell LSTMCell ModifierCell"
            " RNNCell RNNParams ResidualCell SequentialRNNCell ZoneoutCell do_rnn_checkpoint"
            " encode_sentences load_rnn_checkpoint rnn_unroll save_rnn_checkpoint"
        )
    },
    "rtc": {CUDA: "CudaKernel CudaModule"},
    "symbol": {SYMBOLS: "*gluon.nd Group Variable fromjson load load_json var"},
    "symbol.contrib": {SYMBOLS: "*gluon.nd.contrib"},
    "symbol.image": {SYMBOLS: "*gluon.nd.image"},
    "symbol.linalg": {SYMBOLS: "*gluon.nd.linalg"},
    "symbol.random": {SYMBOLS: "*gluon.nd.random"},
    "symbol.sparse": {SYMBOLS: "*gluon.nd"},
}

PLANNED = "planned"
INTERNAL = "MXNet's own internals are out of scope"
HELPER = "names that MXNet's modules import for themselves are out of scope; import them yourself"
BINDING = "MXNet's C library is out of scope: there is none here"
NETWORK = "data sets that download themselves are out of scope; read the files with gluon.data"
ONNX = "ONNX files are out of scope"

#: Names that are of one module of MXNet, and that others import for themselves.
HELPERS = set(
    """
    Context DataDesc NDArray Uniform array c_array c_array_buf c_handle_array c_str c_str_array
    check_call check_sha1 classproperty context cpu ctypes2buffer ctypes2numpy_shared
    current_context download dtype_np_to_mx integer_types is_np_array is_np_shape mx_real_t nd
    ndarray np_array numeric_types opt py_str registry set_np set_np_shape string_types
    use_np_shape with_metaclass wrap_np_binary_func wrap_np_unary_func
    """.split()
)

#: Names that gluon leaves out, or has under another name: module -> reason -> names.
ABSENT: dict[str, dict[str, str]] = {
    "autograd": {HELPER: "MXCallbackList Symbol"},
    "": {
        BINDING: "library",
        INTERNAL: (
            "api cython misc ndarray_doc np_symbol numpy_dispatch_protocol numpy_op_fallback"
            " numpy_op_signature space symbol_doc tvmop"
        ),
        ONNX: "onnx",
        "callbacks for notebooks are out of scope; see gluon.callback": "notebook",
        "the bridge to Lua's Torch is out of scope": "th torch",
    },
    "base": {
        BINDING: (
            "_LIB CachedOpHandle CudaKernelHandle CudaModuleHandle DLPackHandle"
            " DataIterCreatorHandle DataIterHandle ExecutorHandle FunctionHandle KVStoreHandle"
            " MXCallbackList NDArrayHandle OpHandle ProfileHandle RecordIOHandle RtcHandle"
            " SymbolHandle c_array c_array_buf c_handle_array c_str c_str_array check_call"
            " ctypes2buffer ctypes2numpy_shared get_last_ffi_error mx_float mx_float_p mx_int"
            " mx_int64 mx_uint py_str"
        ),
        INTERNAL: (
            "NotImplementedForSymbol NotSupportedForSparseNDArray add_fileline_to_docstring"
            " build_param_doc c2pyerror classproperty data_dir_default"
            " error_types libinfo register_error with_metaclass"
        ),
    },
    "contrib": {
        "replaced: gluon.autograd has record, pause and grad": "autograd",
        "quantised networks are out of scope; compute in float32 or float16": "quant quantization",
        "stochastic variance reduction for modules is planned with them": "svrg_optimization",
        "TensorBoard is out of scope; log with a package for it": "tensorboard",
        ONNX: "onnx",
    },
    "contrib.amp": {
        "conversions to float16 are out of scope, which is slower here than float32": (
            "convert_hybrid_block convert_model convert_symbol"
        ),
        INTERNAL: (
            "list_conditional_fp32_ops list_fp32_ops list_loss_output_functions list_lp16_fp32_ops"
            " list_lp16_ops list_lp16_use_fp32_params list_widest_type_cast lists loss_scaler"
        ),
    },
    "error": {INTERNAL: "register register_error"},
    "gluon.block": {
        HELPER: (
            "DeferredInitializationError HookHandle MXNetError Parameter ParameterDict Symbol"
            " initializer load_json np_shape np_symbol symbol"
        )
    },
    "gluon.block.SymbolBlock": {SYMBOLS: "reset_ctx"},
    "gluon.SymbolBlock": {SYMBOLS: "reset_ctx"},
    "gluon.contrib.data": {NETWORK: "text"},
    "gluon.contrib.estimator.Estimator": {
        "replaced: the estimator logs to the logger 'gluon.contrib.estimator'": "logger"
    },
    "gluon.contrib.estimator": {HELPER: "utils"},
    "gluon.data.dataloader": {
        INTERNAL: (
            "ConnectionWrapper DataLoaderV1 Queue SimpleQueue fetcher_loop_v1 rebuild_ndarray"
            " rebuild_np_ndarray reduce_ndarray reduce_np_ndarray worker_loop_v1"
        )
    },
    "gluon.loss": {HELPER: "HybridBlock"},
    "gluon.model_zoo.model_store": {
        "downloads are out of scope; put the file where the error says": "apache_repo_url",
        HELPER: "base replace_file",
    },
    "gluon.parameter": {
        HELPER: "MXNetError autograd initializer symbol tensor_types",
        INTERNAL: "shape_is_known",
    },
    "gluon.rnn.SequentialRNNCell": {
        "replaced: forward computes the cells one after the other": "hybrid_forward"
    },
    "image": {
        HELPER: "cv2 io recordio",
    },
    "initializer": {HELPER: "load"},
    "kvstore": {"training on several machines is planned": "KVStoreServer kvstore_server"},
    "lr_scheduler": {HELPER: "pi"},
    "metric.PearsonCorrelation": {
        "replaced: update does it": "reset_micro update_cov update_variance"
    },
    "model": {
        HELPER: "LogValidationMetricsCallback SKLEARN_INSTALLED get_updater io kvs metric sym",
        MODULE: "DataParallelExecutorManager FeedForward",
    },
    "ndarray": {
        BINDING: "DLContext DLDataType DLManagedTensor DLTensor",
        HELPER: "spsp",
        INTERNAL: "CachedOp _internal register",
    },
    "numpy": {
        INTERNAL: "arrayprint fallback fallback_linalg function_base io stride_tricks utils",
        "out of scope: NumPy gave them up, and numpy-financial has them": "mirr npv ppmt pv rate",
    },
    "numpy.linalg": {INTERNAL: "fallback_linalg"},
    "numpy_extension": {
        CUDA: "get_cuda_compute_capability",
        INTERNAL: "utils",
    },
    "numpy_extension.image": {HELPER: "cv2 image io nd numeric_types recordio"},
    "operator": {
        "replaced: CustomOp and CustomOpProp write operators": "NDArrayOp NumpyOp PythonOp",
        HELPER: "MXCallbackList symbol",
        INTERNAL: "OperatorArguments c_int_p ctypes2numpy_shared get_operator_arguments",
    },
    "optimizer": {HELPER: "NDabs"},
    "optimizer.contrib": {HELPER: "Optimizer clip contrib mean register sqrt square zeros"},
    "operator.CustomOpProp": {
        "storage types 'csr' and 'row_sparse' are planned": (
            "infer_storage_type infer_storage_type_backward"
        )
    },
    "recordio": {HELPER: "cv2"},
    "rnn": {HELPER: "DataBatch DataIter init load_checkpoint save_checkpoint symbol"},
    "profiler": {BINDING: "profiler_kvstore_handle"},
    "runtime.Features": {"replaced: each call gives the same features": "instance"},
    "test_utils": {
        CUDA: "get_cuda_compute_capability",
        HELPER: "Symbol getenv mx setenv ss use_np",
    },
    "visualization": {HELPER: "Symbol"},
}
