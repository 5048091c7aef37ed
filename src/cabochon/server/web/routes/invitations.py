"""Asking somebody for a game."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Body, Depends, Path, Request

from cabochon.server.people.fairness import household
from cabochon.server.people.invitedesk import InviteDesk, InviteWish, invitation_info
from cabochon.server.people.pools import POOLS
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import TABLE_ID
from cabochon.server.web.poolmodels import (
    InvitationAnswer,
    InvitationTold,
    NewInvitation,
    OwnInvitations,
)
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, CallerHere, HubHere
from cabochon.server.web.routes.personal import person_of

router = APIRouter(prefix="/api", tags=["pools"], responses=PROBLEMS)

NO_SHARE = InvitationAnswer()
InvitationId = Annotated[str, Path(pattern=TABLE_ID, examples=["k7m2p4x9qa"])]


async def invite_desk(request: Request) -> InviteDesk:
    return cast(InviteDesk, request.app.state.invitations)


InviteHere = Annotated[InviteDesk, Depends(invite_desk)]


@router.get("/me/invitations", operation_id="getInvitations")
async def get_invitations(who: CallerHere, desk: InviteHere) -> OwnInvitations:
    """Who asks you for a game, and whom you have asked; the newest first. The lobby's socket sends
    the same."""
    found = await desk.of(person_of(who).person.id)
    told = [InvitationTold.model_validate(each) for each in found]
    return OwnInvitations(invitations=told)


@router.post("/invitations", status_code=201, operation_id="invite")
async def invite(
    asked: NewInvitation,
    request: Request,
    hub: HubHere,
    who: CallerHere,
    access: AccessHere,
    desk: InviteHere,
) -> InvitationTold:
    """Ask somebody for a game of the kind that a pool for two has. They hear of it on any page, and
    have two minutes to answer, or three days for a game by the day."""
    me = person_of(who).person
    pool = POOLS.get(asked.pool)
    if pool is None or pool.seats != 2:
        raise ServerRefused(ServerFault.NO_SUCH_POOL, pool=asked.pool)
    guest = await hub.store.people.person(asked.person)
    if guest is None:
        raise ServerRefused(ServerFault.NO_SUCH_PERSON)
    home = household(access.address(request))
    made = await desk.invite(me, guest, InviteWish(pool, asked.rated, home, asked.share_hash))
    return InvitationTold.model_validate(invitation_info(made, me.id))


@router.post("/invitations/{invitation_id}/accept", operation_id="acceptInvitation")
async def accept_invitation(
    invitation_id: InvitationId,
    request: Request,
    who: CallerHere,
    access: AccessHere,
    desk: InviteHere,
    asked: Annotated[InvitationAnswer, Body()] = NO_SHARE,
) -> InvitationTold:
    """The game begins: both of you sit at `table`."""
    me, home = person_of(who).person, household(access.address(request))
    await access.check_quota(request)
    holder = access.holder(request, who)
    found = await desk.accept(me, invitation_id, home, holder, asked.share_hash)
    return InvitationTold.model_validate(invitation_info(found, me.id))


@router.delete("/invitations/{invitation_id}", status_code=204, operation_id="endInvitation")
async def end_invitation(invitation_id: InvitationId, who: CallerHere, desk: InviteHere) -> None:
    """Decline it; or, if it is your own, take it back."""
    await desk.end(person_of(who).person, invitation_id)
