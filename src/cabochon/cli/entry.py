"""What a person types: a move in the notation or a shorter spelling of it, or a command.

wug            take wug (or return it, when tokens must go back)
t rr           take rr
2u5, b 2u5     buy 2u5                b 2u5 =uuo pays so
r 2u5, r d2    reserve 2u5, the top card of deck 2
rk4            noble rk4, when one must be chosen
12             the twelfth move of the list that `moves` shows
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from cabochon.cli.terminal import Terminal
from cabochon.notation import (
    NotationError,
    parse_card,
    parse_gems,
    parse_move,
    parse_noble,
)
from cabochon.rules import Buy, ChooseNoble, Gems, Move, Phase, Return, Take, View
from cabochon.words import in_all_languages

COMMANDS = (
    *("help", "moves", "hint", "board", "bank", "market", "nobles", "me", "others", "last"),
    *("card", "pay", "rules", "save", "resign", "quit"),
)
"""What can be asked of the program; how each is typed is in the catalogue."""
ONLINE_COMMANDS = ("say", "takeback", "agree", "decline", "rematch", "claim")
"""What can be asked of a server's table besides."""
WITH_ARGUMENT = ("card", "pay", "save", "say")

_SHORT = re.compile(r"([trbn])\s+(.+)", re.DOTALL)
_DECK = re.compile(r"(?:d|deck)\s*([0-9])")
_VERBS = {"t": "take", "r": "reserve", "b": "buy", "n": "noble"}


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """Something asked of the program, not of the game."""

    name: str
    argument: str = ""


def understood(
    line: str, view: View, terminal: Terminal, *, online: bool = False
) -> Move | TypedCommand | None:
    """What the line means here; None when it means nothing, which the terminal then says."""
    try:
        return read_entry(line, view, online=online)
    except NotationError as error:
        if line.strip().lower() in spellings("takeback"):
            terminal.tell(terminal.words("play.no-undo"))
            return None
        terminal.tell(error.text(terminal.words.lang))
        terminal.say(terminal.words("play.try-help"))
    except IndexError:
        terminal.tell(terminal.words("play.no-number", most=len(view.legal_moves())))
    return None


def read_entry(text: str, view: View, *, online: bool = False) -> Move | TypedCommand:
    """What the line means here. Raises NotationError for what means nothing, IndexError for a
    number that no move has."""
    text = text.strip()
    low = text.lower()
    if view.phase is Phase.RETURN:
        gems = _gems(low)
        if gems:
            return Return(gems)
    command = read_command(text, online=online)
    if command is not None:
        return command
    if low.isascii() and low.isdigit():
        return _numbered(low, view)
    return _bare(low, view) or parse_move(_spelled_out(low))


def spellings(command: str) -> tuple[str, ...]:
    """How the command, or `yes`, can be typed: in any language, whichever is spoken."""
    words = " ".join(in_all_languages(f"commands.{command}").values()).split()
    return (*words, "") if command == "board" else tuple(words)


@cache
def _command_of(online: bool) -> dict[str, str]:
    known = (*COMMANDS, *ONLINE_COMMANDS) if online else COMMANDS
    return {word: name for name in known for word in spellings(name)}


def read_command(text: str, *, online: bool = False) -> TypedCommand | None:
    """The command that the line is, if it is one."""
    word, _, argument = text.strip().partition(" ")
    name = _command_of(online).get(word.lower())
    if name is None or (argument.strip() and name not in WITH_ARGUMENT):
        return None
    return TypedCommand(name, argument.strip())


def _numbered(text: str, view: View) -> Move:
    moves = view.legal_moves()
    if len(text) > 3 or not 1 <= int(text) <= len(moves):
        raise IndexError(len(moves))
    return moves[int(text) - 1]


def _bare(text: str, view: View) -> Move | None:
    """A move without its verb, if there is only one it can be."""
    deck = _DECK.fullmatch(text)
    if deck:
        return parse_move(f"reserve deck{deck[1]}")
    try:
        return Buy(parse_card(text))
    except NotationError:
        pass
    if view.phase is Phase.NOBLE:
        try:
            return ChooseNoble(parse_noble(text))
        except NotationError:
            return None
    gems = _gems(text)
    return Take(gems) if gems else None


def _gems(text: str) -> Gems | None:
    """The gems that the text is, if it is nothing else; no gems at all are none."""
    try:
        gems = parse_gems(text)
    except NotationError:
        return None
    return gems if gems.total else None


def _spelled_out(text: str) -> str:
    short = _SHORT.fullmatch(text)
    if short is None:
        return text
    verb, rest = _VERBS[short[1]], short[2]
    deck = _DECK.fullmatch(rest)
    return f"{verb} deck{deck[1]}" if deck else f"{verb} {rest}"
