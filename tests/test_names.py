"""One meaning per word: no public class or alias has a name that another module gave away."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import cabochon

SOURCES = Path(cabochon.__file__).parent

STILL_TWICE = {
    "Chat": {"server/clientmessages.py", "server/models.py"},
    "Check": {"server/clientmessages.py", "server/models.py"},
    "Checked": {"play/messages.py", "server/models.py"},
    "Claim": {"server/clientmessages.py", "server/models.py"},
    "Closed": {"play/events.py", "server/models.py"},
    "Command": {"cli/entry.py", "server/clientmessages.py"},
    "GameState": {"mcp/models.py", "play/messages.py"},
    "Joined": {"play/events.py", "server/models.py"},
    "Move": {"rules/moves.py", "server/clientmessages.py"},
    "Rematch": {"play/commands.py", "play/messages.py", "server/clientmessages.py"},
    "Replay": {"mcp/models.py", "server/models.py"},
    "Result": {"play/messages.py", "record.py"},
    "Share": {"play/shares.py", "server/clientmessages.py"},
    "Takeback": {"play/messages.py", "server/clientmessages.py"},
    "Words": {"play/messages.py", "words/__init__.py"},
}
"""Names of messages and of the server that still have two meanings. The list only gets shorter:
rename one of the two, and take the line out."""


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
    new = {name: found for name, found in _twice().items() if found - STILL_TWICE.get(name, set())}
    assert not new, f"give one of each another name: {new}"


def test_names_that_have_become_unique_leave_the_list() -> None:
    assert {name: _twice().get(name) for name in STILL_TWICE} == STILL_TWICE
