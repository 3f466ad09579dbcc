"""Every layer, cell and loss can be exported, and accepts batches of any length."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gluon import nd
from gluon.mxnet.name import NameManager
from tests.nn.replay import MX
from tests.symbol import blocks

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from gluon.onnx.exporting import model_of

from .agreement import needs_new_runtime, ran

#: Blocks that are unrolled along the first axis.
UNROLLED = tuple(f"{kind}Cell, TNC" for kind in ("RNN", "LSTM", "GRU"))
#: Blocks whose first axis is no batch, and one that compares the rows of a batch.
OTHER_AXES = (
    *("Resize", "CropResize", "CropResize with size", "ToTensor", "Normalize", "SDMLLoss"),
    *("LSTM with lengths", "SigmoidBinaryCrossEntropyLoss with all", "CTCLoss with lengths"),
    *(
        f"{kind}{ways}, with states"
        for kind in ("RNN", "LSTM", "GRU")
        for ways in ("", ", two ways")
    ),
)

#: Blocks whose operators onnxruntime has not for long.
NEW = ("ModulatedDeformableConvolution", "SDMLLoss")


def check(case: Any, block: Any, model: Any, inputs: list[np.ndarray]) -> None:
    wanted = blocks.flat(case.call(block, *map(nd.array, inputs)))
    given = {f"data{k}": x.astype("float32") for k, x in enumerate(inputs)}
    for found, one in zip(ran(model, given), wanted):
        assert (found.shape, found.dtype) == (one.shape, one.dtype)
        np.testing.assert_allclose(found, one.asnumpy(), rtol=1e-5, atol=1e-5)


@pytest.mark.filterwarnings("ignore:KLDivLoss")  # drawn values are no logarithms
@pytest.mark.filterwarnings("ignore:to_tensor")  # nor numbers up to 255
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[needs_new_runtime] * (name in NEW)) for name in blocks.CASES]
)
def test_a_block_goes_out(name):
    case = blocks.CASES[name]
    inputs = list(map(np.asarray, blocks.values(case)))
    with NameManager():
        block, symbol = blocks.composed(MX(), case)
    block.initialize()
    case.call(block, *map(nd.array, inputs))
    own = block.collect_params()
    names = symbol.list_inputs()
    params = {key: one.data().asnumpy() for key, one in own.items() if key in names}
    shapes = {f"data{k}": x.shape for k, x in enumerate(inputs) if f"data{k}" in names}
    dtypes = dict.fromkeys(shapes, "float32")
    opset = 21 if name == "ModulatedDeformableConvolution" else None
    check(case, block, model_of(symbol, params, shapes, dtypes, opset), inputs)
    if name in OTHER_AXES:
        return
    shapes = {key: (None, *shape[1:]) for key, shape in shapes.items()}
    model = model_of(symbol, params, shapes, dtypes, opset)
    if name in UNROLLED:  # the number of steps follows from the parts of the sequence
        check(case, block, model, inputs)
        return
    check(case, block, model, [np.concatenate([x, x[:1]]) for x in inputs])
