"""Checkpoints of a run, which can be resumed with another number of processes."""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import numpy as np

from .._core.errors import DTypeError, GluonError
from .._core.kernels.generator import generator
from .collective import allgather_object, barrier, broadcast_object
from .group import get_rank

#: The files in a checkpoint, which is a zip file; the second is missing without a trainer.
PARAMETERS, STATES, PROGRESS = "net.params", "trainer.states", "progress.json"


def save_checkpoint(path: str, net: Any, trainer: Any = None, **progress: Any) -> None:
    """Save a run to a file, to resume it later; an old file stays until the new one is complete.

    All processes must call it, and rank 0 writes the parameters, the states of the trainer, the
    state of the random numbers of each process, and the progress of the run. An existing file is
    kept until the new one is complete on the disk, so that a process that is killed at any time
    leaves one of the two.

    Parameters
    ----------
    path : str
    net : Block
    trainer : Trainer, optional
    **progress
        The progress of the run, such as ``epoch=3, step=120``; JSON must be able to hold it.

    Raises
    ------
    DTypeError
        If JSON cannot hold `progress`.
    DistributedError
        If the ranks make different calls, or a rank has ended.
    OSError
        On rank 0, if the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from gluon import Trainer, distributed, nn
    >>> net = nn.Dense(1, in_units=2)
    >>> net.initialize()
    >>> trainer = Trainer(net.collect_params(), "adam")
    >>> path = f"{tempfile.mkdtemp()}/run.checkpoint"
    >>> distributed.save_checkpoint(path, net, trainer, epoch=3)
    >>> distributed.load_checkpoint(path, net, trainer)
    {'epoch': 3}
    """
    try:
        json.dumps(progress)
    except (TypeError, ValueError) as error:
        raise DTypeError(
            f"save_checkpoint: progress must be what JSON can hold, such as int(x): {error}"
        ) from None
    random = allgather_object(_random_state())
    if get_rank() == 0:
        packed = BytesIO()
        with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w") as archive:
            net.save_parameters(f"{folder}/{PARAMETERS}")
            if trainer is not None:
                trainer.save_states(f"{folder}/{STATES}")
            for file in Path(folder).iterdir():
                archive.write(file, file.name)
            archive.writestr(PROGRESS, json.dumps({"progress": progress, "random": random}))
        _replace(path, packed.getvalue())
    barrier()


def load_checkpoint(path: str, net: Any, trainer: Any = None) -> dict[str, Any] | None:
    """Resume from a file of `save_checkpoint`; return its `progress`, or None without a file.

    All processes must call it, and rank 0 reads. Their number may differ from that at the time of
    saving: each continues the random numbers of its rank, and new ranks draw other numbers.
    Nothing in the file is run.

    Parameters
    ----------
    path : str
    net : Block
    trainer : Trainer, optional

    Returns
    -------
    dict or None

    Raises
    ------
    GluonError
        If the file is damaged or not a checkpoint, or a trainer is given and the file has no
        states of one; nothing is changed then.
    ArgumentError
        If `net` has other parameters.
    DistributedError
        If the ranks make different calls, or a rank has ended.

    Examples
    --------
    >>> from gluon import distributed, nn
    >>> net = nn.Dense(1, in_units=2)
    >>> distributed.load_checkpoint("not_there.checkpoint", net) or {"epoch": 0}
    {'epoch': 0}
    """
    file = Path(path)
    found = file.read_bytes() if get_rank() == 0 and file.exists() else None
    packed = broadcast_object(found)
    if packed is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        try:
            with zipfile.ZipFile(BytesIO(packed)) as archive:
                for name in (PARAMETERS, STATES)[: 1 if trainer is None else 2]:
                    archive.extract(name, folder)
                known = json.loads(archive.read(PROGRESS))
            progress, random = known["progress"], known["random"]
        except Exception as error:  # zipfile and zlib raise various errors for a broken file
            raise GluonError(
                f"load_checkpoint: {path!r} is damaged, or not a checkpoint of a network"
                f"{'' if trainer is None else ' and a trainer'}: {error}"
            ) from None
        net.load_parameters(f"{folder}/{PARAMETERS}")
        if trainer is not None:
            trainer.load_states(f"{folder}/{STATES}")
    _set_random_state(random)
    return dict(progress)


def _random_state() -> dict[str, Any]:
    """Return the random state of gluon and NumPy's global one, which shuffles samples."""
    shared = np.random.get_state(legacy=False)  # noqa: NPY002
    shared["state"]["key"] = shared["state"]["key"].tolist()
    return {"own": generator().bit_generator.state, "numpy": shared}


def _set_random_state(states: list[dict[str, Any]]) -> None:
    rank, mine = get_rank(), cast(np.random.PCG64, generator().bit_generator)
    state = states[min(rank, len(states) - 1)]
    mine.state = state["own"]
    if rank >= len(states):
        mine.state = mine.jumped(rank).state
    np.random.set_state(state["numpy"])  # noqa: NPY002


def _replace(path: str, data: bytes) -> None:
    """Write a file atomically, even if the power fails."""
    new = f"{path}.new"
    with open(new, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
    if os.name == "posix":  # other systems cannot open a folder
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
