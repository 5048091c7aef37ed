"""Rendering as Gymnasium and PettingZoo name it: human, ansi, rgb_array."""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt

from cabochon.extras import needed
from cabochon.render.text import board
from cabochon.rules import Position, View

Frame: TypeAlias = str | npt.NDArray[np.uint8] | None

RENDER_MODES = ("human", "ansi", "rgb_array")
RENDER_FPS = 2


def show(table: Position | View, mode: str | None) -> Frame:
    """The frame; `human` prints the text board and gives None, as no mode at all does with a
    warning."""
    if mode is None:
        gymnasium.logger.warn("render() was called without a render_mode: nothing is drawn.")
        return None
    if mode == "rgb_array":
        return pixels(table)
    text = board(table)
    if mode == "ansi":
        return text
    sys.stdout.write(text + "\n\n")
    return None


def pixels(table: Position | View) -> npt.NDArray[np.uint8]:
    """The table as an image, (height, width, 3). Raises ExtraMissing without Pillow or resvg."""
    for package in ("PIL", "resvg_py"):
        needed(package, "envs", "render_mode rgb_array")
    from cabochon.envs.picture import picture

    image: Any = picture(table)
    return np.asarray(image, np.uint8)
