"""One line about how far some work is, on a terminal and elsewhere."""

from __future__ import annotations

import io
from math import inf

import pytest

from cabochon.workers.progress import BAR, ProgressLine


class _Stream(io.StringIO):
    def __init__(self, is_live: bool) -> None:
        super().__init__()
        self._is_live = is_live

    def isatty(self) -> bool:
        return self._is_live


class _Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def _drawn(is_live: bool, plain_seconds: float, times: list[float]) -> str:
    stream, clock = _Stream(is_live), _Clock()
    line = ProgressLine(stream, plain_seconds, clock)
    for done, time in enumerate(times, start=1):
        clock.now = 100.0 + time
        line.show(done, len(times), lambda done=done: f"{done} done")  # type: ignore[misc]
    return stream.getvalue()


def test_a_terminal_shows_a_bar_that_is_drawn_over() -> None:
    text = _drawn(True, inf, [0.2, 0.4])
    half = "#" * (BAR // 2) + "." * (BAR // 2)
    assert text == f"\r[{half}] 1 done\x1b[K\r[{'#' * BAR}] 2 done\x1b[K"


def test_it_is_not_drawn_more_often_than_one_can_read() -> None:
    assert "1 done" not in _drawn(True, inf, [0.05, 0.2, 0.25, 9.0])
    assert "3 done" not in _drawn(True, inf, [0.05, 0.2, 0.25, 9.0])


def test_the_last_step_is_always_drawn() -> None:
    assert "2 done" in _drawn(True, inf, [0.2, 0.21])


def test_a_file_gets_plain_lines_now_and_then() -> None:
    assert _drawn(False, 30.0, [10.0, 31.0, 40.0, 41.0]) == "2 done\n4 done\n"


def test_a_file_gets_nothing_where_nobody_asked_for_lines() -> None:
    assert _drawn(False, inf, [10.0, 100.0]) == ""


@pytest.mark.parametrize("is_live", [True, False])
def test_what_is_said_stays(is_live: bool) -> None:
    stream = _Stream(is_live)
    line = ProgressLine(stream)
    line.say("something happened")
    line.clear()
    assert stream.getvalue().replace("\r\x1b[K", "") == "something happened\n"
    assert ("\r" in stream.getvalue()) is is_live
