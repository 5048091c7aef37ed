"""docs/notation.md is executed, so what it says is so."""

from __future__ import annotations

import doctest
from pathlib import Path

from cabochon.record import Reason
from cabochon.rules import CARDS, ShuffledDealer, commitment, seating

PAGE = Path(__file__).parents[2] / "docs" / "notation.md"


def test_every_session_of_the_page() -> None:
    outcome = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert outcome.attempted > 40
    assert outcome.failed == 0


def test_the_page_names_every_reason_of_a_result() -> None:
    text = PAGE.read_text("utf-8")
    for reason in Reason:
        assert f'"{reason}"' in text


def test_the_vector_of_the_fair_deal_never_changes() -> None:
    """Written down here too: old seeds must deal the same cards for ever."""
    dealer = ShuffledDealer("cabochon")
    nobles = " ".join(noble.code for noble in dealer._nobles)
    assert nobles == "rk4 ugr3 wug3 wuk3 wu4 ug4 wk4 grk3 wrk3 gr4"
    assert [[CARDS[number].code for number in deck[:6]] for deck in dealer._decks] == [
        ["1r3", "1k7", "1g2", "1k6", "1u3", "1r2"],
        ["2u6", "2u5", "2r6", "2w3", "2w6", "2r1"],
        ["3w3", "3r3", "3w2", "3g4", "3r4", "3k1"],
    ]
    assert seating("cabochon", 4) == (1, 2, 0, 3)
    expected = "85d1ea2ca0ba89255f193272bf49be2d4518d6de262fd710029104f7b48a34bf"
    assert commitment("cabochon") == expected
