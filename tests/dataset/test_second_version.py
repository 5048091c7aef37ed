"""Data, second version: observations of records, searches in the rows, sets to share."""

from __future__ import annotations

import doctest
import importlib.util
import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest

from cabochon.cli import main
from cabochon.dataset import (
    DatasetError,
    Job,
    check_games,
    observations_of,
    publish,
    published,
    read_games,
    write_dataset,
)
from cabochon.dataset.gameblocks import play_block
from cabochon.dataset.parquet import DECISION_COLUMNS, GAME_COLUMNS
from cabochon.game import Game
from cabochon.kernel import actions_of, observation, packed
from cabochon.kernel.checked import action_mask
from cabochon.notation import parse_record
from cabochon.record import Record
from cabochon.rules import Buy, Deal, Return, Ruleset

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.xdist_group("minds")


def records(ruleset: Ruleset, games: int = 4) -> list[tuple[Record, list[int]]]:
    played = play_block((Job(ruleset, ("biased",), 3, games), 0, games)).games
    return [
        (parse_record(text), actions)
        for text, actions in zip(played["record"], played["actions"], strict=True)
    ]


@pytest.mark.parametrize(
    "ruleset",
    [Ruleset(2), Ruleset.preset("quick", 3), Ruleset.preset("teams")],
    ids=str,
)
def test_observations_of_a_record_are_those_of_its_positions(ruleset: Ruleset) -> None:
    for record, actions in records(ruleset):
        seen = observations_of(record)
        assert sorted(seen.actions) == sorted(actions)
        at = 0
        for position, event in zip(record.replay(), record.events, strict=False):
            if isinstance(event, Deal):
                continue
            states = packed(position)
            expected = observation(states, 0, viewer=position.seat)
            assert np.array_equal(seen.observations[at], expected)
            assert np.array_equal(seen.masks[at], action_mask(states))
            assert seen.seats[at] == position.seat
            assert seen.turns[at] == position.turn
            chosen = actions_of(position, event)
            assert tuple(seen.actions[at : at + len(chosen)]) == chosen
            at += len(chosen)
        assert at == len(seen)
        assert seen.shares.max() > 0


def test_returned_tokens_stand_in_the_order_in_which_they_went() -> None:
    """A record has them all at once; the actions have them one by one, as they were played."""
    disordered = 0
    for record, actions in records(Ruleset(2), 12):
        returns = [action for action in actions if 61 <= action < 67]
        told = [event for event in record.events if isinstance(event, Return)]
        assert sum(event.gems.total for event in told) == len(returns)
        seen = [action for action in observations_of(record).actions if 61 <= action < 67]
        disordered += seen != returns
    assert disordered > 0


def test_a_purchase_with_more_gold_than_need_be_is_replayed_as_it_was_paid() -> None:
    game = Game(players=2, seed="7")
    while not game.is_over:
        moves = game.legal_moves()
        buys = [move for move in moves if isinstance(move, Buy)]
        if buys:
            payment = game.view(game.seat).legal_payments(buys[0].card)[-1]
            game.play(Buy(buys[0].card, payment))
        else:
            reserves = [move for move in moves if type(move).__name__ == "Reserve"]
            game.play((reserves or moves)[0])
    record, at = game.record, 0
    seen = observations_of(record)
    for position, event in zip(record.replay(), record.events, strict=False):
        if not isinstance(event, Deal):
            expected = observation(packed(position), 0, viewer=position.seat)
            assert np.array_equal(seen.observations[at], expected)
            at += len(actions_of(position, event))


def test_searches_stand_in_the_rows_and_agree_with_the_moves(tmp_path: Path) -> None:
    games, rows = tmp_path / "g.parquet", tmp_path / "r.parquet"
    bots = ("level:visits=24", "greedy")
    job = Job(Ruleset(2), bots, 5, 3, decisions=True, observations=True)
    write_dataset(job, games, rows)
    assert len(list(check_games(games))) == 3
    searched = best = 0
    for row in pq.read_table(rows).to_pylist():
        policy = np.frombuffer(row["policy"], np.uint8)
        legal = np.unpackbits(np.frombuffer(row["legal"], np.uint8), bitorder="little")
        assert len(np.frombuffer(row["observation"], np.float32)) == 400
        assert not policy[legal == 0].any()
        if row["visits"] == 0:
            assert not policy.any()
            continue
        value = np.frombuffer(row["value"], np.float32)
        assert value.sum() == pytest.approx(1, abs=1e-4)
        assert row["seat"] == 0
        assert row["visits"] >= 24
        assert policy.max() == 255
        searched += 1
        best += policy[row["action"]] > 100
    assert searched > 30
    assert best > 0.8 * searched


def test_observations_in_the_rows_are_those_of_the_records(tmp_path: Path) -> None:
    job = Job(Ruleset(3), ("biased",), 8, 2, decisions=True, observations=True)
    played = play_block((job, 0, 2))
    for number, text in enumerate(played.games["record"]):
        mine = played.rows["observation"][played.rows["game"] == number]
        seen = observations_of(parse_record(text)).observations
        ordered = played.rows["phase"][played.rows["game"] == number] != 3
        assert np.array_equal(mine[ordered], seen[ordered])


def test_a_set_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    job = Job(Ruleset(2), ("greedy",), 2, 5, decisions=True)
    whole = publish(job, tmp_path / "whole", shard=2)

    def stop(done: int, total: int) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        publish(job, tmp_path / "parts", shard=2, told=stop)
    first = (tmp_path / "parts" / "games-00000.parquet").stat().st_mtime_ns
    again = publish(job, tmp_path / "parts", shard=2)
    assert (tmp_path / "parts" / "games-00000.parquet").stat().st_mtime_ns == first
    assert again["files"] == whole["files"]
    assert again["statistics"]["games"] == 5
    numbers = [
        game.number
        for path in sorted((tmp_path / "parts").glob("games-*.parquet"))
        for game in read_games(path)
    ]
    assert numbers == [0, 1, 2, 3, 4]
    card = json.loads((tmp_path / "parts" / "card.json").read_text("utf-8"))
    for name, file in card["files"].items():
        data = (tmp_path / "parts" / name).read_bytes()
        assert sha256(data).hexdigest() == file["sha256"]
    assert "| `policy` |" in (tmp_path / "parts" / "card.md").read_text("utf-8")
    other = Job(Ruleset(2), ("greedy",), 3, 5, decisions=True)
    with pytest.raises(DatasetError) as caught:
        publish(other, tmp_path / "parts", shard=2)
    assert caught.value.code == "dataset-other-job"


def test_a_set_grows_when_more_games_are_asked_for(tmp_path: Path) -> None:
    """The last shard is filled up: it was taken for whole, and 120 games stayed 60."""
    asked = Job(Ruleset(2), ("biased",), 2, 7, decisions=True)
    whole = publish(asked, tmp_path / "whole", shard=4)
    for games in (2, 5, 7):
        card = publish(replace(asked, games=games), tmp_path / "grown", shard=4)
        assert card["statistics"]["games"] == card["job"]["games"] == games
    assert card["files"] == whole["files"]
    assert len(list(check_games(tmp_path / "grown"))) == 7
    fewer = publish(replace(asked, games=3), tmp_path / "grown", shard=4)
    assert fewer["statistics"]["games"] == fewer["job"]["games"] == 7


def test_every_file_of_a_set_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each card hashed all files anew: for a thousand shards, a million times."""
    read: list[str] = []
    hash_of = published._hash

    def counted(path: Path) -> str:
        read.append(path.name)
        return hash_of(path)

    monkeypatch.setattr(published, "_hash", counted)
    card = publish(Job(Ruleset(2), ("biased",), 2, 8, decisions=True), tmp_path, shard=2)
    assert sorted(read) == sorted(card["files"])
    assert len(read) == 8


def test_the_command_publishes_and_the_example_learns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "set")
    said = ["selfplay", "--level", "quartz", "--games", "6", "--jobs", "1", "--lang", "en"]
    assert main([*said, "--observations", "--out", folder]) == 0
    assert "6 games" in capsys.readouterr().out
    spec = importlib.util.spec_from_file_location("supervised", ROOT / "examples" / "supervised.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(folder, epochs=2)
    told = capsys.readouterr().out
    assert "epoch 2: the same move" in told
    with pytest.raises(SystemExit, match=r"there is no decisions-00000\.parquet in"):
        module.main(str(tmp_path))
    with pytest.raises(SystemExit, match="--observations"):
        module.main(str(ROOT / "examples" / "sample-games"))
    lines = (ROOT / "examples" / "supervised.py").read_text("utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 60


def test_the_session_in_the_docs_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / "docs" / "data.md"), module_relative=False)
    assert result.attempted >= 8
    assert result.failed == 0


def test_polars_reads_them(tmp_path: Path) -> None:
    publish(Job(Ruleset(2), ("biased",), 2, 4), tmp_path / "set", shard=2)
    games = pl.read_parquet(tmp_path / "set" / "games-*.parquet")
    assert games["game"].to_list() == [0, 1, 2, 3]
    decisions = pl.read_parquet(tmp_path / "set" / "decisions-*.parquet")
    assert decisions.group_by("game").len().sort("game")["len"].to_list() == (
        games["decisions"].to_list()
    )


def test_the_committed_sample_is_whole() -> None:
    folder = ROOT / "examples" / "sample-games"
    card = json.loads((folder / "card.json").read_text("utf-8"))
    for name, file in card["files"].items():
        assert sha256((folder / name).read_bytes()).hexdigest() == file["sha256"]
    games = list(check_games(folder / "games-00000.parquet"))
    assert len(games) == card["statistics"]["games"] > 0
    told = (folder / "card.md").read_text("utf-8")
    for name, kind, about in (*GAME_COLUMNS, *DECISION_COLUMNS):
        assert f"| `{name}` | {kind} | {about} |" in told
