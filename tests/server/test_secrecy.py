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
from random import Random
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from cabochon.notation import format_move, format_view
from cabochon.play.table import Table
from cabochon.rules import CARDS, Dealer, Ruleset, ShuffledDealer
from cabochon.server import metrics
from cabochon.server.storage.reviewqueue import DONE, FAILED, WAITING, WORKING
from tests.play.sittings import Sitting, opening, people
from tests.play.worlds import has_blind_draws, other_world
from tests.server.serving import Here, serving

SEED = "the seed of two worlds"
PEOPLE = {
    "getMe", "makeMe", "changeMe", "signOut", "getName", "getMyTables", "getSessions",
    "endSession", "endSessions", "getPasskeyOptions", "addPasskey", "getPasskeys",
    "removePasskey", "setPassword", "renewCodes", "getMyTokens", "makeMyToken", "revokeMyToken",
    "getSignInOptions", "signInByPasskey", "signInByPassword", "signInByCode", "proveMe",
    "exportMe", "deleteMe",
}  # fmt: skip
BOOK = {
    "findPeople", "getProfile", "getRatingHistory", "getPersonGames", "getFinishedGame",
    "getLeaderboard", "getMyGames", "exportMyGames", "getMyMistakes", "setLearnt", "getMyLadder",
}  # fmt: skip
COMPANY = {
    "listPools", "joinPool", "leavePool", "streamPools", "watchGames", "countPeople",
    "listBlocks", "block", "unblock", "report", "getInvitations", "invite", "acceptInvitation",
    "endInvitation",
}  # fmt: skip
PUZZLES = {
    "listPuzzles", "getDailyPuzzle", "getNextPuzzle", "getPuzzle", "getPuzzleHint",
    "getPuzzleSolution", "tryPuzzle", "getMyPuzzles", "bringMyPuzzles", "getMyPractice",
    "addMyPractice",
}  # fmt: skip
LESSONS = {
    "listLessons", "getLesson", "tryLesson", "getLessonAnswer", "getMyLessons", "addMyLessons",
}  # fmt: skip
COVERED = {
    "getMeta", "getCards", "getRules", "makeTutorial", "makeTable", "listTables", "getTable",
    "getInvite", "joinTable", "move", "moveByText", "check", "resign", "leave", "takeback",
    "rematch", "claim", "chat", "streamTable", "streamEvents", "getRecord", "getReplay",
    "makeToken", "getToken", "revokeToken", "healthz", "readyz", "metrics", "getKeySeats", "share",
    "openStudy", "playStudy", "formatStudy", "keepStudy", "getStudy", "replaceStudy",
    "checkPosition", "getPictureSvg", "getPicturePng", "askForReview", "getReview", "streamReview",
    "askEngine", "getEval", "fillSeat", "switchTexting", "hint",
    *PEOPLE, *BOOK, *COMPANY, *PUZZLES, *LESSONS,
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
            self.sight = format_view(table.running.view(self.viewer))
            self._ask_over_the_socket(talk)
        self._ask_over_http()

    def _ask_over_the_socket(self, talk: Any) -> None:
        for card in CARDS[::3]:
            for verb in ("buy", "reserve"):
                texts = [f"{verb} {card.code}"]
                self.said.append(talk.ask(type="check", version=self.version, moves=texts))
        talk.ws.send("nonsense")
        self.said.append(talk.hear("refused"))

    def _ask_for_thoughts(self) -> None:
        """No review, and no engine, while the game is played."""
        for body in ({"table": self.id}, {"table": self.id, "depth": "deep"}):
            self._keep(self.here.try_post("/reviews", body, self.key))
        self._keep(self.here.try_get("/reviews/nosuchreview", self.key))
        self._keep(self.here.try_get("/reviews/nosuchreview/stream", self.key))
        refused = self.here.try_post("/engine", {"position": self.sight, "visits": 10}, self.key)
        assert refused.status_code in (403, 422)  # still played; or not a view of whoever moves
        self._keep(refused)
        self._keep(self.here.try_get(f"/eval?{urlencode({'position': self.sight})}", self.key))

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
            "/pools/stream",
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
            ("fill", {"bot": "quartz"}),
            ("texting", {"on": True}),
            ("hint", {"version": self.version}),
            ("leave", {"seat": 3}),
            ("resign", {"seat": 3}),
        ):
            self._keep(self.here.try_post(f"{base}/{path}", body, self.key))
        self._ask_for_studies()
        self._ask_for_thoughts()
        self._ask_about_people()
        self._ask_for_puzzles()
        self._ask_for_lessons()
        bearer = {} if self.key is None else {"Authorization": f"Bearer {self.key}"}
        for verb in ("GET", "DELETE"):
            self._keep(self.here.http.request(verb, "/api/tokens/me", headers=bearer))
        for since in range(2, self.version, 3):
            held = [] if self.key is None else [self.key]
            with self.here.socket(self.id, *held, facts=True, since=since) as talk:
                self.said += [talk.hear("gameState") for _ in range(since, self.version)]

    def _ask_for_studies(self) -> None:
        """Of the table that is still being played; all else that studies are made of is said by
        whoever asks, and no table has a part in it."""
        post, key = self.here.try_post, self.key
        for viewer in ("all", "0", "1", "2"):
            self._keep(post("/studies/open", {"table": self.id, "viewer": viewer}, key))
        study = post("/studies/open", {"table": self.id}, key).json()
        assert study["live"]
        seen = study["lines"][-1]["step"]["position"]
        self._keep(post("/studies/play", {"position": seen, "moves": ["take wug"]}, key))
        self._keep(post("/studies/open", {"record": study["record"]}, key))
        self._keep(post("/studies/open", {"position": seen}, key))
        self._keep(post("/studies/format", {"record": study["record"], "tree": []}, key))
        self._keep(post("/studies", {"record": study["record"]}, key))
        self._keep(post("/positions/check", {"text": seen}, key))
        for kind in ("svg", "png"):
            self._keep(self.here.http.get(f"/api/picture.{kind}", params={"position": seen}))
        self._keep(self.here.try_get(f"/studies/{self.id}", key))
        self._keep(self.here.http.put(f"/api/studies/{self.id}", json={"record": "x"}))

    def _ask_about_people(self) -> None:
        """As a stranger who looks at everything that is told of people."""
        with httpx.Client(base_url=f"{self.here.base}/api") as browser:
            for verb, path, body in (
                ("GET", "/me", None),
                ("POST", "/me", {"name": "Eve"}),
                ("GET", "/me", None),
                ("PATCH", "/me", {"name": "Eva", "hidden": True}),
                ("GET", f"/tables/{self.id}/record", None),
                ("GET", "/names/Ada", None),
                ("GET", "/me/tables", None),
                ("GET", "/me/sessions", None),
                ("GET", "/me/passkeys", None),
                ("GET", "/me/tokens", None),
                ("GET", "/me/export", None),
                ("POST", "/me/passkeys", {"credential": {}}),
                ("POST", "/me/proof", {"password": "wrong password"}),
                ("POST", "/me/codes", None),
                ("POST", "/signin/password", {"name": "Ada", "password": "wrong password"}),
                ("POST", "/signin/code", {"name": "Ada", "code": "k7mq-2xvd-9hpt"}),
                ("POST", "/signin/passkey", {"credential": {}}),
                ("DELETE", "/me/sessions/nobodys", None),
                ("GET", f"/tables/{self.id}/game", None),
                ("GET", "/people?search=a", None),
                ("GET", "/people/nobody", None),
                ("GET", "/people/nobody/ratings/two", None),
                ("GET", "/people/nobody/games", None),
                ("GET", "/leaderboards/two?around=me", None),
                ("GET", "/watch", None),
                ("GET", "/pools", None),
                ("POST", "/pools/two-5-3/join", {}),
                ("DELETE", "/pools/two-5-3/join", None),
                ("GET", "/me/blocks", None),
                ("POST", "/me/blocks/nobodyhere12", None),
                ("DELETE", "/me/blocks/nobodyhere12", None),
                ("POST", "/reports", {"person": "nobodyhere12", "kind": "abuse", "table": self.id}),
                ("GET", "/me/invitations", None),
                ("POST", "/invitations", {"person": "nobodyhere12"}),
                ("POST", "/invitations/nobodys/accept", {}),
                ("DELETE", "/invitations/nobodys", None),
                ("GET", "/me/games", None),
                ("GET", "/me/games/export?format=ndjson", None),
                ("GET", f"/me/games/export?table={self.id}", None),
                ("GET", "/me/mistakes", None),
                ("PUT", f"/me/mistakes/{self.id}", {"learnt": True}),
                ("GET", "/me/ladder", None),
                ("PUT", "/me/puzzles", {"rating": 1400, "met": ["ybddwz"]}),
                ("GET", "/puzzles/ahzb5g/hint", None),
                ("GET", "/me/puzzles", None),
                ("PUT", "/me/lessons", {"steps": {"tokens": 1}, "game": True}),
                ("GET", "/me/lessons", None),
                ("PUT", "/me/practice", {"days": ["2026-11-18"], "storm": 3}),
                ("GET", "/me/practice", None),
                ("POST", "/signout", None),
            ):
                self._keep(browser.request(verb, path, json=body))

    def _ask_for_puzzles(self) -> None:
        daily = self.here.get("/puzzles/daily?date=2026-11-18")["id"]
        for path in (
            "/puzzles",
            "/puzzles/daily?date=2026-11-18",
            "/puzzles/next?rating=1500",
            f"/puzzles/{daily}",
            f"/puzzles/{daily}/hint",
            f"/puzzles/{daily}/solution",
        ):
            self._keep(self.here.try_get(path, self.key))
        asked = {"moves": ["take wug"]}
        self._keep(self.here.try_post(f"/puzzles/{daily}/try", asked, self.key))

    def _ask_for_lessons(self) -> None:
        for path in ("/lessons", "/lessons/tokens", "/lessons/tokens/answer?step=1"):
            self._keep(self.here.try_get(path, self.key))
        asked = {"step": 1, "moves": ["take wug"]}
        self._keep(self.here.try_post("/lessons/tokens/try", asked, self.key))

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
        patch.setattr("cabochon.play.tablestate.ShuffledDealer", dealer_of)
        patch.setattr("cabochon.server.web.tablemaking.new_seed", lambda: SEED)
        patch.setattr("cabochon.server.web.routes.puzzles.SystemRandom", lambda: Random(1))
        patch.setattr("cabochon.server.web.routes.health.WRITTEN_FOR_S", 0.0)  # each count is new
        for module in ("web.tablemaking", "tables.seatcommands"):
            patch.setattr(
                f"cabochon.server.{module}.new_table_id", lambda: f"table{next(numbers):05d}"
            )
        for module in ("web.tablemaking", "web.routes.tables"):
            patch.setattr(
                f"cabochon.server.{module}.new_seat_key", lambda: f"cab_s_{next(numbers):032d}"
            )
        for module in ("people.guests", "storage.sessions"):
            patch.setattr(
                f"cabochon.server.{module}.new_person_id", lambda: f"person{next(numbers):06d}"
            )
        patch.setattr(
            "cabochon.server.storage.sessions.new_session_secret", lambda: f"{next(numbers):043d}"
        )
        patch.setattr(
            "cabochon.server.web.tablemaking.new_code",
            lambda table: f"{table}-{next(numbers):022d}",
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
    for state in (WAITING, WORKING, DONE, FAILED):
        metrics.REVIEWS.labels(state).set(0)  # not what another test's server had
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
    """What was counted, without times and what the process takes: those differ from run to run."""
    text = here.http.get("/metrics").text
    found = re.findall(r"^(\w+(?:\{[^}]*\})?) (\S+)$", text, re.MULTILINE)
    timed = ("_seconds", "_size", "_created", "_live", "process_")
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
