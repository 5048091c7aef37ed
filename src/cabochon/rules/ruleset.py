"""The rules as a value: how many sit down, what they play to, and the options.

>>> Ruleset.preset("quick", seats=3)
Ruleset(seats=3, target=10, row_width=3, teams=False, scarce_take=True)
>>> str(Ruleset(seats=2, scarce_take=False))
'standard/2:scarce=no'
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from cabochon.rules.errors import BadRuleset, RulesetFault, no_seat, quoted, shown
from cabochon.rules.gems import Gems
from cabochon.words import in_all_languages

TOKEN_LIMIT = 10
RESERVE_LIMIT = 3
TAKE_COLOURS = 3
"""Different colours in one take; the most tokens that any one action brings."""
NEEDED_FOR_TWO = 4
"""Tokens the bank must have of a colour before two of it may be taken."""
GOLD_TOKENS = 5
TOKENS_OF_COLOUR = {2: 4, 3: 5, 4: 7}
MOST_TOKENS = max(TOKENS_OF_COLOUR.values())


class Preset(NamedTuple):
    """What a named variant plays to, how many cards lie in a row, and whether two play together."""

    target: int
    row_width: int
    teams: bool = False


PRESETS = {
    "standard": Preset(15, 4),
    "quick": Preset(10, 3),
    "teams": Preset(15, 4, teams=True),
    "quick-teams": Preset(10, 3, teams=True),
}
"""The named variants; of those with teams, and of those without, the first is the usual one. Their
titles are in the catalogue of words."""
VARIANTS = tuple(PRESETS)


@cache
def _nearest(target: int, row_width: int, teams: bool) -> str:
    """The variant that these values make, or the usual one."""
    alike = {preset: name for name, preset in PRESETS.items() if preset.teams == teams}
    return alike.get(Preset(target, row_width, teams), next(iter(alike.values())))


HIGHEST_TARGET = 50
WIDEST_ROW = 4

_SWITCH = {"yes": True, "no": False}


def _is_within(value: object, least: int, most: int) -> bool:
    """A whole number, and no other kind of thing that compares like one."""
    return type(value) is int and least <= value <= most


def _no_variant(variant: object) -> BadRuleset:
    """The expansion is refused by its name, in whichever language."""
    names = in_all_languages("variants.cities").values()
    if isinstance(variant, str) and any(name in variant.lower() for name in names):
        return BadRuleset(RulesetFault.CITIES)
    known = ", ".join(PRESETS)
    return BadRuleset(RulesetFault.UNKNOWN_VARIANT, variant=quoted(variant), known=known)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """What is being played. Raises BadRuleset for a game that does not exist."""

    seats: int = 2
    target: int = 15
    row_width: int = 4
    teams: bool = False
    scarce_take: bool = True

    def __post_init__(self) -> None:
        if not _is_within(self.seats, min(TOKENS_OF_COLOUR), max(TOKENS_OF_COLOUR)):
            raise BadRuleset(RulesetFault.SEATS, seats=quoted(self.seats))
        for option in ("teams", "scarce_take"):
            value = getattr(self, option)
            if type(value) is not bool:
                raise BadRuleset(RulesetFault.NOT_A_SWITCH, option=option, given=shown(value))
        if self.teams and self.seats != 4:
            raise BadRuleset(RulesetFault.TEAMS_NEED_FOUR, seats=self.seats)
        if not _is_within(self.target, 1, HIGHEST_TARGET):
            raise BadRuleset(RulesetFault.TARGET, target=quoted(self.target))
        if not _is_within(self.row_width, 1, WIDEST_ROW):
            raise BadRuleset(RulesetFault.ROW_WIDTH, width=quoted(self.row_width))

    @classmethod
    def preset(cls, variant: str = "standard", seats: int | None = None) -> Ruleset:
        """The named variant; without `seats` the usual number, four for teams, else two."""
        if not isinstance(variant, str) or variant not in PRESETS:
            raise _no_variant(variant)
        target, width, teams = PRESETS[variant]
        seats = (4 if teams else 2) if seats is None else seats
        return cls(seats, target, width, teams)

    @classmethod
    def parse(cls, text: str) -> Ruleset:
        """Read `standard/2` or `quick/3:target=12,width=4,scarce=no`."""
        if not isinstance(text, str):
            raise BadRuleset(RulesetFault.NOT_A_RULESET, text=shown(text))
        head, _, options = text.strip().partition(":")
        variant, _, seats = head.partition("/")
        if seats and not (seats.isascii() and seats.isdigit() and len(seats) < 4):
            raise BadRuleset(RulesetFault.NOT_A_RULESET, text=quoted(text))
        ruleset = cls.preset(variant, int(seats) if seats else None)
        for option in filter(None, options.split(",")):
            ruleset = ruleset._with_option(option, text)
        return ruleset

    def _with_option(self, option: str, text: str) -> Ruleset:
        key, _, value = option.partition("=")
        number = value.isascii() and value.isdigit() and len(value) < 4
        if key == "target" and number:
            return replace(self, target=int(value))
        if key == "width" and number:
            return replace(self, row_width=int(value))
        if key == "scarce" and value in _SWITCH:
            return replace(self, scarce_take=_SWITCH[value])
        raise BadRuleset(RulesetFault.NOT_A_RULESET, text=quoted(text))

    @property
    def variant(self) -> str:
        """The preset nearest to these values: the text names it and then what differs."""
        return _nearest(self.target, self.row_width, self.teams)

    def __str__(self) -> str:
        variant = self.variant
        target, row_width, _ = PRESETS[variant]
        options = []
        if self.target != target:
            options.append(f"target={self.target}")
        if self.row_width != row_width:
            options.append(f"width={self.row_width}")
        if not self.scarce_take:
            options.append("scarce=no")
        return f"{variant}/{self.seats}" + (":" + ",".join(options) if options else "")

    @property
    def bank(self) -> Gems:
        """All the tokens of the game."""
        n = TOKENS_OF_COLOUR[self.seats]
        return Gems(n, n, n, n, n, GOLD_TOKENS)

    @property
    def noble_count(self) -> int:
        return self.seats + 1

    def side(self, seat: int) -> tuple[int, ...]:
        """The seats that share points and bonuses with this one, itself included. Raises
        WrongArgument for a seat that is not there."""
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise no_seat(seat, self.seats)
        return (seat % 2, seat % 2 + 2) if self.teams else (seat,)
