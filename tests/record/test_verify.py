"""Verifying: moves, deal, commitment and result."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cabochon.notation import parse_event, parse_position
from cabochon.record import Reason, Record, Result, Verdict, verify
from cabochon.rules import CARDS, Deal, Event, Ruleset, ShuffledDealer, card, commitment
from tests.games import RULESETS, RandomGame
from tests.notation.test_positions import DRAWN
from tests.notation.written import recorded, sample, studied


def verdicts(record: Record) -> list[Verdict]:
    return [verdict for verdict, _ in verify(record).verdicts]


def problems(record: Record) -> list[tuple[str, int]]:
    return [(problem.code.value, problem.ply) for problem in verify(record).problems]


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_honest_games_of_every_ruleset(ruleset: Ruleset) -> None:
    record = recorded(RandomGame(ruleset, 11, "builder"))
    assert verify(record).ok
    assert verdicts(record)[:3] == [
        Verdict.MOVES_LEGAL,
        Verdict.SEED_COMMITTED,
        Verdict.DEAL_AGREES,
    ]


def test_what_is_said_in_both_languages() -> None:
    plies = len(sample().events)
    lines = verify(sample()).lines()
    assert lines[0] == f"All {plies} moves and deals are legal."
    assert lines[-1] == f"The result agrees: {sample().result}."
    assert verify(sample()).lines("zh")[0] == f"{plies} 步行动与发牌均合法。"
    broken = verify(sample().revealed("another"))
    assert broken.lines()[0].startswith("The revealed seed is not the one")
    assert broken.lines("zh")[0].startswith("公开的种子不是")


def test_a_seed_that_was_not_committed_to() -> None:
    record = replace(sample(), commitment=commitment("another"))
    assert problems(record) == [("seed-not-committed", 0)]


def test_a_seed_that_deals_another_opening() -> None:
    record = replace(sample(), seed="another", commitment=commitment("another"))
    assert problems(record) == [("opening-not-from-seed", 0)]


def test_a_card_that_the_seed_does_not_deal() -> None:
    """Legal in itself, so only the seed gives the cheat away."""
    start = Record.start(sample().ruleset, sample().opening)
    taken = start.append(parse_event("reserve deck3"))
    due = ShuffledDealer("7").deal(taken.final()).card
    left = [each for each in CARDS if each.level == 3 and taken.final().in_deck(each)]
    other = next(each for each in left if each is not due)
    record = taken.append(Deal(other)).revealed("7")
    (problem,) = verify(record).problems
    assert (problem.code, problem.ply) == ("deal-not-from-seed", 2)
    assert due.code in problem.en
    assert other.code in problem.zh


def test_an_illegal_move_is_named_by_its_ply_and_the_rest_is_not_looked_at() -> None:
    events: tuple[Event, ...] = (*sample().events[:20], parse_event("take wwww"))
    record = replace(sample(), events=events)
    assert [ply for _, ply in problems(record)] == [21]
    assert Verdict.MOVES_LEGAL not in verdicts(record)
    assert Verdict.RESULT_AGREES not in verdicts(record)
    assert not verify(record).ok


def test_a_deal_that_is_not_due_is_an_illegal_move_and_no_question_to_the_dealer() -> None:
    record = replace(sample(), events=(Deal(card("1w1")),), result=None)
    assert problems(record) == [("deal-not-pending", 1)]


def test_a_seed_that_is_not_revealed_or_not_committed_to() -> None:
    unrevealed = replace(sample(), seed=None)
    assert verify(unrevealed).ok
    assert Verdict.NOT_REVEALED in verdicts(unrevealed)
    uncommitted = replace(sample(), commitment=None)
    assert verify(uncommitted).ok
    assert Verdict.NOT_COMMITTED in verdicts(uncommitted)
    assert verify(replace(sample(), commitment=str(sample().commitment).upper())).ok


def test_the_deal_of_a_study_cannot_be_checked() -> None:
    record = studied(sample(), 30).revealed("7")
    assert verify(record).ok
    assert Verdict.GIVEN_POSITION in verdicts(record)


def test_results() -> None:
    plies = len(sample().events)
    right = sample().result
    assert right is not None
    wrong = Result(tuple(reversed(right.ranking)), right.reason)
    assert problems(replace(sample(), result=wrong)) == [("result-wrong", plies)]
    assert problems(sample().ended(Reason.RESIGNED, right.ranking)) == [("result-wrong", plies)]
    running = replace(sample(), events=sample().events[:10], result=None)
    assert problems(running.ended(Reason.TARGET, (1, 2))) == [("result-too-early", 10)]
    assert verify(running.ended(Reason.RESIGNED, (1, 2))).ok
    assert verify(running.ended(Reason.ABANDONED)).ok
    assert Verdict.NO_RESULT in verdicts(running)


def test_a_position_alone_verifies() -> None:
    position = parse_position(DRAWN)
    assert verify(Record.start(position.ruleset, position)).ok
