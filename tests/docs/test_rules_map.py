"""docs/rules.md is a map: every clause leads to tests that exist, and every test of the rules
stands under a clause."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from cabochon.rules.errors import ArgumentFault, DealFault, Refusal, RulesetFault, SetupFault
from cabochon.words import template

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs" / "rules.md").read_text("utf-8")

CLAUSE = re.compile(r"^- \*\*([a-z-]+\.[a-z-]+)\*\* ", re.MULTILINE)
LINK = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
ROW = re.compile(r"^\| `([a-z-]+)` \| ([a-z.-]+) \| (.*) \|$", re.MULTILINE)

Link = tuple[str, str]


def clauses() -> dict[str, list[Link]]:
    """The tests under each clause."""
    starts = [*CLAUSE.finditer(RULES)]
    ends = [*(match.start() for match in starts[1:]), len(RULES)]
    return {
        match[1]: LINK.findall(RULES[match.start() : end])
        for match, end in zip(starts, ends, strict=True)
    }


def functions_in(path: Path) -> set[Link]:
    tree = ast.parse(path.read_text("utf-8"))
    name = path.relative_to(ROOT).as_posix()
    return {
        (name, node.name)
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_clause_has_an_id_of_its_own_and_a_test() -> None:
    ids = CLAUSE.findall(RULES)
    assert len(ids) > 50
    assert [clause for clause, times in Counter(ids).items() if times > 1] == []
    assert [clause for clause, tests in clauses().items() if not tests] == []


@pytest.mark.parametrize("clause", sorted(clauses()))
def test_every_test_that_a_clause_names_exists(clause: str) -> None:
    for path, name in clauses()[clause]:
        assert (ROOT / path).is_file(), f"{clause}: there is no {path}"
        assert (path, name) in functions_in(ROOT / path), f"{clause}: there is no {path}::{name}"


def test_every_test_of_the_rules_stands_under_a_clause() -> None:
    named = set(LINK.findall(RULES))
    for path in sorted((ROOT / "tests" / "rules").glob("test_*.py")):
        assert sorted(functions_in(path) - named) == []


def test_every_bullet_of_the_rules_is_a_clause_or_a_test() -> None:
    """A rule that somebody adds without an id would be a clause that nothing proves."""
    for line in RULES.splitlines():
        if line.lstrip().startswith("- "):
            assert CLAUSE.match(line) or LINK.search(line), line


def test_every_code_is_in_the_table_with_its_sentence_and_a_clause() -> None:
    rows = {code: (clause, sentence) for code, clause, sentence in ROW.findall(RULES)}
    kinds = (Refusal, DealFault, RulesetFault, SetupFault, ArgumentFault)
    codes = [code.value for kind in kinds for code in kind]
    assert list(rows) == codes
    for code, (clause, sentence) in rows.items():
        assert sentence == template(f"errors.{code}", "en")
        assert clause in clauses()
