"""The picture: well formed, complete, the same each time, and blind to what is hidden."""

from __future__ import annotations

import runpy
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cabochon.render.svg import svg
from cabochon.rules import (
    CARDS,
    NOBLES,
    Card,
    Deck,
    Facts,
    Hand,
    Hidden,
    Position,
    Reserve,
    Reserved,
    Ruleset,
    ShuffledDealer,
    WrongArgument,
)
from cabochon.rules.perft import dealt

ROOT = Path(__file__).parents[2]
SPACE = "{http://www.w3.org/2000/svg}"
MIDDLE = runpy.run_path(str(ROOT / "examples" / "draw_the_table.py"))


def middle_game(variant: str, seats: int, turns: int = 40) -> Position:
    ruleset = Ruleset.preset(variant, seats)
    position = MIDDLE["middle_game"](ruleset, ShuffledDealer("pictures"), turns)
    assert isinstance(position, Position)
    return position


def with_blind_reserves(position: Position) -> Position:
    """Everybody reserves from a deck once."""
    dealer = ShuffledDealer("pictures")
    for _ in position.hands:
        position = dealt(position.play(Reserve(Deck(2))), dealer)
    return position


@pytest.fixture(scope="module")
def blind() -> Position:
    ruleset = Ruleset.preset("standard", 3)
    dealer = ShuffledDealer("pictures")
    return with_blind_reserves(Position.start(ruleset, dealer.opening(ruleset)))


def titles(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SPACE}title")]


def codes(picture: str) -> list[str]:
    """Of the cards in it: their titles begin with the code."""
    known = {card.code for card in CARDS}
    return sorted(title[:3] for title in titles(picture) if title[:3] in known)


def shown(facts: Facts) -> list[str]:
    cards = [card for row in facts.rows for card in row if card is not None]
    for hand in facts.hands:
        cards += [r.card for r in hand.reserved if isinstance(r, Reserved)]
    return sorted(card.code for card in cards)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("variant", "seats"),
    [("standard", 2), ("standard", 3), ("standard", 4), ("quick", 3), ("teams", 4)],
)
def test_every_visible_card_is_drawn_once(variant: str, seats: int, lang: str) -> None:
    position = middle_game(variant, seats, turns=20 + seats)
    for facts in (position, position.view(0), position.view(None)):
        assert codes(svg(facts, lang=lang)) == shown(facts)


def test_every_noble_deck_and_seat_is_named() -> None:
    position = middle_game("standard", 4)
    spoken = "\n".join(titles(svg(position)))
    assert all(noble.name in spoken for noble in position.nobles)
    assert all(f"Deck of level {i + 1}: {n} left" in spoken for i, n in enumerate(position.decks))
    assert all(f"Seat {seat + 1}: " in spoken for seat in range(4))


def test_all_cards_and_nobles_can_be_drawn() -> None:
    ruleset = Ruleset.preset("standard", 4)
    dealer = ShuffledDealer("pictures")
    position = Position.start(ruleset, dealer.opening(ruleset))
    for first in range(0, 90, 4):
        cards = CARDS[first : first + 4]
        row: tuple[Card | None, ...] = (*cards, *(None,) * (4 - len(cards)))
        ET.fromstring(svg(replace(position, rows=(row, *position.rows[1:]))))
    for first in (0, 5):
        ET.fromstring(svg(replace(position, nobles=NOBLES[first : first + 5])))


@pytest.mark.parametrize("facts", [None, "x", 5, Ruleset()])
def test_what_is_no_table_is_not_drawn(facts: Any) -> None:
    with pytest.raises(WrongArgument, match="facts should be a position or a view, not"):
        svg(facts)


def test_same_facts_same_bytes() -> None:
    position = middle_game("standard", 2)
    assert svg(position) == svg(position)
    assert svg(position, seat=1) == svg(position.view(1))


def test_a_view_never_shows_what_it_hides(blind: Position) -> None:
    """Swapping the cards a viewer cannot know leaves the viewer's bytes as they were."""
    spare = [card for card in CARDS if card.level == 2 and blind.in_deck(card)]

    def swapped(seat: int, hand: Hand, viewer: int | None) -> Hand:
        if seat == viewer:
            return hand
        return replace(hand, reserved=(Reserved(spare[seat], blind=True),))

    for viewer in (0, 1, 2, None):
        hands = tuple(swapped(seat, hand, viewer) for seat, hand in enumerate(blind.hands))
        other = replace(blind, hands=hands)
        assert svg(other.view(viewer)) == svg(blind.view(viewer))
        hidden = [h.reserved[0] for s, h in enumerate(blind.hands) if s != viewer]
        drawn = codes(svg(blind.view(viewer)))
        assert all(isinstance(r, Reserved) and r.card.code not in drawn for r in hidden)


def test_a_hidden_card_is_a_back_with_its_level(blind: Position) -> None:
    assert isinstance(blind.view(0).hands[1].reserved[0], Hidden)
    assert titles(svg(blind.view(0))).count("A hidden card of level 2") == 2


def test_nothing_comes_from_outside() -> None:
    picture = svg(middle_game("standard", 2))
    for element in ET.fromstring(picture).iter():
        assert element.tag != f"{SPACE}script"
        assert all(not name.startswith("on") for name in element.attrib)
        href = element.get("href", "#")
        assert href.startswith("#")
    assert "url(http" not in picture
    assert "@import" not in picture


def test_whose_turn_and_who_has_won() -> None:
    position = middle_game("standard", 2)
    assert titles(svg(position, seat=0))[0] == "Cabochon: You · take tokens, buy or reserve"
    over = middle_game("standard", 2, turns=999)
    assert over.outcome() is not None
    assert titles(svg(over))[0].startswith("Cabochon: Game over · Seat ")


def test_a_language_or_seat_there_is_none_of_is_refused() -> None:
    position = middle_game("standard", 2, turns=1)
    with pytest.raises(ValueError, match="seat 2"):
        svg(position, seat=2)
    with pytest.raises(ValueError, match="no language xx"):
        svg(position, lang="xx")


def test_notebooks_show_the_picture() -> None:
    position = middle_game("standard", 2)
    assert position._repr_svg_() == svg(position)
    assert position.view(1)._repr_svg_() == svg(position, seat=1)


def test_the_picture_in_the_docs_is_up_to_date(tmp_path: Path) -> None:
    MIDDLE["main"](tmp_path / "board.svg")
    drawn = (tmp_path / "board.svg").read_text("utf-8")
    assert drawn == (ROOT / "docs" / "img" / "board.svg").read_text("utf-8"), (
        "run examples/draw_the_table.py"
    )
