# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from gluon.symbol.symbol import Symbol

def pow(base: Symbol | float, exp: Symbol | float) -> Symbol:
    """A power of two symbols, or of a symbol and a number."""
def add(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.add``, of two symbols, or of a symbol and a number."""
def subtract(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.subtract``, of two symbols, or of a symbol and a number."""
def multiply(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.multiply``, of two symbols, or of a symbol and a number."""
def divide(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.divide``, of two symbols, or of a symbol and a number."""
def true_divide(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.divide``, of two symbols, or of a symbol and a number."""
def modulo(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.modulo``, of two symbols, or of a symbol and a number."""
def equal(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.equal``, of two symbols, or of a symbol and a number."""
def not_equal(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.not_equal``, of two symbols, or of a symbol and a number."""
def greater(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.greater``, of two symbols, or of a symbol and a number."""
def greater_equal(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.greater_equal``, of two symbols, or of a symbol and a number."""
def lesser(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.lesser``, of two symbols, or of a symbol and a number."""
def lesser_equal(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.lesser_equal``, of two symbols, or of a symbol and a number."""
def logical_and(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.logical_and``, of two symbols, or of a symbol and a number."""
def logical_or(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.logical_or``, of two symbols, or of a symbol and a number."""
def logical_xor(lhs: Symbol | float, rhs: Symbol | float, name: str | None = None) -> Symbol:
    """As ``gluon.nd.logical_xor``, of two symbols, or of a symbol and a number."""
