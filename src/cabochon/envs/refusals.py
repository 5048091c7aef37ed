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
from cabochon.rules.sentences import register


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


register(
    {
        "env-game-ended": (
            "This game is over (game {index}): reset it before the next step.",
            "这局游戏已经结束（第 {index} 局）：请先重置再继续。",
        ),
        "env-only-none": (
            "This game is over: the only valid action is None, until reset() deals the next.",
            "这局游戏已经结束：在 reset() 之前，唯一有效的动作是 None。",
        ),
        "env-not-reset": (
            "There is no game yet: call reset() first.",
            "还没有对局：请先调用 reset()。",
        ),
        "env-bad-choice": (
            "{what} must be one of {known}; it is {given}.",
            "{what} 须为 {known} 之一，实际为 {given}。",
        ),
        "env-bad-number": (
            "{what} must be a whole number from {least} to {most}; it is {given}.",
            "{what} 须为 {least} 到 {most} 之间的整数，实际为 {given}。",
        ),
        "env-bad-seed": (
            "A seed is a whole number of 0 or more, or None; it is {given}.",
            "种子须为 0 或更大的整数，或 None；实际为 {given}。",
        ),
        "env-two-numbers": (
            "The variant {variant} is for {seats} players, but players is {given}.",
            "变体 {variant} 是 {seats} 人局，但 players 为 {given}。",
        ),
        "env-not-an-action": (
            "The action is not in the action space: {given} is not a whole number from 0 to "
            "{most}.",
            "动作不在动作空间内：{given} 不是 0 到 {most} 之间的整数。",
        ),
    }
)


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
