"""Starting up: who imports Numba, where compiled code is kept, the command that makes it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cabochon.kernel import build, cache, is_compiled, warm_up

ROOT = Path(__file__).resolve().parents[2]


def _python(code: str, **environment: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


@pytest.mark.parametrize("package", ["rules", "notation", "render", "cli", "server"])
def test_numba_is_not_imported_before_it_is_needed(package: str) -> None:
    code = f"import sys, cabochon.{package}; print('numba' in sys.modules)"
    assert _python(code) == "False"


FINGERPRINT = "from cabochon.kernel import cache; print(cache.fingerprint('kernel'))"


def test_the_cache_is_named_by_what_the_code_depends_on() -> None:
    usual = cache.fingerprint("kernel")
    assert _python(FINGERPRINT) == usual
    assert _python(FINGERPRINT, NUMBA_BOUNDSCHECK="1") != usual
    assert _python(FINGERPRINT, NUMBA_CPU_NAME="generic") != usual
    if cache.has_bmi2():
        assert _python(FINGERPRINT, CABOCHON_PORTABLE="1") != usual


def test_sources_and_data_are_in_the_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, data = tmp_path / "step.py", tmp_path / "cards.csv"
    source.write_text("one")
    data.write_text("two")
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)
    monkeypatch.setattr(cache, "_kernel_sources", lambda: [source, data])
    seen = set()
    for path, text in ((source, "one"), (source, "changed"), (data, "changed")):
        path.write_text(text)
        cache.fingerprint.cache_clear()
        seen.add(cache.fingerprint("kernel"))
    cache.fingerprint.cache_clear()
    assert len(seen) == 3


def test_plain_modules_have_no_part_in_compiled_code() -> None:
    """So that a change of them need not compile anything again."""
    for path in cache.KERNEL.glob("*.py"):
        text = path.read_text("utf-8")
        if path.stem in cache.PLAIN_MODULES:
            assert "@compiled" not in text
            assert "@inlined" not in text
        else:
            imported = set(re.findall(r"from cabochon\.kernel\.(\w+) import", text))
            assert not imported & cache.PLAIN_MODULES, path.name


def test_numbers_of_the_law_are_in_the_fingerprint() -> None:
    """Numba copies them into the machine code, so a changed one must be compiled again."""
    named = {path.stem for path in cache.LAW}
    for path in [*cache._kernel_sources(), *cache._upper_sources()]:
        if path.suffix != ".py" or path.parent.name == "rules":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                package, _, module = node.module.rpartition(".")
                constants = {name.name for name in node.names if name.name.isupper()} - {"DECKS"}
                if package == "cabochon.rules" and constants:
                    assert module in named, f"{path}: {constants}"


def test_what_compiled_code_imports_beside_it_is_in_the_fingerprint() -> None:
    """Row numbers and named tuples of the search and of training are frozen in as well."""
    names = {path.relative_to(cache.PACKAGE).as_posix() for path in cache._upper_sources()}
    assert {"search/rows.py", "search/net.py", "search/tree.py", "train/config.py"} <= names
    assert "search/searcher.py" not in names
    assert not any(name.startswith("kernel/") for name in names)


def test_a_foreign_target_gets_the_portable_path() -> None:
    """An instruction that the chosen target lacks would abort the process."""
    code = "from cabochon.kernel.cache import has_bmi2; print(has_bmi2())"
    assert _python(code, NUMBA_CPU_NAME="generic") == "False"
    assert _python(code, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="+bmi2") == "True"
    assert _python(code, CABOCHON_PORTABLE="1") == "False"


def test_the_directory_can_be_chosen(tmp_path: Path) -> None:
    code = "from cabochon.kernel import cache; print(cache.cache_directory('kernel'))"
    place = Path(_python(code, CABOCHON_CACHE_DIR=str(tmp_path)))
    assert place.parent == tmp_path
    assert place.is_dir()
    assert place.stat().st_mode & 0o77 == 0


def test_without_a_writable_home_another_place_is_found(tmp_path: Path) -> None:
    a_file = tmp_path / "file"
    a_file.touch()
    code = "from cabochon.kernel import cache; print(cache.cache_directory('kernel'))"
    place = _python(code, CABOCHON_CACHE_DIR=str(a_file), XDG_CACHE_HOME=str(a_file))
    assert place != "None"
    assert Path(place).is_dir()
    assert str(a_file) not in place


def test_numbas_own_setting_is_left_alone() -> None:
    code = "import numba, cabochon.kernel; print(repr(numba.config.CACHE_DIR))"
    assert _python(code, NUMBA_CACHE_DIR="") == "''"


def test_warm_up_reports_each_part_and_marks_the_cache() -> None:
    told: list[tuple[int, int, str]] = []
    seconds = warm_up(lambda *part: told.append(part))
    assert seconds > 0
    assert is_compiled()
    assert [number for number, _, _ in told] == list(range(1, len(told) + 1))
    assert {total for _, total, _ in told} == {len(told)}


def test_the_command_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert build.main() == 0
    told = capsys.readouterr().err
    assert "loading the kernel: 1/" in told
    assert "ready in" in told


def test_old_versions_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [tmp_path / f"kernel-{n}" for n in range(build.KEPT + 3)]
    for age, place in enumerate(places):
        place.mkdir()
        os.utime(place, (1000 + age, 1000 + age))
    os.utime(places[1])  # old, but used again just now
    monkeypatch.setattr(build, "cache_directory", lambda part: places[1])
    assert set(build.prune()) == {places[0], places[2], places[3]}
    assert build.prune() == []
    assert places[1].exists()
    assert places[-1].exists()


def test_numba_starts_without_scipy_and_still_finds_it() -> None:
    """Importing SciPy would cost a third of every start; whether it is there is still known."""
    code = """
import sys
from cabochon.kernel import warm_up
warm_up()
print("scipy.linalg" in sys.modules)
from importlib.util import find_spec
from numba.np import arraymath, linalg
print(arraymath._HAVE_BLAS == (find_spec("scipy") is not None))
print(linalg.ensure_blas.__module__)
"""
    assert _python(code).split() == ["False", "True", "numba.np.linalg"]
