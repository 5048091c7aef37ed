"""One sentence a code, in English and in Chinese: the only home of what a refusal says.

A parameter called `colour` is a gem letter and is printed as a word; `gems` is a run of letters
(`wwo`) and is printed as counts; `phase`, `kind` and `wanted` are printed in the reader's language.

Whatever a parameter holds, a sentence is at most 300 characters, all of which can be seen: control
characters, direction marks, invisible ones and halves of characters are escaped.
"""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("en", "zh")
LONGEST_SENTENCE = 300
_PRINTED = 10**30
"""From here on a number is too long for a sentence."""

COLOUR_NAMES = {
    "en": dict(zip("wugrko", ("white", "blue", "green", "red", "black", "gold"), strict=True)),
    "zh": dict(zip("wugrko", ("白色", "蓝色", "绿色", "红色", "黑色", "黄金"), strict=True)),
}

_PHASES = {
    "en": {
        "act": "take tokens, reserve, buy or pass",
        "deal": "wait for a card to be dealt",
        "noble": "choose a noble",
        "return": "give back tokens",
        "over": "nothing, the game is over",
    },
    "zh": {
        "act": "拿筹码、保留、买牌或跳过",
        "deal": "等待发牌",
        "noble": "选择一位贵族",
        "return": "归还筹码",
        "over": "无，游戏已结束",
    },
}

_WANTED = {
    "whole": ("a whole number", "整数"),
    "count": ("a whole number of 0 or more", "不小于 0 的整数"),
    "seconds": ("a number of seconds, 0 or more", "不小于 0 的秒数"),
    "flag": ("True or False", "True 或 False"),
    "text": ("text", "文本"),
    "texts": ("a list of texts", "文本列表"),
    "language": ("en or zh", "en 或 zh"),
    "json": ("what JSON can hold", "JSON 能表示的内容"),
    "gems": ("six counts of gems", "六种筹码的数量"),
    "letters": ("the letters w u g r k o", "字母 w u g r k o"),
    "card": ("a card of the game", "游戏中的牌"),
    "noble": ("a noble of the game", "游戏中的贵族"),
    "rows": ("three rows of cards", "三行牌"),
    "nobles": ("nobles of the game", "游戏中的贵族"),
    "hands": ("hands with tokens, cards and nobles", "各家的筹码、牌与贵族"),
    "phase": ("a phase", "阶段"),
    "place": ("a place to deal to, or None", "待发牌的位置或 None"),
    "ruleset": ("a ruleset", "规则"),
    "opening": ("an opening", "开局"),
    "start": ("an opening or a position", "开局或局面"),
    "decks": ("three decks of cards", "三个牌堆"),
    "position": ("a position", "局面"),
    "table": ("a position or a view", "局面或视图"),
    "setup": ("a position or a set-up", "局面或布置"),
    "view": ("a view", "视图"),
    "dealer": ("a dealer", "发牌者"),
    "event": ("a move or a deal", "行动或发牌"),
    "events": ("moves and deals", "行动与发牌"),
    "turn": ("a turn", "回合"),
    "record": ("a record", "棋谱"),
    "records": ("records", "棋谱"),
    "players": ("a tuple of names", "玩家名（元组）"),
    "headers": ("names and texts", "名称与文本"),
    "comments": ("texts by ply", "按步数标注的文本"),
    "result": ("a result", "结果"),
    "reason": ("a reason for the end", "结束的原因"),
    "ranking": ("a tuple of ranks", "名次（元组）"),
    "version": ("a version number", "版本号"),
    "limit": ("a limit with seconds, visits and seed", "带有 seconds、visits、seed 的限制"),
    "command": ("a command line", "命令行"),
    "options": ("options by name", "按名称给出的选项"),
    "array": ("an array of that shape", "该形状的数组"),
    "rulesets": ("a ruleset or a list of them", "规则或规则列表"),
    "autoreset": ("one of the Autoreset values", "Autoreset 的取值之一"),
}

SENTENCES: dict[str, tuple[str, str]] = {
    # moves
    "unknown-move": ("That is not a kind of move: {what}.", "没有这种行动：{what}。"),
    "game-over": ("The game is over.", "游戏已经结束。"),
    "wrong-seat": (
        "It is seat {expected}'s turn, not seat {seat}'s.",
        "现在轮到 {expected} 号座位，而不是 {seat} 号。",
    ),
    "wrong-phase": (
        "Not now: what is expected is to {phase}.",
        "现在不行：此时应当{phase}。",
    ),
    "bad-amount": (
        "Amounts are whole numbers from 0 to {most}; {colour} has {amount}.",
        "数量须为 0 到 {most} 的整数；{colour}是 {amount}。",
    ),
    "unknown-card": ("There is no card {card}.", "没有编号为 {card} 的牌。"),
    "unknown-deck": (
        "There is no deck {level}; decks are 1, 2 and 3.",
        "没有牌堆 {level}；牌堆只有 1、2、3。",
    ),
    "unknown-noble": ("There is no noble {noble}.", "没有编号为 {noble} 的贵族。"),
    "take-gold": (
        "Gold cannot be taken; it comes only with a reserved card.",
        "不能直接拿黄金；黄金只随保留的牌而来。",
    ),
    "take-nothing": ("Take at least one token.", "至少要拿一枚筹码。"),
    "take-mixed": (
        "Take tokens of different colours, or two of one colour, not both: {gems}.",
        "要么各拿不同颜色，要么拿两枚同色，不能混合：{gems}。",
    ),
    "take-too-many": (
        "At most three different colours, or two of one colour: {gems}.",
        "最多拿三种不同颜色，或两枚同色：{gems}。",
    ),
    "take-too-few": (
        "Take {expected} different colours: the bank has them.",
        "应拿 {expected} 种不同颜色：银行里有。",
    ),
    "take-scarce": (
        "By these rules three different colours must be in the bank; there are only {colours}.",
        "按此规则银行须有三种颜色才可拿取；现在只有 {colours} 种。",
    ),
    "take-empty": ("The bank has no {colour} token.", "银行里没有{colour}筹码。"),
    "take-two-needs-four": (
        "Two of a colour need four in the bank; {colour} has {count}.",
        "同色拿两枚需库存至少四枚；{colour}只有 {count} 枚。",
    ),
    "reserve-limit": ("You already hold three reserved cards.", "你已有三张保留牌。"),
    "reserve-not-face-up": (
        "Card {card} does not lie face up on the table.",
        "牌 {card} 不在桌面的明牌中。",
    ),
    "deck-empty": ("Deck {level} is empty.", "等级 {level} 的牌堆已空。"),
    "buy-not-there": (
        "Card {card} is neither face up on the table nor among your reserved cards.",
        "牌 {card} 既不在桌面明牌中，也不在你的保留牌中。",
    ),
    "buy-too-dear": (
        "Card {card} costs {missing} more than you can pay, gold included.",
        "买牌 {card} 还差 {missing} 枚，黄金已计入。",
    ),
    "payment-not-held": (
        "You have {held} {colour}, not {asked}.",
        "你只有 {held} 枚{colour}，不是 {asked} 枚。",
    ),
    "payment-too-much": (
        "That pays more than card {card} costs you: no change is given.",
        "支付超过了牌 {card} 的价格：不找零。",
    ),
    "payment-too-little": (
        "That pays {missing} too little for card {card}.",
        "买牌 {card} 还少付 {missing} 枚。",
    ),
    "noble-not-pending": (
        "No noble is waiting to be chosen.",
        "现在没有需要选择的贵族。",
    ),
    "noble-not-offered": (
        "Noble {noble} does not wish to visit you now.",
        "贵族 {noble} 此时不愿来访。",
    ),
    "return-not-pending": (
        "No token has to be given back now.",
        "现在不需要归还筹码。",
    ),
    "return-too-few": (
        "Give back {expected}, not {given}: ten may be kept.",
        "应归还 {expected} 枚，而不是 {given} 枚：最多持有十枚。",
    ),
    "return-too-many": (
        "Give back only {expected}, not {given}.",
        "只需归还 {expected} 枚，而不是 {given} 枚。",
    ),
    "return-not-held": (
        "You cannot give back {asked} {colour}: you have {held}.",
        "无法归还 {asked} 枚{colour}：你只有 {held} 枚。",
    ),
    "pass-not-forced": (
        "Passing is allowed only when nothing else is possible.",
        "只有在没有任何其他行动可选时才能跳过。",
    ),
    # deals
    "deal-not-pending": ("No card has to be dealt now.", "现在不需要发牌。"),
    "deal-wrong-level": (
        "A card of level {expected} is due; {card} is of level {level}.",
        "应发等级 {expected} 的牌；{card} 是等级 {level}。",
    ),
    "deal-not-in-deck": ("Card {card} is no longer in its deck.", "牌 {card} 已不在牌堆中。"),
    "not-a-deal": ("A deal names one card; this is {what}.", "发牌应指明一张牌，而不是 {what}。"),
    "bad-opening": (
        "The opening needs {expected} different {kind}.",
        "开局需要 {expected} 张不同的{kind}。",
    ),
    "script-empty": (
        "The script has no card of level {level} left.",
        "脚本中已没有等级 {level} 的牌。",
    ),
    # rulesets
    "seats-out-of-range": (
        "The game is for 2 to 4 players, not {seats}.",
        "本游戏为 2 至 4 人，不能是 {seats} 人。",
    ),
    "unknown-variant": (
        "There is no variant {variant}; there are {known}.",
        "没有变体 {variant}；可选 {known}。",
    ),
    "cities-not-supported": (
        "The Cities expansion is not supported.",
        "不支持城市（Cities）扩展。",
    ),
    "teams-need-four": (
        "Teams need four players, not {seats}.",
        "团队模式需要四人，不能是 {seats} 人。",
    ),
    "target-out-of-range": (
        "The target is from 1 to 50 points, not {target}.",
        "目标分须为 1 到 50，不能是 {target}。",
    ),
    "row-width-out-of-range": (
        "A row has 1 to 4 cards, not {width}.",
        "每行须为 1 到 4 张牌，不能是 {width}。",
    ),
    "not-a-ruleset": (
        "Cannot read {text} as a ruleset; write for example standard/2 or quick/3:scarce=no.",
        "无法读作规则：{text}；例如可写 standard/2 或 quick/3:scarce=no。",
    ),
    "not-a-switch": (
        "{option} is either True or False, not {given}.",
        "{option} 只能是 True 或 False，不能是 {given}。",
    ),
    # set-ups
    "part-type": (
        "In this set-up {part} should be {wanted}, not {given}.",
        "此布置中的 {part} 应为{wanted}，而不是 {given}。",
    ),
    "hands-count": (
        "There are {count} hands for {seats} seats.",
        "{seats} 个座位却有 {count} 份持有物。",
    ),
    "tokens-negative": (
        "{owner} has a negative or non-integer number of {colour} tokens.",
        "{owner} 的{colour}筹码数量为负或不是整数。",
    ),
    "tokens-lost": (
        "There are {count} {colour} tokens in all; the game has {expected}.",
        "{colour}筹码共 {count} 枚；应有 {expected} 枚。",
    ),
    "tokens-over-limit": (
        "Seat {seat} holds {count} tokens; at most {most} are possible here.",
        "{seat} 号座位持有 {count} 枚筹码；此时最多 {most} 枚。",
    ),
    "row-shape": (
        "Level {level} shows {count} places; the rules have {expected}.",
        "等级 {level} 有 {count} 个牌位；应有 {expected} 个。",
    ),
    "row-level": (
        "Card {card} lies in the row of level {level}.",
        "牌 {card} 摆在了等级 {level} 的一行。",
    ),
    "row-hole": (
        "Level {level} has an empty place though its deck has cards.",
        "等级 {level} 有空位，但牌堆中还有牌。",
    ),
    "card-twice": ("Card {card} is in two places.", "牌 {card} 出现在两处。"),
    "card-hidden": (
        "Seat {seat} has a reserved card that is not known.",
        "{seat} 号座位有一张未知的保留牌。",
    ),
    "reserved-limit": (
        "Seat {seat} holds {count} reserved cards; three are the most.",
        "{seat} 号座位有 {count} 张保留牌；最多三张。",
    ),
    "nobles-count": (
        "There are {count} nobles; the rules have {expected}.",
        "贵族有 {count} 位；应有 {expected} 位。",
    ),
    "noble-twice": ("Noble {noble} is in two places.", "贵族 {noble} 出现在两处。"),
    "noble-not-in-play": (
        "Noble {noble} of seat {seat} is not in this game.",
        "{seat} 号座位的贵族 {noble} 不在本局中。",
    ),
    "noble-unearned": (
        "Seat {seat} has noble {noble} without the bonuses for it.",
        "{seat} 号座位没有足够的加成却拥有贵族 {noble}。",
    ),
    "turn-range": ("The number of turns cannot be {turn}.", "回合数不能是 {turn}。"),
    "passes-range": (
        "There cannot have been {passes} passes in a row here.",
        "此时连续跳过次数不能是 {passes}。",
    ),
    "pending-mismatch": (
        "The place to be dealt to does not fit the position.",
        "待发牌的位置与局面不符。",
    ),
    "phase-noble": (
        "A noble is to be chosen, but fewer than two wish to visit.",
        "需要选择贵族，但愿意来访的不足两位。",
    ),
    "phase-return": (
        "Tokens are to be given back, but the seat has ten or fewer.",
        "需要归还筹码，但该座位不超过十枚。",
    ),
    "phase-over": (
        "The game is said to be over, but nothing has ended it.",
        "标记为游戏结束，但没有任何结束条件成立。",
    ),
    "last-round-mismatch": (
        "The mark of the last round does not fit the points.",
        "最后一轮的标记与分数不符。",
    ),
    "more-faults": ("And {count} more.", "另有 {count} 处。"),
    # arguments
    "wrong-type": (
        "{what} should be {wanted}, not {given}.",
        "{what} 应为{wanted}，而不是 {given}。",
    ),
    "seat-unknown": (
        "There is no seat {seat} at a table of {seats}.",
        "{seats} 人局中没有 {seat} 号座位。",
    ),
    "bad-seed": (
        "A seed is text without halves of characters, not {given}.",
        "种子应为文本，且不得含有半个字符，而不是 {given}。",
    ),
    "view-needed": (
        "Only a View is thought about, so that nobody can peek at hidden cards; this is {given}.",
        "只能思考视图（View），以免有人偷看暗牌；这里是 {given}。",
    ),
}


def register(sentences: Mapping[str, tuple[str, str]]) -> None:
    """Add the sentences of an upper storey (notation, records). Raises ValueError on a clash."""
    for code, pair in sentences.items():
        if SENTENCES.setdefault(code, pair) != pair:
            raise ValueError(f"two sentences for {code}")


def sentence(code: str, language: str, params: Mapping[str, int | str]) -> str:
    """What the code says in that language (`en` or `zh`), in at most 300 characters."""
    template = SENTENCES[code][LANGUAGES.index(language)]
    words = {key: _word(key, value, language) for key, value in params.items()}
    return clipped(template.format(**words), LONGEST_SENTENCE)


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


def _word(key: str, value: int | str, language: str) -> int | str:
    if isinstance(value, int):
        return value if -_PRINTED < value < _PRINTED else type(value).__name__
    if key == "wanted":
        return _WANTED[value][LANGUAGES.index(language)]
    if key == "colour":
        return COLOUR_NAMES[language][value]
    if key == "phase":
        return _PHASES[language][value]
    if key == "kind" and language == "zh":
        return {"nobles": "贵族", "cards": "发展牌"}[value]
    if key == "gems":
        return _counts(value, language)
    return printable(value)


def _counts(letters: str, language: str) -> str:
    names = COLOUR_NAMES[language]
    parts = [f"{letters.count(c)} {names[c]}" for c in "wugrko" if c in letters]
    return ("，" if language == "zh" else ", ").join(parts) or "-"
