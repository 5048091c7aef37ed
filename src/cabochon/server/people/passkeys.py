"""Passkeys (WebAuthn): a browser signs what it was asked to, with a key that never leaves the
device. The checking is the work of the package `webauthn`."""

from __future__ import annotations

import base64
import binascii
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import orjson

from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import new_person_id
from cabochon.server.storage.people import Person
from cabochon.server.storage.waysin import Passkey, WayStore

SIGN_IN = "sign in"
GOOD_FOR_MS = 5 * 60_000
LABEL = "Passkey"


@dataclass(frozen=True, slots=True)
class Site:
    """Where our page is, as a browser says it: a passkey is good for one name only."""

    origin: str

    @property
    def host(self) -> str:
        return urlsplit(self.origin).hostname or ""


def keeping(person: Person) -> str:
    """What a new passkey's challenge is for."""
    return f"keep {person.id}"


async def creation_options(ways: WayStore, site: Site, person: Person, now: int) -> Any:
    """What to hand to `navigator.credentials.create`."""
    from webauthn import generate_registration_options
    from webauthn.helpers import options_to_json_dict
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    wanted = AuthenticatorSelectionCriteria(
        resident_key=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    challenge = await _challenge(ways, keeping(person), now)
    options = generate_registration_options(
        rp_id=site.host,
        rp_name="Cabochon",
        user_id=person.id.encode(),
        user_name=person.name,
        user_display_name=person.name,
        challenge=challenge,
        authenticator_selection=wanted,
        exclude_credentials=_described(await ways.passkeys(person.id)),
    )
    return options_to_json_dict(options)


async def sign_in_options(ways: WayStore, site: Site, now: int) -> Any:
    """What to hand to `navigator.credentials.get`: the same for everybody, since the device knows
    whose passkeys it has."""
    from webauthn import generate_authentication_options
    from webauthn.helpers import options_to_json_dict
    from webauthn.helpers.structs import UserVerificationRequirement

    challenge = await _challenge(ways, SIGN_IN, now)
    options = generate_authentication_options(
        rp_id=site.host,
        challenge=challenge,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return options_to_json_dict(options)


async def new_passkey(
    ways: WayStore, site: Site, person: Person, credential: dict[str, Any], label: str, now: int
) -> Passkey:
    """What `create` gave, checked; not yet kept. Raises ServerRefused."""
    from webauthn import verify_registration_response

    challenge = await _answered(ways, credential, keeping(person), now)
    with _verified():
        found = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    return Passkey(
        id=new_person_id(),
        person_id=person.id,
        credential=_written(found.credential_id),
        public_key=found.credential_public_key,
        counter=found.sign_count,
        label=label.strip() or LABEL,
        created_ms=now,
    )


async def whose_passkey(ways: WayStore, site: Site, credential: dict[str, Any], now: int) -> str:
    """The id of the person who signed, by what `get` gave. Raises ServerRefused."""
    from webauthn import verify_authentication_response

    challenge = await _answered(ways, credential, SIGN_IN, now)
    passkey = await ways.passkey(str(credential.get("id", ""))[:2000])
    if passkey is None:
        raise ServerRefused(ServerFault.BAD_PASSKEY)
    with _verified():
        found = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.counter,
            require_user_verification=True,
        )
    await ways.used(passkey, found.new_sign_count, now)
    return passkey.person_id


_WRONG: tuple[type[Exception], ...] = (ValueError, KeyError, TypeError, AttributeError)
"""What may be raised for something that only looks like a credential."""


@contextmanager
def _verified() -> Iterator[None]:
    """Whatever the package finds wrong with a credential is our own refusal."""
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        yield
    except _WRONG + (WebAuthnException,):
        raise ServerRefused(ServerFault.BAD_PASSKEY) from None


async def _challenge(ways: WayStore, purpose: str, now: int) -> bytes:
    challenge = secrets.token_bytes(32)
    await ways.challenge(challenge, purpose, now + GOOD_FOR_MS)
    return challenge


async def _answered(ways: WayStore, credential: dict[str, Any], purpose: str, now: int) -> bytes:
    """The challenge that was signed, if it was one of ours for that purpose. Raises
    ServerRefused."""
    try:
        said = orjson.loads(_read(credential["response"]["clientDataJSON"]))
        challenge = _read(said["challenge"])
    except _WRONG + (binascii.Error,):
        raise ServerRefused(ServerFault.BAD_PASSKEY) from None
    if not await ways.answered(challenge, purpose, now):
        raise ServerRefused(ServerFault.BAD_PASSKEY)
    return challenge


def _described(passkeys: Sequence[Passkey]) -> Any:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

    return [PublicKeyCredentialDescriptor(id=_read(key.credential)) for key in passkeys]


def _read(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
