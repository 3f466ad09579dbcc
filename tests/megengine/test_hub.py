"""``megengine.hub`` loads what lies in the cache, and says what to put there."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

import gluon.megengine
from gluon.megengine import module as M

HUBCONF = Path(__file__).with_name("scripts").joinpath("hubconf.py").read_text()


@pytest.fixture
def hub(tmp_path, monkeypatch):
    monkeypatch.setenv("MGE_HOME", str(tmp_path))
    with gluon.megengine.installed():
        import megengine

        yield megengine.hub


def cached(hub, tmp_path, needed="[]", info="me/net:main"):
    """Put a repository where it is looked for."""
    from megengine.hub import fetcher

    (tmp_path / "hub").mkdir(exist_ok=True)
    with pytest.raises(fetcher.GitPullError, match="runs no git") as raised:
        hub.list(info, protocol="SSH", use_cache=False)
    folder = Path(str(raised.value).split("into '")[1].split("'")[0])
    folder.mkdir()
    (folder / "hubconf.py").write_text(HUBCONF.replace("[]", needed))
    (folder / "helper.py").write_text("BASE = 7")
    return folder


def test_a_repository_in_the_cache(hub, tmp_path):
    cached(hub, tmp_path)
    assert hub.list("me/net:main") == ["made"]
    assert hub.load("me/net:main", "made", size=3) == 21
    assert hub.help("me/net:main", "made") == "A number."
    assert hub.import_module("me/net:main", "github.com").number == 3
    with pytest.raises(RuntimeError, match="has no function 'number'"):
        hub.load("me/net:main", "number")


def test_a_repository_that_needs_more(hub, tmp_path):
    cached(hub, tmp_path, "['os', 'nothing_of_this_name']")
    with pytest.raises(RuntimeError, match="needs nothing_of_this_name; install"):
        hub.load("me/net:main", "made")


def test_what_is_refused(hub):
    from megengine.hub import exceptions

    with pytest.raises(exceptions.InvalidRepo, match="owner/name:branch"):
        hub.list("net")
    with pytest.raises(exceptions.InvalidGitHost, match="not the name of a host"):
        hub.list("me/net", git_host="a_b")
    with pytest.raises(exceptions.InvalidProtocol, match="HTTPS, SSH"):
        hub.list("me/net", protocol="FTP")


def test_an_archive_is_unpacked(hub, tmp_path, monkeypatch):
    from megengine.hub.fetcher import GitHTTPSFetcher

    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("net-main/hubconf.py", "def one(): return 1")
    monkeypatch.setattr(GitHTTPSFetcher, "_git_archive_link", lambda *args: path.as_uri())
    assert hub.load("me/net", "one") == 1
    path.unlink()
    assert hub.load("me/net", "one") == 1
    with pytest.raises(RuntimeError, match="put the repository into"):
        hub.load("me/net", "one", use_cache=False)


def test_parameters_at_an_address(hub, tmp_path):
    import megengine
    from megengine.utils.http_download import HTTPDownloadError, download_from_url

    net = M.Linear(2, 3)
    path = tmp_path / "net.pkl"
    megengine.save(net.state_dict(), str(path))
    make = hub.pretrained(path.as_uri())(lambda: M.Linear(2, 3))
    assert (make(pretrained=True).weight.numpy() == net.weight.numpy()).all()
    assert make().weight.shape == (3, 2)
    assert len(download_from_url(path.as_uri(), str(tmp_path / "copy"))) == 32
    assert os.path.exists(tmp_path / "copy")
    with pytest.raises(HTTPDownloadError):
        download_from_url((tmp_path / "nothing").as_uri(), str(tmp_path / "copy"))
