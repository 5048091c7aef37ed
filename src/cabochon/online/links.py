"""Addresses of tables, as people are given them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

_PLACE = re.compile(r"/(?P<what>t|replay|join)/(?P<name>[A-Za-z0-9_-]{4,64})/?")
_KEYS = re.compile(r"k=([\w.-]+)")
MOST_KEYS = 8


@dataclass(frozen=True, slots=True)
class TableLink:
    """A server and, there, a table, an invitation, the keys of seats or a watcher's code.

    http://host/t/TABLE            a table
    http://host/t/TABLE#k=KEY.KEY  seats at it: the keys after # reach no server
    http://host/t/TABLE?watch=CODE a table that is watched by link
    http://host/join/CODE          an invitation
    http://host                    the server alone
    """

    base: str
    table: str | None = None
    code: str | None = None
    keys: tuple[str, ...] = ()
    watch: str | None = None

    @property
    def socket(self) -> str:
        """The server's address for sockets."""
        return "ws" + self.base.removeprefix("http")


def parse_link(text: str) -> TableLink | None:
    """What the address leads to; None for what is no address of ours."""
    text = text.strip()
    parts = urlsplit(text if "//" in text else f"http://{text}")
    try:
        known = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        return None
    if not known or parts.username is not None:
        return None
    base = f"{parts.scheme}://{parts.netloc}"
    if parts.path in ("", "/"):
        return TableLink(base)
    place = _PLACE.fullmatch(parts.path)
    if place is None:
        return None
    if place["what"] == "join":
        return TableLink(base, table=place["name"].partition("-")[0], code=place["name"])
    found = _KEYS.fullmatch(parts.fragment)
    keys = tuple(dict.fromkeys(found[1].split(".")))[:MOST_KEYS] if found else ()
    watch = parse_qs(parts.query).get("watch", [None])[0]
    return TableLink(base, table=place["name"], keys=keys, watch=watch)


def format_link(base: str, table: str, keys: tuple[str, ...] = ()) -> str:
    return f"{base}/t/{table}" + (f"#k={'.'.join(keys)}" if keys else "")
