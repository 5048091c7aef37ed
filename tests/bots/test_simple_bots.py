"""The uniform and the greedy bot: legal always, fair always, and greedy better."""

from __future__ import annotations

from collections import Counter

import pytest

from cabochon.bots import Bot, Limit
from cabochon.bots.bot import UniformBot
from cabochon.bots.greedy import GreedyBot
from cabochon.rules import (
    CARDS,
    Buy,
    Card,
    ChooseNoble,
    Outcome,
    Phase,
    Position,
    Return,
    Ruleset,
    ShuffledDealer,
)
from cabochon.rules.perft import dealt
from tests.arrange import arrange, bonus_cards, hand, reserve
from tests.games import RULESETS

MOST_ROUNDS = 120


def played(bots: list[Bot], ruleset: Ruleset, seed: str) -> Outcome:
    """A game in which every move is checked."""
    dealer = ShuffledDealer(seed)
    position = Position.start(ruleset, dealer.opening(ruleset))
    while True:
        position = dealt(position, dealer)
        outcome = position.outcome()
        if outcome is not None:
            return outcome
        assert position.turn < MOST_ROUNDS * ruleset.seats, "the bots play for ever"
        position = position.play(bots[position.seat].choose(position.view(position.seat)))


@pytest.mark.parametrize("ruleset", [r for r in RULESETS if r.target > 1], ids=str)
def test_greedy_beats_uniform_in_every_ruleset(ruleset: Ruleset) -> None:
    for side in (0, 1):
        bots: list[Bot] = [
            GreedyBot() if seat % 2 == side else UniformBot(1) for seat in range(ruleset.seats)
        ]
        outcome = played(bots, ruleset, "against uniform")
        assert all(seat % 2 == side for seat in outcome.winners)


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_greedy_bots_among_themselves_come_to_an_end(ruleset: Ruleset) -> None:
    played([GreedyBot()] * ruleset.seats, ruleset, "among themselves")


def test_greedy_decides_the_same_whatever_it_may_not_know() -> None:
    """Two positions that one seat cannot tell apart: another seat's blind card is another one."""
    one = arrange(hands=[hand("wug"), hand("rk", reserved="?2u5")])
    two = arrange(hands=[hand("wug"), hand("rk", reserved="?2k6")])
    assert one.view(0) == two.view(0)
    assert GreedyBot().choose(one.view(0)) == GreedyBot().choose(two.view(0))


def test_greedy_buys_the_card_that_wins() -> None:
    rich = hand("kkkkkkkooo", bought="3w1 3u1 3g1 3r1")
    position = arrange("standard/4", hands=[rich], rows={3: "3w4 3w3 3w2 3k1"})
    move = GreedyBot().choose(position.view(0))
    assert isinstance(move, Buy)
    assert position.points(0) + move.card.points >= 15


def test_greedy_takes_away_the_card_with_which_an_opponent_would_win() -> None:
    rival = hand("rrrrooo", bought="3w1 3u1 3g1 3r1")
    position = arrange("standard/2", hands=[hand("wu"), rival], rows={3: "3k2 3w4 3u4 3g4"})
    assert GreedyBot().choose(position.view(0)) == reserve("3k2")


def test_greedy_returns_what_it_needs_least() -> None:
    wanted = hand("uuuuuuwgrkk", reserved="2u6")
    position = arrange("standard/4", hands=[wanted], phase=Phase.RETURN)
    move = GreedyBot().choose(position.view(0))
    assert isinstance(move, Return)
    assert not move.gems.blue


def test_greedy_chooses_one_of_the_nobles_that_wish_to_come() -> None:
    both = hand(bought=bonus_cards("wwwwuuuukkkk"))
    position = arrange(hands=[both], nobles="wu4 wk4 gr4", phase=Phase.NOBLE)
    assert isinstance(GreedyBot().choose(position.view(0)), ChooseNoble)


def test_greedy_passes_when_it_must() -> None:
    stuck = hand("", reserved="3w1 3u1 3g1")
    position = arrange("standard/4:scarce=no", hands=[stuck], bank="wwwuu")
    assert position.legal_moves() == [GreedyBot().choose(position.view(0))]


def test_uniform_is_repeated_by_its_seed_and_by_the_limit() -> None:
    view = arrange().view(0)
    first, second = UniformBot(5), UniformBot(5)
    assert [first.choose(view) for _ in range(9)] == [second.choose(view) for _ in range(9)]
    limit = Limit(seed=11)
    assert UniformBot(1).choose(view, limit) == UniformBot(2).choose(view, limit)


def test_uniform_plays_every_legal_move_about_equally_often() -> None:
    view, bot = arrange().view(0), UniformBot(0)
    counts = Counter(bot.choose(view) for _ in range(3000))
    assert set(counts) == set(view.legal_moves())
    assert max(counts.values()) < 2 * min(counts.values())


def test_greedy_has_an_opinion_on_every_card() -> None:
    """No card makes it stumble, wherever it lies."""
    for level in (1, 2, 3):
        cards: list[Card] = [card for card in CARDS if card.level == level]
        for four in zip(*[iter(cards)] * 4, strict=False):
            rows = {level: " ".join(card.code for card in four)}
            position = arrange(hands=[hand("wugrko")], rows=rows)
            assert position.is_legal(GreedyBot().choose(position.view(0)))
