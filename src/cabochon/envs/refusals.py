"""What an environment takes and what it refuses: its spaces, its arguments looked at before
anything changes, and errors of the community's own kind that carry our code and sentence.

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

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

import numpy as np
from gymnasium import error, spaces

from cabochon.envs.onegame import ruleset_of
from cabochon.kernel import ACTION_COUNT, HIGHEST, OBSERVATION_SIZE
from cabochon.kernel.actions import whole
from cabochon.rules import VARIANTS, Ruleset
from cabochon.rules.errors import CabochonError, IllegalMove, quoted
from cabochon.rules.errors import shown as spelled


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
    BAD_OPPONENTS = "env-bad-opponents"
    BAD_WEIGHTS = "env-bad-weights"
    BAD_OPTIONS = "env-bad-options"
    UNKNOWN_OPTION = "env-unknown-option"
    BAD_RESET_MASK = "env-bad-reset-mask"
    BAD_MASK = "env-bad-mask"
    EMPTY_MASK = "env-empty-mask"
    BAD_GENERATOR = "env-bad-generator"


class IllegalAction(IllegalMove, error.InvalidAction):
    """The rules refuse the action; nothing has changed."""


class NotAnAction(CabochonError, error.InvalidAction, AssertionError):
    """What was played isn't in the action space; nothing has changed."""


class GameEnded(CabochonError, error.ResetNeeded, ValueError):
    """There is no next step in a game that is over."""


class NotReset(CabochonError, error.ResetNeeded):
    """There is no game before the first reset."""


class BadArgument(CabochonError, error.Error, ValueError):
    """No environment is made or reset with this argument."""


# What it is made, reset and stepped with


@contextmanager
def as_bad_argument() -> Iterator[None]:
    """Any refusal inside is about an argument: it comes out as BadArgument, code and all."""
    try:
        yield
    except CabochonError as refusal:
        raise BadArgument(refusal.code, **refusal.params) from refusal


def asked_ruleset(variant: object, players: object) -> Ruleset:
    """The ruleset that the two arguments name together. Raises BadArgument."""
    if not isinstance(variant, str):
        known = ", ".join(VARIANTS)
        raise BadArgument(EnvFault.BAD_CHOICE, what="variant", known=known, given=shown(variant))
    number = None if players is None else whole(players)
    if players is not None and number is None:
        within("players", players, 2, 4)
    with as_bad_argument():
        ruleset = ruleset_of(variant, number)
    if number not in (None, ruleset.seats):
        raise BadArgument(
            EnvFault.TWO_NUMBERS, variant=quoted(variant), seats=ruleset.seats, given=number
        )
    return ruleset


def one_of(what: str, given: object, known: tuple[str, ...]) -> str:
    """The word, if it is one of the known ones. Raises BadArgument."""
    if not isinstance(given, str) or given not in known:
        names = ", ".join(known)
        raise BadArgument(EnvFault.BAD_CHOICE, what=what, known=names, given=shown(given))
    return given


def within(what: str, given: object, least: int, most: int) -> int:
    """The number, if it lies within. Raises BadArgument."""
    number = whole(given)
    if number is None or not least <= number <= most:
        raise BadArgument(
            EnvFault.BAD_NUMBER, what=what, least=least, most=most, given=shown(given)
        )
    return number


def checked_seed(given: object) -> int | None:
    """The seed as a Python number, or None. Raises BadArgument."""
    if given is None:
        return None
    number = whole(given)
    if number is None or number < 0:
        raise BadArgument(EnvFault.BAD_SEED, given=shown(given))
    return number


def checked_options(given: object, known: tuple[str, ...] | None = None) -> Mapping[str, Any]:
    """The options of a reset. Raises BadArgument, also for one that is not among those known;
    PettingZoo's own tests pass any, so there none are."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise BadArgument(EnvFault.BAD_OPTIONS, given=shown(given))
    for name in given if known is not None else ():
        if name not in (known or ()):
            names = ", ".join(known or ())
            raise BadArgument(EnvFault.UNKNOWN_OPTION, given=shown(name), known=names)
    return given


def checked_action(given: object, count: int) -> int:
    """The number of an action of the space. Raises NotAnAction."""
    number = whole(given)
    if number is None or not 0 <= number < count:
        raise NotAnAction(EnvFault.NOT_AN_ACTION, given=shown(given), most=count - 1)
    return number


def shown(given: object) -> str:
    """What was given, shortened: a text in quotes, so that '2' is not taken for 2."""
    number = whole(given)
    return spelled(given) if number is None else quoted(number)


# Spaces, from the kernel's action table and observation index


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
