"""``mxnet.notebook.callback``: tables of pandas and charts of bokeh from training."""

from __future__ import annotations

import time
from collections import defaultdict
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

from ..._core.errors import MissingPackageError
from ..._hook.errors import MissingMethodError


def _package(name: str) -> Any:
    """Import an optional package; the error says how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        root = name.partition(".")[0]
        raise MissingPackageError(f"{name} is not installed; run: pip install {root}") from error


def _add_new_columns(dataframe: Any, metrics: dict[str, Any]) -> None:
    """Add missing columns to a table, empty."""
    for name in metrics.keys() - set(dataframe.columns):
        dataframe[name] = None


def _extend(baseData: list, newData: list) -> None:
    """Append to a list the end of a longer list with the same beginning."""
    baseData.extend(newData[len(baseData) :])


def _taken(param: Any) -> dict[str, Any]:
    """Return the values of a metric, and reset it."""
    metric = param.eval_metric
    if metric is None:
        return {}
    found = dict(metric.get_name_value())
    metric.reset()
    return found


class PandasLogger:
    """Logs training to three tables of pandas: batches, evaluations and epochs."""

    def __init__(self, batch_size: int, frequent: int = 50) -> None:
        self.batch_size, self.frequent = batch_size, frequent
        frame = _package("pandas").DataFrame
        self._dataframes = {name: frame() for name in ("train", "eval", "epoch")}
        self.last_time = time.time()
        self.start_time = self.last_epoch_time = datetime.now()

    @property
    def train_df(self) -> Any:
        """The table of batches."""
        return self._dataframes["train"]

    @property
    def eval_df(self) -> Any:
        """The table of evaluations."""
        return self._dataframes["eval"]

    @property
    def epoch_df(self) -> Any:
        """The table of epochs."""
        return self._dataframes["epoch"]

    @property
    def all_dataframes(self) -> dict[str, Any]:
        """The three tables."""
        return self._dataframes

    def elapsed(self) -> timedelta:
        """The time since the start."""
        return datetime.now() - self.start_time

    def append_metrics(self, metrics: dict[str, Any], df_name: str) -> None:
        """Add a row to a table: ``'train'``, ``'eval'`` or ``'epoch'``."""
        table = self._dataframes[df_name]
        _add_new_columns(table, metrics)
        table.loc[len(table)] = metrics

    def train_cb(self, param: Any) -> None:
        """The callback after a batch of training."""
        if param.nbatch % self.frequent == 0:
            self._process_batch(param, "train")

    def eval_cb(self, param: Any) -> None:
        """The callback after an evaluation."""
        self._process_batch(param, "eval")

    def _process_batch(self, param: Any, dataframe: str) -> None:
        now = time.time()
        passed = now - self.last_time
        speed = self.frequent / passed if passed else float("inf")
        row = _taken(param) | {
            "batches_per_sec": speed * self.batch_size,
            "records_per_sec": speed,  # MXNet swaps the two names, too
            "elapsed": self.elapsed(),
            "minibatch_count": param.nbatch,
            "epoch": param.epoch,
        }
        self.append_metrics(row, dataframe)
        self.last_time = now

    def epoch_cb(self) -> None:
        """The callback after an epoch."""
        now = datetime.now()
        row = {"elapsed": self.elapsed(), "epoch_time": now - self.last_epoch_time}
        self.append_metrics(row, "epoch")
        self.last_epoch_time = now

    def callback_args(self) -> dict[str, Any]:
        """Return the callbacks by the argument names of ``Module.fit``."""
        return {
            "batch_end_callback": self.train_cb,
            "eval_end_callback": self.eval_cb,
            "epoch_end_callback": self.epoch_cb,
        }


class LiveBokehChart:
    """The base of charts of bokeh that are drawn in a notebook during training."""

    def __init__(
        self,
        pandas_logger: PandasLogger | None,
        metric_name: str | None,
        display_freq: float = 10,
        batch_size: Any = None,
        frequent: int = 50,
    ) -> None:
        self.pandas_logger = pandas_logger or PandasLogger(batch_size, frequent)
        self.display_freq, self.metric_name = display_freq, metric_name
        self.last_update = time.time()
        _package("bokeh.io").output_notebook()
        self.handle = self.setup_chart()

    def setup_chart(self) -> Any:
        """Draw the chart, and return a handle that redraws it."""
        raise MissingMethodError(f"{type(self).__name__} has no setup_chart(self); define it")

    def update_chart_data(self) -> None:
        """Add new values to the chart."""
        raise MissingMethodError(f"{type(self).__name__} has no update_chart_data(self); define it")

    def interval_elapsed(self) -> bool:
        """Whether to draw again."""
        return time.time() - self.last_update > self.display_freq

    def _push_render(self) -> None:
        _package("bokeh.io").push_notebook(handle=self.handle)
        self.last_update = time.time()

    def _do_update(self) -> None:
        self.update_chart_data()
        self._push_render()

    def batch_cb(self, param: Any) -> None:
        """The callback after a batch."""
        if self.interval_elapsed():
            self._do_update()

    def eval_cb(self, param: Any) -> None:
        """The callback after an evaluation."""
        self._do_update()

    def callback_args(self) -> dict[str, Any]:
        """Return the callbacks by the argument names of ``Module.fit``."""
        return {"batch_end_callback": self.batch_cb, "eval_end_callback": self.eval_cb}


def _figure(**options: Any) -> Any:
    return _package("bokeh.plotting").figure(x_axis_type="datetime", **options)


def _shown(figure: Any) -> Any:
    return _package("bokeh.plotting").show(figure, notebook_handle=True)


class LiveTimeSeries(LiveBokehChart):
    """A chart of values over the time since it began; ``**fig_params`` go to bokeh."""

    def __init__(self, **fig_params: Any) -> None:
        self.fig = _figure(x_axis_label="Elapsed time", **fig_params)
        super().__init__(None, None)

    def setup_chart(self) -> Any:
        """Draw the chart without values."""
        self.start_time = datetime.now()
        self.x_axis_val: list[timedelta] = []
        self.y_axis_val: list[Any] = []
        self.line = self.fig.line(self.x_axis_val, self.y_axis_val)
        return _shown(self.fig)

    def elapsed(self) -> timedelta:
        """The time since the first drawing."""
        return datetime.now() - self.start_time

    def update_chart_data(self, value: Any) -> None:  # type: ignore[override]
        """Add a value."""
        self.x_axis_val.append(self.elapsed())
        self.y_axis_val.append(value)
        self.line.data_source.data = {"x": self.x_axis_val, "y": self.y_axis_val}
        self._push_render()


class LiveLearningCurve(LiveBokehChart):
    """A chart of a metric over time, of training and of evaluation."""

    def __init__(self, metric_name: str, display_freq: float = 10, frequent: int = 50) -> None:
        self.frequent = frequent
        self.start_time = datetime.now()
        self._data: dict[str, dict[str, list]] = {
            name: {"elapsed": []} for name in ("train", "eval")
        }
        super().__init__(None, metric_name, display_freq, frequent)

    def setup_chart(self) -> Any:
        """Draw the chart without values."""
        self.fig = _figure(x_axis_label="Training time", y_axis_label=self.metric_name)
        looks: dict[str, dict[str, Any]] = {
            "train": {"line_dash": "dotted", "alpha": 0.3, "legend_label": "train"},
            "eval": {"line_color": "green", "line_width": 2, "legend_label": "validation"},
        }
        self.lines = {name: self.fig.line([], [], **look) for name, look in looks.items()}
        self.fig.legend.location = "bottom_right"
        return _shown(self.fig)

    def batch_cb(self, param: Any) -> None:
        """The callback after a batch."""
        if param.nbatch % self.frequent == 0:
            self._process_batch(param, "train")
        super().batch_cb(param)

    def eval_cb(self, param: Any) -> None:
        """The callback after an evaluation."""
        self._process_batch(param, "eval")
        super().eval_cb(param)

    def _process_batch(self, param: Any, df_name: str) -> None:
        for name, value in (_taken(param) | {"elapsed": datetime.now() - self.start_time}).items():
            self._data[df_name].setdefault(name, []).append(value)

    def update_chart_data(self) -> None:
        """Add new values to the lines."""
        for name, line in self.lines.items():
            known = self._data[name]
            if known["elapsed"]:
                line.data_source.data = {"x": known["elapsed"], "y": known[self.metric_name or ""]}


def args_wrapper(*args: Any) -> dict[str, list]:
    """Return the callbacks of several objects, in lists by the argument names of ``fit``."""
    found = defaultdict(list)
    for one in args:
        for name, call in one.callback_args().items():
            found[name].append(call)
    return dict(found)
