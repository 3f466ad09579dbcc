"""Tensors and values sent between two processes by MegEngine's functions."""

import megengine as mge
import megengine.distributed as dist
import megengine.functional as F
import numpy as np
from megengine.autodiff import GradManager

rank, size = dist.get_rank(), dist.get_world_size()
other, data = 1 - rank, np.arange(3, dtype="float32")


def gradient(compute):
    """The gradient of what `compute` gives of a tensor of this rank, where it gives something."""
    x = mge.Parameter(data + 1 + rank)
    gm = GradManager().attach([x])
    with gm:
        y = compute(x)
        gm.backward() if y is None else gm.backward(y)
    return None if x.grad is None else x.grad.numpy().tolist()


def sent_and_back(x):
    if rank == 0:
        F.distributed.remote_send(x * 2, 1)
        return (F.distributed.remote_recv(1) * x).sum()
    F.distributed.remote_send(F.distributed.remote_recv(0) * x, 0)
    return None


# Rank 0 gets 2 x0 x1 and multiplies it by x0: the slopes of 2 x0 x0 x1.
x0, x1 = data + 1, data + 2
right = [4 * x0 * x1, 2 * x0 * x0][rank]
assert gradient(sent_and_back) == right.tolist()
# A tensor that nobody differentiates.
if rank == 0:
    F.distributed.remote_send(mge.Tensor([[7]]), 1)
else:
    found = F.distributed.remote_recv(0)
    assert found.numpy().tolist() == [[7]]
    assert found.dtype == np.int32

# The root of each group gets or gives; results and gradients.
for ranks in ([0, 1], [1, 0]):
    group = dist.new_group(ranks)
    assert (group.proc_ranks, group.key) == (ranks, ",".join(map(str, ranks)))

    def summed(x, group=group):
        y = F.distributed.reduce_sum(x * x, group)
        assert (y is None) == (group.rank > 0)
        return None if y is None else (y * y).sum()

    total = x0 * x0 + x1 * x1
    np.testing.assert_allclose(gradient(summed), 4 * total * [x0, x1][rank], rtol=1e-5)

    def gathered(x, group=group):
        y = F.distributed.gather(x * x, group)
        return None if y is None else (y * mge.Tensor(np.arange(6.0, dtype="float32"))).sum()

    weights = np.arange(6.0)[3 * group.rank : 3 * group.rank + 3]
    assert gradient(gathered) == (2 * [x0, x1][rank] * weights).tolist()

    def given(x, group=group):
        root = group.rank == 0
        y = F.distributed.broadcast(x if root else None, group) * x
        part = F.distributed.scatter(F.concat([x, x]) if root else None, group)
        assert part.shape == (3,)
        return (y * y).sum() + (part * (1 + group.rank)).sum()

    root, mine = [x0, x1][ranks[0]], [x0, x1][rank]
    right = 2 * root * root * mine
    if group.rank == 0:
        right = right + 2 * root * (x0 * x0 + x1 * x1) + 3
    np.testing.assert_allclose(gradient(given), right, rtol=1e-5)
    for method, divisor in (("SUM", 1), ("mean", 2)):
        w = mge.Parameter(x0)
        gm = GradManager().attach([w], callbacks=dist.make_allreduce_cb(method, group))
        with gm:
            gm.backward((w * (rank + 1)).sum())
        assert w.grad.numpy().tolist() == [3 / divisor] * 3
    everyone = F.distributed.all_gather(mge.Tensor([rank]), group).numpy()
    assert everyone.tolist() == ranks
    dist.group_barrier(group)

alone = dist.new_group([rank])
gm = GradManager().attach([w], callbacks=dist.make_allreduce_cb("SUM", alone))
with gm:
    gm.backward((w * (rank + 1)).sum())
assert w.grad.numpy().tolist() == [1.5 + rank + 1] * 3

# Values by keys.
client = dist.get_client()
client.user_set(f"from {rank}", {"rank": rank, "losses": [0.5, None]})
assert client.user_get(f"from {other}") == {"rank": other, "losses": [0.5, None]}
client.group_barrier("here", size)
client.group_barrier("here", size)
if rank == 0:
    assert client.user_pop("from 1")["rank"] == 1
    client.set_is_grad("x", True)
else:
    assert client.check_is_grad("x") is True
for k in range(3):
    assert client.bcast_val(k if rank else None, "epoch", size) == k
assert dist.get_py_server_addr()[1] > 0
tensor = mge.Tensor([float(rank)])
dist.bcast_list_([tensor])
assert tensor.item() == 0
assert dist.synchronized(lambda: rank)() == rank
dist.group_barrier()
print("fine")
