"""Styles are what their names say. `benchmarks/styles.py` shows it over many games (cards, points
a card, nobles, length), and what it costs in Elo."""

from __future__ import annotations

from functools import cache
from itertools import product
from statistics import fmean

import pytest
from benchmarks.styles import Manner, among_base

from cabochon.bots import Bot, Limit, make_bot
from cabochon.bots.levels import JudgingBot, judgements_of
from cabochon.bots.roster import RATED_PLAYERS, STYLE_NAMES
from cabochon.bots.styles import StyleBot
from cabochon.rules import Buy, Card, Phase, Position, Ruleset, ShuffledDealer, Take, View, card
from cabochon.rules.perft import dealt
from cabochon.search import Candidate
from tests.arrange import arrange, bonus_cards, hand


@cache
def manners(style: str) -> tuple[Manner, Manner]:
    """How a style plays when it sits among copies of its base, and how they play."""
    hands = [
        hand
        for players, deals in ((2, 7), (3, 4), (4, 2))
        for deal in range(deals)
        for hand in among_base(style, players, f"test {deal}")
    ]
    own = [hand for hand in hands if hand.name == style]
    return Manner.of(own), Manner.of([hand for hand in hands if hand.name != style])


@cache
def positions() -> tuple[View, ...]:
    """What the movers of some games among copies of the base see."""
    views = []
    for players, deal in product(RATED_PLAYERS, range(3)):
        ruleset, dealer = Ruleset(players), ShuffledDealer(f"styles {deal}")
        bots: list[Bot] = [JudgingBot(judgements_of("builder"), seat) for seat in range(players)]
        position = Position.start(ruleset, dealer.opening(ruleset))
        while position.outcome() is None:
            view = position.view(position.seat)
            if view.phase is Phase.ACT:
                views.append(view)
            position = dealt(position.play(bots[position.seat].choose(view)), dealer)
    return tuple(views)


def purchases(bot: Bot) -> list[Card]:
    moves = [bot.choose(view, Limit(seed=7)) for view in positions()]
    return [move.card for move in moves if isinstance(move, Buy)]


def test_builders_buy_more_often_and_have_more_cards() -> None:
    own, usual = (
        purchases(make_bot("builder", 1)),
        purchases(JudgingBot(judgements_of("builder"), 1)),
    )
    assert len(own) > 1.1 * len(usual)
    builder, base = manners("builder")
    assert builder.cards > base.cards + 0.5


def test_rushers_buy_dear_cards() -> None:
    own, usual = (
        purchases(make_bot("rusher", 1)),
        purchases(JudgingBot(judgements_of("rusher"), 1)),
    )
    assert fmean(c.points for c in own) > 0.05 + fmean(c.points for c in usual)
    rusher, base = manners("rusher")
    assert rusher.points_a_card > base.points_a_card + 0.05


def test_hunters_have_more_nobles_in_the_end() -> None:
    own, usual = manners("hunter")
    assert own.nobles > 1.2 * usual.nobles


@pytest.mark.parametrize(
    ("name", "liked"), [("builder", "1w1"), ("rusher", "2w4"), ("hunter", "1g5")]
)
def test_a_style_follows_its_taste_among_equals(
    name: str, liked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the search finds a cheap card, a dear one and one for nobles alike."""
    position = arrange(
        "standard/2",
        hands=[hand("rrrrkkoo", bought=bonus_cards("ggg"))],
        rows={1: "1w1 1g7 1g5 1r7", 2: "2w4 2u5"},
        nobles="ug4 gr4 rk4",
    )
    view = position.view(0)
    offered = [card(code) for code in ("1w1", "2w4", "1g5")]
    buys = [m for m in view.legal_moves() if isinstance(m, Buy) and m.card in offered]
    lines = tuple(Candidate(move, 10, 0.5, 0.1) for move in buys)
    monkeypatch.setattr(StyleBot, "lines", lambda *_: lines)
    chosen = make_bot(name).choose(view)
    assert isinstance(chosen, Buy)
    assert chosen.card is card(liked)


@pytest.mark.parametrize("name", STYLE_NAMES)
def test_a_style_does_not_throw_a_game_away(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start(Ruleset(), ShuffledDealer("levels").opening(Ruleset()))
    view = position.view(0)
    takes = [m for m in view.legal_moves() if isinstance(m, Take)]
    lines = tuple(Candidate(m, 10, 0.75 if m is takes[3] else 0.4, 0.1) for m in takes)
    monkeypatch.setattr(StyleBot, "lines", lambda *_: lines)
    assert make_bot(name).choose(view) is takes[3]
