"""What the public functions of `nd`, `np`, `npx`, `megengine` and `symbol` are made with.

A face is what a user sees of an operator: a signature, a docstring, what it takes and which errors
it raises. To make many functions of a kind, write three things:

1. a prototype, ``def one(data: A, out: A | None = None) -> A``, whose signature is the type of each
   function made, and whose docstring has the sections that they share, with words to be filled in
   between braces;
2. a factory, ``def unary(like: T, op: Op, given: str, result: str) -> T``, which defines the
   function that does the work and returns ``ND.made(like, call, ...)``. `ND` is the `face.Face` of
   the namespace: it knows where users find the functions and what examples look like, and describes
   the parameters that all functions share (`parameters`). ``op.doc`` becomes the title. The factory
   also says what kind of function it makes (`kinds`), from which symbols and tests know the rest;
3. an assignment for each, ``exp: Final = unary(one, F.exp, "[0, 1]", "[1.    , 2.7183]")``; without
   ``Final``, pyright does not count the type as known.

Errors begin with the public name (`errors`). Numbers may come as text, which `text.readers` finds
out from the annotations of a function when it is first called.
"""
