"""Curves of strength over training, as SVG. Needs Matplotlib (extra ``[train]``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

from cabochon.train.config import EVALUATION

CurvePoint = tuple[float, float]
_STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: small files that can be searched
    "svg.hashsalt": "cabochon",  # the same curves give the same bytes
    "axes.prop_cycle": "cycler('color', ['#1f6f8b', '#b5533c', '#5b8c3e'])",
}


@dataclass(frozen=True)
class Axis:
    """The vertical axis: its ends, and the values that get a line and a label."""

    low: float
    high: float
    marks: tuple[tuple[float, str], ...]


SHARES = Axis(0.0, 1.0, tuple((percent / 100, f"{percent} %") for percent in range(0, 101, 20)))


def elo_axis(least: float, most: float) -> Axis:
    """From the hundred below the least to the hundred above the most."""
    first, last = int(least // 100), -int(-most // 100)
    marks = tuple((100.0 * mark, f"{100 * mark:+d}") for mark in range(first, last + 1))
    return Axis(100.0 * first, 100.0 * max(last, first + 1), marks)


def curve(log: Sequence[Mapping[str, object]]) -> list[CurvePoint]:
    """(thousands of games, share of wins against playouts) for each evaluation in a log."""
    return [
        (float(str(line["games"])) / 1000, float(str(line["against_playouts"])))
        for line in log
        if line.get("kind") == EVALUATION
    ]


def draw(
    curves: Mapping[str, Sequence[CurvePoint]], title: str, across: str, axis: Axis = SHARES
) -> str:
    """The curves by name, as one SVG; by default each value is a share between 0 and 1."""
    with rc_context(_STYLE):
        figure = Figure(figsize=(7.2, 3.6), layout="constrained")
        axes = figure.add_subplot(title=title, xlabel=across)
        for name, points in curves.items():
            if points:
                axes.plot(*zip(*points, strict=True), label=name, clip_on=False)
        axes.set_ylim(axis.low, axis.high)
        axes.set_yticks([value for value, _ in axis.marks], [text for _, text in axis.marks])
        axes.set_xlim(left=0)
        axes.grid(axis="y", color="#ddd")
        axes.spines[["top", "right"]].set_visible(False)
        if axes.get_legend_handles_labels()[1]:
            axes.legend(loc="best", frameon=False, ncols=len(curves))
        out = StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Title": title})
    return out.getvalue()
