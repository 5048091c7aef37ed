"""Buckets, secrets, languages and problem documents."""

from __future__ import annotations

import pytest

from cabochon.bots.command import EngineFault
from cabochon.play.errors import TableFault, TableRefused
from cabochon.server import limits
from cabochon.server.limits import Bucket, Buckets, Pace
from cabochon.server.problems import (
    ServerFault,
    ServerRefused,
    language_of,
    problem,
    retry_after,
    status_of,
)
from cabochon.server.secrets import (
    hashed,
    matches,
    new_code,
    new_seat_key,
    new_table_id,
    new_token,
    table_of_code,
)
from cabochon.words import texts_of


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_allows_a_burst_and_then_a_rate() -> None:
    clock = Clock()
    bucket = Bucket(rate=2, burst=3, clock=clock)
    assert [bucket.take() for _ in range(3)] == [0, 0, 0]
    assert bucket.take() == pytest.approx(0.5)
    clock.now = 0.5
    assert bucket.take() == 0
    assert bucket.take(2) == pytest.approx(1.0)
    clock.now = 100
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, pytest.approx(0.5)]


def test_a_pace_lets_a_burst_pass_and_then_gives_everybody_a_moment_of_their_own() -> None:
    clock = Clock()
    pace = Pace(rate=2, burst=3, clock=clock)
    assert [pace.reserve() for _ in range(3)] == [0, 0, 0]
    assert pace.ahead_s == pytest.approx(0.5)
    assert [pace.reserve() for _ in range(3)] == pytest.approx([0.5, 1.0, 1.5])
    clock.now = 1.5
    assert pace.ahead_s == pytest.approx(0.5)
    clock.now = 100
    assert pace.ahead_s == 0
    assert [pace.reserve() for _ in range(4)] == [0, 0, 0, pytest.approx(0.5)]


def test_buckets_are_apart_and_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_KEPT", 2)
    buckets = Buckets(rate=1, burst=1, clock=Clock())
    assert buckets.take("a") == 0
    assert buckets.take("a") > 0
    assert buckets.take("b") == 0
    assert buckets.take("c") == 0
    assert buckets.take("a") == 0
    assert buckets.take("c") > 0


def test_secrets_are_long_and_never_the_same() -> None:
    for make, length in ((new_seat_key, 49), (new_token, 49), (lambda: new_code("table"), 28)):
        made = {make() for _ in range(100)}
        assert len(made) == 100
        assert {len(secret) for secret in made} == {length}
    assert len({new_table_id() for _ in range(100)}) == 100
    assert table_of_code(new_code("abc")) == "abc"


def test_only_the_right_secret_matches() -> None:
    kept = hashed("cab_s_secret")
    assert "secret" not in kept
    assert matches(hashed("cab_s_secret"), kept)
    assert not matches(hashed("cab_s_other"), kept)
    assert not matches(hashed("cab_s_secret"), None)
    assert hashed("\ud800")


@pytest.mark.parametrize(
    ("header", "asked", "language"),
    [
        (None, None, "en"),
        ("zh-CN,zh;q=0.9,en;q=0.8", None, "zh"),
        ("fr,en;q=0.5", None, "en"),
        ("zh", "en", "en"),
        ("en", "zh", "zh"),
        ("de", "fr", "en"),
    ],
)
def test_the_asker_s_language(header: str | None, asked: str | None, language: str) -> None:
    assert language_of(header, asked) == language


def test_every_code_has_a_sentence_in_both_languages() -> None:
    for code in (*TableFault, *ServerFault, *EngineFault):
        english, chinese = (texts_of(lang)[f"errors.{code.value}"] for lang in ("en", "zh"))
        assert english
        assert chinese
        assert english != chinese


@pytest.mark.parametrize("code", ServerFault)
def test_every_refusal_of_the_server_has_its_own_status(code: ServerFault) -> None:
    assert 400 <= status_of(ServerRefused(code)) <= 503


def test_a_problem_document_says_everything() -> None:
    error = TableRefused(TableFault.STALE, seen=1, version=2)
    document = problem(error, "zh", since={"version": 2})
    assert document["status"] == 409
    assert document["type"] == "/problems/stale-version"
    assert document["params"] == {"seen": 1, "version": 2}
    assert document["detail"] == document["sentence"]["zh"]
    assert document["since"] == {"version": 2}


def test_what_is_refused_for_now_says_when_to_try_again() -> None:
    assert retry_after(ServerRefused(ServerFault.TOO_FAST, seconds=7)) == {"Retry-After": "7"}
    assert retry_after(ServerRefused(ServerFault.BUSY)) == {"Retry-After": "5"}
    assert retry_after(TableRefused(TableFault.CHAT_FULL)) == {"Retry-After": "5"}
    assert retry_after(TableRefused(TableFault.STARTED)) == {}
