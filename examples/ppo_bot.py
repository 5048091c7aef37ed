"""What `examples/ppo.py` has learnt, as a bot: one network for each number of players.

    python examples/ppo.py --players 2 --save ppo-2.pt      (and 3, 4)
    cd examples && PPO_NETWORKS=.. cabochon benchmark python:ppo_bot:PpoBot

A position becomes the numbers that the environment showed, and the likeliest legal action a move.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
import torch
from ppo import Net

from cabochon import kernel
from cabochon.limit import NO_LIMIT, Limit
from cabochon.rules import Gems, Move, Phase, Return, View

FOLDER = Path(os.environ.get("PPO_NETWORKS", "."))


@cache
def network(players: int) -> Net:
    torch.set_num_threads(1)
    net = Net(kernel.OBSERVATION_SIZE, kernel.ACTION_COUNT)
    net.load_state_dict(torch.load(FOLDER / f"ppo-{players}.pt", weights_only=True))
    return net


@torch.no_grad()
def likeliest(states: kernel.States, seat: int) -> int:
    """The action that the network prefers, of those that are legal."""
    seen = torch.from_numpy(kernel.observation(states, 0, seat))
    mask = torch.from_numpy(kernel.action_mask(states).astype(np.bool_))
    return int(network(int(states["seats"][0]))(seen, mask)[0].probs.argmax())


class PpoBot:
    """Chooses by the network alone."""

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        if view.phase is not Phase.RETURN:
            return kernel.move_of(view, likeliest(kernel.packed(view), view.seat))
        # Tokens go back one by one here, and all at once in the law's moves.
        states, given = kernel.packed(kernel.imagined(view, seed=0)), ""
        while kernel.unpack(states).phase is Phase.RETURN:
            action = likeliest(states, view.seat)
            given += kernel.ACTIONS[action].gems.letters
            kernel.step(states, 0, action)
        return Return(Gems.parse(given))
