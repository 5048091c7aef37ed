"""Verifying: moves, deal, commitment and result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cabochon.notation import (
    NotationError,
    dumps,
    error_to_json,
    format_position,
    format_record,
    loads,
    parse_event,
    parse_position,
    parse_readings,
    parse_record,
    position_to_json,
    reading_from_json,
    record_to_json,
    verification_to_json,
)
from cabochon.record import (
    Reason,
    Record,
    RecordFault,
    Result,
    Standing,
    Verdict,
    Verification,
    verify,
)
from cabochon.rules import (
    CARDS,
    Deal,
    Event,
    Gems,
    Opening,
    Position,
    Ruleset,
    ShuffledDealer,
    Take,
    WrongArgument,
    card,
    commitment,
)
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
    assert broken.lines()[0].startswith("The revealed seed isn't the one")
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


def standing(record: Record) -> Standing:
    return verify(record).standing


def read(text: str) -> Verification:
    (reading,) = parse_readings(text)
    return verify(reading.record, reading.labels, reading.is_ended)


@pytest.mark.parametrize("at", [0, 1, 7, 20])
def test_after_a_break_nothing_is_claimed_about_later_deals(at: int) -> None:
    events: tuple[Event, ...] = (*sample().events[:at], Take(Gems(4)), *sample().events[at:])
    check = verify(replace(sample(), events=events))
    assert check.standing is Standing.BROKEN
    assert [problem.ply for problem in check.problems] == [at + 1]
    found = {finding.code: finding.params for finding in check.verdicts}
    assert not found.keys() & {Verdict.MOVES_LEGAL, Verdict.DEAL_AGREES, Verdict.RESULT_AGREES}
    assert found[Verdict.REST_UNCHECKED] == {"ply": at}
    if at:
        assert found[Verdict.MOVES_UNTIL] == found[Verdict.DEAL_UNTIL] == {"plies": at}
    assert "Every card" not in " ".join(check.lines())


def test_an_opening_that_cannot_be_proves_nothing_at_all() -> None:
    opening = sample().opening
    assert isinstance(opening, Opening)
    other = replace(opening, nobles=())
    check = verify(replace(sample(), opening=other, commitment=None))
    assert [finding.code for finding in check.proved] == []
    assert check.problems[0].code == "bad-opening"


def test_a_position_in_place_of_the_opening_is_not_proved() -> None:
    study = studied(sample(), 30).revealed("7")
    for record in (study, replace(study, seed=None)):
        assert standing(record) is Standing.NOT_PROVED
        assert Verdict.GIVEN_POSITION in [finding.code for finding in verify(record).unproved]
        assert Verdict.DEAL_AGREES not in verdicts(record)


def test_a_first_position_in_place_of_the_opening_is_held_against_the_seed() -> None:
    """Otherwise whoever deals could write another opening as a Position header."""
    honest = replace(sample(), opening=sample().first())
    assert standing(honest) is Standing.PROVED
    assert Verdict.DEAL_AGREES in verdicts(honest)
    ruleset = sample().ruleset
    chosen = Position.start(ruleset, ShuffledDealer("chosen").opening(ruleset))
    record = replace(sample(), opening=chosen, events=(), result=None)
    assert problems(record) == [("opening-not-from-seed", 0)]


def test_a_position_that_nobody_could_deal_proves_no_deal() -> None:
    """The first turn, and yet fewer nobles than any game has."""
    first = sample().first()
    odd = replace(first, nobles=first.nobles[:1])
    check = verify(replace(sample(), opening=odd, events=(), result=None))
    assert Verdict.DEAL_AGREES not in [finding.code for finding in check.proved]
    assert Verdict.GIVEN_POSITION in [finding.code for finding in check.unproved]


def test_a_first_position_that_was_given_is_not_held_against_the_seed_and_not_proved() -> None:
    ruleset = sample().ruleset
    chosen = Position.start(ruleset, ShuffledDealer("chosen").opening(ruleset))
    headers = {"Start": "given"}
    record = replace(sample(), opening=chosen, events=(), result=None, headers=headers)
    assert verify(record).ok
    assert standing(record) is Standing.NOT_PROVED
    assert Verdict.GIVEN_POSITION in [finding.code for finding in verify(record).unproved]
    dealt = replace(sample(), headers=headers)
    assert Verdict.DEAL_AGREES in verdicts(dealt)


def test_text_and_json_with_both_an_opening_and_a_position_are_refused() -> None:
    text = format_record(sample())
    other = format_position(sample().first())
    with pytest.raises(NotationError) as caught:
        parse_readings(text.replace("[Seed", f'[Position "{other}"]\n[Seed'))
    assert caught.value.code == "opening-twice"
    value = record_to_json(sample())
    with pytest.raises(NotationError) as caught:
        reading_from_json({**value, "position": position_to_json(sample().first())})
    assert caught.value.code == "opening-twice"
    twice = dumps(value)[:-1] + ',"opening":' + dumps(value["opening"]) + "}"
    with pytest.raises(NotationError) as caught:
        loads(twice)
    assert caught.value.code == "key-twice"


def test_a_seed_or_a_commitment_that_is_missing_is_not_proved() -> None:
    for record in (replace(sample(), seed=None), replace(sample(), commitment=None)):
        assert verify(record).ok
        assert standing(record) is Standing.NOT_PROVED
    assert standing(sample()) is Standing.PROVED


def test_a_result_that_was_cut_off_or_is_missing_is_called_that() -> None:
    text = format_record(sample())
    without = text[: text.index("result ")]
    missing = read(without)
    assert missing.standing is Standing.NOT_PROVED
    assert [finding.code for finding in missing.unproved] == [Verdict.RESULT_MISSING]
    assert str(sample().result) in missing.unproved[0].en
    lines = without.splitlines(keepends=True)
    cut = read("".join(lines[:-6]))
    assert [finding.code for finding in cut.unproved] == [Verdict.CUT]
    going_on = read("".join(lines[:-6]) + "*\n")
    assert going_on.standing is Standing.PROVED
    assert Verdict.NO_RESULT in [finding.code for finding in going_on.verdicts]
    value = record_to_json(replace(sample(), events=sample().events[:10], result=None))
    assert reading_from_json(value).is_ended
    del value["result"]
    assert not reading_from_json(value).is_ended


def test_a_result_that_people_agreed_on_is_taken_on_trust() -> None:
    """No move can prove that somebody resigned."""
    running = replace(sample(), events=sample().events[:10], result=None)
    for record in (running.ended(Reason.RESIGNED, (1, 2)), running.ended(Reason.ABANDONED)):
        assert standing(record) is Standing.NOT_PROVED
        (open_,) = verify(record).unproved
        assert open_.code is Verdict.RESULT_TAKEN_ON_TRUST
        assert str(record.result) in open_.zh


def test_exchanged_turn_labels_are_found() -> None:
    text = format_record(sample())
    assert read(text).standing is Standing.PROVED
    swapped = text.replace("\n3a. ", "\n3?. ").replace("\n3b. ", "\n3a. ").replace("3?.", "3b.")
    check = read(swapped)
    (problem,) = check.problems
    assert problem.code == RecordFault.LABEL_WRONG
    assert (problem.params["label"], problem.params["expected"]) == ("3b", "3a")
    assert problem.ply == next(ply for ply, label in _labels(text) if label == "3a")
    assert "3b" in problem.en
    assert "3a" in problem.zh
    assert parse_record(swapped) == sample()


def _labels(text: str) -> list[tuple[int, str]]:
    (reading,) = parse_readings(text)
    return sorted(reading.labels.items())


def test_labels_are_generous_where_they_say_nothing_wrong() -> None:
    text = format_record(sample())
    for label in ("\n1. ", "\n", "\n01A) ", "\n1a.\n"):
        assert read(text.replace("\n1a. ", label)).standing is Standing.PROVED
    late = text.replace("result ", "99d.\nresult ")
    assert read(late).standing is Standing.PROVED


def test_a_label_after_a_break_is_not_looked_at() -> None:
    text = format_record(sample()).replace("\n2a. ", "\n2a. take wwww; ").replace("3a.", "9c.")
    assert [problem.code.value for problem in read(text).problems] == ["take-too-many"]


def test_a_verification_as_json() -> None:
    value: dict[str, Any] = verification_to_json(verify(replace(sample(), seed=None)))
    assert (value["standing"], value["broken"]) == ("not-proved", [])
    assert [each["code"] for each in value["not_proved"]] == ["verified-unrevealed"]
    assert loads(dumps(value)) == value
    check = verify(sample().revealed("another"))
    value = verification_to_json(check)
    assert value["standing"] == "broken"
    assert value["broken"] == [error_to_json(problem) for problem in check.problems]


def test_only_a_record_is_verified() -> None:
    for thing in (None, "record", sample().seen_by(0)):
        with pytest.raises(WrongArgument):
            verify(thing)  # type: ignore[arg-type]


def test_a_position_alone_verifies() -> None:
    position = parse_position(DRAWN)
    assert verify(Record.start(position.ruleset, position)).ok


@pytest.mark.parametrize(("turns", "said"), [("1a 2b", True), ("ask Bo", False), ("1e", False)])
def test_hints_are_told_where_the_header_names_turns(turns: str, said: bool) -> None:
    record = sample()
    record = replace(record, headers={**record.headers, "Hints": turns})
    found = verify(record)
    assert found.problems == verify(sample()).problems
    assert (Verdict.HINTS_GIVEN in {verdict for verdict, _ in found.verdicts}) is said
