"""What an environment is made, reset and stepped with, looked at before anything changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from cabochon.envs.onegame import ruleset_of
from cabochon.envs.refusals import BadArgument, EnvFault, NotAnAction
from cabochon.kernel.actions import whole
from cabochon.rules import VARIANTS, Ruleset
from cabochon.rules.errors import CabochonError, quoted
from cabochon.rules.errors import shown as spelled


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
        raise BadArgument(
            EnvFault.BAD_CHOICE, what="options", known="a dict, None", given=shown(given)
        )
    for name in given if known is not None else ():
        one_of("an option", name, known or ())
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
