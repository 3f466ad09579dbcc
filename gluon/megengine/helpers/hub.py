"""``megengine.hub`` and ``utils.http_download``: models from repositories in the cache.

A missing repository is downloaded as an archive. Without a network, the error names the folder to
put it in.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from types import ModuleType
from typing import Any
from urllib.parse import urlparse
from zipfile import ZipFile

from ..._core.errors import GluonError
from ...utils import DownloadError, download
from ..data.vision import calculate_md5
from ..serialization import load as _mge_load_serialized


class FetcherError(GluonError):
    """Fetching a repository failed."""


class InvalidRepo(FetcherError):
    """The name of a repository is not of the form ``owner/name:branch``."""


class InvalidGitHost(FetcherError):
    """The name of a host is invalid."""


class InvalidProtocol(FetcherError):
    """The protocol is unknown."""


class GitPullError(FetcherError):
    """Pulling a repository failed."""


class GitCheckoutError(FetcherError):
    """The repository lacks the commit."""


def download_from_url(url: str, dst: str) -> str:
    """Download `url` to the file `dst`, and return the MD5 sum."""
    return calculate_md5(download(url, os.path.expanduser(dst), overwrite=True))


@contextmanager
def cd(target: str) -> Iterator[None]:
    """Context manager that changes the current folder."""
    before = os.getcwd()
    os.chdir(os.path.expanduser(target))
    try:
        yield
    finally:
        os.chdir(before)


def check_module_exists(module: str) -> bool:
    """Whether a module can be imported."""
    return importlib.util.find_spec(module) is not None


def load_module(name: str, path: str) -> ModuleType:
    """Import a file as a module."""
    spec: Any = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


#: The prefix of folder names in the cache, as in MegEngine 1.13.
VERSION = "1_13_0"
#: The name of a host.
pattern = re.compile(r"(?:[a-z0-9](?:[a-z0-9-_]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-_]{0,61}[a-z]")


class RepoFetcherBase:
    """Parses the names of repositories and finds their folders."""

    @classmethod
    def fetch(
        cls,
        git_host: str,
        repo_info: str,
        use_cache: bool = False,
        commit: str | None = None,
        silent: bool = True,
    ) -> str:
        """Fetch a repository into the current folder, and return the name of its folder.

        Parameters
        ----------
        git_host : str
        repo_info : str
            ``owner/name:branch``, the branch is optional.
        use_cache : bool, default False
            Use the copy in the cache.
        commit : str, optional
        silent : bool
            Ignored.
        """
        if not cls._check_git_host(git_host):
            raise InvalidGitHost(f"hub: git_host={git_host!r} is not the name of a host")
        owner, name, branch = cls._parse_repo_info(repo_info)
        parts = [owner, name, branch.replace("/", "_"), *([commit] if commit else [])]
        folder = f"{VERSION}_{cls._gen_repo_dir('_'.join(parts))}"
        if not (use_cache and os.path.exists(folder)):
            cls._fetched(git_host, owner, name, commit or branch, folder)
        return folder

    @classmethod
    def _fetched(cls, host: str, owner: str, name: str, branch: str, folder: str) -> None:
        raise NotImplementedError

    @classmethod
    def _parse_repo_info(cls, repo_info: str) -> tuple[str, str, str]:
        found = re.fullmatch(r"([^/:]*)/([^/:]*)(?::([^:]*))?", repo_info)
        if found is None:
            raise InvalidRepo(f"hub: repo_info={repo_info!r} must be 'owner/name:branch'")
        owner, name, branch = found.groups()
        return owner, name, "master" if branch is None else branch

    @classmethod
    def _check_git_host(cls, git_host: str) -> bool:
        return cls._is_valid_domain(git_host) or cls._is_valid_host(git_host)

    @classmethod
    def _is_valid_domain(cls, s: str) -> bool:
        try:
            return pattern.fullmatch(s.encode("idna").decode("ascii")) is not None
        except UnicodeError:
            return False

    @classmethod
    def _is_valid_host(cls, s: str) -> bool:
        numbers = s.split(".")
        return len(numbers) == 4 and all(one.isdigit() and int(one) < 256 for one in numbers)

    @classmethod
    def _gen_repo_dir(cls, repo_dir: str) -> str:
        return hashlib.sha1(repo_dir.encode(), usedforsecurity=False).hexdigest()[:16]


class GitHTTPSFetcher(RepoFetcherBase):
    """Fetches a repository as an archive."""

    @classmethod
    def _git_archive_link(
        cls, git_host: str, repo_owner: str, repo_name: str, branch_info: str, commit: str | None
    ) -> str:
        return f"https://{git_host}/{repo_owner}/{repo_name}/archive/{commit or branch_info}.zip"

    @classmethod
    def _fetched(cls, host: str, owner: str, name: str, branch: str, folder: str) -> None:
        url = cls._git_archive_link(host, owner, name, branch, None)
        try:
            cls._download_zip_and_extract(url, folder)
        except DownloadError as error:
            place = os.path.join(os.getcwd(), folder)
            raise GitPullError(
                f"hub: {url} cannot be fetched; put the repository into {place!r} and pass"
                " use_cache=True"
            ) from error

    @classmethod
    def _download_zip_and_extract(cls, url: str, target_dir: str) -> None:
        with tempfile.TemporaryDirectory() as place:
            path = download(url, os.path.join(place, "repository.zip"), retries=0)
            with ZipFile(path) as archive:
                first = archive.namelist()[0].split("/")[0]
                archive.extractall(place)
            shutil.rmtree(target_dir, ignore_errors=True)
            shutil.move(os.path.join(place, first), target_dir)


class GitSSHFetcher(RepoFetcherBase):
    """Finds repositories in the cache; gluon runs no git."""

    @classmethod
    def _fetched(cls, host: str, owner: str, name: str, branch: str, folder: str) -> None:
        place = os.path.join(os.getcwd(), folder)
        raise GitPullError(
            "hub: gluon runs no git; pass protocol='HTTPS', or clone the branch"
            f" {branch!r} of git@{host}:{owner}/{name}.git into {place!r} and pass use_cache=True"
        )


PROTOCOLS = {"HTTPS": GitHTTPSFetcher, "SSH": GitSSHFetcher}


def _get_megengine_home() -> str:
    """Return the cache folder: ``MGE_HOME``, or ``megengine`` in the cache of the user."""
    cache = os.getenv("XDG_CACHE_HOME", "~/.cache")
    return os.path.expanduser(os.getenv("MGE_HOME", os.path.join(cache, "megengine")))


def _get_repo(
    git_host: str,
    repo_info: str,
    use_cache: bool = False,
    commit: str | None = None,
    protocol: str = "HTTPS",
) -> str:
    """Return the folder of a repository."""
    if protocol not in PROTOCOLS:
        raise InvalidProtocol(f"hub: protocol={protocol!r} must be one of {', '.join(PROTOCOLS)}")
    cache = os.path.join(_get_megengine_home(), "hub")
    with cd(cache):
        return os.path.join(
            cache, PROTOCOLS[protocol].fetch(git_host, repo_info, use_cache, commit)
        )


def _check_dependencies(module: ModuleType) -> None:
    """Raise an error that names the missing dependencies of `module`."""
    needed = getattr(module, "dependencies", None) or []
    if missing := [one for one in needed if not check_module_exists(one)]:
        raise GluonError(f"hub: the repository needs {', '.join(missing)}; install them first")


def _init_hub(
    repo_info: str,
    git_host: str,
    use_cache: bool = True,
    commit: str | None = None,
    protocol: str = "HTTPS",
) -> ModuleType:
    """Import ``hubconf.py`` of a repository."""
    os.makedirs(os.path.join(_get_megengine_home(), "hub"), exist_ok=True)
    folder = _get_repo(git_host, repo_info, use_cache, commit, protocol)
    sys.path.insert(0, folder)
    try:
        return load_module("hubconf.py", os.path.join(folder, "hubconf.py"))
    finally:
        sys.path.remove(folder)


def import_module(*args: Any, **kwargs: Any) -> ModuleType:
    """Import ``hubconf.py`` of a repository ``owner/name:branch``."""
    return _init_hub(*args, **kwargs)


def _entry(module: ModuleType, entry: str) -> Callable[..., Any]:
    found = getattr(module, entry, None)
    if not callable(found):
        raise GluonError(f"hub: hubconf.py has no function {entry!r}; hub.list lists its functions")
    return found


def list(  # noqa: A001, RUF100
    repo_info: str,
    git_host: str = "github.com",
    use_cache: bool = True,
    commit: str | None = None,
    protocol: str = "HTTPS",
) -> Sequence[str]:
    """List the functions that a repository offers."""
    module = _init_hub(repo_info, git_host, use_cache, commit, protocol)
    return [one for one in dir(module) if one[:2] != "__" and callable(getattr(module, one))]


def load(
    repo_info: str,
    entry: str,
    *args: Any,
    git_host: str = "github.com",
    use_cache: bool = True,
    commit: str | None = None,
    protocol: str = "HTTPS",
    **kwargs: Any,
) -> Any:
    """Call a function of a repository with `args` and `kwargs`."""
    module = _init_hub(repo_info, git_host, use_cache, commit, protocol)
    function = _entry(module, entry)
    _check_dependencies(module)
    return function(*args, **kwargs)


def help(  # noqa: A001, RUF100
    repo_info: str,
    entry: str,
    git_host: str = "github.com",
    use_cache: bool = True,
    commit: str | None = None,
    protocol: str = "HTTPS",
) -> str | None:
    """Return the docstring of a function of a repository."""
    return _entry(_init_hub(repo_info, git_host, use_cache, commit, protocol), entry).__doc__


def load_serialized_obj_from_url(url: str, model_dir: str | None = None) -> Any:
    """Load an object that `megengine.save` wrote; it is downloaded once."""
    folder = model_dir or os.path.join(_get_megengine_home(), "serialized")
    os.makedirs(folder, exist_ok=True)
    name = os.path.basename(urlparse(url).path)
    path = os.path.join(folder, f"{hashlib.sha256(url.encode()).hexdigest()[:6]}_{name}")
    return _mge_load_serialized(download(url, path))


class pretrained:
    """A decorator: with ``pretrained=True`` a function loads parameters from `url`."""

    def __init__(self, url: str) -> None:
        self.url = url

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate a function."""

        @wraps(func)
        def make(pretrained: bool = False, **kwargs: Any) -> Any:
            model = func(**kwargs)
            if pretrained:
                model.load_state_dict(load_serialized_obj_from_url(self.url))
            return model

        return make
