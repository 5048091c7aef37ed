"""Secrecy: shuffle what a viewer cannot know, and not a byte of what it is told changes."""

from __future__ import annotations

from dataclasses import replace

import orjson
from hypothesis import given
from hypothesis import strategies as st

from cabochon.notation import format_move, parse_move
from cabochon.notation.recordjson import seen_record_to_json
from cabochon.notation.records import format_record
from cabochon.play.events import Moved
from cabochon.play.messaging import Audience, messages_for, snapshot
from cabochon.play.recording import record_of
from cabochon.play.table import Table
from cabochon.play.viewfacts import effect_after
from cabochon.rules import CARDS, CabochonError, Ruleset
from tests.play.sittings import Sitting, opening, people
from tests.play.worlds import has_blind_draws, other_world

EVERY_ASK = [f"{verb} {card.code}" for card in CARDS for verb in ("buy", "reserve")]
EVERY_ASK += ["reserve deck1", "reserve deck2", "reserve deck3", "pass", "take wug", "take rr"]


def everything_told(table: Table, history: list[Moved], viewer: int | None) -> bytes:
    """All bytes that the viewer gets while the history is played at the table."""
    audience = Audience(() if viewer is None else (viewer,), True)
    said: list[object] = [snapshot(table, audience, (), 0)]
    for event in history:
        decision = table.submit(event.seat, table.version, event.moves, event.at)
        said += messages_for(table, decision.events[0], decision.table, audience, (), 0)
        table = decision.table
        if viewer is not None:
            said += [_answer(table, viewer, text) for text in EVERY_ASK[:: 1 + table.seq % 7]]
    said.append(snapshot(table, audience, (), 0))
    said.append(snapshot(table, replace(audience, facts=False), (), 0))
    seen = record_of(table).seen_by(viewer)
    said += [seen_record_to_json(seen), format_record(seen)]
    return orjson.dumps(said)


def _answer(table: Table, viewer: int, text: str) -> object:
    """What a question about a move is answered: an effect, or a refusal."""
    try:
        staged = table.staged(viewer, table.version, (parse_move(text),), 0)
    except CabochonError as error:
        return [error.code, dict(error.params), error.en, error.zh]
    return effect_after(table.running, staged.position, staged.moves)


@given(
    st.integers(0, 10**6),
    st.sampled_from(["standard/2", "quick/3", "standard/4", "teams/4"]),
    st.integers(2, 45),
    st.integers(0, 4),
)
def test_what_cannot_be_known_is_never_told(seed: int, rules: str, moves: int, who: int) -> None:
    ruleset = Ruleset.parse(rules)
    sitting = Sitting(opening(*people(ruleset.seats), ruleset=ruleset), seed).play(moves)
    table = sitting.table
    if table.ended is not None:
        return
    viewer = None if who >= ruleset.seats else who
    start = Table.open("table", table.opened)
    other = replace(start, dealer=other_world(table, viewer, seed))
    history = list(table.moved)
    assert everything_told(start, history, viewer) == everything_told(other, history, viewer)


def test_the_worlds_do_differ() -> None:
    """The test above would notice: to somebody who knows all, the worlds are not the same."""
    sitting = Sitting(opening(*people(2)), 3).play(20)
    table = sitting.table
    assert has_blind_draws(table)
    start = Table.open("table", table.opened)
    other = replace(start, dealer=other_world(table, None, 5))
    for event in table.moved:
        other = other.submit(event.seat, other.version, event.moves, event.at).table
    assert other.running.hands != table.running.hands
    moves = [format_move(move) for move in table.running.legal_moves()]
    assert moves
