"""One meaning per word: no public class or alias has a name that another module gave away."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import cabochon

SOURCES = Path(cabochon.__file__).parent


def _defined(path: Path) -> Iterator[str]:
    """Public classes, and aliases: capitalised names that a module gives a value."""
    for node in ast.parse(path.read_text("utf-8")).body:
        targets: list[ast.expr] = []
        if isinstance(node, ast.ClassDef):
            yield from () if node.name.startswith("_") else (node.name,)
        elif isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            if isinstance(target, ast.Name) and target.id[0].isupper() and not target.id.isupper():
                yield target.id


def _twice() -> dict[str, set[str]]:
    homes: dict[str, set[str]] = defaultdict(set)
    for path in SOURCES.rglob("*.py"):
        for name in _defined(path):
            homes[name].add(path.relative_to(SOURCES).as_posix())
    return {name: found for name, found in homes.items() if len(found) > 1}


def test_no_public_name_is_defined_twice() -> None:
    twice = _twice()
    assert not twice, f"give one of each another name: {twice}"


NAMED_BY_THEIR_PLACE = ("cli/", "server/web/routes/", "server/storage/migrations/")
"""A verb, an address and a change of the schema are called by what they are for."""
PAIRS = {
    "legal": "the law's and its twin's",
    "build": "what each of the two compiles ahead",
    "cards": "the cards, and how they are drawn",
    "gems": "the gems, and how they are drawn",
    "moves": "the moves, and how they are written",
    "errors": "the exceptions of its package",
}


def test_a_module_s_name_says_what_it_holds() -> None:
    """Somebody who searches for a file by name finds one, but for pairs that belong together."""
    homes: dict[str, set[str]] = defaultdict(set)
    for path in SOURCES.rglob("*.py"):
        place = path.relative_to(SOURCES).as_posix()
        if path.stem != "__init__" and not place.startswith(NAMED_BY_THEIR_PLACE):
            homes[path.stem].add(place)
    twice = {name: found for name, found in homes.items() if len(found) > 1 and name not in PAIRS}
    assert not twice, f"give one of each another name: {twice}"
