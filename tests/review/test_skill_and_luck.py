"""Skill and luck: they add up in every turn, luck is zero in the mean, and each is called by its
name when it is plain which one it was."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cabochon.game import Game, play_on
from cabochon.notation import dumps
from cabochon.record import Record
from cabochon.review import Judge, Knowledge, Mark, engine_for, review
from cabochon.review.appraisal import DRAWS, Appraiser, Price, with_card, world_of
from cabochon.review.judge import turns_in
from cabochon.review.reviewjson import review_to_json
from cabochon.review.verdicts import accuracy_of, mark_of
from cabochon.rules import Deal, Hidden, Phase, Position, Reserved, Ruleset, Take
from cabochon.search import Limit, Searcher, shipped_for

RULESETS = ("standard/2", "quick/3", "quick/4", "quick-teams/4")


@cache
def searcher(ruleset: Ruleset) -> Searcher:
    return Searcher(shipped_for(ruleset))


def game(ruleset: str, seed: str, bot: str = "fluorite", turns: int = 400) -> Record:
    """A game of bots, one of them at random, so that there is something to judge."""
    played = Game(ruleset=ruleset, seed=seed)
    seats = range(played.ruleset.seats)
    asks = {seat: played._ask_of("uniform" if seat == 0 else bot) for seat in seats}
    for _ in play_on(played, asks, most_turns=turns):
        pass
    return played.record


@settings(max_examples=12)
@given(
    st.sampled_from(RULESETS),
    st.integers(0, 10_000),
    st.sampled_from(list(Knowledge)),
)
def test_skill_and_luck_add_up_in_every_turn(ruleset: str, seed: int, knowledge: Knowledge) -> None:
    record = game(ruleset, str(seed), "greedy", turns=24)
    found = review(record, 24, seed, knowledge, searcher(record.ruleset))
    assert [turn.turn for turn in found.turns] == list(range(len(found.turns)))
    for turn in found.turns:
        assert turn.after - turn.before == pytest.approx(turn.skill + turn.luck, abs=1e-12)
        assert turn.after == turn.shares[turn.seat]
        assert turn.skill == pytest.approx(sum(d.skill for d in turn.decisions), abs=1e-12)
        assert turn.luck == 0 or turn.dealt is not None
        for decision in turn.decisions:
            assert decision.played != decision.best or decision.skill == 0
            assert decision.mark in (Mark.ONLY, mark_of(decision.loss))


@pytest.mark.parametrize("ruleset", ["standard/2", "quick/3"])
def test_a_whole_game_ends_with_its_result(ruleset: str) -> None:
    record = game(ruleset, "whole")
    found = review(record, 24, 0, searcher=searcher(record.ruleset))
    outcome = record.final().outcome()
    assert outcome is not None
    assert [share > 0 for share in found.turns[-1].shares] == [r == 1 for r in outcome.ranking]
    assert sum(len(turn.decisions) for turn in found.turns) == sum(
        not isinstance(event, Deal) for event in record.events
    )


def test_the_same_review_to_the_byte() -> None:
    record = game("quick/2", "again", turns=12)
    texts = {dumps(review_to_json(review(record, 32, 5))) for _ in range(2)}
    assert len(texts) == 1
    assert dumps(review_to_json(review(record, 32, 6))) not in texts


def test_luck_is_nothing_in_the_mean() -> None:
    """Exactly so: the card that came is one of those it is compared with, each as likely. Over
    every card that could have come, luck adds up to what the search's noise leaves."""
    record = game("standard/2", "mean", turns=30)
    judge = Judge(record, engine_for(record, 96, 3), searcher(record.ruleset))
    for played in turns_in(record):
        first, *_ = played.steps
        assert not isinstance(first.event, Deal)
        view = first.position.view(first.position.seat)
        price = judge._appraiser.price(view, first.event)
        if price.by_card:
            lucks = [value - price.mean for value in price.by_card.values()]
            assert fmean(lucks) == pytest.approx(0, abs=1e-12)


def test_a_miracle_card_is_luck() -> None:
    """Of all cards that could come, the one that helps most comes: the move was the best one."""
    played = Game(seed="miracle", bots=["quartz", "quartz"])
    played.play_out()
    record = played.record
    judge = Judge(record, engine_for(record, 240, 3), searcher(record.ruleset))
    best = max(
        (max(price.by_card.values()) - price.mean, step.ply, price)
        for turn_played in turns_in(record)
        for step in turn_played.steps[:1]
        if step.position.turn > 24 and (price := _price_of_best(judge, step.position)).by_card
    )
    position = list(record.replay())[best[1]]
    price = best[2]
    card = max(price.by_card, key=price.by_card.__getitem__)
    start = Record.start(record.ruleset, world_of(position.view(position.seat)))
    move = judge._searcher.analyse(position.view(position.seat), _limit(judge, position)).best
    written = start.append(move)
    if not written.final().in_deck(card):
        pytest.skip("the card lies hidden in this imagined world")
    turn = review(written.append(Deal(card)), 240, 3, searcher=judge._searcher).turns[0]
    assert turn.skill == 0
    assert turn.luck > 0.08
    assert turn.after > turn.before + 0.08


def _limit(judge: Judge, position: Position) -> Limit:
    view = position.view(position.seat)
    return Limit(visits=judge.engine.visits, seed=judge._appraiser.seed(view, DRAWS))


def _price_of_best(judge: Judge, position: Position) -> Price:
    view = position.view(position.seat)
    best = judge._searcher.analyse(view, _limit(judge, position)).best
    return judge._appraiser.price(view, best)


def test_a_win_thrown_away_is_skill() -> None:
    """The last seat of the last round could have bought its victory, and takes tokens instead."""
    for seed in range(40):
        played = Game(players=2, seed=f"thrown {seed}", bots=["greedy", "greedy"])
        outcome = played.play_out()
        assert outcome is not None
        played.undo()
        if outcome.winners != (1,) or played.seat != 1 or played.position.phase is not Phase.ACT:
            continue
        others = [m for m in played.legal_moves() if isinstance(m, Take)]
        for move in others:
            played.play(move)
            if played.result is not None and played.result.ranking[1] == 2:
                turn = review(played.record, 60, 1, searcher=searcher(played.ruleset)).turns[-1]
                assert turn.before == 1
                assert (turn.after, turn.skill, turn.luck) == (0, -1, 0)
                assert turn.mark is Mark.BLUNDER
                return
            played.undo()
    raise AssertionError("nobody could throw a win away")


def test_a_card_is_swapped_where_it_was_dealt() -> None:
    for target, level in (("1", 1), ("deck2", 2)):
        start = Game(seed="swap").position
        move = f"reserve {start.rows[0][0].code}" if target == "1" else f"reserve {target}"  # type: ignore[union-attr]
        played = Game(seed="swap")
        played.play(move)
        view = played.view(0)
        place = world_of(start.view(0)).play(played.record.events[0]).pending  # type: ignore[arg-type]
        assert place is not None
        for card in start.view(0).unseen():
            if card.level == level:
                seen = with_card(view, place, 0, card)
                assert card not in seen.unseen()
                assert len(seen.unseen()) == len(view.unseen())


def test_a_seat_that_is_not_to_move_is_valued_by_what_it_knows() -> None:
    played = Game(seed="look")
    played.play("reserve deck3")
    view = played.view(0)
    limit = Limit(visits=64, seed=1)
    own = searcher(played.ruleset).shares(view, limit)
    assert sum(own) == pytest.approx(1, abs=1e-5)
    assert own != searcher(played.ruleset).shares(played.view(1), limit)


def test_own_knowledge_never_depends_on_what_was_hidden() -> None:
    """The same views with another card under the table give the same prices."""
    played = Game(players=2, seed="hidden")
    played.play("take wug")
    played.play("reserve deck1")
    view = played.view(0)
    assert any(isinstance(held, Hidden) for held in view.hands[1].reserved)
    own = Appraiser(searcher(played.ruleset), 60, 1, open_hands=False)
    everything = Appraiser(searcher(played.ruleset), 60, 1, open_hands=True)
    hidden = played.position.hands[1].reserved[0]
    others = [card for card in view.unseen() if card.level == 1 and card != hidden.card][:6]  # type: ignore[union-attr]
    prices, known = set(), set()
    for card in others:
        first, second = played.position.hands
        swapped = replace(second, reserved=(Reserved(card, blind=True),))
        world = replace(played.position, hands=(first, swapped))
        prices.add(own.shares(own.look(world, 0), 1))
        known.add(everything.shares(everything.look(world, 0), 1))
    assert len(prices) == 1
    assert len(known) > 1


@pytest.mark.parametrize(
    ("loss", "mark"),
    [(0.0, None), (0.049, None), (0.05, "?!"), (0.1, "?"), (0.2, "??"), (0.9, "??")],
)
def test_marks_by_what_was_given_away(loss: float, mark: str | None) -> None:
    assert mark_of(loss) == mark


def test_accuracy_is_a_hundred_without_a_loss_and_halves_with_ten_points() -> None:
    assert accuracy_of([]) is None
    assert accuracy_of([0.0, 0.0]) == 100
    assert accuracy_of([0.1]) == pytest.approx(50)
    assert accuracy_of([0.0, 0.1]) == pytest.approx(75)
