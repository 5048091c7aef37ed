"""What a person types."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.cli.entry import COMMANDS, TypedCommand, read_entry, spellings
from cabochon.notation import NotationError, format_move
from cabochon.rules import Phase, Position, View
from tests.arrange import arrange, bonus_cards, hand

ACT = arrange(hands=[hand("uuu", reserved="2u5")])
RETURN = arrange("standard/4", hands=[hand("wwuuggrrkko")], phase=Phase.RETURN)
NOBLE = arrange(
    hands=[hand(bought=bonus_cards("wwwwuuuukkkk"))], nobles="wu4 wk4 gr4", phase=Phase.NOBLE
)


def view(position: Position) -> View:
    return position.view(position.seat)


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("wug", "take wug"),
        ("WUG", "take wug"),
        ("  w u g ", "take wug"),
        ("rr", "take rr"),
        ("2r", "take rr"),
        ("t wug", "take wug"),
        ("take wug", "take wug"),
        ("白蓝绿", "take wug"),
        ("2u5", "buy 2u5"),
        ("b 2u5", "buy 2u5"),
        ("B 2U5 =uuo", "buy 2u5 =uuo"),
        ("buy 2u5", "buy 2u5"),
        ("买 2u5", "buy 2u5"),
        ("r 2u5", "reserve 2u5"),
        ("r d2", "reserve deck2"),
        ("r deck2", "reserve deck2"),
        ("d3", "reserve deck3"),
        ("deck 1", "reserve deck1"),
        ("pass", "pass"),
        ("n rk4", "noble rk4"),
        ("r", "take r"),
        ("1", "take wug"),
        ("10", "take grk"),
    ],
)
def test_moves_in_short_and_in_full(typed: str, move: str) -> None:
    entry = read_entry(typed, view(ACT))
    assert not isinstance(entry, TypedCommand)
    assert format_move(entry) == move


@pytest.mark.parametrize(
    ("typed", "move"),
    [("w", "return w"), ("o", "return o"), ("return k", "return k")],
)
def test_bare_gems_go_back_when_tokens_must(typed: str, move: str) -> None:
    entry = read_entry(typed, view(RETURN))
    assert not isinstance(entry, TypedCommand)
    assert format_move(entry) == move


@pytest.mark.parametrize("typed", ["wk4", "kw4", "noble wk4", "n wk4"])
def test_a_bare_noble_is_chosen_when_one_must_be(typed: str) -> None:
    entry = read_entry(typed, view(NOBLE))
    assert not isinstance(entry, TypedCommand)
    assert format_move(entry) == "noble wk4"


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("?", TypedCommand("help")),
        ("？", TypedCommand("help")),
        ("", TypedCommand("board")),
        ("Moves", TypedCommand("moves")),
        ("b", TypedCommand("bank")),
        ("n", TypedCommand("nobles")),
        ("贵族", TypedCommand("nobles")),
        ("o", TypedCommand("others")),
        ("card 2u5", TypedCommand("card", "2u5")),
        ("save My Game.json", TypedCommand("save", "My Game.json")),
        ("q", TypedCommand("quit")),
    ],
)
def test_commands(typed: str, command: TypedCommand) -> None:
    assert read_entry(typed, view(ACT)) == command


def test_no_word_means_two_commands() -> None:
    typed = [word for name in COMMANDS for word in spellings(name)]
    assert len(typed) == len(set(typed))


@pytest.mark.parametrize("typed", ["0", "99", "26000"])
def test_a_number_that_no_move_has(typed: str) -> None:
    with pytest.raises(IndexError):
        read_entry(typed, view(ACT))


@pytest.mark.parametrize("typed", ["zork", "take", "r 9z9", "2u9", "n rk9", "-", "quit now"])
def test_what_means_nothing_is_refused(typed: str) -> None:
    with pytest.raises(NotationError):
        read_entry(typed, view(ACT))


@given(st.text(max_size=30), st.sampled_from([ACT, RETURN, NOBLE]))
def test_no_line_makes_it_stumble(typed: str, position: Position) -> None:
    try:
        read_entry(typed, view(position))
    except (NotationError, IndexError):
        return
