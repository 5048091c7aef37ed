"""A server full of people for pages under test: canned answers, so that every look is the same."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Route, WebSocketRoute

NOW_MS = 1_795_000_000_000
DAY_MS = 86_400_000
ME = "lapis0000001"

KINDS = {"two": (1519, 41, 180), "more": (1384, 78, 20), "quick": (1467, 63, 14)}
SET_CLOCK = {"kind": "increment", "base_s": 600, "increment_s": 5, "days": None}
A_DAY = {"kind": "days", "base_s": None, "increment_s": None, "days": 1}
LINE = (1420, 1435, 1410, 1428, 1450, 1441, 1463, 1480, 1472, 1490, 1478, 1465, 1501, 1510, 1519)


def rating(value: int, deviation: int, games: int) -> dict[str, Any]:
    return {
        "value": value,
        "deviation": deviation,
        "games": games,
        "provisional": deviation > 100,
    }


RATINGS = {kind: rating(*figures) for kind, figures in KINDS.items()}


def me(*, kept: bool = True) -> dict[str, Any]:
    return {
        "id": ME,
        "name": "Lapis" if kept else "Guest 417",
        "kept": kept,
        "since_ms": NOW_MS - 90 * DAY_MS,
        "ratings": RATINGS if kept else {},
        "games": 214,
        "ways": {
            "passkeys": int(kept),
            "password": kept,
            "codes_left": 8 if kept else 0,
        },
        "rename_after_ms": None,
        "hidden": False,
    }


def _stats(games: int) -> dict[str, Any]:
    return {
        "games": games,
        "rounds": 22.4,
        "won": 0.58,
        "luck": 0.8,
        "first": {"games": 100, "won": 61},
        "later": {"games": 80, "won": 44},
        "card_points": 12.1,
        "noble_points": 3.4,
        "reserved": 2.1,
        "reserved_bought": 1.6,
        "colours": [0.14, 0.27, 0.18, 0.22, 0.19],
        "accuracy": [[NOW_MS + i, 70 + (i * 7) % 22] for i in range(12)],
        "streak": 3,
    }


def _meeting(name: str, won: int, lost: int, *, bot: bool = False) -> dict[str, Any]:
    return {
        "person": None if bot else f"{name.lower()}000000",
        "bot": name.lower() if bot else None,
        "name": name,
        "won": won,
        "lost": lost,
        "drawn": 0,
    }


def profile(person: str) -> dict[str, Any]:
    own = person == ME
    return {
        "id": person,
        "name": "Lapis" if own else "Mira",
        "kept": True,
        "since_ms": NOW_MS - 90 * DAY_MS,
        "seen_ms": NOW_MS,
        "here": True,
        "games": 214,
        "ratings": RATINGS,
        "stats": {kind: _stats(games) for kind, (_, _, games) in KINDS.items()},
        "head_to_head": [
            _meeting("Mira", 7, 9),
            _meeting("Ada", 12, 6),
            _meeting("Calcite", 3, 1, bot=True),
            _meeting("Corundum", 2, 11, bot=True),
        ],
        "you": own,
        "ladder": None,
    }


def _seat(
    name: str, points: int, place: int, sources: dict[str, int], **more: Any
) -> dict[str, Any]:
    return {
        "person": f"{name.lower()}000000",
        "bot": None,
        "name": name,
        "rating": 1544,
        "change": None,
        "points": points,
        "place": place,
        "sources": sources,
        "accuracy": 88.0,
        "luck": 0.4,
    } | more


def _game(table: str, mine: dict[str, Any], *others: dict[str, Any], **more: Any) -> dict[str, Any]:
    own = _seat("Lapis", 0, 0, {}) | mine | {"person": ME}
    return {
        "table": table,
        "ended_ms": NOW_MS,
        "kind": "two" if len(others) == 1 else "more",
        "ruleset": "standard",
        "seats": [own, *others],
        "you": 0,
        "result": "won" if own["place"] == 1 else "lost",
        "rounds": 21,
        "clock": SET_CLOCK,
        "rated": True,
        "review": None,
        "mistakes": 2,
        "public": True,
    } | more


def games() -> list[dict[str, Any]]:
    """Won and lost, against people and a bot, two and four players."""
    won = {"points": 16, "place": 1, "accuracy": 91.0, "change": 9}
    lost = {"points": 11, "place": 2, "accuracy": 83.0, "change": -5}
    wide = {"w": 5, "k": 4, "nobles": 3, "u": 2, "r": 1, "g": 1}
    bot = _seat("corundum", 15, 1, {"u": 9, "nobles": 6}, person=None, bot="corundum", rating=1904)
    return [
        _game("g1", won | {"sources": wide}, _seat("Mira", 13, 2, {"w": 9, "g": 4}, rating=1688)),
        _game("g2", lost | {"sources": {"g": 4, "nobles": 3, "u": 2, "k": 1}}, bot, clock=None),
        _game(
            "g3",
            won | {"points": 15, "sources": {"nobles": 6, "u": 4, "r": 2, "w": 2, "k": 1}},
            *(_seat(name, 12, 2, {"w": 12}) for name in ("Otto", "Lin", "Paz")),
        ),
        _game(
            "g4",
            won | {"points": 15, "change": None, "sources": {"r": 5, "k": 3, "nobles": 3, "g": 4}},
            _seat("Ada", 14, 2, {"w": 14}),
            clock=A_DAY,
            rated=False,
        ),
    ]


PEOPLE = [
    ("Yue", 1842, 38, 311),
    ("Kenji", 1702, 44, 188),
    ("Mira", 1688, 35, 402),
    ("Noor", 1571, 52, 96),
    ("Ada", 1544, 47, 140),
    ("Lapis", 1519, 41, 214),
    ("Jun", 1490, 61, 73),
    ("Paz", 1402, 118, 12),
]
BOTS = [
    ("diamond", 2106, 119),
    ("corundum", 1904, 114),
    ("rusher", 1753, 135),
    ("topaz", 1737, 110),
    ("hunter", 1734, 126),
    ("builder", 1696, 127),
    ("quartz", 1578, 111),
    ("fluorite", 1424, 103),
]


def leaderboard() -> dict[str, Any]:
    rows = [
        {
            "rank": rank,
            "id": ME if name == "Lapis" else f"{name.lower()}000000",
            "name": name,
            "rating": rating(value, deviation, played),
            "games": played,
            "recent": [value - 30, value - 12, value - 20, value - 4, value],
        }
        for rank, (name, value, deviation, played) in enumerate(PEOPLE, 1)
    ]
    bots = [{"bot": name, "rating": rating(value, dev, 400)} for name, value, dev in BOTS]
    return {"people": rows, "bots": bots, "count": 142, "you": rows[5], "listed": True}


def _live(table: str, *seats: tuple[str, int, int], **more: Any) -> dict[str, Any]:
    minerals = {name for name, _, _ in BOTS}
    return {
        "table": table,
        "seats": [
            {
                "name": name,
                "person": None if name in minerals else f"{name.lower()}000000",
                "bot": name if name in minerals else None,
                "rating": value,
                "points": points,
            }
            for name, value, points in seats
        ],
        "round": 14,
        "to_act": 0,
        "watching": 4,
        "rated": True,
        "clock": SET_CLOCK,
        "board": {
            "rows": [
                ["1r2", "1k1", "1w6", "1g8"],
                ["2w3", "2g5", "2r6", "2u2"],
                ["3u1", "3k4", None, "3w2"],
            ],
            "nobles": ["ugr3", "rk4", "wug3"] if len(seats) == 2 else [*_FIVE],
            "bank": [3, 1, 2, 0, 3, 3],
            "decks": [21, 19, 14],
            "last": "2g5",
        },
        "chances": [0.64, 0.36] if len(seats) == 2 else [0.27, 0.44, 0.12, 0.17],
        "delay_s": 0,
        "show": False,
    } | more


_FIVE = ("gr4", "wk4", "wuk3", "ug4", "grk3")


def watch(featured: str) -> dict[str, Any]:
    first = _live(featured, ("Mira", 1688, 11), ("Kenji", 1702, 9))
    four = [("Otto", 1500, 7), ("Lin", 1510, 9), ("Paz", 1402, 4), ("Ewa", 1480, 6)]
    rest = [
        _live("w1", ("topaz", 1737, 8), ("corundum", 1904, 11), watching=0, show=True),
        _live("w2", ("Yue", 1842, 3), ("diamond", 2106, 4), watching=0),
        _live("w3", *four),
        _live("w4", ("Ada", 1544, 13), ("Jun", 1490, 11), clock=A_DAY, watching=0),
    ]
    return {"featured": first, "games": rest, "here": 17}


def _pool(name: str, seats: int, waiting: int, clock: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": name,
        "kind": "two" if seats == 2 else "more",
        "seats": seats,
        "target": 15,
        "clock": clock,
        "waiting": waiting,
        "needs": seats - waiting if waiting else None,
    }


def pools() -> list[dict[str, Any]]:
    five = SET_CLOCK | {"base_s": 300, "increment_s": 3}
    quarter = SET_CLOCK | {"base_s": 900, "increment_s": 5}
    return [
        _pool("two-5-3", 2, 2, five),
        _pool("two-10-5", 2, 1, SET_CLOCK),
        _pool("three-15-5", 3, 2, quarter),
        _pool("four-15-5", 4, 0, quarter),
        _pool("two-day", 2, 0, A_DAY),
    ]


CODES = [
    "k7mq-2xvd-9hpt",
    "w4rz-8nbc-3fyk",
    "p9td-6jqw-5vxm",
    "c2hy-7kfn-4rbz",
    "x5vb-3mtp-8dqj",
    "n8wk-9cyr-2htf",
    "f6jd-4zxq-7pnm",
    "y3tb-5wvk-6crh",
]


def invitations() -> list[dict[str, Any]]:
    """One from somebody, one to somebody, and one that was declined."""
    told = {"person": "x", "pool": "two-10-5", "table": None, "until_ms": NOW_MS + DAY_MS}
    return [
        told | {"id": "i1", "mine": False, "name": "Mira", "rated": True, "state": "open"},
        told | {"id": "i2", "mine": True, "name": "Kenji", "rated": False, "state": "open"},
        told | {"id": "i3", "mine": True, "name": "Otto", "rated": True, "state": "declined"},
    ]


class Society:
    """Answers as a busy server would, for one page; what is not about people goes through."""

    def __init__(self, *, kept: bool = True, featured: str = "w0", asked: bool = False) -> None:
        self.kept, self.featured, self.asked = kept, featured, asked

    def meet(self, page: Page) -> None:
        for path in ("me", "people", "leaderboards", "watch", "pools", "names", "signin", "online"):
            page.route(f"**/api/{path}", self._hear)
            page.route(f"**/api/{path}?*", self._hear)
            page.route(f"**/api/{path}/**", self._hear)
        page.route_web_socket(re.compile(r"/api/lobby"), self._talk)

    def _talk(self, socket: WebSocketRoute) -> None:
        """The real lobby tells of tables only; the rest is as canned as the other answers."""
        server = socket.connect_to_server()
        canned: list[dict[str, Any]] = [{"type": "pools", "pools": pools(), "here": 17}]
        if "watch=1" in socket.url:
            canned.append({"type": "watch"} | watch(self.featured))
        if self.asked:
            canned.append({"type": "invitations", "invitations": invitations()})

        def forward(told: str | bytes) -> None:
            kind = json.loads(told)["type"]
            if kind.startswith("lobby"):
                socket.send(told)
            for message in canned if kind == "lobbyFull" else ():
                socket.send(json.dumps(message))

        server.on_message(forward)

    def _hear(self, route: Route) -> None:
        address = urlsplit(route.request.url)
        told = self._answer(address.path.removeprefix("/api"), route.request.method)
        if told is None:
            route.fulfill(status=404, content_type="application/json", body=json.dumps(_NOTHING))
        elif address.path == "/api/pools/stream":
            line = json.dumps({"type": "pools", "pools": told, "here": 17})
            route.fulfill(status=200, content_type="application/x-ndjson", body=line + "\n")
        else:
            assert parse_qs(address.query) is not None
            route.fulfill(status=200, content_type="application/json", body=json.dumps(told))

    def _answer(self, path: str, method: str) -> Any:
        parts = path.strip("/").split("/")
        match parts:
            case ["me"]:
                person = me(kept=self.kept)
                return {"person": person} if method == "GET" else person
            case ["me", "password"]:
                return {"me": me(), "codes": CODES}
            case ["me", what]:
                return self._mine(what)
            case ["people", person]:
                return profile(person)
            case ["people", _, "ratings", _]:
                return {"points": _points()}
            case ["people", _, "games"]:
                return {"games": games(), "next": "more"}
            case ["leaderboards", _]:
                return leaderboard()
            case ["watch"]:
                return watch(self.featured)
            case ["pools"] | ["pools", "stream"]:
                return pools()
            case ["names", _]:
                return {"free": True, "why": None}
        return None

    def _mine(self, what: str) -> Any:
        key = {"id": "k1", "label": "Chrome, Linux", "created_ms": NOW_MS, "used_ms": NOW_MS}
        session = {
            "id": "s1",
            "label": "Chrome, Linux",
            "created_ms": NOW_MS,
            "seen_ms": NOW_MS,
            "here": True,
        }
        return {
            "games": {"games": games(), "next": "more"},
            "mistakes": {
                "tables": [{"table": "g1", "mistakes": 2}, {"table": "g2", "mistakes": 5}]
            },
            "tables": {"tables": []},
            "passkeys": {"passkeys": [key]},
            "sessions": {
                "sessions": [
                    session,
                    session | {"id": "s2", "label": "Safari, iPhone", "here": False},
                ]
            },
            "tokens": {"tokens": [key | {"name": "my bot"}]},
            "blocks": {"people": [{"id": "jun000000", "name": "Jun"}]},
            "ladder": {
                "levels": [{"bot": "calcite", "played": 4, "won": 3}],
                "fair": "fluorite",
                "why": {
                    "en": "You beat Calcite 3 times out of 4: Fluorite would be a fair match.",
                    "zh": "你 4 局胜方解石 3 局，可以试试萤石了。",
                },
            },
        }.get(what)


def _points() -> list[dict[str, Any]]:
    steps = len(LINE)
    return [
        {
            "at_ms": NOW_MS - (steps - i) * 6 * DAY_MS,
            "value": value,
            "deviation": 85 - 44 * i // steps,
        }
        for i, value in enumerate(LINE)
    ]


_NOTHING = {
    "type": "about:blank",
    "title": "",
    "status": 404,
    "code": "not-found",
    "detail": "Not here.",
    "sentence": {"en": "Not here.", "zh": "这里没有。"},
    "params": {},
}
