"""What is said at a table: phrases for everybody, free text among friends, and hints.

Free text is only for tables that nobody can find: not listed, every chair taken by its own private
link, no programs from outside. It begins when all people there have switched it on, and ends when
one of them switches it off. Watchers see none of it. The phrases are preset, so that nobody needs a
moderator or a dictionary.

Somebody who plays against bots alone may ask the engine for a hint. The hint is noted in the
table's log and in its record.
"""

from __future__ import annotations

import re
import unicodedata

from cabochon.play.chairs import Kind
from cabochon.play.commands import check_in_game, decided
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Hinted, Said, TextingSwitched, Wrote
from cabochon.play.table import Decision, Table
from cabochon.rules import View

PHRASES = (
    *("hello", "good-luck", "thanks", "nice", "wow", "oops", "that-hurt", "thinking", "moment"),
    *("back", "sorry", "well-played", "good-game", "again", "bye"),
)
"""Their names; what they say is in the catalogue, under `chat`."""


LONGEST_TEXT = 200
_MEANT = "\u200c\u200d\ufe0e\ufe0f"
"""Joiners and styles: part of some scripts, and of pictures."""
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols without anything to see."""
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
MOST_MARKS = 4
"""Accents on one letter, as UTS #39 advises: more would run into the lines above and below."""


def say(table: Table, seat: int, phrase: str, now: int) -> Decision:
    if phrase not in PHRASES:
        raise TableRefused(TableFault.UNKNOWN_PHRASE, phrase=phrase[:40])
    table.spent[seat].check_said()
    return decided(table, Said(now, seat, phrase))


def write(table: Table, seat: int, text: str, now: int) -> Decision:
    """Own words. Raises TableRefused where not everybody wants that, or it can't be seen."""
    _check_private(table)
    if not is_agreed(table):
        raise TableRefused(TableFault.TEXT_NOT_AGREED)
    tidied = tidy_text(text)
    table.spent[seat].check_said()
    return decided(table, Wrote(now, seat, tidied))


def switch_texting(table: Table, seat: int, on: bool, now: int) -> Decision:
    _check_private(table)
    if (seat in table.texting) is on:
        return Decision((), table)
    table.spent[seat].check_said()
    return decided(table, TextingSwitched(now, seat, on))


def may_text(table: Table) -> bool:
    """Whether people there could agree to write: at least two, at a table that is not listed,
    and nobody whom they do not know."""
    if table.options.listed or any(chair.token is not None for chair in table.chairs):
        return False
    return len(_parties(table)) > 1


def is_agreed(table: Table) -> bool:
    """Whether everybody has switched it on; one who plays several seats once for all of them."""
    wanted = set(table.texting)
    return all(wanted & seats for seats in _parties(table))


def _check_private(table: Table) -> None:
    if not may_text(table):
        raise TableRefused(TableFault.TEXT_OFF)


def _parties(table: Table) -> list[set[int]]:
    """The seats of each person; an open chair is somebody who has not agreed yet."""
    parties: dict[str, set[int]] = {}
    for seat, chair in enumerate(table.chairs):
        if chair.kind is not Kind.BOT:
            parties.setdefault(chair.holder or str(seat), set()).add(seat)
    return list(parties.values())


def tidy_text(text: str) -> str:
    """In its usual form, with single spaces. Raises TableRefused for what is too long, or has
    something in it that can't be seen."""
    text = re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).strip()
    seen = any(unicodedata.category(c)[0] in "LNSP" and c not in _BLANK for c in text)
    if not 0 < len(text) <= LONGEST_TEXT or not seen or not _is_plain(text):
        raise TableRefused(TableFault.TEXT_UNSEEN, most=LONGEST_TEXT)
    return text


def _is_plain(text: str) -> bool:
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        if character not in _MEANT:
            marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks > MOST_MARKS or (category in _UNSEEN and character not in _MEANT):
            return False
    return True


# Hints


def hint_view(table: Table, seat: int, version: int) -> View:
    """What the seat knows where it wants a hint. Raises TableRefused where none is given."""
    check_in_game(table, seat)
    _check_alone(table, seat)
    if table.to_act != seat:
        raise TableRefused(TableFault.HINT_NOT_NOW)
    if not table.is_fresh(seat, version):
        raise TableRefused(TableFault.STALE, seen=version, version=table.version)
    if table.running.turn not in table.hints:
        table.spent[seat].check_hints()
    return table.running.view(seat)


def gives_hints(table: Table) -> bool:
    """Whether the player there may have hints."""
    people = [seat for seat, chair in enumerate(table.chairs) if chair.has_say]
    if len(people) != 1:
        return False
    try:
        _check_alone(table, people[0])
    except TableRefused:
        return False
    return True


def hinted(table: Table, seat: int, version: int, now: int) -> Decision:
    """A hint is given; it counts once a turn. Raises as `hint_view` does."""
    turn = hint_view(table, seat, version).turn
    if turn in table.hints:
        return Decision((), table)
    return decided(table, Hinted(now, seat, turn))


def _check_alone(table: Table, seat: int) -> None:
    """One person, and bots of the house: nobody else, at this device or another, and no lesson."""
    if table.options.tutorial:
        raise TableRefused(TableFault.HINT_LESSON)
    if not table.options.allows_help:
        raise TableRefused(TableFault.RATED_HINT)
    for other, chair in enumerate(table.chairs):
        by_person = chair.kind is Kind.HUMAN and chair.token is None
        if by_person is not (other == seat) or chair.token is not None:
            raise TableRefused(TableFault.HINT_OFF)
