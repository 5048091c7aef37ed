"""The runner: a test that depends on the machine's timing gets a second attempt, no other does,
and what a run came to is counted rightly, with workers and without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scripts import run_tests

from tests.reruns import SLOW, plain_name

ROOT = Path(__file__).resolve().parents[2]
SUITE = '''
from pathlib import Path
import pytest

def first_time(name):
    """Fails in the first attempt only."""
    flag = Path(__file__).with_name(name)
    if not flag.exists():
        flag.touch()
        raise AssertionError(f"{name} came too late")

@pytest.mark.timing
@pytest.mark.xdist_group("one")
def test_late_once(): first_time("timing")

@pytest.mark.browser
def test_browser_late_once(): first_time("browser")

@pytest.mark.alone
def test_always_late(): assert False, "never in time"

def test_race(): first_time("race")

@pytest.fixture
def broken(): raise RuntimeError("no fixture")

def test_with_a_broken_fixture(broken): pass

def test_good(): pass

@pytest.mark.skip
def test_skipped(): pass
'''


def tally(folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    (folder / "test_toy.py").write_text(SUITE, "utf-8")
    (folder / "pytest.ini").write_text(
        "[pytest]\nmarkers =\n    alone\n    browser\n    timing\n    xdist_group\n", "utf-8"
    )
    written = folder / "tally.json"
    command = [sys.executable, "-m", "pytest", "-p", "tests.reruns", f"--tally={written}", *options]
    run = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert written.exists(), run.stdout + run.stderr
    return run.returncode, json.loads(written.read_text("utf-8"))


@pytest.mark.parametrize("options", [(), run_tests.BOTH_CORES], ids=["one process", "two workers"])
def test_only_tests_that_depend_on_timing_are_tried_again(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    code, counted = tally(tmp_path, *options)
    assert code == pytest.ExitCode.TESTS_FAILED
    again = {run["test"].split("::")[1].split("@")[0]: run["why"] for run in counted["reruns"]}
    assert set(again) == {"test_late_once", "test_browser_late_once", "test_always_late"}
    assert again["test_late_once"] == "AssertionError: timing came too late"
    assert [counted[kind] for kind in run_tests.KINDS] == [3, 3, 1]


def test_many_failures_are_not_taken_for_the_machine(tmp_path: Path) -> None:
    _, counted = tally(tmp_path, "--max-suite-reruns=1")
    assert len(counted["reruns"]) == 1


def test_a_run_ends_with_one_line_of_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def pretended(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        path = next(part.partition("=")[2] for part in command if part.startswith("--tally="))
        late = "alone and not browser" in command
        reruns = [{"test": "tests/a.py::test_b", "why": "too late"}] if late else []
        counts = {"passed": 2, "failed": int(late), "skipped": 1, "reruns": reruns}
        Path(path).write_text(json.dumps(counts), "utf-8")
        return subprocess.CompletedProcess(command, int(late))

    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    monkeypatch.setattr(subprocess, "run", pretended)
    assert run_tests.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "rerun: tests/a.py::test_b: too late",
        "not passed: alone",
        "minutes: the law 0.0, the rest 0.0, the browser 0.0, alone 0.0, alone in the browser 0.0",
        "10 passed, 1 failed, 5 skipped",
    ]


def test_a_pass_that_dies_without_a_count_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, -9)
    )
    died = run_tests.run(())
    assert died == (-9, died.took, {"passed": 0, "failed": 0, "skipped": 0}, [], {})


def test_slow_tests_are_noted_by_their_function(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(run_tests, "SLOW", tmp_path / "slow.txt")
    run_tests.note_slow(run_tests.Ran(0, 9.1, {}, [], {"b": 9.0, "quick": 0.1}))
    assert (tmp_path / "slow.txt").read_text("utf-8") == "b\n"
    assert plain_name("tests/a.py::test_b[1-c::d]@group") == "tests/a.py::test_b"


def test_slow_tests_can_be_left_out_and_browser_tests_are_tried_again() -> None:
    """The marks that are added here are there when `-m` chooses."""
    folders = ("tests/docs/test_site.py", "tests/browser/test_looks.py")
    command = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, "-m", "not slow and not flaky", *folders],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "test_docstrings_become_what_sphinx_reads" in run.stdout
    assert "test_the_site_can_be_searched" not in run.stdout
    assert "test_looks.py" not in run.stdout


def test_the_web_s_own_tests_run_beside_and_are_told_when_they_fail(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "web" / "node_modules").mkdir(parents=True)
    scripts = {"check": "echo no faults", "test": "echo one failed; exit 1"}
    (tmp_path / "web" / "package.json").write_text(json.dumps({"scripts": scripts}), "utf-8")
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    assert run_tests.finish_web(run_tests.start_web(tmp_path), tmp_path) == ["test"]
    assert capsys.readouterr().out == "no faults\none failed\n"


def test_no_test_that_needs_the_machine_alone_is_forgotten() -> None:
    """Its file is among those that its pass reads."""
    for mark in ("alone", "servers"):
        assert run_tests.files_marked(mark)
    for path in (ROOT / "tests").rglob("*.py"):
        text = path.read_text("utf-8")
        assert 'add_marker("alone")' not in text or path == Path(__file__)
        if "mark.alone" in text and path.name.startswith("test_"):
            read = run_tests.PASSES["alone"] + run_tests.PASSES["alone in the browser"]
            assert str(path.relative_to(ROOT)) in read


def test_every_slow_test_exists() -> None:
    for name in SLOW.read_text("utf-8").split():
        path, _, function = name.partition("::")
        assert f"def {function.rpartition('::')[2]}(" in (ROOT / path).read_text("utf-8"), name
