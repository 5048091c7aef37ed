"""The fast twin of the rules: Python compiled by Numba, 288 bytes per game, the same law.

    >>> from cabochon import kernel
    >>> from cabochon.rules import Ruleset
    >>> states = kernel.new_game(Ruleset(seats=2), seed=7)
    >>> kernel.step(states, 0, kernel.legal_actions(states)[0])
    >>> kernel.unpack(states).turn
    1

The functions here check everything; those named ``_unchecked`` don't.  Compiled code of other
packages works on records directly: see ``layout``, ``legal``, ``step``, ``hidden``.
"""

from cabochon.kernel.actions import (
    ACTION_COUNT,
    ACTION_TABLE_VERSION,
    ACTIONS,
    Action,
    actions_of,
    move_of,
    parse_action,
    table_hash,
)
from cabochon.kernel.batch import Autoreset, Batch
from cabochon.kernel.build import is_compiled, warm_up
from cabochon.kernel.checked import (
    act,
    action_mask,
    check,
    deal,
    imagined,
    legal_actions,
    new_game,
    observation,
    outcome,
    playouts,
    step,
)
from cabochon.kernel.entrypoints import SKIP
from cabochon.kernel.errors import KernelError, KernelFault
from cabochon.kernel.layout import STATE, States, new_states
from cabochon.kernel.observation import (
    HIGHEST,
    OBSERVATION,
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
    SCALE,
    SLICES,
)
from cabochon.kernel.packing import pack, packed, unpack

__all__ = [
    "ACTIONS",
    "ACTION_COUNT",
    "ACTION_TABLE_VERSION",
    "HIGHEST",
    "OBSERVATION",
    "OBSERVATION_SIZE",
    "OBSERVATION_VERSION",
    "SCALE",
    "SKIP",
    "SLICES",
    "STATE",
    "Action",
    "Autoreset",
    "Batch",
    "KernelError",
    "KernelFault",
    "States",
    "act",
    "action_mask",
    "actions_of",
    "check",
    "deal",
    "imagined",
    "is_compiled",
    "legal_actions",
    "move_of",
    "new_game",
    "new_states",
    "observation",
    "outcome",
    "pack",
    "packed",
    "parse_action",
    "playouts",
    "step",
    "table_hash",
    "unpack",
    "warm_up",
]
