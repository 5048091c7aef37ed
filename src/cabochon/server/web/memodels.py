"""Requests and answers about people: who you are, and the ways back in."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints, model_validator

from cabochon.play.messages import Problem
from cabochon.server.web.models import KeySeats, Name, StrictModel

SHORTEST_PASSWORD = 10
"""The page asks for as many characters, and has the number from here."""
Password = Annotated[str, StringConstraints(min_length=SHORTEST_PASSWORD, max_length=128)]
RecoveryCode = Annotated[str, StringConstraints(min_length=8, max_length=40)]
Label = Annotated[str, StringConstraints(strip_whitespace=True, max_length=60)]
Credential = dict[str, Any]
"""What `navigator.credentials` gives, by its own `toJSON`."""


class NewGuest(StrictModel):
    """Who you would like to be; without a name you get one."""

    name: Name | None = None


class MeChange(StrictModel):
    """What to change; what is left out stays."""

    name: Name | None = None
    hidden: bool | None = None


class RatingInfo(StrictModel):
    """`deviation` is one standard deviation: two to either side hold the truth with 95 %."""

    value: int
    deviation: int
    games: int
    provisional: bool


class WaysIn(StrictModel):
    """How you can come back from another device."""

    passkeys: int
    password: bool
    codes_left: int


class Me(StrictModel):
    """Who you are. A guest (`kept` is false) is known by this browser alone. Times are in
    milliseconds since 1970; a kept name can be changed again after `rename_after_ms`."""

    id: str
    name: str
    kept: bool
    since_ms: int
    ratings: dict[str, RatingInfo] = Field(default_factory=dict)
    games: int = 0
    ways: WaysIn
    rename_after_ms: int | None
    hidden: bool


class WhoAmI(StrictModel):
    """`person` is null for a browser that we have not met."""

    person: Me | None


class FreeName(StrictModel):
    """Whether you could keep that name, and if not, why."""

    free: bool
    why: Problem | None = None


class Kept(StrictModel):
    """The name is yours. `codes` are the recovery codes, shown once, with the first way back in."""

    me: Me
    codes: list[str] | None


class RecoveryCodes(StrictModel):
    codes: list[str]


class NewPasskey(StrictModel):
    credential: Credential
    label: Label = ""


class PasskeyInfo(StrictModel):
    id: str
    label: str
    created_ms: int
    used_ms: int | None


class PasskeyList(StrictModel):
    passkeys: list[PasskeyInfo]


class NewPassword(StrictModel):
    """`current` is the one so far, or leave it out shortly after you have signed in."""

    password: Password
    name: Name | None = None
    current: Annotated[str, StringConstraints(max_length=128)] | None = None


class SignInOptions(StrictModel):
    """The answer is the same for every name."""

    name: Name | None = None


class SignIn(StrictModel):
    """With `bring`, the games of the guest that this browser was so far come along: they are yours
    from then on, and the guest is gone."""

    bring: bool = False


class PasskeySignIn(SignIn):
    credential: Credential


class PasswordSignIn(SignIn):
    name: Name
    password: Annotated[str, StringConstraints(max_length=128)]


class CodeSignIn(SignIn):
    name: Name
    code: RecoveryCode


class Proof(StrictModel):
    """One of these shows that it is you."""

    password: Annotated[str, StringConstraints(max_length=128)] | None = None
    code: RecoveryCode | None = None
    credential: Credential | None = None

    @model_validator(mode="after")
    def _one(self) -> Proof:
        if sum(way is not None for way in (self.password, self.code, self.credential)) > 1:
            raise ValueError("one way is enough")
        return self


class SessionInfo(StrictModel):
    """A browser that knows you; `here` is the one you ask from."""

    id: str
    label: str
    created_ms: int
    seen_ms: int
    here: bool


class SessionList(StrictModel):
    sessions: list[SessionInfo]


class OwnToken(StrictModel):
    id: str
    name: str
    scopes: list[str]
    created_ms: int
    used_ms: int | None


class OwnTokens(StrictModel):
    tokens: list[OwnToken]


class OwnTables(StrictModel):
    """Where you sit, and the game is not over; the newest first."""

    tables: list[KeySeats]
