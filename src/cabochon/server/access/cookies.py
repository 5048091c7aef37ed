"""The session cookie: what it is called, how it is set, and which one counts.

Over HTTPS its name begins with `__Host-`, which no other host, nor anybody on the way who answers
over plain HTTP, can set. Then one without that name is not read.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, cookie_parser
from starlette.responses import Response

from cabochon.play.clock import DAY_MS
from cabochon.server.storage.sessions import KEPT_DAYS

PLAIN = "cabochon_session"
SECURE = "__Host-cabochon_session"
_DEVICES = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
_BROWSERS = ("Edg", "OPR", "SamsungBrowser", "Firefox", "FxiOS", "CriOS", "Chrome", "Safari")
_CALLED = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Macintosh": "Mac",
    "CrOS": "ChromeOS",
}


def session_cookie(connection: HTTPConnection, secure: bool) -> str | None:
    """What the browser sent; `secure` says that it is known to use HTTPS. Of several with the same
    name the first counts: it is the one with the longest path, and ours."""
    header = "; ".join(connection.headers.getlist("cookie"))
    found = cookie_parser(header)
    return found.get(SECURE) or (None if secure else found.get(PLAIN))


def has_cookie(connection: HTTPConnection) -> bool:
    return any(PLAIN in header for header in connection.headers.getlist("cookie"))


def set_session(response: Response, cookie: str, secure: bool) -> None:
    response.set_cookie(
        SECURE if secure else PLAIN,
        cookie,
        max_age=KEPT_DAYS * DAY_MS // 1000,
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def drop_session(response: Response) -> None:
    """The browser forgets it, whatever it is called."""
    for name in (SECURE, PLAIN):
        response.set_cookie(
            name, max_age=0, path="/", secure=name == SECURE, httponly=True, samesite="lax"
        )


def is_https(origin: str | None) -> bool:
    """Whether a browser says that its page came over HTTPS."""
    return origin is not None and urlsplit(origin).scheme == "https"


def device_label(user_agent: str | None) -> str:
    """`Firefox · Windows`: enough to tell your devices apart, and no more."""
    said = (user_agent or "")[:300]
    words = [
        next((name for name in names if re.search(rf"\b{name}\b", said)), None)
        for names in (_BROWSERS, _DEVICES)
    ]
    return " · ".join(_CALLED.get(word, word) for word in words if word is not None)
