"""Reasons in words: never a sentence that is not true of its position. Here the premises of each
kind are worked out once more, by playing with the law, for every sentence about a thousand
positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from random import Random

import pytest

from cabochon.game import Game
from cabochon.review.appraisal import world_of
from cabochon.review.reasons import MoveReason, ReasonKind, reasons_for
from cabochon.rules import (
    COLOURS,
    Buy,
    Card,
    ChooseNoble,
    Gems,
    Move,
    Phase,
    Position,
    Reserve,
    Return,
    Take,
    View,
)
from cabochon.search.reference import imagined
from cabochon.words import languages

RULESETS = ("standard/2", "standard/3", "standard/4", "teams/4", "quick/2")
MOVES_EACH = 3


def decisions() -> Iterator[tuple[View, Move]]:
    """Positions of good games, each with the move that was made and some that were not."""
    for number, ruleset in enumerate(RULESETS * 3):
        game = Game(ruleset=ruleset, seed=f"why {number}")
        game.play_out("greedy" if number % 2 else "quartz")
        for position, event in zip(game.record.replay(), game.record.events, strict=False):
            if position.phase is Phase.DEAL:
                continue
            legal = position.legal_moves()
            others = legal[:: max(1, len(legal) // MOVES_EACH)]
            for move in {event, *others}:
                assert not hasattr(move, "card") or isinstance(move, Buy)
                yield position.view(position.seat), move


@cache
def told() -> tuple[tuple[View, Move, tuple[MoveReason, ...]], ...]:
    return tuple((view, move, reasons_for(view, move, (move,))) for view, move in decisions())


def after(view: View, move: Move) -> Position:
    return world_of(view).play(move)


def can_buy(position: Position, seat: int, card: Card) -> bool:
    """Whether that seat, were it its turn with the card face up, could buy it: by the law."""
    seats = position.ruleset.seats
    rows = list(position.rows)
    if position.place_of(card) is None and not position.hands[seat].holds(card):
        rows[card.level - 1] = (card, *rows[card.level - 1][1:])
    turn = position.turn - position.seat + seat + (seats if seat < position.seat else 0)
    there = replace(
        position, rows=tuple(rows), turn=turn, phase=Phase.ACT, pending=None, last_round=False
    )
    return any(isinstance(move, Buy) and move.card is card for move in there.legal_moves())


def with_tokens(position: Position, seat: int, tokens: Gems) -> Position:
    hands = list(position.hands)
    hands[seat] = replace(hands[seat], tokens=tokens)
    return replace(position, hands=tuple(hands))


def fewest_gold(position: Position, seat: int, card: Card) -> int:
    """How much gold more would buy the card: tokens that are lacking, found by trying."""
    tokens = position.hands[seat].tokens
    for gold in range(20):
        richer = with_tokens(position, seat, tokens.plus(Gems(gold=gold)))
        if can_buy(richer, seat, card):
            return gold
    raise AssertionError("no card costs so much")


def turns_to(position: Position, seat: int, card: Card, most: int) -> int:
    """The fewest turns of taking from an endless bank until the card can be bought, by trying."""
    here = {position.hands[seat].tokens}
    for count in range(most + 1):
        if any(can_buy(with_tokens(position, seat, tokens), seat, card) for tokens in here):
            return count
        here = {tokens.plus(take) for tokens in here for take in _TAKES}
    return most + 1


_TAKES = [Gems.of((gem, gem)) for gem in COLOURS] + [
    Gems.of(three)
    for three in {(a, b, c) for a in COLOURS for b in COLOURS for c in COLOURS if a < b < c}
]


def lacking_bonuses(position: Position, seat: int, reason: MoveReason) -> int:
    assert reason.noble is not None
    bonuses = position.bonuses(seat)
    return sum(max(0, reason.noble.cost[gem] - bonuses[gem]) for gem in COLOURS)


def is_rival(view: View, reason: MoveReason) -> bool:
    return reason.seat is not None and reason.seat not in view.ruleset.side(view.seat)


def still_moves(view: View, reason: MoveReason, move: Move) -> bool:
    assert reason.seat is not None
    ending = view.last_round or after(view, move).points(view.seat) >= view.ruleset.target
    return reason.seat > view.seat or not ending


def holds(view: View, move: Move, reason: MoveReason) -> bool:
    """Whether the sentence is true, worked out anew."""
    world, then, seat = world_of(view), after(view, move), view.seat
    card, kind = reason.card, reason.kind
    match kind:
        case ReasonKind.ONLY_MOVE:
            return len(view.legal_moves()) == 1
        case ReasonKind.REACHES:
            reached = then.points(seat) == reason.count >= view.ruleset.target
            return reached and not view.last_round
        case ReasonKind.NOBLE_COMES:
            assert reason.noble is not None
            if isinstance(move, ChooseNoble):
                return reason.noble is move.noble and reason.count == 3
            fits = lacking_bonuses(then, seat, reason) == 0 < lacking_bonuses(world, seat, reason)
            return fits and reason.noble in view.open_nobles and reason.count == 3
        case ReasonKind.SCORES | ReasonKind.SCORES_ONE:
            return isinstance(move, Buy) and move.card.points == reason.count > 0
        case ReasonKind.DENIES:
            assert card is not None
            assert reason.seat is not None
            was_there = view.place_of(card) is not None
            gone = then.place_of(card) is None
            could = can_buy(world, reason.seat, card) and still_moves(view, reason, move)
            return was_there and gone and could and is_rival(view, reason)
        case ReasonKind.DENIES_NOBLE:
            assert reason.seat is not None
            return lacking_bonuses(world, reason.seat, reason) == 1 and is_rival(view, reason)
        case ReasonKind.AFFORDABLE:
            assert card is not None
            return can_buy(then, seat, card) and not can_buy(world, seat, card)
        case ReasonKind.NOBLE_NEAR:
            return lacking_bonuses(then, seat, reason) == 1 and reason.noble in view.open_nobles
        case ReasonKind.SAVES_TURN:
            assert card is not None
            now = turns_to(then, seat, card, 4)
            return turns_to(world, seat, card, now) > now
        case ReasonKind.LAST_OF_COLOUR:
            assert card is not None
            assert reason.seat is not None
            assert reason.colour is not None
            hand = world.hands[reason.seat]
            needs = card.cost[reason.colour] - world.bonuses(reason.seat)[reason.colour]
            return (
                view.bank[reason.colour] > 0 == then.bank[reason.colour]
                and needs > hand.tokens[reason.colour]
                and view.place_of(card) is not None
                and is_rival(view, reason)
            )
        case ReasonKind.CHEAPER:
            assert card is not None
            assert isinstance(move, Buy)
            owed = [
                sum(max(0, card.cost[gem] - there.bonuses(seat)[gem]) for gem in COLOURS)
                for there in (world, then)
            ]
            return owed[0] - owed[1] == 1 and move.card is not card
        case ReasonKind.SECURES:
            assert card is not None
            held = then.hands[seat].holds(card)
            return isinstance(move, Reserve) and move.target is card and held
        case ReasonKind.KEEPS_FOR:
            assert card is not None
            kept = fewest_gold(then, seat, card) == fewest_gold(world, seat, card)
            worse = (fewest_gold(after(view, m), seat, card) for m in view.legal_moves())
            return isinstance(move, Return) and kept and max(worse) > fewest_gold(world, seat, card)
        case ReasonKind.NO_PAIR:
            takes = replace(then, phase=Phase.ACT, pending=None).legal_moves()
            pair = any(isinstance(m, Take) and max(m.gems) == 2 for m in takes)
            return not pair and is_rival(view, reason)
        case ReasonKind.CLOSER | ReasonKind.CLOSER_ONE:
            assert card is not None
            lacking = fewest_gold(then, seat, card)
            return 0 < lacking == reason.count < fewest_gold(world, seat, card)
        case ReasonKind.GOLD:
            return then.hands[seat].tokens.gold > view.hands[seat].tokens.gold


def test_every_sentence_about_a_thousand_positions_is_true() -> None:
    views = {view for view, _, _ in told()}
    assert len(views) >= 1000
    for view, move, reasons in told():
        for reason in reasons:
            assert holds(view, move, reason), (reason, move, view)


def test_most_good_moves_have_a_reason_and_every_kind_occurs() -> None:
    counts = Counter(reason.kind for _, _, reasons in told() for reason in reasons)
    rare = {ReasonKind.DENIES_NOBLE, ReasonKind.ONLY_MOVE}
    assert set(ReasonKind) - rare <= set(counts)
    with_reason = sum(bool(reasons) for _, _, reasons in told())
    assert with_reason > 0.9 * len(told())
    assert max(len(reasons) for _, _, reasons in told()) <= 2


@pytest.mark.parametrize("lang", languages())
def test_sentences_name_people_and_end_as_sentences_do(lang: str) -> None:
    end: Callable[[str], bool] = lambda text: text.endswith("。" if lang == "zh" else ".")  # noqa: E731
    for view, _, reasons in told()[::7]:
        names = ["Ada", "Bo", "Cy", "Di"][: view.ruleset.seats]
        for reason in reasons:
            text = reason.text(lang, names)
            assert end(text)
            assert "{" not in text
            assert reason.seat is None or names[reason.seat] in text
            assert end(reason.text(lang))


def test_a_reason_never_depends_on_what_the_player_could_not_know(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whichever cards lie hidden in the world that the rules are applied to, the same reasons."""
    game = Game(seed="blind")
    for move in ("reserve deck1", "reserve deck2", "take wrk", "take wug"):
        game.play(move)
    view = game.view(0)
    found = set()
    for number in range(6):
        worlds = partial(imagined, random=Random(number))
        monkeypatch.setattr("cabochon.review.reasons.world_of", worlds)
        found.add(tuple(reasons_for(view, move) for move in view.legal_moves()))
    assert len({imagined(view, Random(number)) for number in range(6)}) > 1
    assert len(found) == 1
