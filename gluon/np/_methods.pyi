# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"


from ._declared_methods import Methods as Methods
