"""Running it: settings, start and stop, logs, health, the image and the compose file."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from benchmarks.yardstick import slowness

from cabochon.cli import main
from cabochon.cli.serve import settings_here
from cabochon.cli.terminal import Failure
from cabochon.server.metrics import exposition
from cabochon.server.settings import PREFIX, Settings, default_db, variable_of
from cabochon.server.storage.database import BadDatabase, database_url
from cabochon.server.web.running import CannotServe, serve
from cabochon.words import Words
from tests.bars import keeps
from tests.server.serving import Here, Process, serving

ROOT = Path(__file__).parents[2]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], Settings]:
    """The settings of an environment that says this and nothing else."""

    def read(environment: dict[str, str]) -> Settings:
        for name in [name for name in os.environ if name.startswith(PREFIX)]:
            monkeypatch.delenv(name)
        for name, text in environment.items():
            monkeypatch.setenv(name, text)
        return Settings.from_environment()

    return read


def test_every_setting_can_be_said_in_the_environment(
    said: Callable[[dict[str, str]], Settings],
) -> None:
    settings = Settings(port=1234, log_json=True, bot_seconds=0.5, origins="https://a.example")
    assert said(settings.to_environment()) == settings
    other = {
        "db": "x",
        "log_level": "error",
        "origins": "a,b",
        "hosts": "*",
        "trusted_proxies": "10.0.0.0/8",
    }
    for name, field in Settings.model_fields.items():
        default = field.default
        another = not default if isinstance(default, bool) else other.get(name, "7")
        found = said({variable_of(name): str(another)})
        assert str(getattr(found, name)) in (str(another), "7.0"), name
        assert found.model_copy(update={name: default}) == Settings(), name
    assert said({}) == Settings()


def test_settings_made_by_hand_do_not_look_at_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CABOCHON_PORT", "1234")
    assert Settings().port == 8000


@pytest.mark.parametrize("text", ["maybe", "2"])
def test_a_setting_that_is_nonsense_is_told(
    text: str, said: Callable[[dict[str, str]], Settings]
) -> None:
    with pytest.raises(ValueError, match="CABOCHON_LOG_JSON"):
        said({"CABOCHON_LOG_JSON": text})
    with pytest.raises(ValueError, match="CABOCHON_PORT"):
        said({"CABOCHON_PORT": "high"})


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("PORT", "70000", "must be at most 65535, not “70000”"),
        ("BOT_SECONDS", "nan", "must be a number, not “nan”"),
        ("BOT_SECONDS", "-1", "must be more than 0, not “-1”"),
        ("REQUESTS_PER_S", "0", "must be more than 0, not “0”"),
        ("MOST_TABLES", "-5", "must be at least 0, not “-5”"),
        ("BOT_WORKERS", "-2", "must be at least -1, not “-2”"),
        ("BOT_WORKERS", "9999", "must be at most 256, not “9999”"),
        ("ENGINE_NICE", "99", "must be at most 19, not “99”"),
        ("LOG_LEVEL", "loud", "must be debug, info, warning, error or critical, not “loud”"),
    ],
)
def test_a_setting_that_nothing_could_run_with_is_told(
    name: str, text: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"CABOCHON_{name}", text)
    with pytest.raises(Failure) as raised:
        settings_here("serve", Words("en"))
    assert str(raised.value) == f"cabochon serve: CABOCHON_{name} {sentence}"


def test_a_setting_that_is_misspelt_is_told(
    said: Callable[[dict[str, str]], Settings],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said({"CABOCHON_MOST_TABELS": "5", "CABOCHON_WORDS": "", "CABOCHON_CACHE_DIR": "/tmp"})
    assert main(["serve", "--db", "mysql://a/b"]) == 2
    told, *rest = capsys.readouterr().err.splitlines()
    assert told == (
        "cabochon serve: there is no setting CABOCHON_MOST_TABELS; perhaps CABOCHON_MOST_TABLES"
        " was meant."
    )
    assert len(rest) == 1


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "CABOCHON_PORT must be a number, not “high”"),
        ("zh", "CABOCHON_PORT 必须是数字，不能是“high”"),
    ],
)
@pytest.mark.parametrize("command", ["serve", "admin"])
def test_nonsense_in_the_environment_is_a_sentence_in_both_languages(
    command: str, language: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CABOCHON_PORT", "high")
    with pytest.raises(Failure) as raised:
        settings_here(command, Words(language))
    assert str(raised.value) == f"cabochon {command}: {sentence}"


def test_the_document_names_every_setting_with_its_default() -> None:
    rows = re.findall(
        r"^\| (?:`--[a-z-]+` )?\| `CABOCHON_([A-Z_]+)` \| (.*?) \|",
        (ROOT / "docs" / "hosting.md").read_text("utf-8"),
        re.M,
    )
    said = {name.lower(): default for name, default in rows}
    assert set(said) == set(Settings.model_fields)
    for name, field in Settings.model_fields.items():
        default = field.default
        shown = {True: "yes", False: "no"}[default] if isinstance(default, bool) else default
        if name not in ("db", "log_level", "origins", "hosts", "trusted_proxies"):
            assert said[name] == f"`{shown}`", name
    assert PREFIX == "CABOCHON_"


def test_the_database_is_a_file_or_postgres(monkeypatch: pytest.MonkeyPatch) -> None:
    assert database_url("tables.db").drivername == "sqlite+aiosqlite"
    assert database_url("postgresql://a@b/c").drivername == "postgresql+asyncpg"
    for address in ("mysql://a/b", "://", "sqlite:///:memory:"):
        with pytest.raises(BadDatabase):
            database_url(address)
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert default_db() == "sqlite:////somewhere/cabochon/tables.db"


def test_what_cannot_be_served_is_told(here: Here, tmp_path: Path) -> None:
    def nothing(_: str) -> None:
        raise AssertionError("it must not start")

    with pytest.raises(CannotServe, match="postgres"):
        serve(Settings(db=str(tmp_path / "t.db"), workers=2), nothing)
    with pytest.raises(CannotServe, match=str(here.port)):
        serve(Settings(db=str(tmp_path / "t.db"), port=here.port), nothing)
    for db in ("mysql://a/b", "/proc/none/t.db", "postgresql://x@127.0.0.1:1/none"):
        with pytest.raises(CannotServe, match="bad-db"):
            serve(Settings(db=db), nothing)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_cannot_be_served_is_one_line_in_the_user_s_language(
    lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--lang", lang, "--db", "mysql://a/b"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert ("无法打开数据库" in err) == (lang == "zh")


def test_where_nobody_can_listen_is_told_in_words(
    here: Here, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = f"--db={tmp_path / 't.db'}"
    for argv, en, zh in (
        (
            ("--port", str(here.port)),
            f"another program already uses 127.0.0.1:{here.port}; choose another port",
            f"127.0.0.1:{here.port} 已被其他程序占用；请换一个端口",
        ),
        (
            ("--host", "192.0.2.1", "--port", "0"),
            "this machine has no address 192.0.2.1",
            "本机没有 192.0.2.1 这个地址",
        ),
        (
            ("--host", "nowhere.invalid", "--port", "0"),
            "this machine has no address nowhere.invalid",
            "本机没有 nowhere.invalid 这个地址",
        ),
    ):
        for lang, sentence in (("en", en), ("zh", zh)):
            with patch.dict(os.environ):  # where `serve` leaves its settings for its workers
                assert main(["serve", db, *argv, "--lang", lang]) == 2
            assert capsys.readouterr().err == f"cabochon serve: {sentence}\n"


def test_a_file_that_is_no_database_is_called_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 500)
    assert main(["serve", "--db", str(path)]) == 2
    assert capsys.readouterr().err == (
        f"cabochon serve: can't open the database: {path}: file is not a database\n"
    )
    assert path.read_text() == "Dear Ann, " * 500


def test_the_database_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "t.db"
    with serving(path):
        assert path.stat().st_mode & 0o077 == 0
        assert path.parent.stat().st_mode & 0o077 == 0


def test_healthy_ready_and_measured(here: Here) -> None:
    assert here.http.get("/healthz").text == "ok\n"
    assert here.http.get("/readyz").text == "ready\n"
    table, keys = here.duel()
    here.post(f"/tables/{table}/move", {"moves": ["take wug"], "version": 1}, keys[0])
    text = here.http.get("/metrics").text
    for name in ("commands_total", "commit_seconds", "told_seconds", "live_tables", "connections"):
        assert f"cabochon_{name}" in text
    assert table not in text
    assert exposition().startswith(b"# HELP")


def test_pages_and_their_files(here: Here) -> None:
    for path in ("/", "/t/abcdefghij", "/join/abc", "/replay/abcdefghij?ply=3", "/learn", "/rules"):
        response = here.http.get(path)
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/html")
    assert here.http.get("/nothing.js").status_code == 404
    assert here.http.get("/api/nothing").json()["code"] == "no-such-page"
    assert here.http.put("/api/tables").json()["code"] == "wrong-method"


@pytest.mark.servers
def test_it_starts_by_itself_says_where_and_stops_when_told(tmp_path: Path) -> None:
    db = str(tmp_path / "folder" / "tables.db")
    environment = {"CABOCHON_LOG_JSON": "yes", "CABOCHON_LOG_LEVEL": "info"}
    with Process(db, environment) as process:
        table, keys = process.here.strangers()
        with process.here.socket(table, keys[0]) as talk:
            talk.hear("gameFull")
            began = time.monotonic()
            assert process.stop() in (0, -15)
            assert time.monotonic() - began < 5 * slowness()


@pytest.mark.alone
def test_it_starts_in_two_seconds(tmp_path: Path) -> None:
    def measure() -> float:
        with Process(str(tmp_path / "tables.db")) as process:
            return _cpu_seconds(process.pid)

    keeps(2, measure)


def _cpu_seconds(pid: int) -> float:
    """What it took to start, whatever else the machine was doing."""
    spent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.servers
def test_it_logs_routes_as_json_and_no_secret(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cabochon", "serve", "--port", "0", "--log-json", "--db"]
    server = subprocess.Popen(
        [*command, str(tmp_path / "t.db"), "--lang", "zh"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        text=True,
        encoding="utf-8",
    )
    assert server.stdout is not None
    line = server.stdout.readline()
    assert "牌桌" in line
    found = re.search(r":(\d+)/", line)
    assert found
    here = Here(int(found[1]))
    table, keys = here.strangers()
    here.try_get(f"/tables/{table}/record", keys[0])
    here.http.get("/join/secretcode")
    here.close()
    server.terminate()
    _, err = server.communicate(timeout=20)
    lines = [json.loads(text) for text in err.splitlines()]
    routes = {entry["route"] for entry in lines if "route" in entry}
    assert "/api/tables/{table_id}/record" in routes
    assert not any(secret in err for secret in (*keys, table, "secretcode", "Ada"))


def test_the_image_and_the_compose_file_are_sound() -> None:
    yaml: Any = importlib.import_module("yaml")
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    servers = [s for s in compose["services"].values() if s.get("build") == "."]
    assert len(servers) == 2
    known = {variable_of(name) for name in Settings.model_fields}
    for server in servers:
        assert set(server["environment"]) <= known
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")
    assert set(re.findall(r"CABOCHON_[A-Z_]+", dockerfile)) <= known
    assert "USER 10001" in dockerfile


@pytest.mark.parametrize(
    "command",
    [
        ["hadolint", "Dockerfile"],
        ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", "compose.yaml"],
    ],
)
def test_linters_find_nothing(command: list[str]) -> None:
    program = shutil.which(command[0], path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if program is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
