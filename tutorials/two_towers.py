# %% [markdown]
# # A recommender with two towers and a million items
#
# A shop has a million items and wants to show each customer those that fit. One network, the
# first tower, turns a customer into a vector; a second tower turns an item into a vector. An item
# fits a customer if the dot product of the two vectors is large. Both towers begin with an
# `Embedding`, a table with a row for each customer or item. A batch uses a few hundred of a
# million rows: with `sparse_grad=True`, gradients store only these rows, and the optimizer
# changes no others. We train in this way, and then compare a step with one that has dense
# gradients.

# %%
import tracemalloc
from time import perf_counter

import numpy as np
from matplotlib import pyplot as plt
from tqdm import tqdm

import gluon
from gluon import autograd, nd, nn

gluon.random.seed(0)
rng = np.random.default_rng(0)

# %% [markdown]
# ## Data
#
# The purchases are synthetic. Each item belongs to one of 20 topics, and each customer likes
# three of them. For each purchase, a customer takes one of these topics, and an item of this
# topic: as in most shops, a few items are bought very often and most of them hardly ever. The
# numbers of items are in random order, so a number says nothing about the topic of its item. We
# keep the last purchase of each customer for the test.

# %%
ITEMS, CUSTOMERS, TOPICS, EACH = 1_000_000, 10_000, 20, 40

likes = rng.integers(TOPICS, size=(CUSTOMERS, 3))
topics = likes[np.arange(CUSTOMERS)[:, None], rng.integers(3, size=(CUSTOMERS, EACH))]
ranks = (ITEMS // TOPICS) ** rng.random((CUSTOMERS, EACH)) ** 2  # popular items have low ranks
numbers = rng.permutation(ITEMS)
bought = numbers[topics * (ITEMS // TOPICS) + ranks.astype(int) - 1]
customers = np.repeat(np.arange(CUSTOMERS), EACH - 1)
items = bought[:, :-1].ravel()
print(f"{len(items):,} purchases of {len(np.unique(items)):,} different items for training")

# %% [markdown]
# ## Two towers
#
# Each tower is a table and a layer. The table of items has 32 million numbers.

# %%
WIDTH = 32


class Tower(nn.HybridSequential):
    def __init__(self, rows: int, sparse_grad: bool) -> None:
        super().__init__()
        start = gluon.init.Normal(0.1)
        table = nn.Embedding(rows, WIDTH, weight_initializer=start, sparse_grad=sparse_grad)
        self.add(table, nn.Dense(WIDTH))


class TwoTowers(nn.Block):
    def __init__(self, sparse_grad: bool) -> None:
        super().__init__()
        self.customer = Tower(CUSTOMERS, sparse_grad)
        self.item = Tower(ITEMS, sparse_grad)

    def forward(self, customers: nd.NDArray, items: nd.NDArray) -> nd.NDArray:
        """Return how well each item fits each customer."""
        return nd.dot(self.customer(customers), self.item(items), transpose_b=True)


# %% [markdown]
# ## Training
#
# A batch has 512 purchases. For each customer, the item that was bought is the right answer, and
# the items of the other purchases are wrong ones: the loss is the cross entropy of this choice.
# Adam keeps two running means for each number of the tables. It updates lazily: rows that a batch
# does not use stay as they are, and so do their means.

# %%
EPOCHS, BATCH = 3, 512
choice = gluon.loss.SoftmaxCrossEntropyLoss()
answers = nd.arange(BATCH)


def made(sparse_grad: bool) -> tuple[TwoTowers, gluon.Trainer]:
    model = TwoTowers(sparse_grad)
    model.initialize(gluon.init.Xavier())
    return model, gluon.Trainer(model.collect_params(), "adam", {"learning_rate": 0.005})


def step(model: TwoTowers, trainer: gluon.Trainer, places: np.ndarray) -> float:
    """Train on one batch, and return its loss."""
    with autograd.record():
        scores = model(nd.array(customers[places]), nd.array(items[places]))
        loss = choice(scores, answers).mean()
    loss.backward()
    trainer.step(batch_size=1)
    return float(loss.asscalar())


def batches() -> np.ndarray:
    """Return the places of the purchases of each batch, in random order."""
    count = len(items) // BATCH
    return rng.permutation(len(items))[: count * BATCH].reshape(count, BATCH)


# %% [markdown]
# ## The test
#
# For each customer, we hide the item of the last purchase among 99 items that other customers
# bought. How often is this item among the ten that fit best? A random choice reaches 10 %. Even
# somebody who knows the topics of all items and all customers can only guess among the offered
# items of the right topics.

# %%
tested = rng.permutation(CUSTOMERS)[:2000]
offered = np.concatenate([bought[tested, -1:], rng.choice(items, (len(tested), 99))], axis=1)


def found(model: TwoTowers) -> float:
    """Return how often, in percent, the item is among the best ten."""
    people = model.customer(nd.array(tested)).expand_dims(axis=1)
    things = model.item(nd.array(offered.ravel())).reshape(people.shape[0], 100, WIDTH)
    scores = (people * things).sum(axis=2).asnumpy()
    rank = (scores >= scores[:, :1]).sum(axis=1)
    return 100 * float((rank <= 10).mean())


topic = np.argsort(numbers) // (ITEMS // TOPICS)
liked = (topic[offered][:, :, None] == likes[tested][:, None]).any(axis=2).sum(axis=1)
best = 100 * float(np.minimum(1, 10 / liked).mean())

model, trainer = made(sparse_grad=True)
losses, hits = [], [found(model)]
for _ in tqdm(range(EPOCHS), desc="epochs", mininterval=2):
    losses.append(np.mean([step(model, trainer, places) for places in batches()]))
    hits.append(found(model))
print(f"among the best ten: {hits[0]:.1f}% before training, {hits[-1]:.1f}% after it")
print(f"for who knows topics and customers: {best:.1f}%")
assert hits[-1] > 40

# %% [markdown]
# ## Compared with dense gradients
#
# We run the same step with both kinds of gradients. We measure the shortest time of some steps,
# and the most memory that a step takes in addition to the model, the gradients that stay and the
# means of Adam. A dense gradient of the table of items alone has 128 MB, most of it zeros; and
# the optimizer reads and writes a million rows where a thousand would do.


# %%
def cost(sparse_grad: bool) -> tuple[float, float, float]:
    """Return the milliseconds and megabytes of a step, and the size of the gradient."""
    model, trainer = made(sparse_grad)
    first, *others, last = batches()[:22]
    step(model, trainer, first)
    times = []
    for places in others:
        start = perf_counter()
        step(model, trainer, places)
        times.append(perf_counter() - start)
    tracemalloc.start()
    step(model, trainer, last)
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    grad = model.item[0].weight.grad()
    values = grad.data.size + 2 * grad.indices.size if sparse_grad else grad.size
    return 1e3 * min(times), memory / 1e6, 4 * values / 1e6


costs = {"sparse": cost(sparse_grad=True), "dense": cost(sparse_grad=False)}
print("gradients  ms a step  MB a step  MB of the gradient of the items")
for kind, row in costs.items():
    print(f"{kind:<9}" + "{:>11.1f}{:>11.1f}{:>12.2f}".format(*row))

# %% [markdown]
# ## Plot
#
# Left: the loss. Middle: how often the item is among the best ten. Right: the time and the memory
# of a step, and the size of the gradient, on a logarithmic axis.

# %%
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 3.8), layout="constrained")
left.plot(range(1, EPOCHS + 1), losses, "o-", color="#d1692b")
left.set(xlabel="epoch", ylabel="loss", title="Cross entropy, training")
middle.plot(range(EPOCHS + 1), hits, "o-", color="#2a78b5")
middle.axhline(best, color="0.5", lw=1.2, label="for who knows topics and customers")
middle.axhline(10, color="0.5", ls="--", lw=1.2, label="by chance")
middle.set(xlabel="epoch", ylabel="%", ylim=(0, 100), title="Among the best ten of a hundred")
middle.legend(frameon=False)
names = ["ms a step", "MB a step", "MB of the gradient"]
for k, (kind, colour) in enumerate({"sparse": "#2a8f47", "dense": "0.6"}.items()):
    places = np.arange(len(names)) + 0.38 * k
    right.bar(places, costs[kind], 0.36, color=colour, label=f"{kind} gradients")
right.set_xticks(np.arange(len(names)) + 0.19, names)
right.set(yscale="log", title="What a step takes")
right.legend(frameon=False)
for axes in (left, middle, right):
    axes.spines[["top", "right"]].set_visible(False)
figure.savefig("two_towers.png", dpi=120)
plt.show()
