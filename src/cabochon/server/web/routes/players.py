"""People as others may know them: profiles, games, leaderboards, a search."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated, Literal, cast

from fastapi import APIRouter, Depends, Path, Query, Request

from cabochon.ratings import RatingKind, fixed_points
from cabochon.server.access.identity import Caller, check_may_watch
from cabochon.server.access.playernames import looks
from cabochon.server.problems import ServerFault, ServerRefused, check_can_be_kept
from cabochon.server.storage.gamereads import (
    HIDDEN_BOOK,
    GameFilter,
    GameReads,
    PersonBook,
)
from cabochon.server.storage.people import Person
from cabochon.server.tables.hub import Hub
from cabochon.server.web.playermodels import (
    FinishedGame,
    FinishedGames,
    FoundPeople,
    FoundPerson,
    Leaderboard,
    PlayerStats,
    Profile,
    RatingHistory,
    RatingPoint,
)
from cabochon.server.web.playerwords import (
    RESULT_LETTERS,
    board_row,
    bot_on_board,
    finished_game,
    ladder_info,
    meeting,
    player_stats,
    rating_info,
)
from cabochon.server.web.routes.common import (
    PROBLEMS,
    CallerHere,
    HubHere,
    Language,
    LiveHere,
    WatchCode,
)

router = APIRouter(prefix="/api", tags=["people"], responses=PROBLEMS)

HERE_MS = 300_000
"""Somebody seen within this time is here."""
MOST_AT_ONCE = 100
_CURSOR = re.compile(r"([0-9]{1,9})_(-?0x[0-9a-f.]{1,20}p[+-][0-9]{1,4})_([A-Za-z0-9_-]{1,16})")

ProfileId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,16}$", examples=["Zk3_9aQp0x1R"])]
PageLimit = Annotated[int, Query(ge=1, le=MOST_AT_ONCE)]
Moment = Annotated[int | None, Query(ge=0, le=2**53)]


async def game_reads(request: Request) -> GameReads:
    return cast(GameReads, request.app.state.reads)


ReadsHere = Annotated[GameReads, Depends(game_reads)]


async def wanted_games(
    opponent: Annotated[str | None, Query(pattern=r"^[A-Za-z0-9_-]{1,40}$")] = None,
    kind: RatingKind | None = None,
    players: Annotated[int | None, Query(ge=2, le=4)] = None,
    result: Literal["won", "lost", "drawn"] | None = None,
    against: Literal["people", "bots"] | None = None,
    rated: bool | None = None,
    since_ms: Moment = None,
    until_ms: Moment = None,
) -> GameFilter:
    """`opponent` is a person's id or a bot's name."""
    return GameFilter(
        opponent=opponent,
        kind=None if kind is None else kind.value,
        players=players,
        result=None if result is None else RESULT_LETTERS[result],
        against=against,
        rated=rated,
        since_ms=since_ms,
        until_ms=until_ms,
    )


class GamesPage:
    """A page of somebody's finished games, in figures."""

    def __init__(
        self, reads: GameReads, wanted: GameFilter, limit: int, cursor: str | None, lang: str
    ) -> None:
        self._reads = reads
        self._wanted = wanted
        self._limit = limit
        self._before = None if cursor is None else int(cursor)
        self._lang = lang

    async def of(self, person_id: str, private: bool = False) -> FinishedGames:
        """The newest first; with `private` those too that nobody else may know of."""
        wanted = replace(self._wanted, private=private)
        found = await self._reads.page(person_id, wanted, self._limit, self._before)
        return FinishedGames(
            games=[finished_game(game, person_id, self._lang) for game in found],
            next=str(found[-1].game.number) if len(found) == self._limit else None,
        )


async def games_page(
    reads: ReadsHere,
    lang: Language,
    wanted: Annotated[GameFilter, Depends(wanted_games)],
    limit: PageLimit = 20,
    cursor: Annotated[str | None, Query(pattern=r"^[0-9]{1,9}$")] = None,
) -> GamesPage:
    return GamesPage(reads, wanted, limit, cursor, lang)


GamesPageHere = Annotated[GamesPage, Depends(games_page)]


async def person_here(hub: Hub, person_id: str) -> Person:
    """Raises ServerRefused."""
    person = await hub.store.people.person(person_id)
    if person is None:
        raise ServerRefused(ServerFault.NO_SUCH_PERSON)
    return person


@router.get("/people", operation_id="findPeople")
async def find_people(
    reads: ReadsHere, search: Annotated[str, Query(min_length=1, max_length=40)]
) -> FoundPeople:
    """At most 20 people whose name begins like that, as it looks: case and look-alikes make no
    difference."""
    rows = await reads.search(max(looks(check_can_be_kept(search, "search"))))
    ratings = await reads.strengths([row.id for row in rows], RatingKind.TWO.value)
    return FoundPeople(
        people=[
            FoundPerson(
                id=row.id,
                name=row.name,
                kept=row.kept,
                rating=rating_info(ratings[row.id]) if row.id in ratings else None,
            )
            for row in rows
        ]
    )


@router.get("/people/{person_id}", operation_id="getProfile")
async def get_profile(
    person_id: ProfileId, hub: HubHere, reads: ReadsHere, who: CallerHere, lang: Language
) -> Profile:
    """A person as others may know them: ratings, statistics, head to head."""
    person = await person_here(hub, person_id)
    you = _is_you(person, who)
    shown = you or not person.hidden
    book = await reads.book_of(person.id, private=you) if shown else HIDDEN_BOOK
    ladder = ladder_info(RatingKind.TWO, book.strengths.get(RatingKind.TWO), book.against_bots)
    return Profile(
        id=person.id,
        name=person.name,
        kept=person.kept,
        since_ms=person.created_ms,
        seen_ms=person.seen_ms if shown else person.created_ms,
        here=shown and hub.clock() - person.seen_ms < HERE_MS,
        hidden=person.hidden,
        games=book.games,
        ratings={RatingKind(kind): rating_info(found) for kind, found in book.strengths.items()},
        stats=_stats(book) if shown else None,
        head_to_head=[meeting(met, lang) for met in book.met],
        ladder=ladder if you else None,
        you=you,
    )


def _is_you(person: Person, who: Caller) -> bool:
    return who.person is not None and who.person.id == person.id


def _stats(book: PersonBook) -> dict[RatingKind, PlayerStats]:
    return {
        RatingKind(kind): player_stats(tally, book.accuracies.get(kind, []))
        for kind, tally in book.tallies.items()
    }


@router.get("/people/{person_id}/ratings/{kind}", operation_id="getRatingHistory")
async def get_rating_history(
    person_id: ProfileId, kind: RatingKind, hub: HubHere, reads: ReadsHere, who: CallerHere
) -> RatingHistory:
    """How somebody's rating has moved: at most 200 points, the last one among them."""
    person = await person_here(hub, person_id)
    if person.hidden and not _is_you(person, who):
        return RatingHistory(points=[])
    rows = await reads.points(person.id, kind.value)
    return RatingHistory(
        points=[
            RatingPoint(at_ms=row.at_ms, value=round(row.value), deviation=round(row.deviation))
            for row in rows
        ]
    )


@router.get("/people/{person_id}/games", operation_id="getPersonGames")
async def get_person_games(
    person_id: ProfileId, hub: HubHere, who: CallerHere, page: GamesPageHere
) -> FinishedGames:
    """Those that anybody may know of: their tables were listed and open to watchers. Of one's own,
    `/api/me/games` has all."""
    person = await person_here(hub, person_id)
    if person.hidden and not _is_you(person, who):
        return FinishedGames(games=[], next=None)
    return await page.of(person.id)


@router.get("/tables/{table_id}/game", operation_id="getFinishedGame")
async def get_finished_game(
    live: LiveHere, reads: ReadsHere, who: CallerHere, lang: Language, watch: WatchCode = None
) -> FinishedGame:
    """The finished game in figures, with what it did to ratings, as soon as it is settled."""
    check_may_watch(live.table, who.seats(live.table), watch)
    found = await reads.game(live.table.id)
    if found is None:
        raise ServerRefused(ServerFault.NOT_SETTLED)
    return finished_game(found, None if who.person is None else who.person.id, lang)


@router.get("/leaderboards/{kind}", operation_id="getLeaderboard")
async def get_leaderboard(
    kind: RatingKind,
    hub: HubHere,
    reads: ReadsHere,
    who: CallerHere,
    limit: PageLimit = 50,
    cursor: Annotated[str | None, Query(max_length=60)] = None,
    around: Literal["me"] | None = None,
) -> Leaderboard:
    """The people of one kind of game, the best first, and the bots among them. With `around=me`
    the page on which you stand."""
    you = None if who.person is None else await reads.place(kind.value, who.person.id)
    skipped = 0
    if around is not None and you is not None:
        skipped = max(0, you.rank - 1 - limit // 2)
    after = None if cursor is None else _read_cursor(cursor)
    found = await reads.board(kind.value, limit, after, skipped)
    last = found[-1] if len(found) == limit else None
    listed = [*found, you] if you is not None and you.is_listed else found
    week = None
    if you is not None:
        week = await reads.weeks.places_up(kind.value, you.person, you.rank, hub.clock())
    return Leaderboard(
        people=[board_row(place) for place in found],
        bots=[bot_on_board(point) for point in fixed_points(kind)],
        count=max([await reads.count(kind.value), *(place.rank for place in listed)]),
        you=None if you is None else board_row(you),
        listed=you in listed,
        week=week,
        next=None if last is None else f"{last.rank}_{last.strength.value.hex()}_{last.person}",
    )


def _read_cursor(text: str) -> tuple[int, float, str]:
    found = _CURSOR.fullmatch(text)
    if found is None:
        raise ServerRefused(ServerFault.BAD_REQUEST, where="cursor", what=text[:60])
    rank, value, person = found.groups()
    try:
        return int(rank), float.fromhex(value), person
    except (ValueError, OverflowError):
        raise ServerRefused(ServerFault.BAD_REQUEST, where="cursor", what=text[:60]) from None
