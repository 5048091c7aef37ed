"""Wrong types as arguments of the environments: BadArgument and its kin, never a surprise."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from cabochon.envs import aec, single, vector
from tests.wrongs import ODD, Door, anything, refuses

AEC = aec.raw_env()
AEC.reset(seed=1)
SINGLE = single.CabochonEnv()
SINGLE.reset(seed=1)
VECTOR = vector.CabochonVectorEnv(2)
VECTOR.reset(seed=1)

MAKERS: dict[str, Any] = {
    "aec": (aec.raw_env, ("players", "variant", "max_cycles", "illegal", "render_mode")),
    "single": (
        single.CabochonEnv,
        ("opponents", "players", "variant", "seat", "visits", "illegal", "max_turns"),
    ),
    "vector": (
        vector.CabochonVectorEnv,
        ("num_envs", "players", "variant", "opponents", "seat", "max_turns", "autoreset_mode"),
    ),
}


def _few(name: str, value: object) -> Any:
    """Not so many games that making them takes a while."""
    is_many = name == "num_envs" and type(value) is int and 4 < value < 2**24
    return 2 if is_many else value


def _step(env: Any, action: Any) -> None:
    """A step in a game that goes on."""
    env.reset(seed=1)
    env.step(action)


DOORS = [
    *(
        Door(
            f"{kind}'s {name}",
            lambda v, make=make, name=name: make(**{name: _few(name, v)}),  # type: ignore[misc]
        )
        for kind, (make, names) in MAKERS.items()
        for name in names
    ),
    *(
        door
        for env in (AEC, SINGLE, VECTOR)
        for door in (
            Door(f"{type(env).__name__}.reset's seed", lambda v, env=env: env.reset(seed=v)),  # type: ignore[misc]
            Door(f"{type(env).__name__}.reset's options", lambda v, env=env: env.reset(options=v)),  # type: ignore[misc]
            Door(f"{type(env).__name__}.step", lambda v, env=env: _step(env, v)),  # type: ignore[misc]
        )
    ),
]


@pytest.mark.parametrize("door", DOORS, ids=str)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_an_odd_argument_is_taken_or_refused_by_our_own_error(door: Door) -> None:
    for value in ODD:
        refuses(door, value)


@settings(max_examples=40)
@given(anything)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_any_value_as_an_argument(value: Any) -> None:
    for door in DOORS:
        refuses(door, value)
