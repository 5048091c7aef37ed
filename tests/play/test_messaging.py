"""Messages: what each audience is told, that it adds up, and that it can be resumed anywhere."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from cabochon.notation import parse_move, view_to_json
from cabochon.play.chairs import Chair, Kind
from cabochon.play.clock import Increment
from cabochon.play.commands import (
    agree_takeback,
    ask_takeback,
    come_back,
    join,
    offer_rematch,
    resign,
    stand_in,
)
from cabochon.play.events import TableEvent
from cabochon.play.messages import TableMessage
from cabochon.play.messaging import Audience, Change, messages_for, snapshot, written
from cabochon.play.table import Decision, Table
from cabochon.play.talking import say
from cabochon.rules import Ruleset
from tests.play.clients import Client
from tests.play.sittings import Sitting, duel, opening, people, person, table_of

MESSAGE: TypeAdapter[Any] = TypeAdapter(TableMessage)
AUDIENCES = [
    Audience((0,), True),
    Audience((1,), False),
    Audience((), True),
    Audience((0, 1), True),
]


def messages(events: list[TableEvent], audience: Audience, since: int = 0) -> list[Any]:
    """What the audience is told of the events after `since`, from the log alone."""
    table = Table.open("table", events[0])  # type: ignore[arg-type]
    said: list[Any] = []
    if since == 0:
        said.append(snapshot(table, audience, (), 0))
    for number, event in enumerate(events[1:], 2):
        after = table.after(event)
        if number > since:
            said += messages_for(table, event, after, audience, (), 0)
        table = after
    return said


def test_what_is_written_once_reads_as_what_is_made_for_each() -> None:
    script = Script.eventful()
    table = Table.open("table", script.events[0])  # type: ignore[arg-type]
    for event in script.events[1:]:
        before, table = table, table.after(event)
        if before.position is None:
            continue
        plain, shared = Change(before, event, table), Change(before, event, table, written)
        for audience in (*AUDIENCES, Audience((0,)), Audience(())):
            told = orjson.dumps(shared.state(audience))
            assert told == orjson.dumps(plain.state(audience))


class Script(Sitting):
    """A sitting in which all sorts of things happen, not only moves."""

    def do(self, decision: Decision) -> None:
        self.events += decision.events
        self.table = decision.table

    @classmethod
    def eventful(cls) -> Script:
        opened = opening(person(0), Chair(Kind.OPEN), clock=Increment(600_000, 5000))
        script = cls(opened, 5)
        script.do(join(script.table, 1, "Bo", "hash1", 1500, "key:hash1"))
        script.play(6)
        script.do(say(script.table, 0, "hello", 9000))
        asker = 1 - script.table.running.seat
        script.do(ask_takeback(script.table, asker, 9500))
        if script.table.takeback is not None:
            script.do(agree_takeback(script.table, 1 - asker, 9600))
        script.play(5)
        script.do(stand_in(script.table, 1, 20_000))
        script.do(come_back(script.table, 1, 21_000))
        script.play(12)
        script.do(resign(script.table, 0, 60_000))
        script.do(offer_rematch(script.table, 0, "next", "s", 61_000).decision)
        return script


@pytest.mark.parametrize("audience", AUDIENCES)
def test_changes_add_up_to_the_whole(audience: Audience) -> None:
    script = Script.eventful()
    client, fresh = Client(), Client()
    for message in messages(script.events, audience):
        client.hear(message)
    fresh.hear(snapshot(script.table, audience, (), 0))
    assert client.state == fresh.state
    assert client.seq == script.table.seq


@pytest.mark.parametrize("audience", AUDIENCES)
def test_cut_after_any_message_and_resumed_it_is_the_same(audience: Audience) -> None:
    script = Script.eventful()
    said = messages(script.events, audience)
    uncut = Client()
    for message in said:
        uncut.hear(message)
    for cut in range(1, len(said)):
        client = Client()
        for message in said[:cut]:
            client.hear(message)
        for message in messages(script.events, audience, client.seq):
            client.hear(message)
        assert client.state == uncut.state, cut


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_message_is_of_its_type(audience: Audience) -> None:
    for message in messages(Script.eventful().events, audience):
        again = MESSAGE.validate_python(message, strict=True)
        assert again == message
        assert json.loads(json.dumps(message)) == message


@given(st.integers(0, 10**6), st.sampled_from(["standard/2", "quick/3", "teams/4"]))
def test_whole_games_add_up_for_everybody(seed: int, ruleset: str) -> None:
    rules = Ruleset.parse(ruleset)
    sitting = Sitting(opening(*people(rules.seats), ruleset=rules), seed).play(50)
    for audience in (Audience((rules.seats - 1,), True), Audience()):
        client = Client()
        for message in messages(sitting.events, audience):
            client.hear(message)
        expected = json.loads(json.dumps(snapshot(sitting.table, audience, (), 0)))
        for volatile in ("now_ms", "type", "seq"):
            del expected[volatile]
        assert json.loads(json.dumps(client.state)) == expected


def test_only_what_changed_is_sent() -> None:
    table = duel()
    decision = table.submit(0, 1, (parse_move("take wug"),), 2000)
    (message,) = messages_for(table, decision.events[0], decision.table, Audience((1,)), (), 0)
    assert message["type"] == "gameState"
    assert set(message["view"]) == {"turn", "seat", "bank", "hands"}
    assert message["events"] == ["take wug"]
    assert message["by"] == 0
    assert message["legal"]
    assert "facts" not in message


def test_legal_moves_are_for_whoever_must_decide() -> None:
    table = duel()
    assert snapshot(table, Audience((0,)), (), 0)["legal"][0] == "take wug"
    assert snapshot(table, Audience((1,)), (), 0)["legal"] == []
    assert snapshot(table, Audience(), (), 0)["legal"] == []
    first: Any = snapshot(table, Audience((0,), True), (), 0)["legal"][0]
    assert first["move"] == "take wug"
    assert first["after"]["tokens"] == [1, 1, 1, 0, 0, 0]


def test_a_drawn_card_is_told_to_its_owner_alone() -> None:
    table = duel()
    decision = table.submit(0, 1, (parse_move("reserve deck3"),), 2000)
    event, after = decision.events[0], decision.table
    code = after.moved[0].deals[0].code
    (mine,) = messages_for(table, event, after, Audience((0,), True), (), 0)
    assert mine["type"] == "gameState"
    assert mine["events"] == ["reserve deck3", f"deal {code}"]
    assert mine["log"][0]["dealt"] == code
    for audience in (Audience((1,), True), Audience((), True), Audience((0, 1), True)):
        (theirs,) = messages_for(table, event, after, audience, (), 0)
        assert theirs["type"] == "gameState"
        assert theirs["events"] == ["reserve deck3", "deal ?"]
        assert "dealt" not in theirs["log"][0]
        assert code not in json.dumps(theirs)


def test_pass_and_play_shows_the_seat_to_act() -> None:
    table = table_of(opening(person(0, "me"), person(1, "me")))
    audience = Audience((0, 1))
    decision = table.submit(0, 1, (parse_move("take wug"),), 2000)
    (message,) = messages_for(table, decision.events[0], decision.table, audience, (), 0)
    assert message["type"] == "gameState"
    assert message["you"] == 1
    assert message["view"]["viewer"] == 1


def test_between_own_turns_the_last_own_seat_is_shown() -> None:
    table = table_of(opening(*people(4)))
    audience = Audience((0, 2))
    assert audience.shown(table) == 0
    after = table.submit(0, 1, (parse_move("take wug"),), 0).table
    assert audience.shown(after) == 0


def test_the_seed_is_told_when_the_game_is_over_and_not_before() -> None:
    script = Script.eventful()
    for message in messages(script.events[:-2], Audience()):
        assert script.table.opened.seed not in json.dumps(message)
    finish = [m for m in messages(script.events, Audience()) if m["type"] == "gameFinish"]
    assert finish[0]["seed"] == script.table.opened.seed
    assert finish[0]["result"]["reason"] == "resign"


def test_the_view_is_the_notation_s() -> None:
    table = duel()
    assert snapshot(table, Audience((0,)), (), 0)["view"] == view_to_json(table.running.view(0))


def test_seats_that_are_here_are_said_to_be() -> None:
    chairs = snapshot(duel(), Audience(), (1,), 0)["table"]["chairs"]
    assert [chair["here"] for chair in chairs] == [False, True]
