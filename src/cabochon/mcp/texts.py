"""The resources and prompts: rules, cards, notation, and how to begin."""

from __future__ import annotations

from collections.abc import Iterator

from cabochon.rules import CARDS, NOBLES
from cabochon.rules.sentences import SENTENCES
from cabochon.words import rules_text

NOTATION = """\
# How moves are written

Gems: w white, u blue, g green, r red, k black, o gold.
Cards: level, bonus colour, number: `2u5`. Nobles: colours asked and how many of each: `rk4`.

    take wug         one each of three colours        take rr       two of one colour
    reserve 2u5      a face-up card                   reserve deck2 the top card, unseen
    buy 2u5          with the least gold              buy 2u5 =uuo  with exactly these tokens
    return wo        tokens above ten                 noble rk4     which of several nobles
    pass             only when nothing else is legal

Words work as well: `take white blue green`, `buy 2u5 with 2 blue and gold`, `拿 白蓝绿`.
A turn in one line: `3b 2u5=uuo >2k1 !gr4 -w`: in round 3 the second seat buys 2u5, 2k1 refills
the row, the noble gr4 comes, a white token goes back; `@` reserves, `+o` a gold came, `>?` a card
you may not know.
"""


def cards_text() -> str:
    """All cards and nobles, one a line: code, level, bonus, points, price."""
    return "\n".join(_card_lines()) + "\n"


def _card_lines() -> Iterator[str]:
    yield "code,level,bonus,points,cost"
    for card in CARDS:
        cost = "".join(f"{n}{letter}" for n, letter in zip(card.cost, "wugrk", strict=False) if n)
        yield f"{card.code},{card.level},{card.bonus.letter},{card.points},{cost}"
    yield ""
    yield "noble,name,points,bonuses asked"
    for noble in NOBLES:
        cost = "".join(f"{n}{letter}" for n, letter in zip(noble.cost, "wugrk", strict=False) if n)
        yield f"{noble.code},{noble.name},{noble.points},{cost}"


def rule_sections(lang: str) -> dict[str, str]:
    """The rules by heading, in lower case; `everything` is all of them."""
    text = rules_text(lang)
    sections = {"everything": text}
    for block in text.split("\n## ")[1:]:
        heading, _, body = block.partition("\n")
        sections[heading.strip().lower()] = body.strip()
    return sections


def rule_about(topic: str, lang: str) -> tuple[str, str] | None:
    """The heading and text of what is asked for: a section, a refusal's code, or every paragraph
    of the rules that has the words; None when there is nothing."""
    asked = " ".join(topic.lower().split())
    sections = rule_sections(lang)
    if asked in sections:
        return asked, sections[asked]
    if asked in SENTENCES:
        return asked, SENTENCES[asked][("en", "zh").index(lang)]
    words = [word.rstrip("s") for word in asked.split()]
    found = [
        line
        for line in sections["everything"].splitlines()
        if words and all(word in line.lower() for word in words)
    ]
    return (asked, "\n".join(found)) if found else None


PLAY_PROMPT = (
    """\
Play a game of Splendor with the tools of this server, against {opponent}.
Begin with new_game. Each turn read the board, ask legal_moves if you are not sure, and answer with
play_move. Think about which cards you are collecting for, what your bonuses save, which nobles you
can reach, and what the others are about to buy. Go on until the game is over, then say who won and
what decided it.""",
    """\
用这个服务器的工具与 {opponent} 下一局《璀璨宝石》。
从 new_game 开始。每回合先看牌桌，没有把握就用 legal_moves，然后用 play_move 行动。
想一想你在为哪些牌收集筹码，你的加成能省下什么，哪些贵族够得着，别人将要买什么。
一直下到游戏结束，然后说明谁赢了、胜负在哪里决定。""",
)

REVIEW_PROMPT = (
    """\
Review this game of Splendor. Name the turns that decided it, what each side was collecting for, and
one better move for the loser; the resources cabochon://rules/en and cabochon://notation explain the
rules and the notation.

{record}""",
    """\
复盘这局《璀璨宝石》。指出决定胜负的回合、各方在收集什么，以及输方可以走得更好的一步；
资源 cabochon://rules/zh 和 cabochon://notation 说明规则和记谱法。

{record}""",
)
