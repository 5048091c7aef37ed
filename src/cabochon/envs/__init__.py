"""Standard environments: each is the one that its community already uses.

    import cabochon.envs                                          registers them all
    pettingzoo.make("aec", "cabochon/cabochon-v0", players=3)     PettingZoo (cabochon.envs.aec)
    gymnasium.make("cabochon/Cabochon-v0", opponents="greedy")    Gymnasium (cabochon.envs.single)
    gymnasium.make_vec("cabochon/Cabochon-v0", num_envs=1024)     many games (cabochon.envs.vector)
    pyspiel.load_game("cabochon")                                 after cabochon.envs.openspiel

Nothing heavy is imported here. The extras `envs` and `openspiel` bring what each needs.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from cabochon.extras import ExtraFault, ExtraMissing

AEC_ID = "cabochon/cabochon-v0"
GYMNASIUM_ID = "cabochon/Cabochon-v0"

_HOMES = {
    "env": "cabochon.envs.aec",
    "raw_env": "cabochon.envs.aec",
    "parallel_env": "cabochon.envs.aec",
    "CabochonEnv": "cabochon.envs.single",
    "CabochonVectorEnv": "cabochon.envs.vector",
    "IllegalAction": "cabochon.envs.refusals",
    "sample": "cabochon.envs.sampling",
}

__all__ = ["AEC_ID", "GYMNASIUM_ID", *_HOMES]


def __getattr__(name: str) -> Any:
    """An environment, imported when it is asked for. Raises ExtraMissing (an ImportError) when
    its community's package is not installed."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    package = "pettingzoo" if _HOMES[name].endswith("aec") else "gymnasium"
    if find_spec(package) is None:
        what = f"cabochon.envs.{name}"
        raise ExtraMissing(ExtraFault.MISSING, what=what, package=package, extra="envs")
    return getattr(import_module(_HOMES[name]), name)


def _register() -> None:
    """Make the environments known by their ids to whichever of the two packages is there."""
    if find_spec("pettingzoo") is not None:
        pettingzoo = import_module("pettingzoo")
        pettingzoo.register("aec", AEC_ID, "cabochon.envs.aec:env")
        pettingzoo.register("parallel", AEC_ID, "cabochon.envs.aec:parallel_env")
    if find_spec("gymnasium") is not None:
        import_module("gymnasium").register(
            GYMNASIUM_ID,
            entry_point="cabochon.envs.single:CabochonEnv",
            vector_entry_point="cabochon.envs.vector:CabochonVectorEnv",
        )


_register()
