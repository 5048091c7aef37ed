"""Every path, module, symbol, command and option that a document names exists.

What counts as a name is what stands in backticks outside of code blocks, which are executed
elsewhere. The rules below go from the sure to the weak: a path has to be there, a dotted name has
to be importable, and a plain identifier has to occur in the code as a word.
"""

from __future__ import annotations

import importlib
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cabochon.cli import VERBS

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "cabochon"
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md", "conformance/*.md")
    for path in ROOT.glob(pattern)
)

FENCE = re.compile(r"^ *```.*?^ *```$", re.M | re.S)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*/?")
FILE = re.compile(r"[\w.-]+\.(?:py|md|toml|csv|json|ya?ml|ts|svelte|npz|jsonl|ipynb|txt)")
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
WORD = re.compile(r"[A-Za-z_]\w*")

OURSELVES = "tests/docs/test_names.py"
ELSEWHERE = {
    # made by running something
    "build/calibration",
    "build/docs",
    "build/soak",
    "dist",
    "game.json",
    "game.txt",
    "replay.npz",
    "report.json",
    "training/players-N/",
    # patterns of names, and texts that are hashed
    "parse_x",
    "format_x",
    "cabochon deal 1",
    "cabochon commitment 1",
    "cabochon share 1",
    "cabochon shares 1",
}


def spans(document: str) -> list[str]:
    text = FENCE.sub("", (ROOT / document).read_text("utf-8"))
    return list(dict.fromkeys(SPAN.findall(text)))


@cache
def tracked() -> frozenset[str]:
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    run = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return frozenset(run.stdout.splitlines())
    return frozenset(str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file())


@cache
def words() -> frozenset[str]:
    """Every word of the code, of what it reads and of what it is built with."""
    kinds = (".py", ".ts", ".svelte", ".toml", ".json", ".yaml", "Makefile", "Dockerfile")
    found: set[str] = set()
    for name in tracked():
        if name.endswith(kinds) and not name.startswith((OURSELVES, "conformance/", "docs/")):
            found |= set(re.findall(r"[A-Za-z_]\w*", (ROOT / name).read_text("utf-8")))
    return frozenset(found)


@cache
def options() -> frozenset[str]:
    programs = [name for name in tracked() if name.endswith(".py") and name != OURSELVES]
    return frozenset(
        option
        for name in programs
        for option in re.findall(r"--[a-z][a-z-]+", (ROOT / name).read_text("utf-8"))
    )


@cache
def tops() -> frozenset[str]:
    """The first parts of the paths we know: the repository's and the package's folders."""
    ours = {path.split("/")[0] for path in tracked()}
    return frozenset(ours | {path.name for path in PACKAGE.iterdir() if path.is_dir()})


@cache
def targets() -> frozenset[str]:
    lines = re.findall(r"^([a-z-]+(?: [a-z-]+)*):", (ROOT / "Makefile").read_text("utf-8"), re.M)
    return frozenset(target for line in lines for target in line.split())


def is_path(text: str) -> bool:
    return any((place / text).exists() for place in (ROOT, PACKAGE, ROOT / "docs"))


def has_symbol(name: str) -> bool:
    """Whether the dotted name leads from a module to an attribute, or to a field of a class."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            if not hasattr(found, part) and part not in getattr(found, "__annotations__", {}):
                return False
            found = getattr(found, part, None)
        return True
    return False


def faults(span: str) -> Iterator[str]:
    """What is wrong with a span; nothing for one that is no name of ours."""
    if span in ELSEWHERE:
        return
    if made := re.match(r"make ([a-z-]+)", span):
        if made[1] not in targets() and not made[1].endswith("-"):
            yield f"there is no target {made[1]}"
        return
    if verb := re.match(r"cabochon ([a-z-]+)", span):
        if verb[1] not in VERBS:
            yield f"there is no verb {verb[1]}"
        return
    if run := re.match(r"python (?:-m ([\w.]+)|([\w./-]+\.py))", span):
        if not (has_symbol(run[1]) if run[1] else is_path(run[2])):
            yield f"there is no {run[1] or run[2]}"
        return
    if option := re.match(r"--[a-z][a-z-]+", span):
        if option[0] not in options():
            yield f"there is no option {option[0]}"
        return
    yield from _name_faults(span)


def _name_faults(span: str) -> Iterator[str]:
    path, _, test = span.partition("::")
    if PATH.fullmatch(path) and "/" in path and path.split("/")[0] in tops():
        if not is_path(path):
            yield f"there is no {path}"
        elif test and f"def {test}(" not in (ROOT / path).read_text("utf-8"):
            yield f"there is no {test} in {path}"
    elif FILE.fullmatch(span):
        if not any(name.rpartition("/")[2] == span for name in tracked()):
            yield f"there is no file {span}"
    elif (dotted := DOTTED.match(span)) and _is_ours(dotted[0].split(".")[0]):
        name = dotted[0] if dotted[0].startswith("cabochon.") else f"cabochon.{dotted[0]}"
        if not has_symbol(name):
            yield f"there is no {name}"
    elif word := re.fullmatch(r"([A-Za-z_]\w*)(?:[.(].*)?", span):
        yield from _word_faults(word[1])


def _is_ours(first: str) -> bool:
    packages = {path.stem for path in PACKAGE.iterdir() if path.suffix in ("", ".py")}
    return first == "cabochon" or first in packages - {"turn", "record", "rules", "play", "words"}


def _word_faults(word: str) -> Iterator[str]:
    """A class, a function or a field; a setting is the field of its name."""
    setting = word.removeprefix("CABOCHON_").lower()
    is_name = word[0].isupper() or "_" in word.strip("_")
    if is_name and word not in words() and (setting == word or setting not in words()):
        yield f"nothing is called {word}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_name_in_a_document_exists(document: str) -> None:
    found = [f"`{span}`: {fault}" for span in spans(document) for fault in faults(span)]
    assert found == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_in_a_document_leads_somewhere(document: str) -> None:
    text = FENCE.sub("", (ROOT / document).read_text("utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if ":" in path or path.startswith("api/"):  # `make docs` writes those pages
            continue
        page = (ROOT / document).parent / path if path else ROOT / document
        assert page.exists(), target
        if anchor and page.suffix == ".md":
            assert anchor in _anchors(page), target


def _anchors(page: Path) -> set[str]:
    """As GitHub makes them out of headings."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text("utf-8")), re.M)
    plain = (re.sub(r"[^\w\s-]", "", heading.lower()) for heading in headings)
    return {re.sub(r"\s", "-", heading.strip()) for heading in plain}


@pytest.mark.parametrize(
    "span",
    [
        "src/cabochon/rules/nowhere.py",
        "rules/nowhere.py",
        "nowhere.csv",
        "cabochon.rules.Nothing",
        "kernel.playout.nothing",
        "NoSuchClass",
        "no_such_function()",
        "make nothing",
        "cabochon dance",
        "python benchmarks/nothing.py",
        "python -m tests.nothing",
        "tests/docs/test_names.py::test_nothing",
        "--no-such-option-zz",
    ],
)
def test_a_name_that_does_not_exist_is_found(span: str) -> None:
    assert list(faults(span))


@pytest.mark.parametrize("span", ["take wug", "2u5", "make", "e.g.", "{ x }", "Retry-After", "wwo"])
def test_what_is_no_name_is_left_alone(span: str) -> None:
    assert not list(faults(span))
