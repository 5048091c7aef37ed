"""Positions, set-ups and views as JSON; the shapes are in docs/notation.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cabochon.notation.errors import writer
from cabochon.notation.jsontext import (
    Json,
    as_flag,
    as_list,
    as_number,
    as_object,
    as_text,
    bad,
    numbers,
    texts,
)
from cabochon.notation.moves import parse_card, parse_noble
from cabochon.notation.positions import Arrangement, checked_view, parse_ruleset
from cabochon.rules import (
    Card,
    Facts,
    Gems,
    Hand,
    Hidden,
    Noble,
    Phase,
    Place,
    Position,
    Reserved,
    Setup,
    View,
)
from cabochon.rules.facts import HeldCard
from cabochon.rules.gems import LETTERS

VERSION = 1


@writer("setup", Position, Setup)
def position_to_json(position: Position | Setup) -> Json:
    """Plain dicts and lists; `dumps` makes the canonical text of them. Raises WrongArgument for
    what is neither a position nor a set-up."""
    return {"v": VERSION, **_facts_to_json(position)}


@writer("view", View)
def view_to_json(view: View) -> Json:
    """As a position's, with `viewer` (a seat, or null for a watcher) and no hidden card. Raises
    WrongArgument for anything but a view."""
    facts = _facts_to_json(view)
    return {"v": VERSION, "ruleset": facts["ruleset"], "viewer": view.viewer, **facts}


def position_from_json(value: object) -> Position:
    """Raises NotationError, BadRuleset, and BadSetup with all faults."""
    return setup_from_json(value).position()


def view_from_json(value: object) -> View:
    """Raises NotationError, BadRuleset, and BadSetup with all faults."""
    facts = as_object(value, "view")
    if "viewer" not in facts:
        raise bad("viewer", "0 | null", "")
    viewer = facts["viewer"]
    seat = None if viewer is None else as_number(viewer, "viewer")
    if seat is not None and seat < 0:
        raise bad("viewer", "0 | null", str(seat))
    seen = {key: held for key, held in facts.items() if key != "viewer"}
    return checked_view(setup_from_json(seen), seat)


def setup_from_json(value: object) -> Setup:
    """The arrangement, valid or not. Raises NotationError or BadRuleset. `seat` and `decks`
    follow from the rest: they may be left out, and must agree if they are there."""
    facts = as_object(value, "position")
    if "viewer" in facts:
        raise bad("viewer", "-", facts["viewer"])
    version = facts.get("v", VERSION)
    if type(version) is not int or version != VERSION:
        raise bad("v", str(VERSION), version)
    setup = Setup(
        ruleset=parse_ruleset(as_text(facts.get("ruleset"), "ruleset")),
        bank=_gems(facts.get("bank"), "bank"),
        rows=tuple(_row(row) for row in as_list(facts.get("rows"), "rows")),
        nobles=_nobles(facts.get("nobles")),
        hands=tuple(_hand(hand) for hand in as_list(facts.get("hands"), "hands")),
        turn=as_number(facts.get("turn", 0), "turn"),
        phase=_phase(facts.get("phase", "act")),
        pending=_pending(facts.get("pending")),
        passes=as_number(facts.get("passes", 0), "passes"),
        last_round=as_flag(facts.get("last_round", False), "last_round"),
    )
    _check_derived(facts, setup)
    return setup


@writer("view", View)
def view_fields_to_json(view: View, names: Iterable[str]) -> Json:
    """Those fields only, of what `view_to_json` writes. Raises WrongArgument."""
    return {name: _WRITERS[name](view) for name in names}


def public_fields_to_json(facts: Facts, names: Iterable[str]) -> Json:
    """Those fields only, of what `view_to_json` writes for everybody: any but hands and viewer.
    Raises KeyError for these."""
    return {name: _PUBLIC_WRITERS[name](facts) for name in names}


def _facts_to_json(table: Arrangement) -> Json:
    return {name: write(table) for name, write in _WRITERS.items() if name != "viewer"}


def hand_to_json(hand: Hand) -> Json:
    """One of the `hands` that `view_to_json` writes: all that this hand shows."""
    return {
        "tokens": list(hand.tokens),
        "bought": [card.code for card in hand.bought],
        "reserved": [_reserve_to_json(reserve) for reserve in hand.reserved],
        "nobles": [noble.code for noble in hand.nobles],
    }


def _reserve_to_json(reserve: HeldCard) -> Json:
    if isinstance(reserve, Hidden):
        return {"level": reserve.level}
    return {"card": reserve.card.code, "blind": reserve.blind}


def _pending_to_json(pending: Place | None) -> Json | None:
    """Places are counted from 1, as people do."""
    if pending is None:
        return None
    place = None if pending.column is None else pending.column + 1
    return {"level": pending.level, "place": place}


_WRITERS: dict[str, Callable[[Any], object]] = {
    "viewer": lambda view: view.viewer,
    "ruleset": lambda table: str(table.ruleset),
    "turn": lambda table: table.turn,
    "seat": lambda table: table.turn % table.ruleset.seats,
    "phase": lambda table: table.phase.value,
    "last_round": lambda table: table.last_round,
    "passes": lambda table: table.passes,
    "bank": lambda table: list(table.bank),
    "rows": lambda table: [[card and card.code for card in row] for row in table.rows],
    "decks": lambda table: list(table.decks() if isinstance(table, Setup) else table.decks),
    "nobles": lambda table: [noble.code for noble in table.nobles],
    "hands": lambda table: [hand_to_json(hand) for hand in table.hands],
    "pending": lambda table: _pending_to_json(table.pending),
}
"""How each field is written, in the order in which they stand."""
_PUBLIC_WRITERS = {
    name: write for name, write in _WRITERS.items() if name not in ("viewer", "hands")
}


def _check_derived(facts: Json, setup: Setup) -> None:
    seat, decks = setup.turn % setup.ruleset.seats, list(setup.decks())
    if as_number(facts.get("seat", seat), "seat") != seat:
        raise bad("seat", str(seat), facts["seat"])
    if numbers(facts.get("decks", decks), "decks") != tuple(decks):
        raise bad("decks", str(decks), facts["decks"])


def _gems(value: object, field: str) -> Gems:
    counts = numbers(value, field)
    if len(counts) != len(LETTERS):
        raise bad(field, "[4,4,4,4,4,5]", value)
    return Gems(*counts)


def _row(value: object) -> tuple[Card | None, ...]:
    row = as_list(value, "rows")
    return tuple(None if code is None else parse_card(as_text(code, "rows")) for code in row)


def _nobles(value: object) -> tuple[Noble, ...]:
    return tuple(parse_noble(code) for code in texts(value, "nobles"))


def _hand(value: object) -> Hand:
    hand = as_object(value, "hands")
    return Hand(
        _gems(hand.get("tokens"), "tokens"),
        tuple(parse_card(code) for code in texts(hand.get("bought"), "bought")),
        tuple(_reserve(item) for item in as_list(hand.get("reserved"), "reserved")),
        _nobles(hand.get("nobles")),
    )


def _reserve(value: object) -> HeldCard:
    reserve = as_object(value, "reserved")
    if "card" in reserve:
        card = parse_card(as_text(reserve["card"], "card"))
        return Reserved(card, as_flag(reserve.get("blind", False), "blind"))
    level = as_number(reserve.get("level"), "level")
    if level not in (1, 2, 3):
        raise bad("level", "1 | 2 | 3", str(level))
    return Hidden(level)


def _phase(value: object) -> Phase:
    text = as_text(value, "phase")
    if text not in tuple(Phase):
        raise bad("phase", " | ".join(Phase), text)
    return Phase(text)


def _pending(value: object) -> Place | None:
    if value is None:
        return None
    pending = as_object(value, "pending")
    place = pending.get("place")
    column = None if place is None else as_number(place, "place") - 1
    return Place(as_number(pending.get("level"), "level"), column)
