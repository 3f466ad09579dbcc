"""Work in processes of each kind."""

import multiprocessing
import sys

from mxnet import gluon, nd


class Numbers(gluon.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        from mxnet.gluon import nn  # imported in the worker

        assert nn is gluon.nn
        return nd.ones((2,)) * index


def work(number):
    import mxnet.gluon.nn

    return mxnet.__version__, float((nd.ones((2,)) * number).sum().asscalar())


if __name__ == "__main__":
    how = sys.argv[1]
    if how == "loader":
        multiprocessing.set_start_method(sys.argv[2])
        for batch in gluon.data.DataLoader(Numbers(), 2, num_workers=2):
            print(batch.asnumpy().tolist())
    else:
        with multiprocessing.get_context(how).Pool(2) as pool:
            print(pool.map(work, [1, 2]))
