"""What people are told of invitations."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict


class InvitationInfo(TypedDict):
    """Somebody asks you for a game, or (`mine`) you have asked them: `person` and `name` are the
    other's. It is the kind of game that `pool` has. `table` is where both of you sit, once it is
    accepted."""

    id: str
    mine: bool
    person: str
    name: str
    pool: str
    rated: bool
    state: Literal["open", "accepted", "declined"]
    table: str | None
    until_ms: int


class InvitationsNews(TypedDict):
    """All of yours, whenever something about them has changed."""

    v: int
    type: Literal["invitations"]
    invitations: list[InvitationInfo]
