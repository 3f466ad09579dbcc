"""Names of NumPy and `mx.np` that `gluon.np` deliberately lacks, and the error for them."""

from __future__ import annotations

from collections.abc import Collection

from .._core.errors import MissingNameError
from .._core.hints.lookup import missing_name
from ..nd.absent import by_name

COMPLEX = "arrays of gluon do not support complex numbers; use NumPy"
FOURIER = (
    "Fourier transforms return complex numbers, which gluon does not support; use numpy.fft on"
    " x.asnumpy(), or nd.contrib.fft, which returns real and imaginary parts side by side"
)
TEXT = "arrays of gluon hold only numbers, not strings, bytes, dates, records or objects; use NumPy"
FILES = "read and write with NumPy, as in np.array(numpy.loadtxt(path)), or with npx.save and load"
MEMORY = "arrays of gluon do not expose NumPy's memory layout, classes or buffers"
SETTINGS = "it belongs to NumPy's settings, checks or internals; call it in NumPy"
OBJECTS = "a class or type of NumPy without a counterpart; use arrays and their dtypes"
MATRIX = "NumPy discourages its matrix class; use arrays of two axes"
MONEY = "NumPy 1.20 removed its financial functions; use the package numpy-financial"
PRINTING = "it configures how NumPy prints; use repr, str or x.asnumpy()"
LOOPS = "it loops over elements in Python; use NumPy on x.asnumpy(), or np.vectorize"
GENERATORS = (
    "gluon has a single generator, seeded by np.random.seed; a generator of NumPy works too:"
    " np.array(numpy.random.default_rng(0).normal(size=3))"
)
BYTES = "arrays of gluon hold only numbers; use np.random.randint(0, 256, n, 'uint8')"
REMOVED = "NumPy 2 removed it; its documentation names the replacement"

#: Maps a module to reasons, and each reason to names.
ABSENT = {
    "np": {
        FOURIER: "fft",
        COMPLEX: """
            cdouble cfloat clongdouble clongfloat complex64 complex128 complex192 complex256
            complex_ complexfloating csingle emath longcomplex singlecomplex sort_complex""",
        TEXT: """
            bytes_ char character chararray compare_chararrays datetime64 datetime_as_string
            datetime_data busday_count busday_offset busdaycalendar is_busday isnat object_ rec
            recarray record str_ string_ strings timedelta64 unicode_ void format_parser""",
        FILES: """
            DataSource fromfile fromregex fromstring load loadtxt memmap recfromcsv
            recfromtxt save savetxt savez savez_compressed""",
        MEMORY: """
            asfarray asfortranarray broadcast byte_bounds flatiter
            isfortran may_share_bounds ma require tracemalloc_domain""",
        SETTINGS: """
            __version__ core ctypeslib exceptions f2py get_include lib
            little_endian show_config show_runtime test testing typing info getbufsize setbufsize
            geterrcall seterrcall geterrobj seterrobj set_numeric_ops set_string_function
            ALLOW_THREADS AxisError BUFSIZE CLIP ComplexWarning ERR_CALL ERR_DEFAULT ERR_IGNORE
            ERR_LOG ERR_PRINT ERR_RAISE ERR_WARN FLOATING_POINT_SUPPORT FPE_DIVIDEBYZERO
            FPE_INVALID FPE_OVERFLOW FPE_UNDERFLOW MAXDIMS MAY_SHARE_BOUNDS MAY_SHARE_EXACT
            ModuleDeprecationWarning RAISE RankWarning SHIFT_DIVIDEBYZERO SHIFT_INVALID
            SHIFT_OVERFLOW SHIFT_UNDERFLOW TooHardError UFUNC_BUFSIZE_DEFAULT UFUNC_PYVALS_NAME
            VisibleDeprecationWarning WRAP _UFUNC_API _add_newdoc_ufunc _get_promotion_state
            _no_nep50_warning _set_promotion_state _using_numpy2_behavior add_docstring
            add_newdoc add_newdoc_ufunc deprecate deprecate_with_doc get_array_wrap
            fastCopyAndTranspose NumpyVersion""",
        OBJECTS: """
            ScalarType bool8 bytes0 common_type dtypes flexible float80 float96 float128 float160
            float256 float512 int0 int128 int256 int_asbuffer intp_ long longdouble longfloat
            mintypecode nbytes obj2sctype object0 poly1d polynomial sctype2char
            sctypeDict sctypes str0 typecodes typename ufunc uint0 uint128 uint256 ulong
            void0""",
        MATRIX: "asmatrix bmat mat matrix",
        MONEY: "fv ipmt irr mirr nper npv pmt ppmt pv rate",
        PRINTING: """
            array2string array_repr array_str base_repr binary_repr format_float_positional
            format_float_scientific disp""",
        LOOPS: "frompyfunc nditer nested_iters",
        REMOVED: """
            Inf Infinity infty cast find_common_type issctype issubclass_ issubsctype lookfor
            maximum_sctype safe_eval source who""",
    },
    "np.linalg": {"it is part of NumPy's tests": "test linalg"},
    "np.random": {
        GENERATORS: """
            BitGenerator Generator MT19937 PCG64 PCG64DXSM Philox RandomState SFC64 SeedSequence
            default_rng get_state set_state""",
        BYTES: "bytes",
        "NumPy deprecates it; np.random.randint(low, high + 1) does the same": "random_integers",
    },
}
REASONS = by_name(ABSENT)


def missing(module: str, name: str, names: Collection[str]) -> MissingNameError:
    """The error for ``gluon.<module>.<name>``, with the reason or the name that was meant.

    Parameters
    ----------
    module : str
        Without the package: ``'np.linalg'``.
    name : str
        What was asked for.
    names : collection of str
        What the module has.

    Returns
    -------
    MissingNameError
        For the caller to raise.
    """
    message = f"gluon.{module} has no {name!r}"
    return missing_name(message, module, name, names, REASONS.get(f"{module}.{name}"))
