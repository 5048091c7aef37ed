"""Who sits where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from cabochon.bots.roster import HOUSE_BOT
from cabochon.record import Reason


class Kind(StrEnum):
    """What sits on a chair."""

    OPEN = "open"
    HUMAN = "human"
    BOT = "bot"


class Out(StrEnum):
    """Why a seat is out of the game: it is ranked last."""

    RESIGN = "resign"
    TIME = "time"
    ABANDON = "abandon"


REASON_OF: dict[str, Reason] = {
    Out.RESIGN: Reason.RESIGNED,
    Out.TIME: Reason.TIMEOUT,
    Out.ABANDON: Reason.ABANDONED,
}
"""How a record, and the terminal, name a game that ended so."""


PERSON, TOKEN, KEY = "person:", "token:", "key:"
"""What a holder begins with; then comes an id, or the hash of a seat key."""


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat's player.

    `holder` says whose the chair is: a person (`person:ID`), the personal token of a bot from
    outside (`token:ID`), or somebody known only by a key (`key:HASH`). Somebody who passes a device
    round holds several chairs. `key` is a secret way in and `invite` an invitation: both are
    hashes, the secrets themselves are never kept. `bot` is the engine that plays the seat: its own,
    or one that stands in. `former` is the key of whoever had to give the chair up: it may take it
    again.
    """

    kind: Kind
    name: str | None = None
    bot: str | None = None
    key: str | None = None
    invite: str | None = None
    holder: str | None = None
    out: Out | None = None
    former: str | None = None

    @property
    def person(self) -> str | None:
        """The id of the person whose chair it is, if that is known."""
        return _id_in(self.holder, PERSON)

    @property
    def token(self) -> str | None:
        """The id of the token whose chair it is."""
        return _id_in(self.holder, TOKEN)

    @property
    def stands_in(self) -> bool:
        """Whether a bot plays for a person (or an outside bot) who is away."""
        return self.bot is not None and (self.kind is Kind.HUMAN or self.token is not None)

    @property
    def by_engine(self) -> bool:
        """Whether this server's own bots move the seat."""
        return self.bot is not None

    @property
    def has_say(self) -> bool:
        """Whether somebody must be asked for consent: a person, or a program from outside."""
        return self.holder is not None

    def is_held_by(self, holder: str | None) -> bool:
        """Whether the chair is theirs; nobody in particular holds none."""
        return holder is not None and self.holder == holder

    def seated(self, name: str | None, key: str | None, holder: str | None) -> Chair:
        """The open chair, taken."""
        taken = replace(self, name=name, key=key, holder=holder, former=None)
        return replace(taken, kind=Kind.HUMAN if taken.token is None else Kind.BOT)

    def emptied(self) -> Chair:
        """Open again, for anybody with the same invitation."""
        return Chair(Kind.OPEN, invite=self.invite)

    def freed(self) -> Chair:
        """Open again, also for the player who had to give it up."""
        return Chair(Kind.OPEN, invite=self.invite, former=self.key)

    def with_stand_in(self) -> Chair:
        return replace(self, bot=HOUSE_BOT)

    def back(self) -> Chair:
        return replace(self, bot=None)

    def eliminated(self, why: Out) -> Chair:
        """Out of the game; an engine makes the moves that are still due."""
        return replace(self, out=why, bot=self.bot or HOUSE_BOT)

    def without_secrets(self) -> Chair:
        """Its player no longer holds it; the name stays."""
        return replace(self, key=None, invite=None, holder=None)

    def for_rematch(self) -> Chair:
        """The same player at a new table; the house bot, where the player was removed."""
        if self.out is not None and not self.has_say and self.kind is Kind.HUMAN:
            return Chair(Kind.BOT, bot=HOUSE_BOT)
        own = self.bot if self.kind is Kind.BOT and self.token is None else None
        return replace(self, bot=own, out=None, invite=None)


def chair_to_json(chair: Chair) -> dict[str, Any]:
    """Only what is there, so that an event stays short."""
    data = {
        "kind": chair.kind.value,
        "name": chair.name,
        "bot": chair.bot,
        "key": chair.key,
        "invite": chair.invite,
        "holder": chair.holder,
    }
    return {key: value for key, value in data.items() if value is not None}


def chairs_from_json(data: Sequence[Mapping[str, Any]]) -> tuple[Chair, ...]:
    """Also as releases before people had accounts wrote them: those knew an `owner`, the same for
    all chairs of a hot seat, and a `token`."""
    first_keys: dict[str, str] = {}
    for chair in data:
        if "owner" in chair and "key" in chair:
            first_keys.setdefault(chair["owner"], chair["key"])
    return tuple(_chair_from_json(chair, first_keys) for chair in data)


def _chair_from_json(data: Mapping[str, Any], first_keys: Mapping[str, str]) -> Chair:
    fields = {name: value for name, value in data.items() if name not in ("owner", "token")}
    if "holder" not in data:
        key = first_keys.get(data.get("owner", ""), data.get("key"))
        fields["holder"] = holder_by(data.get("token"), key)
    return Chair(**{**fields, "kind": Kind(data["kind"])})


def holder_by(token: str | None, key: str | None) -> str | None:
    """Who holds a chair when no more is known than a token's id, or the hash of a key."""
    if token is not None:
        return TOKEN + token
    return None if key is None else KEY + key


def _id_in(holder: str | None, kind: str) -> str | None:
    return holder[len(kind) :] if holder is not None and holder.startswith(kind) else None
