"""Coming back: by passkey, password or recovery code. A name that nobody has gets the answer of a
wrong password, after the same time."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Request

from cabochon.server.people.accounts import signed_in
from cabochon.server.people.passkeys import sign_in_options, whose_passkey
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.storage.people import Person
from cabochon.server.tables.hub import Hub
from cabochon.server.web.memodels import (
    CodeSignIn,
    Credential,
    Me,
    PasskeySignIn,
    PasswordSignIn,
    Proof,
    SignInOptions,
)
from cabochon.server.web.routes.common import PROBLEMS, AddressHere, CallerHere, HubHere
from cabochon.server.web.routes.personal import DoorHere, person_of, site_of

router = APIRouter(prefix="/api", tags=["people"], responses=PROBLEMS)

ANYBODY = SignInOptions()


@router.post("/signin/options", operation_id="getSignInOptions")
async def get_sign_in_options(
    request: Request, hub: HubHere, asked: Annotated[SignInOptions, Body()] = ANYBODY
) -> dict[str, Any]:
    """What to hand to `navigator.credentials.get`, as JSON."""
    options = await sign_in_options(hub.store.ways, site_of(request), hub.clock())
    assert isinstance(options, dict)
    return options


@router.post("/signin/passkey", operation_id="signInByPasskey")
async def sign_in_by_passkey(
    asked: PasskeySignIn, request: Request, hub: HubHere, door: DoorHere
) -> Me:
    """By what `navigator.credentials.get` gave."""
    person = await _by_passkey(hub, request, asked.credential)
    return await door.let_in(person, asked.bring)


@router.post("/signin/password", operation_id="signInByPassword")
async def sign_in_by_password(
    asked: PasswordSignIn,
    address: AddressHere,
    hub: HubHere,
    door: DoorHere,
) -> Me:
    """By name and password."""
    person = await signed_in(hub.store, asked.name, address, hub.clock(), asked.password, None)
    return await door.let_in(person, asked.bring)


@router.post("/signin/code", operation_id="signInByCode")
async def sign_in_by_code(
    asked: CodeSignIn,
    address: AddressHere,
    hub: HubHere,
    door: DoorHere,
) -> Me:
    """By name and one of the recovery codes, which is good once."""
    person = await signed_in(hub.store, asked.name, address, hub.clock(), None, asked.code)
    return await door.let_in(person, asked.bring)


@router.post("/me/proof", operation_id="proveMe")
async def prove_me(
    asked: Proof,
    request: Request,
    address: AddressHere,
    hub: HubHere,
    who: CallerHere,
    door: DoorHere,
) -> Me:
    """Prove once more that it is you: for ten minutes you may then change how you come in."""
    known = person_of(who)
    await check_proof(hub, request, known.person, asked, address)
    return await door.let_in(known.person)


async def check_proof(
    hub: Hub, request: Request, person: Person, proof: Proof, address: str
) -> None:
    """Raises ServerRefused unless it is theirs."""
    if proof.credential is not None:
        found = await _by_passkey(hub, request, proof.credential)
    elif proof.password is None and proof.code is None:
        raise ServerRefused(ServerFault.PROOF_NEEDED)
    else:
        found = await signed_in(
            hub.store, person.name, address, hub.clock(), proof.password, proof.code
        )
    if found.id != person.id:
        raise ServerRefused(ServerFault.NOT_SIGNED_IN)


async def _by_passkey(hub: Hub, request: Request, credential: Credential) -> Person:
    found = await whose_passkey(hub.store.ways, site_of(request), credential, hub.clock())
    person = await hub.store.people.person(found)
    if person is None:
        raise ServerRefused(ServerFault.BAD_PASSKEY)
    return person
