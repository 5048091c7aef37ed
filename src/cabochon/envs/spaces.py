"""The spaces of all environments, from the kernel's action table and observation index."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from cabochon.kernel import ACTION_COUNT, HIGHEST, OBSERVATION_SIZE


def action_space() -> spaces.Discrete:
    return spaces.Discrete(ACTION_COUNT)


def observation_space() -> spaces.Box:
    return spaces.Box(np.zeros(OBSERVATION_SIZE, np.float32), HIGHEST, dtype=np.float32)


def masked_observation_space() -> spaces.Dict:
    """As PettingZoo's classic games have it."""
    mask = spaces.Box(0, 1, (ACTION_COUNT,), np.int8)
    return spaces.Dict({"observation": observation_space(), "action_mask": mask})


def state_space(seats: int) -> spaces.Box:
    low = np.zeros((seats, OBSERVATION_SIZE), np.float32)
    return spaces.Box(low, np.tile(HIGHEST, (seats, 1)), dtype=np.float32)
