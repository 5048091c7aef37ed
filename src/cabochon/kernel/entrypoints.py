"""The compiled functions that Python calls: an array and an index, never a record.  Unchecked."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cabochon.kernel.cache import compiled
from cabochon.kernel.hidden import has_hidden, imagine
from cabochon.kernel.layout import Floats, Number, States
from cabochon.kernel.legal import legal_mask
from cabochon.kernel.observe import observe, write_mask
from cabochon.kernel.opening import clear_table, deal_opening
from cabochon.kernel.step import act_unchecked, deal_unchecked, step_unchecked

STEP, ACT_ONLY, DEAL_CARD = range(3)


@compiled
def clear_at(
    states: States,
    index: Number,
    seats: Number,
    target: Number,
    width: Number,
    teams: bool,
    scarce: bool,
) -> None:
    """A table with nothing dealt yet."""
    clear_table(states[index], seats, target, width, teams, scarce)


@compiled
def deal_opening_at(states: States, index: Number, seed: np.uint64) -> None:
    """Seed a cleared table and deal nobles and rows."""
    states[index].rng = seed
    deal_opening(states[index])


@compiled
def legal_at(states: States, index: Number) -> np.uint64:
    return legal_mask(states[index])


@compiled
def advance_at_unchecked(states: States, index: Number, how: Number, number: Number) -> None:
    """STEP or ACT_ONLY the action of that number, or DEAL_CARD: one function, compiled once."""
    s = states[index]
    if how == STEP:
        step_unchecked(s, number)
    elif how == ACT_ONLY:
        act_unchecked(s, number)
    else:
        deal_unchecked(s, number)


@compiled
def imagine_at(states: States, index: Number, seed: np.uint64) -> None:
    imagine(states[index], seed)


@compiled
def has_hidden_at(states: States, index: Number) -> bool:
    return has_hidden(states[index])


@compiled
def observe_at(states: States, index: Number, viewer: Number, out: Floats) -> None:
    observe(states[index], viewer, out)


@compiled
def mask_at(states: States, index: Number, out: npt.NDArray[np.uint64]) -> None:
    s = states[index]
    write_mask(s.phase, legal_mask(s), out)
