"""`Module`, the base class of models."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ..._core.errors import ArgumentError, MissingKeyError
from ..functional.creation import zeros_like
from ..tensor import Parameter, Tensor


class HookHandler:
    """Handle of a registered hook."""

    def __init__(self, hooks: list[Callable[..., Any]], hook: Callable[..., Any]) -> None:
        self._hooks, self._hook = hooks, hook
        hooks.append(hook)

    def remove(self) -> None:
        """Remove the hook."""
        if self._hook in self._hooks:
            self._hooks.remove(self._hook)


class Module:
    """Base class of all modules, which hold parameters, buffers and other modules as attributes.

    They are found in lists, tuples and dicts too, and listed in alphabetic order of their names.
    Subclasses define ``forward``.

    Parameters
    ----------
    name : str, optional
        For the user.

    Examples
    --------
    >>> import gluon.megengine.module as M
    >>> class Net(M.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.layers = [M.Linear(2, 3), M.ReLU(), M.Linear(3, 1)]
    ...     def forward(self, x):
    ...         for layer in self.layers:
    ...             x = layer(x)
    ...         return x
    >>> [name for name, _ in Net().named_parameters()]
    ['layers.0.bias', 'layers.0.weight', 'layers.2.bias', 'layers.2.weight']
    >>> import gluon.megengine.functional as F
    >>> net = Net()
    >>> [parameter.shape for parameter in net.parameters()]
    [(3,), (3, 2), (1,), (1, 3)]
    >>> [type(one).__name__ for one in net.children()], len(list(net.modules()))
    (['Linear', 'ReLU', 'Linear'], 4)
    >>> [name for name, _ in net.named_children()], [name for name, _ in net.named_modules()][:2]
    (['layers.0', 'layers.1', 'layers.2'], ['', 'layers.0'])
    >>> norm = M.BatchNorm1d(2)
    >>> [name for name, _ in norm.named_buffers()], len(list(norm.buffers()))
    (['running_mean', 'running_var'], 2)
    >>> [name for name, _ in norm.named_tensors()] == list(norm.state_dict())
    True
    >>> len(list(norm.tensors()))
    4
    >>> norm.load_state_dict({name: value + 1 for name, value in norm.state_dict().items()})
    >>> norm.weight
    Parameter([[[[2.]]
    <BLANKLINE>
      [[2.]]]], device=xpux:0)
    >>> net.eval()
    >>> net.training
    False
    >>> net.train()
    >>> net.apply(lambda one: print(type(one).__name__))
    Net
    Linear
    ReLU
    Linear
    >>> handle = net.register_forward_pre_hook(lambda module, inputs: print(inputs[0].shape))
    >>> other = net.register_forward_hook(lambda module, inputs, outputs: print(outputs.shape))
    >>> y = net(F.ones((4, 2)))
    (4, 2)
    (4, 1)
    >>> net.zero_grad()
    """

    def __init__(self, name: str | None = None) -> None:
        self.name = name
        self.training = True
        self._forward_hooks: list[Callable] = []
        self._forward_pre_hooks: list[Callable] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Compute the output; subclasses define it."""
        raise NotImplementedError(f"{type(self).__name__} has no forward(self, inputs)")

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the hooks and `forward`."""
        for hook in self._forward_pre_hooks:
            changed = hook(self, inputs)
            if changed is not None:
                inputs = changed if isinstance(changed, tuple) else (changed,)
        outputs = self.forward(*inputs, **kwargs)
        for hook in self._forward_hooks:
            changed = hook(self, inputs, outputs)
            outputs = outputs if changed is None else changed
        return outputs

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> HookHandler:
        """Call ``hook(module, inputs)`` before each call; its result replaces the inputs."""
        return HookHandler(self._forward_pre_hooks, hook)

    def register_forward_hook(self, hook: Callable[..., Any]) -> HookHandler:
        """Call ``hook(module, inputs, outputs)`` after each call; its result replaces these."""
        return HookHandler(self._forward_hooks, hook)

    # --------------------------------------------------------------------------- members

    def named_parameters(
        self, prefix: str | None = None, recursive: bool = True, **kwargs: Any
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters with their names.

        Parameters
        ----------
        prefix : str, optional
            A prefix of all names.
        recursive : bool, default True
            Whether to include modules inside this one.
        **kwargs
            Ignored.

        Yields
        ------
        tuple of (str, Parameter)
        """
        return self._found(lambda x: isinstance(x, Parameter), prefix, recursive)

    def parameters(self, recursive: bool = True, **kwargs: Any) -> Iterator[Parameter]:
        """The parameters.

        Parameters
        ----------
        recursive : bool, default True
            Whether to include modules inside this one.
        **kwargs
            Ignored.
        """
        return (x for _, x in self.named_parameters(recursive=recursive))

    def named_buffers(
        self, prefix: str | None = None, recursive: bool = True, **kwargs: Any
    ) -> Iterator[tuple[str, Tensor]]:
        """The tensors that are not parameters, with their names.

        Parameters
        ----------
        prefix : str, optional
            A prefix of all names.
        recursive : bool, default True
            Whether to include modules inside this one.
        **kwargs
            Ignored.

        Yields
        ------
        tuple of (str, Tensor)
        """
        return self._found(_is_buffer, prefix, recursive)

    def buffers(self, recursive: bool = True, **kwargs: Any) -> Iterator[Tensor]:
        """The tensors that are not parameters.

        Parameters
        ----------
        recursive : bool, default True
            Whether to include modules inside this one.
        **kwargs
            Ignored.
        """
        return (x for _, x in self.named_buffers(recursive=recursive))

    def named_tensors(
        self, prefix: str | None = None, recursive: bool = True, **kwargs: Any
    ) -> Iterator[tuple[str, Tensor]]:
        """Parameters and buffers with their names.

        Parameters
        ----------
        prefix : str, optional
            A prefix of all names.
        recursive : bool, default True
            Whether to include modules inside this one.
        **kwargs
            Ignored.

        Yields
        ------
        tuple of (str, Tensor)
        """
        return self._found(lambda x: isinstance(x, Tensor), prefix, recursive)

    def tensors(self, recursive: bool = True, **kwargs: Any) -> Iterator[Tensor]:
        """Parameters and buffers.

        Parameters
        ----------
        recursive : bool, default True
            Whether to include modules inside this one.
        **kwargs
            Ignored.
        """
        return (x for _, x in self.named_tensors(recursive=recursive))

    def named_children(self, **kwargs: Any) -> Iterator[tuple[str, Module]]:
        """The direct children, with their names.

        Parameters
        ----------
        **kwargs
            Ignored.

        Yields
        ------
        tuple of (str, Module)
        """
        return ((key, x) for key, x in _members(self) if isinstance(x, Module))

    def children(self, **kwargs: Any) -> Iterator[Module]:
        """The direct children.

        Parameters
        ----------
        **kwargs
            Ignored.
        """
        return (x for _, x in self.named_children())

    def named_modules(
        self, prefix: str | None = None, **kwargs: Any
    ) -> Iterator[tuple[str, Module]]:
        """The module and all modules inside it, with their names.

        Parameters
        ----------
        prefix : str, optional
            The name of this one.
        **kwargs
            Ignored.

        Yields
        ------
        tuple of (str, Module)
        """
        yield prefix or "", self
        yield from self._found(lambda x: isinstance(x, Module), prefix, True)

    def modules(self, **kwargs: Any) -> Iterator[Module]:
        """The module and all modules inside it.

        Parameters
        ----------
        **kwargs
            Ignored.
        """
        return (x for _, x in self.named_modules())

    def _found(
        self, wanted: Callable[[Any], bool], prefix: str | None, recursive: bool
    ) -> Iterator[tuple[str, Any]]:
        """The members, each once, for which `wanted` holds."""
        return self._flatten(
            recursive=recursive, with_key=True, prefix=prefix, predicate=wanted, seen=set()
        )

    def _flatten(
        self,
        *,
        recursive: bool = True,
        with_key: bool = False,
        with_parent: bool = False,
        prefix: str | None = None,
        predicate: Callable[[Any], bool] = lambda _: True,
        seen: set[int] | None = None,
    ) -> Iterator[Any]:
        """The members for which `predicate` holds, each once, with names and owners if wanted."""
        seen = {id(self)} if seen is None else seen
        for key, member in _members(self):
            if id(member) in seen:
                continue
            seen.add(id(member))
            name = f"{prefix}.{key}" if prefix else key
            if predicate(member):
                found = (name,) * with_key + (member,) + (self,) * with_parent
                yield found if len(found) > 1 else member
            if recursive and isinstance(member, Module):
                yield from member._flatten(
                    with_key=with_key,
                    with_parent=with_parent,
                    prefix=name,
                    predicate=predicate,
                    seen=seen,
                )

    # ---------------------------------------------------------------------------- actions

    def apply(self, fn: Callable[[Module], Any]) -> None:
        """Call a function on this module and all modules inside it."""
        for module in list(self.modules()):
            fn(module)

    def train(self, mode: bool = True, recursive: bool = True) -> None:
        """Set training mode, which affects layers such as Dropout and BatchNorm.

        Parameters
        ----------
        recursive : bool, default True
            Whether to set it for all modules in this one.
        """
        for module in list(self.modules()) if recursive else [self]:
            module.training = mode

    def eval(self) -> None:
        """Set evaluation mode, here and in all modules inside."""
        self.train(False)

    def zero_grad(self) -> None:
        """Write zeros to the gradients of the parameters."""
        for parameter in self.parameters():
            if parameter.grad is not None:
                parameter.grad = zeros_like(parameter.grad)

    # ------------------------------------------------------------------------------ state

    def state_dict(
        self, rst: Any = None, prefix: str = "", keep_var: bool = False
    ) -> OrderedDict[str, Any]:
        """The values of parameters and buffers by their names.

        Parameters
        ----------
        rst : dict, optional
            A dict to add to.
        prefix : str, default ""
            A prefix of all names.
        keep_var : bool, default False
            Whether to give the tensors themselves instead of arrays.
        """
        state = OrderedDict() if rst is None else rst
        for key, module, x in self._variables():
            state.setdefault(prefix + key, x if keep_var else module._saved(x))
        return state

    def _variables(self) -> Iterator[tuple[str, Module, Tensor]]:
        """The name of each tensor, the module that has it, and the tensor."""
        for name, module in self.named_modules():
            before = f"{name}." if name else ""
            for key, x in module.named_tensors(recursive=False):
                yield before + key, module, x

    def _saved(self, x: Tensor) -> np.ndarray:
        """A tensor of this module as `state_dict` gives it."""
        return x.numpy()

    def load_state_dict(self, state_dict: Any, strict: bool = True) -> Any:
        """Load values from a `state_dict`.

        Parameters
        ----------
        state_dict : dict of str to (numpy.ndarray or Tensor) of any dtype, or callable
            Values of the shapes of the tensors. A callable gets the name and the tensor, and
            returns a value or None.
        strict : bool, default True
            Whether the names must be the same in both.
        """
        own = self.state_dict(keep_var=True)
        given = state_dict
        if not callable(state_dict) and not isinstance(state_dict, Mapping):
            raise ArgumentError(
                f"load_state_dict: give a dict or a function, not {type(state_dict).__name__}"
            )
        if callable(state_dict):
            given = {key: state_dict(key, x) for key, x in own.items()}
        values = {key: given[key] for key in own if given.get(key) is not None}
        for key, value in values.items():
            values[key] = _fitting(key, own[key], value)
        unused, missing = set(given) - set(own), set(own) - set(values)
        if strict and (unused or missing):
            raise MissingKeyError(
                f"load_state_dict: unused names {sorted(unused)}, missing names {sorted(missing)};"
                " give strict=False to take what fits"
            )
        tensors = {
            key: Tensor(value, own[key].dtype, own[key].device) for key, value in values.items()
        }
        for key, tensor in tensors.items():
            own[key]._reset(tensor)

    # ------------------------------------------------------------------------------- text

    def _module_info_string(self) -> str:
        return ""

    def extra_repr(self) -> str:
        """The settings shown in the `repr` of a module without members.

        Examples
        --------
        >>> import gluon.megengine.module as M
        >>> class Scale(M.Module):
        ...     def extra_repr(self):
        ...         return "by=2"
        >>> Scale()
        Scale(by=2)
        """
        return self._module_info_string()

    def __repr__(self) -> str:
        lines = [
            f"  ({name}): " + repr(child).replace("\n", "\n  ")
            for key, value in vars(self).items()  # in the order in which they were set
            for name, child in _inside(key, value)
            if isinstance(child, Module)
        ]
        own = self.extra_repr()
        if not lines:
            return f"{type(self).__name__}({own})"
        return "\n".join([f"{type(self).__name__}({own}", *lines, ")"])


def _is_buffer(x: Any) -> bool:
    return isinstance(x, Tensor) and not isinstance(x, Parameter)


def _members(module: Module) -> Iterable[tuple[str, Any]]:
    """The tensors and modules right in `module`, by name."""
    for key in sorted(vars(module)):
        yield from _inside(key, vars(module)[key])


def _inside(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (Tensor, Module)):
        yield key, value
    elif isinstance(value, (list, tuple)):
        for place, one in enumerate(value):
            yield from _inside(f"{key}.{place}", one)
    elif isinstance(value, dict):
        for name in sorted(value, key=str):
            yield from _inside(f"{key}.{name}", value[name])


def _fitting(key: str, own: Tensor, value: Any) -> np.ndarray:
    """`value` in the shape of `own`; lengths of 1 that only one of them has do not matter."""
    raw = np.asarray(value.raw if isinstance(value, Tensor) else value)
    if [n for n in raw.shape if n != 1] != [n for n in own.shape if n != 1]:
        raise ArgumentError(f"param `{key}` shape mismatch, should be {own.shape}, get {raw.shape}")
    return raw.reshape(own.shape)
