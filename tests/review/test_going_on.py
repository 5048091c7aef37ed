"""A review that somebody else goes on with: nothing shows where it changed hands."""

from __future__ import annotations

import json

import cabochon
from cabochon.review import Judge, Knowledge, engine_for, review
from cabochon.review.reviewjson import (
    figures_from_json,
    figures_to_json,
    review_head,
    review_tail,
    review_to_json,
    told_turn,
    turn_to_json,
)
from cabochon.words import languages


def _game() -> cabochon.Game:
    game = cabochon.Game(variant="quick", seed="handed on", bots=["greedy", "uniform"])
    game.play_out()
    return game


def test_a_review_in_two_parts_is_the_same_to_the_byte() -> None:
    record = _game().record
    engine = engine_for(record, 24)
    whole = review(record, 24)
    for since in (0, 1, len(whole.turns) // 2, len(whole.turns)):
        kept = [turn_to_json(turn) for turn in whole.turns[:since]]
        figures = [json.dumps(figures_to_json(turn.figures)) for turn in whole.turns[:since]]
        judge = Judge(record, engine)
        rest = list(judge.turns(since))
        exact = [figures_from_json(json.loads(text)) for text in figures]
        exact += [turn.figures for turn in rest]
        start = judge.start()
        again = (
            review_head(record, engine, start)
            | {"turns": [*kept, *(turn_to_json(turn) for turn in rest)]}
            | review_tail(exact, start)
        )
        assert json.dumps(again) == json.dumps(review_to_json(whole))


def test_a_told_turn_is_the_turn_with_a_sentence_for_every_reason() -> None:
    record = _game().record
    judge = Judge(record, engine_for(record, 24, knowledge=Knowledge.ALL_CARDS))
    reasons = 0
    for turn in judge.turns():
        told = told_turn(turn, ("Mira", "Otto"))
        for decision in told["decisions"]:  # type: ignore[attr-defined]
            for reason in (*decision["why"], *decision["why_played"]):
                text = reason.pop("text")
                assert set(text) == set(languages())
                assert all(text.values())
                reasons += 1
        assert told == turn_to_json(turn)
    assert reasons > 20
