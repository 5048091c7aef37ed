"""The kernel held to every file in conformance/."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cabochon.kernel import (
    ACTIONS,
    KernelError,
    States,
    act,
    actions_of,
    check,
    deal,
    legal_actions,
    move_of,
    outcome,
    packed,
    unpack,
)
from cabochon.kernel.actions import ActionKind
from cabochon.kernel.checked import check_playable
from cabochon.kernel.entrypoints import ACT_ONLY, DEAL_CARD, advance_at_unchecked
from cabochon.kernel.layout import ACT, BLIND_DRAW, DEAL, OVER, RETURN
from cabochon.notation import (
    format_move,
    parse_card,
    parse_move,
    parse_noble,
    position_from_json,
    position_to_json,
    record_from_json,
    setup_from_json,
)
from cabochon.rules import (
    Buy,
    Deal,
    Event,
    IllegalMove,
    Opening,
    Phase,
    Position,
    Return,
    Ruleset,
)

FOLDER = Path(__file__).resolve().parents[2] / "conformance"


def paths(folder: str) -> list[Path]:
    found = sorted((FOLDER / folder).glob("*.json"))
    assert found, f"no vectors in {folder}"
    return found


def load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def cases(folder: str) -> list[Any]:
    return [
        pytest.param(case, id=f"{path.stem}: {case['name']}")
        for path in paths(folder)
        for case in load(path)["cases"]
    ]


# Counts and order


class Counter:
    """Sequences of the law's decisions, counted in kernel records with the decks in fixed order."""

    def __init__(self, decks: list[list[int]]) -> None:
        self.decks = decks

    def _after(self, states: States, action: int) -> States:
        """One action, and the next card of its level if one is due."""
        copy = states.copy()
        advance_at_unchecked(copy, 0, ACT_ONLY, action)
        return self.dealt(copy)

    def dealt(self, states: States) -> States:
        if states["phase"][0] == DEAL:
            pending = int(states["pending"][0])
            level = pending - BLIND_DRAW if pending >= BLIND_DRAW else pending >> 2
            deck, left = self.decks[level], int(states["decks"][0, level])
            advance_at_unchecked(states, 0, DEAL_CARD, deck[len(deck) - left])
        return states

    def children(self, states: States, least: int = 0) -> Iterator[States]:
        """After each decision of the law in its order: tokens go back in the order of colours, so
        every mix once."""
        for action in legal_actions(states):
            if action >= least:
                after = self._after(states, action)
                same_seat = after["turn"][0] == states["turn"][0]
                if same_seat and after["phase"][0] == RETURN == states["phase"][0]:
                    yield from self.children(after, action)
                else:
                    yield after

    def count(self, states: States, depth: int) -> int:
        if depth == 0 or states["phase"][0] == OVER:
            return 1
        if depth == 1 and states["phase"][0] == ACT:
            return len(legal_actions(states))
        return sum(self.count(after, depth - 1) for after in self.children(states))


@pytest.mark.parametrize("path", paths("perft"), ids=lambda path: path.stem)
def test_counts_and_order_of_moves(path: Path) -> None:
    vector = load(path)
    if "opening" in vector:
        opening = Opening(
            tuple(parse_noble(code) for code in vector["opening"]["nobles"]),
            tuple(tuple(parse_card(code) for code in row) for row in vector["opening"]["rows"]),
        )
        start = Position.start(Ruleset.parse(vector["ruleset"]), opening)
    else:
        start = position_from_json(vector["position"])
    counter = Counter([[parse_card(code).id for code in deck] for deck in vector["decks"]])
    states = counter.dealt(packed(start))
    if start.phase not in (Phase.RETURN, Phase.DEAL):
        moves = [start.completed(move_of(start, action)) for action in legal_actions(states)]
        assert [format_move(move) for move in moves] == vector["moves"]
    depth = len(vector["counts"]) - 1
    shares = [counter.count(after, depth - 1) for after in counter.children(states)]
    assert shares == vector["divide"]
    assert [counter.count(states, shallow) for shallow in range(depth)] == vector["counts"][:-1]


# Whole games


def _follow(states: States, position: Position, event: Event) -> None:
    """The event by the kernel; a payment with more gold than needed is beyond its table."""
    if isinstance(event, Deal):
        deal(states, 0, event.card)
    elif isinstance(event, Buy) and event != position.completed(Buy(event.card)):
        states[0] = packed(position.play(event))[0]
    else:
        for action in actions_of(position, event):
            act(states, 0, action)


@pytest.mark.parametrize("path", paths("records"), ids=lambda path: path.stem)
def test_whole_games(path: Path) -> None:
    vector = load(path)
    record = record_from_json(vector["record"])
    positions = list(record.replay())
    states = packed(positions[0])
    for position, event, after in zip(positions, record.events, positions[1:], strict=False):
        _follow(states, position, event)
        assert unpack(states) == after
    assert position_to_json(unpack(states)) == vector["final"]
    result = outcome(states)
    assert result is not None
    assert list(result.ranking) == vector["outcome"]["ranking"]
    assert result.ending.value == vector["outcome"]["ending"]


# Moves that must be refused


@pytest.mark.parametrize("case", cases("illegal"))
def test_illegal_moves(case: Any) -> None:
    position = position_from_json(case["position"])
    states = packed(position)
    legal = legal_actions(states)
    if "legal" in case and position.phase is not Phase.RETURN:
        moves = [position.completed(move_of(position, action)) for action in legal]
        assert [format_move(move) for move in moves] == case["legal"]
    before = states.tobytes()
    for refused in case["refused"]:
        action = _sayable(position, refused)
        if action is not None:
            with pytest.raises(IllegalMove) as caught:
                act(states, 0, action)
            assert caught.value.code == refused["code"]
            assert states.tobytes() == before


def _sayable(position: Position, refused: Any) -> int | None:
    """The action that means this move, if the table has one; payments and mixes are not in it."""
    move = parse_move(refused["move"])
    paid = isinstance(move, Buy) and move.payment is not None
    if refused["seat"] is not None or paid or isinstance(move, Return):
        return None
    try:
        (action,) = actions_of(position, move)
    except IllegalMove:
        return None
    return action


def test_most_kinds_of_actions_are_refused_somewhere() -> None:
    kinds = set()
    for path in paths("illegal"):
        for case in load(path)["cases"]:
            position = position_from_json(case["position"])
            actions = [_sayable(position, refused) for refused in case["refused"]]
            kinds |= {ACTIONS[action].kind for action in actions if action is not None}
    assert kinds >= set(ActionKind) - {ActionKind.RETURN}


# Arrangements


@pytest.mark.parametrize("case", cases("setups"))
def test_set_ups(case: Any) -> None:
    setup = setup_from_json(case["setup"])
    if not case["faults"]:
        states = packed(setup.position())
        check(states)
        assert unpack(states) == setup.position()
        return
    try:
        states = packed(setup._unchecked())
    except (ValueError, IndexError, KernelError, TypeError, struct.error):
        return  # no record can hold it
    with pytest.raises(KernelError):
        check_playable(states)
