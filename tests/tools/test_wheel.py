"""What we ship: a wheel made of the source distribution, installed where there is no Node and none
of our sources, serves the page, plays in the terminal and analyses."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PAGE = "cabochon/server/static/index.html"

pytestmark = [pytest.mark.xdist_group("wheel"), pytest.mark.timeout(600), pytest.mark.slow]


def run(
    *command: str | Path, cwd: Path, path: str | None = None, said: str = "", code: int = 0
) -> str:
    """What the command prints, in an environment that knows nothing of this checkout."""
    environment = {
        "PATH": path or os.environ["PATH"],
        "HOME": str(cwd),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=environment,
        input=said,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("wheel")


@pytest.fixture(scope="module")
def no_node(place: Path) -> str:
    """A PATH with no program in it at all."""
    (place / "programs").mkdir()
    return str(place / "programs")


@pytest.fixture(scope="module")
def sdist(place: Path) -> Path:
    """The source distribution, of a copy of this checkout with the page as it was built here."""
    assert (ROOT / "src" / PAGE).exists(), "the web table has not been built: make web"
    copy = place / "checkout"
    for name in ("src", "web", "scripts", "conformance"):
        ignored = shutil.ignore_patterns("node_modules", "__pycache__", "*.egg-info")
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    for name in re.findall(r"\S+\.\w+|LICENSE", (ROOT / "MANIFEST.in").read_text("utf-8")):
        shutil.copy2(ROOT / name, copy / name)
    for name in ("MANIFEST.in", "pyproject.toml"):
        shutil.copy2(ROOT / name, copy / name)
    os.utime(copy / "src" / PAGE)  # a page that is out of date is the business of `make web`
    return _built("--sdist", copy, place)


@pytest.fixture(scope="module")
def wheel(sdist: Path, place: Path, no_node: str) -> Path:
    """The wheel, of the unpacked source distribution, without Node."""
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has none
        archive.extractall(place / "unpacked")
    (source,) = (place / "unpacked").iterdir()
    return _built("--wheel", source, place, no_node)


def _built(kind: str, source: Path, place: Path, path: str | None = None) -> Path:
    out = place / "dist"
    before = set(out.glob("*"))
    run(
        sys.executable,
        *("-m", "build", "--no-isolation", kind, "--outdir", out, source),
        cwd=place,
        path=path,
    )
    (made,) = set(out.glob("*")) - before
    return made


@pytest.fixture(scope="module")
def cabochon(wheel: Path, place: Path) -> Path:
    """The command, in an environment of the wheel and what it says it needs, and nothing else."""
    home = place / "env"
    run(sys.executable, "-m", "venv", "--without-pip", home, cwd=place)
    (packages,) = home.glob("lib/python*/site-packages")
    installer = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    here = ("--python", home / "bin" / "python")
    run(*installer, *here, "install", "--no-deps", "--no-index", "--quiet", wheel, cwd=place)
    (info,) = packages.glob("cabochon-*.dist-info")
    for needed in closure(Distribution.at(info)):
        link(needed, packages)
    return home / "bin" / "cabochon"


def closure(package: Distribution) -> list[Distribution]:
    """Everything that the package's own declarations ask for, extras left out, and so on down."""
    found: dict[str, Distribution] = {}
    waiting: list[tuple[Distribution, set[str]]] = [(package, {""})]
    while waiting:
        asking, extras = waiting.pop()
        for line in asking.requires or ():
            wanted = Requirement(line)
            if wanted.marker and not any(wanted.marker.evaluate({"extra": e}) for e in extras):
                continue
            if wanted.name not in found or wanted.extras:
                found[wanted.name] = distribution(wanted.name)
                waiting.append((found[wanted.name], {"", *wanted.extras}))
    return list(found.values())


def link(package: Distribution, packages: Path) -> None:
    """Lend it the files of a package of ours, which saves the minutes of a second installation."""
    for file in package.files or ():
        top = file.parts[0]
        if top not in ("..", "__pycache__") and not (packages / top).exists():
            (packages / top).symlink_to(Path(str(package.locate_file(top))))


def test_the_source_distribution_holds_what_it_takes(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"src/{PAGE}", "web/package-lock.json", "scripts/backend.py", "LICENSE"} <= names
    assert not [name for name in names if name.startswith(("tests", "web/node_modules"))]


def test_the_wheel_holds_the_page_and_the_data(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    page = ZipFile(wheel).read(PAGE).decode()
    assets = re.findall(r"/(assets/[\w.-]+)", page)
    assert assets
    assert {f"cabochon/server/static/{asset}" for asset in assets} <= names
    assert {"cabochon/rules/data/cards.csv", "cabochon/py.typed"} <= names
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("words/*.*")]
    assert {path.relative_to(ROOT / "src").as_posix() for path in files} <= names


def test_the_wheel_is_what_is_imported(cabochon: Path, place: Path, no_node: str) -> None:
    python = cabochon.with_name("python")
    where = "import cabochon.server.web.pages as p; print(p.__file__); print(p.STATIC)"
    shown = run(python, "-c", where, cwd=place, path=no_node)
    assert all(line.startswith(str(place / "env")) for line in shown.splitlines())
    missing = "import importlib.util as u; print(u.find_spec('torch'), u.find_spec('pytest'))"
    assert run(python, "-c", missing, cwd=place, path=no_node).split() == ["None", "None"]


@pytest.fixture
def served(cabochon: Path, place: Path, no_node: str) -> Iterator[str]:
    command = [str(cabochon), "serve", "--port", "0", "--db", str(place / "tables.db")]
    with subprocess.Popen(
        command,
        cwd=place,
        env={"PATH": no_node, "HOME": str(place), "LANG": "C.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        try:
            yield _address(server)
        finally:
            server.terminate()


def _address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    until = time.monotonic() + 60
    said = ""
    while time.monotonic() < until and (line := server.stdout.readline()):
        said += line
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            return found[0]
    raise AssertionError(said)


def test_it_serves_the_page_and_the_interface(served: str) -> None:
    with urllib.request.urlopen(f"{served}/") as answer:
        assert answer.status == 200
        page = answer.read().decode()
    (script,) = re.findall(r'src="(/assets/[\w.-]+\.js)"', page)
    with urllib.request.urlopen(f"{served}{script}") as answer:
        assert answer.status == 200
    with urllib.request.urlopen(f"{served}/api/meta") as answer:
        assert json.load(answer)["variants"]


def test_it_plays_a_terminal_game_and_analyses_it(
    cabochon: Path, place: Path, no_node: str
) -> None:
    record = place / "game.txt"
    play = ("play", "--seed", "a", "--bots", "greedy", "--keep-order", "--record", record)
    shown = run(cabochon, *play, cwd=place, path=no_node, said="take wug\nresign\ny\n")
    assert "Traceback" not in shown
    assert "take wug" in record.read_text("utf-8")
    # Every card is proved; that somebody resigned is not.
    run(cabochon, "verify", record, cwd=place, path=no_node, code=3)
    analysis = run(
        cabochon,
        "analyse",
        record,
        "--ply",
        "0",
        "--visits",
        "50",
        "--json",
        cwd=place,
        path=no_node,
    )
    assert "take wug" in {line["move"] for line in json.loads(analysis)["moves"]}
