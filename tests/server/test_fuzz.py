"""Fuzzing: Schemathesis over the whole HTTP API, and a fuzzer of our own on the socket."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed

from cabochon.notation import format_move, format_position, format_record, position_to_json
from cabochon.notation.recordjson import record_to_json
from cabochon.server.access.cookies import PLAIN
from cabochon.server.settings import Settings
from cabochon.server.web.app import make_app
from tests.games import RULESETS, RandomGame
from tests.server.browsers import Browser
from tests.server.serving import Here, serving
from tests.server.test_settling import give_up
from tests.study.trees import record_with_variations

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
OF_SOMEBODY = ("/api/me", "/api/sign", "/api/pools", "/api/reports", "/api/invitations")
SCHEMA = make_app(Settings()).openapi()
schema = schemathesis.openapi.from_dict(SCHEMA)


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with serving(folder / "t.db", most_tables_per_address=10**6) as here:
        table, keys = here.strangers()
        here.table, here.keys = table, keys  # type: ignore[attr-defined]
        with Browser(here) as somebody:
            here.person = somebody.be("Fay")["id"]  # type: ignore[attr-defined]
            here.cookie = f"{PLAIN}={somebody.cookie}"  # type: ignore[attr-defined]
            give_up(somebody, listed=True)
        yield here


@schema.parametrize()
@settings(
    max_examples=12,
    derandomize=True,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_answers_as_it_says(case: Any, fuzzed: Here) -> None:
    if "table_id" in case.path_parameters and "stream" not in case.path:
        case.path_parameters["table_id"] = fuzzed.table  # type: ignore[attr-defined]
        case.headers = {**(case.headers or {}), **_bearer(fuzzed)}
    if case.path.startswith(("/api/people", "/api/leaderboards", "/api/me/games")):
        if "person_id" in case.path_parameters:
            case.path_parameters["person_id"] = fuzzed.person  # type: ignore[attr-defined]
        case.headers = {**(case.headers or {}), "Cookie": fuzzed.cookie}  # type: ignore[attr-defined]
    elif case.path.startswith(OF_SOMEBODY) and case.path not in ("/api/meta", "/api/pools/stream"):
        fuzzed.http.cookies.clear()  # somebody new: some of these end it
        made = fuzzed.try_post("/me")
        assert made.is_success, made.text
        fuzzed.http.cookies.clear()
        case.headers = {**(case.headers or {}), "Cookie": made.headers["set-cookie"]}
        _about_fay(case, fuzzed)
        if case.path.startswith("/api/invitations"):
            _with_invitation(case, fuzzed)
    response = case.call(base_url=fuzzed.base, timeout=20)
    case.validate_response(response, checks=CHECKS)


def _about_fay(case: Any, here: Here) -> None:
    """Whoever is blocked or reported exists, and so does the game."""
    if "person_id" in case.path_parameters:
        case.path_parameters["person_id"] = here.person  # type: ignore[attr-defined]
    if case.path == "/api/reports" and isinstance(case.body, dict):
        case.body["person"] = here.person  # type: ignore[attr-defined]
        if case.body.get("table"):
            case.body["table"] = here.table  # type: ignore[attr-defined]


def _with_invitation(case: Any, here: Here) -> None:
    """Fay is asked by somebody new, and she or they end it; or she is asked by the case."""
    asked = {"person": here.person, "pool": "two-day"}  # type: ignore[attr-defined]
    if "invitation_id" not in case.path_parameters:
        if isinstance(case.body, dict) and "person" in case.body:
            case.body["person"] = asked["person"]
        return
    cookie = {"Cookie": case.headers["Cookie"]}
    made = here.http.post("/api/invitations", json=asked, headers=cookie)
    if made.is_success:
        case.path_parameters["invitation_id"] = made.json()["id"]
    if case.path.endswith("accept"):
        case.headers["Cookie"] = here.cookie  # type: ignore[attr-defined]


def _bearer(here: Here) -> dict[str, str]:
    return {"Authorization": f"Bearer {here.keys[0]}"}  # type: ignore[attr-defined]


WORDS = ["move", "check", "chat", "resign", "takeback", "rematch", "claim", "ping", "hello", "fly"]
WORDS += ["texting", "fill"]
VALUES: list[Any] = [
    None, 0, 1, -1, 2**31, 2**70, 1.5, True, "", "x", "take wug", "𝕏" * 50, "\u0000", "\ud7ff",
    [], ["take wug"], ["pass"] * 3, [None], {}, {"a": {}}, "ask", "agree", "offer", "hello", 3,
]  # fmt: skip


def mutant(chance: random.Random) -> str | bytes:
    """A message that is nearly one of ours, or nothing like it."""
    kind = chance.random()
    if kind < 0.1:
        return bytes(chance.randrange(256) for _ in range(chance.randrange(200))).decode("latin-1")
    if kind < 0.15:
        return "[" * chance.randrange(1, 3000)
    keys = ["type", "id", "version", "moves", "seat", "phrase", "action", "gone", "since", "keys"]
    keys += ["text", "on", "bot", "chair"]
    message = {key: chance.choice(VALUES) for key in keys if chance.random() < 0.5}
    if chance.random() < 0.9:
        message["type"] = chance.choice(WORDS)
    if chance.random() < 0.7:
        message["id"] = str(chance.randrange(10))
    text = json.dumps(message)
    if kind < 0.3:
        place = chance.randrange(len(text))
        text = text[:place] + chance.choice('{}[]",:\\\x07é') + text[place + 1 :]
    return text


@pytest.mark.parametrize("seed", range(4))
def test_the_socket_answers_or_closes_but_never_breaks(
    seed: int, fuzzed: Here, caplog: pytest.LogCaptureFixture
) -> None:
    chance = random.Random(seed)
    table, keys = fuzzed.strangers()
    sent = 0
    while sent < 300:
        with fuzzed.socket(table, keys[0]) as talk:
            talk.hear("gameFull")
            for _ in range(100):
                talk.ws.send(mutant(chance))
                sent += 1
                try:
                    talk.hear("accepted", "refused", "checked", "pong", timeout=10)
                except ConnectionClosed:
                    break
    with fuzzed.socket(table, keys[1]) as talk:
        assert talk.hear("gameFull")["type"] == "gameFull"
        assert talk.ask(type="ping")["type"] == "pong"
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def nearly(chance: random.Random, value: Any) -> Any:
    """The same JSON with something in it changed, cut, doubled or put elsewhere."""
    if isinstance(value, dict) and value and chance.random() < 0.95:
        name = chance.choice(list(value))
        return {**value, name: nearly(chance, value[name])}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        kind = chance.random()
        if kind < 0.15:
            return value[:at] + value[at + 1 :]
        if kind < 0.3:
            return [*value, value[at]]
        return [*value[:at], nearly(chance, value[at]), *value[at + 1 :]]
    if isinstance(value, str) and value and chance.random() < 0.7:
        at = chance.randrange(len(value))
        return value[:at] + chance.choice('wugrko0123456789.,|/-()? {}[]"\\é') + value[at + 1 :]
    if isinstance(value, int) and chance.random() < 0.7:
        return value + chance.choice([-1, 1, 7, 10**9, 10**30])
    return chance.choice([*VALUES, 10**30, -1])


@pytest.mark.parametrize("seed", range(4))
def test_studies_that_are_nearly_right_are_answered_or_refused(seed: int, fuzzed: Here) -> None:
    chance = random.Random(seed)
    game = RandomGame(RULESETS[seed], seed, "gambler", 50)
    record = record_with_variations(game, seed)
    position = chance.choice(list(game.positions()))
    text, move = format_position(position), format_move(game.start().legal_moves()[0])
    nodes = [{"event": move, "dealt": None, "comment": "x", "variations": [[{"event": move}]]}]
    bodies: list[tuple[str, Any]] = [
        ("/studies/open", {"position": text, "viewer": "all"}),
        ("/studies/open", {"record": format_record(record), "viewer": "1"}),
        ("/studies/open", {"record": json.dumps(record_to_json(record))}),
        ("/studies/play", {"position": text, "moves": [move], "deal": "chance", "ply": 3}),
        ("/studies/format", {"record": format_record(record), "tree": nodes}),
        ("/studies/format", {"start": format_position(game.start()), "tree": nodes}),
        ("/studies", {"record": format_record(record), "title": "x"}),
        ("/positions/check", {"setup": position_to_json(position)}),
        ("/positions/check", {"text": text}),
        ("/tables", {"position": text, "chairs": [{"kind": "bot", "bot": "greedy"}] * 2}),
    ]
    answers: set[int] = set()
    for path, right in bodies:
        for _ in range(12):
            response = fuzzed.try_post(path, nearly(chance, right))
            answers.add(response.status_code)
            assert response.status_code < 500 or response.json()["code"] == "studies-full"
    assert {200, 422} <= answers
