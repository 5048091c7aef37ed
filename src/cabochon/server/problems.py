"""Everything that is refused, as a problem document (RFC 9457) in the caller's language."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, cast

from starlette.responses import JSONResponse, Response

from cabochon.bots import UnknownBot
from cabochon.notation import NotationError
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.messages import Problem
from cabochon.rules import BadRuleset, CabochonError, IllegalMove
from cabochon.words import ENGLISH, language_like

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
    NO_SUCH_STUDY = "no-such-study"
    TOO_MANY_STUDIES = "too-many-studies"
    STUDIES_FULL = "studies-full"
    STUDY_KEY_WRONG = "study-key-wrong"
    STUDY_TOO_LONG = "study-too-long"
    ONE_RECORD = "one-record"
    NO_PAINTER = "no-painter"
    PAINTER_BUSY = "painter-busy"
    NO_START = "no-start"
    BAD_MESSAGE = "bad-message"
    NO_SUCH_REVIEW = "no-such-review"
    NO_SUCH_PUZZLE = "no-such-puzzle"
    NO_SUCH_LESSON = "no-such-lesson"
    NOTHING_TO_REVIEW = "nothing-to-review"
    LONG_GAME = "long-game"
    TOO_MANY_REVIEWS = "too-many-reviews"
    REVIEWS_FULL = "reviews-full"
    STILL_PLAYING = "still-playing"
    ENGINE_BUSY = "engine-busy"
    TOO_MANY_LOOKS = "too-many"
    NO_ENGINE = "no-engine"
    NO_EVAL = "no-eval"
    NO_SUCH_PERSON = "no-such-person"
    NOT_SETTLED = "not-settled"
    NO_PARQUET = "no-parquet"
    BANNED = "banned"
    BANNED_UNTIL = "banned-until"
    REVOKED = "token-revoked"
    SIGNED_OUT = "signed-out"
    NAME_KEPT = "name-kept"
    NO_PERSON = "no-person"
    RENAMED_LATELY = "renamed-lately"
    NOT_KEPT = "not-kept"
    WEAK_PASSWORD = "weak-password"
    BAD_PASSKEY = "bad-passkey"
    NO_SUCH_PASSKEY = "no-such-passkey"
    LAST_WAY = "last-way-in"
    NOT_SIGNED_IN = "not-signed-in"
    PROOF_NEEDED = "proof-needed"
    NO_SUCH_SESSION = "no-such-session"
    NO_SUCH_TOKEN = "no-such-token"
    TOO_MANY_OF_YOURS = "too-many-of-yours"
    NO_SUCH_POOL = "no-such-pool"
    POOL_NAME = "pool-name"
    POOL_PLAYING = "pool-playing"
    POOL_CROWDED = "pool-crowded"
    POOL_PAUSED = "pool-paused"
    NO_SUCH_INVITATION = "no-such-invitation"
    TOO_MANY_INVITATIONS = "too-many-invitations"
    YOU_BLOCKED = "you-blocked"
    NOT_YOURSELF = "not-yourself"
    TOO_MANY_BLOCKS = "too-many-blocks"
    TOO_MANY_REPORTS = "too-many-reports"
    REMOVED = "removed-by-host"
    CLOSED = "closed-by-host"
    GIVEN_UP = "table-given-up"
    BUSY = "busy"
    DATABASE_AWAY = "database-away"
    STOPPING = "stopping"
    BROKEN = "server-error"


class ServerRefused(CabochonError):
    """The server does not do that; `code` is a `ServerFault`."""


def check_can_be_kept(text: str, where: str) -> str:
    """The text. Raises ServerRefused for one with a NUL in it: PostgreSQL has none."""
    if "\0" in text:
        raise ServerRefused(ServerFault.BAD_REQUEST, where=where, what="\\u0000")
    return text


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
    ServerFault.NO_SUCH_STUDY: 404,
    ServerFault.TOO_MANY_STUDIES: 429,
    ServerFault.STUDIES_FULL: 503,
    ServerFault.STUDY_KEY_WRONG: 403,
    ServerFault.NO_PAINTER: 501,
    ServerFault.PAINTER_BUSY: 503,
    ServerFault.BAD_MESSAGE: 422,
    ServerFault.NO_SUCH_REVIEW: 404,
    ServerFault.NO_SUCH_PUZZLE: 404,
    ServerFault.NO_SUCH_LESSON: 404,
    ServerFault.NOTHING_TO_REVIEW: 422,
    ServerFault.LONG_GAME: 422,
    ServerFault.TOO_MANY_REVIEWS: 429,
    ServerFault.REVIEWS_FULL: 429,
    ServerFault.STILL_PLAYING: 403,
    ServerFault.ENGINE_BUSY: 429,
    ServerFault.TOO_MANY_LOOKS: 429,
    ServerFault.NO_ENGINE: 503,
    ServerFault.NO_EVAL: 404,
    ServerFault.NO_SUCH_PERSON: 404,
    ServerFault.NOT_SETTLED: 404,
    ServerFault.NO_PARQUET: 501,
    ServerFault.BANNED: 403,
    ServerFault.BANNED_UNTIL: 403,
    ServerFault.REVOKED: 403,
    ServerFault.SIGNED_OUT: 403,
    ServerFault.NAME_KEPT: 409,
    ServerFault.NO_PERSON: 401,
    ServerFault.RENAMED_LATELY: 409,
    ServerFault.NOT_KEPT: 409,
    ServerFault.BAD_PASSKEY: 403,
    ServerFault.NO_SUCH_PASSKEY: 404,
    ServerFault.LAST_WAY: 409,
    ServerFault.NOT_SIGNED_IN: 403,
    ServerFault.PROOF_NEEDED: 403,
    ServerFault.NO_SUCH_SESSION: 404,
    ServerFault.NO_SUCH_TOKEN: 404,
    ServerFault.TOO_MANY_OF_YOURS: 429,
    ServerFault.NO_SUCH_POOL: 404,
    ServerFault.POOL_NAME: 403,
    ServerFault.POOL_PLAYING: 409,
    ServerFault.POOL_CROWDED: 429,
    ServerFault.POOL_PAUSED: 429,
    ServerFault.NO_SUCH_INVITATION: 404,
    ServerFault.TOO_MANY_INVITATIONS: 429,
    ServerFault.YOU_BLOCKED: 409,
    ServerFault.NOT_YOURSELF: 422,
    ServerFault.TOO_MANY_BLOCKS: 429,
    ServerFault.TOO_MANY_REPORTS: 429,
    ServerFault.REMOVED: 403,
    ServerFault.CLOSED: 404,
    ServerFault.GIVEN_UP: 404,
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
    TableFault.NOT_PLAYABLE: 422,
    TableFault.RULES_DIFFER: 422,
    TableFault.CHAT_FULL: 429,
    TableFault.NOT_HOST: 403,
    TableFault.HINT_OFF: 403,
    TableFault.HINT_LESSON: 403,
    TableFault.HINTS_SPENT: 429,
    TableFault.TEXT_OFF: 403,
    TableFault.TEXT_NOT_AGREED: 403,
    TableFault.TEXT_UNSEEN: 422,
    TableFault.LEAVE_TOO_SOON: 429,
    TableFault.RATED_RULES: 422,
    TableFault.RATED_POSITION: 422,
    TableFault.RATED_BOT: 422,
    TableFault.RATED_ALONE: 422,
    TableFault.RATED_CLOCK: 422,
    TableFault.RATED_PERSON: 403,
    TableFault.RATED_NAME: 403,
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
    501: "Not here",
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
    document = {
        "type": f"/problems/{error.code.value}",
        "title": _TITLES[status],
        "status": status,
        "detail": error.text(language),
        "code": error.code.value,
        "params": dict(error.params),
        "sentence": error.texts(),
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
    """What was asked for, else the first in Accept-Language that we speak, else English."""
    tags = (part.partition(";")[0] for part in (header or "")[:200].split(","))
    spoken = (language_like(tag) for tag in (asked or "", *tags))
    return next(filter(None, spoken), ENGLISH)
