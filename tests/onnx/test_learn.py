"""Models of scikit-learn that skl2onnx wrote: they predict the same here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gluon import autograd, nd

pytest.importorskip("onnx")
convert = pytest.importorskip("skl2onnx").to_onnx
pytest.importorskip("sklearn")
from sklearn import decomposition, ensemble, naive_bayes, neighbors, preprocessing, svm, tree  # noqa: E402  # noqa: E402
from sklearn.impute import SimpleImputer  # noqa: E402
from sklearn.linear_model import LogisticRegression, Ridge  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402

from gluon import onnx  # noqa: E402

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(60, 4)).astype("float32")
SCORES = X @ DRAW.normal(size=(4, 3)) + 0.3 * X[:, :1] ** 2
CLASSES = SCORES.argmax(1)
LABELS = {"two": (CLASSES > 0) * 1, "three": CLASSES, "text": np.array(["a", "bb", "c"])[CLASSES]}


def loaded(model: Any, x: np.ndarray = X, **options: Any) -> Any:
    return onnx.import_to_gluon(convert(model, x[:1], **options).SerializeToString())


CLASSIFIERS = {
    "boosting": lambda: ensemble.GradientBoostingClassifier(n_estimators=4),
    "forest": lambda: ensemble.RandomForestClassifier(5, random_state=0),
    "tree": lambda: tree.DecisionTreeClassifier(max_depth=3),
    "neighbors": neighbors.KNeighborsClassifier,
    "bayes": naive_bayes.GaussianNB,
    "svc": lambda: svm.SVC(kernel="poly"),
    "pipeline": lambda: make_pipeline(
        SimpleImputer(),
        preprocessing.StandardScaler(),
        decomposition.PCA(3),
        LogisticRegression(),
    ),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_classifiers(kind, labels):
    model = CLASSIFIERS[kind]().fit(X, LABELS[labels])
    label, scores = loaded(model)(nd.array(X))  # with the ZipMap that skl2onnx adds
    assert label.asnumpy().tolist() == model.predict(X).tolist()
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(scores.asnumpy(), model.predict_proba(X), atol=1e-4)


@pytest.mark.filterwarnings("ignore")
def test_probabilities_of_support_vectors_and_their_gradients():
    model = svm.SVC(probability=True, random_state=0).fit(X, CLASSES)
    net = loaded(model, options={"zipmap": False})
    x = nd.array(X)
    x.attach_grad()
    with autograd.record(train_mode=False):
        _, scores = net(x)
        total = scores[:, 0].sum()
    total.backward()
    # scikit-learn stops the coupling of pairs of classes elsewhere.
    np.testing.assert_allclose(scores.asnumpy(), model.predict_proba(X), atol=5e-3)
    step = 1e-2 * np.eye(4, dtype="float32")[1]
    slope = (net(nd.array(X + step))[1] - net(nd.array(X - step))[1])[:, 0].asnumpy() / 2e-2
    assert np.median(abs(x.grad.asnumpy()[:, 1] - slope)) < 1e-3


REGRESSORS = {
    "boosting": lambda: ensemble.GradientBoostingRegressor(n_estimators=4),
    "forest": lambda: ensemble.RandomForestRegressor(5, random_state=0),
    "neighbors": neighbors.KNeighborsRegressor,
    "ridge": lambda: make_pipeline(preprocessing.PolynomialFeatures(2), Ridge()),
    "svr": svm.SVR,
}


@pytest.mark.parametrize("kind", REGRESSORS)
def test_regressors(kind):
    model = REGRESSORS[kind]().fit(X, SCORES[:, 0])
    y = loaded(model)(nd.array(X)).asnumpy()[:, 0]
    np.testing.assert_allclose(y, model.predict(X), rtol=1e-4, atol=1e-4)


def test_trees_have_zero_gradients():
    net = loaded(REGRESSORS["forest"]().fit(X, SCORES[:, 0]))
    x = nd.array(X)
    x.attach_grad()
    with autograd.record():
        total = (net(x) * x[:, :1]).sum()
    total.backward()
    np.testing.assert_allclose(x.grad.asnumpy()[:, 0], net(x).asnumpy()[:, 0], rtol=1e-6)
    assert not x.grad.asnumpy()[:, 1:].any()


def test_encoders_and_missing_values():
    codes = np.stack([CLASSES, LABELS["two"]], 1).astype("int64")
    for model in (
        preprocessing.OneHotEncoder(sparse_output=False),
        preprocessing.OrdinalEncoder(),
    ):
        right = model.fit_transform(codes)
        found = loaded(model, codes)(nd.array(codes, dtype="int64")).asnumpy()
        np.testing.assert_array_equal(found.reshape(right.shape), right)
    missing = X.copy()
    missing[3, 1] = np.nan
    model = SimpleImputer().fit(missing)
    found = loaded(model, missing)(nd.array(missing)).asnumpy()
    np.testing.assert_allclose(found, model.transform(missing), rtol=1e-6)
