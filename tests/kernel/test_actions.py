"""The frozen action table."""

from __future__ import annotations

import pytest

from cabochon.kernel import (
    ACTION_TABLE_VERSION,
    ACTIONS,
    actions_of,
    move_of,
    parse_action,
    table_hash,
)
from cabochon.kernel.actions import ActionKind
from cabochon.kernel.layout import LANE, TAKE
from cabochon.rules import Buy, Gem, IllegalMove, Phase, Refusal, Reserve, Return, Take, card
from cabochon.rules.moves import Deck, Move
from tests.arrange import arrange, hand, play, take
from tests.games import RULESETS, RandomGame


def test_the_table_is_pinned() -> None:
    """A change of meaning needs a new version and a new hash; never edit this line alone."""
    assert (ACTION_TABLE_VERSION, len(ACTIONS), table_hash()) == (1, 72, "ce086ead82f47b86")


def test_the_order_of_the_families() -> None:
    kinds = [action.kind for action in ACTIONS]
    firsts = {kind: kinds.index(kind) for kind in ActionKind}
    assert firsts == {
        ActionKind.TAKE: 0,
        ActionKind.RESERVE: 30,
        ActionKind.RESERVE_DECK: 42,
        ActionKind.BUY: 45,
        ActionKind.BUY_RESERVED: 57,
        ActionKind.PASS: 60,
        ActionKind.RETURN: 61,
        ActionKind.NOBLE: 67,
    }


def test_texts_are_unique_and_read_back() -> None:
    assert len({action.text for action in ACTIONS}) == len(ACTIONS)
    for action in ACTIONS:
        assert parse_action(action.text) is action
    with pytest.raises(KeyError):
        parse_action("buy 4.1")


def test_the_kernels_takes_are_the_tables() -> None:
    for action in ACTIONS:
        if action.kind is ActionKind.TAKE:
            word = int(TAKE[action.index])
            assert tuple(word >> LANE * gem & 255 for gem in Gem) == action.gems


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_legal_moves_come_in_the_order_of_the_table(ruleset: object) -> None:
    assert ruleset in RULESETS
    for position in RandomGame(RULESETS[RULESETS.index(ruleset)], 3, "uniform", 120).positions():
        if position.phase in (Phase.ACT, Phase.NOBLE):
            numbers = [actions_of(position, move) for move in position.legal_moves()]
            assert numbers == sorted(numbers)


@pytest.mark.parametrize("temperament", ["builder", "gambler"])
def test_moves_and_actions_translate_back(temperament: str) -> None:
    for position in RandomGame(RULESETS[1], 8, temperament, 200).positions():
        for move in position.legal_moves():
            if isinstance(move, Return):
                continue
            (action,) = actions_of(position, move)
            assert position.completed(move_of(position, action)) == move


def test_a_return_is_one_action_a_token() -> None:
    position = play(arrange("standard/3", hands=[hand("wwwuuggrro")]), take("kk"))
    two = Return(take("wo").gems)
    assert [ACTIONS[a].text for a in actions_of(position, two)] == ["return w", "return o"]


@pytest.mark.parametrize(
    "move",
    [
        Take(take("wwu").gems),
        Reserve(card("3k4")),
        Buy(card("3k4")),
        "no move",
    ],
)
def test_what_the_table_cannot_say_is_refused(move: Move) -> None:
    with pytest.raises(IllegalMove):
        actions_of(arrange(), move)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (72, Refusal.UNKNOWN_MOVE),
        (-1, Refusal.UNKNOWN_MOVE),
        (33, Refusal.RESERVE_NOT_FACE_UP),
        (48, Refusal.BUY_NOT_THERE),
        (57, Refusal.BUY_NOT_THERE),
        (71, Refusal.UNKNOWN_NOBLE),
    ],
)
def test_an_action_with_nothing_in_its_place(action: int, code: Refusal) -> None:
    with pytest.raises(IllegalMove) as caught:
        move_of(arrange("quick/2"), action)
    assert caught.value.code is code
    assert caught.value.en
    assert caught.value.zh


def test_a_deck_is_an_action_of_its_own() -> None:
    position = arrange()
    assert move_of(position, 43) == Reserve(Deck(2))
    assert actions_of(position, Reserve(Deck(2))) == (43,)
