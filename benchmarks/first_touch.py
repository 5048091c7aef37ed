"""How long the first things take, in processor time: the first step of the vector environment with
nothing compiled (a fresh folder for compiled code), and import and first move of a bot when all is.

Each is measured in a process of its own. The last line is JSON.

python benchmarks/first_touch.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

VECTOR = """
import gymnasium, cabochon.envs
envs = gymnasium.make_vec("cabochon/Cabochon-v0", num_envs=1024)
_, infos = envs.reset(seed=1)
envs.step(envs.unwrapped.sample_actions())
"""
MOVE = """
from cabochon import Game
from cabochon.bots import make_bot
game = Game(players=2, seed="1")
make_bot("topaz").choose(game.view(0))
"""
GOALS = {"cold_vector_step_s": 8.0, "warm_first_move_s": 1.2}


def seconds(program: str, folder: str | None) -> float:
    """The processor time of a whole Python process that does this."""
    environment = dict(os.environ)
    if folder is not None:
        environment["CABOCHON_CACHE_DIR"] = folder
    before = os.times()
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        cold = seconds(VECTOR, folder)
        warm = seconds(VECTOR, folder)
    seconds(MOVE, None)
    move = min(seconds(MOVE, None) for _ in range(3))
    figures = {
        "cold_vector_step_s": round(cold, 2),
        "warm_vector_step_s": round(warm, 2),
        "warm_first_move_s": round(move, 2),
    }
    for name, figure in figures.items():
        goal = f" (goal {GOALS[name]} s)" if name in GOALS else ""
        print(f"{name:<22}{figure:>8.2f} s of processor time{goal}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
