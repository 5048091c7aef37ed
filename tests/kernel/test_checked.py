"""The checked door answers exactly as the law does."""

from __future__ import annotations

import numpy as np
import pytest

from cabochon.kernel import (
    KernelError,
    KernelFault,
    act,
    action_mask,
    deal,
    imagined,
    legal_actions,
    move_of,
    new_game,
    new_states,
    observation,
    outcome,
    packed,
    playouts,
    step,
    unpack,
)
from cabochon.rules import (
    Deal,
    IllegalDeal,
    IllegalMove,
    Phase,
    Position,
    Refusal,
    Return,
    Ruleset,
    card,
)
from tests.arrange import arrange, hand, play, reserve, take
from tests.galleries import illegal_moves
from tests.games import RULESETS, RandomGame


def _laws_answer(position: Position, action: int) -> IllegalMove | None:
    """What the law says to the move that the action means; returns are a token at a time."""
    try:
        move = move_of(position, action)
    except IllegalMove as refusal:
        return refusal
    if position.phase is Phase.RETURN and isinstance(move, Return):
        held = position.hands[position.seat].tokens.covers(move.gems)
        return None if held else IllegalMove(Refusal.RETURN_NOT_HELD)
    return position.refusal(move)


def _assert_same_answers(position: Position) -> None:
    states = packed(position)
    legal = set(legal_actions(states))
    mask = action_mask(states)
    for action in range(72):
        expected = _laws_answer(position, action)
        assert (action in legal) == bool(mask[action]) == (expected is None)
        if expected is None:
            continue
        before = states.tobytes()
        with pytest.raises(IllegalMove) as caught:
            step(states, 0, action)
        assert states.tobytes() == before
        assert caught.value.en
        assert caught.value.zh
        nothing_there = "(" in str(expected.params.values())
        if not nothing_there and caught.value.code is not Refusal.RETURN_NOT_HELD:
            assert caught.value == expected


def test_refusals_in_every_position_of_the_gallery() -> None:
    for position in {id(case.position): case.position for case in illegal_moves()}.values():
        _assert_same_answers(position)


@pytest.mark.parametrize("ruleset", RULESETS[::3], ids=str)
def test_refusals_along_random_games(ruleset: Ruleset) -> None:
    for position in list(RandomGame(ruleset, 4, "gambler", 150).positions())[::10]:
        _assert_same_answers(position)


@pytest.mark.parametrize("action", [72, 73, -1, 2**70, -(2**70), 1.0, "0", None])
def test_an_action_outside_the_table(action: object) -> None:
    states = new_game(Ruleset(), 1)
    with pytest.raises(IllegalMove) as caught:
        step(states, 0, action)  # type: ignore[arg-type]
    assert caught.value.code is Refusal.UNKNOWN_MOVE


def test_numpy_numbers_are_numbers() -> None:
    states = new_game(Ruleset(), 1)
    step(states, 0, np.int32(0))  # type: ignore[arg-type]
    assert unpack(states).turn == 1


def test_the_phase_comes_before_what_lies_in_the_place() -> None:
    """Buying from an empty place while a card is due is refused for the phase."""
    states = packed(arrange("quick/2").play(reserve("1w1")))
    with pytest.raises(IllegalMove) as caught:
        step(states, 0, 48)
    assert caught.value == IllegalMove(Refusal.WRONG_PHASE, phase="deal")
    with pytest.raises(IllegalMove) as caught:
        step(states, 0, 71)
    assert caught.value == IllegalMove(Refusal.NOBLE_NOT_PENDING)


def test_a_finished_game_is_not_stepped() -> None:
    *_, last = RandomGame(RULESETS[3], 1, "builder", 1000).positions()
    assert last.phase is Phase.OVER
    states = packed(last)
    assert legal_actions(states) == ()
    assert outcome(states) == last.outcome()
    for action in range(72):
        with pytest.raises(IllegalMove) as caught:
            act(states, 0, action)
        assert caught.value.code is Refusal.GAME_OVER


def test_deals_are_checked_as_the_law_checks_them() -> None:
    waiting = arrange().play(reserve("deck2"))
    states = packed(waiting)
    for code in ("1k8", "2w1", "3k4"):
        with pytest.raises(IllegalDeal) as caught:
            deal(states, 0, card(code))
        with pytest.raises(IllegalDeal) as law:
            waiting.deal(Deal(card(code)))
        assert caught.value == law.value
    with pytest.raises(IllegalDeal):
        deal(states, 0, "2k6")  # type: ignore[arg-type]
    deal(states, 0, card("2k6"))
    assert unpack(states) == waiting.deal(Deal(card("2k6")))
    with pytest.raises(IllegalDeal):
        deal(states, 0, card("2k5"))


def test_nothing_is_played_while_cards_are_hidden() -> None:
    view = arrange(hands=[hand(), hand("o", reserved="?2u5")]).view(0)
    states = packed(view)
    assert legal_actions(states) == legal_actions(packed(arrange()))
    for door in (step, act):
        with pytest.raises(KernelError) as caught:
            door(states, 0, 0)
        assert caught.value.code is KernelFault.HIDDEN_CARDS


def test_a_new_game_is_a_start_of_the_law() -> None:
    for ruleset in RULESETS:
        states = new_game(ruleset, 11)
        position = unpack(states)
        assert position.turn == 0
        assert position.ruleset == ruleset
        assert {len(row) for row in position.rows} == {ruleset.row_width}
        assert position.view(0).unseen()
        assert new_game(ruleset, 11).tobytes() == states.tobytes()
        assert new_game(ruleset, 12).tobytes() != states.tobytes()


def test_a_new_game_in_a_given_record() -> None:
    states = new_states(2)
    assert new_game(Ruleset(), 5, states, 1) is states
    assert not states[:1].tobytes().strip(b"\0")
    with pytest.raises(KernelError):
        new_game(Ruleset(), 5, states, 2)


def test_stepping_draws_from_the_record_alone() -> None:
    """Same record, same actions, same cards; another generator, other cards."""
    first, second, third = new_game(Ruleset(), 1), new_game(Ruleset(), 1), new_game(Ruleset(), 1)
    third["rng"] += np.uint64(1)
    for states in (first, second, third):
        for action in (30, 34, 38, 31):
            step(states, 0, action)
    assert first.tobytes() == second.tobytes()
    assert unpack(first).rows != unpack(third).rows


@pytest.mark.parametrize("count", [0, -1, 10**12])
def test_a_number_of_playouts_that_makes_no_sense(count: int) -> None:
    with pytest.raises(KernelError) as caught:
        playouts(new_game(Ruleset(), 1), 0, count, 1)
    assert caught.value.code is KernelFault.BAD_COUNT


@pytest.mark.parametrize("viewer", [-1, 2, 4, 255])
def test_a_viewer_who_does_not_sit_there(viewer: int) -> None:
    with pytest.raises(KernelError):
        observation(new_game(Ruleset(), 1), 0, viewer)


def test_only_a_view_can_be_imagined() -> None:
    position = arrange()
    with pytest.raises(TypeError, match="View"):
        imagined(position, 1)  # type: ignore[arg-type]


def test_a_token_that_is_not_held_cannot_go_back() -> None:
    states = packed(play(arrange("standard/3", hands=[hand("wwwuuggrro")]), take("kk")))
    for action in (61, 66):
        act(states, 0, action)
    assert unpack(states).turn == 1
    again = packed(play(arrange("standard/3", hands=[hand("wwwuuggrro")]), take("kk")))
    act(again, 0, 66)
    with pytest.raises(IllegalMove) as caught:
        act(again, 0, 66)
    assert caught.value.code is Refusal.RETURN_NOT_HELD
