"""The record's text straight from the kernel's log: the same bytes as `format_record` writes,
many times faster. A test compares the two."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from cabochon.kernel import ACTIONS
from cabochon.kernel.actions import GIVE_BACK, ActionKind
from cabochon.kernel.layout import NO_CARD
from cabochon.notation import turn_label
from cabochon.rules import CARDS, NOBLES, Gem, Ruleset
from cabochon.rules.gems import LETTERS

_CODES = [card.code for card in CARDS]
_NOBLE_CODES = [noble.code for noble in NOBLES]
_KINDS = [action.kind for action in ACTIONS]
_TEXTS = [action.text for action in ACTIONS]


def record_text(
    ruleset: Ruleset,
    players: Sequence[str],
    game: Any,
    rows: Any,
    ranking: Sequence[int],
    ending: str,
) -> str:
    """The canonical text of one game of the log."""
    result = "*" if ending == "endless" else f"result {'-'.join(map(str, ranking))} {ending}"
    turns = _turns(ruleset.seats, rows)
    blocks = [_headers(ruleset, players), _opening(ruleset, game), "\n".join([*turns, result])]
    return "\n\n".join(blocks) + "\n"


def _headers(ruleset: Ruleset, players: Sequence[str]) -> str:
    lines = ['[Cabochon "1"]', f'[Ruleset "{ruleset}"]']
    lines += [f'[Seat{seat} "{name}"]' for seat, name in enumerate(players)]
    return "\n".join(lines)


def _opening(ruleset: Ruleset, game: Any) -> str:
    nobles = game["nobles"].tolist()[: ruleset.noble_count]
    board, width = game["board"].tolist(), ruleset.row_width
    lines = ["nobles " + " ".join(_NOBLE_CODES[noble] for noble in nobles)]
    for level in range(3):
        row = board[4 * level : 4 * level + width]
        lines.append(f"row{level + 1} " + " ".join(_CODES[card] for card in row))
    return "\n".join(lines)


def _turns(seats: int, rows: Any) -> list[str]:
    """One line per turn; tokens that go back one by one are one return."""
    lines: list[str] = []
    line, returned, last = "", "", -1
    columns = (rows[name].tolist() for name in ("turn", "action", "thing", "paid", "dealt"))
    for turn, action, thing, paid, dealt in zip(*columns, strict=True):
        if turn != last:
            if line:
                lines.append(line + _given_back(returned))
            line, returned, last = f"{turn_label(turn, seats)}. ", "", turn
        else:
            line += "" if _KINDS[action] is ActionKind.RETURN else "; "
        if _KINDS[action] is ActionKind.RETURN:
            returned += LETTERS[action - GIVE_BACK]
            continue
        line += _move(action, thing, paid)
        if dealt != NO_CARD:
            line += f"; deal {_CODES[dealt]}"
    if line:
        lines.append(line + _given_back(returned))
    return lines


def _move(action: int, thing: int, paid: int) -> str:
    kind = _KINDS[action]
    if kind is ActionKind.BUY or kind is ActionKind.BUY_RESERVED:
        return f"buy {_CODES[thing]} ={_gems(paid)}"
    if kind is ActionKind.RESERVE:
        return f"reserve {_CODES[thing]}"
    if kind is ActionKind.NOBLE:
        return f"noble {_NOBLE_CODES[thing]}"
    return _TEXTS[action]


@cache
def _gems(lanes: int) -> str:
    """Counts in a word of lanes as letters; `-` for nothing."""
    return "".join(LETTERS[gem] * (lanes >> 8 * gem & 255) for gem in Gem) or "-"


def _given_back(letters: str) -> str:
    return "; return " + "".join(sorted(letters, key=LETTERS.index)) if letters else ""
