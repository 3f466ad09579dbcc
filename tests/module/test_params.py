"""Modules accept the same names of parameters as MXNet 1.9.1."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from gluon import io, model, module, nd, sym
from gluon._core.errors import ArgumentError, MissingKeyError

WHOLE = {"fc_weight": nd.ones((2, 3)), "fc_bias": nd.ones((2,))}
EXTRA = {"other": nd.ones((1,))}
PART = {"fc_weight": nd.ones((2, 3))}


def network():
    fc = sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc")
    one = module.Module(sym.SoftmaxOutput(fc, name="softmax"))
    one.bind([("data", (4, 3))], [("softmax_label", (4,))])
    return one


@pytest.mark.parametrize("allow_extra", [False, True])
def test_init_params_passes_over_other_names(allow_extra):
    one = network()
    one.init_params(arg_params=WHOLE | EXTRA, aux_params={}, allow_extra=allow_extra)
    found, _ = one.get_params()
    assert set(found) == set(WHOLE)
    assert found["fc_bias"].asnumpy().tolist() == [1, 1]


@pytest.mark.parametrize(
    ("given", "allowed", "error"),
    [
        (WHOLE | EXTRA, {}, None),
        (WHOLE | EXTRA, {"allow_missing": True}, ArgumentError),
        (WHOLE | EXTRA, {"allow_missing": True, "allow_extra": True}, None),
        (PART, {}, MissingKeyError),
        (PART | EXTRA, {"allow_extra": True}, MissingKeyError),
        (PART, {"allow_missing": True}, None),
    ],
)
def test_set_params_takes_these_names(given, allowed, error):
    one = network()
    one.init_params()
    with pytest.raises(error) if error else nullcontext():
        one.set_params(given, {}, **allowed)
    if error is None:
        assert one.get_params()[0]["fc_weight"].asnumpy().tolist() == [[1] * 3] * 2


def test_a_cut_network_is_fitted_from_the_parameters_of_the_whole(tmp_path):
    whole = network()
    whole.init_params(arg_params=WHOLE, aux_params={})
    whole.save_checkpoint(f"{tmp_path}/net", 1)
    _, arg_params, _ = model.load_checkpoint(f"{tmp_path}/net", 1)
    scores = sym.FullyConnected(sym.relu(sym.var("data")), num_hidden=2, name="fresh")
    tuned = module.Module(sym.SoftmaxOutput(scores, name="softmax"))
    batches = io.NDArrayIter(nd.ones((8, 3)), nd.zeros((8,)), batch_size=4)
    tuned.fit(batches, arg_params=arg_params, allow_missing=True, num_epoch=1)
    assert set(tuned.get_params()[0]) == {"fresh_weight", "fresh_bias"}


def test_modules_in_a_row_share_what_is_given():
    first = module.Module(
        sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc"), label_names=None
    )
    second = module.Module(
        sym.SoftmaxOutput(
            sym.FullyConnected(sym.var("data"), num_hidden=2, name="top"), name="softmax"
        )
    )
    both = module.SequentialModule().add(first).add(second, take_labels=True, auto_wiring=True)
    both.bind([("data", (4, 3))], [("softmax_label", (4,))])
    both.init_params(arg_params=WHOLE | EXTRA, aux_params={}, allow_missing=True)
    found, _ = both.get_params()
    assert found["fc_bias"].asnumpy().tolist() == [1, 1]
    assert set(found) == {"fc_weight", "fc_bias", "top_weight", "top_bias"}
