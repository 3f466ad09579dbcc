"""Exported graphs: control flow, and symbols with NumPy's interface."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import io, module, nd, sym
from tests.symbol import loops

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from gluon import onnx

from .agreement import check, ran

OPSETS = (13, 17, 21)


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("case", loops.CASES, ids=lambda case: case.__name__)
def test_control_flow(case, opset):
    net, given = case(sym)
    arguments, _, states = net.infer_shape(**given)
    names = net.list_arguments() + net.list_auxiliary_states()
    draw = np.random.default_rng(0)
    arrays = {
        name: draw.uniform(0.5, 1.5, shape).astype("float32")
        for name, shape in zip(names, [*arguments, *states])
    }
    check(net, arrays, opset)


def test_a_loop_takes_any_number_of_slices():
    net, _ = loops.foreach(sym)
    shapes = {"data": (None, 2, 4), "state": (2, 3), "w": (2, 3), "q": (2, 3)}
    arrays = {
        name: np.ones([n or 5 for n in shape], "float32")
        for name, shape in {**shapes, "fc_weight": (3, 4), "fc_bias": (3,)}.items()
    }
    model = check(net, arrays, shapes={**{k: v.shape for k, v in arrays.items()}, **shapes})
    arrays["data"] = np.ones((7, 2, 4), "float32")
    assert ran(model, arrays)[0].shape == (7, 2, 3)


def test_a_loop_without_a_step_gives_zeros():
    net, _ = loops.while_loop(sym)
    one = np.ones(1, "float32")
    check(net, {"i": 3 * one, "s": one, "w": one})


#: The operators that the exporter of MXNet 1.9.1 knows, without variables.
OF_MXNET = """
    Activation BatchNorm BlockGrad Cast Concat Convolution Crop Deconvolution Dropout
    Embedding Flatten FullyConnected InstanceNorm L2Normalization LRN LayerNorm LeakyReLU
    LogisticRegressionOutput MakeLoss Pad Pooling RNN ROIPooling Reshape SequenceMask
    SequenceReverse SliceChannel SoftmaxOutput SwapAxis UpSampling _arange
    _contrib_AdaptiveAvgPooling2D _contrib_BilinearResize2D _contrib_ROIAlign
    _contrib_arange_like _contrib_box_decode _contrib_box_nms _contrib_div_sqrt_dim
    _contrib_interleaved_matmul_selfatt_qk _contrib_interleaved_matmul_selfatt_valatt _copy
    _div_scalar _equal_scalar _greater_scalar _lesser_scalar _linalg_gemm2 _maximum
    _maximum_scalar _minimum _minimum_scalar _minus_scalar _mul_scalar _ones _plus_scalar
    _power _power_scalar _random_normal _random_uniform _random_uniform_like _rdiv_scalar
    _rminus_scalar _rnn_param_concat _sample_multinomial _split_v2 _zeros abs add_n arccos
    arcsin arctan argmax argmin argsort batch_dot broadcast_add broadcast_axis broadcast_div
    broadcast_equal broadcast_greater broadcast_greater_equal broadcast_lesser
    broadcast_lesser_equal broadcast_like broadcast_logical_and broadcast_logical_or
    broadcast_logical_xor broadcast_minimum broadcast_mod broadcast_mul broadcast_not_equal
    broadcast_power broadcast_sub broadcast_to ceil clip cos depth_to_space dot elemwise_add
    elemwise_div elemwise_mul elemwise_sub exp expand_dims floor gather_nd hard_sigmoid
    identity log log2 log_softmax logical_not max mean min negative norm one_hot ones_like
    prod reciprocal relu repeat reshape_like reverse shape_array sigmoid sin size_array slice
    slice_axis slice_like softmax space_to_depth sqrt square squeeze stack sum sum_axis take
    tan tanh tile topk transpose where zeros_like
""".split()
#: Names that MXNet's files have for operators of other names.
ALIASES = {"identity": "_copy", "sum_axis": "sum"}


def test_every_operator_that_mxnet_exports_goes_out():
    written = onnx.get_operator_support()
    assert len(OF_MXNET) == 148
    assert [name for name in OF_MXNET if ALIASES.get(name, name) not in written] == []


def test_a_module_predicts_with_a_symbol_that_came_in(tmp_path):
    """As in MXNet's tutorial: the shapes of the parameters are those in the file."""
    path = str(tmp_path / "net.onnx")
    net = sym.FullyConnected(sym.var("data"), num_hidden=4, name="fc")
    values = {"fc_weight": nd.ones((4, 3)), "fc_bias": nd.ones((4,))}
    onnx.export_model(net, values, [(2, 3)], "float32", path)
    symbol, arguments, states = onnx.import_model(path)
    found = module.Module(symbol, data_names=["data"], label_names=None)
    found.bind(for_training=False, data_shapes=[("data", (2, 3))])
    assert found.output_shapes == [("fc_output", (2, 4))]  # before anything is computed
    found.set_params(arguments, states, allow_missing=True, allow_extra=True)
    found.forward(io.DataBatch([nd.ones((2, 3))]))
    assert found.get_outputs()[0].asnumpy().tolist() == [[4.0] * 4] * 2


def test_modules_in_sequence_with_a_symbol_that_came_in(tmp_path):
    path = str(tmp_path / "net.onnx")
    net = sym.tanh(sym.FullyConnected(sym.var("data"), num_hidden=4, name="fc"))
    values = {"fc_weight": nd.ones((4, 3)), "fc_bias": nd.zeros((4,))}
    onnx.export_model(net, values, [(2, 3)], "float32", path)
    symbol, arguments, states = onnx.import_model(path)
    head = sym.FullyConnected(sym.var("data"), num_hidden=5, name="head")
    both = module.SequentialModule()
    both.add(module.Module(symbol, label_names=None))
    both.add(module.Module(head, label_names=None), auto_wiring=True)
    both.bind([("data", (2, 3))], for_training=False)
    ones = {"head_weight": nd.ones((5, 4)), "head_bias": nd.zeros((5,))}
    both.init_params(arg_params={**arguments, **ones}, aux_params=states)
    both.forward(io.DataBatch([nd.ones((2, 3))]))
    wanted = np.full((2, 5), 4 * np.tanh(3), "float32")
    np.testing.assert_allclose(both.get_outputs()[0].asnumpy(), wanted, rtol=1e-5)
    assert both.output_shapes == [("head_output", (2, 5))]
