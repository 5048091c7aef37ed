"""Errors of the community's own kind that carry our code and sentence.

    gymnasium.error.InvalidAction   IllegalAction   an action that the rules refuse
                                    NotAnAction     what is not in the action space (and an
                                                    AssertionError, as in PettingZoo's wrapper)
    gymnasium.error.ResetNeeded     GameEnded       a step in a game that is over (and a
                                                    ValueError, as PettingZoo has it)
                                    NotReset        a step or a look before the first reset
    gymnasium.error.Error           BadArgument     an unknown variant, bot, seed, ... (and a
                                                    ValueError)

Each is a CabochonError too: `code`, `params`, `en`, `zh`.
"""

from __future__ import annotations

from enum import StrEnum

from gymnasium import error

from cabochon.rules.errors import CabochonError, IllegalMove


class EnvFault(StrEnum):
    """What an environment can refuse beside the rules."""

    GAME_ENDED = "env-game-ended"
    ONLY_NONE = "env-only-none"
    NOT_RESET = "env-not-reset"
    BAD_CHOICE = "env-bad-choice"
    BAD_NUMBER = "env-bad-number"
    BAD_SEED = "env-bad-seed"
    TWO_NUMBERS = "env-two-numbers"
    NOT_AN_ACTION = "env-not-an-action"


class IllegalAction(IllegalMove, error.InvalidAction):
    """The rules refuse the action; nothing has changed."""


class NotAnAction(CabochonError, error.InvalidAction, AssertionError):
    """What was played is no member of the action space; nothing has changed."""


class GameEnded(CabochonError, error.ResetNeeded, ValueError):
    """There is no next step in a game that is over."""


class NotReset(CabochonError, error.ResetNeeded):
    """There is no game before the first reset."""


class BadArgument(CabochonError, error.Error, ValueError):
    """No environment is made or reset with this argument."""
