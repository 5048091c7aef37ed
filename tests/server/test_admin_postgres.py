"""Looking after servers that share a PostgreSQL: all of them notice; a backup brings games back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.cluster import Cluster
from tests.server.serving import Process
from tests.server.test_admin import NOTICED_S, Host, ended_with, soon, token_of

pytestmark = pytest.mark.servers


def test_every_node_notices_what_the_host_does(cluster: Cluster) -> None:
    db = cluster.database("admin_nodes")
    host = Host(db)
    with Process(db) as a, Process(db) as b:
        table, keys = a.here.strangers()
        with a.here.socket(table, keys[0]) as ada, b.here.socket(table, keys[1]) as bo:
            ada.hear("gameFull")
            bo.hear("gameFull")
            host.do("rename", f"{table}:1", "Bob")
            for talk in (ada, bo):
                seats = talk.hear("seats", timeout=NOTICED_S)
                assert seats["table"]["chairs"][1]["name"] == "Bob"
            ban = host.do("ban", f"{table}:1", "--for", "1h")["ban"]
            assert ended_with(bo) == "banned-until"
            host.do("lift", ban)
            host.do("close", table)
            finish = ada.hear("gameFinish", timeout=NOTICED_S)
            assert finish["result"]["reason"] == "closed"
        token_id, secret = token_of(a.here)
        host.do("revoke", token_id)
        assert b.here.try_get("/tokens/me", secret).status_code == 403
        host.do("delete", table)
        for node in (a.here, b.here):
            soon(
                lambda at=node: at.try_get(f"/tables/{table}").status_code == 404,  # type: ignore[misc]
                "a node still has the table",
            )
    names = [entry["name"] for entry in host.do("seats")]
    assert names == []
    assert len(host.do("log")) == 6


def test_a_game_in_postgres_goes_on_after_a_backup_was_restored(
    cluster: Cluster, tmp_path: Path
) -> None:
    db, copy = cluster.database("admin_backup"), tmp_path / "copy.dump"
    host = Host(db)
    with Process(db) as process:
        here = process.here
        table, keys = here.strangers()
        version = here.full(table)["version"]
        body = {"moves": ["take wug"], "version": version}
        version = here.post(f"/tables/{table}/move", body, keys[0])["version"]
        host.do("backup", str(copy))
        assert copy.stat().st_mode & 0o077 == 0
        here.strangers()
        assert "A server is using" in host.refused("restore", str(copy), "--replace")
        process.stop()
    assert "isn't empty" in host.refused("restore", str(copy))
    copy.with_suffix(".bad").write_bytes(copy.read_bytes()[:2000])
    for bad in (copy.with_suffix(".bad"), Path(__file__)):
        assert "isn't a good backup" in host.refused("restore", str(bad), "--replace")
    assert len(host.do("tables")) == 2
    host.do("restore", str(copy), "--replace")
    other = Host(cluster.database("admin_elsewhere"))
    other.do("restore", str(copy))
    for restored in (host, other):
        assert [entry["id"] for entry in restored.do("tables")] == [table]
    with Process(db) as process:
        body = {"moves": ["take wug"], "version": version}
        done = process.here.post(f"/tables/{table}/move", body, keys[1])
        assert done["version"] == version + 1


def test_without_postgres_programs_a_sentence_says_so(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = cluster.database("admin_no_programs")
    with Process(db):
        pass
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "pg_dump isn't installed" in Host(db).refused("backup", str(tmp_path / "x"))
    (tmp_path / "y").write_bytes(b"")
    assert "pg_restore isn't installed" in Host(db).refused("restore", str(tmp_path / "y"))


def test_a_postgres_that_is_away_is_told_in_one_line() -> None:
    assert "can't be used" in Host("postgresql://x@127.0.0.1:1/none").refused("tables")
