"""How a refusal fills its sentence; the sentences themselves are in `cabochon.words`.

A parameter called `colour` is a gem letter and is printed as a word; `gems` is a run of letters
(`wwo`) and is printed as counts; `phase`, `kind` and `wanted` are printed in the reader's language.

Whatever a parameter holds, a sentence is at most 300 characters, all of which can be seen: control
characters, direction marks, invisible ones and halves of characters are escaped.
"""

from __future__ import annotations

from collections.abc import Mapping

from cabochon.words import colour_name, template

LONGEST_SENTENCE = 300
_PRINTED = 10**30
"""From here on a number is too long for a sentence."""

_TRANSLATED = {"wanted": "wanted", "phase": "phases", "kind": "kinds", "colour": "colours"}
"""Parameters whose values are keys of the catalogue, and of which area."""


def sentence(key: str, language: str, params: Mapping[str, int | str]) -> str:
    """What the key of the catalogue says in that language, in at most 300 characters."""
    words = {name: _word(name, value, language) for name, value in params.items()}
    return clipped(template(key, language).format(**words), LONGEST_SENTENCE)


def printable(text: str) -> str:
    """The same text with everything that cannot be seen escaped."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def clipped(text: str, most: int) -> str:
    """At most that many characters; an ellipsis stands for the rest."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _word(name: str, value: int | str, language: str) -> int | str:
    if isinstance(value, int):
        return value if -_PRINTED < value < _PRINTED else type(value).__name__
    if name in _TRANSLATED:
        return template(f"{_TRANSLATED[name]}.{value}", language)
    if name == "gems":
        return _counts(value, language)
    return printable(value)


def _counts(letters: str, language: str) -> str:
    parts = [f"{letters.count(c)} {colour_name(c, language)}" for c in "wugrko" if c in letters]
    return template("lists.comma", language).join(parts) or "-"
