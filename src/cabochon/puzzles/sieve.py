"""From a game to rough puzzles: cheap looks first, dear ones only at what is left.

a game            64 visits a decision, or a glance of the prover near the end
1,000, 8,000      is the best move still far ahead, and not the first impression?
100,000           the gate, from two seeds, and once more without the answer; or, for a win by
                  force, proof and refutation of every other move
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from cabochon.kernel.actions import ACTIONS, BUY, PASS, ActionKind
from cabochon.kernel.layout import ACT, CARD_BITS, NOBLE, RETURN
from cabochon.kernel.packing import unpack
from cabochon.notation import format_position
from cabochon.puzzles.forcing import (
    LOST,
    PROVE,
    REFUTE,
    UNSETTLED,
    WIDTH,
    WON,
    children,
    is_forced,
    new_proof,
    settled,
)
from cabochon.puzzles.probe import DecisionProbe, Opinion
from cabochon.puzzles.puzzle import Hunt, PuzzleTheme
from cabochon.puzzles.quarry import new_quarry, play_game
from cabochon.puzzles.rough import RoughPuzzle, ToldOpinions
from cabochon.rules import Ruleset
from cabochon.rules.cards import CARDS
from cabochon.search.searcher import shipped, usual_settings
from cabochon.search.simulate import NETWORK

GLANCE_VISITS = 64
NOBLE_VISITS = 12
"""Where only nobles are looked for, games may be played quickly: their choices are rare, and each
is judged by longer looks of its own."""
GATE_VISITS = 100_000
STAGES = ((1_000, 0.09), (8_000, 0.11), (30_000, 0.117))
"""Visits, and how far the best must be ahead then to be looked at further."""
CONFIRMING = 1_000_000
"""Added to the seed of a search to get another one."""
GAP = 0.12
"""How far the best move is ahead of the second at the gate ..."""
SMALL_GAP = 0.08
"""... and where the choice is small: a noble, a token to give back."""
SURE_GAP = 0.04
"""... and how far still when the doubt of every other move is counted for it."""
SMALL = (PuzzleTheme.NOBLE, PuzzleTheme.GIVE_BACK)
HOPE = 0.3
"""The best move must leave such a chance: nobody likes to find the least bad way to lose."""
LOSING = 0.10
"""A move that leaves no more than this loses."""
CLEAR = 0.92
"""In a win by force, every other move must leave less."""
CLEAR_VISITS = 4_000
PROOF_NODES = {2: 40_000, 3: 40_000}
"""For a glance; what looks won gets ten times as many."""
OBVIOUS = 0.5
"""If the network's first impression likes the answer more than this, it isn't a puzzle."""
OBVIOUS_NOBLE = 0.6
"""Nobles are worth the same and their first impressions add up to one, so this is where the network
is undecided or mistaken."""
LEAST_APART = 8
"""Turns between two puzzles of one game."""


def visits_of(hunt: Hunt) -> int:
    """With how many visits a decision games are played."""
    return NOBLE_VISITS if hunt is Hunt.NOBLES else GLANCE_VISITS


@dataclass
class Sieve:
    """Finds puzzles of one number of seats, game by game."""

    seats: int
    hunt: Hunt = Hunt.ALL
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._net = shipped(self.seats)
        self._settings = usual_settings(Ruleset(seats=self.seats), NETWORK)
        self._visits = visits_of(self.hunt)
        self._quarry = new_quarry(self._visits + 2)
        self._probe = DecisionProbe(self.seats, GATE_VISITS)
        self._others = DecisionProbe(self.seats, GATE_VISITS)
        self._proof = new_proof()

    def game(self, seed: int) -> Iterator[RoughPuzzle]:
        """The puzzles of the game with that seed."""
        count = play_game(
            self._quarry, self._net, self._settings, self.seats, self._visits, np.uint64(seed)
        )
        self.counts["games"] += 1
        last = -LEAST_APART
        for index in self._order(int(count)):
            turn = int(self._quarry.states[index]["turn"])
            if abs(turn - last) < LEAST_APART:
                continue
            found = self._found(index)
            if found is not None:
                self.counts[found.theme] += 1
                last = turn
                yield found

    def _order(self, count: int) -> list[int]:
        """From the end backwards: wins by force are there."""
        return list(range(count - 1, -1, -1))

    def _found(self, index: int) -> RoughPuzzle | None:
        if self.hunt is Hunt.NOBLES:
            return self._chosen_noble(index)
        return self._forced(index) or self._judged(index)

    def _chosen_noble(self, index: int) -> RoughPuzzle | None:
        """Every choice of a noble is looked at, whatever the short search thought of it."""
        if int(self._quarry.states[index]["phase"]) != NOBLE:
            return None
        return self._gated(index, NOBLE)

    # Wins by force

    def _forced(self, index: int) -> RoughPuzzle | None:
        s = self._quarry.states[index]
        hero = int(s["seat"])
        points = int(s["sides"][hero]) >> 40 & 255
        glance = self._quarry.glances[index]
        if s["phase"] != ACT or s["last_round"]:
            return None
        if glance["value"] < 0.5 or glance["second"] > 0.86:
            return None
        for turns in (2, 3):
            if points + 5 * turns < int(s["target"]):
                continue
            answer = self._only_forced(index, hero, turns)
            if answer == UNSETTLED:
                return None
            if answer is not None:
                self.counts["forced"] += 1
                return self._clear_forced(index, hero, turns, answer)
        return None

    def _only_forced(self, index: int, hero: int, turns: int) -> int | None:
        """The only action that wins by force; None if none does, UNSETTLED if several do or
        might, or if it is won a turn sooner."""
        proof, nodes = self._proof, PROOF_NODES[turns]
        proof.states[0] = self._quarry.states[index]
        if turns == 2 and settled(proof, hero, 1, PROVE, nodes) != LOST:
            return UNSETTLED
        proof.nodes[0], proof.nodes[1] = 0, nodes
        ways = int(children(proof, 1, 0, hero, turns - 1, REFUTE))
        winning: set[int] = set()
        for at in range(WIDTH, WIDTH + ways):
            action = int(proof.actions[at])
            # Children of the root lie at depth 1 and stay there while deeper ones are made.
            if action not in winning and is_forced(proof, 1, at, hero, turns - 1, REFUTE) != LOST:
                winning.add(action)
                if len(winning) > 1:
                    return UNSETTLED
        if not winning:
            return None
        answer = winning.pop()
        return answer if self._is_proved(hero, turns, ways, answer) else UNSETTLED

    def _is_proved(self, hero: int, turns: int, ways: int, answer: int) -> bool:
        """The plain way to play the answer (the first written) wins against everything."""
        proof = self._proof
        proof.nodes[0], proof.nodes[1] = 0, 10 * PROOF_NODES[turns]
        at = next(WIDTH + way for way in range(ways) if proof.actions[WIDTH + way] == answer)
        return int(is_forced(proof, 1, at, hero, turns - 1, PROVE)) == WON

    def _clear_forced(self, index: int, hero: int, turns: int, answer: int) -> RoughPuzzle | None:
        if self._is_plain(index, answer):
            self.counts["plain"] += 1
            return None
        self._probe.begin(self._quarry.states, index, index)
        opinions = self._probe.visit(CLEAR_VISITS)
        others = [o for o in opinions if o.action != answer]
        if len(others) == len(opinions) or max(o.value for o in others) > CLEAR:
            self.counts["unclear"] += 1
            return None
        if max(o.prior for o in opinions if o.action == answer) > OBVIOUS:
            self.counts["obvious"] += 1
            return None
        theme = PuzzleTheme.WIN_IN_TWO if turns == 2 else PuzzleTheme.WIN_IN_THREE
        return self._rough(index, theme, answer, turns, _told(self._probe, opinions, hero))

    def _is_plain(self, index: int, action: int) -> bool:
        """Whether the answer is just to buy the card with the most points that can be bought."""
        if not BUY <= action < PASS:
            return False
        s = self._quarry.states[index]
        points = {
            int(edge["action"]): _points(s, int(edge["action"])) for edge in self._affordable(index)
        }
        return points[action] == max(points.values())

    def _affordable(self, index: int) -> list[dict[str, int]]:
        proof = self._proof
        proof.states[0] = self._quarry.states[index]
        hero = int(proof.states[0]["seat"])
        ways = int(children(proof, 1, 0, hero, 1, PROVE))
        actions = {int(a) for a in proof.actions[WIDTH : WIDTH + ways]}
        return [{"action": action} for action in actions if BUY <= action < PASS]

    # Judged by the engine

    def _judged(self, index: int) -> RoughPuzzle | None:
        s, glance = self._quarry.states[index], self._quarry.glances[index]
        phase = int(s["phase"])
        if self.hunt is Hunt.FORCED and phase != NOBLE:
            return None
        gap = float(glance["value"] - glance["second"])
        if phase == ACT and (glance["first"] == glance["best"] or gap < 0.04):
            return None
        if phase != ACT and gap < 0.03:
            return None
        if phase == RETURN and _tokens(s) != 11:
            return None
        if glance["value"] < 0.2:
            return None
        return self._gated(index, phase)

    def _gated(self, index: int, phase: int) -> RoughPuzzle | None:
        """By longer and longer looks to the gate."""
        self.counts["glance"] += 1
        opinions = self._sifted(index, phase)
        if opinions is None:
            return None
        if phase == ACT and self._is_plain(index, opinions[0].action):
            self.counts["plain"] += 1
            return None
        self.counts["gate"] += 1
        opinions = self._probe.visit(GATE_VISITS)
        if not self._theme(index, phase, opinions) or not self._is_confirmed(
            index, phase, opinions[0].action
        ):
            self.counts["failed"] += 1
            return None
        best, others = opinions[0], self._looked_at_closely(index, opinions[0].action)
        theme = self._theme(index, phase, [best, *others])
        if theme is None:
            self.counts["another"] += 1
            return None
        seat = int(self._quarry.states[index]["seat"])
        told = (*_told(self._probe, [best], seat), *_told(self._others, others, seat))
        return self._rough(index, theme, best.action, 1, told)

    def _looked_at_closely(self, index: int, answer: int) -> list[Opinion]:
        """The other moves, with a search of their own: where one move wins, the first search has
        hardly looked at the others, and one of them may win as well."""
        self._others.begin(self._quarry.states, index, index, without=answer)
        return self._others.visit(GATE_VISITS)

    def _is_confirmed(self, index: int, phase: int, answer: int) -> bool:
        """Whether another search, from another seed, comes to the same answer: of many positions
        some pass the gate once by chance."""
        self._probe.begin(self._quarry.states, index, index + CONFIRMING)
        opinions = self._probe.visit(GATE_VISITS)
        return opinions[0].action == answer and self._theme(index, phase, opinions) is not None

    def _sifted(self, index: int, phase: int) -> list[Opinion] | None:
        self._probe.begin(self._quarry.states, index, index)
        opinions: list[Opinion] = []
        scale = 1 if phase == ACT else SMALL_GAP / GAP
        for visits, gap in STAGES:
            opinions = self._probe.visit(visits)
            if not self._may_pass(opinions, phase, gap * scale):
                return None
            self.counts[f"at {visits}"] += 1
        return opinions

    def _may_pass(self, opinions: list[Opinion], phase: int, gap: float) -> bool:
        best = opinions[0]
        if best.prior > (OBVIOUS_NOBLE if phase == NOBLE else OBVIOUS):
            return False
        if phase == ACT and best.action == max(opinions, key=lambda o: o.prior).action:
            return False
        second = max(o.value for o in opinions[1:] if o.visits)
        return best.value - second >= gap and best.value >= HOPE * 2 / self.seats - 0.03

    def _theme(self, index: int, phase: int, opinions: list[Opinion]) -> PuzzleTheme | None:
        """The theme, if the position passes the gate."""
        gap = GAP if phase == ACT else SMALL_GAP
        if not self._may_pass(opinions, phase, gap) or best_is_unsure(opinions):
            return None
        if phase == NOBLE:
            return PuzzleTheme.NOBLE
        if phase == RETURN:
            return PuzzleTheme.GIVE_BACK
        best, *others = opinions
        if best.value < HOPE * 2 / self.seats:
            return None
        if max(o.value for o in others) <= LOSING and best.value >= LOSING + 2 * GAP:
            return PuzzleTheme.STOP_THEM
        if self._is_about_gold(index, opinions):
            return PuzzleTheme.GOLD
        return PuzzleTheme.ONLY_MOVE

    def _is_about_gold(self, index: int, opinions: list[Opinion]) -> bool:
        """Whether the best move spends gold and the next best doesn't, or the other way round,
        one of the two being a purchase that the first impression would have made."""
        s = self._quarry.states[index]
        first = max(opinions, key=lambda o: o.prior)
        best = opinions[0]
        spends = [_gold_for(s, o.action) > 0 for o in (best, first)]
        return spends[0] != spends[1]

    def _rough(
        self, index: int, theme: PuzzleTheme, action: int, turns: int, told: ToldOpinions
    ) -> RoughPuzzle:
        position = unpack(self._quarry.truths, index)
        return RoughPuzzle(format_position(position), self.seats, theme, action, turns, told)


def _told(probe: DecisionProbe, opinions: Sequence[Opinion], hero: int) -> ToldOpinions:
    """As a rough puzzle keeps them, each with what the probe expects to follow."""
    return tuple(
        (o.action, round(o.value, 3), round(o.prior, 3), tuple(_following(probe, o, hero)))
        for o in opinions
    )


def _following(probe: DecisionProbe, opinion: Opinion, hero: int) -> list[int]:
    return probe.following(opinion.action, hero) if opinion.visits else [opinion.action]


def promised_gap(theme: PuzzleTheme) -> float:
    """How far the answer of such a puzzle is ahead."""
    return SMALL_GAP if theme in SMALL else GAP


def best_is_unsure(opinions: list[Opinion]) -> bool:
    """Whether some other move could still be as good, its doubt counted for it."""
    best = opinions[0]
    floor = best.value - SURE_GAP
    return any(o.value + sqrt(o.doubt**2 + best.doubt**2) > floor for o in opinions[1:] if o.visits)


def _tokens(s: np.void) -> int:
    word = int(s["tokens"][int(s["seat"])])
    return sum(word >> 8 * lane & 255 for lane in range(6))


def _card_of(s: np.void, action: int) -> int | None:
    """The card that an action buys or reserves."""
    kind, place = ACTIONS[action].kind, ACTIONS[action].place - 1
    if kind is ActionKind.BUY_RESERVED:
        return int(s["reserved"][4 * int(s["seat"]) + place]) & CARD_BITS
    if kind in (ActionKind.BUY, ActionKind.RESERVE):
        return int(s["board"][4 * (ACTIONS[action].level - 1) + place]) & CARD_BITS
    return None


def _points(s: np.void, action: int) -> int:
    card = _card_of(s, action)
    return 0 if card is None else CARDS[card].points


def _gold_for(s: np.void, action: int) -> int:
    """Gold that a purchase costs; 0 for any other action."""
    if not BUY <= action < PASS:
        return 0
    card = _card_of(s, action)
    assert card is not None
    seat = int(s["seat"])
    tokens, bonuses = int(s["tokens"][seat]), int(s["sides"][seat])
    cost = CARDS[card].cost
    return sum(
        max(0, cost[lane] - (bonuses >> 8 * lane & 255) - (tokens >> 8 * lane & 255))
        for lane in range(5)
    )
