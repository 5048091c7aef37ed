"""What the terminal says, in English and in Chinese, and the rules as a text for people.

Refusals have their own home in `rules/sentences.py`; everything else that a person reads on a
terminal is here, one catalogue a language, with the same keys and the same blanks to fill.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module, resources
from typing import Protocol

from cabochon.rules.errors import CabochonError
from cabochon.rules.sentences import COLOUR_NAMES, LANGUAGES

__all__ = ["LANGUAGES", "Words", "rules_text", "spoken"]


class Bilingual(Protocol):
    """Something with a sentence in each language."""

    @property
    def en(self) -> str: ...
    @property
    def zh(self) -> str: ...


class Words:
    """One language: `words("board.left", count=3)`. Raises KeyError for what it has no words."""

    def __init__(self, lang: str = "en") -> None:
        if lang not in LANGUAGES:
            raise ValueError(f"no language {lang}; there are {', '.join(LANGUAGES)}")
        self.lang = lang
        catalogue: dict[str, str] = import_module(f"cabochon.words.{lang}").CATALOGUE
        self._catalogue = catalogue

    def __call__(self, key: str, /, **params: object) -> str:
        return self._catalogue[key].format(**params)

    def colour(self, letter: str) -> str:
        return COLOUR_NAMES[self.lang][letter]

    def refusal(self, error: CabochonError) -> str:
        """What an error says in this language."""
        return self.said(error)

    def said(self, thing: Bilingual) -> str:
        """What anything that speaks both languages says in this one."""
        return thing.zh if self.lang == "zh" else thing.en


def spoken(environment: Mapping[str, str]) -> str:
    """The language that the user's environment asks for; English when it is none of ours."""
    asked = next(
        (environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)),
        "",
    )
    return "zh" if asked.lower().startswith("zh") else "en"


def rules_text(lang: str) -> str:
    """The rules of the game, complete, as Markdown."""
    return resources.files("cabochon.words").joinpath(f"rules.{lang}.md").read_text("utf-8")
