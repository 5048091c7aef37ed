"""Why a move is good, from facts of the position and of the line that the search found.

A reason is a kind and what it is about. Each kind has its own finder, which gives a reason only
when its premises hold in that position; the sentence says no more than the premises. Nothing here
knows more than the player did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations_with_replacement

from cabochon.notation.turns import WhyGood
from cabochon.review.appraisal import world_of
from cabochon.rules import (
    COLOURS,
    Buy,
    Card,
    ChooseNoble,
    Facts,
    Gems,
    Move,
    Noble,
    Reserve,
    Reserved,
    Return,
    Take,
    View,
)
from cabochon.rules.buying import missing, price, visiting
from cabochon.rules.ruleset import NEEDED_FOR_TWO

MOST_REASONS = 2
WORTH_DENYING = 2
"""Points from which on taking a card away from somebody is worth a word."""
DEAR = 3
MOST_TAKES = 4
NEAR = 4
"""Tokens that may still be missing for a card to be called closer."""


class ReasonKind(StrEnum):
    """One kind of reason; the value is the key of its sentence."""

    ONLY_MOVE = "reason-only-move"
    REACHES = "reason-reaches-target"
    NOBLE_COMES = "reason-noble-comes"
    SCORES = "reason-scores"
    SCORES_ONE = "reason-scores-one"
    DENIES = "reason-denies"
    DENIES_NOBLE = "reason-denies-noble"
    AFFORDABLE = "reason-affordable"
    NOBLE_NEAR = "reason-noble-near"
    SAVES_TURN = "reason-saves-turn"
    LAST_OF_COLOUR = "reason-last-of-colour"
    CHEAPER = "reason-cheaper"
    SECURES = "reason-secures"
    KEEPS_FOR = "reason-keeps-for"
    NO_PAIR = "reason-no-pair"
    CLOSER = "reason-closer"
    CLOSER_ONE = "reason-closer-one"
    GOLD = "reason-gold"


@dataclass(frozen=True, slots=True)
class MoveReason(WhyGood):
    """Why a move is good, as one of the kinds that a review looks for."""

    kind: ReasonKind


@dataclass(frozen=True, slots=True)
class Case:
    """A move and what it does to the table, as far as its player can know it."""

    before: View
    move: Move
    after: Facts
    """After the decision, before any card is dealt."""
    plans: tuple[Card, ...]
    """What the line found buys later for the same seat, in order."""

    @property
    def seat(self) -> int:
        return self.before.seat

    def lacks(self, card: Card, facts: Facts, seat: int | None = None) -> int:
        """Tokens that the seat is short of for the card."""
        seat = self.seat if seat is None else seat
        return missing(card, facts.bonuses(seat), facts.hands[seat].tokens)

    @property
    def is_last(self) -> bool:
        """Whether the game ends with this round."""
        return self.before.last_round or self.after.points(self.seat) >= self.before.ruleset.target

    @property
    def rivals(self) -> tuple[int, ...]:
        """The opponents who are still to move, in that order."""
        seats = self.before.ruleset.seats
        own = self.before.ruleset.side(self.seat)
        order = ((self.seat + ahead) % seats for ahead in range(1, seats))
        return tuple(
            seat for seat in order if seat not in own and (seat > self.seat or not self.is_last)
        )

    @property
    def wanted(self) -> tuple[Card, ...]:
        """Cards the seat may still buy after the move: those of the line first, then by points."""
        held = [r.card for r in self.after.hands[self.seat].reserved if isinstance(r, Reserved)]
        shown = [card for row in self.after.rows for card in row if card is not None]
        there = [*held, *shown]
        planned = [card for card in self.plans if card in there]
        others = sorted((c for c in there if c not in planned), key=lambda c: (-c.points, c.id))
        return (*planned, *others)


def reasons_for(view: View, move: Move, line: Sequence[Move] = ()) -> tuple[MoveReason, ...]:
    """At most two reasons, the weightiest first. `line` is the continuation that the search found,
    beginning with the move itself."""
    if len(view.legal_moves()) == 1:
        return (MoveReason(ReasonKind.ONLY_MOVE),)
    case = Case(view, move, world_of(view).play(move), _plans(line))
    found: list[MoveReason] = []
    for finder in _finders(case):
        reason = finder(case)
        if reason is not None and not _repeats(reason, found):
            found.append(reason)
        if len(found) == MOST_REASONS:
            break
    return tuple(found)


def _plans(line: Sequence[Move]) -> tuple[Card, ...]:
    """The cards bought in the line after its first move, by any player: cards to look at."""
    return tuple(move.card for move in line[1:] if isinstance(move, Buy))


def _repeats(reason: MoveReason, found: list[MoveReason]) -> bool:
    """Two sentences about one card, or two that only count points, say too little."""
    return any(
        reason.kind is other.kind or (reason.card is not None and reason.card == other.card)
        for other in found
    )


# One finder for each kind


def _reaches(case: Case) -> MoveReason | None:
    points, target = case.after.points(case.seat), case.before.ruleset.target
    if not case.before.last_round and points >= target:
        return MoveReason(ReasonKind.REACHES, count=points)
    return None


def _noble_comes(case: Case) -> MoveReason | None:
    if not isinstance(case.move, Buy | ChooseNoble):
        return None
    if isinstance(case.move, ChooseNoble):
        return MoveReason(
            ReasonKind.NOBLE_COMES, noble=case.move.noble, count=case.move.noble.points
        )
    new = [n for n in _fitting(case) if n not in visiting(case.before, case.seat)]
    if len(new) != 1:
        return None
    return MoveReason(ReasonKind.NOBLE_COMES, noble=new[0], count=new[0].points)


def _fitting(case: Case) -> list[Noble]:
    """The nobles on the table whom the bonuses after the move satisfy."""
    bonuses = case.after.bonuses(case.seat)
    return [noble for noble in case.before.open_nobles if bonuses.covers(noble.cost)]


def _scores(least: int) -> Callable[[Case], MoveReason | None]:
    def find(case: Case) -> MoveReason | None:
        if isinstance(case.move, Buy) and case.move.card.points >= least:
            points = case.move.card.points
            kind = ReasonKind.SCORES_ONE if points == 1 else ReasonKind.SCORES
            return MoveReason(kind, count=points)
        return None

    return find


def _denies(case: Case) -> MoveReason | None:
    card = _taken_from_the_table(case)
    if card is None or card.points < WORTH_DENYING:
        return None
    for rival in case.rivals:
        if case.lacks(card, case.before, rival) == 0:
            return MoveReason(ReasonKind.DENIES, card=card, seat=rival)
    return None


def _taken_from_the_table(case: Case) -> Card | None:
    """The face-up card that the move takes away."""
    match case.move:
        case Buy(card=card) if case.before.place_of(card) is not None:
            return card
        case Reserve(target=Card() as card):
            return card
        case _:
            return None


def _denies_noble(case: Case) -> MoveReason | None:
    if not isinstance(case.move, ChooseNoble):
        return None
    noble = case.move.noble
    for rival in case.rivals:
        if _bonuses_lacking(noble, case.before.bonuses(rival)) == 1:
            return MoveReason(ReasonKind.DENIES_NOBLE, noble=noble, seat=rival)
    return None


def _bonuses_lacking(noble: Noble, bonuses: Gems) -> int:
    return sum(max(0, noble.cost[gem] - bonuses[gem]) for gem in COLOURS)


def _affordable(case: Case) -> MoveReason | None:
    if isinstance(case.move, Return | ChooseNoble):
        return None
    for card in case.wanted:
        planned = card in case.plans
        newly = case.lacks(card, case.before) > 0 and case.lacks(card, case.after) == 0
        if newly and (planned or card.points):
            return MoveReason(ReasonKind.AFFORDABLE, card=card)
    return None


def _noble_near(case: Case) -> MoveReason | None:
    if not isinstance(case.move, Buy):
        return None
    before, after = case.before.bonuses(case.seat), case.after.bonuses(case.seat)
    for noble in case.before.open_nobles:
        if _bonuses_lacking(noble, before) == 2 and _bonuses_lacking(noble, after) == 1:
            return MoveReason(ReasonKind.NOBLE_NEAR, noble=noble)
    return None


def _saves_turn(case: Case) -> MoveReason | None:
    """A purchase after which a dear card needs fewer turns of taking than before, though it cost
    tokens itself."""
    if not isinstance(case.move, Buy):
        return None
    for card in case.wanted:
        if card.points < DEAR:
            continue
        then, now = (turns_of_taking(card, facts, case.seat) for facts in (case.before, case.after))
        if then is not None and now is not None and now < then:
            return MoveReason(ReasonKind.SAVES_TURN, card=card)
    return None


def turns_of_taking(card: Card, facts: Facts, seat: int) -> int | None:
    """The fewest turns of taking tokens after which the seat could pay for the card, if the bank
    never ran out; None for more than four."""
    tokens = facts.hands[seat].tokens
    due = price(card, facts.bonuses(seat))
    short = tuple(sorted((max(0, due[gem] - tokens[gem]) for gem in COLOURS), reverse=True))
    return _takes_for(short, tokens.gold)


_WAYS = tuple(
    gems
    for gems in (
        *[(1, 1, 1, 0, 0), (1, 1, 0, 1, 0), (1, 1, 0, 0, 1), (1, 0, 1, 1, 0), (1, 0, 1, 0, 1)],
        *[(1, 0, 0, 1, 1), (0, 1, 1, 1, 0), (0, 1, 1, 0, 1), (0, 1, 0, 1, 1), (0, 0, 1, 1, 1)],
        *[(2, 0, 0, 0, 0), (0, 2, 0, 0, 0), (0, 0, 2, 0, 0), (0, 0, 0, 2, 0), (0, 0, 0, 0, 2)],
    )
)
"""Every take: three of different colours, or two of one."""


@lru_cache(maxsize=4096)
def _takes_for(short: tuple[int, ...], gold: int) -> int | None:
    for count in range(MOST_TAKES + 1):
        for takes in combinations_with_replacement(_WAYS, count):
            got = [sum(column) for column in zip(*takes, strict=True)] or [0] * 5
            if sum(max(0, s - g) for s, g in zip(short, got, strict=True)) <= gold:
                return count
    return None


def _last_of_colour(case: Case) -> MoveReason | None:
    if not isinstance(case.move, Take):
        return None
    gone = [gem for gem in COLOURS if case.move.gems[gem] and not case.after.bank[gem]]
    for rival, gem in ((rival, gem) for rival in case.rivals for gem in gone):
        for card in _face_up(case.before):
            due = price(card, case.before.bonuses(rival))
            if card.points >= DEAR and due[gem] > case.before.hands[rival].tokens[gem]:
                return MoveReason(ReasonKind.LAST_OF_COLOUR, card=card, colour=gem, seat=rival)
    return None


def _face_up(facts: Facts) -> Iterator[Card]:
    return (card for row in facts.rows for card in row if card is not None)


def _cheaper(case: Case) -> MoveReason | None:
    if not isinstance(case.move, Buy):
        return None
    colour = case.move.card.bonus
    for card in case.wanted:
        if card.points >= DEAR and price(card, case.before.bonuses(case.seat))[colour]:
            return MoveReason(ReasonKind.CHEAPER, card=card)
    return None


def _secures(case: Case) -> MoveReason | None:
    match case.move:
        case Reserve(target=Card(points=points) as card) if points >= DEAR:
            return MoveReason(ReasonKind.SECURES, card=card)
        case _:
            return None


def _keeps_for(case: Case) -> MoveReason | None:
    """Tokens given back without getting further from a card, though that could have happened."""
    if not isinstance(case.move, Return):
        return None
    world = world_of(case.before)
    for card in case.wanted:
        lacking = case.lacks(card, case.before)
        if card.points == 0 or case.lacks(card, case.after) != lacking:
            continue
        others = (world.play(move) for move in case.before.legal_moves())
        if any(case.lacks(card, other) > lacking for other in others):
            return MoveReason(ReasonKind.KEEPS_FOR, card=card)
    return None


def _no_pair(case: Case) -> MoveReason | None:
    def has_pair(facts: Facts) -> bool:
        return any(facts.bank[gem] >= NEEDED_FOR_TWO for gem in COLOURS)

    if isinstance(case.move, Take) and has_pair(case.before) and not has_pair(case.after):
        return MoveReason(ReasonKind.NO_PAIR, seat=case.rivals[0])
    return None


def _closer(case: Case) -> MoveReason | None:
    if not isinstance(case.move, Take):
        return None
    for card in case.wanted:
        lacking = case.lacks(card, case.after)
        if (
            (card in case.plans or card.points)
            and 0 < lacking <= NEAR
            and lacking < case.lacks(card, case.before)
        ):
            kind = ReasonKind.CLOSER_ONE if lacking == 1 else ReasonKind.CLOSER
            return MoveReason(kind, card=card, count=lacking)
    return None


def _gold(case: Case) -> MoveReason | None:
    if isinstance(case.move, Reserve) and case.before.bank.gold:
        return MoveReason(ReasonKind.GOLD)
    return None


_AT_ANY_TIME: tuple[Callable[[Case], MoveReason | None], ...] = (
    _reaches,
    _noble_comes,
    _scores(DEAR),
    _denies,
    _denies_noble,
)
_FOR_LATER: tuple[Callable[[Case], MoveReason | None], ...] = (
    _affordable,
    _noble_near,
    _saves_turn,
    _last_of_colour,
    _scores(1),
    _cheaper,
    _secures,
    _keeps_for,
    _no_pair,
    _closer,
    _gold,
)
"""Both in the order of their weight. In the last round, what would pay off later isn't a reason."""


def _finders(case: Case) -> tuple[Callable[[Case], MoveReason | None], ...]:
    return (*_AT_ANY_TIME, _scores(1)) if case.is_last else _AT_ANY_TIME + _FOR_LATER
