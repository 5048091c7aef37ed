"""Columns: Chinese takes two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.render.width import clipped, flowed, left, plain, right, width, wrapped

TEXTS = st.text(st.sampled_from("ab 宝石，。w1-e\u0301"), max_size=60)


@pytest.mark.parametrize(
    ("text", "columns"),
    [("", 0), ("abc", 3), ("宝石", 4), ("a宝", 3), ("\x1b[1;32mab\x1b[0m", 2), ("e\u0301", 1)],
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns


@given(TEXTS, st.integers(0, 70))
def test_padding_fills_up_to_the_column(text: str, columns: int) -> None:
    assert width(left(text, columns)) == max(columns, width(text)) == width(right(text, columns))


@given(TEXTS, st.integers(2, 40))
def test_clipped_text_fits(text: str, columns: int) -> None:
    assert width(clipped(text, columns)) <= columns


@given(TEXTS, st.integers(12, 40))
def test_wrapped_lines_fit_and_lose_nothing_but_spaces(text: str, columns: int) -> None:
    longest = max((width(word) for word in text.split()), default=0)
    lines = wrapped(text, columns, "  ")
    assert "".join("".join(lines).split()) == "".join(text.split())
    if longest <= columns - 2:
        assert all(width(line) <= columns for line in lines)


def test_wrapping_breaks_between_words_and_between_chinese_characters() -> None:
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("拿两枚宝石，再买牌。", 12) == ["拿两枚宝石，", "再买牌。"]


def test_a_line_never_begins_with_a_closing_mark() -> None:
    assert wrapped("拿两枚宝石，再", 10) == ["拿两枚宝", "石，再"]


def test_a_line_never_ends_with_an_opening_mark() -> None:
    assert wrapped("每组局数（一百）", 10) == ["每组局数", "（一百）"]


def test_flowing_puts_items_side_by_side() -> None:
    assert flowed(["aa", "bb", "cc"], 7, " ") == ["aa bb", "cc"]
    assert flowed([], 7) == []


def test_plain_takes_colours_away() -> None:
    assert plain("\x1b[30;42mg\x1b[0m") == "g"
