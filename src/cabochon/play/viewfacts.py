"""What follows from a view by the rules, so that a screen needs none: prices after bonuses, what
is missing, progress towards nobles, what is still unseen. Public knowledge and the viewer's own."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, cast

import orjson

from cabochon.notation.moves import move_text
from cabochon.play.messages import (
    CardFacts,
    Effect,
    Expected,
    FactsChange,
    HandFacts,
    LegalMove,
    NobleFacts,
)
from cabochon.rules import (
    CARDS,
    COLOURS,
    LEVELS,
    Buy,
    Card,
    ChooseNoble,
    Facts,
    Gems,
    Hand,
    Move,
    Noble,
    Phase,
    Position,
    Reserve,
    Reserved,
    Return,
    Take,
    View,
)
from cabochon.rules.buying import all_payments, lacking, reach_of, visiting
from cabochon.rules.cards import FEWEST_FOR_NOBLE, NOBLE_POINTS
from cabochon.rules.gems import GOLD, Gem
from cabochon.rules.ruleset import TAKE_COLOURS, TOKEN_LIMIT
from cabochon.rules.taking import excess

_BONUS = tuple(Gems.of((colour,)) for colour in COLOURS)
_CELL = tuple((card.level - 1) * len(COLOURS) + card.bonus for card in CARDS)
"""Where a card is counted, by its id: one place for each level and colour."""
_ALL = tuple(_CELL.count(cell) for cell in range(len(LEVELS) * len(COLOURS)))

PROGRESS_KEPT = 8192


@dataclass(frozen=True, slots=True)
class PublicFacts:
    """What follows from what everybody sees, the same for all viewers of a position."""

    bonuses: list[Gems]
    face_up: list[Card]
    hands: list[HandFacts]
    nobles: list[NobleFacts]
    could_buy: list[list[str]]


def public_facts(view: View) -> PublicFacts:
    """Any view of the position will do."""
    seats = range(view.ruleset.seats)
    bonuses = [view.bonuses(seat) for seat in seats]
    face_up = [card for row in view.rows for card in row if card is not None]
    return PublicFacts(
        bonuses,
        face_up,
        [_hand_facts(view, seat, bonuses[seat]) for seat in seats],
        _noble_facts(view, bonuses),
        [_could_buy(view.hands[seat], bonuses[seat], face_up) for seat in seats],
    )


def facts_of(view: View) -> FactsChange:
    """Everything derived, for the viewer; a watcher gets prices for the seat to act."""
    public = public_facts(view)
    bonuses, tokens = _purse(view, public)
    return cast(
        FactsChange, _facts_of(view, public, lambda card: _card_facts(card, bonuses, tokens))
    )


def _buyer(view: View) -> int:
    return view.seat if view.viewer is None else view.viewer


def _purse(view: View, public: PublicFacts) -> tuple[Gems, Gems]:
    """The bonuses and tokens that prices are told for."""
    buyer = _buyer(view)
    return public.bonuses[buyer], view.hands[buyer].tokens


def _facts_of(
    view: View, public: PublicFacts, price: Callable[[Card], object]
) -> dict[str, object]:
    own = _known_reserved(view.hands[_buyer(view)], blind_too=view.viewer is not None)
    return {
        "hands": public.hands,
        "cards": {card.code: price(card) for card in (*public.face_up, *own)},
        "nobles": public.nobles,
        "unseen": _unseen(view),
        "could_buy": public.could_buy,
        "expected": _expected(view),
        "last_round": view.last_round,
        "round": view.round,
    }


def legal_with_effects(view: View) -> list[LegalMove]:
    """The viewer's legal moves, each with what it would leave in hand."""
    effects = _Effects(view)
    return [{"move": move_text(move), "after": effects.of(move)} for move in view.legal_moves()]


class _Wish(NamedTuple):
    """A card in sight that is too dear, but that one turn may bring within reach: how many tokens
    are missing once own gold is counted, and of which colours, as `_missing_colours` says."""

    card: Card
    missing: int
    short: int


_ONE_MISSING = tuple(0b01 << 2 * colour for colour in COLOURS)
_MORE_MISSING = tuple(0b11 << 2 * colour for colour in COLOURS)


def _missing_colours(cost: Gems, reach: tuple[int, int, int, int, int]) -> int:
    """Up to two of each colour, a bit for each: what a handful of tokens has in common with them is
    then counted in one go. No turn brings more of a colour."""
    short = 0
    for colour, held in enumerate(reach):
        lack = cost[colour] - held
        if lack > 0:
            short |= _ONE_MISSING[colour] if lack == 1 else _MORE_MISSING[colour]
    return short


@lru_cache(maxsize=64)
def _brought(gems: Gems) -> int:
    """The same of what is taken; there are a few dozen such handfuls."""
    return _missing_colours(gems, (0, 0, 0, 0, 0))


class _Effects:
    """What the seat to act has after each of its legal moves, before any tokens are given back.
    A view cannot be played on, and there are dozens of moves to say it of for every message: only
    the hand is followed here, and what the moves have in common is looked up once. Nobody changes
    what is given out."""

    def __init__(self, facts: Facts) -> None:
        seat = facts.seat
        self._tokens = facts.hands[seat].tokens
        self._bonuses = facts.bonuses(seat)
        self._points = facts.points(seat)
        self._acting = facts.phase is Phase.ACT
        self._wishes = _wishes(facts, seat)
        near = self._acting and sum(self._bonuses) + 1 >= FEWEST_FOR_NOBLE
        self._open_nobles = facts.open_nobles if near else ()
        self._coming = self._visitors(self._bonuses)
        self._listed_bonuses = list(self._bonuses[:5])
        self._points_then = self._points + NOBLE_POINTS * bool(self._coming)
        self._reserving = self._with_tokens(
            self._tokens.plus(GOLD) if facts.bank[Gem.GOLD] else self._tokens
        )

    def of(self, move: Move) -> Effect:
        if isinstance(move, Take):  # as most are
            return self._taken(move.gems)
        if isinstance(move, Reserve):
            return self._reserving
        if isinstance(move, Buy):
            assert move.payment is not None
            return self._bought(move.card, move.payment)
        if isinstance(move, Return):
            return self._with_tokens(self._tokens.minus(move.gems))
        if isinstance(move, ChooseNoble):
            return self._visited([move.noble.code])
        return self._with_tokens(self._tokens)

    def _taken(self, gems: Gems) -> Effect:
        """As `_with_tokens`, without counting what every card lacks: most moves are such."""
        tokens, brought = self._tokens.plus(gems), _brought(gems)
        reach = [
            card.code
            for card, missing, short in self._wishes
            if (short & brought).bit_count() >= missing
        ]
        bonuses, coming = self._listed_bonuses, self._coming
        return _effect(tokens, bonuses, self._points_then, coming, 0, reach)

    def _with_tokens(self, tokens: Gems) -> Effect:
        reach = _in_reach(self._wishes, tokens, self._bonuses)
        bonuses, coming = self._listed_bonuses, self._coming
        return _effect(tokens, bonuses, self._points_then, coming, 0, reach)

    def _bought(self, card: Card, payment: Gems) -> Effect:
        tokens = self._tokens.minus(payment)
        bonuses = self._bonuses.plus(_BONUS[card.bonus])
        coming = self._visitors(bonuses)
        points = self._points + card.points + NOBLE_POINTS * bool(coming)
        reach = _in_reach(self._wishes, tokens, bonuses)
        return _effect(tokens, list(bonuses[:5]), points, coming, payment.gold, reach)

    def _visited(self, nobles: list[str]) -> Effect:
        points = self._points + NOBLE_POINTS
        reach = _in_reach(self._wishes, self._tokens, self._bonuses)
        return _effect(self._tokens, self._listed_bonuses, points, nobles, 0, reach)

    def _visitors(self, bonuses: Gems) -> list[str]:
        return [noble.code for noble in self._open_nobles if bonuses.covers(noble.cost)]


def effect_after(before: Facts, after: Facts, moves: tuple[Move, ...]) -> Effect:
    """What the seat that was to act in `before` has in `after`, the moves all made."""
    seat = before.seat
    hand = after.hands[seat]
    came = hand.nobles[len(before.hands[seat].nobles) :]
    choosing = after.phase is Phase.NOBLE and after.seat == seat and after.turn == before.turn
    offered = visiting(after, seat) if choosing else came
    gold = sum(m.payment.gold for m in moves if isinstance(m, Buy) and m.payment is not None)
    points = after.points(seat) + NOBLE_POINTS * choosing
    nobles = [noble.code for noble in offered]
    bonuses = after.bonuses(seat)
    reach = _in_reach(_wishes(before, seat), hand.tokens, bonuses)
    return _effect(hand.tokens, list(bonuses[:5]), points, nobles, gold, reach)


def _effect(
    tokens: Gems, bonuses: list[int], points: int, nobles: list[str], gold: int, reach: list[str]
) -> Effect:
    """Nothing is within reach while some tokens must be given back."""
    total = sum(tokens)
    over = max(0, total - TOKEN_LIMIT)
    return {
        "tokens": list(tokens),
        "total": total,
        "excess": over,
        "points": points,
        "bonuses": bonuses,
        "nobles": nobles,
        "gold_needed": gold,
        "reach": [] if over else reach,
    }


def _wishes(facts: Facts, seat: int) -> list[_Wish]:
    """What the seat sees and cannot afford, when it is to act, as far as one turn can change that:
    it brings three tokens, or a bonus, and no more."""
    if facts.phase is not Phase.ACT:
        return []
    hand = facts.hands[seat]
    face_up = [card for row in facts.rows for card in row if card is not None]
    reach, gold = reach_of(hand.tokens, facts.bonuses(seat)), hand.tokens.gold
    return [
        _Wish(card, missing, _missing_colours(card.cost, reach))
        for card in (*face_up, *_known_reserved(hand, blind_too=True))
        if 0 < (missing := lacking(card.cost, reach) - gold) <= TAKE_COLOURS
    ]


def _in_reach(wishes: list[_Wish], tokens: Gems, bonuses: Gems) -> list[str]:
    """Those that are affordable with these tokens."""
    return _within_reach([wish.card for wish in wishes], tokens, bonuses) if wishes else []


def _within_reach(cards: list[Card], tokens: Gems, bonuses: Gems) -> list[str]:
    reach, gold = reach_of(tokens, bonuses), tokens.gold
    return [card.code for card in cards if lacking(card.cost, reach) <= gold]


def _hand_facts(view: View, seat: int, bonuses: Gems) -> HandFacts:
    hand = view.hands[seat]
    return {
        "bonuses": list(bonuses[:5]),
        "points": hand.points,
        "side_points": view.points(seat),
        "tokens": sum(hand.tokens),
        "cards": len(hand.bought),
    }


def _card_facts(card: Card, bonuses: Gems, tokens: Gems) -> CardFacts:
    """In one loop: this is what a screen's worth of prices costs."""
    due, short, pay = [0] * 5, [0] * 5, [0] * 6
    lacking = 0
    for gem, cost in enumerate(card.cost[:5]):
        price = cost - bonuses[gem]
        if price > 0:
            held = tokens[gem]
            due[gem] = price
            if price > held:
                short[gem] = price - held
                lacking += price - held
                pay[gem] = held
            else:
                pay[gem] = price
    gold = tokens[5]
    if lacking > gold:
        return {"due": due, "short": short, "missing": lacking - gold, "pay": None}
    facts: CardFacts = {"due": due, "short": short, "missing": 0, "pay": pay}
    if lacking < gold and any(pay):
        facts["payments"] = [list(mix) for mix in all_payments(card, bonuses, tokens)]
    pay[5] = lacking
    return facts


def _noble_facts(view: View, bonuses: list[Gems]) -> list[NobleFacts]:
    owners = {noble: seat for seat, hand in enumerate(view.hands) for noble in hand.nobles}
    return [
        {
            "code": noble.code,
            "owner": owners.get(noble),
            "have": [_progress(noble, b) for b in bonuses],
        }
        for noble in view.nobles
    ]


@lru_cache(maxsize=PROGRESS_KEPT)
def _progress(noble: Noble, bonuses: Gems) -> list[int]:
    return [min(bonuses[gem], noble.cost[gem]) for gem in COLOURS]


def _unseen(view: View) -> list[list[int]]:
    counts = list(_ALL)
    for row in view.rows:
        for card in row:
            if card is not None:
                counts[_CELL[card.id]] -= 1
    for hand in view.hands:
        for card in hand.bought:
            counts[_CELL[card.id]] -= 1
        for reserve in hand.reserved:
            if isinstance(reserve, Reserved):
                counts[_CELL[reserve.card.id]] -= 1
    wide = len(COLOURS)
    return [counts[at : at + wide] for at in range(0, len(counts), wide)]


def _could_buy(hand: Hand, bonuses: Gems, face_up: list[Card]) -> list[str]:
    """What everybody can see that the seat could afford: face-up cards, and reserved ones that
    were face up when they were reserved."""
    cards = [*face_up, *_known_reserved(hand, blind_too=False)] if hand.reserved else face_up
    return _within_reach(cards, hand.tokens, bonuses)


def _known_reserved(hand: Hand, blind_too: bool) -> list[Card]:
    return [
        reserve.card
        for reserve in hand.reserved
        if isinstance(reserve, Reserved) and (blind_too or not reserve.blind)
    ]


def _expected(view: View) -> Expected:
    over = view.phase is Phase.OVER
    seat = view.seat
    choosing = view.phase is Phase.NOBLE
    returning = view.phase is Phase.RETURN
    return {
        "seat": None if over else seat,
        "phase": view.phase.value,
        "excess": excess(view.hands[seat].tokens) if returning else 0,
        "offered": [noble.code for noble in visiting(view, seat)] if choosing else [],
    }


# The last facts sent, kept: as bytes, in which the garbage collector finds nothing to look at. As
# lists and dicts they held everybody up for a fifth of a second now and then.


FACTS_KEPT = 2048


class _Prices(dict[Card, orjson.Fragment]):
    """What cards cost with these bonuses and tokens, each worked out when it is first asked for:
    who does not move has the same ones again."""

    def __init__(self, purse: tuple[Gems, Gems]) -> None:
        super().__init__()
        self.purse = purse

    def __missing__(self, card: Card) -> orjson.Fragment:
        price = orjson.Fragment(orjson.dumps(_card_facts(card, *self.purse)))
        self[card] = price
        return price


class _Told(NamedTuple):
    """What a viewer was told of that very position, so that nothing can be mistaken for something
    else, and the prices in it."""

    position: Position
    prices: _Prices
    facts: dict[str, bytes]


class _FactsKept:
    """The last facts are needed again to tell what changes next. They are kept with the very
    position they were made of, so that nothing can be mixed up."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int | None], _Told] = OrderedDict()
        self._last: tuple[Position, PublicFacts] | None = None

    def of(self, position: Position, viewer: int | None, before: _Prices | None = None) -> _Told:
        """With the prices of before, as long as they hold."""
        key = (id(position), viewer)
        found = self._kept.get(key)
        if found is not None and found.position is position:
            return found
        view = position.view(viewer)
        public = self._public(position, view)
        purse = _purse(view, public)
        prices = before if before is not None and before.purse == purse else _Prices(purse)
        facts = _facts_of(view, public, prices.__getitem__)
        fields = {name: orjson.dumps(value) for name, value in facts.items()}
        told = self._kept[key] = _Told(position, prices, fields)
        if len(self._kept) > FACTS_KEPT:
            self._kept.popitem(last=False)
        return told

    def _public(self, position: Position, view: View) -> PublicFacts:
        """One audience after the other gets the same position."""
        if self._last is None or self._last[0] is not position:
            self._last = (position, public_facts(view))
        return self._last[1]


_FACTS = _FactsKept()


def facts_changed(
    old: Position, old_viewer: int | None, new: Position, viewer: int | None
) -> dict[str, bytes]:
    """What whoever was told of the old position is still to be told of the new one, each field of a
    `FactsChange` as JSON."""
    before = _FACTS.of(old, old_viewer)
    known = before.facts
    told = _FACTS.of(new, viewer, before.prices).facts
    return {name: value for name, value in told.items() if value != known[name]}
