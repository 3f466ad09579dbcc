"""Functions that are made from a prototype, an operator and the face of a namespace."""

from __future__ import annotations

import inspect

from gluon import megengine, nd, np, npx
from gluon._core.errors import ArgumentError
from gluon._core.faces.docs import completed
from gluon._core.faces.errors import rejected
from gluon._core.faces.face import Face
from gluon._core.faces.kinds import KINDS
from gluon.megengine import functional
from gluon.symbol import nd_functions

SHARED = {"out": "ndarray, optional\nWhere to write it.", "name": "str, optional"}
FACE = Face(
    "gluon.of_tests", "import gluon", "of_tests.{name}({given})", "result {result}", True, SHARED
)


def like(x: float, out: object = None, name: str | None = None) -> float:
    """A prototype.

    Parameters
    ----------
    x : float
        {what}
    name : str
        Its own words.

    Returns
    -------
    float
    """
    raise NotImplementedError


def test_a_function_has_the_signature_and_the_sections_of_its_prototype():
    made = FACE.made(
        like,
        lambda x, out=None, name=None: x,
        "same",
        "The input",
        "2",
        "0.12345",
        words={"what": "Any."},
    )
    assert made(2.0) == 2.0
    assert (made.__name__, made.__module__) == ("same", "gluon.of_tests")
    assert inspect.signature(made) == inspect.signature(like)
    assert KINDS[made] == ""
    assert inspect.cleandoc(made.__doc__) == inspect.cleandoc(
        """The input.

        Parameters
        ----------
        x : float
            Any.
        name : str
            Its own words.
        out : ndarray, optional
            Where to write it.

        Returns
        -------
        float

        Examples
        --------
        >>> import gluon
        >>> of_tests.same(2).round(4)
        result 0.12345
        """
    )


def test_a_docstring_describes_no_parameter_twice():
    doc = inspect.getdoc(like)
    once = completed(doc, ("out", "name"), SHARED)
    assert once.count("out : ") == once.count("name : ") == 1
    assert completed(once, ("out", "name"), SHARED) == once
    assert completed("No sections.", ("out",), SHARED) == "No sections."


def test_functions_of_all_namespaces_are_found_where_their_face_says():
    assert nd.exp.__module__ == nd.add.__module__ == nd.power.__module__ == "gluon.nd"
    assert np.exp.__module__ == np.zeros.__module__ == "gluon.np"
    assert npx.relu.__module__ == "gluon.npx"
    assert functional.exp.__module__ == f"{megengine.__name__}.functional"
    assert nd_functions.exp.__module__ == "gluon.symbol"


def test_factories_say_what_kind_of_function_they_make():
    assert KINDS[nd.exp] == KINDS[np.exp] == KINDS[nd.elemwise_add] == "alike"
    assert KINDS[nd.add] == KINDS[np.add] == KINDS[nd.power] == "broadcast"
    assert KINDS[nd.sum] == KINDS[nd.argmax] == "reduce"
    assert KINDS[nd.Convolution] == ""


def test_an_error_names_the_function_and_what_may_be_meant():
    other = TypeError("summed() got an unexpected keyword argument 'dim'")
    error = rejected(other, "summed", "sum", ["data", "axis"], "; it takes data, axis")
    assert isinstance(error, ArgumentError | TypeError)
    assert str(error).startswith("sum: got an unexpected keyword argument 'dim'")
    assert "axis" in str(error)
    assert str(rejected(ValueError("no"), "summed", "sum", [], "; it takes data")) == "sum: no"
