"""The log of a table, attacked over the network: nobody else's moves suffer for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cabochon.notation import format_move
from cabochon.play.budgets import LEAVE_AGAIN_MS, MOST_LEAVES
from cabochon.play.errors import TableFault, TableRefused
from cabochon.server.access.identity import Caller
from cabochon.server.tables.hub import now_ms
from cabochon.server.tables.seatcommands import SeatCommands
from tests.play.sittings import opening, people
from tests.play.test_budgets import round_and_round
from tests.server.serving import Here, serving
from tests.server.test_hub import Time, hub_on, run, until


def dull_move(here: Here, table: str) -> str:
    """A move that brings the game no nearer to its end."""
    live = here.app.state.hub.in_memory(table)  # type: ignore[attr-defined]
    return format_move(round_and_round(live.table.running))


def test_leaving_and_returning_87_times_makes_no_move_of_the_victim_stale(tmp_path: Path) -> None:
    """The very attack; 86 of the victim's moves were stale."""
    time = Time()
    with serving(tmp_path / "t.db", clock=time) as here:
        table, (mallory, victim) = here.strangers()
        refusals: list[str] = []

        def post(path: str, body: dict[str, Any], key: str) -> Any:
            response = here.try_post(f"/tables/{table}/{path}", body, key)
            if response.is_success:
                return response.json()
            refusals.append(f"{'victim' if key == victim else 'mallory'} {response.json()['code']}")
            return None

        hub = here.app.state.hub  # type: ignore[attr-defined]
        victims = 0
        while victims < 87:
            now = hub.in_memory(table).table
            if now.to_act == 0:
                # Moving is how Mallory is back.
                body = {"version": now.version, "moves": [dull_move(here, table)]}
                post("move", body, mallory)
                continue
            body = {"version": now.version, "moves": [dull_move(here, table)]}
            time.ahead += LEAVE_AGAIN_MS
            post("leave", {}, mallory)
            with here.socket(table, mallory) as back:
                back.hear("gameFull")
                back.hear("presence")
            if post("move", body, victim) is not None:
                victims += 1
        assert [refusal for refusal in refusals if refusal.startswith("victim")] == []
        assert "mallory leaves-spent" in refusals
        assert hub.in_memory(table).table.spent[0].leaves >= MOST_LEAVES


def test_leaving_again_at_once_says_when_it_will_do(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db") as here:
        table, (ada, _) = here.strangers()
        here.post(f"/tables/{table}/leave", {}, ada)
        with here.socket(table, ada) as talk:
            talk.hear("gameFull")
            refused = talk.ask(type="leave")
            while refused["type"] == "accepted":  # not back yet: she had left before
                refused = talk.ask(type="leave")
            problem = refused["problem"]
            assert (problem["code"], problem["status"]) == ("leave-too-soon", 429)
            assert "10 s" in problem["sentence"]["en"]
            assert "10" in problem["sentence"]["zh"]


@pytest.mark.parametrize("chats", [0, 3])
def test_a_move_that_saw_one_s_own_leaving_is_still_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chats: int
) -> None:
    """Whoever leaves, thinks better of it and moves before the bot does is simply back, whatever
    the others say meanwhile."""

    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            monkeypatch.setattr(hub.scheduler, "reschedule", lambda live: None)
            live = await hub.open("table1", opening(*people(2), at=now_ms()))
            seat_commands = SeatCommands(hub, live, Caller(("hash0",)))
            left = await seat_commands.leave(None)
            for _ in range(chats):
                await SeatCommands(hub, live, Caller(("hash1",))).say("hello", None, None)
            await until(lambda: live.leased)
            assert await seat_commands.move(["take wug"], left.version, None) == 4 + chats
            assert not live.table.chairs[0].stands_in

    run(test())


def test_a_move_from_before_one_s_own_leaving_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot may already have thought about it."""

    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            monkeypatch.setattr(hub.scheduler, "reschedule", lambda live: None)
            live = await hub.open("table1", opening(*people(2), at=now_ms()))
            seat_commands = SeatCommands(hub, live, Caller(("hash0",)))
            await seat_commands.leave(None)
            await until(lambda: live.leased)
            with pytest.raises(TableRefused) as stale:
                await seat_commands.move(["take wug"], 1, None)
            assert stale.value.code is TableFault.STALE

    run(test())


def test_the_answer_to_the_last_move_names_the_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not the bot that takes over after it, so that a repeat is answered the same."""
    monkeypatch.setattr("cabochon.play.budgets.MOVES_OF_ALL", 2)

    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("table1", opening(*people(2), at=now_ms()))
            seat_commands = SeatCommands(hub, live, Caller(("hash0",)))
            first = await seat_commands.move(["take wug"], 1, "key")
            assert live.table.chairs[0].stands_in
            await until(lambda: live.leased)
            assert first == await seat_commands.move(["take wug"], 1, "key") == 2

    run(test())


def test_the_house_does_not_agree_to_a_peek_for_whoever_has_left(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db") as here:
        table, (ada, bo) = here.strangers()
        with here.socket(table, bo) as other:
            other.hear("gameFull")
            body = {"version": 2, "moves": ["reserve deck1"]}
            here.post(f"/tables/{table}/move", body, ada)
        for _ in range(2):
            refused = here.try_post(f"/tables/{table}/takeback", {"action": "ask"}, ada)
            assert refused.status_code == 409
            assert refused.json()["code"] == "takeback-away"
            here.post(f"/tables/{table}/leave", {}, bo)
