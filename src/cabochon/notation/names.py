"""What the nobles are called."""

from __future__ import annotations

from cabochon.notation.writing import writer
from cabochon.rules import Noble
from cabochon.rules.errors import wrong
from cabochon.words import ENGLISH, languages, text


@writer("noble", Noble)
def noble_name(noble: Noble, language: str = ENGLISH) -> str:
    """What the noble is called in that language. Raises WrongArgument."""
    if language not in languages():
        raise wrong("language", "language", language)
    return text(f"nobles.{noble.code}", language)
