"""Secrecy of the whole server: every endpoint, message, log line, error and metric.

The same game is played twice on two servers that differ only in what the viewer cannot know: the
order of the decks, and the cards that the opponent has drawn unseen. Everything the viewer
receives must be the same, byte for byte.
"""

from __future__ import annotations

import itertools
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cabochon.notation import format_move
from cabochon.play.table import Table
from cabochon.rules import CARDS, Dealer, Ruleset, ShuffledDealer
from tests.play.sittings import Sitting, opening, people
from tests.play.worlds import has_blind_draws, other_world
from tests.server.serving import Here, serving

SEED = "the seed of two worlds"
COVERED = {
    "getMeta", "getCards", "getRules", "makeTutorial", "makeTable", "listTables", "getTable",
    "getInvite", "joinTable", "move", "moveByText", "check", "resign", "leave", "takeback",
    "rematch", "claim", "chat", "streamTable", "streamEvents", "getRecord", "getReplay",
    "makeToken", "getToken", "revokeToken", "healthz", "readyz", "metrics", "getKeySeats", "share",
}  # fmt: skip


def history() -> Table:
    """A game with cards that are still hidden in both hands."""
    for seed in itertools.count():
        sitting = Sitting(opening(*people(2), ruleset=Ruleset(2), seed=SEED), seed).play(24)
        table = sitting.table
        if table.ended is None and has_blind_draws(table):
            blind = [[r for r in hand.reserved if r.blind] for hand in table.running.hands]  # type: ignore[union-attr]
            if all(blind):
                return table
    raise AssertionError


class World:
    """One server, and everything that its viewer has received."""

    def __init__(self, here: Here, viewer: int | None) -> None:
        self.here = here
        self.viewer = viewer
        self.said: list[Any] = []

    def play(self, table: Table) -> None:
        here = self.here
        self.id, self.keys = here.strangers()
        self.key = None if self.viewer is None else self.keys[self.viewer]
        held = [] if self.key is None else [self.key]
        with here.socket(self.id, *held, facts=True) as talk:
            full = talk.hear("gameFull")
            self.said.append(full)
            version = full["version"]
            for event in table.moved:
                texts = [format_move(move) for move in event.moves]
                body = {"moves": texts, "version": version}
                version = here.post(f"/tables/{self.id}/move", body, self.keys[event.seat])[
                    "version"
                ]
                self.said.append(talk.hear("gameState"))
            self.version = version
            self._ask_over_the_socket(talk)
        self._ask_over_http()

    def _ask_over_the_socket(self, talk: Any) -> None:
        for card in CARDS[::3]:
            for verb in ("buy", "reserve"):
                texts = [f"{verb} {card.code}"]
                self.said.append(talk.ask(type="check", version=self.version, moves=texts))
        talk.ws.send("nonsense")
        self.said.append(talk.hear("refused"))

    def _ask_over_http(self) -> None:
        base = f"/tables/{self.id}"
        for path in (
            base,
            f"{base}/record",
            f"{base}/replay",
            f"{base}/replay?viewer=all",
            f"{base}/replay?viewer=0",
            f"{base}/replay?facts=0",
            "/tables",
            "/meta",
            "/cards",
            "/rules",
            "/invites/nosuchcode",
            "/nothing",
            f"{base}/stream?since=99999999999",
        ):
            self._keep(self.here.try_get(path, self.key))
            self._keep(self.here.try_get(path, self.key, accept="application/json"))
        for path, body in (
            ("move", {"moves": ["take wug"], "version": 1}),
            ("move", {"moves": ["take www"], "version": self.version}),
            ("move", {"moves": [f"buy {CARDS[3].code}"], "version": self.version}),
            ("move/pass?version=0", {}),
            ("check", {"moves": ["reserve deck1"]}),
            ("check", {"moves": ["reserve deck3"]}),
            ("takeback", {"action": "agree"}),
            ("rematch", {"action": "offer"}),
            ("claim", {}),
            ("chat", {"phrase": "hello"}),
            ("chat", {"phrase": "nope"}),
            ("join", {"name": "Cy"}),
            ("keys", {"keys": [*self.keys, "cab_s_wrong"]}),
            ("share", {"action": "pledge", "value": "0" * 64}),
            ("share", {"action": "reveal", "value": "0" * 32}),
            ("leave", {"seat": 3}),
            ("resign", {"seat": 3}),
        ):
            self._keep(self.here.try_post(f"{base}/{path}", body, self.key))
        bearer = {} if self.key is None else {"Authorization": f"Bearer {self.key}"}
        for verb in ("GET", "DELETE"):
            self._keep(self.here.http.request(verb, "/api/tokens/me", headers=bearer))
        for since in range(2, self.version, 3):
            held = [] if self.key is None else [self.key]
            with self.here.socket(self.id, *held, facts=True, since=since) as talk:
                self.said += [talk.hear("gameState") for _ in range(since, self.version)]

    def _keep(self, response: Any) -> None:
        # A request's id is drawn at random, and knows nothing about the game.
        headers = sorted((k, v) for k, v in response.headers.items() if k != "x-request-id")
        self.said.append([response.status_code, headers, response.text])


@contextmanager
def world(
    folder: Path, dealer: Dealer, viewer: int | None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    """A server whose every random choice is fixed, except the deal."""
    numbers = itertools.count(1)

    def dealer_of(seed: str) -> Dealer:
        return dealer if seed == SEED else ShuffledDealer(seed)

    with monkeypatch.context() as patch:
        patch.setattr("cabochon.play.table.ShuffledDealer", dealer_of)
        patch.setattr("cabochon.server.making.new_seed", lambda: SEED)
        patch.setattr("cabochon.server.routes.health.WRITTEN_FOR_S", 0.0)  # each count is new
        for module in ("making", "routes.tables", "desk"):
            patch.setattr(
                f"cabochon.server.{module}.new_table_id", lambda: f"table{next(numbers):05d}"
            )
        for module in ("making", "routes.tables"):
            patch.setattr(
                f"cabochon.server.{module}.new_seat_key", lambda: f"cab_s_{next(numbers):032d}"
            )
        patch.setattr(
            "cabochon.server.making.new_code", lambda table: f"{table}-{next(numbers):022d}"
        )
        with serving(folder, clock=lambda: 1_800_000_000_000) as here:
            yield World(here, viewer)


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_nothing_hidden_leaves_the_server(
    viewer: int | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = history()
    heard: list[str] = []
    logged: list[list[str]] = []
    measured: list[str] = []
    caplog.set_level(logging.DEBUG, "cabochon")
    dealers = [ShuffledDealer(SEED), other_world(table, viewer, 77)]
    for number, dealer in enumerate(dealers):
        caplog.clear()
        with world(tmp_path / f"{number}.db", dealer, viewer, monkeypatch) as here:
            before = _counts(here.here)
            here.play(table)
            heard.append(json.dumps(here.said, sort_keys=True))
            measured.append(_difference(before, _counts(here.here)))
        logged.append([_without_addresses(line) for line in caplog.messages])
    assert heard[0] == heard[1]
    assert logged[0] == logged[1]
    assert measured[0] == measured[1]


def _counts(here: Here) -> dict[str, float]:
    """What was counted, without times: those differ from run to run."""
    text = here.http.get("/metrics").text
    found = re.findall(r"^(\w+(?:\{[^}]*\})?) (\S+)$", text, re.MULTILINE)
    timed = ("_seconds", "_size", "_created", "_live")
    return {name: float(n) for name, n in found if not any(part in name for part in timed)}


def _difference(before: dict[str, float], after: dict[str, float]) -> str:
    return json.dumps({name: after[name] - before.get(name, 0) for name in sorted(after)})


def _without_addresses(line: str) -> str:
    return re.sub(r"0x[0-9a-f]+|:\d{4,5}|\d+\.\d+", "-", line)


def test_every_endpoint_is_covered_above(here: Here) -> None:
    paths = here.http.get("/api/openapi.json").json()["paths"]
    operations = {entry["operationId"] for verbs in paths.values() for entry in verbs.values()}
    assert operations == COVERED


def test_secrets_are_kept_as_hashes_only(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with serving(path) as here:
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
        made = here.post("/tables", {"chairs": chairs, "watch": "link"})
        code = made["invites"][0]["code"]
        joined = here.post(f"/tables/{made['table']['id']}/join", {"name": "Bo", "code": code})
        token = here.post("/tokens", {"name": "Robo"})["token"]
        secrets = [made["keys"][0]["key"], code, made["watch_code"], joined["key"], token]
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for secret in secrets:
        assert len(secret) >= 22 + 6
        assert secret.encode() not in kept


def test_no_log_line_holds_a_secret(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "cabochon")
    with serving(tmp_path / "t.db") as here:
        table, keys = here.strangers()
        here.try_post(f"/tables/{table}/move", {"moves": ["take wug"], "version": 2}, keys[0])
        here.full(table, keys[0])
        private, _ = here.duel(watch="nobody")
        assert here.try_get(f"/tables/{private}/stream", "cab_s_wrong").status_code == 403
        here.post(f"/tables/{table}/keys", {"keys": [*keys, "cab_s_wrong"]})
    text = "\n".join([*caplog.messages, *(repr(record.args) for record in caplog.records)])
    assert not any(key in text for key in keys)
    assert "cab_s_" not in text
