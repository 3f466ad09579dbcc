"""A `DataLoader` as a data iterator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import nd
from .._core.errors import GluonError
from ..io import DataDesc, DataIter
from ..nd import NDArray

__all__ = ["DataLoaderIter"]


class DataLoaderIter(DataIter):
    """The batches of a `gluon.data.DataLoader` with the interface of `gluon.io`.

    Parameters
    ----------
    loader : DataLoader
        A loader whose samples are pairs of data and label.
    data_name, label_name : str
    dtype : str, default 'float32'
        Of data and labels.

    Raises
    ------
    GluonError
        If the loader has no batch.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon import data
    >>> from gluon.contrib.io import DataLoaderIter
    >>> loader = data.DataLoader(data.ArrayDataset(np.ones((5, 2)), np.arange(5)), 3)
    >>> for batch in DataLoaderIter(loader):
    ...     print(batch.data[0].shape, batch.label[0].asnumpy(), batch.pad)
    (3, 2) [0. 1. 2.] 0
    (3, 2) [3. 4. 0.] 1
    """

    dtype: str
    provide_data: list[DataDesc]
    provide_label: list[DataDesc]

    def __init__(
        self,
        loader: Any,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: str = "float32",
    ) -> None:
        self._loader, self.dtype = loader, dtype
        first = next(iter(loader), None)
        if first is None:
            raise GluonError("DataLoaderIter: the loader has no batch")
        data, label = first
        super().__init__(data.shape[0])
        self.provide_data = [DataDesc(data_name, data.shape, dtype)]
        self.provide_label = [DataDesc(label_name, label.shape, dtype)]
        self._batches: Iterator = iter(())
        self._batch: Any = None
        self.reset()

    def reset(self) -> None:
        """Start the next epoch of the loader."""
        self._batches = iter(self._loader)

    def iter_next(self) -> bool:
        """Move to the next batch.

        Returns
        -------
        bool
            Whether there is a next batch.
        """
        self._batch = next(self._batches, None)
        return self._batch is not None

    def _part(self, which: int) -> list[NDArray]:
        if self._batch is None:
            raise GluonError("DataLoaderIter: no current batch; call iter_next() first")
        array = self._batch[which].astype(self.dtype)
        missing = self.getpad()
        if missing:
            rest = nd.zeros((missing, *array.shape[1:]), ctx=array.context, dtype=self.dtype)
            array = nd.concat(array, rest, dim=0)
        return [array]

    def getdata(self) -> list[NDArray]:
        """The data of this batch; an incomplete batch is padded with zeros.

        Returns
        -------
        list of NDArray
        """
        return self._part(0)

    def getlabel(self) -> list[NDArray]:
        """The labels of this batch; an incomplete batch is padded with zeros.

        Returns
        -------
        list of NDArray
        """
        return self._part(1)

    def getpad(self) -> int:
        """The number of padding samples at the end of this batch.

        Returns
        -------
        int
        """
        return self.batch_size - self._batch[0].shape[0]
