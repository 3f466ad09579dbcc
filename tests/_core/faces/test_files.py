"""Errors for files and folders that do not exist."""

from __future__ import annotations

import pytest

from gluon import Trainer, kvstore, module, nd, nn, optimizer, sym
from gluon._core.errors import MissingFileError


def net():
    layer = nn.Dense(2, in_units=3)
    layer.initialize()
    return layer


def trainer():
    return Trainer(net().collect_params(), "adam")


def store():
    made = kvstore.create("local")
    made.set_optimizer(optimizer.SGD())
    return made


def fitted():
    model = module.Module(sym.FullyConnected(sym.var("data"), num_hidden=2), label_names=None)
    model.bind([("data", (4, 3))])
    model.init_params()
    model.init_optimizer(optimizer="adam")
    return model


WRITERS = {
    "save": lambda path: nd.save(path, nd.ones((2,))),
    "save_parameters": lambda path: net().save_parameters(path),
    "save_states": lambda path: trainer().save_states(path),
    "Symbol.save": lambda path: sym.var("x").save(path),
    "KVStore.save_optimizer_states": lambda path: store().save_optimizer_states(path),
    "Module.save_optimizer_states": lambda path: fitted().save_optimizer_states(path),
}
READERS = {
    "load": nd.load,
    "load_parameters": lambda path: net().load_parameters(path),
    "load_states": lambda path: trainer().load_states(path),
    "symbol": sym.load,
    "KVStore.load_optimizer_states": lambda path: store().load_optimizer_states(path),
    "Module.load_optimizer_states": lambda path: fitted().load_optimizer_states(path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_missing_folder_is_named(tmp_path, name):
    folder = str(tmp_path / "none")
    with pytest.raises(MissingFileError, match=r"there is no folder .*; create it first") as caught:
        WRITERS[name](f"{folder}/file")
    assert folder in str(caught.value)


@pytest.mark.parametrize("name", READERS)
def test_a_missing_file_is_named(tmp_path, name):
    path = str(tmp_path / "none")
    with pytest.raises(MissingFileError, match="cannot find the file") as caught:
        READERS[name](path)
    assert path in str(caught.value)
