"""What follows from a view by the rules, so that a screen needs none: prices after bonuses, what
is missing, progress towards nobles, what is still unseen. Public knowledge and the viewer's own."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

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
    NOBLES,
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
from cabochon.rules.cards import NOBLE_POINTS
from cabochon.rules.gems import GOLD, Gem
from cabochon.rules.ruleset import TAKE_COLOURS
from cabochon.rules.taking import excess

FEWEST_FOR_A_NOBLE = min(sum(noble.cost) for noble in NOBLES)

_BONUS = tuple(Gems.of((colour,)) for colour in COLOURS)
_CELL = tuple((card.level - 1) * len(COLOURS) + card.bonus for card in CARDS)
"""Where a card is counted, by its id: one place for each level and colour."""
_ALL = tuple(_CELL.count(cell) for cell in range(len(LEVELS) * len(COLOURS)))

FACTS_KEPT = 8192


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


def facts_of(view: View, known: PublicFacts | None = None) -> FactsChange:
    """Everything derived, for the viewer; a watcher gets prices for the seat to act. Who needs it
    for several viewers makes the public part once."""
    public = public_facts(view) if known is None else known
    buyer = view.seat if view.viewer is None else view.viewer
    own = _known_reserved(view.hands[buyer], blind_too=view.viewer is not None)
    bonuses, tokens = public.bonuses[buyer], view.hands[buyer].tokens
    return {
        "hands": public.hands,
        "cards": {
            card.code: _card_facts(card, bonuses, tokens) for card in (*public.face_up, *own)
        },
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
        self._too_dear = _too_dear(facts, seat)
        near = self._acting and sum(self._bonuses) + 1 >= FEWEST_FOR_A_NOBLE
        self._open_nobles = facts.open_nobles if near else ()
        self._coming = self._visitors(self._bonuses)
        self._reserving = self._with_tokens(
            self._tokens.plus(GOLD) if facts.bank[Gem.GOLD] else self._tokens
        )

    def of(self, move: Move) -> Effect:
        match move:
            case Take(gems):
                return self._with_tokens(self._tokens.plus(gems))
            case Reserve():
                return self._reserving
            case Buy(card, Gems() as payment):
                return self._bought(card, payment)
            case Return(gems):
                return self._with_tokens(self._tokens.minus(gems))
            case ChooseNoble(noble):
                return self._visited([noble.code])
            case _:
                return self._with_tokens(self._tokens)

    def _with_tokens(self, tokens: Gems) -> Effect:
        points = self._points + NOBLE_POINTS * bool(self._coming)
        return _effect(tokens, self._bonuses, points, self._coming, 0, self._too_dear)

    def _bought(self, card: Card, payment: Gems) -> Effect:
        tokens = self._tokens.minus(payment)
        bonuses = self._bonuses.plus(_BONUS[card.bonus])
        coming = self._visitors(bonuses)
        points = self._points + card.points + NOBLE_POINTS * bool(coming)
        return _effect(tokens, bonuses, points, coming, payment.gold, self._too_dear)

    def _visited(self, nobles: list[str]) -> Effect:
        points = self._points + NOBLE_POINTS
        return _effect(self._tokens, self._bonuses, points, nobles, 0, self._too_dear)

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
    too_dear = _too_dear(before, seat)
    return _effect(hand.tokens, after.bonuses(seat), points, nobles, gold, too_dear)


def _effect(
    tokens: Gems, bonuses: Gems, points: int, nobles: list[str], gold: int, too_dear: list[Card]
) -> Effect:
    """`too_dear` is what could not be afforded before."""
    return {
        "tokens": list(tokens),
        "total": sum(tokens),
        "excess": excess(tokens),
        "points": points,
        "bonuses": list(bonuses[:5]),
        "nobles": nobles,
        "gold_needed": gold,
        "reach": _in_reach(too_dear, tokens, bonuses),
    }


def _too_dear(facts: Facts, seat: int) -> list[Card]:
    """What the seat sees and cannot afford, when it is to act, as far as one turn can change that:
    it brings three tokens, or a bonus, and no more."""
    if facts.phase is not Phase.ACT:
        return []
    hand = facts.hands[seat]
    face_up = [card for row in facts.rows for card in row if card is not None]
    cards = [*face_up, *_known_reserved(hand, blind_too=True)]
    reach, gold = reach_of(hand.tokens, facts.bonuses(seat)), hand.tokens.gold
    return [card for card in cards if gold < lacking(card.cost, reach) <= gold + TAKE_COLOURS]


def _in_reach(cards: list[Card], tokens: Gems, bonuses: Gems) -> list[str]:
    """Those that are affordable with these tokens; none while some must be given back."""
    if cards and excess(tokens):
        return []
    return _within_reach(cards, tokens, bonuses) if cards else []


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


@lru_cache(maxsize=FACTS_KEPT)
def _card_facts(card: Card, bonuses: Gems, tokens: Gems) -> CardFacts:
    """In one loop, and kept: this is what a screen's worth of prices costs for every viewer and
    move, and who does not move has the same ones again. Nobody changes what is given out."""
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


@lru_cache(maxsize=FACTS_KEPT)
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


# The last facts sent, kept


FACTS_KEPT = 2048


class _FactsKept:
    """The last facts are needed again to tell what changes next. They are kept with the very
    position they were made of, so that nothing can be mixed up."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int | None], tuple[Position, FactsChange]] = (
            OrderedDict()
        )
        self._last: tuple[Position, PublicFacts] | None = None

    def of(self, position: Position, viewer: int | None) -> FactsChange:
        key = (id(position), viewer)
        found = self._kept.get(key)
        if found is not None and found[0] is position:
            return found[1]
        view = position.view(viewer)
        facts = facts_of(view, self._public(position, view))
        self._kept[key] = (position, facts)
        if len(self._kept) > FACTS_KEPT:
            self._kept.popitem(last=False)
        return facts

    def _public(self, position: Position, view: View) -> PublicFacts:
        """One audience after the other gets the same position."""
        if self._last is None or self._last[0] is not position:
            self._last = (position, public_facts(view))
        return self._last[1]


_FACTS = _FactsKept()


def facts_for(position: Position, viewer: int | None) -> FactsChange:
    """What follows from the viewer's view; nobody changes what is given out."""
    return _FACTS.of(position, viewer)


def facts_change(old: FactsChange, new: FactsChange) -> FactsChange:
    before = cast(dict[str, object], old)
    changed = {
        key: value
        for key, value in new.items()
        if value is not before[key] and value != before[key]
    }
    return cast(FactsChange, changed)
