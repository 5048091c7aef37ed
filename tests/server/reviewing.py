"""Games to review and positions to look at, for tests of reviews."""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from typing import Any

import cabochon
from cabochon.notation import format_position, format_record
from tests.server.serving import Here


def game_text(seed: str = "reviewed", players: int = 2, variant: str = "quick") -> str:
    """The record of a short game."""
    game = cabochon.Game(
        variant=variant, players=players, seed=seed, bots=["greedy"] + ["uniform"] * (players - 1)
    )
    game.play_out()
    return format_record(game.record)


def position_text(seed: str = "looked at") -> str:
    return format_position(cabochon.Game(seed=seed).position)


def until_done(here: Here, review_id: str, seconds: float = 90) -> Any:
    """The review's state once it is done."""
    until = time.monotonic() + seconds
    while (state := here.get(f"/reviews/{review_id}"))["state"] != "done":
        assert state["state"] != "failed"
        assert time.monotonic() < until, f"not done: {state['state']} {state['done']}"
        time.sleep(0.1)
    return state


def until_turns(here: Here, review_id: str, turns: int, seconds: float = 90) -> Any:
    """The review's state once so many turns are kept."""
    until = time.monotonic() + seconds
    while (state := here.get(f"/reviews/{review_id}"))["done"] < turns:
        assert time.monotonic() < until, f"only {state['done']} turns"
        time.sleep(0.02)
    return state


def look(here: Here, key: str | None = None, **asked: Any) -> Generator[Any, None, None]:
    """What the live engine says, as it says it."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with here.http.stream(
        "POST", "/api/engine", json=asked, headers=headers, timeout=60
    ) as response:
        assert response.is_success, response.read()
        for line in response.iter_lines():
            if line:
                yield json.loads(line)


def resigned(here: Here, moves: int = 4) -> tuple[str, list[str]]:
    """A table of two people where the second has given up after some moves."""
    table, keys = here.duel()
    for _ in range(moves):
        play_something(here, table, keys)
    here.post(f"/tables/{table}/resign", {"seat": 1}, keys[1])
    return table, keys


def play_something(here: Here, table: str, keys: list[str]) -> None:
    """Whoever is to move makes the first legal move."""
    for key in keys:
        full = here.full(table, key)
        if full["legal"]:
            first = full["legal"][0]
            move = first if isinstance(first, str) else first["move"]
            here.post(f"/tables/{table}/move", {"moves": [move], "version": full["version"]}, key)
            return
    raise AssertionError("nobody is to move")
