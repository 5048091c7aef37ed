"""A sensible player who looks one move ahead.

Every card it could work for has a worth: points, what its bonus saves on the other cards, and the
steps it makes towards nobles. A hand is worth what the few best of those cards bring when they are
bought one after the other, each discounted by the turns until then. The move that leaves most is
played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from cabochon.bots.bot import NO_LIMIT, Limit, choices_within
from cabochon.rules import Buy, Card, ChooseNoble, Move, Reserve, Reserved, Return, Take, View
from cabochon.rules.cards import NOBLE_POINTS
from cabochon.rules.gems import GOLD, Gem, Gems
from cabochon.rules.ruleset import TOKEN_LIMIT
from cabochon.rules.view import choices

_COLOURS = range(5)
WIN = 100.0
TOKEN = 0.01
LONGEST = 64
PLANNED = 4


@dataclass(frozen=True, slots=True)
class Taste:
    """What the judgement weighs, in points. The defaults won matches against their neighbours."""

    points: float = 1.0
    """A point on a card."""
    bonus: float = 0.55
    """A bonus as such, while the game is young ..."""
    engine: float = 0.1
    """... for every card in sight on which it saves a token ..."""
    engine_point: float = 0.06
    """... and for every point of such a card."""
    noble: float = 1.0
    """A step towards a noble when it is the last; less when more are missing."""
    fading: float = 1.0
    """How much of a bonus's worth is gone when somebody reaches the target."""
    patience: float = 0.7
    """What a card keeps of its worth for every turn it is away."""
    next_best: float = 0.9
    """What each card counts against the one before it, the best first."""
    exposed: float = 0.85
    """What a face-up card keeps of its worth when an opponent could buy it first."""
    blind: float = 0.0
    """What an unseen card is worth."""
    block: float = 5.0
    """Taking away a card with which an opponent would reach the target."""


DEFAULT_TASTE = Taste()


class GreedyBot:
    """Deterministic: the same view always gives the same move, whatever the seed."""

    def __init__(self, seed: int = 0, taste: Taste = DEFAULT_TASTE) -> None:
        self._taste = taste

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        moves = choices_within(view, limit)
        return moves[0] if len(moves) == 1 else max(moves, key=_Judge(view, self._taste).value)


def worth_of_moves(view: View, taste: Taste = DEFAULT_TASTE) -> list[tuple[Move, float]]:
    """Every legal move with what it leaves, in points. Raises NotAView for anything but a view, and
    IllegalMove when its viewer has nothing to decide."""
    moves = choices(view)
    return list(zip(moves, worth_of(view, moves, taste), strict=True))


def worth_of(view: View, moves: Sequence[Move], taste: Taste = DEFAULT_TASTE) -> list[float]:
    """What each of these legal moves leaves, in points. Raises as `worth_of_moves` does."""
    choices(view)
    judge = _Judge(view, taste)
    return [judge.value(move) for move in moves]


@dataclass(frozen=True, slots=True)
class _Goal:
    """A card one could work for."""

    card: Card
    worth: float
    """When bought at once."""
    later: float
    """When it has to wait: less if somebody else may take it."""


class _Judge:
    """One seat's judgement of one view: what is computed once for all its moves."""

    def __init__(self, view: View, taste: Taste) -> None:
        assert view.viewer is not None
        self._view = view
        self._taste = taste
        self._seat = view.viewer
        self._tokens = view.hands[self._seat].tokens
        self._bonuses = view.bonuses(self._seat)
        self._points = view.points(self._seat)
        side = view.ruleset.side(self._seat)
        self._rivals = [s for s in range(view.ruleset.seats) if s not in side]
        reached = max(map(view.points, range(len(view.hands)))) / self._target
        self._to_go = max(0.0, 1 - taste.fading * reached)
        self._discount = [taste.patience ** (half / 2) for half in range(LONGEST)]
        self._goals = self._all_goals()
        self._need = self._needs()
        self._threats = self._all_threats()

    @property
    def _target(self) -> int:
        return self._view.ruleset.target

    def value(self, move: Move) -> float:
        if isinstance(move, Take):
            return self._prospect(self._tokens.plus(move.gems), self._bonuses)
        if isinstance(move, Buy):
            return self._buying(move)
        if isinstance(move, Reserve):
            return self._reserving(move)
        if isinstance(move, Return):
            return self._prospect(self._tokens.minus(move.gems), self._bonuses)
        if isinstance(move, ChooseNoble):
            return -min(_missing(move.noble.cost, self._view.bonuses(s)) for s in self._rivals)
        return 0.0

    # Each kind of move

    def _buying(self, move: Buy) -> float:
        assert move.payment is not None
        card = move.card
        worth = next(goal.worth for goal in self._goals if goal.card is card)
        bonuses = _with_bonus(self._bonuses, card)
        noble = NOBLE_POINTS * any(bonuses.covers(noble.cost) for noble in self._view.open_nobles)
        points = self._points + card.points + noble
        value = worth + noble + (WIN + points if points >= self._target else 0.0)
        if card in self._threats:
            value += self._taste.block
        return value + self._prospect(self._tokens.minus(move.payment), bonuses, without=card)

    def _reserving(self, move: Reserve) -> float:
        tokens = self._tokens.plus(GOLD) if self._view.bank[Gem.GOLD] else self._tokens
        if not isinstance(move.target, Card):
            return self._taste.blind * self._to_go + self._prospect(tokens, self._bonuses)
        blocked = self._taste.block if [move.target] == self._threats else 0.0
        return blocked + self._prospect(tokens, self._bonuses, secured=move.target)

    # What a hand promises

    def _prospect(
        self,
        tokens: Gems,
        bonuses: Gems,
        without: Card | None = None,
        secured: Card | None = None,
    ) -> float:
        """The worth of the cards within reach, the best counted most."""
        if self._view.last_round:
            return 0.0
        if sum(tokens) > TOKEN_LIMIT:
            tokens = self._kept(tokens)
        near = self._nearest(tokens, bonuses, without, secured)
        keep = TOKEN * (sum(tokens) + tokens[Gem.GOLD])
        return keep + self._plan(near, tokens, bonuses)

    def _nearest(
        self, tokens: Gems, bonuses: Gems, without: Card | None, secured: Card | None
    ) -> list[tuple[float, Card]]:
        """The few goals that promise most, each with its worth."""
        discount, bank = self._discount, self._view.bank
        promises = []
        for goal in self._goals:
            card = goal.card
            if card is not without:
                worth = goal.worth if card is secured else goal.later
                half = _half_turns(card.cost, tokens, bonuses, bank)
                promises.append((worth * discount[half], worth, card))
        promises.sort(key=itemgetter(0), reverse=True)
        return [(worth, card) for _, worth, card in promises[:PLANNED]]

    def _plan(self, goals: list[tuple[float, Card]], tokens: Gems, bonuses: Gems) -> float:
        """What the goals bring when they are bought one after the other: a token pays once, and
        every purchase helps with the next."""
        total, elapsed, weight = 0.0, 0, 1.0
        while goals:
            best, half, pick = 0.0, 0, 0
            for index, (worth, card) in enumerate(goals):
                turns = _half_turns(card.cost, tokens, bonuses, self._view.bank)
                promise = worth * self._discount[min(elapsed + turns, LONGEST - 1)]
                if promise >= best:
                    best, half, pick = promise, turns, index
            card = goals.pop(pick)[1]
            total += weight * best
            weight *= self._taste.next_best
            elapsed += half
            tokens, bonuses = _spent(card, tokens, bonuses), _with_bonus(bonuses, card)
        return total

    def _kept(self, tokens: Gems) -> Gems:
        """Ten of the tokens: a rough guess at what would be given back, gold never."""
        kept = list(tokens)
        for _ in range(sum(tokens) - TOKEN_LIMIT):
            kept[min(_COLOURS, key=lambda gem: (not kept[gem], self._need[gem] - kept[gem]))] -= 1
        return Gems(*kept)

    # What there is to work for

    def _all_goals(self) -> list[_Goal]:
        view = self._view
        held = [r.card for r in view.hands[self._seat].reserved if isinstance(r, Reserved)]
        face_up = [card for row in view.rows for card in row if card is not None]
        demand = self._demand([*face_up, *held])
        goals = []
        for card in (*face_up, *held):
            worth = self._taste.points * card.points
            worth += (self._taste.bonus + demand[card.bonus]) * self._to_go
            exposed = card in face_up and self._coveted(card)
            goals.append(_Goal(card, worth, worth * self._taste.exposed if exposed else worth))
        return goals

    def _needs(self) -> list[float]:
        """How many tokens of each colour the nearest goals ask for."""
        tokens, bonuses, bank = self._tokens, self._bonuses, self._view.bank
        best = max(
            self._goals,
            key=lambda g: g.later * self._discount[_half_turns(g.card.cost, tokens, bonuses, bank)],
            default=None,
        )
        if best is None:
            return [0.0] * 5
        return [best.card.cost[gem] - bonuses[gem] for gem in _COLOURS]

    def _demand(self, cards: Sequence[Card]) -> list[float]:
        """What one more bonus of each colour is good for."""
        taste, bonuses = self._taste, self._bonuses
        demand = [0.0] * 5
        for card in cards:
            for gem in _COLOURS:
                if card.cost[gem] > bonuses[gem]:
                    demand[gem] += taste.engine + taste.engine_point * card.points
        for noble in self._view.open_nobles:
            missing = _missing(noble.cost, bonuses)
            for gem in _COLOURS:
                if noble.cost[gem] > bonuses[gem]:
                    demand[gem] += taste.noble * NOBLE_POINTS / (missing * missing + 2)
        return demand

    def _coveted(self, card: Card) -> bool:
        return any(self._can_buy(rival, card) for rival in self._rivals)

    def _all_threats(self) -> list[Card]:
        """Face-up cards with which a rival would reach the target on its next turn."""
        view = self._view
        return [
            card
            for row in view.rows
            for card in row
            if card is not None
            and any(
                view.points(rival) + card.points >= self._target and self._can_buy(rival, card)
                for rival in self._rivals
            )
        ]

    def _can_buy(self, rival: int, card: Card) -> bool:
        tokens, bonuses = self._view.hands[rival].tokens, self._view.bonuses(rival)
        return _short(card.cost, tokens, bonuses) <= tokens[Gem.GOLD]


def _missing(cost: Gems, bonuses: Gems) -> int:
    return sum(max(0, c - b) for c, b in zip(cost, bonuses, strict=True))


def _short(cost: Gems, tokens: Gems, bonuses: Gems) -> int:
    """How many coloured tokens are lacking, gold not counted."""
    return sum(max(0, cost[gem] - bonuses[gem] - tokens[gem]) for gem in _COLOURS)


def _with_bonus(bonuses: Gems, card: Card) -> Gems:
    counts = list(bonuses)
    counts[card.bonus] += 1
    return Gems(*counts)


def _spent(card: Card, tokens: Gems, bonuses: Gems) -> Gems:
    """The tokens without those that go into the card, whatever has still to be collected."""
    left, gold = [], tokens[5]
    for due, bonus, held in zip(card.cost[:5], bonuses, tokens, strict=False):
        rest = held - due + bonus if due > bonus else held
        if rest < 0:
            gold += rest
            rest = 0
        left.append(rest)
    left.append(max(0, gold))
    return Gems(*left)


def _half_turns(cost: Gems, tokens: Gems, bonuses: Gems, bank: Gems) -> int:
    """About how many half turns until the card is bought; gold fills the widest gap first."""
    total = longest = 0
    for due, bonus, held, left in zip(cost[:5], bonuses, tokens, bank, strict=False):
        gap = due - bonus - held
        if gap > 0:
            total += gap
            turns = gap + gap
            if left < gap:
                turns += 3
            elif gap > 1 and left > 3:
                turns -= 1
            if turns > longest:
                longest = turns
    gold = tokens[5]
    if total <= gold:
        return 2
    return 2 + max(longest - gold - gold, (total - gold + 2) // 3 * 2)
