"""What `ImageDetRecordIter` draws, and its errors."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import GluonError, io, recordio

pytest.importorskip("PIL")
HEIGHT, WIDTH = 100, 120
BOXES = np.array(
    [
        [0, 0.1, 0.1, 0.5, 0.6],
        [1, 0.4, 0.3, 0.9, 0.95],
        [2, 0.05, 0.7, 0.3, 0.9],
        [3, 0.6, 0.05, 0.95, 0.25],
    ],
    "float32",
)


@pytest.fixture
def write(tmp_path):
    """Writes a file of images that say in two channels where each of their pixels is."""

    def written(*labels: list) -> str:
        picture = np.full((HEIGHT, WIDTH, 3), 77, "uint8")
        picture[:, :, 2] = np.arange(WIDTH)
        picture[:, :, 1] = np.arange(HEIGHT)[:, None]
        path = str(tmp_path / "a.rec")
        file = recordio.MXRecordIO(path, "w")
        for k, label in enumerate(labels):
            file.write(recordio.pack_img(recordio.IRHeader(0, label, k, 0), picture, 9, ".png"))
        file.close()
        return path

    return written


@pytest.fixture
def drawn(write):
    """The images, without padding, and the objects that an augmentation makes of 40 images."""
    path = write(*[[2, 5, *BOXES.ravel()]] * 40)

    def augmented(**settings) -> list:
        given = {"data_shape": (3, 2 * HEIGHT, 2 * WIDTH), "batch_size": 20, "verbose": False}
        batches = io.ImageDetRecordIter(path_imgrec=path, **given, resize_mode="shrink", **settings)
        found = []
        for batch in batches:
            for x, label in zip(batch.data[0].asnumpy(), batch.label[0].asnumpy()):
                rows, columns, count = label[1:4].astype(int)
                found.append((x[:, :rows, :columns], label[6 : 4 + count].reshape(-1, 5)))
        assert len(found) == 40
        return found

    return augmented


def edges(picture: np.ndarray) -> np.ndarray:
    """Where in the whole image a crop lies: left, top, right and bottom."""
    left, top = picture[0, 0, 0], picture[1, 0, 0]
    rows, columns = picture.shape[1:]
    return np.array([left, top, left + columns, top + rows]) / [WIDTH, HEIGHT, WIDTH, HEIGHT]


def parts(box: np.ndarray) -> dict[str, np.ndarray]:
    """The area that each object shares with a crop, as parts of other areas."""
    high, low = np.minimum(box[2:], BOXES[:, 3:]), np.maximum(box[:2], BOXES[:, 1:3])
    shared = np.maximum(high - low, 0).prod(1)
    own, objects = np.prod(box[2:] - box[:2]), (BOXES[:, 3:] - BOXES[:, 1:3]).prod(1)
    centres = (BOXES[:, 1:3] + BOXES[:, 3:]) / 2
    return {
        "overlaps": shared / (own + objects - shared),
        "sample_coverages": shared / own,
        "object_coverages": shared / objects,
        "away": (np.abs(centres - (box[:2] + box[2:]) / 2) * 2 / (box[2:] - box[:2])).max(1),
    }


CROPS = {
    "rand_crop_prob": 1,
    "min_crop_scales": 0.3,
    "max_crop_scales": 0.9,
    "min_crop_aspect_ratios": 0.5,
    "max_crop_aspect_ratios": 2,
}


@pytest.mark.parametrize("mode", ["center", "overlap"])
def test_crops_keep_the_objects_in_them(drawn, mode):
    counts = set()
    for picture, objects in drawn(**CROPS, crop_emit_mode=mode, emit_overlap_thresh=0.4):
        box = edges(picture)
        size = box[2:] - box[:2]
        assert 0.28 < np.sqrt(size.prod()) < 0.92
        assert 0.45 < size[0] * WIDTH / (size[1] * HEIGHT) < 2.1
        part, kept = parts(box), np.isin(BOXES[:, 0], objects[:, 0])
        if mode == "center":
            assert (part["away"][kept] < 1.06).all()
            assert (part["away"][~kept] > 0.94).all()
        else:
            assert (part["object_coverages"][kept] > 0.36).all()
            assert (part["object_coverages"][~kept] < 0.44).all()
        wanted = (BOXES[kept, 1:] - np.tile(box[:2], 2)) / np.tile(size, 2)
        np.testing.assert_allclose(objects[:, 1:], wanted.clip(0, 1), atol=0.05)
        counts.add(len(objects))
    assert len(counts) > 2


@pytest.mark.parametrize("name", ["overlaps", "sample_coverages", "object_coverages"])
def test_one_object_is_within_the_limits_of_a_crop(drawn, name):
    limits = {f"min_crop_{name}": 0.4, f"max_crop_{name}": 0.6, "max_crop_trials": 500}
    for picture, _ in drawn(**CROPS, **limits):
        found = parts(edges(picture))[name]
        assert ((found > 0.36) & (found < 0.64)).any()


def test_samplers_have_limits_of_their_own(drawn):
    limits = {"min_crop_scales": (0.2, 0.8), "max_crop_scales": (0.3, 0.9), "num_crop_sampler": 2}
    pictures = drawn(**limits, rand_crop_prob=1, max_crop_trials=(100, 100))
    scales = np.array(
        [np.sqrt(one.shape[1] * one.shape[2] / HEIGHT / WIDTH) for one, _ in pictures]
    )
    assert (scales < 0.31).any()
    assert (scales > 0.78).any()
    assert not ((scales > 0.32) & (scales < 0.77)).any()


def test_borders_move_the_objects(drawn):
    sizes = set()
    for picture, objects in drawn(rand_pad_prob=1, max_pad_scale=1.9, fill_value=250):
        rows, columns = picture.shape[1:]
        inside = picture[0] != 250
        top, left = np.argwhere(inside)[0]
        assert inside.sum() == HEIGHT * WIDTH
        np.testing.assert_array_equal(picture[2][inside], 77)
        place = [left, top, left, top] + BOXES[:, 1:] * [WIDTH, HEIGHT, WIDTH, HEIGHT]
        wanted = place / [columns, rows, columns, rows]
        np.testing.assert_allclose(objects[:, 1:], wanted, atol=0.02)
        sizes.add(rows)
    assert min(sizes) >= HEIGHT
    assert len(sizes) > 10


def test_flips_are_as_likely_as_asked(drawn):
    flipped = [picture[0, 0, 0] > 0 for picture, _ in drawn(rand_mirror_prob=0.5)]
    assert 5 < sum(flipped) < 35
    assert not any(picture[0, 0, 0] for picture, _ in drawn())


def test_colours_change_and_boxes_do_not(drawn):
    plain = drawn()
    for name, limit in (("hue", 90), ("saturation", 90), ("illumination", 90), ("contrast", 0.9)):
        changed = drawn(**{f"max_random_{name}": limit, f"random_{name}_prob": 0.5})
        differs = [(a != b).any() for (a, _), (b, _) in zip(plain, changed)]
        assert 5 < sum(differs) < 35
        for (_, objects), (_, others) in zip(plain, changed):
            np.testing.assert_array_equal(objects, others)


def test_what_is_drawn_does_not_depend_on_the_threads(drawn):
    settings = {**CROPS, "rand_mirror_prob": 0.5, "rand_pad_prob": 0.5, "max_pad_scale": 1.5}
    settings |= {"shuffle": True, "max_random_hue": 9, "random_hue_prob": 0.5, "inter_method": 10}
    one, other = (drawn(**settings, preprocess_threads=n, prefetch_buffer=n) for n in (1, 5))
    for (a, b), (c, d) in zip(one, other):
        np.testing.assert_array_equal(a, c)
        np.testing.assert_array_equal(b, d)
    seeded = drawn(**settings, seed=1)
    assert any(a.shape != b.shape for (a, _), (b, _) in zip(one, seeded))


def test_every_image_keeps_its_label_with_several_threads(write):
    path = write(*[[2, 5, k, 0, 0, 0.5, 0.5] for k in range(23)])
    batches = io.ImageDetRecordIter(
        path_imgrec=path, data_shape=(3, 8, 8), batch_size=4, shuffle=True, round_batch=False
    )
    for _ in range(3):
        found = [label[6] for batch in batches for label in batch.label[0].asnumpy()]
        assert {*found} == set(range(23))
        batches.reset()


GOOD = [2, 5, *BOXES[0]]
WRONG = [
    ([[1.0]], {}, GluonError, "image 0 .* has the labels"),
    ([GOOD, [2, 4, 1, 0, 0, 1, 1]], {}, GluonError, "image 1 .*at least 5"),
    ([[*GOOD, 1]], {}, GluonError, "8 labels: after a header of 2 .* of 5 values"),
    ([[9, 5, *BOXES[0]]], {}, GluonError, "has 7 labels: after a header of 9"),
    ([GOOD, [*GOOD, *BOXES[1]]], {"label_width": 7}, GluonError, "has 12 labels, and label_width"),
    ([[*GOOD, *BOXES[1]]], {"label_pad_width": 9}, ValueError, "less than the 12 labels"),
    ([GOOD], {"data_shape": (8, 8)}, ValueError, r"\(channels, height, width\)"),
    ([GOOD], {"data_shape": (2, 8, 8)}, ValueError, "with 1, 3 or 4 channels"),
    ([GOOD], {"dtype": "uint8"}, ValueError, "convert the batches of float32"),
    ([GOOD], {"aug_seq": "aug_default"}, ValueError, "use 'det_aug_default'"),
    ([GOOD], {"resize_mode": "other"}, ValueError, "not one of fit, force, shrink"),
    ([GOOD], {"crop_emit_mode": "other"}, ValueError, "not one of center, overlap"),
    ([GOOD], {"inter_method": 7}, ValueError, "interp=7 is not one of"),
    ([GOOD], {"rand_crop": 1}, TypeError, "unknown argument 'rand_crop'; did you mean"),
    ([GOOD], {"min_crop_scales": (0.1, 0.2)}, ValueError, "one for each of num_crop_sampler=1"),
    ([GOOD], {"min_crop_scales": 1}, ValueError, "limits between 0 and 1, the lower ones first"),
    ([GOOD], {"max_crop_overlaps": 1.5}, ValueError, "limits between 0 and 1"),
    ([GOOD], {"part_index": 1}, ValueError, "part_index=1 is out of range"),
    ([GOOD], {"path_imglist": "no"}, FileNotFoundError, "path_imglist='no'"),
]


@pytest.mark.parametrize(("labels", "settings", "kind", "match"), WRONG)
def test_errors(write, labels, settings, kind, match):
    given = {"path_imgrec": write(*labels), "data_shape": (3, 8, 8), "batch_size": 1, **settings}
    with pytest.raises(kind, match=f"ImageDetRecordIter.*{match}"):
        io.ImageDetRecordIter(**given)
