"""A whole position on one line; a view too, with `?` for what is hidden.

    standard/2 4 act 0 - w3u4g3r4k4o4 1w1,1u2,.,1k4/2w1,…/3w1,… rk4,gr4,ug4 w1g1|1w3|2u5,(2k1)|- …

are the ruleset, the turn, the phase, passes in a row, `last` in the last round, the bank, the rows
with level 1 first, the nobles, and for each seat a hand: tokens|bought|reserved|nobles.

A card in brackets was drawn unseen: its owner knows it. In a view somebody else's is `2?`. A view
begins with whose it is: `seat0 standard/2 …`, `watch standard/2 …`.

Reading gives a `Setup`, which may be invalid; the Position comes from it, or all its faults.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from cabochon.notation.errors import NotationError, NotationFault, cut, only_text, writer
from cabochon.notation.jsontext import bad
from cabochon.notation.moves import parse_card, parse_noble
from cabochon.rules import (
    BadSetup,
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
    Ruleset,
    Setup,
    View,
)
from cabochon.rules.errors import SetupFault
from cabochon.rules.facts import HeldCard
from cabochon.rules.gems import LETTERS

MOST = 4000
"""No position needs more characters; anything longer is refused unread."""

Arrangement: TypeAlias = Facts | Setup

_FIELDS = 8
_PHASE = re.compile(r"(act|deal|noble|return|over)(?:([0-9])(?:\.([0-9]))?)?")
_NUMBER = re.compile(r"-?[0-9]{1,6}")
_TOKENS = re.compile(r"([wugrko*])(-?[0-9]{1,3})?")
_VIEWER = re.compile(r"seat([0-3])|watch")
_BLIND = re.compile(r"\((\w+)\)")
_HIDDEN = re.compile(r"([1-3])\?")


@writer("setup", Position, Setup)
def format_position(position: Position | Setup) -> str:
    """The one line that holds everything, hidden cards included. Raises WrongArgument for what is
    neither a position nor a set-up."""
    return _format(position)


@writer("view", View)
def format_view(view: View) -> str:
    """One line with what the viewer may know, and nothing else. Raises WrongArgument for anything
    but a view."""
    whose = "watch" if view.viewer is None else f"seat{view.viewer}"
    return f"{whose} {_format(view)}"


def parse_position(text: str) -> Position:
    """Raises NotationError for text that can't be read, BadRuleset, and BadSetup with all
    faults."""
    return parse_setup(text).position()


def parse_setup(text: str) -> Setup:
    """The arrangement that the line says, valid or not. Raises NotationError or BadRuleset."""
    fields = _fields(text)
    if fields and _VIEWER.fullmatch(fields[0]):
        raise NotationError(NotationFault.VIEW_GIVEN, text=cut(text))
    return _setup(fields)


def parse_view(text: str) -> View:
    """Raises NotationError for unreadable text, BadRuleset, and BadSetup with all faults."""
    fields = _fields(text)
    whose = _VIEWER.fullmatch(fields[0]) if fields else None
    if whose is None:
        raise NotationError(NotationFault.NOT_A_VIEW, text=cut(text))
    return checked_view(_setup(fields[1:]), None if whose[1] is None else int(whose[1]))


def checked_view(setup: Setup, viewer: int | None) -> View:
    """The view that the arrangement shows: checked like a position, except that others' hidden
    cards are as they should be. Raises NotationError, and BadSetup with all faults."""
    if viewer is not None and viewer >= setup.ruleset.seats:
        raise bad("viewer", f"0-{setup.ruleset.seats - 1}", str(viewer))
    for seat, hand in enumerate(setup.hands):
        for reserve in hand.reserved:
            if isinstance(reserve, Reserved) and reserve.blind and seat != viewer:
                raise NotationError(NotationFault.KNOWS_TOO_MUCH, text=_format_reserve(reserve))
    faults = [
        fault
        for fault in setup.faults()
        if fault.code is not SetupFault.CARD_HIDDEN or fault.params["seat"] == viewer
    ]
    if faults:
        raise BadSetup(faults)
    return View(**setup.facts(), viewer=viewer)


def parse_ruleset(text: str) -> Ruleset:
    """`standard/2`, `quick/3:scarce=no`, in any case. Raises NotationError or BadRuleset."""
    if len(only_text(text)) > 60 or not text.isprintable():
        raise bad("ruleset", "standard/2", text)
    return Ruleset.parse(text.lower())


def _format(table: Arrangement) -> str:
    fields = (
        str(table.ruleset),
        str(table.turn),
        _format_phase(table.phase, table.pending),
        str(table.passes),
        "last" if table.last_round else "-",
        _format_tokens(table.bank),
        "/".join(_format_row(row) for row in table.rows),
        _codes(table.nobles),
        *(_format_hand(hand) for hand in table.hands),
    )
    return " ".join(fields)


def _format_phase(phase: Phase, pending: Place | None) -> str:
    if pending is None:
        return phase.value
    column = "" if pending.column is None else f".{pending.column + 1}"
    return f"{phase.value}{pending.level}{column}"


def _format_tokens(tokens: Gems) -> str:
    piles = zip(LETTERS, tokens, strict=True)
    return "".join(f"{letter}{count}" for letter, count in piles if count) or "-"


def _format_row(row: Iterable[Card | None]) -> str:
    return ",".join("." if card is None else card.code for card in row) or "-"


def _codes(things: Iterable[Card | Noble]) -> str:
    return ",".join(thing.code for thing in things) or "-"


def _format_hand(hand: Hand) -> str:
    reserved = ",".join(_format_reserve(reserve) for reserve in hand.reserved) or "-"
    tokens, bought = _format_tokens(hand.tokens), _codes(hand.bought)
    return f"{tokens}|{bought}|{reserved}|{_codes(hand.nobles)}"


def _format_reserve(reserve: HeldCard) -> str:
    if isinstance(reserve, Hidden):
        return f"{reserve.level}?"
    return f"({reserve.card.code})" if reserve.blind else reserve.card.code


def _fields(text: str) -> list[str]:
    if len(only_text(text)) > MOST:
        raise NotationError(NotationFault.TOO_LONG, length=len(text), most=MOST, text=cut(text))
    return text.lower().split()


def _setup(fields: list[str]) -> Setup:
    if len(fields) <= _FIELDS:
        raise NotationError(
            NotationFault.NOT_A_POSITION, count=len(fields), text=cut(" ".join(fields))
        )
    ruleset, turn, phase, passes, last, bank, rows, nobles, *hands = fields
    step, pending = _parse_phase(phase)
    return Setup(
        ruleset=parse_ruleset(ruleset),
        bank=_parse_tokens(bank, "bank"),
        rows=tuple(_parse_row(row) for row in rows.split("/")),
        nobles=tuple(parse_noble(code) for code in _items(nobles)),
        hands=tuple(_parse_hand(hand) for hand in hands),
        turn=_parse_number(turn, "turn"),
        phase=step,
        pending=pending,
        passes=_parse_number(passes, "passes"),
        last_round=_parse_last(last),
    )


def _parse_phase(text: str) -> tuple[Phase, Place | None]:
    found = _PHASE.fullmatch(text)
    if found is None:
        raise bad("phase", "act | deal2.3 | deal2 | noble | return | over", text)
    phase, level, place = found.groups()
    column = None if place is None else int(place) - 1
    return Phase(phase), None if level is None else Place(int(level), column)


def _parse_number(text: str, field: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise bad(field, "12", text)
    return int(text)


def _parse_last(text: str) -> bool:
    if text not in ("last", "-"):
        raise bad("last", "last | -", text)
    return text == "last"


def _parse_tokens(text: str, field: str) -> Gems:
    counts, at = [0] * len(LETTERS), 0
    while at < len(text) and text != "-":
        found = _TOKENS.match(text, at)
        if found is None:
            raise bad(field, "w4u4g4r4k4o5", text)
        counts[LETTERS.index(found[1].replace("*", "o"))] += int(found[2] or 1)
        at = found.end()
    return Gems(*counts)


def _parse_row(text: str) -> tuple[Card | None, ...]:
    return tuple(None if code == "." else parse_card(code) for code in _items(text))


def _parse_hand(text: str) -> Hand:
    parts = text.split("|")
    if len(parts) != 4:
        raise bad("hand", "w1g1|1w3|2u5|-", text)
    tokens, bought, reserved, nobles = parts
    return Hand(
        _parse_tokens(tokens, "hand"),
        tuple(parse_card(code) for code in _items(bought)),
        tuple(_parse_reserve(code) for code in _items(reserved)),
        tuple(parse_noble(code) for code in _items(nobles)),
    )


def _parse_reserve(text: str) -> HeldCard:
    hidden = _HIDDEN.fullmatch(text)
    if hidden:
        return Hidden(int(hidden[1]))
    blind = _BLIND.fullmatch(text)
    return Reserved(parse_card(blind[1]), blind=True) if blind else Reserved(parse_card(text))


def _items(text: str) -> list[str]:
    return [] if text == "-" else text.split(",")
