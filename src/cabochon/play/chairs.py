"""Who sits where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any


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


HOUSE_BOT = "greedy"
"""Who plays on for a seat that is away or out."""


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat's player.

    `key` and `invite` are hashes: the secrets themselves are never kept. Chairs with the same
    `owner` belong to one person who passes a device round. `token` names the personal token of a
    bot from outside. `bot` is the engine that plays the seat: its own, or one that stands in.
    `former` is the key of whoever had to give the chair up: it may take it again.
    """

    kind: Kind
    name: str | None = None
    bot: str | None = None
    key: str | None = None
    invite: str | None = None
    owner: str | None = None
    token: str | None = None
    out: Out | None = None
    former: str | None = None

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
        return self.key is not None or self.token is not None

    def sat(self, name: str, key: str | None, owner: str | None, token: str | None) -> Chair:
        """The open chair, taken."""
        kind = Kind.HUMAN if token is None else Kind.BOT
        return replace(self, kind=kind, name=name, key=key, owner=owner, token=token, former=None)

    def emptied(self) -> Chair:
        """Open again, for whoever holds the same invitation."""
        return Chair(Kind.OPEN, invite=self.invite)

    def freed(self) -> Chair:
        """Open again, also for the player who had to give it up."""
        return Chair(Kind.OPEN, invite=self.invite, former=self.key)

    def stood_in(self) -> Chair:
        return replace(self, bot=HOUSE_BOT)

    def back(self) -> Chair:
        return replace(self, bot=None)

    def gone_out(self, why: Out) -> Chair:
        """Out of the game; an engine makes the moves that are still due."""
        return replace(self, out=why, bot=self.bot or HOUSE_BOT)

    def without_secrets(self) -> Chair:
        """Whoever held it holds nothing any more; the name stays."""
        return replace(self, key=None, invite=None, owner=None, token=None)

    def again(self) -> Chair:
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
        "owner": chair.owner,
        "token": chair.token,
    }
    return {key: value for key, value in data.items() if value is not None}


def chair_from_json(data: Mapping[str, Any]) -> Chair:
    return Chair(**{**data, "kind": Kind(data["kind"])})
