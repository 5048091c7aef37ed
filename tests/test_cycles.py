"""No module needs itself in the end, not even for its types."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import cabochon

SOURCES = Path(cabochon.__file__).parent


def _module(path: Path) -> str:
    parts = path.relative_to(SOURCES.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """What is imported with the module, and what only a type checker imports (`if TYPE_CHECKING`);
    not what a function imports when it is called."""
    for node in body:
        yield node
        for nested in ("body", "orelse", "handlers", "finalbody"):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield from _statements(getattr(node, nested, []))


def _imported(source: str, known: set[str]) -> Iterator[str]:
    for node in _statements(ast.parse(source).body):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                yield submodule if submodule in known else node.module


def _graph() -> dict[str, set[str]]:
    sources = {_module(path): path.read_text("utf-8") for path in SOURCES.rglob("*.py")}
    known = set(sources)
    return {
        module: {name for name in _imported(source, known) if name in known}
        for module, source in sources.items()
    }


def _cycle(graph: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other_even_for_types() -> None:
    graph = _graph()
    assert len(graph) > 200
    assert any(graph.values())
    assert _cycle(graph) == []


def test_an_import_for_types_alone_counts() -> None:
    known = {"cabochon.hub", "cabochon.part"}
    hub = set(_imported("from cabochon.part import Part", known))
    for_types = "if TYPE_CHECKING:\n    from cabochon.hub import Hub"
    part = set(_imported(for_types, known))
    assert _cycle({"cabochon.hub": hub, "cabochon.part": part}) != []
