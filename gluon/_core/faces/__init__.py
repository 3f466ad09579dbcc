"""What the public functions of `nd`, `np`, `npx` and `megengine` are made with: their faces.

A face is what a user sees of an operator: a signature, a docstring, what it takes and which errors
it raises. To make the faces of many operators of a kind, write three things:

1. a prototype, ``def one(data: A, out: A | None = None) -> A``, whose signature is the type of each
   function made, and whose docstring has the sections that they share, with words to be filled in
   between braces;
2. a factory, ``def unary(like: T, op: Op, given: str, result: str) -> T``, which defines the
   function that does the work and returns ``made_like(like, call, ...)``: `prototype.made_like`
   gives it a name, the signature and a docstring, with ``op.doc`` as the title and what
   `docs.example` makes of the two texts as the example;
3. an assignment for each, ``exp: Final = unary(one, F.exp, "[0, 1]", "[1.    , 2.7183]")``; without
   ``Final``, pyright does not count the type as known.

Errors begin with the public name (`errors`). Numbers may come as text, which `text.readers` finds
out from the annotations of a function when it is first called.
"""
