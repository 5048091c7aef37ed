"""Every code can happen, and says what came and what was expected in two languages."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cabochon.notation import NotationError, NotationFault
from cabochon.notation.errors import cut, located
from cabochon.record import RecordFault
from cabochon.recordfaults import Verdict
from cabochon.rules.errors import TwoLanguages
from cabochon.words import texts_of

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("code", [*NotationFault, *RecordFault])
def test_every_code_is_provoked_by_some_test(code: str) -> None:
    pages = [*TESTS.glob("notation/test_*.py"), *TESTS.glob("record/test_*.py")]
    texts = [page.read_text("utf-8") for page in pages if page.name != "test_errors.py"]
    name = code.replace("-", "_").upper()
    assert any(f'"{code}"' in text or f".{name}" in text for text in texts)


@pytest.mark.parametrize("code", [*NotationFault, *RecordFault, *Verdict])
def test_every_code_has_a_sentence_in_both_languages_with_the_same_blanks(code: str) -> None:
    area = "findings" if isinstance(code, Verdict) else "errors"
    en, zh = (texts_of(lang)[f"{area}.{code}"] for lang in ("en", "zh"))
    assert re.search("[一-鿿]", zh)
    assert not re.search("[一-鿿]", en)
    blanks: Callable[[str], set[str]] = lambda text: set(re.findall(r"{(\w+)}", text))  # noqa: E731
    assert blanks(en) == blanks(zh)


def test_what_came_is_cut_and_made_printable() -> None:
    assert cut("short") == "short"
    assert cut("x" * 61) == "x" * 59 + "…"
    assert cut("a\x1b\nb") == "a��b"


def test_an_error_keeps_its_place_through_pickling() -> None:
    error = located(NotationError(NotationFault.UNKNOWN_GEM, text="x"), line=3, ply=7)
    again = pickle.loads(pickle.dumps(error))
    assert again == error
    assert again.en == error.en
    assert error.en.startswith("Line 3, ply 7: Can't read “x” as gems")
    assert error.zh.startswith("第 3 行，第 7 步：")


def test_whoever_speaks_two_languages_has_to_say_what() -> None:
    with pytest.raises(NotImplementedError):
        _ = TwoLanguages().en
