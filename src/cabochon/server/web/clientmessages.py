"""What a client may say over a socket."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from cabochon.server.web.models import (
    Chat,
    CommandId,
    Fill,
    Key,
    MoveText,
    SeatNumber,
    ShareHash,
    ShareText,
    SpokenLanguage,
    StrictModel,
    TextingSwitch,
    Version,
)
from cabochon.words import ENGLISH


class Hello(StrictModel):
    """The first message: who you are, what you have seen (`since`), what you want. Keys that play
    nothing here are ignored."""

    type: Literal["hello"]
    keys: list[Key] = Field(default_factory=list, max_length=16)
    watch: Annotated[str, StringConstraints(max_length=64)] | None = None
    since: Version | None = None
    lang: SpokenLanguage = ENGLISH
    facts: bool = False


class MoveCommand(StrictModel):
    """`id` is made by the client and is the idempotency key."""

    type: Literal["move"]
    id: CommandId
    version: Version
    moves: list[MoveText] = Field(min_length=1, max_length=3)
    seat: SeatNumber | None = None


class CheckCommand(StrictModel):
    type: Literal["check"]
    id: CommandId
    version: Version | None = None
    moves: list[MoveText] = Field(min_length=1, max_length=3)
    seat: SeatNumber | None = None


class ChatCommand(Chat):
    """One of the phrases, or a text where everybody has agreed to that."""

    type: Literal["chat"]
    id: CommandId


class TextingCommand(TextingSwitch):
    """Agree to free text at this table, or no longer."""

    type: Literal["texting"]
    id: CommandId


class FillCommand(Fill):
    """Give an open chair to a bot."""

    type: Literal["fill"]
    id: CommandId


class ResignCommand(StrictModel):
    type: Literal["resign"]
    id: CommandId
    seat: SeatNumber | None = None


class LeaveCommand(StrictModel):
    type: Literal["leave"]
    id: CommandId
    seat: SeatNumber | None = None


class TakebackCommand(StrictModel):
    type: Literal["takeback"]
    id: CommandId
    action: Literal["ask", "agree", "decline"]
    seat: SeatNumber | None = None


class RematchCommand(StrictModel):
    type: Literal["rematch"]
    id: CommandId
    action: Literal["offer", "accept", "decline"]
    seat: SeatNumber | None = None
    share_hash: ShareHash | None = None


class ShareCommand(StrictModel):
    """Add to the deal: pledge a hash, or reveal the share when it is asked for."""

    type: Literal["share"]
    id: CommandId
    action: Literal["pledge", "reveal"]
    value: ShareText
    seat: SeatNumber | None = None


class ClaimCommand(StrictModel):
    """`gone` is the seat that has been away too long."""

    type: Literal["claim"]
    id: CommandId
    gone: SeatNumber | None = None
    seat: SeatNumber | None = None


class Ping(StrictModel):
    type: Literal["ping"]
    id: CommandId = "-"


SocketCommand = (
    MoveCommand
    | CheckCommand
    | ChatCommand
    | TextingCommand
    | FillCommand
    | ResignCommand
    | LeaveCommand
    | TakebackCommand
    | RematchCommand
    | ShareCommand
    | ClaimCommand
    | Ping
)
ClientMessage = Annotated[Hello | SocketCommand, Field(discriminator="type")]

MOVE_SIGN = '"move"'
"""Without that a text is no move."""

_MOVE: TypeAdapter[MoveCommand] = TypeAdapter(MoveCommand)
_HELLO: TypeAdapter[Hello] = TypeAdapter(Hello)
_COMMAND: TypeAdapter[SocketCommand] = TypeAdapter(
    Annotated[SocketCommand, Field(discriminator="type")]
)


def read_hello(text: str | bytes) -> Hello:
    """Raises pydantic.ValidationError."""
    return _HELLO.validate_json(text)


def read_move(text: str | bytes) -> MoveCommand:
    """Raises pydantic.ValidationError."""
    return _MOVE.validate_json(text)


def read_command(text: str | bytes) -> SocketCommand:
    """Raises pydantic.ValidationError."""
    return _COMMAND.validate_json(text)
