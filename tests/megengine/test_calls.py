"""Calls of MegEngine's functions end in gluon as in MegEngine."""

from __future__ import annotations

import ast
import gzip
import json
import re
import warnings
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

import gluon.megengine
from gluon import GluonError
from gluon.megengine import functional as F
from tests.megengine.calls import ERRORS, namespace, plain
from tests.megengine.edges import EDGES, EMPTY, MODES, modes

HERE = Path(__file__).resolve().parent

REFERENCE = HERE.parents[1] / "recorded" / "megengine_calls.json.gz"
GIVEN: dict = json.loads(gzip.decompress(REFERENCE.read_bytes()))

#: What the layers call that are, or what other tests of this folder compare.
NOT_CALLED = (
    "conv3d conv_transpose3d deformable_psroi_pooling erf multi_head_attention svd sync_batch_norm"
).split()
SHAPES = "shapes that do not go together are an error"
WINDOWS = "windows, strides and dilations are integers above 0, and padding is less than a window"
#: Calls that are refused here and taken there, or give something else | the reason.
EXCEPTIONS: list[tuple[str, str]] = [
    (r".*\bempty\b.*", "MegEngine gives nothing for nothing, whatever the other shapes"),
    (r".*\bhalf\b.*", "MegEngine computes parts in float16, and gives some as float32"),
    (r".*\bscalar\b.*", "MegEngine gives some tensors without axes one, and takes axis 0 of them"),
    (r".*\bNone\b.*", "None is not a value; MegEngine leaves some of them out"),
    (r".*argm(ax|in)\(m, (axis=)?\(0, 1\)\)", "MegEngine gives the place among places"),
    (r"F\.clip\(.*", "where the bounds cross the upper one counts; MegEngine says so nowhere"),
    (r"F\.\w+\(\[1\.0, 2\.0\], .*", "MegEngine takes the dtype of the other argument for a list"),
    (
        r"F\.(\w*equal|pow|\w+_shift|maximum|dropout)\(.*",
        "lists and numbers are tensors, and broadcast",
    ),
    (r"F\.(add|mod)\(b, .*", "bool beside int32 is int32"),
    (r"F\.(linear|conv\w*|nn\.\w*conv2d)\(.*", SHAPES),
    (r"F\.(linspace|arange|topk)\(.*\[1\].*", "lists are not numbers"),
    (r"F\.norm\(x, (ord=)?0\)", "a norm is of the dtype of its tensor"),
    (r"F\.diag\(.*", "a diagonal outside the matrix is an error"),
    (r"F\.(gather|scatter)\(m, (5|1\.5), .*", "axes that a tensor does not have are an error"),
    (r"F\.(batch_norm|transpose|reshape|layer_norm|normalize)\(.*", SHAPES),
    (r"m\.reshape\(.*", "a shape is of integers that go together"),
    (r"F\.softmax\(.*|run\(M\.Softmax.*", "True is not an axis"),
    (r"F\.(max_pool2d|sliding_window|nn\.sliding_window_\w+)\(.*", WINDOWS),
    (r"run\(M\.(Max|Avg)Pool2d.*", WINDOWS),
    (r"F\.vision\.(roi_align|roi_pooling|correlation)\(.*", WINDOWS),
    (r"F\.nn\.(local_response_norm|ctc_loss)\(.*", "MegEngine reads what is not there"),
    (r"F\.topk_accuracy\(x, .*", "MegEngine counts rows as scores"),
    (r".*output_padding=.*", "MegEngine leaves it out"),
    (r"run\(M\.\w*(Norm|Norm1d)\(.*", SHAPES),
    (r"run\(M\.\w*(Conv|BatchMatMul)\w*\(.*", "a layer has one channel at least"),
    (r"C\.dtype\.is_differentible_dtype\(.*", "MegEngine knows dtypes, not their names"),
    (r"C\.utils\.(result_type|dtype_promotion|convert_inputs)\(.*", "as in NumPy"),
    (r".*(Resize|ResizedCrop|RandomResize)\(.*", "there are OpenCV's ways 0 to 4; one is drawn"),
    (r".*eps=-1\.0.*", "eps is 0 or more"),
]

#: The reasons in `CLASSES` that some call has.
USED: set[str] = set()
#: Classes of errors that are others here: MegEngine's and gluon's, with the call | the reason.
CLASSES: list[tuple[str, str]] = [
    (
        r"AttributeError \w+: .*",
        "MegEngine looks for a shape, a dtype or a method before it looks at what was given",
    ),
    (
        r"IndexError (Argument|Value)Error: .*",
        "MegEngine reads beyond the end of a list that is too short",
    ),
    (
        r"TypeError (Argument|Axis|IndexRange|Value|Index|Attribute)Error: .*",
        "MegEngine's operators take tensors alone; a list or a number is one here, which does not"
        " fit by its shape",
    ),
    (
        r"ValueError (DType|Type)Error: .*",
        "of what no tensor can be made is a TypeError, with MegEngine a ValueError of NumPy's",
    ),
    (
        r"AssertionError \w+: F\.(roll|indexing_one_hot|vision\.\w+|nn\.general_norm)\(.*",
        "an axis or a shape that the operator refuses, by its own error",
    ),
]


def same(got, want) -> bool:
    """Whether two results are the same, numbers up to rounding."""
    if isinstance(want, dict) and isinstance(got, dict):
        return set(got) == set(want) and all(same(got[key], want[key]) for key in want)
    if isinstance(want, list) and isinstance(got, list):
        return len(got) == len(want) and all(map(same, got, want))
    if isinstance(want, float) and isinstance(got, (int, float)):
        return bool(np.isclose(got, want, rtol=2e-4, atol=2e-4, equal_nan=True))
    return got == want


def complaint(text: str) -> str | None:
    """What differs in a call, if anything does: both may take it, or both refuse it.

    gluon may take what MegEngine refuses, and refuse by errors of another class in `CLASSES`.
    """
    want = GIVEN[text]
    refused = isinstance(want, dict) and want.get("error")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            got = plain(eval(text, namespace(gluon.megengine, re.findall(r"\w+", text))))
    except ERRORS as error:
        kinds = [one.__name__ for one in type(error).__mro__]
        if not refused:
            return f"refused: {kinds[0]}: {str(error)[:150]}"
        if refused in kinds or other_class(f"{refused} {kinds[0]}: {text}"):
            return None
        return f"{kinds[0]}, not {refused}: {str(error)[:150]}"
    if refused:
        return None
    return None if same(json.loads(json.dumps(got)), want) else f"{got}, not {want}"


def other_class(row: str) -> str | None:
    """Why an error may be of another class than MegEngine's."""
    USED.update(why for pattern, why in CLASSES if re.fullmatch(pattern, row))
    return next((why for pattern, why in CLASSES if re.fullmatch(pattern, row)), None)


def reason(text: str) -> str | None:
    """The reason why a call may end differently than in MegEngine."""
    return next((why for pattern, why in EXCEPTIONS if re.fullmatch(pattern, text)), None)


@pytest.fixture(scope="module", autouse=True)
def hook():
    with gluon.megengine.installed():
        yield


def test_what_megengine_takes_is_taken_and_gives_the_same():
    wrong = {
        text: found for text in GIVEN if not reason(text) and (found := complaint(text)) is not None
    }
    assert wrong == {}
    assert [why for _, why in CLASSES if why not in USED] == []


def test_calls_at_the_edges_end_as_in_megengine():
    def differs(text: str) -> str | None:
        refused = isinstance(GIVEN[text], dict) and GIVEN[text].get("error")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                eval(text, namespace(gluon.megengine, re.findall(r"\w+", text)))
        except ERRORS:
            return complaint(text)
        return f"taken, where MegEngine raises {refused}" if refused else complaint(text)

    known = [text for text in EDGES if text in GIVEN]
    assert {text: found for text in known if (found := differs(text))} == {}
    assert len(known) > 200


def test_modes_of_elemwise_give_what_megengine_gives():
    taken = [text for text in modes() if "error" not in GIVEN[text]]
    assert {text: found for text in taken if (found := complaint(text))} == {}
    assert {text.split("'")[1] for text in taken} == {*MODES} - {*EMPTY}


def test_most_calls_need_no_reason():
    stated = [text for text in GIVEN if reason(text) and complaint(text)]
    assert len(stated) < 0.04 * len(GIVEN)


def test_each_reason_is_needed():
    for pattern, why in EXCEPTIONS:
        alike = [text for text in GIVEN if re.fullmatch(pattern, text)]
        assert any(complaint(text) for text in alike), why


def test_every_function_is_called():
    texts = " ".join(GIVEN)
    functional = gluon.megengine.functional
    own = [
        name
        for name in functional.__all__
        if isinstance(one := getattr(functional, name), FunctionType) and "gluon" in one.__module__
    ]
    missing = [name for name in own if not re.search(rf"F(\.\w+)?\.{name}\(", texts)]
    assert sorted(missing) == NOT_CALLED


def wrong_calls():
    """Replace the arguments of a call of each function by objects that no function accepts."""
    seen = set()
    for text, want in GIVEN.items():
        tree = ast.parse(text, mode="eval").body
        refused = isinstance(want, dict) and want.get("error")
        if refused or not isinstance(tree, ast.Call) or not text.startswith("F."):
            continue
        name = ast.unparse(tree.func)
        if name in seen:
            continue
        seen.add(name)
        for row, place in [(tree.args, k) for k in range(len(tree.args))]:
            old = row[place]
            for other in ("3", "'a'", "[None]", "object()"):
                row[place] = ast.parse(other, mode="eval").body
                yield name, ast.unparse(tree)
            row[place] = old


def test_what_is_no_tensor_is_taken_or_an_error_of_gluon_that_names_the_function():
    wrong = {}
    for name, text in wrong_calls():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                eval(text, namespace(gluon.megengine, re.findall(r"\w+", text)))
        except GluonError as error:
            if name.rpartition(".")[2] not in str(error):
                wrong[text] = str(error)
        except Exception as error:
            wrong[text] = repr(error)
    assert wrong == {}


def test_an_argument_of_another_type_is_named_with_what_fits():
    with pytest.raises(GluonError, match=r"conv2d: inp has shape \(\); give \(batch, channels"):
        F.conv2d(3, F.ones((1, 1, 3, 3)))
    with pytest.raises(GluonError, match="one_hot: num_classes='a' must be an integer"):
        F.one_hot([1], "a")
