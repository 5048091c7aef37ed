"""Everything that can be refused, as one small tree:

    CabochonError
    ├── IllegalMove     a seat's decision breaks a rule (code: Refusal)
    ├── IllegalDeal     a card that chance cannot have dealt here (code: DealFault)
    ├── BadRuleset      five players, an unknown variant, ... (code: RulesetFault)
    ├── BadSetup        an arrangement that no game can show; holds all its `Fault`s
    ├── WrongArgument   a value of another type than asked for (code: ArgumentFault); for those who
    │   │               expect them also a TypeError and a ValueError
    │   └── NotAView    a position, or anything else, where only a view may be thought about
    ├── UnknownCode     a code that no card or noble has; also a KeyError
    ├── NotationError   text that does not say a move, a position, ... (cabochon.notation)
    └── RecordError     a record that does not replay (cabochon.record)

Each has a stable `code`, `params` a program can use, and a sentence in every language,
`text(lang)`, from the catalogue `cabochon.words`; `en` and `zh` are short for two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from cabochon.words import ENGLISH, colour_name, languages, template

# How a refusal fills its sentence; the sentences themselves are in `cabochon.words`.
#
# A parameter called `colour` is a gem letter and is printed as a word; `gems` is a run of letters
# (`wwo`) and is printed as counts; `phase`, `kind` and `wanted` are printed in the reader's
# language.
#
# Whatever a parameter holds, a sentence is at most 300 characters, all of which can be seen:
# control characters, direction marks, invisible ones and halves of characters are escaped.


LONGEST_SENTENCE = 300
_PRINTED = 10**30
"""From here on a number is too long for a sentence."""

_TRANSLATED = {"wanted": "wanted", "phase": "phases", "kind": "kinds", "colour": "colours"}
"""Parameters whose values are keys of the catalogue, and of which area."""


def sentence(key: str, language: str, params: Mapping[str, int | str]) -> str:
    """What the key of the catalogue says in that language, in at most 300 characters."""
    words = {name: _word(name, value, language) for name, value in params.items()}
    return clipped(template(key, language).format(**words), LONGEST_SENTENCE)


def printable(text: str) -> str:
    """The same text with everything that cannot be seen escaped."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def clipped(text: str, most: int) -> str:
    """At most that many characters; an ellipsis stands for the rest."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _word(name: str, value: int | str, language: str) -> int | str:
    if isinstance(value, int):
        return value if -_PRINTED < value < _PRINTED else type(value).__name__
    if name in _TRANSLATED:
        return template(f"{_TRANSLATED[name]}.{value}", language)
    if name == "gems":
        return _counts(value, language)
    return printable(value)


def _counts(letters: str, language: str) -> str:
    parts = [f"{letters.count(c)} {colour_name(c, language)}" for c in "wugrko" if c in letters]
    return template("lists.comma", language).join(parts) or "-"


Param: TypeAlias = int | str

LONGEST_QUOTE = 60


class Refusal(StrEnum):
    """Why a move is refused: one code a rule."""

    UNKNOWN_MOVE = "unknown-move"
    GAME_OVER = "game-over"
    WRONG_SEAT = "wrong-seat"
    WRONG_PHASE = "wrong-phase"
    BAD_AMOUNT = "bad-amount"
    UNKNOWN_CARD = "unknown-card"
    UNKNOWN_DECK = "unknown-deck"
    UNKNOWN_NOBLE = "unknown-noble"
    TAKE_GOLD = "take-gold"
    TAKE_NOTHING = "take-nothing"
    TAKE_MIXED = "take-mixed"
    TAKE_TOO_MANY = "take-too-many"
    TAKE_TOO_FEW = "take-too-few"
    TAKE_SCARCE = "take-scarce"
    TAKE_EMPTY = "take-empty"
    TAKE_TWO_NEEDS_FOUR = "take-two-needs-four"
    RESERVE_LIMIT = "reserve-limit"
    RESERVE_NOT_FACE_UP = "reserve-not-face-up"
    DECK_EMPTY = "deck-empty"
    BUY_NOT_THERE = "buy-not-there"
    BUY_TOO_DEAR = "buy-too-dear"
    PAYMENT_NOT_HELD = "payment-not-held"
    PAYMENT_TOO_MUCH = "payment-too-much"
    PAYMENT_TOO_LITTLE = "payment-too-little"
    NOBLE_NOT_PENDING = "noble-not-pending"
    NOBLE_NOT_OFFERED = "noble-not-offered"
    RETURN_NOT_PENDING = "return-not-pending"
    RETURN_TOO_FEW = "return-too-few"
    RETURN_TOO_MANY = "return-too-many"
    RETURN_NOT_HELD = "return-not-held"
    PASS_NOT_FORCED = "pass-not-forced"


class DealFault(StrEnum):
    """Why a card cannot have been dealt."""

    DEAL_NOT_PENDING = "deal-not-pending"
    DEAL_WRONG_LEVEL = "deal-wrong-level"
    DEAL_NOT_IN_DECK = "deal-not-in-deck"
    NOT_A_DEAL = "not-a-deal"
    BAD_OPENING = "bad-opening"
    SCRIPT_EMPTY = "script-empty"


class RulesetFault(StrEnum):
    """Why there is no such ruleset."""

    SEATS = "seats-out-of-range"
    UNKNOWN_VARIANT = "unknown-variant"
    CITIES = "cities-not-supported"
    TEAMS_NEED_FOUR = "teams-need-four"
    TARGET = "target-out-of-range"
    ROW_WIDTH = "row-width-out-of-range"
    NOT_A_RULESET = "not-a-ruleset"
    NOT_A_SWITCH = "not-a-switch"


class SetupFault(StrEnum):
    """What is wrong with an arrangement."""

    PART_TYPE = "part-type"
    HANDS_COUNT = "hands-count"
    TOKENS_NEGATIVE = "tokens-negative"
    TOKENS_LOST = "tokens-lost"
    TOKENS_OVER_LIMIT = "tokens-over-limit"
    ROW_SHAPE = "row-shape"
    ROW_LEVEL = "row-level"
    ROW_HOLE = "row-hole"
    CARD_TWICE = "card-twice"
    CARD_HIDDEN = "card-hidden"
    RESERVED_LIMIT = "reserved-limit"
    NOBLES_COUNT = "nobles-count"
    NOBLE_TWICE = "noble-twice"
    NOBLE_NOT_IN_PLAY = "noble-not-in-play"
    NOBLE_UNEARNED = "noble-unearned"
    TURN_RANGE = "turn-range"
    PASSES_RANGE = "passes-range"
    PENDING_MISMATCH = "pending-mismatch"
    PHASE_NOBLE = "phase-noble"
    PHASE_RETURN = "phase-return"
    PHASE_OVER = "phase-over"
    LAST_ROUND = "last-round-mismatch"


class ArgumentFault(StrEnum):
    """Why a value cannot be used where it was given."""

    WRONG_TYPE = "wrong-type"
    NO_SEAT = "seat-unknown"
    BAD_SEED = "bad-seed"
    VIEW_NEEDED = "view-needed"


def quoted(value: object) -> str:
    """What came, as a refusal may repeat it: one short line in which everything can be seen. What
    cannot be printed (a number too long, a value that fails to) is named by its type."""
    return _short(value, str)


def shown(value: object) -> str:
    """As `quoted`, in the spelling of a program: '2' is not taken for 2."""
    return _short(value, repr)


def _short(value: object, spell: Callable[[object], str]) -> str:
    try:
        text = spell(value)
    except Exception:
        text = type(value).__name__
    return clipped(printable(text[: LONGEST_QUOTE + 1]), LONGEST_QUOTE)


class TwoLanguages:
    """Something with a sentence in every language; `en` and `zh` are short for two of them."""

    __slots__ = ()

    def text(self, lang: str = ENGLISH) -> str:
        """The sentence in that language; in English when nobody wrote it in that one."""
        raise NotImplementedError

    @property
    def en(self) -> str:
        return self.text("en")

    @property
    def zh(self) -> str:
        return self.text("zh")


class CabochonError(TwoLanguages, Exception):
    """Something was refused; nothing has changed."""

    def __init__(self, code: StrEnum, **params: Param) -> None:
        super().__init__(code)
        self.code = code
        self.params: Mapping[str, Param] = params

    def text(self, lang: str = ENGLISH) -> str:
        return sentence(f"errors.{self.code.value}", lang, self.params)

    def texts(self) -> dict[str, str]:
        """The sentence by language: `en`, `zh` and whichever else there are."""
        return {lang: self.text(lang) for lang in languages()}

    def __str__(self) -> str:
        return self.en

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, CabochonError)
        return (self.code, dict(self.params)) == (other.code, dict(other.params))

    def __hash__(self) -> int:
        return hash((type(self), self.code))

    def __reduce__(self) -> tuple[object, tuple[type[CabochonError], StrEnum, dict[str, Param]]]:
        return _rebuild, (type(self), self.code, dict(self.params))


def _rebuild(kind: type[CabochonError], code: StrEnum, params: dict[str, Param]) -> CabochonError:
    return kind(code, **params)


class IllegalMove(CabochonError):
    """A seat's decision that the rules do not allow; `code` is a `Refusal`."""


class IllegalDeal(CabochonError):
    """A card that cannot have come here; `code` is a `DealFault`."""


class BadRuleset(CabochonError):
    """No game is played by these rules; `code` is a `RulesetFault`."""


class WrongArgument(CabochonError, TypeError, ValueError):
    """A value that is not of the kind asked for; `code` is an `ArgumentFault`."""


class NotAView(WrongArgument):
    """Something else where only a `View` may be thought about: a Position would let one peek."""


class UnknownCode(CabochonError, KeyError):
    """No card or noble has this code."""


def wrong(what: str, wanted: str, given: object) -> WrongArgument:
    """The error for an argument called `what`; `wanted` is a key of that area of the catalogue."""
    return WrongArgument(ArgumentFault.WRONG_TYPE, what=what, wanted=wanted, given=shown(given))


def no_seat(seat: object, seats: int) -> WrongArgument:
    """The error for a seat that the table has not."""
    return WrongArgument(ArgumentFault.NO_SEAT, seat=quoted(seat), seats=seats)


@dataclass(frozen=True, slots=True)
class Fault(TwoLanguages):
    """One thing that is wrong with a set-up."""

    code: SetupFault
    params: Mapping[str, Param] = field(default_factory=dict)

    def text(self, lang: str = ENGLISH) -> str:
        """What is wrong, in that language."""
        return sentence(f"errors.{self.code.value}", lang, self.params)


class BadSetup(CabochonError):
    """An arrangement that can't occur in a game; `faults` holds everything that is wrong with it.
    The sentences name as many of them as fit, and say how many more there are."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(self.faults[0].code, **self.faults[0].params)

    def text(self, lang: str = ENGLISH) -> str:
        gap = template("lists.sentences", lang)
        told = [fault.text(lang) for fault in self.faults]
        for count in range(len(told), 0, -1):
            left = len(told) - count
            more = [sentence("where.more-faults", lang, {"count": left})] if left else []
            text = gap.join(told[:count] + more)
            if len(text) <= LONGEST_SENTENCE:
                return text
        return told[0]

    def __reduce__(self) -> tuple[object, tuple[tuple[Fault, ...]]]:  # type: ignore[override]
        return BadSetup, (self.faults,)


# Numbers that somebody was given, looked at before they are used: no bool, and nothing that only
# compares like a number, passes for one.


LONGEST_SECONDS = 10**9


def check_whole(what: str, given: object, least: int | None = None) -> None:
    """Raises WrongArgument unless this is a whole number, of at least `least` (0 or more)."""
    if type(given) is not int or (least is not None and given < least):
        raise wrong(what, "whole" if least is None else "count", given)


def check_seconds(what: str, given: object) -> None:
    """Raises WrongArgument unless this is a time: not negative, and not for ever."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not 0 <= given <= LONGEST_SECONDS:  # type: ignore[operator]
        raise wrong(what, "seconds", given)
