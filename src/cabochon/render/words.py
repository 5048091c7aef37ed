"""What pictures say, in English and in Chinese."""

from __future__ import annotations

from cabochon.notation import noble_name
from cabochon.rules.cards import Card, Noble
from cabochon.rules.gems import COLOURS, Gems
from cabochon.rules.sentences import COLOUR_NAMES, LANGUAGES

WORDS: dict[str, tuple[str, str]] = {
    "players": ("{n} players", "{n} 人局"),
    "teams": ("two against two", "二对二"),
    "target": ("to {n}", "{n} 分"),
    "round": ("round {n}", "第 {n} 轮"),
    "last-round": ("last round", "最后一轮"),
    "seat": ("Seat {n}", "{n} 号位"),
    "you": ("You", "你"),
    "act": ("take tokens, buy or reserve", "拿筹码、买牌或保留"),
    "deal": ("waits for a card", "等待发牌"),
    "noble": ("choose a noble", "选择一位贵族"),
    "return": ("give back {n}", "归还 {n} 枚筹码"),
    "over": ("Game over", "对局结束"),
    "you-win": ("You win, {points} points", "你获胜，{points} 分"),
    "wins": ("{who} wins, {points} points", "{who} 获胜，{points} 分"),
    "team-wins": ("{who} win, {points} points", "{who} 获胜，{points} 分"),
    "shared": ("{who} share the victory, {points} points", "{who} 共享胜利，{points} 分"),
    "and": (" and ", "与"),
    "left": ("left", "张"),
    "pay": ("pay", "付"),
    "free": ("free", "免费"),
    "short": ("short", "还差"),
    "tokens": ("Tokens", "筹码"),
    "bonuses": ("Bonuses", "加成"),
    "points": ("{n} points", "{n} 分"),
    "cards": ("Cards", "牌"),
    "bank": ("Bank: {gems}", "银行：{gems}"),
    "deck": ("Deck of level {level}: {n} left", "{level} 级牌堆：剩 {n} 张"),
    "hidden": ("A hidden card of level {level}", "一张未知的 {level} 级牌"),
    "claimed": (", visited {who}", "，已归 {who}"),
    "nothing": ("nothing", "无"),
    "card": (
        "{code}: level {level}, {bonus} bonus, {points} points, costs {cost}",
        "{code}：{level} 级，{bonus}加成，{points} 分，价格 {cost}",
    ),
    "asks": ("{name}: {points} points for {cost}", "{name}：{points} 分，需要 {cost}"),
    "hand": (
        "{who}: {points} points, bonuses {bonuses}, tokens {tokens}, {reserved} reserved",
        "{who}：{points} 分，加成 {bonuses}，筹码 {tokens}，保留 {reserved} 张",
    ),
}


def say(key: str, lang: str, **params: object) -> str:
    """The words of that key. Raises ValueError for a language there is none of."""
    return WORDS[key][LANGUAGES.index(lang)].format(**params)


def gems_in_words(gems: Gems, lang: str) -> str:
    names = COLOUR_NAMES[lang]
    parts = [f"{n} {name}" for n, name in zip(gems, names.values(), strict=True) if n]
    return ("，" if lang == "zh" else ", ").join(parts) or say("nothing", lang)


def card_in_words(card: Card, lang: str) -> str:
    return say(
        "card",
        lang,
        code=card.code,
        level=card.level,
        bonus=COLOUR_NAMES[lang][card.bonus.letter],
        points=card.points,
        cost=gems_in_words(card.cost, lang),
    )


def noble_in_words(noble: Noble, lang: str) -> str:
    cost = gems_in_words(Gems(*(noble.cost[c] for c in COLOURS)), lang)
    name = noble_name(noble, lang)
    return say("asks", lang, name=name, points=noble.points, cost=cost)
