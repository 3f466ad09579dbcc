"""Recommender systems: ratings, rankings, click-through rates."""

from __future__ import annotations

import os

from d2l import mxnet as d2l
from harness import Result, generator, program, redrawn_alike, reseed, settle
from mxnet import autograd, gluon, metric, np, npx
from mxnet.gluon import nn

USERS, ITEMS = 20, 20


def ratings() -> None:
    """Made-up ratings in the file format of those that d2l downloads."""
    rng = generator(41)
    likes = rng.normal(size=(USERS, 2)) @ rng.normal(size=(2, ITEMS))
    os.makedirs("ml-100k", exist_ok=True)
    with open("ml-100k/u.data", "w") as file:
        for time, (user, item) in enumerate(
            (user, item) for user in range(USERS) for item in range(ITEMS) if rng.rand() < 0.7
        ):
            score = int(min(max(round(3 + likes[user, item]), 1), 5))
            file.write(f"{user + 1}\t{item + 1}\t{score}\t{time}\n")
    d2l.download_extract = lambda *_: "ml-100k"


class MF(nn.Block):
    """Matrix factorisation with biases."""

    def __init__(self, num_factors, num_users, num_items, **kwargs):
        super().__init__(**kwargs)
        self.P = nn.Embedding(input_dim=num_users, output_dim=num_factors)
        self.Q = nn.Embedding(input_dim=num_items, output_dim=num_factors)
        self.user_bias = nn.Embedding(num_users, 1)
        self.item_bias = nn.Embedding(num_items, 1)

    def forward(self, user_id, item_id):
        P_u, Q_i = self.P(user_id), self.Q(item_id)
        b_u, b_i = self.user_bias(user_id), self.item_bias(item_id)
        return ((P_u * Q_i).sum(axis=1) + np.squeeze(b_u) + np.squeeze(b_i)).flatten()


def evaluator(net, test_iter, devices) -> float:
    """The root of the mean squared error, by a metric of gluon."""
    rmse, found = metric.RMSE(), []
    for batch in test_iter:
        u, i, r = (gluon.utils.split_and_load(x, devices, even_split=False) for x in batch)
        rmse.update(labels=r, preds=[net(a, b) for a, b in zip(u, i)])
        found.append(rmse.get()[1])
    return float(np.mean(np.array(found)))


@program("split_and_load_ml100k, train_recsys_rating: matrix factorisation")
def factorisation() -> Result:
    ratings()
    users, items, train_iter, test_iter = d2l.split_and_load_ml100k(
        "seq-aware", test_ratio=0.1, batch_size=32
    )
    net, devices = MF(4, users, items), [d2l.cpu()]
    redrawn_alike(net, np.array([0]), np.array([0]))
    before = evaluator(net, test_iter, devices)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.02, "wd": 1e-5})
    reseed()
    d2l.train_recsys_rating(
        net, train_iter, test_iter, gluon.loss.L2Loss(), trainer, 6, devices, evaluator
    )
    return Result(before, evaluator(net, test_iter, devices))


class PRDataset(gluon.data.Dataset):
    """Users, items that they rated, and items that they did not."""

    def __init__(self, users, items, candidates, num_items):
        self.users, self.items, self.cand = users, items, candidates
        self.all = set(range(num_items))

    def __len__(self):
        return len(self.users)

    def __getitem__(self, idx):
        neg_items = sorted(self.all - set(self.cand[int(self.users[idx])]))
        return self.users[idx], self.items[idx], neg_items[idx % len(neg_items)]


class NeuMF(nn.Block):
    """Matrix factorization combined with a perceptron."""

    def __init__(self, num_factors, num_users, num_items, nums_hiddens, **kwargs):
        super().__init__(**kwargs)
        self.P, self.Q = nn.Embedding(num_users, num_factors), nn.Embedding(num_items, num_factors)
        self.U, self.V = nn.Embedding(num_users, num_factors), nn.Embedding(num_items, num_factors)
        self.mlp = nn.Sequential()
        for num_hiddens in nums_hiddens:
            self.mlp.add(nn.Dense(num_hiddens, activation="relu", use_bias=True))
        self.prediction_layer = nn.Dense(1, activation="sigmoid", use_bias=False)

    def forward(self, user_id, item_id):
        gmf = self.P(user_id) * self.Q(item_id)
        mlp = self.mlp(np.concatenate([self.U(user_id), self.V(item_id)], axis=1))
        return self.prediction_layer(np.concatenate([gmf, mlp], axis=1))


@program("BPRLoss, HingeLossbRec, train_ranking, evaluate_ranking, hit_and_auc")
def ranking() -> Result:
    ratings()
    data, users, items = d2l.read_data_ml100k()
    train_data, test_data = d2l.split_data_ml100k(data, users, items, "seq-aware")
    train_u, train_i, _, candidates = d2l.load_data_ml100k(train_data, users, items, "implicit")
    _, _, _, test_iter = d2l.load_data_ml100k(test_data, users, items, "implicit")
    dataset = PRDataset(train_u, train_i, candidates, items)
    loader = gluon.data.DataLoader(dataset, 32, shuffle=True, last_batch="rollover")
    net, loss = NeuMF(4, users, items, [8, 8]), d2l.BPRLoss()
    redrawn_alike(net, np.array([0]), np.array([0]))
    hinge = d2l.HingeLossbRec()

    def total():
        parts = []
        for i in range(0, len(dataset), 32):
            user, seen, other = zip(*(dataset[j] for j in range(i, min(i + 32, len(dataset)))))
            user, seen, other = (np.array(part) for part in (user, seen, other))
            positive, negative = net(user, seen), net(user, other)
            assert float(hinge(positive, negative)) >= 0
            parts.append(float(loss(positive, negative).sum()))
        return sum(parts) / len(dataset)

    before = total()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.02})
    reseed()
    devices = [d2l.cpu()]
    d2l.train_ranking(
        *(net, loader, test_iter, loss, trainer, None, users, items, 4, devices),
        *(d2l.evaluate_ranking, candidates),
    )
    return Result(before, total())


@program("CTRDataset: a factorisation machine")
def clicks() -> Result:
    rng = generator(42)
    with open("ctr.csv", "w") as file:
        for _ in range(160):
            fields = rng.randint(0, 4, 5)
            file.write("\t".join(map(str, [int(fields[0] > 1), *fields])) + "\n")
    data = d2l.CTRDataset("ctr.csv", min_threshold=1, num_feat=5)
    # d2l numbers the values in the order of a set, which is another in each process.
    mapper = {i: {v: n for n, v in enumerate(sorted(seen))} for i, seen in data.feat_mapper.items()}
    data = d2l.CTRDataset("ctr.csv", mapper, data.defaults, num_feat=5)
    loader = gluon.data.DataLoader(data, 32, shuffle=True, last_batch="rollover")

    class FM(nn.Block):
        def __init__(self, field_dims, num_factors):
            super().__init__()
            num_inputs = int(sum(field_dims))
            self.embedding = nn.Embedding(num_inputs, num_factors)
            self.fc = nn.Embedding(num_inputs, 1)
            self.linear_layer = nn.Dense(1, use_bias=True)

        def forward(self, x):
            square_of_sum = np.sum(self.embedding(x), axis=1) ** 2
            sum_of_square = np.sum(self.embedding(x) ** 2, axis=1)
            x = self.linear_layer(self.fc(x).sum(1)) + 0.5 * (square_of_sum - sum_of_square).sum(
                1, keepdims=True
            )
            return npx.sigmoid(x)

    net, loss = FM(data.field_dims, 4), gluon.loss.SigmoidBinaryCrossEntropyLoss(from_sigmoid=True)
    net.initialize()
    features, labels = next(iter(gluon.data.DataLoader(data, len(data))))
    net(features)
    settle(net)

    def total():
        return float(loss(net(features), labels).mean())

    before = total()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.02})
    reseed()
    for _ in range(5):
        for x, y in loader:
            with autograd.record():
                value = loss(net(x), y)
            value.backward()
            trainer.step(x.shape[0])
    right = ((net(features) > 0.5).astype("float32") == labels.astype("float32")).astype("float32")
    return Result(before, total(), float(right.mean()))
