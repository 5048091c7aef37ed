"""The catalogue: every language says everything, with the blanks that the code fills, and no
sentence stands anywhere else."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import cabochon
from cabochon.rules import NOBLES
from cabochon.words import ENGLISH, languages, texts_of

SOURCES = Path(cabochon.__file__).parent
WORDS = SOURCES / "words"
CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
NOT_IN_THE_CATALOGUE = {
    "notation/moves.py": "reads moves that are typed in Chinese: a grammar, not a sentence",
    "render/width.py": "punctuation that no line may begin with",
}
THE_SAME_IN_CHINESE = {
    "arena.column-error": "a symbol and a number",
    "arena.verdict-elo": "a number",
    "terminal.board.no-points": "nothing",
}


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


# Languages say the same things


@pytest.mark.parametrize("lang", languages())
def test_every_language_has_the_same_keys_in_the_same_order(lang: str) -> None:
    assert list(texts_of(lang)) == list(texts_of(ENGLISH))


@pytest.mark.parametrize("lang", languages())
def test_every_language_leaves_the_same_blanks(lang: str) -> None:
    theirs = {key: blanks(text) for key, text in texts_of(lang).items()}
    assert theirs == {key: blanks(text) for key, text in texts_of(ENGLISH).items()}


def test_the_chinese_is_chinese_and_the_english_is_not() -> None:
    english, chinese = texts_of("en"), texts_of("zh")
    same = {key for key in english if not CHINESE.search(chinese[key])}
    assert same - {"lists.sentences"} == set(THE_SAME_IN_CHINESE)
    assert [key for key in english if CHINESE.search(english[key])] == ["mcp.notation"]


@pytest.mark.parametrize("lang", languages())
def test_no_two_areas_have_an_error_of_the_same_code(lang: str) -> None:
    areas = tomllib.loads((WORDS / f"{lang}.toml").read_text("utf-8"))["errors"]
    codes = Counter(code for area in areas.values() for code in area)
    assert [code for code, times in codes.items() if times > 1] == []


def test_the_english_names_of_nobles_are_those_of_the_rules() -> None:
    assert {noble.code: noble.name for noble in NOBLES} == {
        key.removeprefix("nobles."): name
        for key, name in texts_of(ENGLISH).items()
        if key.startswith("nobles.")
    }


# What the code says is in the catalogue


@cache
def sources() -> dict[str, ast.Module]:
    return {
        str(path.relative_to(SOURCES)): ast.parse(path.read_text("utf-8"))
        for path in sorted(SOURCES.rglob("*.py"))
    }


def calls() -> Iterator[tuple[str, ast.Call]]:
    for path, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield f"{path}:{node.lineno}", node


def given(call: ast.Call) -> set[str] | None:
    """The names of the parameters; None when some are not written out."""
    names = {each.arg for each in call.keywords}
    return None if None in names else {name for name in names if name}


def called(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2].strip("_")


def literal(call: ast.Call) -> str | None:
    first = call.args[0] if call.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


@cache
def looking_up(path: str) -> set[str]:
    """What a module has from the catalogue: `text` is also SQLAlchemy's, and a method of errors."""
    return {
        alias.name
        for node in ast.walk(sources()[path])
        if isinstance(node, ast.ImportFrom) and node.module == "cabochon.words"
        for alias in node.names
    }


def key_of(where: str, call: ast.Call) -> str | None:
    """The key that a call looks up, where it is written out."""
    key, name = literal(call), called(call)
    if name == "text" and not isinstance(call.func, ast.Name):
        return None
    if key is None or name not in ("text", "template", "words", "say", "in_all_languages"):
        return None
    if name in ("text", "template", "in_all_languages"):
        return key if name in looking_up(where.partition(":")[0]) else None
    if name == "words":
        return f"terminal.{key}"
    return next((f"{area}.{key}" for file, area in SAYING.items() if where.startswith(file)), None)


SAYING = {
    "notation/turns.py": "turns",
    "play/staging.py": "log",
    "render/plain.py": "plain",
    "render/": "picture",
    "cli/admin": "admin",
    "mcp/": "mcp",
}
"""What `say` looks up where."""


def test_every_sentence_that_the_code_asks_for_is_there_and_gets_its_blanks_filled() -> None:
    looked_up = [(where, key, call) for where, call in calls() if (key := key_of(where, call))]
    wrong = []
    for where, key, call in looked_up:
        text = texts_of(ENGLISH).get(key)
        if text is None:
            wrong.append(f"{where}: no text {key}")
        elif called(call) != "template" and (names := given(call)) is not None:
            needed = blanks(text) - (
                {"lifetime", "levels", "variants"} if key.startswith("mcp.") else set()
            )
            if not needed <= names:
                wrong.append(f"{where}: {key} wants {needed}, gets {names}")
    assert wrong == []
    assert len(looked_up) > 250


def faults() -> dict[str, type[StrEnum]]:
    """Every enumeration of codes, by name."""
    found: dict[str, type[StrEnum]] = {}
    for path, tree in sources().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and re.fullmatch(r"\w+Fault|Refusal", node.name):
                module = "cabochon." + path.removesuffix(".py").replace("/", ".")
                kind = getattr(importlib.import_module(module), node.name)
                if issubclass(kind, StrEnum):
                    found[node.name] = kind
    return found


def test_every_code_has_its_sentence_and_every_sentence_its_code() -> None:
    codes = {code.value for kind in faults().values() for code in kind}
    sentences = {
        key.removeprefix("errors.") for key in texts_of(ENGLISH) if key.startswith("errors.")
    }
    assert codes == sentences


def test_every_error_is_raised_with_what_its_sentence_names() -> None:
    kinds, wrong, raised = faults(), [], 0
    for where, call in calls():
        first = call.args[0] if call.args else None
        if not isinstance(first, ast.Attribute) or ast.unparse(first.value) not in kinds:
            continue
        code = getattr(kinds[ast.unparse(first.value)], first.attr, None)
        names = given(call)
        if code is None or names is None or len(call.args) > 1 or called(call) in ("get", "append"):
            continue
        raised += 1
        wanted = blanks(texts_of(ENGLISH)[f"errors.{code.value}"])
        if not wanted <= names:
            wrong.append(f"{where}: {code.value} wants {wanted}, gets {names}")
    assert wrong == []
    assert raised > 100


# And nowhere else


def test_no_chinese_stands_in_the_code() -> None:
    found = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if CHINESE.search(path.read_text("utf-8"))
    }
    assert found == set(NOT_IN_THE_CATALOGUE)


def test_no_code_names_the_languages_but_english() -> None:
    """`en` and `zh` of an error, and the two that every message has, are promises to programs."""
    promised = {"rules/errors.py", "recordfaults.py"}
    found = {
        path
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value == "zh"
    }
    assert found == promised


def written_somewhere() -> tuple[set[str], list[re.Pattern[str]]]:
    """Every string in the code, and every f-string as a pattern."""
    plain, patterns = set(), []
    for tree in sources().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                plain.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else "[a-z0-9_-]+"
                    for part in node.values
                ]
                if any(isinstance(part, ast.Constant) for part in node.values):
                    patterns.append(re.compile("".join(parts)))
    return plain, patterns


def test_nothing_in_the_catalogue_is_never_said() -> None:
    plain, patterns = written_somewhere()

    def is_said(key: str) -> bool:
        rest = key.partition(".")[2]
        return any(
            spelling in plain or any(pattern.fullmatch(spelling) for pattern in patterns)
            for spelling in (key, rest)
        )

    assert [key for key in texts_of(ENGLISH) if not is_said(key)] == []
