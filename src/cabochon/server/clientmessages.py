"""What a client may say over a socket."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from cabochon.server.models import (
    Closed,
    CommandId,
    Key,
    MoveText,
    SeatNumber,
    ShareHash,
    ShareText,
    Version,
)


class Hello(Closed):
    """The first message: who you are, what you have seen (`since`), what you want. Keys that play
    nothing here are ignored."""

    type: Literal["hello"]
    keys: list[Key] = Field(default_factory=list, max_length=16)
    watch: Annotated[str, StringConstraints(max_length=64)] | None = None
    since: Version | None = None
    lang: Literal["en", "zh"] = "en"
    facts: bool = False


class Move(Closed):
    """`id` is made by the client and is the idempotency key."""

    type: Literal["move"]
    id: CommandId
    version: Version
    moves: list[MoveText] = Field(min_length=1, max_length=3)
    seat: SeatNumber | None = None


class Check(Closed):
    type: Literal["check"]
    id: CommandId
    version: Version | None = None
    moves: list[MoveText] = Field(min_length=1, max_length=3)
    seat: SeatNumber | None = None


class Chat(Closed):
    type: Literal["chat"]
    id: CommandId
    phrase: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    seat: SeatNumber | None = None


class Resign(Closed):
    type: Literal["resign"]
    id: CommandId
    seat: SeatNumber | None = None


class Leave(Closed):
    type: Literal["leave"]
    id: CommandId
    seat: SeatNumber | None = None


class Takeback(Closed):
    type: Literal["takeback"]
    id: CommandId
    action: Literal["ask", "agree", "decline"]
    seat: SeatNumber | None = None


class Rematch(Closed):
    type: Literal["rematch"]
    id: CommandId
    action: Literal["offer", "accept", "decline"]
    seat: SeatNumber | None = None
    share_hash: ShareHash | None = None


class Share(Closed):
    """Add to the deal: pledge a hash, or reveal the share when it is asked for."""

    type: Literal["share"]
    id: CommandId
    action: Literal["pledge", "reveal"]
    value: ShareText
    seat: SeatNumber | None = None


class Claim(Closed):
    """`gone` is the seat that has been away too long."""

    type: Literal["claim"]
    id: CommandId
    gone: SeatNumber | None = None
    seat: SeatNumber | None = None


class Ping(Closed):
    type: Literal["ping"]
    id: CommandId = "-"


Command = Move | Check | Chat | Resign | Leave | Takeback | Rematch | Share | Claim | Ping
ClientMessage = Annotated[Hello | Command, Field(discriminator="type")]

_HELLO: TypeAdapter[Hello] = TypeAdapter(Hello)
_COMMAND: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="type")])


def read_hello(text: str | bytes) -> Hello:
    """Raises pydantic.ValidationError."""
    return _HELLO.validate_json(text)


def read_command(text: str | bytes) -> Command:
    """Raises pydantic.ValidationError."""
    return _COMMAND.validate_json(text)
