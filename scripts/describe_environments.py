"""Write the specification tables of docs/environments.md, and the curve of examples/ppo.py, from
the code and the measured run (docs/img/ppo.json).

python scripts/describe_environments.py
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import gymnasium

import cabochon.envs
from cabochon.dataset.parquet import DECISION_COLUMNS, GAME_COLUMNS
from cabochon.envs import openspiel
from cabochon.envs.aec import raw_env
from cabochon.envs.vector import CabochonVectorEnv
from cabochon.kernel.describe import filled
from cabochon.mcp import make_server
from cabochon.train.plot import draw

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "environments.md"
RUN = ROOT / "docs" / "img" / "ppo.json"
CURVE = ROOT / "docs" / "img" / "ppo.svg"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def environments() -> str:
    """One row per environment: how it is made and what it gives."""
    aec = raw_env()
    seen = aec.observation_space("player_0")["observation"]
    vector = CabochonVectorEnv(1024)
    single = gymnasium.spec(cabochon.envs.GYMNASIUM_ID)
    game = openspiel.pyspiel.load_game(openspiel.SHORT_NAME)
    actions = aec.action_space("player_0")
    return table(
        ("", "PettingZoo AEC", "Gymnasium", "Gymnasium vector", "OpenSpiel"),
        [
            (
                "made by",
                f'`pettingzoo.make("aec", "{cabochon.envs.AEC_ID}")`',
                f'`gymnasium.make("{single.id}")`',
                f'`gymnasium.make_vec("{single.id}", num_envs=1024)`',
                f'`pyspiel.load_game("{openspiel.SHORT_NAME}")`',
            ),
            ("extra", "`envs`", "`envs`", "`envs`", "`openspiel`"),
            (
                "actions",
                f"`{actions}`",
                f"`{vector.single_action_space}`",
                f"{vector.num_envs} × `{vector.single_action_space}`",
                f"{game.num_distinct_actions()} and {game.max_chance_outcomes()} of chance",
            ),
            (
                "observation",
                f"dict: `observation` {seen.shape}, `action_mask` {(int(actions.n),)}",
                f"{vector.single_observation_space.shape}",
                f"{vector.observation_space.shape}",
                f"{game.observation_tensor_size()} numbers in named pieces; texts",
            ),
            (
                "mask",
                "observation and `info`",
                "`info`, `action_masks()`",
                "`infos`, `action_masks()`",
                "`legal_actions()`",
            ),
            ("others' moves", "agents", "bots by name", "the same, in batches", "players"),
            (
                "reward",
                "-1 to 1 at the end, sum 0",
                "the learner's",
                "the acting seat's; all in `infos`",
                f"{game.min_utility():g} to {game.max_utility():g}, sum {game.utility_sum():g}",
            ),
            (
                "illegal action",
                "ends the game, -1 (or `raise`, `replace`)",
                "ends the game, -1 (or `raise`, `replace`)",
                "ends the game, -1 (or `raise`, `replace`)",
                "`SpielError`",
            ),
            (
                "longest game",
                "500 rounds, truncated",
                "1,000 turns, truncated",
                "1,000 turns, truncated",
                f"{game.get_parameters()['max_turns']} turns, as it stands",
            ),
        ],
    )


def tools() -> str:
    """The MCP server's tools as it lists them."""
    listed = asyncio.run(make_server().list_tools())
    rows = []
    for tool in listed:
        needed = set(tool.input_schema.get("required", []))
        named = [
            f"`{name}`" if name in needed else f"`{name}`?"
            for name in tool.input_schema["properties"]
        ]
        about = " ".join((tool.description or "").split())
        rows.append((f"`{tool.name}`", ", ".join(named), about))
    return table(("tool", "arguments (`?` may be left out)", "what it does"), rows)


def columns(schema: tuple[tuple[str, str, str], ...]) -> str:
    return table(
        ("column", "type", "meaning"), [(f"`{n}`", f"`{k}`", meaning) for n, k, meaning in schema]
    )


def ppo_run() -> str:
    """The measured run, point by point."""
    points = json.loads(RUN.read_text("utf-8"))
    return table(
        ("minutes", "decisions", "games won"),
        [
            (f"{p['minutes']:.1f}", f"{p['decisions']:,.0f}", f"{100 * p['win_rate']:.1f} %")
            for p in points
        ],
    )


def ppo_curve() -> str:
    points = json.loads(RUN.read_text("utf-8"))
    line = [(float(p["minutes"]), float(p["win_rate"])) for p in points]
    title = "examples/ppo.py: games won against the uniform bot"
    return draw({"": line}, title, "minutes")


SECTIONS = {
    "environments": environments,
    "table of games": lambda: columns(GAME_COLUMNS),
    "table of decisions": lambda: columns(DECISION_COLUMNS),
    "tools": tools,
    "ppo run": ppo_run,
}


def main() -> None:
    PAGE.write_text(filled(PAGE.read_text("utf-8"), SECTIONS), "utf-8")
    CURVE.write_text(ppo_curve(), "utf-8")


if __name__ == "__main__":
    main()
