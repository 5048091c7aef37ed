"""The curve of strength as SVG."""

from __future__ import annotations

import pytest

pytest.importorskip("matplotlib")

from cabochon.train.plot import curve, draw, elo_axis


def test_a_curve_is_made_of_the_evaluations_in_a_log() -> None:
    points = curve([{"kind": "exam", "games": 1500, "against_playouts": 0.4}, {"kind": "x"}])
    assert points == [(1.5, 0.4)]


def test_a_plot_has_its_words_as_text_and_is_the_same_every_time() -> None:
    curves = {"2 players": [(0.0, 0.2), (1.5, 0.4)], "3 players": [(0.0, 0.3), (2.0, 0.5)]}
    picture = draw(curves, "Strength", "thousands of games")
    for text in ("2 players", "3 players", "Strength", "thousands of games", "40 %"):
        assert f">{text}</text>" in picture
    assert picture == draw(curves, "Strength", "thousands of games")


def test_nothing_trained_yet_is_an_empty_plot() -> None:
    assert "<svg" in draw({"2 players": []}, "Strength", "games")


def test_an_elo_axis_ends_at_whole_hundreds() -> None:
    axis = elo_axis(-20.0, 130.0)
    assert (axis.low, axis.high) == (-100.0, 200.0)
    assert [text for _, text in axis.marks] == ["-100", "+0", "+100", "+200"]
    picture = draw({"3 players": [(0.0, -100.0), (8.0, 200.0)]}, "Strength", "games", axis)
    assert all(f">{text}</text>" in picture for _, text in axis.marks)
