"""One example of every message, taken from a real server whose every random choice is fixed.

python -m tests.server.examples_of_messages     writes them into docs/protocol.md
"""

from __future__ import annotations

import itertools
import json
import re
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from websockets.sync.client import connect

from cabochon.rules import share_hash
from tests.server.serving import Here, serving, table_news

DOC = Path(__file__).parents[2] / "docs" / "protocol.md"
SEED = "an example"
NOW = 1_800_000_000_000
MOST_SHOWN = 4
BLOCK = re.compile(r"(<!-- example: (\w+) -->\n```json\n)(.*?)(```\n)", re.S)


def examples() -> dict[str, Any]:
    """By name: `gameFull`, …; what a client says is called `say` and the message's type."""
    numbers = itertools.count(1)
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        for target, value in {
            "web.tablemaking.new_seed": lambda: SEED,
            "web.tablemaking.new_table_id": lambda: f"table{next(numbers):05d}",
            "tables.seatcommands.new_table_id": lambda: f"table{next(numbers):05d}",
            "web.tablemaking.new_seat_key": lambda: f"cab_s_{next(numbers):043d}",
            "web.routes.tables.new_seat_key": lambda: f"cab_s_{next(numbers):043d}",
            "web.tablemaking.new_code": lambda table: f"{table}-{next(numbers):022d}",
            "tables.seatcommands.new_seed": lambda: "another example",
        }.items():
            stack.enter_context(patch(f"cabochon.server.{target}", value))
        here = stack.enter_context(
            serving(Path(folder) / "t.db", clock=lambda: NOW, quick_reviews=True)
        )
        return {
            **_at_the_table(here),
            **_in_the_lobby(here),
            **_for_a_bot(here),
            "sayShare": _a_share(here),
            **_among_friends(here),
        }


def _at_the_table(here: Here) -> dict[str, Any]:
    clock = {"kind": "increment", "base_s": 600, "increment_s": 5}
    table, keys = here.strangers(clock=clock)
    said: dict[str, Any] = {}
    hello = {"type": "hello", "keys": [keys[0]], "since": None, "lang": "en", "facts": True}
    said["sayHello"] = hello
    with (
        here.socket(table, keys[1]) as bo,
        here.socket(table, keys[0], lang="en", facts=True) as ada,
    ):
        bo.hear("presence")
        said["gameFull"] = ada.hear("gameFull")
        said["presence"] = ada.hear("presence")
        for command in (
            {"type": "ping", "id": "1"},
            {"type": "check", "id": "2", "version": 2, "moves": ["take wug"]},
            {"type": "move", "id": "3", "version": 2, "moves": ["reserve deck2"]},
            {"type": "move", "id": "4", "version": 3, "moves": ["take www"]},
            {"type": "chat", "id": "5", "phrase": "good-luck"},
            {"type": "takeback", "id": "6", "action": "ask"},
            {"type": "claim", "id": "7", "gone": 1},
            {"type": "leave", "id": "8"},
            {"type": "resign", "id": "9"},
            {"type": "rematch", "id": "10", "action": "offer"},
        ):
            said[f"say{command['type'].capitalize()}"] = command  # type: ignore[attr-defined]
            ada.say(**command)
            answer = ada.hear("accepted", "refused", "checked", "pong")
            if command["type"] == "resign":
                ada.hear("review")
            if command["id"] != "7":
                said[answer["type"]] = answer
    for message in ada.heard:
        if message["type"] not in said:
            said[message["type"]] = message
    return said


def _in_the_lobby(here: Here) -> dict[str, Any]:
    with connect(f"ws://127.0.0.1:{here.port}/api/lobby") as lobby:
        full = table_news(lobby)
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
        here.post("/tables", {"chairs": chairs, "seat_order": "fixed"})
        return {"lobbyFull": full, "lobbyChange": table_news(lobby)}


def _for_a_bot(here: Here) -> dict[str, Any]:
    token = here.post("/tokens", {"name": "Robo"})["token"]
    chairs = [{"kind": "me", "name": "Robo"}, {"kind": "bot", "bot": "greedy"}]
    here.post("/tables", {"chairs": chairs, "seat_order": "fixed"}, token)
    headers = {"Authorization": f"Bearer {token}"}
    with here.http.stream("GET", "/api/stream/event", headers=headers) as stream:
        for line in stream.iter_lines():
            return {"gameStart": json.loads(line)}
    raise AssertionError("the stream said nothing")


def _a_share(here: Here) -> dict[str, Any]:
    """What a page says when it is asked for its share."""
    share = "00112233445566778899aabbccddeeff"
    me = {"kind": "me", "name": "Ada", "share_hash": share_hash(share)}
    made = here.post("/tables", {"chairs": [me, {"kind": "open"}], "seat_order": "fixed"})
    table, code = made["table"]["id"], made["invites"][0]["code"]
    here.post(f"/tables/{table}/join", {"name": "Bo", "code": code})
    said = {"type": "share", "id": "11", "action": "reveal", "value": share}
    with here.socket(table, made["keys"][0]["key"]) as ada:
        ada.say(**said)
        assert ada.hear("accepted", "refused")["type"] == "accepted"
    return said


def _among_friends(here: Here) -> dict[str, Any]:
    """What a host says before the start, and people who know one another."""
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}]
    made = here.post("/tables", {"chairs": chairs, "seats": 3, "listed": False})
    table, code = made["table"]["id"], made["invites"][0]["code"]
    here.post(f"/tables/{table}/join", {"name": "Bo", "code": code})
    commands: dict[str, dict[str, Any]] = {
        "sayFill": {"type": "fill", "id": "12", "bot": "quartz"},
        "sayTexting": {"type": "texting", "id": "13", "on": True},
    }
    with here.socket(table, made["keys"][0]["key"]) as ada:
        for command in commands.values():
            ada.say(**command)
            assert ada.hear("accepted", "refused")["type"] == "accepted"
    return commands


def shortened(value: Any) -> Any:
    """Long lists and objects with only their first entries, and an ellipsis for the rest."""
    if isinstance(value, list):
        few = [shortened(entry) for entry in value[:MOST_SHOWN]]
        plain = all(isinstance(entry, int | float) for entry in value)
        return value if plain or len(value) <= MOST_SHOWN else [*few[:2], "…"]
    if isinstance(value, dict):
        if len(value) > 9 and all(re.fullmatch(r"[123][wugrk]\d", key) for key in value):
            first = next(iter(value))
            return {first: shortened(value[first]), "…": "…"}
        return {key: shortened(entry) for key, entry in value.items()}
    return value


def written(example: Any) -> str:
    """The example as it stands in the document: one line per field, each field compact."""
    fields = [
        f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in shortened(example).items()
    ]
    return "{\n" + ",\n".join(fields) + "\n}\n"


def filled(document: str, found: dict[str, Any]) -> str:
    """The document with these examples in their places."""
    return BLOCK.sub(lambda m: m[1] + written(found[m[2]]) + m[4], document)


if __name__ == "__main__":
    DOC.write_text(filled(DOC.read_text("utf-8"), examples()), "utf-8")
