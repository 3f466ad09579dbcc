"""Data sets, transforms and a loader with workers."""

import mxnet as mx
import numpy as np
from mxnet import gluon
from mxnet.gluon.data.vision import transforms


class Squares(gluon.data.Dataset):
    def __init__(self, count):
        self._count = count

    def __len__(self):
        return self._count

    def __getitem__(self, idx):
        image = np.full((4, 5, 3), idx * 10, dtype=np.uint8)
        return mx.nd.array(image, dtype="uint8"), np.float32(idx**2)


def shown(loader):
    for images, labels in loader:
        print(images.shape, images.dtype.__name__, labels.asnumpy().tolist())
        print("%.4f" % images.mean().asscalar())


if __name__ == "__main__":
    transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.5, 0.25)])
    dataset = Squares(10).transform_first(transform)
    shown(gluon.data.DataLoader(dataset, batch_size=4, num_workers=2))
    shown(gluon.data.DataLoader(dataset, batch_size=4, last_batch="discard"))
    simple = gluon.data.SimpleDataset(list(range(7))).transform(lambda x: x + 0.5)
    for batch in gluon.data.DataLoader(simple, batch_size=3, last_batch="rollover"):
        print(batch)
