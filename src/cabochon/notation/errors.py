"""Text that does not say what it should.

`NotationError` has a stable code, parameters and a sentence in two languages that holds what came
and what was expected. What came is cut to sixty printable characters, so a message never carries
a megabyte or a control character to a terminal or a log.
"""

from __future__ import annotations

from enum import StrEnum

from cabochon.rules.errors import CabochonError, shown
from cabochon.rules.sentences import register, sentence

SHOWN = 60


class NotationFault(StrEnum):
    """Why a text cannot be read."""

    TOO_LONG = "too-long"
    NOT_A_MOVE = "not-a-move"
    NOT_AN_EVENT = "not-an-event"
    HIDDEN_DEAL = "hidden-deal"
    UNKNOWN_CARD = "unknown-card"
    UNKNOWN_DECK = "unknown-deck"
    UNKNOWN_NOBLE = "unknown-noble"
    UNKNOWN_GEM = "unknown-gem"
    GEMS_MISSING = "gems-missing"
    CARD_MISSING = "card-missing"
    NOBLE_MISSING = "noble-missing"
    EXTRA_TEXT = "extra-text"
    NOT_A_POSITION = "not-a-position"
    VIEW_GIVEN = "view-given"
    NOT_A_VIEW = "not-a-view"
    BAD_FIELD = "bad-field"
    KNOWS_TOO_MUCH = "knows-too-much"
    NOT_JSON = "not-json"
    NOT_A_TURN = "not-a-turn"
    NOT_UTF8 = "not-utf8"
    BAD_HEADER = "bad-header"
    HEADER_TWICE = "header-twice"
    HEADER_MISSING = "header-missing"
    OPENING_TWICE = "opening-twice"
    OPENING_MISSING = "opening-missing"
    OPEN_COMMENT = "open-comment"
    AFTER_RESULT = "after-result"
    BAD_RESULT = "bad-result"
    NEWER_VERSION = "newer-version"
    RECORD_COUNT = "record-count"
    SEEN_RECORD = "seen-record"
    TEXT_EXPECTED = "text-expected"
    KEY_TWICE = "key-twice"


register(
    {
        "too-long": (
            "Here are {length} characters; {most} are the most that is read: “{text}”.",
            "这里有 {length} 个字符；最多读取 {most} 个：“{text}”。",
        ),
        "not-a-move": (
            "Cannot read “{text}” as a move; write for example take wug, reserve 2u5, "
            "reserve deck2, buy 2u5, buy 2u5 =uuo, return w, noble rk4 or pass.",
            "无法读作行动：“{text}”；例如可写 take wug、reserve 2u5、reserve deck2、buy 2u5、"
            "buy 2u5 =uuo、return w、noble rk4 或 pass。",
        ),
        "not-an-event": (
            "Cannot read “{text}” as a move or a deal; write for example take wug, buy 2u5 =uuo "
            "or deal 2k1.",
            "无法读作行动或发牌：“{text}”；例如可写 take wug、buy 2u5 =uuo 或 deal 2k1。",
        ),
        "hidden-deal": (
            "A hidden deal stands here; a full record names the card, for example deal 2k1.",
            "此处是隐藏的发牌；完整棋谱应写明牌，例如 deal 2k1。",
        ),
        "unknown-gem": (
            "Cannot read “{text}” as gems; the letters are w u g r k and o for gold.",
            "无法读作筹码：“{text}”；字母为 w u g r k，黄金为 o。",
        ),
        "gems-missing": (
            "“{text}” names no gems; write for example wug, or - for none.",
            "“{text}” 没有写明筹码；例如可写 wug，没有则写 -。",
        ),
        "card-missing": (
            "“{text}” names no card; write for example 2u5.",
            "“{text}” 没有写明牌；例如可写 2u5。",
        ),
        "noble-missing": (
            "“{text}” names no noble; write for example rk4.",
            "“{text}” 没有写明贵族；例如可写 rk4。",
        ),
        "extra-text": (
            "Nothing more was expected after the move, but “{text}” follows.",
            "行动之后不应再有内容，却出现了“{text}”。",
        ),
        "not-a-position": (
            "A position has eight fields and one for each seat (ruleset turn phase passes last "
            "bank rows nobles hands); here are {count}: “{text}”.",
            "局面应有八个字段，另加每个座位一个（规则 回合 阶段 跳过 末轮 银行 牌列 贵族 各家）；"
            "这里有 {count} 个：“{text}”。",
        ),
        "view-given": (
            "This is what one viewer sees; a whole position was expected: “{text}”.",
            "这只是一个视角所见；此处应是完整局面：“{text}”。",
        ),
        "not-a-view": (
            "A view begins with whose it is, seat0 to seat3 or watch; here stands “{text}”.",
            "视图应以所属开头：seat0 至 seat3 或 watch；这里是“{text}”。",
        ),
        "bad-field": (
            "The field {field} should look like {expected}, not “{text}”.",
            "字段 {field} 应形如 {expected}，而不是“{text}”。",
        ),
        "knows-too-much": (
            "This viewer cannot know “{text}”; a hidden card stands as ?.",
            "此视角不可能知道“{text}”；隐藏的牌应写作 ?。",
        ),
        "not-json": (
            "Cannot read this as JSON: “{text}”.",
            "无法读作 JSON：“{text}”。",
        ),
        "not-a-turn": (
            "Cannot read “{text}” as a turn; write for example 3b 2u5=uuo >2k1 !rk4 -w.",
            "无法读作回合：“{text}”；例如可写 3b 2u5=uuo >2k1 !rk4 -w。",
        ),
        "not-utf8": (
            "A record is UTF-8 text; byte {offset} is not.",
            "棋谱应为 UTF-8 文本；第 {offset} 个字节不是。",
        ),
        "bad-header": (
            'Cannot read “{text}” as a header; write for example [Ruleset "standard/2"].',
            '无法读作标头：“{text}”；例如可写 [Ruleset "standard/2"]。',
        ),
        "header-twice": (
            "The header {header} stands here a second time; one is expected.",
            "标头 {header} 重复出现；只应有一个。",
        ),
        "header-missing": (
            'A record needs the header {header}, for example [Ruleset "standard/2"].',
            '棋谱缺少标头 {header}，例如 [Ruleset "standard/2"]。',
        ),
        "opening-twice": (
            "The opening is given twice here: {part}.",
            "开局重复给出：{part}。",
        ),
        "opening-missing": (
            "A record needs its opening, a line each of nobles, row1, row2 and row3, or a "
            "Position header; {part} is missing.",
            "棋谱需要开局：nobles、row1、row2、row3 各一行，或 Position 标头；缺少 {part}。",
        ),
        "open-comment": (
            "The comment that begins here is never closed by a brace: “{text}”.",
            "此处开始的注释没有用大括号结束：“{text}”。",
        ),
        "after-result": (
            "The result ends a record; a header was expected after it, not “{text}”.",
            "结果之后棋谱结束；其后应是新的标头，而不是“{text}”。",
        ),
        "bad-result": (
            "Cannot read “{text}” as a result; write for example result 1-2 target, "
            "result - abandoned, or * for a game that goes on.",
            "无法读作结果：“{text}”；例如可写 result 1-2 target、result - abandoned，"
            "未结束则写 *。",
        ),
        "newer-version": (
            "This record is of version “{text}”; version {expected} is understood here.",
            "此棋谱的版本为“{text}”；此处只认版本 {expected}。",
        ),
        "record-count": (
            "One record was expected here; there are {count}.",
            "此处应有一份棋谱，却有 {count} 份。",
        ),
        "seen-record": (
            "This is what one viewer may know of a game; a whole record was expected.",
            "这只是一个视角所知的对局；此处应是完整棋谱。",
        ),
        "text-expected": (
            "Text was expected here, not {what}.",
            "此处应为文本，而不是 {what}。",
        ),
        "key-twice": (
            "One object of this JSON has the key “{key}” twice, so it could mean either.",
            "此 JSON 的同一个对象中，键“{key}”出现了两次，含义不明。",
        ),
        "reading-ply": ("Ply {ply}: {message}", "第 {ply} 步：{message}"),
        "at-line": ("Line {line}: {message}", "第 {line} 行：{message}"),
        "at-line-ply": (
            "Line {line}, ply {ply}: {message}",
            "第 {line} 行，第 {ply} 步：{message}",
        ),
    }
)


_PLACES = {
    frozenset({"line", "ply"}): "at-line-ply",
    frozenset({"line"}): "at-line",
    frozenset({"ply"}): "reading-ply",
}


class NotationError(CabochonError):
    """Text that cannot be read; `code` is a `NotationFault`, or the code of the rule that a value
    in it breaks. Inside a record, `params` also hold the `line` of the file and the `ply`."""

    @property
    def en(self) -> str:
        return self._placed(super().en, "en")

    @property
    def zh(self) -> str:
        return self._placed(super().zh, "zh")

    def _placed(self, message: str, language: str) -> str:
        where = {key: self.params[key] for key in ("line", "ply") if key in self.params}
        if not where:
            return message
        return sentence(_PLACES[frozenset(where)], language, {**where, "message": message})


def located(error: CabochonError, **place: int) -> NotationError:
    """What another error says, as a fault of the text at that `line`, `ply` or both."""
    return NotationError(error.code, **{**error.params, **place})


def only_text(value: object) -> str:
    """The text, if it is one. Raises NotationError."""
    if not isinstance(value, str):
        raise NotationError(NotationFault.TEXT_EXPECTED, what=shown(value))
    return value


def cut(text: str) -> str:
    """At most sixty printable characters of what came."""
    shown = text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
    return "".join(char if char.isprintable() else "�" for char in shown)
