"""`split_data`, `split_and_load` and clipping, as in MXNet."""

from __future__ import annotations

import hashlib
import math
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

import gluon
from gluon import GluonError, nd, utils
from tests.nn.replay import assert_as_the_oracle


def test_results(monkeypatch):
    assert_as_the_oracle("helpers", monkeypatch)


def test_slices_share_memory_along_the_first_axis():
    x = nd.zeros((4, 2))
    utils.split_data(x, 2)[1][:] = 3
    assert x.asnumpy()[2:].tolist() == [[3, 3]] * 2


def test_uneven_batches():
    with pytest.raises(ValueError, match=r"5 samples .* \(5, 2\) do not divide into 2 .*even_spl"):
        utils.split_data(nd.ones((5, 2)), 2)
    parts = utils.split_and_load(np.ones((1, 2)), [gluon.cpu(0), gluon.cpu(1)], even_split=False)
    assert [part.shape for part in parts] == [(1, 2), (0, 2)]


def test_one_context_gets_the_batch_as_it_is():
    x = nd.ones((3, 2))
    assert utils.split_and_load(x, [gluon.cpu()])[0] is x


def test_clipping_spares_small_gradients():
    grad = nd.array([0.3, 0.4])
    assert utils.clip_global_norm([grad], 1) == pytest.approx(0.5)
    assert grad.asnumpy().tolist() == pytest.approx([0.3, 0.4])


def test_clipping_warns_of_what_is_not_finite():
    with pytest.warns(UserWarning, match="the norm is nan"):
        assert math.isnan(utils.clip_global_norm([nd.array([math.nan])], 1))
    with pytest.raises(ValueError, match="at least one array"):
        utils.clip_global_norm([], 1)


def test_clipping_takes_every_floating_dtype_and_several_contexts():
    half = nd.array([300, 400], dtype="float16", ctx=gluon.cpu(1))
    double = nd.array([1200], dtype="float64")
    assert utils.clip_global_norm([half, double], 1300) == 1300
    assert utils.clip_global_norm([half, double], 13) == pytest.approx(1300)
    assert (half.dtype, double.dtype) == (np.float16, np.float64)
    assert [*half.tolist(), *double.tolist()] == pytest.approx([3, 4, 12], rel=1e-3)
    for wrong in (nd.array([3], dtype="int32"), [3.0]):
        with pytest.raises(TypeError, match="clip_global_norm takes NDArrays of floating dtype"):
            utils.clip_global_norm([wrong], 1)


def test_a_handle_of_a_hook():
    hooks: dict = {}
    one, two = utils.HookHandle(), utils.HookHandle()
    one.detach()
    one.attach(hooks, "a hook")
    two.attach(hooks, "a hook")
    with pytest.raises(GluonError, match="has a hook already"):
        one.attach(hooks, "another")
    one.detach()
    one.detach()
    assert list(hooks.values()) == ["a hook"]


# ------------------------------------------------------------------------------------ files

CONTENT = b"weights"
SHA1 = hashlib.sha1(CONTENT).hexdigest()


@pytest.fixture
def server():
    """The address of a local server, which announces more bytes of ``short`` than it sends."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.path)
            if self.path == "/late" and len(requests) < 3:
                self.send_error(503)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(CONTENT) + (self.path == "/short")))
            self.end_headers()
            self.wfile.write(CONTENT)

        def log_message(self, *args):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}", requests
        running.shutdown()
        thread.join()


def test_a_file_is_fetched_once(server, tmp_path):
    url, requests = server
    folder = tmp_path / "some" / "folder"
    for _ in range(2):
        path = utils.download(f"{url}/a.params", str(folder / "b.params"), sha1_hash=SHA1)
        assert path == str(folder / "b.params")
    assert utils.check_sha1(path, SHA1)
    assert requests == ["/a.params"]
    assert utils.download(f"{url}/a.params", str(folder)) == str(folder / "a.params")
    utils.download(f"{url}/a.params", path, overwrite=True)
    (folder / "b.params").write_bytes(b"damaged")
    utils.download(f"{url}/a.params", path, sha1_hash=SHA1)
    assert len(requests) == 4
    assert sorted(one.name for one in folder.iterdir()) == ["a.params", "b.params"]


def test_fetching_is_tried_again(server, tmp_path):
    url, requests = server
    utils.download(f"{url}/late", str(tmp_path), retries=2)
    assert len(requests) == 3
    assert (tmp_path / "late").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("name", "sha1", "reason"),
    [
        ("short", None, "received 7 of 8 bytes"),
        ("a", "0" * 40, "the downloaded file has another SHA-1"),
    ],
)
def test_what_is_not_whole_is_not_kept(server, tmp_path, name, sha1, reason):
    with pytest.raises(utils.DownloadError, match=reason):
        utils.download(f"{server[0]}/{name}", str(tmp_path), sha1_hash=sha1, retries=0)
    assert list(tmp_path.iterdir()) == []


def test_without_a_network_the_message_says_what_to_put_where(tmp_path):
    url, path = "http://127.0.0.1:9/a.params", str(tmp_path / "a.params")
    with pytest.raises(GluonError, match=rf"cannot fetch {url} .*put it at {path} .*{SHA1}.*again"):
        utils.download(url, path, sha1_hash=SHA1, retries=1)
    with pytest.raises(OSError, match="unknown url type"):
        utils.download("a.params", path)
    (tmp_path / "a.params").write_bytes(CONTENT)
    assert utils.download(url, path, sha1_hash=SHA1) == path


def test_files_that_cannot_be_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in (None, str(tmp_path)):
        with pytest.raises(ValueError, match="names no file; pass path="):
            utils.download("http://127.0.0.1:9/", path)
    with pytest.raises(ValueError, match="retries must be at least 0, got -1"):
        utils.download("http://127.0.0.1:9/a", retries=-1)
    source = tmp_path / "b"
    source.write_bytes(CONTENT)
    assert utils.download(source.as_uri(), "c", overwrite=True) == "c"


def test_unproven_servers_are_warned_of(server, tmp_path):
    with pytest.warns(UserWarning, match="verify_ssl=False"):
        utils.download(f"{server[0]}/a", str(tmp_path), verify_ssl=False)


@pytest.mark.parametrize("make", [nd.array, gluon.np.array])
def test_values_are_clipped(make):
    grads = [make([3.0, -0.5, np.nan]), make([[-4.0]]).astype("float16")]
    view = grads[0][:2]
    utils.clip_by_value(grads, 1)
    np.testing.assert_array_equal(grads[0].asnumpy(), [1, -0.5, np.nan])
    assert (grads[1].tolist(), grads[1].dtype, view.tolist()) == ([[-1]], np.float16, [1, -0.5])
    with pytest.raises(ValueError, match="clip_by_value: give at least one"):
        utils.clip_by_value([], 1)
    with pytest.raises(TypeError, match="clip_by_value takes NDArrays of floating"):
        utils.clip_by_value([make([1]).astype("int32")], 1)
    with pytest.raises(ValueError, match="max_value=-1"):
        utils.clip_by_value(grads, -1)
