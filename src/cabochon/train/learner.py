"""The model, its optimiser and its running mean; all of it goes into one small checkpoint."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from cabochon.search.net import SHAPES, Weights
from cabochon.train.model import Model, losses
from cabochon.train.samples import Indexes, Samples, TrainingBatch, fill_batch, new_batch

BATCH = 512
MEAN_STEPS = 0.995
"""How much of the running mean of the weights stays at each step; self-play uses the mean."""
EXTRA_WEIGHTS = (0.15, 0.1)
CLIP = 2.0
MOMENT_SCALE = 1024
"""The optimiser's moments are tiny; times this they keep their digits in float16."""


class Learner:
    """Learns from batches; ``steps`` counts them."""

    def __init__(self, seed: int) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(seed)
        self.model, self.mean = Model(), Model()
        self.mean.eval()
        self._start_mean()
        self.optimiser = torch.optim.AdamW(
            self.model.parameters(), lr=1e-3, weight_decay=0.02, betas=(0.9, 0.99), fused=True
        )
        self.batch = new_batch(BATCH)
        self.steps = 0

    def _start_mean(self) -> None:
        self.mean.load_state_dict(self.model.state_dict())

    def weights(self) -> Weights:
        """The running mean, for playing."""
        return self.mean.weights()

    def step(self, samples: Samples, which: Indexes, rate: float, root_share: float) -> list[float]:
        """One step of the optimiser; returns the losses of policy and value."""
        fill_batch(samples, which, root_share, self.batch)
        self.model.train()
        policy, value, extra = losses(self.model, self.batch)
        loss = policy + value + EXTRA_WEIGHTS[0] * extra[0] + EXTRA_WEIGHTS[1] * extra[1]
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.step()
        self.steps += 1
        self._move_mean()
        return [float(policy.detach()), float(value.detach())]

    def _move_mean(self) -> None:
        keep = min(MEAN_STEPS, self.steps / (self.steps + 10))
        with torch.no_grad():
            for mean, now in zip(self.mean.parameters(), self.model.parameters(), strict=True):
                mean.lerp_(now, 1 - keep)

    def test(self, samples: Samples) -> list[float]:
        """Losses of the mean on positions it has not learnt from, against the result alone."""
        fill_batch(samples, np.arange(min(BATCH, len(samples.full))), 0.0, self.batch)
        whole = self.batch
        count = min(BATCH, len(samples.full))
        with torch.no_grad():
            part = TrainingBatch._make(column[:count] for column in whole)
            policy, value, _ = losses(self.mean, part)
        return [float(policy), float(value)]

    def start_from(self, weights: Weights) -> None:
        """Take over a network, with a fresh optimiser."""
        self.model.read(weights)
        self._start_mean()

    def save(self, path: Path, about: dict[str, object]) -> None:
        """Weights, mean and both moments as float16, all or nothing."""
        arrays: dict[str, npt.NDArray[np.float16]] = {}
        for name in SHAPES:
            parameter = getattr(self.model, name)
            state = self.optimiser.state.get(parameter, {})
            arrays[f"now_{name}"] = _half(parameter)
            arrays[f"mean_{name}"] = _half(getattr(self.mean, name))
            if state:
                arrays[f"first_{name}"] = _half(state["exp_avg"] * MOMENT_SCALE)
                arrays[f"second_{name}"] = _half(state["exp_avg_sq"].sqrt() * MOMENT_SCALE)
        header = json.dumps(about | {"steps": self.steps})
        draft = path.with_suffix(".draft")
        with draft.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, header=np.array(header), **arrays)
        draft.replace(path)

    def load(self, path: Path) -> dict[str, object]:
        """Continue from a checkpoint; returns what was kept beside the arrays."""
        with np.load(path, allow_pickle=False) as archive:
            about: dict[str, object] = json.loads(str(archive["header"]))
            self.steps = int(str(about["steps"]))
            with torch.no_grad():
                for name in SHAPES:
                    parameter = getattr(self.model, name)
                    parameter.copy_(_single(archive[f"now_{name}"]))
                    getattr(self.mean, name).copy_(_single(archive[f"mean_{name}"]))
                    if f"first_{name}" in archive:
                        first = _single(archive[f"first_{name}"]) / MOMENT_SCALE
                        root = _single(archive[f"second_{name}"]) / MOMENT_SCALE
                        self.optimiser.state[parameter] = {
                            "step": torch.tensor(float(self.steps)),
                            "exp_avg": first,
                            "exp_avg_sq": root.square(),
                        }
        return about


def _half(tensor: torch.Tensor) -> npt.NDArray[np.float16]:
    limit = 65504.0
    return tensor.detach().clamp(-limit, limit).numpy().astype(np.float16)


def _single(array: npt.NDArray[np.float16]) -> torch.Tensor:
    return torch.from_numpy(array.astype(np.float32))
