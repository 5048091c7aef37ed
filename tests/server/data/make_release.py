"""How `first-release.db` and `before-people.db` were made: by those releases themselves, in the
middle of games. Run it with the sources of one, once; what it wrote is kept.

    git archive 2a5cddb src tests benchmarks | tar -x -C /tmp/first
    PYTHONPATH=/tmp/first/src:/tmp/first python tests/server/data/make_release.py first-release

For `before-people` it was eae69df, the last one in which nobody had an account. The files `.json`
have the secrets that play those seats, and the time it was made.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.server.serving import Here, serving

HERE = Path(__file__).parent
BOT = {"kind": "bot", "bot": "greedy"}


def play(here: Here, table: str, keys: list[str], moves: list[str]) -> None:
    """The moves, by turns."""
    for number, move in enumerate(moves):
        version = here.full(table)["version"]
        key = keys[number % len(keys)]
        here.post(f"/tables/{table}/move", {"moves": [move], "version": version}, key)


def with_a_bot(here: Here, **options: Any) -> dict[str, Any]:
    """A person against a bot, a few turns in, the person to move."""
    chairs = [{"kind": "me", "name": "Cleo"}, BOT]
    made = here.post("/tables", {"chairs": chairs, "seat_order": "fixed", **options})
    table, key = made["table"]["id"], made["keys"][0]["key"]
    with here.socket(table, key) as talk:
        state = talk.hear("gameFull")
        for number in range(4):
            while not state["legal"]:
                state = talk.hear("gameState")
            talk.say(
                type="move", id=str(number), version=state["version"], moves=state["legal"][:1]
            )
            state = talk.hear("gameState")
        while not state["legal"]:
            state = talk.hear("gameState")
    return {"table": table, "keys": [key]}


def make(here: Here) -> dict[str, Any]:
    running, keys = here.strangers()
    play(
        here, running, keys, ["take wug", "reserve deck1", "take urk", "take wgr", "reserve deck3"]
    )
    here.post(f"/tables/{running}/takeback", {"action": "ask"}, keys[0])
    here.post(f"/tables/{running}/chat", {"phrase": "hello"}, keys[1])
    chairs = [{"kind": "me", "name": "Dora"}, {"kind": "open"}]
    opened = here.post("/tables", {"chairs": chairs})
    finished, others = here.strangers()
    play(here, finished, others, ["take wug", "take wug"])
    here.post(f"/tables/{finished}/resign", {}, others[1])
    here.post(f"/tables/{finished}/rematch", {"action": "offer"}, others[0])
    hot_seat, both = here.duel()
    play(here, hot_seat, both, ["take wug", "reserve deck1", "take urk"])
    token = here.post("/tokens", {"name": "Robo"})["token"]
    outside = here.post("/tables", {"chairs": [{"kind": "me", "name": "-"}, BOT]}, token)
    return {
        "running": {"table": running, "keys": keys},
        "bot": with_a_bot(here),
        "clock": with_a_bot(here, clock={"kind": "days", "days": 14}),
        "hot-seat": {"table": hot_seat, "keys": both},
        "open": {"table": opened["table"]["id"], "code": opened["invites"][0]["code"]},
        "finished": {"table": finished, "keys": others},
        "token": {"table": outside["table"]["id"], "token": token},
    }


def main(release: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "tables.db"
        with serving(db) as here:
            kept = make(here)
        with sqlite3.connect(db, isolation_level=None) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("PRAGMA page_size=1024")  # a small file, with the same rows
            connection.execute("VACUUM")
        (HERE / f"{release}.db").write_bytes(db.read_bytes())
    kept["made_ms"] = time.time_ns() // 1_000_000
    (HERE / f"{release}.json").write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
