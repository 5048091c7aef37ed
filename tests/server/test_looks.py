"""The live engine: it grows, stops when nobody looks, and stays out of running games."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
import time
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

import cabochon
from cabochon.notation import format_position, format_record, parse_position, parse_view
from cabochon.notation.positions import format_view
from cabochon.play.recording import record_of
from cabochon.rules import Buy, Deal, Event, Reserve
from cabochon.server.access.accesslimits import MOST_VISITS
from cabochon.server.reviews.questions import CHANGED, AskedFace, GameFace, decider, face_up
from cabochon.server.reviews.reviewmessages import StudioLine
from cabochon.server.storage.sitters import MOST_TABLES
from cabochon.server.thinking.engineprocess import EngineProcess
from cabochon.server.web.reviewmodels import KeptAnalysis
from cabochon.study.steps import play_turn
from tests.server.reviewing import look, play_something, position_text
from tests.server.serving import Here, serving

POSITION = position_text()


@pytest.fixture(scope="module")
def looking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    folder: Path = tmp_path_factory.mktemp("looks")
    with serving(folder / "tables.db", engine_visits_per_s=10**9) as here:
        list(look(here, position=POSITION, visits=10))
        yield here


def engines(here: Here) -> list[Any]:
    found: list[Any] = here.app.state.looks.engines  # type: ignore[attr-defined]
    return found


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest looks say one thing and then go on until somebody stops them, however fast the
    machine is."""
    ask = EngineProcess.ask

    async def ask_on(self: EngineProcess, **job: Any) -> AsyncGenerator[dict[str, Any], None]:
        if job["visits"] < MOST_VISITS:
            async for line in ask(self, **job):
                yield line
            return
        async for line in ask(self, **{**job, "visits": 50}):
            yield {name: line[name] for name in ("analysis", "visits")}
        await asyncio.Event().wait()

    monkeypatch.setattr(EngineProcess, "ask", ask_on)


def until_idle(here: Here) -> None:
    """Until no engine is at work."""
    desk = here.app.state.looks  # type: ignore[attr-defined]
    until = time.monotonic() + 60
    while len(desk._free) < len(desk.engines):
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_look_grows_to_its_budget_with_reasons_for_each_move(looking: Here) -> None:
    lines = list(look(looking, position=POSITION, lines=2, visits=100_000))
    adapter: TypeAdapter[Any] = TypeAdapter(StudioLine)
    for line in lines:
        adapter.validate_python(line)
    assert [line["type"] for line in lines[:-1]] == ["analysis"] * (len(lines) - 1)
    assert lines[-1]["type"] == "analysisDone"
    visits = [line["visits"] for line in lines]
    assert visits == sorted(visits)
    assert visits[0] < visits[-1] == 100_000 == lines[-1]["of"]
    moves = lines[-1]["analysis"]["moves"]
    assert len(moves) == 2
    assert all(reason["text"]["zh"] for move in moves for reason in move["why"])
    assert any(move["why"] for move in moves)


def test_closing_the_connection_stops_it_and_the_engine_is_idle_again(looking: Here) -> None:
    lines = look(looking, position=POSITION, visits=100_000)
    next(lines)
    lines.close()
    until_idle(looking)
    pids = [engine.pid for engine in engines(looking) if engine.pid is not None]
    assert pids, "the process lives on for the next look"
    before = [cpu_s(pid) for pid in pids]
    time.sleep(0.5)
    assert sum(cpu_s(pid) for pid in pids) - sum(before) < 0.1
    assert list(look(looking, position=POSITION, visits=50))[-1]["type"] == "analysisDone"
    assert {engine.pid for engine in engines(looking)} >= set(pids), "none had to be killed"


def test_an_engine_that_was_killed_is_replaced(looking: Here) -> None:
    import os

    for engine in engines(looking):
        if engine.pid is not None:
            os.kill(engine.pid, 9)
    for _ in range(2):
        list(look(looking, position=POSITION, visits=50))
    assert list(look(looking, position=POSITION, visits=50))[-1]["type"] == "analysisDone"


def test_a_long_look_is_kept_for_everybody_and_the_longest_stays(looking: Here) -> None:
    position = position_text("kept")
    short = looking.try_get(f"/eval?position={position}")
    assert (short.status_code, short.json()["code"]) == (404, "no-eval")
    list(look(looking, position=position, lines=1, visits=9_000))
    kept = looking.get(f"/eval?position={position}")
    KeptAnalysis.model_validate(kept)
    assert kept["visits"] >= 9_000
    assert len(kept["analysis"]["moves"]) == 5
    list(look(looking, position=position, visits=5_000))
    assert looking.get(f"/eval?position={position}") == kept
    view = format_view(parse_position(position).view(0))
    assert looking.get(f"/eval?position={view}") == kept


@pytest.mark.usefixtures("endless")
def test_one_position_at_a_time_for_one_person(looking: Here) -> None:
    lines = look(looking, position=POSITION, visits=100_000)
    next(lines)
    refused = looking.try_post("/engine", {"position": POSITION})
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many")
    assert int(refused.headers["retry-after"]) > 0
    other = list(look(looking, key="somebody else", position=POSITION, visits=50))
    assert other[-1]["type"] == "analysisDone"
    lines.close()
    until_idle(looking)


@pytest.mark.usefixtures("endless")
def test_when_all_engines_are_busy_that_is_said_with_a_time_to_try_again(looking: Here) -> None:
    lines = [
        look(looking, key=f"person {n}", position=POSITION, visits=100_000)
        for n in range(len(engines(looking)))
    ]
    for each in lines:
        next(each)
    refused = looking.try_post("/engine", {"position": POSITION}, key="late")
    assert (refused.status_code, refused.json()["code"]) == (429, "engine-busy")
    assert int(refused.headers["retry-after"]) > 0
    for each in lines:
        each.close()
    until_idle(looking)


@pytest.mark.usefixtures("endless")
def test_whoever_hurries_on_to_the_next_position_need_not_wait(looking: Here) -> None:
    for seed in ("a", "b", "c", "d"):
        lines = look(looking, position=position_text(seed), visits=100_000)
        next(lines)
        lines.close()
    until_idle(looking)


def test_an_address_has_its_share_of_visits(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", engine_visits_per_s=1.0, engines=1) as here:
        first = here.try_post("/engine", {"position": POSITION, "visits": 99_000})
        assert first.is_success
        refused = here.try_post("/engine", {"position": POSITION, "visits": 2_000})
        assert (refused.status_code, refused.json()["code"]) == (429, "too-fast")
        assert int(refused.headers["retry-after"]) > 100


def test_a_server_without_engines_says_so(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", engines=0) as here:
        refused = here.try_post("/engine", {"position": POSITION})
        assert (refused.status_code, refused.json()["code"]) == (503, "no-engine")


@pytest.mark.parametrize(
    "asked",
    [
        {"position": "nonsense"},
        {"position": POSITION, "lines": 6},
        {"position": POSITION, "visits": 100_001},
        {"position": POSITION, "visits": 0},
        {"position": POSITION.replace("act", "over")},
        {"position": "watch " + POSITION},
        {"position": "seat1 " + POSITION},
        {"position": POSITION * 40},
    ],
)
def test_what_cannot_be_looked_at_is_a_clear_problem(asked: Any, looking: Here) -> None:
    refused = looking.try_post("/engine", asked)
    assert refused.status_code == 422, refused.text
    assert refused.json()["sentence"]["zh"]


# Games that are being played


def now_at(here: Here, table: str) -> cabochon.Position:
    hub = here.app.state.hub  # type: ignore[attr-defined]
    position: cabochon.Position = hub.in_memory(table).table.position
    return position


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Here]:
    """A server behind a proxy, so that people can have addresses of their own."""
    with serving(tmp_path / "t.db", trust_proxy=True, hosts="*", engines=1) as here:
        yield here


def code(here: Here, position: str, key: str | None = None, address: str = "10.9.9.9") -> str:
    """What the engine says to somebody at that address."""
    asked = {"position": position, "visits": 1}
    answer = here.try_post("/engine", asked, key, X_Forwarded_For=address)
    return "ok" if answer.is_success else str(answer.json()["code"])


def play_from(here: Here, address: str) -> tuple[str, list[str]]:
    table, keys = here.duel()
    for _ in range(3):
        for key in keys:
            full = here.full(table, key)
            if full["legal"]:
                first = full["legal"][0]
                move = first if isinstance(first, str) else first["move"]
                body = {"moves": [move], "version": full["version"]}
                here.post(f"/tables/{table}/move", body, key, X_Forwarded_For=address)
                break
    return table, keys


def test_a_running_game_is_locked_for_who_plays_it_by_key_and_by_address(locked: Here) -> None:
    table, keys = play_from(locked, "10.1.1.1")
    text = format_position(now_at(locked, table))
    seen = format_view(now_at(locked, table).view(now_at(locked, table).seat))
    for said in (text, seen):
        assert code(locked, said, keys[0]) == "still-playing"
        assert code(locked, said, address="10.1.1.1") == "still-playing"
        assert code(locked, said, address="10.2.2.2") == "ok"
    refused = locked.try_get(f"/eval?position={text}", keys[1])
    assert refused.json()["code"] == "still-playing"
    locked.post(f"/tables/{table}/resign", {"seat": 1}, keys[1])
    assert code(locked, text, keys[0]) == "ok"


def test_a_game_with_people_is_not_hidden_behind_many_with_bots(locked: Here) -> None:
    table, keys = play_from(locked, "10.3.3.3")
    said = format_position(now_at(locked, table))
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "greedy"}]
    for _ in range(MOST_TABLES + 1):
        locked.post("/tables", {"chairs": chairs}, X_Forwarded_For="10.3.3.3")
    assert code(locked, said, address="10.3.3.3") == "still-playing"
    locked.post(f"/tables/{table}/resign", {"seat": 1}, keys[1])


def test_the_lock_survives_a_restart_and_holds_for_tokens(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", engines=1) as here:
        token = here.post("/tokens", {"name": "Robo"})["token"]
        chairs = [{"kind": "me", "name": "Robo"}, {"kind": "bot", "bot": "greedy"}]
        made = here.post("/tables", {"chairs": chairs, "seat_order": "fixed"}, token)
        table = made["table"]["id"]
        full = here.full(table, token)
        first = full["legal"][0]
        move = first if isinstance(first, str) else first["move"]
        here.post(f"/tables/{table}/move", {"moves": [move], "version": full["version"]}, token)
        time.sleep(1)
    with serving(tmp_path / "t.db", engines=1) as here:
        here.get(f"/tables/{table}")
        text = format_position(now_at(here, table))
        asked = {"position": text.replace("deal", "act"), "visits": 1}
        assert here.try_post("/engine", asked, token).json()["code"] == "still-playing"


def test_earlier_positions_and_changed_ones_of_a_running_game_are_locked(locked: Here) -> None:
    table, keys = locked.duel()
    first = format_position(now_at(locked, table))
    for _ in range(8):
        play_something(locked, table, keys)
    assert code(locked, first, keys[0]) == "still-playing"
    text = format_position(now_at(locked, table))
    fields = text.split(" ")
    fields[6] = swapped(text, fields[6])
    changed = " ".join(fields)
    assert parse_position(changed) != parse_position(text)
    assert code(locked, changed, keys[0]) == "still-playing"


def swapped(text: str, rows: str) -> str:
    """The rows with one card that lies elsewhere in a deck."""
    other = next(
        card.code
        for card in decider(text, "own").unseen()
        if card.level == 1 and card.code not in text
    )
    return other + rows[3:]


def test_a_game_that_is_being_played_is_not_reviewed_as_a_record_either(locked: Here) -> None:
    table, keys = locked.duel()
    for _ in range(6):
        play_something(locked, table, keys)
    running = locked.app.state.hub.in_memory(table).table  # type: ignore[attr-defined]
    text = format_record(record_of(running))
    refused = locked.try_post("/reviews", {"record": text}, keys[0])
    assert (refused.status_code, refused.json()["code"]) == (403, "still-playing")


def test_a_running_game_that_is_made_up_to_its_end_is_not_reviewed_either(locked: Here) -> None:
    """What is asked about may stand anywhere in a record, with something else after it."""
    table, keys = locked.duel()
    for _ in range(6):
        play_something(locked, table, keys)
    running = locked.app.state.hub.in_memory(table).table  # type: ignore[attr-defined]
    record = record_of(running)
    while len(face_up(record.final()) - face_up(record_of(running).final())) <= 2 * CHANGED:
        onward = something_made_up(record.final(), random.Random(len(record.events)))
        for event in onward:
            record = record.append(event)
    refused = locked.try_post("/reviews", {"record": format_record(record)}, keys[0])
    assert (refused.status_code, refused.json()["code"]) == (403, "still-playing")


def test_no_bot_plays_on_from_a_game_that_is_being_played(locked: Here) -> None:
    """What a bot does in one's place is as good as what an engine says."""
    table, keys = play_from(locked, "10.5.5.5")
    position = format_position(now_at(locked, table))
    bots = {"position": position, "chairs": [{"kind": "bot", "bot": "greedy"}] * 2}

    def made(key: str | None, address: str) -> str:
        answer = locked.try_post("/tables", bots, key, X_Forwarded_For=address)
        return "ok" if answer.is_success else str(answer.json()["code"])

    assert made(keys[0], "10.7.7.7") == "still-playing"
    assert made(None, "10.5.5.5") == "still-playing"
    assert made(None, "10.7.7.7") == "ok"
    locked.post(f"/tables/{table}/resign", {"seat": 1}, keys[1])
    assert made(keys[0], "10.5.5.5") == "ok"


def something_made_up(position: cabochon.Position, rng: random.Random) -> list[Event]:
    """A turn, if possible one that uncovers a card, and the card."""
    moves = list(position.legal_moves())
    uncovers = [each for each in moves if isinstance(each, Buy | Reserve)]
    (*_, node) = play_turn(position, [rng.choice(uncovers or moves)], rng).nodes
    assert node.move is not None
    return [node.move, *([Deal(node.dealt)] if node.dealt is not None else [])]


def test_other_games_look_different() -> None:
    """No two of sixty games are taken for one another."""
    games = [cabochon.Game(seed=f"face {n}").position for n in range(60)]
    hits = 0
    for mine in games:
        cards = frozenset(card for row in mine.rows for card in row if card is not None)
        face = GameFace(2, cards, cards, frozenset(mine.nobles))
        hits += sum(face.is_of(AskedFace.of(other)) for other in games)
    assert hits == len(games)


def test_what_a_seat_does_not_know_is_not_asked_of_the_engine() -> None:
    game = cabochon.Game(seed="hidden")
    game.play("reserve deck2")
    text = format_position(game.position)
    own, everything = decider(text, "own"), decider(text, "all-cards")
    assert "2?" in format_view(own)
    assert "2?" not in format_view(everything)
    assert parse_view(format_view(own)) == own


def test_many_who_come_and_go_leave_no_look_behind(looking: Here) -> None:
    def glance(number: int) -> None:
        with contextlib.suppress(AssertionError, StopIteration):
            next(look(looking, key=f"guest {number}", position=POSITION, visits=100_000))

    threads = [threading.Thread(target=glance, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until_idle(looking)
    assert list(look(looking, position=POSITION, visits=50))[-1]["type"] == "analysisDone"
