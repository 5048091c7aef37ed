"""One language at a time: choosing it, the terminal in it, and the rules as a text."""

from __future__ import annotations

import re

import pytest

from cabochon.cli import VERBS
from cabochon.cli.entry import COMMANDS
from cabochon.record import Reason
from cabochon.render.width import width
from cabochon.rules import VARIANTS
from cabochon.words import Words, languages, rules_text, spoken


@pytest.mark.parametrize("lang", languages())
def test_every_verb_variant_and_reason_has_its_words(lang: str) -> None:
    words = Words(lang)
    for key in (
        *(f"verb.{verb}" for verb in VERBS),
        *(f"variant.{variant}" for variant in VARIANTS),
        *(f"over.{reason}" for reason in Reason),
    ):
        assert words(key)


@pytest.mark.parametrize("lang", languages())
def test_the_help_at_the_prompt_fits_and_names_every_command(lang: str) -> None:
    text = Words(lang)("play.help")
    assert all(width(line) <= 80 for line in text.splitlines())
    for name in COMMANDS:
        assert name in text or name == "help"


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="no language fr; there are en, zh"):
        Words("fr")


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LC_ALL": "", "LANG": "zh"}, "zh"),
    ],
)
def test_the_environment_says_the_language(environment: dict[str, str], lang: str) -> None:
    assert spoken(environment) == lang


# The rules for people


def test_both_rules_texts_have_the_same_shape() -> None:
    def shape(lang: str) -> list[str]:
        lines = rules_text(lang).splitlines()
        return [re.match(r"#*|- ", line)[0] for line in lines]  # type: ignore[index]

    assert shape("en") == shape("zh")


@pytest.mark.parametrize("number", ["90", "40", "30", "20", "15", "10", "3", "0"])
def test_both_rules_texts_name_the_same_numbers(number: str) -> None:
    for lang in languages():
        assert re.search(rf"(?<!\d){number}(?!\d)", rules_text(lang)), lang
