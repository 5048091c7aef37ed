"""The runner: a test that depends on the machine's timing gets a second attempt, no other does,
and what a run came to is counted rightly, with workers and without."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scripts import run_tests

from tests.reruns import SECONDS, plain_name, put_long_ones_first

ROOT = Path(__file__).resolve().parents[2]
PASSES = run_tests.PASSES
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


@pytest.mark.parametrize("options", [(), run_tests.workers(2)], ids=["one process", "two workers"])
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


PRETENDED = """
import json, sys
from pathlib import Path
late = "alone and not browser" in sys.argv
path = next(part.partition("=")[2] for part in sys.argv if part.startswith("--tally="))
reruns = [{"test": "tests/a.py::test_b", "why": "too late"}] if late else []
counts = {"passed": 2, "failed": int(late), "skipped": 1, "reruns": reruns}
Path(path).write_text(json.dumps(counts), "utf-8")
print("so far [ 50%]\\nwhat was said")
sys.exit(late)
"""


def pretended(name: str) -> list[str]:
    if name in run_tests.PAGE:
        return ["sh", "-c", f"echo {run_tests.PAGE[name]}"]
    return [sys.executable, "-c", PRETENDED, *PASSES[name]]


def test_a_run_ends_with_one_line_of_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pass by pass, those that want to be alone last, the page's own beside."""
    monkeypatch.setattr(run_tests, "command", pretended)
    assert run_tests.main() == 1
    *said, reruns, broken, minutes, spent, counts = capsys.readouterr().out.splitlines()
    assert said.count("what was said") == len(PASSES) == 7
    assert said.index("--- alone") > said.index("--- the law")
    assert said[said.index("--- the page's types") + 1] == "check"
    assert reruns == "rerun: tests/a.py::test_b: too late"
    assert broken == "not passed: alone"
    assert all(f"{name} 0.0" in minutes for name in PASSES)
    assert re.match(r"all together 0\.\d; of processor time [\d.]+, \d+% of 2 cores", spent)
    assert counts == "14 passed, 1 failed, 7 skipped"


def test_a_pass_that_dies_without_a_count_does_not_pass(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(run_tests, "command", lambda _: ["sh", "-c", "kill -9 $$"])
    died = run_tests.Job("the law", tmp_path).result()
    assert died == (-9, died.took, {"passed": 0, "failed": 0, "skipped": 0}, [], {})


def test_now_and_then_a_run_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(run_tests, "NEWS_SECONDS", 0)
    slow = ["sh", "-c", "echo '.. [ 50%]'; sleep 1"]
    monkeypatch.setattr(run_tests, "command", lambda _: slow)
    assert run_tests.run_lanes([("slow",)], tmp_path)["slow"].code == 0
    assert "after 0 min: slow 50 %" in capsys.readouterr().out.splitlines()


def test_nobody_is_left_running_when_a_run_is_broken_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(run_tests, "command", lambda _: ["sleep", "1000"])
    job = run_tests.Job("endless", tmp_path)
    monkeypatch.setattr(run_tests, "Job", lambda *_: job)

    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scripts.run_tests.time.sleep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_tests.run_lanes([("endless",)], tmp_path)
    assert job.result().code == -15


def test_slow_tests_are_noted_by_their_function(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And the quick ones of a file together."""
    monkeypatch.setattr(run_tests, "SLOW", tmp_path / "slow.txt")
    seconds = {"a.py::b": 9.4, "c.py::quick": 0.1, "d.py::e": 0.3, "d.py::f": 0.4}
    run_tests.note_slow(run_tests.Ran(0, 9.1, {}, [], seconds))
    assert (tmp_path / "slow.txt").read_text("utf-8") == "9.4 a.py::b\n0.7 d.py\n"
    assert plain_name("tests/a.py::test_b[1-c::d]@group") == "tests/a.py::test_b"


def test_what_takes_long_comes_first_and_quick_tests_of_a_file_stay_together(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    def item(name: str, *marks: pytest.MarkDecorator) -> pytest.Item:
        made: pytest.Item = pytest.Function.from_parent(
            request.node.parent, name=name, callobj=item
        )
        made._nodeid = name
        for mark in marks:
            made.add_marker(mark)
        return made

    chain, quick = pytest.mark.xdist_group("chain"), pytest.mark.xdist_group("q.py")
    names = ["q.py::a", "q.py::b", "s.py::c[1]", "s.py::c[2]", "n.py::d", "n.py::e"]
    marks = [(quick,), (quick,), (), (), (chain,), (chain,)]
    items = [item(name, *some) for name, some in zip(names, marks, strict=True)]
    monkeypatch.setattr(
        "tests.reruns.SECONDS", {"q.py": 4.0, "s.py::c": 10.0, "n.py::d": 3.0, "n.py": 3.0}
    )
    put_long_ones_first(items)
    assert [each.nodeid for each in items] == [*names[4:], *names[2:4], *names[:2]]


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


@pytest.mark.parametrize(("name", "script"), run_tests.PAGE.items())
def test_the_page_s_own_types_and_tests_are_scripts_of_its_own(name: str, script: str) -> None:
    told = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))
    assert told["scripts"][script]
    assert run_tests.command(name)[-2:] == [script, "--silent"]


def test_lanes_go_on_side_by_side_and_their_passes_one_after_another(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A pass that waits for what the other lane does would wait for ever otherwise."""
    done = tmp_path / "done"
    commands = {"first": "sleep 0.2", "second": f"touch {done}"}
    waiting = f"while [ ! -e {done} ]; do sleep 0.05; done"
    monkeypatch.setattr(
        run_tests, "command", lambda name: ["sh", "-c", commands.get(name, waiting)]
    )
    ran = run_tests.run_lanes([("first", "second"), ("waiting",)], tmp_path)
    assert next(iter(ran)) == "first"
    assert {result.code for result in ran.values()} == {0}
    assert "--- waiting" in capsys.readouterr().out


def test_every_test_is_in_one_pass_and_what_depends_on_a_clock_stands_back_behind_nobody() -> None:
    lanes = (run_tests.FRONT, *run_tests.BEHIND, run_tests.ALONE)
    names = [name for lane in lanes for name in lane]
    assert sorted(names) == sorted([*PASSES, *run_tests.PAGE])
    for lane in run_tests.BEHIND:
        assert all(run_tests.command(name)[0] == "nice" for name in lane)
    for name in run_tests.FRONT:
        assert run_tests.command(name)[0] == sys.executable


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
    for name in SECONDS:
        path, _, function = name.partition("::")
        text = (ROOT / path).read_text("utf-8")
        assert f"def {function.rpartition('::')[2]}(" in text or not function, name
