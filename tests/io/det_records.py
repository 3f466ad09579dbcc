"""What `ImageDetRecordIter` does without drawing anything, on MXNet 1.9.1 and on gluon alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tests.io.programs import record_file, seen

ONE = [2, 5, 2, 0.25, 0.25, 0.75, 1]
TWO = [2, 5, 1, 0.1, 0.2, 0.5, 0.6, 3, 0.4, 0.1, 0.9, 0.8]
THREE = [2, 5, 0, 0, 0, 0.5, 0.5, 1, 0.5, 0.5, 1, 1, 2, 0.2, 0.3, 0.4, 0.5]
#: With a longer header and more values, without an area, and of edges outside of the image.
ODD = [
    [4, 6, 77, 88, 1, 0.1, 0.2, 0.5, 0.6, 9],
    [2, 5, 1, 0.5, 0.2, 0.1, 0.6],
    [2, 5, -1, -0.1, 0.2, 1.5, 0.6],
]
LABELS = {"several": [TWO, ONE, THREE, ONE], "one": [ONE] * 4, "odd": [*ODD, THREE]}
SETTINGS = [
    ({}, "several"),
    ({}, "odd"),
    ({"label_pad_width": 30, "label_pad_value": -7}, "several"),
    ({"label_pad_width": -1}, "several"),
    ({"label_width": 7}, "one"),
    ({"batch_size": 3}, "several"),
    ({"batch_size": 5}, "one"),
    ({"data_name": "x", "label_name": "y"}, "one"),
    ({"mean_r": 10, "mean_b": 30, "std_r": 2, "std_g": 4, "scale": 0.5}, "one"),
    ({"rand_mirror_prob": 1}, "several"),
    ({"resize": 9, "inter_method": 9}, "one"),
    ({"rand_pad_prob": 1, "max_pad_scale": 1.04}, "one"),
    ({"preprocess_threads": 1, "prefetch_buffer": 1}, "several"),
    *(
        ({"resize_mode": mode, "data_shape": shape}, "several")
        for mode in ("force", "fit", "shrink")
        for shape in ((3, 6, 9), (3, 12, 11), (3, 16, 20))
    ),
]


def boxes(mx, settings: dict, labels: str) -> list:
    """The batches of a file with these labels."""
    path = record_file(mx, LABELS[labels], (8, 12))
    given = {"data_shape": (3, 8, 12), "batch_size": 2, "verbose": False, **settings}
    return seen(mx.io.ImageDetRecordIter(path_imgrec=path + ".rec", **given), with_pads=False)


def listed(mx) -> list:
    """Labels from a list."""
    path = record_file(mx, LABELS["one"], (8, 12))
    with open(path + ".lst", "w") as file:
        for k, label in enumerate(LABELS["several"]):
            file.write("\t".join(map(str, [k, *label, f"{k}.png"])) + "\n")
    given = {"path_imgrec": path + ".rec", "path_imglist": path + ".lst", "verbose": False}
    return seen(mx.io.ImageDetRecordIter(data_shape=(3, 8, 12), batch_size=2, **given))


def programs() -> dict[str, Callable]:
    """Name to function, each taking the package."""
    found: dict[str, Callable] = {
        f"det_records {settings} {labels}": partial(boxes, settings=settings, labels=labels)
        for settings, labels in SETTINGS
    }
    return {**found, "det_records listed": listed}
