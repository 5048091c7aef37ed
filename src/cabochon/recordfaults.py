"""Why a record is damaged or does not verify."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from cabochon.rules import Buy, ChooseNoble, Deal, Pass, Reserve, Return, Take
from cabochon.rules.errors import CabochonError, Param, sentence, shown
from cabochon.words import ENGLISH


class RecordFault(StrEnum):
    """What is wrong with a record beyond an illegal move or deal."""

    PLAYERS_COUNT = "players-count"
    RULESET_MISMATCH = "ruleset-mismatch"
    RECORD_VERSION = "record-version"
    VIEWER_MISMATCH = "viewer-mismatch"
    HEADER_NAME = "header-name"
    NOT_TEXT = "not-text"
    COMMENT_PLY = "comment-ply"
    RESULT_SHAPE = "result-shape"
    ALREADY_ENDED = "already-ended"
    RESULT_TOO_EARLY = "result-too-early"
    RESULT_WRONG = "result-wrong"
    SEED_NOT_COMMITTED = "seed-not-committed"
    OPENING_NOT_FROM_SEED = "opening-not-from-seed"
    DEAL_NOT_FROM_SEED = "deal-not-from-seed"
    SHARE_HASH = "share-hash"
    SHARE_NOT_PROMISED = "share-not-promised"
    SHARE_TABLE = "share-table"
    SHARE_ROUND = "share-round"
    SHARE_MISSING = "share-missing"
    LABEL_WRONG = "label-wrong"
    RECORD_PART = "record-part"
    COMMENT_OUTSIDE = "comment-outside"
    VARIATION_PLY = "variation-ply"
    VARIATION_EMPTY = "variation-empty"
    VARIATIONS_DEEP = "variations-deep"
    VARIATIONS_MANY = "variations-many"
    NO_VARIATION = "no-variation"


class Verdict(StrEnum):
    """What a verification proved, or why it could not prove it."""

    MOVES_LEGAL = "verified-moves"
    MOVES_UNTIL = "verified-moves-until"
    DEAL_AGREES = "verified-deal"
    DEAL_UNTIL = "verified-deal-until"
    SEED_COMMITTED = "verified-commitment"
    NOT_COMMITTED = "verified-uncommitted"
    NOT_REVEALED = "verified-unrevealed"
    GIVEN_POSITION = "verified-position"
    RESULT_AGREES = "verified-result"
    RESULT_TAKEN_ON_TRUST = "verified-result-on-trust"
    RESULT_MISSING = "verified-result-missing"
    NO_RESULT = "verified-no-result"
    SHARES_HOLD = "verified-shares"
    SHARES_AGAIN = "verified-shares-again"
    SHARES_NOT_TOLD = "verified-shares-not-told"
    SHARE_FOUND = "verified-share-found"
    CUT = "verified-cut"
    REST_UNCHECKED = "verified-rest-unchecked"
    DEAL_AFTER_POSITION = "verified-deal-after-position"
    VARIATIONS_LEGAL = "verified-variations"
    VARIATIONS_UNCHECKED = "verified-variations-unchecked"
    HINTS_GIVEN = "verified-hints"

    @property
    def is_proof(self) -> bool:
        """Whether something was proved; else this is what a record leaves open."""
        return self not in _OPEN


_OPEN = frozenset(
    {
        Verdict.NOT_COMMITTED,
        Verdict.NOT_REVEALED,
        Verdict.GIVEN_POSITION,
        Verdict.RESULT_TAKEN_ON_TRUST,
        Verdict.RESULT_MISSING,
        Verdict.CUT,
        Verdict.REST_UNCHECKED,
        Verdict.SHARES_NOT_TOLD,
        Verdict.VARIATIONS_UNCHECKED,
    }
)


class Standing(StrEnum):
    """What a whole verification comes to."""

    PROVED = "proved"
    NOT_PROVED = "not-proved"
    BROKEN = "broken"


class Finding(NamedTuple):
    """One thing that a verification proved, or had to leave open."""

    code: Verdict
    params: Mapping[str, Param]

    def text(self, lang: str = ENGLISH) -> str:
        """What was found, in that language."""
        return sentence(f"findings.{self.code.value}", lang, self.params)

    @property
    def en(self) -> str:
        return self.text("en")

    @property
    def zh(self) -> str:
        return self.text("zh")


class RecordError(CabochonError):
    """A record that cannot be, or does not replay or verify. `ply` counts its moves and deals from
    1; 0 is what stands before them. `code` is a `RecordFault`, or says which rule the move or deal
    breaks, as in `Refusal` and `DealFault`. In a variation, `params` also hold its path as
    `variation` (`7.1/9.2`)."""

    @property
    def ply(self) -> int:
        return int(self.params["ply"])

    def text(self, lang: str = ENGLISH) -> str:
        message = super().text(lang)
        if not self.ply:
            return message
        place = "where.at-ply-of" if "variation" in self.params else "where.at-ply"
        return sentence(place, lang, {**self.params, "message": message})


def at_ply(error: CabochonError, ply: int, variation: str = "") -> RecordError:
    """What another error says, as the damage of a record at that ply, of the variation with that
    path if there is one."""
    place: dict[str, Param] = {"ply": ply, "variation": variation} if variation else {"ply": ply}
    return RecordError(error.code, **{**error.params, **place})


# What the parts of a record must be, and the error for one that is not.


EVENT_TYPES = (Take, Reserve, Buy, Return, ChooseNoble, Pass, Deal)


def damage(fault: RecordFault, ply: int = 0, **params: Param) -> RecordError:
    """The error for a record with that fault at that ply; 0 is before the first."""
    return RecordError(fault, ply=ply, **params)


def check_parts(*parts: tuple[str, str, object, bool]) -> None:
    """Raise RecordError for the first part (name, what it should be, what it is) that is not."""
    for part, wanted, given, fits in parts:
        if not fits:
            raise damage(RecordFault.RECORD_PART, part=part, wanted=wanted, given=shown(given))


def check_texts(where: str, texts: Iterable[str]) -> None:
    """Raise RecordError for a text that no file can hold."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise damage(RecordFault.NOT_TEXT, where=where) from None


def is_tuple_of(things: object, *kinds: type) -> bool:
    return isinstance(things, tuple) and all(isinstance(thing, kinds) for thing in things)


def is_text_by(texts: object, key: type) -> bool:
    return isinstance(texts, Mapping) and all(
        type(name) is key and isinstance(text, str) for name, text in texts.items()
    )


def is_text_or_none(text: object) -> bool:
    return text is None or isinstance(text, str)
