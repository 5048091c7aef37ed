"""Derived facts agree with the rules, which are asked the slow way here."""

from __future__ import annotations

import json

from hypothesis import given

from cabochon.notation import format_move
from cabochon.play.messages import FactsChange
from cabochon.play.viewfacts import (
    effect_after,
    facts_changed,
    facts_of,
    legal_with_effects,
)
from cabochon.rules import Phase, Position, Reserved, ShuffledDealer, card, noble
from cabochon.rules.buying import all_payments
from cabochon.rules.perft import dealt
from cabochon.rules.ruleset import TOKEN_LIMIT
from tests.games import RandomGame, random_games


@given(random_games(160))
def test_effects_are_what_playing_the_move_brings(game: RandomGame) -> None:
    dealer = ShuffledDealer(str(game.seed))
    for step in list(game.steps())[::9]:
        before = step.before
        if before.phase in (Phase.DEAL, Phase.OVER):
            continue
        seat = before.seat
        said = {entry["move"]: entry["after"] for entry in legal_with_effects(before.view(seat))}
        for move in before.legal_moves()[::5]:
            effect = said[format_move(move)]
            after = dealt(before.play(move), dealer)
            hand = after.hands[seat]
            assert effect["tokens"] == list(hand.tokens)
            assert effect["bonuses"] == list(after.bonuses(seat)[:5])
            _check_reach(before, after, effect["reach"])
            choosing = after.phase is Phase.NOBLE
            assert effect["points"] == after.points(seat) + 3 * choosing
            came = [n.code for n in hand.nobles[len(before.hands[seat].nobles) :]]
            if choosing:
                assert len(effect["nobles"]) > 1
            else:
                assert effect["nobles"] == came
            assert effect == effect_after(before, after, (before.completed(move),))


def _check_reach(before: Position, after: Position, reach: list[str]) -> None:
    """What was in sight before and can be bought after, and could not be bought before."""
    seat = before.seat
    hand = before.hands[seat]
    seen = [c for row in before.rows for c in row if c] + [
        reserved.card for reserved in hand.reserved if isinstance(reserved, Reserved)
    ]
    if before.phase is not Phase.ACT or sum(after.hands[seat].tokens) > TOKEN_LIMIT:
        assert reach == []
        return
    expected = [
        c.code
        for c in seen
        if not all_payments(c, before.bonuses(seat), hand.tokens)
        and all_payments(c, after.bonuses(seat), after.hands[seat].tokens)
    ]
    assert reach == expected


@given(random_games(160))
def test_prices_nobles_and_unseen_cards(game: RandomGame) -> None:
    for step in list(game.steps())[::17]:
        position = step.after
        for viewer in (None, *range(position.ruleset.seats)):
            view = position.view(viewer)
            facts = facts_of(view)
            assert sum(map(sum, facts["unseen"])) == len(view.unseen())
            for code, said in facts["cards"].items():
                payments = view.legal_payments(card(code))
                if payments:
                    assert said["pay"] == list(payments[0])
                    assert said["missing"] == 0
                    listed = said.get("payments", [said["pay"]])
                    assert listed == [list(mix) for mix in payments]
            for said_noble in facts["nobles"]:
                owner = said_noble["owner"]
                held = [noble(said_noble["code"]) in hand.nobles for hand in view.hands]
                assert (owner is not None) == any(held)
            assert facts["expected"]["phase"] == view.phase.value


@given(random_games(60))
def test_what_changes_adds_up_to_all_facts(game: RandomGame) -> None:
    viewers = (None, *range(game.ruleset.seats))
    steps = list(game.steps())[::5]
    told = {viewer: plain(facts_of(steps[0].before.view(viewer))) for viewer in viewers}
    old = steps[0].before
    for step in steps:
        for viewer in viewers:
            changed = facts_changed(old, viewer, step.after, viewer)
            told[viewer] |= {name: json.loads(value) for name, value in changed.items()}
            assert told[viewer] == plain(facts_of(step.after.view(viewer)))
            assert facts_changed(step.after, viewer, step.after, viewer) == {}
        old = step.after


def plain(facts: FactsChange) -> dict[str, object]:
    read: dict[str, object] = json.loads(json.dumps(facts))
    return read


@given(random_games(60))
def test_the_list_is_the_rules_list(game: RandomGame) -> None:
    for step in list(game.steps())[::11]:
        view = step.after.view(step.after.seat)
        said = [entry["move"] for entry in legal_with_effects(view)]
        assert said == [format_move(move) for move in view.legal_moves()]
