"""Both languages say the same things, and the rules text says them all."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from cabochon.cli import VERBS
from cabochon.cli.entry import COMMANDS
from cabochon.record import Reason
from cabochon.render.width import width
from cabochon.rules import VARIANTS
from cabochon.words import LANGUAGES, Words, rules_text, spoken
from cabochon.words.en import CATALOGUE as ENGLISH
from cabochon.words.zh import CATALOGUE as CHINESE


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_both_languages_have_the_same_keys_in_the_same_order() -> None:
    assert list(ENGLISH) == list(CHINESE)


@pytest.mark.parametrize("key", list(ENGLISH))
def test_both_languages_fill_the_same_blanks(key: str) -> None:
    assert blanks(ENGLISH[key]) == blanks(CHINESE[key])


def test_the_chinese_is_chinese() -> None:
    """Only what is no word at all may be the same."""
    same = [key for key in ENGLISH if ENGLISH[key] == CHINESE[key] and ENGLISH[key].strip()]
    assert same == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_verb_variant_and_reason_has_its_words(lang: str) -> None:
    words = Words(lang)
    for key in (
        *(f"verb.{verb}" for verb in VERBS),
        *(f"variant.{variant}" for variant in VARIANTS),
        *(f"over.{reason}" for reason in Reason),
    ):
        assert words(key)


@pytest.mark.parametrize("lang", LANGUAGES)
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
    for lang in LANGUAGES:
        assert re.search(rf"(?<!\d){number}(?!\d)", rules_text(lang)), lang
