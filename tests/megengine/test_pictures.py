"""Image datasets read the same data as MegEngine's."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import gluon.megengine
from gluon import recordio
from gluon.megengine.data.vision import ImageFolder
from tests.megengine.pictures import CASES, outcome

GIVEN = json.loads(
    (Path(__file__).resolve().parents[2] / "recorded" / "megengine_pictures.json").read_text()
)


@pytest.mark.parametrize("name", CASES)
def test_what_is_read_is_what_megengine_reads(name):
    with gluon.megengine.installed():
        assert json.loads(json.dumps(outcome(name))) == GIVEN[name]


def test_pictures_of_a_folder_are_blue_before_red(tmp_path):
    pytest.importorskip("PIL")
    (tmp_path / "a").mkdir()
    picture = np.arange(2 * 3 * 3).reshape(2, 3, 3).astype("uint8")
    header = recordio.IRHeader(0, 1, 0, 0)
    content = recordio.unpack(recordio.pack_img(header, picture, 9, ".png"))[1]
    (tmp_path / "a" / "one.png").write_bytes(content)
    found, label = ImageFolder(str(tmp_path))[0]
    assert label == 0
    np.testing.assert_array_equal(found, picture)
