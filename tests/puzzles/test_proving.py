"""Proofs: a sample of what is shipped once more, and small positions whose answer is known."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from cabochon.bots.roster import network_fingerprint
from cabochon.kernel.actions import actions_of
from cabochon.kernel.layout import RETURN
from cabochon.kernel.packing import pack, packed
from cabochon.notation.positions import parse_position
from cabochon.puzzles import proving, sieve
from cabochon.puzzles.book import shipped_book
from cabochon.puzzles.forcing import LOST, PROVE, REFUTE, WON, new_proof, settled
from cabochon.puzzles.probe import DecisionProbe, Opinion
from cabochon.puzzles.proving import ProofSetting, Prover, Tracer
from cabochon.puzzles.puzzle import Puzzle, PuzzleTheme, cards_to_come
from cabochon.puzzles.sieve import SURE_GAP
from cabochon.rules import Deal, Phase, Position

SAMPLED_VISITS = 12_000
"""A tenth of the gate: `make prove-puzzles` takes all of them at the gate's own depth."""


def drawn(forced: bool, count: int) -> list[Puzzle]:
    book = shipped_book()
    entries = [entry for entry in book.entries if entry.theme.is_forced is forced]
    return [book.puzzle(entry.id) for entry in Random(7).sample(entries, min(count, len(entries)))]


def test_wins_by_force_are_proved_once_more() -> None:
    prover = Prover()
    for puzzle in drawn(True, 8):
        assert prover.prove(puzzle).holds, puzzle.id


def test_no_other_move_is_better_beyond_the_doubt() -> None:
    prover = Prover(ProofSetting(SAMPLED_VISITS))
    for puzzle in drawn(False, 6):
        proof = prover.prove(puzzle)
        assert proof.holds, (puzzle.id, proof.note)


def test_positions_are_from_the_games_that_puzzles_name() -> None:
    book = shipped_book()
    tracer = Tracer(book)
    for theme in PuzzleTheme:
        found = (book.puzzle(entry.id) for entry in book.entries if entry.theme is theme)
        puzzle = next(puzzle for puzzle in found if tracer.can_tell(puzzle))
        assert tracer.is_from_its_game(puzzle), puzzle.id
        seed, game = puzzle.source.split("/")
        assert not tracer.is_from_its_game(replace(puzzle, source=f"{seed}/{int(game) + 1}"))
        assert not tracer.can_tell(replace(puzzle, source=f"99/{game}"))
        assert not tracer.is_from_its_game(replace(puzzle, source=f"99/{game}"))


def test_games_of_a_network_that_is_no_longer_shipped_are_still_told() -> None:
    """Puzzles for four were found with the network before the present one."""
    book = shipped_book()
    made = next(version for version in book.head["made"] if version["version"] == 1)
    assert made["networks"]["4"] != network_fingerprint(4)
    old = next(p for p in book if p.seats == 4 and p.source.startswith("1/"))
    tracer = Tracer(book)
    assert tracer.can_tell(old), old.id
    assert tracer.is_from_its_game(old), old.id


def test_a_wrong_answer_is_not_proved() -> None:
    puzzle = drawn(True, 1)[0]
    other = next(
        move
        for move in puzzle.position.legal_moves()
        if puzzle.position.completed(move) != puzzle.steps[0].main
    )
    step = puzzle.steps[0]
    answer = type(step)(step.position, (step.position.completed(other),), (), ())
    wrong = replace(puzzle, steps=(answer,), causes=(), finish=())
    assert not Prover().prove(wrong).holds


class Scripted:
    """A probe that thinks what it is told to: the answer's lead over the one rival after so many
    visits. Without the answer it has the rival alone."""

    asked: list[int]

    def __init__(self, action: int, leads: dict[int, float]) -> None:
        self._action, self._leads = action, leads

    def begin(self, *_: object, without: int | None = None) -> None:
        self._is_alone, self.asked = without == self._action, []

    def visit(self, visits: int) -> list[Opinion]:
        self.asked.append(visits)
        rival = Opinion(self._action + 1, visits // 2, 0.5, 0.1)
        if self._is_alone:
            return [rival]
        answer = Opinion(self._action, visits // 2, 0.5 + self._leads[visits], 0.1)
        return sorted([answer, rival], key=lambda o: o.value, reverse=True)


def scripted(puzzle: Puzzle, leads: dict[int, float], patch: pytest.MonkeyPatch) -> list[Scripted]:
    """The probes that a prover of this puzzle will use."""
    action = actions_of(puzzle.position, puzzle.steps[0].main)[0]
    probes = [Scripted(action, leads), Scripted(action, leads)]
    left = iter(probes)
    patch.setattr(proving, "DecisionProbe", lambda *_, **__: next(left))
    return probes


@pytest.mark.parametrize(
    ("leads", "asked"),
    [
        ({1_000: 0.20}, [1_000]),
        ({1_000: 0.19, 3_000: 0.15}, [1_000, 3_000]),
        ({1_000: 0.19, 3_000: 0.14, 10_000: 0.12}, [1_000, 3_000, 10_000]),
        ({1_000: -0.30, 3_000: -0.30, 10_000: -0.30}, [1_000, 3_000, 10_000]),
    ],
    ids=["far ahead at once", "clear later", "never clear", "another move far ahead"],
)
def test_only_an_answer_that_is_far_ahead_ends_a_search_early(
    leads: dict[int, float], asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = drawn(False, 1)[0]
    probes = scripted(puzzle, leads, monkeypatch)
    proof = Prover(ProofSetting(10_000, early=True)).prove(puzzle)
    last = leads[asked[-1]]
    assert [probe.asked for probe in probes] == [asked, asked]
    assert proof.lead == last
    assert proof.agrees is proof.holds is (last > 0)


def test_without_being_told_to_no_search_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = drawn(False, 1)[0]
    probes = scripted(puzzle, {10_000: 0.4}, monkeypatch)
    assert Prover(ProofSetting(10_000)).prove(puzzle).lead == 0.4
    assert [probe.asked for probe in probes] == [[10_000], [10_000]]


def test_a_second_winning_move_is_seen_when_the_first_is_left_out() -> None:
    """Two returns win here, and a search that has found one never looks at the other."""
    puzzle = shipped_book().puzzle("4vzvke")
    record = packed(puzzle.position.view(puzzle.seat))
    probe = DecisionProbe(puzzle.seats, 20_000)
    probe.begin(record, 0, 1)
    best, *rest = probe.visit(20_000)
    assert best.value > 0.95
    assert max(o.value for o in rest) < 0.75
    probe.begin(record, 0, 1, without=best.action)
    other = probe.visit(20_000)
    assert best.action not in [o.action for o in other]
    assert len(other) == len(rest)
    assert other[0].value > 0.95
    lead = Prover(ProofSetting(20_000)).prove(puzzle).lead
    assert lead is not None
    assert lead < SURE_GAP


def test_the_sieve_keeps_no_position_with_two_winning_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The one above, which was found by a sieve that did not leave out the answer."""
    monkeypatch.setattr(sieve, "GATE_VISITS", 20_000)
    monkeypatch.setattr(sieve, "STAGES", ((1_000, 0.09),))
    puzzle = shipped_book().puzzle("4vzvke")
    finder = sieve.Sieve(puzzle.seats)
    finder._quarry.states[0] = packed(puzzle.position.view(puzzle.seat))[0]
    finder._quarry.truths[0] = packed(puzzle.position)[0]
    assert finder._gated(0, RETURN) is None
    assert finder.counts["gate"] == finder.counts["another"] == 1


def forced_by_the_law(position: Position, hero: int, turns: int, chance: Random) -> bool:
    """The same question asked of the law itself, with every reply and a few cards each: what the
    prover calls won must be won here."""
    if position.phase is Phase.OVER:
        outcome = position.outcome()
        return outcome is not None and outcome.winners == (hero,)
    if position.phase is Phase.DEAL:
        cards = cards_to_come(position)
        some = chance.sample(cards, min(2, len(cards)))
        return all(
            forced_by_the_law(position.apply(Deal(card)), hero, turns, chance) for card in some
        )
    mine = position.seat == hero
    if mine and position.phase is Phase.ACT:
        turns -= 1
        if turns < 0:
            return False
    elif not mine and turns == 0 and not position.last_round:
        return False
    results = (
        forced_by_the_law(position.apply(move), hero, turns, chance)
        for move in position.legal_moves()
    )
    return any(results) if mine else all(results)


def test_the_law_agrees_that_the_last_turn_wins() -> None:
    """From the last decision of a line, where the law can go through everything."""
    chance = Random(3)
    for puzzle in drawn(True, 6):
        last = next(s for s in reversed(puzzle.steps) if s.position.phase is Phase.ACT)
        after = last.position.apply(last.main)
        assert forced_by_the_law(after, puzzle.seat, 0, chance), puzzle.id


@pytest.mark.parametrize("aim", [PROVE, REFUTE])
def test_who_is_far_from_the_target_wins_nothing_by_force(aim: int) -> None:
    start = parse_position(
        "standard/2 0 act 0 - w4u4g4r4k4o5 1r3,1g4,1w3,1u5/2w5,2w4,2u2,2k2/3k4,3k1,3u1,3g1 "
        "wu4,wug3,rk4 -|-|-|- -|-|-|-"
    )
    proof = new_proof()
    pack(start.view(0), proof.states)
    assert int(settled(proof, 0, 1, aim, 10_000)) == LOST


def test_the_first_step_of_every_win_by_force_is_won_for_the_prover() -> None:
    proof = new_proof()
    for puzzle in drawn(True, 5):
        pack(puzzle.position.view(puzzle.seat), proof.states)
        nodes = np.int64(2_000_000)
        assert int(settled(proof, puzzle.seat, puzzle.turns, PROVE, nodes)) == WON
        assert int(settled(proof, puzzle.seat, puzzle.turns - 1, REFUTE, nodes)) == LOST
