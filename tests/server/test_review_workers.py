"""Workers and servers that die in the middle of a review: it is completed, once, and nothing
shows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from cabochon.notation import parse_record
from cabochon.review import Judge, engine_for
from cabochon.review.reviewjson import review_head, review_tail, told_turn
from tests.server.cluster import Cluster
from tests.server.processes import children_of, until_gone
from tests.server.reviewing import game_text, play_something, until_done, until_turns
from tests.server.serving import Process

pytestmark = [pytest.mark.servers, pytest.mark.xdist_group("reviews")]

LEASES = {"CABOCHON_NODE_DEAD_S": "2"}
GAME = game_text("long", variant="standard")


class Reviewer:
    """`cabochon reviewer` as a process of its own."""

    def __init__(self, db: str) -> None:
        command = [sys.executable, "-m", "cabochon", "reviewer", "--lang", "en", "--db", db]
        self.process = subprocess.Popen(
            [*command, "--nice", "0"],
            stdout=subprocess.PIPE,
            env=os.environ | LEASES,
            text=True,
        )
        assert self.process.stdout is not None
        assert "Waiting for games" in self.process.stdout.readline()

    def end(self, number: signal.Signals) -> int:
        """The exit code."""
        self.process.send_signal(number)
        code = self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def __enter__(self) -> Reviewer:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.end(signal.SIGKILL)


@pytest.fixture(scope="module")
def undisturbed() -> str:
    """The deep review of the game by somebody who was left in peace."""
    record = parse_record(GAME)
    judge = Judge(record, engine_for(record, 4000))
    start, turns = judge.start(), list(judge.turns())
    whole = review_head(record, judge.engine, start)
    whole |= {"turns": [told_turn(turn, record.players) for turn in turns]}
    whole |= review_tail([turn.figures for turn in turns], start)
    return json.dumps(whole)


def told(state: Any) -> str:
    return json.dumps(state["review"])


def test_a_killed_worker_s_review_is_completed_by_another_to_the_byte(
    tmp_path: Path, undisturbed: str
) -> None:
    db = str(tmp_path / "tables.db")
    with Process(db) as server:
        here = server.here
        asked = here.post("/reviews", {"record": GAME, "depth": "deep"})
        with Reviewer(db) as first:
            until_turns(here, asked["id"], 2)
            thinking = children_of(first.process.pid)
            assert thinking
            first.end(signal.SIGKILL)
        until_gone(thinking)
        kept = here.get(f"/reviews/{asked['id']}")
        assert kept["state"] == "working"
        assert 0 < kept["done"] < kept["of"]
        with Reviewer(db):
            done = until_done(here, asked["id"])
        assert told(done) == undisturbed
        assert done["review"]["turns"][: kept["done"]] == kept["review"]["turns"]


def test_a_server_killed_and_restarted_goes_on_with_the_review(
    tmp_path: Path, undisturbed: str
) -> None:
    environment = LEASES | {"CABOCHON_REVIEW_WORKERS": "1"}
    with Process(str(tmp_path / "tables.db"), environment) as server:
        asked = server.here.post("/reviews", {"record": GAME, "depth": "deep"})
        until_turns(server.here, asked["id"], 2)
        thinking = children_of(server.pid)
        assert thinking
        server.kill()
        until_gone(thinking)
        server.start()
        assert told(until_done(server.here, asked["id"])) == undisturbed


def test_a_polite_stop_is_quick_and_the_review_goes_on_at_once(
    tmp_path: Path, undisturbed: str
) -> None:
    environment = {"CABOCHON_NODE_DEAD_S": "600", "CABOCHON_REVIEW_WORKERS": "1"}
    with Process(str(tmp_path / "tables.db"), environment) as server:
        asked = server.here.post("/reviews", {"record": GAME, "depth": "deep"})
        until_turns(server.here, asked["id"], 2)
        thinking = children_of(server.pid)
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 8
        until_gone(thinking)
        server.start()
        assert told(until_done(server.here, asked["id"])) == undisturbed


def test_a_reviewer_stops_when_it_is_told_to(tmp_path: Path) -> None:
    with Reviewer(str(tmp_path / "tables.db")) as reviewer:
        assert reviewer.end(signal.SIGTERM) == 0


def test_a_reviewer_without_a_database_says_so_and_fails() -> None:
    command = [sys.executable, "-m", "cabochon", "reviewer", "--lang", "en"]
    done = subprocess.run(
        [*command, "--db", "oracle://somewhere"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "can't open the database" in done.stderr


# Several nodes


def test_two_nodes_and_one_worker_complete_a_review_once(
    cluster: Cluster, undisturbed: str
) -> None:
    db = cluster.database("one_worker")
    with Process(db) as a, Process(db) as b:
        wish = {"record": GAME, "depth": "deep"}
        asked = [node.here.post("/reviews", wish) for node in (a, b)]
        assert asked[0]["id"] == asked[1]["id"]
        with Reviewer(db) as worker:
            until_turns(a.here, asked[0]["id"], 1)
            states = [until_done(node.here, asked[0]["id"]) for node in (a, b)]
            worker.end(signal.SIGTERM)
        assert [told(state) for state in states] == [undisturbed] * 2
        assert counted(a) == {"done": 1, "failed": 0, "waiting": 0, "working": 0}


def counted(node: Process) -> dict[str, int]:
    """How many reviews there are in each state, by the node's numbers."""
    time.sleep(6)
    lines = httpx.get(f"{node.here.base}/metrics").text.splitlines()
    found = [line for line in lines if line.startswith("cabochon_reviews{")]
    return {line.split('"')[1]: int(float(line.split()[-1])) for line in sorted(found)}


def test_a_game_at_two_nodes_is_reviewed_once_and_both_are_told(cluster: Cluster) -> None:
    db = cluster.database("two_tables")
    environment = {"CABOCHON_QUICK_REVIEWS": "yes"}
    with Process(db, environment) as a, Process(db, environment) as b, Reviewer(db):
        table, keys = a.here.strangers()
        with a.here.socket(table, keys[0]) as ada, b.here.socket(table, keys[1]) as bo:
            ada.hear("gameFull")
            bo.hear("gameFull")
            for _ in range(4):
                play_something(a.here, table, keys)
            b.here.post(f"/tables/{table}/resign", {}, keys[1])
            ids = set()
            for talk in (ada, bo):
                while (news := talk.hear("review", timeout=60))["state"] != "done":
                    ids.add(news["id"])
                ids.add(news["id"])
        assert len(ids) == 1


def test_one_of_two_workers_on_postgres_is_killed(cluster: Cluster, undisturbed: str) -> None:
    db = cluster.database("two_workers")
    with Process(db) as node, Reviewer(db) as one, Reviewer(db) as two:
        asked = node.here.post("/reviews", {"record": GAME, "depth": "deep"})
        until_turns(node.here, asked["id"], 2)
        busy = next(worker for worker in (one, two) if children_of(worker.process.pid))
        busy.end(signal.SIGKILL)
        assert told(until_done(node.here, asked["id"])) == undisturbed
