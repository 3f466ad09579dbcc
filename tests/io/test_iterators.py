"""Data iterators: what `tests/io/programs.py` does not compare with the oracle."""

from __future__ import annotations

import copy
import pickle
import random
import threading

import numpy as np
import pytest

import gluon
from gluon import GluonError, autograd, image, io, loss, metric, nd, nn, recordio
from gluon._core.kernels import image as kernels
from tests.data.programs import picture, png
from tests.io.programs import BOXES, det_record, record_file
from tests.nn.replay import MX


def labels_of(batches) -> list:
    return [batch.label[0].asnumpy().tolist() for batch in batches]


@pytest.fixture
def records() -> str:
    pytest.importorskip("PIL.Image", reason="the extra image is not installed")
    return record_file(MX(), [float(k) for k in range(7)], (12, 14))


def iterator(path: str, **given) -> io.ImageRecordIter:
    given = {"data_shape": (3, 12, 14), "batch_size": 3, **given}
    return io.ImageRecordIter(path_imgrec=path + ".rec", **given)


# ------------------------------------------------------------------------------------ arrays


def test_a_network_learns_from_an_iterator():
    random_ = np.random.RandomState(0)
    x = random_.rand(200, 6)
    batches = io.NDArrayIter(x, x.sum(1) > 3, batch_size=20, shuffle=True)
    gluon.random.seed(1)
    net = nn.Dense(2)
    net.initialize(init="xavier")
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
    criterion, accuracy = loss.SoftmaxCrossEntropyLoss(), metric.Accuracy()
    for _ in range(20):
        batches.reset()
        accuracy.reset()
        for batch in batches:
            data, label = (one[0].as_in_context(gluon.cpu()) for one in (batch.data, batch.label))
            with autograd.record():
                output = net(data)
                value = criterion(output, label)
            value.backward()
            trainer.step(len(data))
            accuracy.update(batch.label, [output])
    assert accuracy.get()[1] > 0.9


def test_shuffling_keeps_dtypes_and_pairs():
    y = np.arange(6, dtype="int32")
    batches = io.NDArrayIter(nd.array(y * 2, dtype="int64"), nd.array(y, dtype="int32"), 6, True)
    (batch,) = batches
    assert batch.data[0].dtype == np.int64
    assert (batch.data[0].asnumpy() == 2 * batch.label[0].asnumpy()).all()
    assert sorted(batch.label[0].asnumpy()) == y.tolist()


def test_samples_stand_along_the_axis_that_the_layout_says():
    x = np.arange(12.0).reshape(2, 3, 2)
    batches = io.NDArrayIter(x, batch_size=2, layout="TNC", shuffle=True)
    assert batches.num_data == 3
    assert [batch.data[0].shape for batch in batches] == [(2, 2, 2)] * 2


def test_what_an_object_like_an_array_of_h5py_holds_is_read():
    class Stored:
        shape, dtype = (4, 2), np.dtype("float32")

        def __array__(self, dtype=None, copy=None):
            return np.ones(self.shape, dtype or self.dtype)

    assert next(io.NDArrayIter(Stored(), batch_size=2)).data[0].shape == (2, 2)


def test_more_samples_to_fill_up_than_there_are():
    (batch,) = io.NDArrayIter(np.arange(2.0), batch_size=5)
    assert (batch.data[0].asnumpy().tolist(), batch.pad) == ([0, 1, 0, 1, 0], 3)


def test_descriptions_are_copied_whole():
    one = io.DataDesc("a", (2,), np.int8, "N")
    for again in (copy.copy(one), pickle.loads(pickle.dumps(one))):
        assert (again, again.dtype, again.layout) == (one, np.int8, "N")


def test_an_error_in_a_thread_is_raised_by_the_next_batch():
    class Broken(io.DataIter):
        provide_data, provide_label = [io.DataDesc("data", (2,))], []

        def next(self):
            raise ZeroDivisionError("broken")

    batches = io.PrefetchingIter(Broken(2))
    with pytest.raises(ZeroDivisionError, match="broken"):
        next(batches)
    batches.reset()
    with pytest.raises(ZeroDivisionError, match="broken"):
        next(batches)


def test_iterators_of_different_lengths_are_not_joined():
    batches = io.PrefetchingIter([io.NDArrayIter(np.zeros(n), np.zeros(n), 2) for n in (4, 6)])
    with pytest.raises(GluonError, match="have different numbers of samples left"):
        list(batches)


def test_threads_end_with_their_iterator():
    before = set(threading.enumerate())
    batches = io.PrefetchingIter(io.NDArrayIter(np.zeros(4), np.zeros(4), 2))
    threads = set(threading.enumerate()) - before
    assert len(threads) == 1
    assert len(list(batches)) == 2
    del batches
    for one in threads:
        one.join(5)
    assert not any(one.is_alive() for one in threads)


# -------------------------------------------------------------------------------------- files


def test_csv_without_round_batch_is_filled_up_with_the_first_samples(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1\n2\n3\n")
    batches = io.CSVIter(data_csv=path, data_shape="(1,)", batch_size=2, round_batch=False)
    for _ in range(2):
        found = [(b.data[0].asnumpy().ravel().tolist(), b.pad, b.index.tolist()) for b in batches]
        assert found == [([1, 2], 0, [0, 1]), ([3, 1], 1, [2, 0])]
        batches.reset()


def test_batches_are_arrays_of_their_own(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1\n2\n3\n4\n")
    batches = io.CSVIter(data_csv=path, data_shape=(1,), batch_size=2)
    assert isinstance(batches, io.MXDataIter)
    one, two = batches
    one.data[0][:] = 9
    assert two.data[0].asnumpy().tolist() == [[3], [4]]
    batches.reset()
    assert batches.getdata().asnumpy().tolist() == [[1], [2]]


def test_one_batch_again_and_again(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1\n2\n3\n4\n")
    batches = io.CSVIter(data_csv=path, data_shape=(1,), batch_size=2)
    batches.debug_skip_load()
    assert [next(batches).data[0].asnumpy()[0, 0] for _ in range(4)] == [1] * 4


def test_digits_are_shuffled_once(tmp_path):
    (tmp_path / "images").write_bytes(
        bytes([0, 0, 8, 3, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 1, *range(9)])
    )
    (tmp_path / "labels").write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 9, *range(9)]))
    given = {"image": tmp_path / "images", "label": tmp_path / "labels", "batch_size": 3}
    batches = io.MNISTIter(**given, silent=True)
    first = [(b.data[0].asnumpy().ravel() * 256).tolist() for b in batches]
    batches.reset()
    second = labels_of(batches)
    assert first == second != [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert labels_of(io.MNISTIter(**given, seed=5, input_shape=(1,))) != second
    batch = io.MNISTIter(**given, data_shape=(784,)).next()  # `flat` decides
    assert batch.data[0].shape == (3, 1, 1, 1)


# ------------------------------------------------------------------------------------ records

DRAWING = {
    "data_shape": (3, 8, 9),
    "shuffle": True,
    "rand_crop": True,
    "rand_mirror": True,
    "max_rotate_angle": 20,
    "max_shear_ratio": 0.1,
    "max_aspect_ratio": 0.2,
    "brightness": 0.3,
    "contrast": 0.3,
    "saturation": 0.3,
    "pca_noise": 0.1,
    "random_h": 20,
    "random_s": 20,
    "random_l": 20,
    "max_random_contrast": 0.1,
    "max_random_illumination": 3,
    "inter_method": 10,
}


def drawn(path: str, **given) -> np.ndarray:
    batches = iterator(path, **DRAWING, **given)
    found = [b.data[0].asnumpy() for b in batches]
    batches.reset()
    return np.stack(found + [b.data[0].asnumpy() for b in batches])


def test_what_is_drawn_depends_on_the_seed_alone(records):
    one = drawn(records, preprocess_threads=1, prefetch_buffer=1)
    assert (drawn(records, preprocess_threads=8) == one).all()
    assert (drawn(records, path_imgidx=records + ".idx") == one).all()
    assert (drawn(records, seed=1) != one).mean() > 0.5
    assert (drawn(records, seed_aug=1) != one).mean() > 0.5
    assert len({batch.tobytes() for batch in one}) == len(one)


def test_colours_and_turns_stay_near_the_picture(records):
    plain = np.stack([b.data[0].asnumpy() for b in iterator(records)])
    given = {"brightness": 0.01, "contrast": 0.01, "saturation": 0.01, "random_h": 1}
    found = np.stack([b.data[0].asnumpy() for b in iterator(records, **given)])
    assert 0 < abs(found - plain).mean() < 3
    assert found.min() >= 0
    assert found.max() <= 255


def test_random_sized_rectangles_come_from_the_picture(records):
    given = {"random_resized_crop": True, "min_random_area": 0.3, "max_aspect_ratio": 0.3}
    (found, *_) = iterator(records, data_shape=(3, 6, 6), **given)
    assert found.data[0].shape == (3, 3, 6, 6)
    assert 15 < found.data[0].asnumpy().mean() < 225


def test_every_picture_comes_once_in_an_epoch_in_random_order(records):
    batches = iterator(records, batch_size=7, shuffle=True)
    ((first,),) = [labels_of(batches)]
    batches.reset()
    ((second,),) = [labels_of(batches)]
    assert sorted(first) == sorted(second) == list(range(7))
    assert first != second


def test_a_reset_within_an_epoch_begins_it_anew(records):
    batches = iterator(records)
    whole = labels_of(iterator(records))
    next(batches)
    batches.reset()
    assert labels_of(batches) == whole


def test_the_next_epoch_begins_after_what_filled_up_the_last_batch(records):
    batches = iterator(records)
    for pads in ([0, 0, 2], [0, 1], [0, 0]):
        assert [b.pad for b in batches] == pads
        batches.reset()


def test_an_incomplete_batch_says_how_much_of_it_is_filled_up(records):
    batches = iterator(records, round_batch=False)
    for _ in range(2):
        assert [b.pad for b in batches] == [0, 0, 2]
        batches.reset()
    assert labels_of(batches)[-1] == [6, 0, 1]


def test_a_mean_picture_is_subtracted(records, tmp_path):
    mean = np.random.RandomState(0).rand(3, 12, 14).astype("float32")
    nd.save(str(tmp_path / "mean"), {"mean_img": nd.array(mean)})
    found = next(iterator(records, mean_img=str(tmp_path / "mean"))).data[0].asnumpy()
    np.testing.assert_allclose(found, next(iterator(records)).data[0].asnumpy() - mean, atol=1e-4)


def test_opacity_is_a_fourth_channel(records):
    found = next(iterator(records, data_shape=(4, 12, 14), mean_a=55)).data[0].asnumpy()
    assert (found[:, 3] == 200).all()


@pytest.mark.parametrize("name", ["uint8", "float32"])
def test_turning_by_a_quarter_moves_pixels(name):
    x = picture(5, 5, 3).astype(name)
    matrix = np.array([[0, 1, 0], [-1, 0, 4]])
    found = kernels.affine(x, matrix=matrix, size=(5, 5), fill=0)
    assert found.dtype == name
    assert (found == np.rot90(x)).all()
    assert (kernels.affine(x, matrix=np.eye(3)[:2] * 1e-3, size=(5, 5), fill=7)[1:] == 7).all()


# ------------------------------------------------------------------------------- image iterators


def test_a_subclass_may_change_the_steps_of_a_sample(records):
    class Negative(image.ImageIter):
        def augmentation_transform(self, data):
            return 255 - super().augmentation_transform(data)

        def check_valid_image(self, data):
            if self.cur == 1:
                raise RuntimeError("not this one")

    given = {"path_imgrec": records + ".rec", "batch_size": 2, "data_shape": (3, 12, 14)}
    found, plain = next(Negative(**given)), next(image.ImageIter(**given))
    assert found.label[0].asnumpy().tolist() == [1, 2]
    expected = 255 - plain.data[0].asnumpy()[1]
    assert (found.data[0].asnumpy()[0] == expected).all()


def test_boxes_are_drawn(records):
    it = image.ImageDetIter(2, (3, 24, 32), path_imgrec=det_record(MX(), [1, 3]), mean=True)
    one, two = it.draw_next(color=(250, 1, 2), thickness=1, mean=True, id2labels={0: "a"})
    assert (one.shape, one.dtype) == ((24, 32, 3), np.uint8)
    left, top, right, bottom = (BOXES[0, 1:] * [32, 24, 32, 24]).astype(int)
    for line in (one[top, left : right + 1], one[top : bottom + 1, right]):
        assert (line == [2, 1, 250]).all()
    assert (one == [2, 1, 250]).all(-1).sum() < (two == [2, 1, 250]).all(-1).sum()


def test_crops_and_borders_keep_boxes_on_their_pixels():
    mark = np.zeros((40, 60, 3), "uint8")
    mark[10:20, 30:45] = 200
    label = np.array([[0, 30 / 60, 10 / 40, 45 / 60, 20 / 40]])
    random.seed(0)
    for one in (
        image.DetRandomCropAug(0.9, (0.5, 2), (0.3, 0.9)),
        image.DetRandomPadAug(area_range=(1.5, 3), pad_val=0),
        image.DetHorizontalFlipAug(1),
    ):
        before = label.copy()
        src, found = one(nd.array(mark, dtype="uint8"), label)
        assert src.shape != mark.shape or one.dumps().startswith('["dethorizontal')
        assert (label == before).all()
        height, width = src.shape[:2]
        left, top, right, bottom = (
            (found[0, 1:] * [width, height, width, height]).round().astype(int)
        )
        values = src.asnumpy()
        assert (values[top:bottom, left:right] == 200).all()
        assert (values == 200).sum() == 3 * (bottom - top) * (right - left)


def test_augmenters_warn_where_their_limits_leave_nothing():
    with pytest.warns(UserWarning, match=r"DetRandomCropAug does nothing: area_range=\(2, 1\)"):
        one = image.DetRandomCropAug(area_range=(2, 1))
    x = nd.zeros((4, 4, 3))
    assert one(x, BOXES)[0] is x


# ------------------------------------------------------------------------------------- errors


def test_errors(records, tmp_path):
    zeros = np.zeros((3, 2))
    (tmp_path / "letters").write_text("1,2\n3,x\n")
    (tmp_path / "nothing").write_text("")
    (tmp_path / "csv").write_text("1,2\n3,4\n")
    file = recordio.MXRecordIO(tmp_path / "bad.rec", "w")
    file.write(recordio.pack(recordio.IRHeader(0, 1, 0, 0), b"nonsense"))
    file.close()
    csv = {"data_shape": (2,), "batch_size": 1}
    given = {"batch_size": 2, "data_shape": (3, 4, 4)}
    for call, kind, match in (
        (lambda: io.DataBatch(nd.zeros(2)), TypeError, "data must be a list of arrays"),
        (lambda: io.NDArrayIter(zeros, np.zeros(4)), ValueError, "the same number of samples"),
        (lambda: io.NDArrayIter(None), ValueError, "data is empty"),
        (lambda: io.NDArrayIter("abc"), TypeError, "must be an array, or a list or dict"),
        (lambda: io.NDArrayIter({"a": object()}), TypeError, "a is not an array"),
        (lambda: io.NDArrayIter(zeros, batch_size=0), ValueError, "batch_size=0 must be positive"),
        (lambda: io.NDArrayIter(zeros, layout="TC"), ValueError, "layout='TC' have an N"),
        (lambda: io.NDArrayIter(zeros, np.float32(3)), ValueError, "shape"),
        (lambda: io.NDArrayIter(zeros, last_batch_handle="keep"), ValueError, "'roll_over'"),
        (lambda: io.NDArrayIter(zeros).getdata(), ValueError, "no current batch"),
        (lambda: io.PrefetchingIter([]), ValueError, "iters is empty"),
        (lambda: io.ResizeIter(io.NDArrayIter(zeros), 2).getdata(), GluonError, "iter_next"),
        (lambda: io.CSVIter(data_csv="no", **csv), FileNotFoundError, "data_csv='no'"),
        (lambda: io.CSVIter(data_csv=tmp_path / "letters", **csv), ValueError, "row 1, column 2"),
        (lambda: io.CSVIter(data_csv=tmp_path / "nothing", **csv), ValueError, "0 samples"),
        (
            lambda: io.CSVIter(data_csv=tmp_path / "csv", data_shape=3, batch_size=1),
            ValueError,
            r"2 numbers on a line, and the shape \(3,\) takes 3",
        ),
        (lambda: io.MNISTIter(image="no"), FileNotFoundError, "cannot find the file 'no'"),
        (lambda: io.ImageRecordIter_v1, AttributeError, "replaced by ImageRecordIter"),
        (lambda: io.ImageRecord, AttributeError, "gluon.io has no 'ImageRecord'"),
        (lambda: iterator(records, rand_miror=1), TypeError, "did you mean 'rand_mirror'"),
        (lambda: iterator(records, data_shape=(3, 4)), ValueError, r"\(channels, height, width\)"),
        (
            lambda: iterator(records, part_index=2),
            ValueError,
            "part_index=2 is out of range for num_parts=1",
        ),
        (lambda: iterator(records, aug_seq="x"), ValueError, "aug_seq='x'"),
        (lambda: next(iterator(records, label_width=2)), GluonError, "has 1 labels, and"),
        (lambda: next(iterator(records, min_crop_size=50, max_crop_size=50)), GluonError, "height"),
        (lambda: next(iterator(str(tmp_path / "bad"))), GluonError, "image 0 of .*not an image"),
        (lambda: image.ImageIter(**given), ValueError, "no images; pass path_imgrec"),
        (lambda: image.ImageIter(**given, imglist="x"), TypeError, "must be a list, not str"),
        (
            lambda: image.ImageIter(2, (1, 4, 4), path_imgrec=records + ".rec"),
            ValueError,
            r"must be \(3, height, width\)",
        ),
        (
            lambda: image.ImageIter(**given, path_imgrec=records + ".rec", shuffle=True),
            ValueError,
            "need path_imgidx",
        ),
        (
            lambda: next(image.ImageIter(**given, imglist=[[1, "no.png"]])),
            FileNotFoundError,
            "cannot find the file 'no.png'",
        ),
        (
            lambda: next(image.ImageIter(**given, path_imgrec=str(tmp_path / "bad.rec"))),
            GluonError,
            "image 0 of .*not an image",
        ),
        (
            lambda: image.ImageDetIter(**given, path_imgrec=records + ".rec"),
            GluonError,
            r"image 0 of .* has the labels \[0.0\]",
        ),
        (lambda: image.CreateAugmenter((3, 4, 4), rand_resize=True), ValueError, "needs rand_crop"),
        (lambda: image.CreateAugmenter((3, 4, 4), mean=3), TypeError, "True or an array"),
        (lambda: image.CreateAugmenter((3, 4, 4), std=np.ones(2)), ValueError, r"shape \(2,\)"),
        (lambda: image.Augmenter()(nd.zeros((1, 1, 1))), NotImplementedError, "must define"),
        (lambda: image.DetAugmenter()(nd.zeros((1, 1, 1)), BOXES), NotImplementedError, "must"),
        (lambda: image.DetBorrowAug(3), TypeError, "not int"),
        (lambda: image.DetRandomSelectAug([image.CastAug()]), ValueError, "DetBorrowAug makes one"),
        (
            lambda: image.CreateMultiRandCropAugmenter([0.1, 0.2], max_attempts=[1, 2, 3]),
            ValueError,
            "lists of one length",
        ),
        (lambda: image.copyMakeBorder(nd.zeros((2, 2, 3)), -1, 0, 0, 0), ValueError, "0 or more"),
        (lambda: image.RandomSizedCropAug((3, 3)), ValueError, "area is missing"),
    ):
        with pytest.raises(kind, match=match):
            call()


def test_without_a_decoder_the_error_says_what_to_install(monkeypatch):
    for name in ("PIL", "cv2"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(
        GluonError, match=r'Pillow or OpenCV; pip install "gluon-autograd\[image\]"'
    ):
        image.imdecode(png(picture(2, 2, 3)))


def test_where_pillow_is_missing_opencv_decodes(monkeypatch):
    pytest.importorskip("cv2", reason="the extra opencv is not installed")
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    colours = picture(4, 5, 3)
    assert (image.imdecode(png(colours)).asnumpy() == colours).all()
    record = recordio.pack_img(recordio.IRHeader(0, 1, 0, 0), colours, 9, ".png")
    assert (recordio.unpack_img(record)[1] == colours).all()
