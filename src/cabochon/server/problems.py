"""Everything that is refused, as a problem document (RFC 9457) in the asker's language."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, cast

from starlette.responses import JSONResponse, Response

from cabochon.bots import UnknownBot
from cabochon.notation import NotationError
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.messages import Problem
from cabochon.rules import BadRuleset, CabochonError, IllegalMove
from cabochon.rules.sentences import LANGUAGES, register

CONTENT_TYPE = "application/problem+json"


class ServerFault(StrEnum):
    """Why the server itself says no."""

    NO_SUCH_TABLE = "no-such-table"
    NO_SUCH_PAGE = "no-such-page"
    BAD_REQUEST = "bad-request"
    WRONG_METHOD = "wrong-method"
    BAD_KEY = "bad-key"
    KEY_NEEDED = "key-needed"
    TOKEN_NEEDED = "token-needed"
    BAD_CODE = "bad-code"
    BAD_ORIGIN = "bad-origin"
    BAD_HOST = "bad-host"
    CODE_NEEDED = "code-needed"
    SCOPE_NEEDED = "scope-needed"
    UNSEEN_NAME = "unseen-name"
    BOT_S_NAME = "bot-s-name"
    NOT_FOR_WATCHERS = "not-for-watchers"
    NOT_YET = "not-yet"
    TOO_FAST = "too-fast"
    TOO_MANY_TABLES = "too-many-tables"
    TOO_MANY_UNFINISHED = "too-many-unfinished"
    TOO_MANY_BOT_TABLES = "too-many-bot-tables"
    TOO_LARGE = "too-large"
    BAD_MESSAGE = "bad-message"
    BANNED = "banned"
    BANNED_UNTIL = "banned-until"
    REVOKED = "token-revoked"
    REMOVED = "removed-by-host"
    CLOSED = "closed-by-host"
    BUSY = "busy"
    DATABASE_AWAY = "database-away"
    STOPPING = "stopping"
    BROKEN = "server-error"


class ServerRefused(CabochonError):
    """The server does not do that; `code` is a `ServerFault`."""


register(
    {
        "no-such-table": ("There is no table {table}.", "没有牌桌 {table}。"),
        "no-such-page": ("There is nothing here.", "这里什么也没有。"),
        "bad-request": (
            "The request cannot be read: {where}: {what}",
            "无法读懂请求：{where}：{what}",
        ),
        "wrong-method": (
            "That cannot be done here with {method}.",
            "此处不能使用 {method}。",
        ),
        "bad-key": (
            "This key or token isn't valid for this table.",
            "这个密钥或令牌在此无效。",
        ),
        "key-needed": (
            "This needs a seat key or a token, as Authorization: Bearer.",
            "需要座位密钥或令牌，写在 Authorization: Bearer 中。",
        ),
        "token-needed": (
            "This needs a personal token, as Authorization: Bearer cab_b_….",
            "需要个人令牌，写在 Authorization: Bearer cab_b_… 中。",
        ),
        "bad-code": ("This link is not valid any more.", "这个链接已经无效。"),
        "bad-origin": (
            "Pages from elsewhere may not open a socket here.",
            "来自其他网站的页面不能在此打开连接。",
        ),
        "bad-host": (
            "This server doesn't answer under that name.",
            "本服务器不以这个名称提供服务。",
        ),
        "code-needed": (
            "This seat is joined by invitation: a code is needed.",
            "这个座位凭邀请加入：需要邀请码。",
        ),
        "scope-needed": ("The token lacks the scope {scope}.", "令牌缺少权限 {scope}。"),
        "unseen-name": (
            "Part of this name can't be seen. Please choose another one.",
            "这个名字里有看不见的字符。请换一个名字。",
        ),
        "bot-s-name": (
            "{name} looks like the name of one of our bots. Please choose another one.",
            "“{name}”看起来像我们机器人的名字。请换一个名字。",
        ),
        "not-for-watchers": (
            "This table isn't open to watchers.",
            "这张牌桌不对旁观者开放。",
        ),
        "not-yet": (
            "You can see that once the game is over.",
            "对局结束后才能查看。",
        ),
        "too-fast": (
            "Too many requests; try again in {seconds} s.",
            "请求过于频繁；请在 {seconds} 秒后再试。",
        ),
        "too-many-tables": (
            "There are too many tables just now; try again later.",
            "现在牌桌太多了；请稍后再试。",
        ),
        "too-many-unfinished": (
            "There are already {count} unfinished tables from here. Please finish some of them "
            "first.",
            "你这里已有 {count} 张未完成的牌桌。请先完成其中一些。",
        ),
        "too-many-bot-tables": (
            "Enough bots are playing among themselves right now; please try again later.",
            "现在机器人之间的对局已经够多了；请稍后再试。",
        ),
        "too-large": (
            "At most {most} bytes are taken.",
            "最多接受 {most} 字节。",
        ),
        "bad-message": (
            "The message cannot be read: {what}",
            "无法读懂消息：{what}",
        ),
        "banned": (
            "You're banned from this server{note}.",
            "你已被本服务器封禁{note}。",
        ),
        "banned-until": (
            "You're banned from this server until {until} UTC{note}.",
            "你已被本服务器封禁，至 {until}（UTC）{note}。",
        ),
        "token-revoked": (
            "This token has been revoked.",
            "这个令牌已被撤销。",
        ),
        "removed-by-host": (
            "You were removed from this table by the host.",
            "你已被管理员移出这张牌桌。",
        ),
        "closed-by-host": (
            "The host has closed this table.",
            "管理员已关闭这张牌桌。",
        ),
        "busy": ("The table is busy; try again.", "牌桌正忙；请再试一次。"),
        "database-away": (
            "The server can't reach its database right now. Please try again in a moment.",
            "服务器暂时无法访问数据库。请稍后再试。",
        ),
        "stopping": ("The server is stopping.", "服务器正在停止。"),
        "server-error": (
            "Something is broken here; it has been noted.",
            "服务器出错了；已经记录。",
        ),
    }
)

_STATUS: dict[StrEnum, int] = {
    ServerFault.NO_SUCH_TABLE: 404,
    ServerFault.NO_SUCH_PAGE: 404,
    ServerFault.BAD_REQUEST: 422,
    ServerFault.WRONG_METHOD: 405,
    ServerFault.BAD_KEY: 403,
    ServerFault.KEY_NEEDED: 401,
    ServerFault.TOKEN_NEEDED: 401,
    ServerFault.BAD_CODE: 403,
    ServerFault.BAD_ORIGIN: 403,
    ServerFault.BAD_HOST: 421,
    ServerFault.CODE_NEEDED: 403,
    ServerFault.SCOPE_NEEDED: 403,
    ServerFault.NOT_FOR_WATCHERS: 403,
    ServerFault.NOT_YET: 403,
    ServerFault.TOO_FAST: 429,
    ServerFault.TOO_MANY_TABLES: 429,
    ServerFault.TOO_MANY_UNFINISHED: 429,
    ServerFault.TOO_MANY_BOT_TABLES: 429,
    ServerFault.TOO_LARGE: 413,
    ServerFault.BAD_MESSAGE: 422,
    ServerFault.BANNED: 403,
    ServerFault.BANNED_UNTIL: 403,
    ServerFault.REVOKED: 403,
    ServerFault.REMOVED: 403,
    ServerFault.CLOSED: 404,
    ServerFault.BUSY: 503,
    ServerFault.DATABASE_AWAY: 503,
    ServerFault.STOPPING: 503,
    ServerFault.BROKEN: 500,
    TableFault.NO_SUCH_SEAT: 404,
    TableFault.NOT_YOURS: 403,
    TableFault.UNKNOWN_PHRASE: 422,
    TableFault.NO_MOVES: 422,
    TableFault.TOO_MANY_MOVES: 422,
    TableFault.CHAIRS_COUNT: 422,
    TableFault.KEY_REUSED: 422,
    TableFault.SEAT_NEEDED: 422,
    TableFault.CHAT_FULL: 429,
    TableFault.LEAVE_TOO_SOON: 429,
}
_TITLES = {
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Too large",
    421: "Misdirected",
    422: "Unprocessable",
    429: "Too many requests",
    500: "Server error",
    503: "Not now",
}


def status_of(error: CabochonError) -> int:
    """The HTTP status of a refusal: what the table's state forbids is a conflict, what the rules
    or the grammar forbid is unprocessable."""
    if isinstance(error, IllegalMove | NotationError | BadRuleset | UnknownBot):
        return 422
    return _STATUS.get(error.code, 409 if isinstance(error, TableRefused) else 422)


def problem(error: CabochonError, language: str, **more: Any) -> Problem:
    """The document; `more` are further members, such as what happened since."""
    status = status_of(error)
    sentence = {"en": error.en, "zh": error.zh}
    document = {
        "type": f"/problems/{error.code.value}",
        "title": _TITLES[status],
        "status": status,
        "detail": sentence[language],
        "code": error.code.value,
        "params": dict(error.params),
        "sentence": sentence,
        **more,
    }
    return cast(Problem, document)


def retry_after(error: CabochonError) -> dict[str, str]:
    """The header that says when to try again, for what is only refused now."""
    if "seconds" in error.params:
        return {"Retry-After": str(error.params["seconds"])}
    return {"Retry-After": "5"} if status_of(error) in (429, 503) else {}


def refusal_response(error: CabochonError, language: str) -> Response:
    """The refusal as an HTTP answer."""
    document = problem(error, language)
    headers = retry_after(error)
    return JSONResponse(document, document["status"], headers, media_type=CONTENT_TYPE)


def language_of(header: str | None, asked: str | None = None) -> str:
    """`zh` or `en`: what was asked for, else the first of the two in Accept-Language."""
    if asked in LANGUAGES:
        return asked
    for part in (header or "").lower()[:200].split(","):
        tag = part.partition(";")[0].strip()[:2]
        if tag in LANGUAGES:
            return tag
    return LANGUAGES[0]
