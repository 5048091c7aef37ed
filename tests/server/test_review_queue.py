"""The queue of reviews: fair, leased, kept turn by turn, and nothing is done twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cabochon.server.storage.database import open_database
from cabochon.server.storage.reviewqueue import (
    MOST_ATTEMPTS,
    KeptTurn,
    LostLease,
    ReviewAsker,
    ReviewQueue,
    ReviewTask,
    ReviewWish,
    unpacked,
)
from cabochon.server.storage.sidewriter import SideWriter

T = TypeVar("T")
WISH = ReviewWish(
    fingerprint="f" * 64,
    record="a record",
    players=("Ada", "Bo"),
    turns=3,
    engine="engine 1",
    visits=400,
    seed=0,
    knowledge="own",
)
ADA = ReviewAsker("ada", "here")


def run(folder: Path, work: Callable[[ReviewQueue], Awaitable[T]]) -> T:
    """Do something with the queue of a database in that folder."""

    async def main() -> T:
        engine = await open_database(str(folder / "queue.db"))
        aside = SideWriter(engine)
        try:
            return await work(ReviewQueue(engine, aside))
        finally:
            await aside.close()
            await engine.dispose()

    return asyncio.run(main())


def wish(number: int) -> ReviewWish:
    return replace(WISH, fingerprint=f"game {number}")


async def take(queue: ReviewQueue, worker: str = "w", now: int = 1000) -> ReviewTask | None:
    return await queue.take(worker, ["engine 1"], now, 500)


def turn(number: int) -> KeptTurn:
    return KeptTurn(f'{{"turn":{number}}}', f'{{"exact":{number}}}')


asks = st.tuples(st.just("ask"), st.integers(0, 4))
works = st.tuples(st.just("work"), st.just(0))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(st.one_of(asks, asks, works), min_size=5, max_size=40))
def test_a_second_wish_waits_for_everybody_s_first(
    steps: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    async def play(queue: ReviewQueue) -> None:
        waiting: dict[str, tuple[int, int]] = {}
        asked: dict[int, int] = {}
        for now, (step, person) in enumerate(steps):
            if step == "ask":
                made = wish(now)
                asked[person] = asked.get(person, 0) + 1
                waiting[made.id] = (asked[person], now)
                await queue.add(made, ReviewAsker(f"person {person}", f"home {person}"), now)
            elif (task := await take(queue, now=now)) is not None:
                # The first wishes first; among equals whoever came first.
                assert waiting.pop(task.id) <= min(waiting.values(), default=(99, 0))
                await queue.begin(task.id, "w", "{}", 0)
                await queue.finish(task.id, "w", b"{}")
            else:
                assert not waiting

    run(tmp_path_factory.mktemp("fair"), play)


def test_a_wish_says_how_many_come_first(tmp_path: Path) -> None:
    async def play(queue: ReviewQueue) -> list[int]:
        rows = [await queue.add(wish(n), ADA, n) for n in range(3)]
        rows.append(await queue.add(wish(3), ReviewAsker("bo", "there"), 3))
        await take(queue)
        again = [await queue.find(row.id) for row in rows]
        return [await queue.ahead(row) for row in again if row is not None]

    assert run(tmp_path, play) == [0, 2, 3, 1]


def test_neighbours_behind_one_address_each_have_a_first_wish_and_a_crowd_does_not(
    tmp_path: Path,
) -> None:
    async def play(queue: ReviewQueue) -> list[int]:
        return [
            (await queue.add(wish(n), ReviewAsker(f"person {n}", "here"), n)).rank for n in range(9)
        ]

    assert run(tmp_path, play) == [1, 1, 1, 1, 2, 2, 2, 2, 3]


def test_the_same_wish_of_two_people_is_one(tmp_path: Path) -> None:
    async def play(queue: ReviewQueue) -> tuple[str, str, ReviewTask | None]:
        first = await queue.add(WISH, ADA, 1)
        second = await queue.add(WISH, ReviewAsker("bo", "there"), 2)
        await take(queue)
        return first.id, second.id, await take(queue)

    first, second, more = run(tmp_path, play)
    assert first == second
    assert more is None
    assert replace(WISH, players=("Ada", "Eve")).id != WISH.id
    assert replace(WISH, visits=4000).id != WISH.id


def test_a_worker_for_another_engine_leaves_it_alone(tmp_path: Path) -> None:
    async def play(queue: ReviewQueue) -> ReviewTask | None:
        await queue.add(WISH, ADA, 1)
        return await queue.take("w", ["engine 2"], 1000, 500)

    assert run(tmp_path, play) is None


def test_a_dead_worker_s_review_goes_on_after_the_last_kept_turn(tmp_path: Path) -> None:
    async def play(queue: ReviewQueue) -> bytes:
        await queue.add(WISH, ADA, 1)
        task = await take(queue, "first", now=1000)
        assert task is not None
        await queue.begin(task.id, "first", '{"v":1}', 3)
        await queue.keep(task.id, "first", 0, [turn(0), turn(1)], lease_until=2000)
        assert await take(queue, "second", now=1999) is None
        went_on = await take(queue, "second", now=2001)
        assert went_on is not None
        assert went_on.figures == ('{"exact":0}', '{"exact":1}')
        with pytest.raises(LostLease):
            await queue.keep(task.id, "first", 2, [turn(2)], lease_until=9000)
        with pytest.raises(LostLease):
            await queue.finish(task.id, "first", b'{"summary":[]}')
        await queue.keep(task.id, "second", 2, [turn(2)], lease_until=9000)
        await queue.finish(task.id, "second", b'{"summary":[]}')
        row = await queue.find(task.id)
        assert row is not None
        assert (row.state, row.done, row.body is not None) == ("done", 3, True)
        assert await queue.turns(task.id, 0) == []
        return unpacked(row.body or b"")

    review = orjson.loads(run(tmp_path, play))
    turns = [{"turn": 0}, {"turn": 1}, {"turn": 2}]
    assert review == {"v": 1, "turns": turns, "summary": []}


def test_a_review_that_kills_every_worker_at_the_same_turn_is_given_up(tmp_path: Path) -> None:
    async def play(queue: ReviewQueue) -> list[str]:
        await queue.add(WISH, ADA, 1)
        await queue.add(wish(2), ReviewAsker("bo"), 2)
        taken: list[str] = []
        now = 1000
        while (task := await take(queue, f"w{now}", now)) is not None:
            taken.append(task.id)
            now += 1000
        return taken

    assert run(tmp_path, play) == [WISH.id] * MOST_ATTEMPTS + [wish(2).id] * MOST_ATTEMPTS


def test_a_worker_that_stops_politely_loses_no_time_and_is_not_blamed(tmp_path: Path) -> None:
    async def play(queue: ReviewQueue) -> int:
        await queue.add(WISH, ADA, 1)
        times = 0
        for _ in range(3 * MOST_ATTEMPTS):
            task = await take(queue, "w", now=1000)
            assert task is not None
            await queue.give_back(task.id, "w")
            times += 1
        return times

    assert run(tmp_path, play) == 3 * MOST_ATTEMPTS


def test_what_nobody_asks_for_any_more_is_removed(tmp_path: Path) -> None:
    async def play(queue: ReviewQueue) -> list[bool]:
        for number in range(3):
            await queue.add(wish(number), ReviewAsker(f"p{number}"), 10 * number)
            task = await take(queue)
            assert task is not None
            if number < 2:
                await queue.begin(task.id, "w", "{}", 0)
                await queue.finish(task.id, "w", b"{}")
            else:
                await queue.give_back(task.id, "w")
        await queue.asked(wish(0).id, 50)
        await queue.forget(asked_before=15, unfinished_before=21)
        return [await queue.find(wish(number).id) is not None for number in range(3)]

    assert run(tmp_path, play) == [True, False, False]
