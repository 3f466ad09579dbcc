"""Images with boxes: what `ImageDetIter` makes of labels, shapes and colours."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from gluon import GluonError, image, recordio
from gluon._core.errors import ArgumentError, DTypeError
from gluon.image.augmenters import MEAN, STD

pytest.importorskip("PIL")
BOX = [0.25, 0.25, 0.75, 0.75]
SIZE = 16


@pytest.fixture
def batches(tmp_path):
    """Makes an iterator of grey images with the labels given."""
    made = []

    def make(*labels, grey=100, **options):
        made.append(None)
        path = str(tmp_path / f"{len(made)}.rec")
        file = recordio.MXRecordIO(path, "w")
        for label in labels:
            picture = np.full((SIZE, SIZE, 3), grey, "uint8")
            file.write(recordio.pack_img(recordio.IRHeader(0, label, 0, 0), picture, 9, ".png"))
        file.close()
        return image.ImageDetIter(1, (3, SIZE, SIZE), path_imgrec=path, **options)

    return make


def label_of(one):
    return next(one).label[0].asnumpy()[0].round(3).tolist()


# ------------------------------------------------------------------------------------- labels


def test_the_shortest_label_is_a_header_of_two_and_an_object_of_five(batches):
    one = batches([2, 5, 0, *BOX])
    assert one.label_shape == (1, 5)
    assert label_of(one) == [[0, *BOX]]


def test_what_stands_in_a_longer_header_and_behind_the_box_is_kept_apart(batches):
    one = batches([4, 6, 9, 9, 0, *BOX, 7, 2, *BOX, 8], [2, 6, 1, *BOX, 5])
    assert one.label_shape == (2, 6)
    assert label_of(one) == [[0, *BOX, 7], [2, *BOX, 8]]
    assert label_of(one) == [[1, *BOX, 5], [-1] * 6]


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ([2, 5, 0, *BOX[:3]], "need the length of the header"),
        ([2, 4, *BOX, *BOX], r"number of values of an object \(at least 5\)"),
        ([2, 5, 0, *BOX, 1], "not objects of 5 values"),
        ([2, 5, 0, 0.5, 0.1, 0.5, 0.9], "no box with an area"),
        ([2, 5, 0, 0.1, 0.5, 0.3, 0.5], "no box with an area"),
    ],
)
def test_other_labels_are_refused(batches, label, message):
    with pytest.raises(GluonError, match=message):
        batches(label)


def test_boxes_without_an_area_are_left_out(batches):
    flat = [[0, 0.5, 0.1, 0.5, 0.9], [1, 0.1, 0.5, 0.3, 0.5], [2, 0.6, 0.1, 0.5, 0.9]]
    flat += [[3, 0.1, 0.6, 0.9, 0.5]]
    one = batches([2, 5, *[value for row in [*flat, [4, *BOX]] for value in row]])
    assert one.label_shape == (1, 5)
    assert label_of(one) == [[4, *BOX]]


def test_a_label_after_augmenters_needs_an_object_of_some_class_with_an_area(batches):
    one = batches([2, 5, 0, *BOX])
    one._check_valid_label(np.array([[0, *BOX]]))
    one._check_valid_label(np.array([[-1, *BOX], [3, *BOX]]))
    wrong = [[0, *BOX], [BOX], [[-1, *BOX]], [[0, 0.5, 0.1, 0.5, 0.9]], [[[0, *BOX]]]]
    for label in wrong:
        with pytest.raises(GluonError, match="holds no object"):
            one._check_valid_label(np.array(label))


# ------------------------------------------------------------------------------------- shapes


def test_shapes_that_labels_fit_into(batches):
    one = batches([2, 5, 0, *BOX, 1, *BOX])
    for shape in (2, 5), (3, 5):
        one.check_label_shape(shape)
    for shape in (1, 5), (2, 6), (3, 4), (1, 4):
        with pytest.raises(ArgumentError, match=r"do not fit into"):
            one.check_label_shape(shape)
    for shape in (5,), (2, 5, 1):
        with pytest.raises(ArgumentError, match="needs two lengths"):
            one.check_label_shape(shape)


def test_batches_of_another_shape(batches):
    one = batches([2, 5, 0, *BOX], aug_list=[])
    one.reshape(label_shape=(3, 5))
    assert one.provide_label == [("label", (1, 3, 5))]
    assert one.provide_data == [("data", (1, 3, SIZE, SIZE))]
    assert label_of(one) == [[0, *BOX], [-1] * 5, [-1] * 5]
    one.reshape(data_shape=(3, 8, 4))
    assert (one.provide_data, one.data_shape) == ([("data", (1, 3, 8, 4))], (3, 8, 4))
    assert one.provide_label == [("label", (1, 3, 5))]
    for shape in (1, 8, 4), (3, 8):
        with pytest.raises(ArgumentError):
            one.reshape(data_shape=shape)


def test_two_iterators_take_the_larger_shape(batches, caplog):
    caplog.set_level(logging.INFO)
    small, large = batches([2, 5, 0, *BOX]), batches([2, 5, 0, *BOX, 1, *BOX, 2, *BOX])
    for one, other in (small, large), (large, small):
        assert one.sync_label_shape(other, verbose=one is small) is other
        assert [it.label_shape for it in (small, large)] == [(3, 5), (3, 5)]
    assert caplog.text.count("Labels have the shape (3, 5)") == 1
    caplog.clear()
    small.sync_label_shape(large, verbose=True)
    batches([2, 5, 0, *BOX]).sync_label_shape(large)
    assert caplog.text == ""
    with pytest.raises(ArgumentError, match="number of values"):
        small.sync_label_shape(batches([2, 6, 0, *BOX, 1]))
    with pytest.raises(DTypeError, match="ImageDetIter"):
        small.sync_label_shape(3)


# ------------------------------------------------------------------------------------- drawing


def corner(one, **options):
    """The colour of a pixel outside all boxes."""
    return next(one.draw_next(**options))[-1, -1].tolist()


def test_pictures_are_drawn_without_what_normalized_them(batches):
    label = [2, 5, 0, *BOX]
    mean, std = np.array([1.0, 2, 3]), np.array([2.0, 1, 1.5])
    assert corner(batches(label)) == [100, 100, 100]
    assert corner(batches(label), mean=mean, std=std) == [153, 102, 201]
    assert corner(batches(label), mean=True) == (100 + MEAN[::-1]).astype(int).tolist()
    assert corner(batches(label, grey=4), std=True) == (4 * STD[::-1]).astype(int).tolist()
    assert corner(batches(label), std=np.array([3.0])) == [255, 255, 255]
    assert corner(batches(label), std=np.array([2.57]), clip=True) == [255, 255, 255]
    assert corner(batches(label), mean=np.array([-101.0])) == [0, 0, 0]
    assert corner(batches(label, grey=255), clip=False) == [255, 255, 255]


def test_colours_are_given_or_drawn_for_each_box(batches):
    boxes = [0, 0, 0, 0.5, 0.5, 1, 0.5, 0.5, 0.875, 0.875]
    np.random.seed(5)  # noqa: NPY002
    colours = (np.random.RandomState(5).rand(2, 3) * 255).astype(int)
    found = next(batches([2, 5, *boxes]).draw_next(thickness=1))
    assert abs(found[0, 2, ::-1].astype(int) - colours[0]).max() <= 1
    assert abs(found[14, 12, ::-1].astype(int) - colours[1]).max() <= 1
    given = next(batches([2, 5, *boxes]).draw_next(color=(9, 8, 7), thickness=1))
    assert given[0, 2].tolist() == given[14, 12].tolist() == [7, 8, 9]
    assert given[2, 2].tolist() == [100, 100, 100]
    thick = next(batches([2, 5, *boxes]).draw_next(color=(9, 8, 7)))
    assert thick[1, 4].tolist() == [7, 8, 9]
    assert thick[2, 4].tolist() == [100, 100, 100]


def test_boxes_outside_on_the_left_are_left_out(batches):
    found = batches([2, 5, 0, -0.1, 0.25, 0.75, 0.75]).draw_next(color=(9, 8, 7))
    assert (next(found) == 100).all()


def test_names_of_classes_are_written_into_boxes(batches):
    label = [2, 5, 1, *BOX]
    plain, other, named = (
        next(batches(label).draw_next(color=(9, 8, 7), id2labels=names))
        for names in (None, {0: "WW"}, {1: "WW"})
    )
    assert (plain == other).all()
    assert (plain != named).any()
