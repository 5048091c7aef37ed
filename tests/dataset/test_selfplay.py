"""Games written as Parquet are games by the law, whoever played them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cabochon.cli import main
from cabochon.dataset import DatasetError, Job, check_games, publish, read_games, write_dataset
from cabochon.dataset.gameblocks import play_block
from cabochon.dataset.parquet import DECISION_COLUMNS, GAME_COLUMNS
from cabochon.kernel import actions_of, packed
from cabochon.kernel.checked import legal_actions
from cabochon.notation import format_record
from cabochon.rules import Deal, Return, Ruleset
from cabochon.rules.errors import CabochonError
from cabochon.workers import Processes

JOBS = [
    Job(Ruleset(2), ("biased",), 1, 12, decisions=True),
    Job(Ruleset(2), ("uniform", "biased"), 2, 8, decisions=True),
    Job(Ruleset.preset("quick", 3), ("uniform",), 3, 8, decisions=True),
    Job(Ruleset.preset("teams"), ("biased",), 4, 8, decisions=True),
    Job(Ruleset(2, scarce_take=False), ("uniform",), 5, 8, decisions=True),
    Job(Ruleset(3), ("greedy", "uniform", "greedy"), 6, 3, decisions=True),
]


@pytest.mark.parametrize("job", JOBS, ids=lambda job: f"{job.ruleset} {','.join(job.bots)}")
def test_every_game_replays_and_every_row_is_one_of_its_decisions(job: Job, tmp_path: Path) -> None:
    games, rows = tmp_path / "games.parquet", tmp_path / "rows.parquet"
    counted = write_dataset(job, games, rows)
    table = pq.read_table(rows).to_pylist()
    assert counted == (job.games, len(table))
    at = 0
    for number, game in enumerate(check_games(games)):
        assert game.number == number
        record = game.record
        assert format_record(record) == game.columns["record"]
        steps = zip(record.replay(), record.events, strict=False)
        for position, event in steps:
            if isinstance(event, Deal):
                continue
            for action in actions_of(position, event):
                row = table[at]
                at += 1
                assert (row["game"], row["turn"], row["seat"]) == (
                    number,
                    position.turn,
                    position.seat,
                )
                bits = np.unpackbits(np.frombuffer(row["legal"], np.uint8), bitorder="little")
                assert bits[row["action"]]
                won = game.columns["ranking"][position.seat] == 1
                assert (row["share"] > 0) == won
                if not isinstance(event, Return):
                    assert row["action"] == action
                    assert tuple(np.flatnonzero(bits)) == legal_actions(packed(position))
    assert at == len(table)


def test_the_columns_are_the_documented_ones(tmp_path: Path) -> None:
    games, rows = tmp_path / "g.parquet", tmp_path / "r.parquet"
    write_dataset(JOBS[0], games, rows)
    for path, columns in ((games, GAME_COLUMNS), (rows, DECISION_COLUMNS)):
        schema = pq.read_schema(path)
        kinds = [str(kind).replace("element: ", "").replace("item: ", "") for kind in schema.types]
        assert list(zip(schema.names, kinds, strict=True)) == [
            (name, kind) for name, kind, _ in columns
        ]
        assert schema.metadata[b"cabochon.schema"] == b"2"


def test_the_same_job_gives_the_same_games_whoever_helps(tmp_path: Path) -> None:
    job = Job(Ruleset(2), ("biased",), 9, 700)
    one, two = tmp_path / "one.parquet", tmp_path / "two.parquet"
    executor = Processes(2)
    try:
        write_dataset(job, two, executor=executor)
    finally:
        executor.close()
    write_dataset(job, one)
    assert pq.read_table(one).equals(pq.read_table(two))


def test_a_block_that_needs_more_room_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:

    from cabochon.dataset import gameblocks

    whole = play_block((JOBS[0], 0, 12))
    monkeypatch.setattr(gameblocks, "_ROWS_A_GAME", 9)
    tight = play_block((JOBS[0], 0, 12))
    assert tight.games == whole.games
    assert all(np.array_equal(tight.rows[name], whole.rows[name]) for name in whole.rows)


def test_damage_is_found(tmp_path: Path) -> None:
    path = tmp_path / "g.parquet"
    write_dataset(JOBS[0], path)
    table = pq.read_table(path)
    wrong = table.column("turns").to_pylist()
    wrong[3] += 1
    at = table.schema.get_field_index("turns")
    pq.write_table(table.set_column(at, "turns", pa.array(wrong, pa.int32())), path)
    with pytest.raises(DatasetError) as caught:
        list(check_games(path))
    assert caught.value.code == "dataset-differs"


def test_other_files_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("hello")
    other = tmp_path / "b.parquet"
    pq.write_table(pa.table({"x": [1]}), other)
    for path in (text, other, tmp_path / "absent"):
        with pytest.raises(DatasetError) as caught:
            list(read_games(path))
        assert caught.value.code == "dataset-not-ours"


def test_a_folder_is_checked_and_other_tables_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "set"
    publish(Job(Ruleset(2), ("biased",), 2, 3), folder, shard=2)
    assert main(["selfplay", "--check", str(folder), "--lang", "en"]) == 0
    assert "3 games with" in capsys.readouterr().out
    (tmp_path / "empty").mkdir()
    for path, why in (
        (folder / "decisions-00000.parquet", "it is the table of decisions"),
        (tmp_path / "empty", "is a folder without a table of games"),
        (tmp_path / "absent", "isn't a data set of games: No such file or directory.\n"),
    ):
        assert main(["selfplay", "--check", str(path), "--lang", "en"]) == 2
        assert why in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (["--level", "talc", "--bots", "greedy"], "leave out --bots and --decisions"),
        (["--level", "talc", "--decisions", "d.parquet"], "leave out --bots and --decisions"),
        (["--observations"], "add --decisions FILE, or --level"),
    ],
)
def test_no_wish_is_passed_over(
    said: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["selfplay", "--out", str(tmp_path / "x"), "--games", "2", "--lang", "en", *said]) == 2
    )
    assert why in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("bots", [("nobody",), ("biased", "level:visits=x"), ("uniform",) * 3])
def test_jobs_that_cannot_be_played(bots: tuple[str, ...]) -> None:
    with pytest.raises(CabochonError):
        Job(Ruleset(2), bots, 1, 1)


def test_a_failed_run_leaves_no_file(tmp_path: Path) -> None:
    def stop(games: int, decisions: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset(JOBS[0], tmp_path / "g.parquet", told=stop)
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "games.parquet")
    assert main(["selfplay", "--games", "30", "--out", path, "--jobs", "1", "--lang", "en"]) == 0
    assert main(["selfplay", "--check", path, "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "30 games" in out
    assert "all match their rows" in out
    assert main(["selfplay", "--lang", "en"]) == 2
    assert main(["selfplay", "--out", str(tmp_path / "no" / "g.parquet"), "--jobs", "1"]) == 2
    assert main(["selfplay", "--out", path, "--bots", "nobody"]) == 2
