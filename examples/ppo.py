"""PPO with masked actions in one file: learns to beat the uniform bot in a few minutes.

python examples/ppo.py [--decisions D] [--players N] [--curve FILE.json] [--save FILE.pt]

Needs torch and the extra `envs`. `examples/ppo_bot.py` plays with the saved networks.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import cabochon.envs  # registers the environments

GAMES, STEPS, EPOCHS, BATCH = 256, 32, 3, 2048
RATE, GAMMA, LAMBDA, CLIP, ENTROPY, VALUE = 1e-3, 0.995, 0.95, 0.2, 0.01, 0.5
TEST_GAMES, SEED = 512, 1


class Net(nn.Module):
    """Two hidden layers, a policy over the 72 actions and a value."""

    def __init__(self, seen: int, actions: int, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(seen, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        hidden = self.body(seen)
        logits = self.policy(hidden).masked_fill(~mask, -1e9)
        return Categorical(logits=logits), self.value(hidden).squeeze(-1)


def made(games: int, players: int) -> gymnasium.vector.VectorEnv[Any, Any, Any]:
    task = {"players": players, "opponents": "uniform", "max_turns": 300}
    name = cabochon.envs.GYMNASIUM_ID
    return gymnasium.make_vec(name, num_envs=games, autoreset_mode="SameStep", **task)


def tensors(seen: np.ndarray, infos: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.from_numpy(seen), torch.from_numpy(infos["action_mask"].view(np.bool_))


@torch.no_grad()
def win_rate(net: Net, players: int, games: int = TEST_GAMES, seed: int = 99) -> float:
    """The part of games won by the likeliest action, one game in each environment."""
    envs = made(games, players)
    seen, infos = envs.reset(seed=seed)
    score, open_games = np.zeros(games), np.ones(games, np.bool_)
    while open_games.any():
        actions = net(*tensors(seen, infos))[0].probs.argmax(-1).numpy()
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        ended = (terminated | truncated) & open_games
        shares = (1 + (players - 1) * rewards[ended]) / players
        score[ended] = np.where(terminated[ended], shares, 0)
        open_games &= ~ended
    return float(score.mean())


class Rollout:
    """What was seen and done in STEPS steps of all games, and how good it was."""

    def __init__(self, net: Net, envs: Any, seen: torch.Tensor, mask: torch.Tensor) -> None:
        rows: list[tuple[torch.Tensor, ...]] = []
        with torch.no_grad():
            for _ in range(STEPS):
                policy, value = net(seen, mask)
                action = policy.sample()
                after, reward, terminated, truncated, infos = envs.step(action.numpy())
                ended = torch.from_numpy(terminated | truncated).float()
                gain = torch.from_numpy(reward).float()
                rows.append((seen, mask, action, policy.log_prob(action), value, gain, ended))
                seen, mask = tensors(after, infos)
            last = net(seen, mask)[1]
        self.seen, self.mask = seen, mask
        columns = [torch.stack(column) for column in zip(*rows, strict=True)]
        values, gains, ends = columns[4:]
        advantages, carried = torch.zeros_like(values), torch.zeros_like(last)
        for t in reversed(range(STEPS)):
            following = values[t + 1] if t + 1 < STEPS else last
            error = gains[t] + GAMMA * following * (1 - ends[t]) - values[t]
            carried = error + GAMMA * LAMBDA * (1 - ends[t]) * carried
            advantages[t] = carried
        flat = [column.flatten(0, 1) for column in [*columns[:4], advantages, advantages + values]]
        self.data = flat


def improve(net: Net, optimiser: torch.optim.Optimizer, data: list[torch.Tensor]) -> None:
    for _ in range(EPOCHS):
        for chosen in torch.randperm(len(data[0])).reshape(-1, BATCH):
            seen, mask, action, before, advantage, target = (part[chosen] for part in data)
            policy, value = net(seen, mask)
            ratio = (policy.log_prob(action) - before).exp()
            scaled = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            loss = -torch.min(ratio * scaled, clipped * scaled).mean()
            loss = loss + VALUE * (value - target).square().mean()
            loss = loss - ENTROPY * policy.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimiser.step()


def train(wanted: int, players: int = 2, save: Path | None = None) -> list[dict[str, float]]:
    """The curve: a point each tenth of the decisions wanted, with the win rate."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)  # small layers gain nothing from more
    envs = made(GAMES, players)
    net = Net(400, 72)
    optimiser = torch.optim.Adam(net.parameters(), RATE, eps=1e-5)
    seen, mask = tensors(*envs.reset(seed=SEED))
    began, decisions, curve = time.perf_counter(), 0, [{"decisions": 0, "minutes": 0.0}]
    curve[0]["win_rate"] = win_rate(net, players)
    while decisions < wanted:
        rollout = Rollout(net, envs, seen, mask)
        seen, mask = rollout.seen, rollout.mask
        improve(net, optimiser, rollout.data)
        decisions += GAMES * STEPS
        if decisions >= wanted * len(curve) / 10:
            rate, minutes = win_rate(net, players), (time.perf_counter() - began) / 60
            curve.append({"decisions": decisions, "minutes": round(minutes, 2), "win_rate": rate})
            print(f"{minutes:5.1f} min {decisions:>9,} decisions {rate:7.1%} won", flush=True)
    if save is not None:
        torch.save(net.state_dict(), save)
    return curve


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--decisions", type=int, default=1_500_000)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--curve", type=Path)
    parser.add_argument("--save", type=Path)
    given = parser.parse_args()
    points = train(given.decisions, given.players, given.save)
    if given.curve is not None:
        given.curve.write_text(json.dumps(points) + "\n")
