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

from cabochon.server.app import make_app
from cabochon.server.settings import Settings
from tests.server.serving import Here, serving

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
SCHEMA = make_app(Settings()).openapi()
schema = schemathesis.openapi.from_dict(SCHEMA)


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with serving(folder / "t.db", most_tables_per_address=10**6) as here:
        table, keys = here.strangers()
        here.table, here.keys = table, keys  # type: ignore[attr-defined]
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
    response = case.call(base_url=fuzzed.base, timeout=20)
    case.validate_response(response, checks=CHECKS)


def _bearer(here: Here) -> dict[str, str]:
    return {"Authorization": f"Bearer {here.keys[0]}"}  # type: ignore[attr-defined]


WORDS = ["move", "check", "chat", "resign", "takeback", "rematch", "claim", "ping", "hello", "fly"]
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
