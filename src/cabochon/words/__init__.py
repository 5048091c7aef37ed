"""Everything that Cabochon says, one file per language: `en.toml`, `zh.toml`, and `rules.*.md`.

    text("log.back", "en")                         one sentence
    text("terminal.play.order", "zh", names="…")   with its blanks filled
    in_all_languages("variants.quick")             {"en": …, "zh": …}, as messages carry it

A key is the path in the file. Errors are found by their code alone, no matter who raises them: the
code `wrong-seat` under `[errors.rules]` is `errors.wrong-seat`. What a language lacks is said in
English. A new language is a new file here, or in the folder that the environment variable
CABOCHON_WORDS names; no code knows which languages there are.

This is the lowest storey: the standard library and nothing else, and no file is read before
somebody speaks.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import ParamSpec, cast

P = ParamSpec("P")

ENGLISH = "en"
FOLDER = "CABOCHON_WORDS"
MOST_REMEMBERED = 4096

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")


def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    return tuple(_files())


def language_like(tag: str) -> str | None:
    """The language that `zh`, `zh-CN` or `zh_TW.UTF-8` asks for; None when we don't speak it."""
    asked = re.split(r"[.@]", tag.strip().lower().replace("_", "-"))[0]
    return next((each for each in (asked, asked.partition("-")[0]) if each in _files()), None)


def text(key: str, lang: str, /, **params: object) -> str:
    """What the key says in that language, its blanks filled. Raises KeyError for a key that nobody
    wrote, or a blank that is left empty."""
    return template(key, lang).format(**params)


def template(key: str, lang: str) -> str:
    """As `text`, with the blanks still open."""
    found = texts_of(lang).get(key)
    return texts_of(ENGLISH)[key] if found is None else found


def in_all_languages(key: str, /, **params: object) -> dict[str, str]:
    """What the key says, by language."""
    return {lang: text(key, lang, **params) for lang in languages()}


def colour_name(letter: str, lang: str) -> str:
    """`white` for w."""
    return template(f"colours.{letter}", lang)


@cache
def texts_of(lang: str) -> Mapping[str, str]:
    """Every text of that language by its key; none for a language that nobody wrote."""
    path = _files().get(lang)
    return {} if path is None else dict(_flat(tomllib.loads(path.read_text("utf-8"))))


def _flat(table: Mapping[str, object], path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, (*path, name))
        else:
            where = path[:1] if path[:1] == ("errors",) else path
            yield ".".join((*where, name)), str(value)


@cache
def _files() -> Mapping[str, Path]:
    """The file of each language; ours come before those of the folder in the environment."""
    folders = [Path(__file__).parent]
    if os.environ.get(FOLDER):
        folders.append(Path(os.environ[FOLDER]))
    files = {ENGLISH: folders[0] / f"{ENGLISH}.toml"}
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            if _LANGUAGE.fullmatch(path.stem):
                files.setdefault(path.stem, path)
    return files


def until_forgotten(said: Callable[P, str]) -> Callable[P, str]:
    """Decorator: what was put into words once is found again, until the files are read anew."""
    kept = lru_cache(maxsize=MOST_REMEMBERED)(said)
    _remembered.append(kept.cache_clear)
    return cast(Callable[P, str], kept)


_remembered: list[Callable[[], None]] = []


def forget() -> None:
    """Read the files anew when somebody next speaks: for tests, and for translators at work."""
    texts_of.cache_clear()
    _files.cache_clear()
    for clear in _remembered:
        clear()


class Words:
    """One language, in one area of the catalogue: `Words("zh")("board.left", count=3)`. Raises
    ValueError for a language that nobody wrote, KeyError for what there are no words for."""

    def __init__(self, lang: str = ENGLISH, area: str = "terminal") -> None:
        if lang not in languages():
            raise ValueError(f"no language {lang}; there are {', '.join(languages())}")
        self.lang = lang
        self._area = area

    def __call__(self, key: str, /, **params: object) -> str:
        return text(f"{self._area}.{key}", self.lang, **params)

    def colour(self, letter: str) -> str:
        return colour_name(letter, self.lang)


def spoken(environment: Mapping[str, str]) -> str:
    """The language that the user's environment asks for; English when it is none of ours."""
    asked = next(
        (environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)),
        "",
    )
    return language_like(asked) or ENGLISH


def rules_text(lang: str) -> str:
    """The rules of the game, complete, as Markdown; in English where nobody translated them."""
    file = _files().get(lang, _files()[ENGLISH])
    own = file.with_name(f"rules.{file.stem}.md")
    return (own if own.exists() else Path(__file__).with_name("rules.en.md")).read_text("utf-8")
