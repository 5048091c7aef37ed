"""Puzzles gone through once more: does the answer hold, is the position from the game it names?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import hypot

import numpy as np

from cabochon.kernel.actions import actions_of
from cabochon.kernel.packing import packed, unpack
from cabochon.notation import format_position
from cabochon.puzzles.book import PuzzleBook, shipped_book
from cabochon.puzzles.cutting import Cutter, Uncut
from cabochon.puzzles.probe import DecisionProbe, Opinion
from cabochon.puzzles.puzzle import Puzzle
from cabochon.puzzles.quarry import QuarryBuffers, new_quarry, play_game
from cabochon.puzzles.rough import game_seed
from cabochon.puzzles.sieve import GATE_VISITS, visits_of
from cabochon.rules import Ruleset
from cabochon.search.net import BadWeights, Weights
from cabochon.search.searcher import once_shipped, usual_settings
from cabochon.search.simulate import NETWORK


@dataclass(frozen=True, slots=True)
class PuzzleProof:
    """`holds`: no other move is better beyond the doubt of the search, or, for a win by force, the
    proof and every refutation were found again. `agrees`: the answer is also what the search would
    play. `lead` is how far it is ahead of its strongest rival, where that was searched."""

    id: str
    holds: bool
    agrees: bool
    note: str = ""
    lead: float | None = None


CLEAR_LEADS = ((0.1, 0.20), (0.3, 0.15))
"""Where a search may end early: after such a part of its visits, if the answer leads by so much."""


@dataclass(frozen=True, slots=True)
class ProofSetting:
    """How far the engine looks. `playouts`: with random games in place of the network, at wins by
    force too. `early`: a search may end before its time when the answer is far ahead."""

    visits: int = GATE_VISITS
    playouts: bool = False
    early: bool = False


AT_THE_GATE = ProofSetting()


class Prover:
    """Proves puzzles with one setting of the engine."""

    def __init__(self, how: ProofSetting = AT_THE_GATE) -> None:
        self._visits = how.visits
        self._stops = CLEAR_LEADS if how.early else ()
        self._playouts = how.playouts
        self._cutter = Cutter()
        self._probes: dict[int, tuple[DecisionProbe, DecisionProbe]] = {}

    def prove(self, puzzle: Puzzle) -> PuzzleProof:
        """Forced wins by going through everything, others, and all by playouts, by a search."""
        if puzzle.theme.is_forced and not self._playouts:
            try:
                self._cutter.check_forced(puzzle)
            except Uncut as error:
                return PuzzleProof(puzzle.id, holds=False, agrees=False, note=str(error))
            return PuzzleProof(puzzle.id, holds=True, agrees=True)
        return self.search(puzzle)

    def search(self, puzzle: Puzzle, seed: int = 12345) -> PuzzleProof:
        """What the engine thinks of it at this setting, whatever its theme: once of all moves, and
        once more without the answer, so that the others are looked at as closely."""
        action = actions_of(puzzle.position, puzzle.steps[0].main)[0]
        record, (probe, others) = (
            packed(puzzle.position.view(puzzle.seat)),
            self._both(puzzle.seats),
        )
        probe.begin(record, 0, seed)
        others.begin(record, 0, seed, without=action)
        for part, lead in self._stops:
            visits = round(part * self._visits)
            proof = _proof_of(puzzle.id, action, probe.visit(visits), others.visit(visits))
            if proof.agrees and proof.lead is not None and proof.lead >= lead:
                return proof
        visits = self._visits
        return _proof_of(puzzle.id, action, probe.visit(visits), others.visit(visits))

    def _both(self, seats: int) -> tuple[DecisionProbe, DecisionProbe]:
        if seats not in self._probes:
            most = min(self._visits, 400_000)
            one, other = (DecisionProbe(seats, most, playouts=self._playouts) for _ in "12")
            self._probes[seats] = one, other
        return self._probes[seats]


@cache
def _prover(how: ProofSetting) -> Prover:
    """One for each process: its trees are large."""
    return Prover(how)


def prove_shipped(how: ProofSetting, name: str) -> PuzzleProof:
    """Of the shipped puzzle with that id; work that another process can be given."""
    return _prover(how).prove(shipped_book().puzzle(name))


def _proof_of(
    name: str, action: int, opinions: Sequence[Opinion], others: Sequence[Opinion]
) -> PuzzleProof:
    answer, rival = next(o for o in opinions if o.action == action), others[0]
    note = f"{answer.value:.3f} against {rival.value:.3f} of {rival.action}"
    agrees, lead = opinions[0].action == action, round(answer.value - rival.value, 3)
    return PuzzleProof(name, not _beats(rival, answer), agrees, note, lead)


def _beats(rival: Opinion, answer: Opinion) -> bool:
    return rival.value - answer.value > hypot(rival.doubt, answer.doubt)


class Tracer:
    """Plays the games that puzzles are from once more."""

    def __init__(self, book: PuzzleBook) -> None:
        """The book says what was looked for with each seed, and with which networks: that is how
        the games were played."""
        self._hunts = {each.seed: each.hunt for each in book.quarried}
        self._networks = {
            each["seed"]: version["networks"]
            for version in book.head["made"]
            for each in version["played"]
        }
        self._quarries: dict[int, QuarryBuffers] = {}

    def can_tell(self, puzzle: Puzzle) -> bool:
        """Whether its game can still be played: with another network it would be another game, and
        not every old one is kept."""
        try:
            self._network(puzzle)
        except BadWeights:
            return False
        return True

    def is_from_its_game(self, puzzle: Puzzle) -> bool:
        """Whether the position is met in the game that the puzzle names."""
        seed, game = _source_of(puzzle)
        if seed not in self._hunts or not self.can_tell(puzzle):
            return False
        visits, seats = visits_of(self._hunts[seed]), puzzle.seats
        quarry = self._quarries.setdefault(visits, new_quarry(visits + 2))
        settings = usual_settings(Ruleset(seats=seats), NETWORK)
        start = np.uint64(game_seed(seed, game))
        count = int(play_game(quarry, self._network(puzzle), settings, seats, visits, start))
        # The turn is enough to find the few records that are worth writing out.
        near = [at for at in range(count) if quarry.truths[at]["turn"] == puzzle.position.turn]
        wanted = format_position(puzzle.position)
        return any(format_position(unpack(quarry.truths, at)) == wanted for at in near)

    def _network(self, puzzle: Puzzle) -> Weights:
        """The one that its game was played with. Raises BadWeights when it is not kept."""
        networks = self._networks.get(_source_of(puzzle)[0], {})
        return once_shipped(networks.get(str(puzzle.seats), ""))


def _source_of(puzzle: Puzzle) -> tuple[int, int]:
    """The seed, and the number of the game."""
    seed, game = puzzle.source.split("/")
    return int(seed), int(game)
