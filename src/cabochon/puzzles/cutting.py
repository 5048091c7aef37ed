"""From a rough puzzle to a whole one: every move answered, the line played out, its difficulty
measured by who finds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from cabochon.bots.levels import judgements_of, level
from cabochon.bots.roster import LEVEL_NAMES, ratings
from cabochon.kernel.actions import ACTIONS, ActionKind, actions_of, move_of
from cabochon.kernel.layout import ACT, OVER
from cabochon.kernel.packing import pack
from cabochon.limit import Limit
from cabochon.notation.positions import parse_position
from cabochon.puzzles.book import puzzle_id
from cabochon.puzzles.forcing import (
    LOST,
    PROVE,
    REFUTE,
    WIDTH,
    WON,
    children,
    is_forced,
    new_proof,
    settled,
)
from cabochon.puzzles.probe import DecisionProbe
from cabochon.puzzles.puzzle import (
    Cause,
    Puzzle,
    PuzzleStep,
    Retort,
    cards_to_come,
    numbers_of,
    played,
)
from cabochon.puzzles.rough import RoughPuzzle
from cabochon.review.reasons import reasons_for
from cabochon.rules import Card, Deal, Event, Gems, Move, Phase, Position, Return
from cabochon.rules.buying import missing
from cabochon.rules.taking import excess

PROOF_NODES = 600_000
REPLY_VISITS = 300
LOOKS = 9
"""How often each level is asked: one that sees unclearly may find the move or not."""
SPREAD = 400
SUPPOSED = ((1000, 0.0), (1000, 1.0), (2000, 0.0), (2000, 1.0))
"""Ratings of players who are supposed to have found a puzzle or not, so that one that all or none
of the levels find is not rated without bounds."""
LEAST_RATING, MOST_RATING = 600, 2300


class Uncut(Exception):
    """A rough puzzle that does not hold when it is gone through once more."""


class Cutter:
    """Cuts puzzles of any number of seats, one after the other."""

    def __init__(self) -> None:
        self._proof = new_proof()
        self._probes: dict[int, DecisionProbe] = {}

    def cut(self, rough: RoughPuzzle, source: str) -> Puzzle:
        """The whole puzzle. Raises Uncut."""
        position = parse_position(rough.position)
        answer = position.completed(_named(position, rough.action))
        if rough.theme.is_forced:
            steps, value = self._forced(position, answer, rough), 1.0
        else:
            steps = (self._judged(position, answer, rough),)
            value = next(v for action, v, _, _ in rough.opinions if action == rough.action)
        chances = chances_to_find(position, answer)
        if min(chances.values()) > 0.5:
            raise Uncut("everybody finds it")
        line = [answer, *[e for e in steps[0].events if not isinstance(e, Deal)]]
        return Puzzle(
            id=puzzle_id(rough.position),
            theme=rough.theme,
            turns=rough.turns,
            rating=rating_of(chances),
            found=tuple(name for name, chance in chances.items() if chance > 0.5),
            value=value,
            source=source,
            steps=steps,
            causes=causes_of(position, answer, line),
            finish=finish_of(steps) if rough.theme.is_forced else (),
        )

    # Judged by the engine

    def _judged(self, position: Position, answer: Move, rough: RoughPuzzle) -> PuzzleStep:
        told = {action: (value, line) for action, value, _, line in rough.opinions}
        retorts: list[Retort | None] = []
        events: tuple[Event, ...] = ()
        for move in position.legal_moves():
            action = actions_of(position, move)[0]
            value, line = told.get(action, (0.0, (action,)))
            after = followed(position, move, line[1:])
            if position.completed(move) == answer:
                events = after
                retorts.append(None)
            else:
                numbers = numbers_of(position.apply(move), after)
                retorts.append(Retort(value, numbers))
        return PuzzleStep(position, (answer,), events, tuple(retorts))

    # Wins by force

    def _forced(
        self, position: Position, answer: Move, rough: RoughPuzzle
    ) -> tuple[PuzzleStep, ...]:
        hero, left = position.seat, rough.turns
        told = {action: value for action, value, _, _ in rough.opinions}
        steps: list[PuzzleStep] = []
        while position.phase is not Phase.OVER:
            if position.phase is Phase.ACT and steps:
                left -= 1
            right = self._right_moves(position, hero, left)
            if not steps:
                right = [move for move in right if move == answer]
            if not right:
                raise Uncut("no winning move")
            retorts = self._refutations(position, answer, hero, left, told) if not steps else ()
            events = self._replies(position.apply(right[0]), hero, left)
            steps.append(PuzzleStep(position, tuple(right), events, retorts))
            position = played(position, [right[0], *events])
            if len(steps) > 8:
                raise Uncut("too long")
        if len({step.position.turn for step in steps}) != rough.turns:
            raise Uncut("the line ends too soon")
        if position.outcome() is None or position.outcome().winners != (hero,):  # type: ignore[union-attr]
            raise Uncut("not won")
        return tuple(steps)

    def check_forced(self, puzzle: Puzzle) -> None:
        """Prove the answer once more and refute every other move. Raises Uncut."""
        position, step, hero = puzzle.position, puzzle.steps[0], puzzle.seat
        if not self._wins(position, step.main, hero, puzzle.turns):
            raise Uncut("the answer is not proved")
        for move in position.legal_moves():
            if position.completed(move) != step.main:
                self._refutation(position, actions_of(position, move)[0], hero, puzzle.turns)

    def _right_moves(self, position: Position, hero: int, left: int) -> list[Move]:
        """The hero's moves that win by force within so many turns, this one included; those that
        end with the most points first."""
        good = []
        for move in position.legal_moves():
            after = position.completed(move)
            if self._wins(position, after, hero, left):
                good.append(after)
        return sorted(good, key=lambda m: -_points_after(position, m, hero))

    def _wins(self, position: Position, move: Move, hero: int, left: int) -> bool:
        """Whether the move wins whatever card it brings: the card stays unknown."""
        proof = self._proof
        pack(position.view(hero), proof.states)
        proof.actions[0] = -1
        proof.nodes[0], proof.nodes[1] = 0, PROOF_NODES
        at, depth = 0, 0
        for action in actions_of(position, move):
            count = int(children(proof, depth + 1, at, hero, left - 1, PROVE))
            base = (depth + 1) * WIDTH
            at = next((base + n for n in range(count) if proof.actions[base + n] == action), -1)
            if at < 0:
                return False
            depth += 1
        return int(is_forced(proof, depth, at, hero, left - 1, PROVE)) == WON

    def _replies(self, position: Position, hero: int, left: int) -> tuple[Event, ...]:
        """What the others do, until the hero decides again or it is over: what leaves the hero
        the fewest ways to win, or else what they like best."""
        events: list[Event] = []
        while position.phase is not Phase.OVER:
            if position.phase is Phase.DEAL:
                event: Event = Deal(quiet_card(position))
            elif position.seat == hero:
                break
            else:
                event = self._reply(position, hero, left)
            events.append(event)
            position = position.apply(event)
        return tuple(events)

    def _reply(self, position: Position, hero: int, left: int) -> Move:
        moves = [position.completed(move) for move in position.legal_moves()]
        if len(moves) == 1:
            return moves[0]
        liked = self._liking(position)
        moves.sort(key=lambda move: -liked.get(_key(position, move), -1.0))
        is_last = (position.seat + 1) % position.ruleset.seats == hero
        if not is_last or left <= 1 or position.phase is not Phase.ACT:
            return moves[0]
        return min(moves[:12], key=lambda move: self._ways_left(position, move, hero, left))

    def _ways_left(self, position: Position, move: Move, hero: int, left: int) -> int:
        after = position.apply(move)
        while after.phase is not Phase.OVER and (after.phase is Phase.DEAL or after.seat != hero):
            deal = after.phase is Phase.DEAL
            after = after.apply(Deal(quiet_card(after)) if deal else after.legal_moves()[0])
        if after.phase is Phase.OVER:
            return 99
        return len(self._right_moves(after, hero, left - 1))

    def _liking(self, position: Position) -> dict[int, float]:
        """How the mover likes its actions, by a short search."""
        seats = position.ruleset.seats
        probe = self._probes.setdefault(seats, DecisionProbe(seats, 100_000))
        states = self._proof.states
        pack(position.view(position.seat), states)
        probe.begin(states, 0, 0)
        found = probe.visit(REPLY_VISITS)
        return {o.action: len(found) - place for place, o in enumerate(found)}

    def _refutations(
        self, position: Position, answer: Move, hero: int, left: int, told: dict[int, float]
    ) -> tuple[Retort | None, ...]:
        retorts: list[Retort | None] = []
        for move in position.legal_moves():
            if position.completed(move) == answer:
                retorts.append(None)
                continue
            action = actions_of(position, move)[0]
            line = self._refutation(position, action, hero, left)
            numbers = numbers_of(position.apply(move), followed(position, move, line))
            retorts.append(Retort(told.get(action, 0.0), numbers))
        return tuple(retorts)

    def _refutation(self, position: Position, action: int, hero: int, left: int) -> list[int]:
        """The replies that keep the hero from winning in time after the action. Raises Uncut."""
        proof = self._proof
        pack(position.view(hero), proof.states)
        proof.actions[0] = -1
        line: list[int] = []
        wanted: int | None = action
        turns = left - 1
        while True:
            s = proof.states[0]
            if s["phase"] == OVER or (wanted is None and s["seat"] == hero and s["phase"] == ACT):
                return line
            proof.nodes[0], proof.nodes[1] = 0, PROOF_NODES
            count = int(children(proof, 1, 0, hero, turns, REFUTE))
            at = self._losing_child(count, hero, turns, wanted)
            if wanted is None:
                line.append(int(proof.actions[at]))
            wanted = None
            last = int(proof.actions[at])
            proof.states[0] = proof.states[at]
            proof.actions[0] = last

    def _losing_child(self, count: int, hero: int, turns: int, wanted: int | None) -> int:
        proof = self._proof
        for at in range(WIDTH, WIDTH + count):
            if wanted is not None and proof.actions[at] != wanted:
                continue
            proof.nodes[0] = 0
            if int(is_forced(proof, 1, at, hero, turns, REFUTE)) == LOST:
                return at
        raise Uncut("another move may win too")


def is_won_by(proof_turns: int, position: Position) -> bool:
    """Whether the seat to act wins by force within so many of its turns."""
    proof = new_proof()
    pack(position.view(position.seat), proof.states)
    return int(settled(proof, position.seat, proof_turns, PROVE, PROOF_NODES)) == WON


# Lines of play


def _named(position: Position, action: int) -> Move:
    return move_of(position, action)


def _key(position: Position, move: Move) -> int:
    return actions_of(position, move)[0]


def _points_after(position: Position, move: Move, hero: int) -> int:
    after = position.apply(move)
    if after.phase is Phase.DEAL:
        after = after.apply(Deal(quiet_card(after)))
    return after.points(hero)


def followed(position: Position, move: Move, actions: Sequence[int]) -> tuple[Event, ...]:
    """What the actions make of the position after the move, as far as they can be played with the
    cards that come: those that nobody can pay for, if there are such."""
    position = position.apply(move)
    events: list[Event] = []
    waiting = list(actions)
    while position.phase is not Phase.OVER:
        if position.phase is Phase.DEAL:
            event: Event = Deal(quiet_card(position))
        else:
            found = _next_move(position, waiting)
            if found is None:
                break
            event = found
        events.append(event)
        position = position.apply(event)
    return tuple(events)


def _next_move(position: Position, waiting: list[int]) -> Move | None:
    """The move that the next actions mean; tokens that are given back one by one become one
    move."""
    if not waiting:
        return None
    if position.phase is Phase.RETURN:
        count = excess(position.hands[position.seat].tokens)
        given, waiting[:] = waiting[:count], waiting[count:]
        if len(given) < count or any(ACTIONS[a].kind is not ActionKind.RETURN for a in given):
            return None
        move: Move = Return(Gems.parse("".join(ACTIONS[a].gems.letters for a in given)))
    else:
        try:
            move = _named(position, waiting.pop(0))
        except ValueError:
            return None
    return position.completed(move) if position.is_legal(move) else None


def quiet_card(position: Position) -> Card:
    """The card that comes in a line: one that nobody can pay for soon, if there is one, and
    always the same one for the same position."""
    cards = cards_to_come(position)
    seats = range(position.ruleset.seats)

    def lacking(card: Card) -> int:
        return min(
            missing(card, position.bonuses(seat), position.hands[seat].tokens) for seat in seats
        )

    quiet = [card for card in cards if lacking(card) >= 3] or [max(cards, key=lacking)]
    text = f"{position.turn} {position.bank.letters} {position.decks}"
    return quiet[sha256(text.encode()).digest()[0] % len(quiet)]


# Difficulty and reasons


def chances_to_find(position: Position, answer: Move) -> dict[str, float]:
    """How often each level plays the answer."""
    view = position.view(position.seat)
    found = {}
    for name in LEVEL_NAMES:
        bot = level(name)
        looks = LOOKS if judgements_of(name)[position.ruleset.seats].blur else 2
        hits = [
            position.completed(bot.choose(view, Limit(seed=seed))) == answer
            for seed in range(looks)
        ]
        found[name] = sum(hits) / looks
    return found


def rating_of(chances: Mapping[str, float]) -> int:
    """The rating at which a puzzle would be found as often as the levels found it. Their ratings
    are those with two players, so that it means the same everywhere."""
    players = [(ratings(2)[name].elo, chance) for name, chance in chances.items()]
    results = [*players, *SUPPOSED]
    wanted = sum(chance for _, chance in results)
    low, high = LEAST_RATING, MOST_RATING
    while high - low > 1:
        middle = (low + high) // 2
        expected = sum(1 / (1 + 10 ** ((middle - elo) / SPREAD)) for elo, _ in results)
        low, high = (middle, high) if expected > wanted else (low, middle)
    return low


def causes_of(position: Position, answer: Move, line: Sequence[Move]) -> tuple[Cause, ...]:
    """The review's reasons for the answer."""
    found = reasons_for(position.view(position.seat), answer, line)
    return tuple(Cause(r.kind.value, r.card, r.noble, r.colour, r.seat, r.count) for r in found)


def finish_of(steps: Sequence[PuzzleStep]) -> tuple[Cause, ...]:
    """The reasons for the solver's last purchase."""
    last = next(step for step in reversed(steps) if step.position.phase is Phase.ACT)
    return causes_of(last.position, last.main, ())
