"""Puzzles gone through once more: does the answer hold, is the position from the game it names?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from cabochon.kernel.actions import actions_of
from cabochon.kernel.packing import packed, unpack
from cabochon.notation import format_position
from cabochon.puzzles.cutting import Cutter, Uncut
from cabochon.puzzles.probe import DecisionProbe, Opinion
from cabochon.puzzles.puzzle import Hunt, Puzzle
from cabochon.puzzles.quarry import QuarryBuffers, new_quarry, play_game
from cabochon.puzzles.rough import game_seed
from cabochon.puzzles.sieve import GATE_VISITS, visits_of
from cabochon.rules import Ruleset
from cabochon.search.searcher import shipped, usual_settings
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


class Prover:
    """Proves puzzles with one setting of the engine."""

    def __init__(
        self, visits: int = GATE_VISITS, *, playouts: bool = False, early: bool = False
    ) -> None:
        """`early`: a search may end before its time when the answer is far ahead."""
        self._visits = visits
        self._stops = CLEAR_LEADS if early else ()
        self._playouts = playouts
        self._cutter = Cutter()
        self._probes: dict[int, DecisionProbe] = {}

    def prove(self, puzzle: Puzzle) -> PuzzleProof:
        """Forced wins by going through everything, others by a search."""
        if puzzle.theme.is_forced:
            try:
                self._cutter.check_forced(puzzle)
            except Uncut as error:
                return PuzzleProof(puzzle.id, holds=False, agrees=False, note=str(error))
            return PuzzleProof(puzzle.id, holds=True, agrees=True)
        return self.search(puzzle)

    def search(self, puzzle: Puzzle, seed: int = 12345) -> PuzzleProof:
        """What the engine thinks of it at this setting, whatever its theme."""
        probe = self._probe(puzzle.seats)
        probe.begin(packed(puzzle.position.view(puzzle.seat)), 0, seed)
        for part, lead in self._stops:
            proof = _proof_of(puzzle, probe.visit(round(part * self._visits)))
            if proof.agrees and proof.lead is not None and proof.lead >= lead:
                return proof
        return _proof_of(puzzle, probe.visit(self._visits))

    def _probe(self, seats: int) -> DecisionProbe:
        if seats not in self._probes:
            self._probes[seats] = DecisionProbe(
                seats, min(self._visits, 400_000), playouts=self._playouts
            )
        return self._probes[seats]


def _proof_of(puzzle: Puzzle, opinions: Sequence[Opinion]) -> PuzzleProof:
    action = actions_of(puzzle.position, puzzle.steps[0].main)[0]
    answer = next(o for o in opinions if o.action == action)
    rival = _strongest_rival(opinions, answer)
    note = f"{answer.value:.3f} against {rival.value:.3f} of {rival.action}"
    agrees, lead = opinions[0].action == action, round(answer.value - rival.value, 3)
    return PuzzleProof(puzzle.id, not _beats(rival, answer), agrees, note, lead)


def _strongest_rival(opinions: Sequence[Opinion], answer: Opinion) -> Opinion:
    others = [o for o in opinions if o is not answer and o.visits]
    return max(others, key=lambda o: o.value - hypot(o.doubt, answer.doubt))


def _beats(rival: Opinion, answer: Opinion) -> bool:
    return rival.value - answer.value > hypot(rival.doubt, answer.doubt)


class Tracer:
    """Plays the games that puzzles are from once more."""

    def __init__(self, hunts: Mapping[int, Hunt]) -> None:
        """`hunts` says what was looked for with each seed: that is how the games were played."""
        self._hunts = hunts
        self._quarries: dict[int, QuarryBuffers] = {}

    def is_from_its_game(self, puzzle: Puzzle) -> bool:
        """Whether the position is met in the game that the puzzle names."""
        seed, game = (int(part) for part in puzzle.source.split("/"))
        if seed not in self._hunts:
            return False
        visits, seats = visits_of(self._hunts[seed]), puzzle.seats
        quarry = self._quarries.setdefault(visits, new_quarry(visits + 2))
        settings = usual_settings(Ruleset(seats=seats), NETWORK)
        start = np.uint64(game_seed(seed, game))
        count = int(play_game(quarry, shipped(seats), settings, seats, visits, start))
        # The turn is enough to find the few records that are worth writing out.
        near = [at for at in range(count) if quarry.truths[at]["turn"] == puzzle.position.turn]
        wanted = format_position(puzzle.position)
        return any(format_position(unpack(quarry.truths, at)) == wanted for at in near)
