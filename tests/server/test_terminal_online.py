"""`cabochon join` and `cabochon watch` against a real server."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import pytest

from cabochon.online.links import format_link
from cabochon.server.web import tablemaking
from tests.cli.driver import Done, Screen, run
from tests.server.serving import Here, Process, serving

QUICK = {"variant": "quick", "seat_order": "fixed"}


def solo(here: Here, bot: str = "greedy") -> tuple[str, str]:
    """A table against a bot: its id, and the link that plays its first seat."""
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": bot}]
    made = here.post("/tables", {"chairs": chairs, **QUICK})
    table = made["table"]["id"]
    return table, format_link(here.base, table, (made["keys"][0]["key"],))


def open_table(here: Here, ada: int = 0, **options: object) -> tuple[str, str, str]:
    """A table with a free seat beside Ada's: its id, Ada's key, and the invitation."""
    chairs: list[dict[str, str]] = [{"kind": "open"}]
    chairs.insert(ada, {"kind": "me", "name": "Ada"})
    made = here.post("/tables", {"chairs": chairs, **QUICK, **options})
    code = made["invites"][0]["code"]
    return made["table"]["id"], made["keys"][0]["key"], f"{here.base}/join/{code}"


def move(here: Here, table: str, key: str, text: str) -> None:
    full = here.full(table, key)
    here.post(f"/tables/{table}/move", {"moves": [text], "version": full["version"]}, key)


class Beside:
    """A command in a thread, beside what the test does."""

    def __init__(self, *argv: str, stdin: str, home: Path) -> None:
        self._done: Done | None = None
        self._thread = threading.Thread(target=self._run, args=(argv, stdin, home))
        self._thread.start()

    def _run(self, argv: tuple[str, ...], stdin: str, home: Path) -> None:
        self._done = run(*argv, stdin=stdin, home=home)

    def end(self) -> Done:
        self._thread.join(60)
        assert self._done is not None, "the command goes on"
        return self._done


def wait_until_full(here: Here, table: str) -> None:
    until = time.monotonic() + 30
    while here.get(f"/tables/{table}")["state"] != "running":
        assert time.monotonic() < until
        time.sleep(0.02)


def wait_for_moves(here: Here, table: str, count: int) -> None:
    until = time.monotonic() + 30
    while len(here.full(table)["log"]) < count:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_whole_game_by_the_seat_s_link(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a known deal: with one in twenty-five, whoever always takes the first move hoards tokens
    until neither can buy, and the game never ends."""
    monkeypatch.setattr(tablemaking, "new_seed", lambda: "5eed" * 16)
    table, link = solo(here)
    done = run("join", link, stdin="1\n" * 400, home=tmp_path)
    assert done.code == 0, done.err
    assert "Cabochon: the quick game, 2 players, to 10 points." in done.out
    assert "Ada, your move (? for help): " in done.out
    assert "The game is over." in done.out
    assert re.search(r"^1\. .* wins$", done.out, re.M)
    assert here.get(f"/tables/{table}")["state"] == "finished"


def test_the_same_game_in_chinese(here: Here, tmp_path: Path) -> None:
    _, link = solo(here)
    done = run("--lang", "zh", "join", link, stdin="帮助\n说 1\n退出\n", home=tmp_path)
    assert "在服务器的牌桌上" in done.out
    assert "座位仍为你保留" in done.out
    assert "your" not in done.out


def test_an_invitation_seats_you_and_the_seat_is_kept(here: Here, tmp_path: Path) -> None:
    table, _, invitation = open_table(here, ada=1)
    first = run("join", invitation, "--name", "Bo", stdin="", home=tmp_path)
    assert "You sit at place 1." in first.out
    info = here.get(f"/tables/{table}")
    assert [chair["name"] for chair in info["chairs"]] == ["Bo", "Ada"]
    (kept,) = (tmp_path / "cabochon" / "seats").iterdir()
    assert kept.stat().st_mode & 0o077 == 0


def test_two_people_play_and_the_deal_is_everybody_s(here: Here, tmp_path: Path) -> None:
    table, key, invitation = open_table(here)
    bo = Beside("join", invitation, "--name", "Bo", stdin="wug\nquit\n", home=tmp_path)
    wait_until_full(here, table)
    move(here, table, key, "take urk")
    wait_for_moves(here, table, 2)
    here.post(f"/tables/{table}/resign", {}, key)
    done = bo.end()
    assert done.code == 0, done.err
    assert "Ada: takes" in done.out
    log = here.full(table, key)["log"]
    assert [line["seat"] for line in log] == [0, 1, 0]


def test_shares_are_promised_and_revealed_by_themselves(here: Here, tmp_path: Path) -> None:
    from cabochon.rules.dealer import new_share, share_hash

    share = new_share()
    chairs = [{"kind": "me", "name": "Ada", "share_hash": share_hash(share)}, {"kind": "open"}]
    made = here.post("/tables", {"chairs": chairs, **QUICK})
    table, key = made["table"]["id"], made["keys"][0]["key"]
    invitation = f"{here.base}/join/{made['invites'][0]['code']}"
    bo = Beside("join", invitation, "--name", "Bo", stdin="quit\n", home=tmp_path)
    with here.socket(table, key) as ada:
        until = time.monotonic() + 30
        while not (here.get(f"/tables/{table}").get("shares") or {}).get("reveal"):
            assert time.monotonic() < until
            time.sleep(0.02)
        assert ada.ask(type="share", action="reveal", value=share)["type"] == "accepted"
        wait_until_full(here, table)
        shares = here.get(f"/tables/{table}")["shares"]
        assert all(shares["hashes"])
        assert ada.ask(type="resign")["type"] == "accepted"
    assert "somebody resigned" in bo.end().out


@pytest.mark.parametrize(
    ("lang", "says"),
    [("en", "To open one, go to {0}/, or see others play: cabochon watch {0}")]
    + [("zh", "可以到 {0}/ 开一桌，或观看对局：cabochon watch {0}")],
)
def test_where_nobody_waits_there_is_a_way_on(lang: str, says: str, tmp_path: Path) -> None:
    with serving(tmp_path / "empty.db") as here:
        done = run("join", here.base, "--lang", lang, home=tmp_path)
        assert done.code == 0
        assert says.format(here.base) in " ".join(done.out.split())


def test_a_listed_table_is_found_and_joined(here: Here, tmp_path: Path) -> None:
    table, _, _ = open_table(here, ada=1, listed=True)
    listing = run("join", here.base, home=tmp_path)
    assert f"{here.base}/t/{table}" in listing.out
    run("join", f"{here.base}/t/{table}", "--name", "Cy", stdin="", home=tmp_path)
    assert here.get(f"/tables/{table}")["chairs"][0]["name"] == "Cy"


def test_signed_in_by_a_token(here: Here, tmp_path: Path) -> None:
    token = here.post("/tokens", {"name": "Robo", "scopes": ["table:join", "table:play"]})["token"]
    table, key, invitation = open_table(here)
    beside = Beside("join", invitation, "--token", token, stdin="wug\nquit\n", home=tmp_path)
    wait_until_full(here, table)
    move(here, table, key, "take urk")
    wait_for_moves(here, table, 2)
    here.post(f"/tables/{table}/resign", {}, key)
    assert beside.end().code == 0
    assert here.get(f"/tables/{table}")["chairs"][1]["name"] == "Robo"


def test_a_watcher_follows_to_the_end_and_is_asked_nothing(here: Here, tmp_path: Path) -> None:
    table, (ada, bo) = here.strangers(variant="quick")
    watcher = Beside("watch", f"{here.base}/t/{table}", stdin="", home=tmp_path)
    with here.socket(table, ada) as talk:
        talk.hear("gameFull")
        move(here, table, ada, "take wug")
        move(here, table, bo, "take urk")
        assert talk.ask(type="resign")["type"] == "accepted"
    done = watcher.end()
    assert done.code == 0, done.err
    assert "somebody resigned" in done.out
    assert "your move" not in done.out


def test_a_move_against_the_rules_is_refused_in_words(here: Here, tmp_path: Path) -> None:
    _, link = solo(here)
    done = run("join", link, stdin="b 3k1\nxyzzy\n99\nquit\n", home=tmp_path)
    assert "! " in done.out
    assert "Type ? for help" in done.out
    assert "they run from 1 to" in done.out


def test_what_is_said_at_the_table_arrives(here: Here, tmp_path: Path) -> None:
    table, (ada, bo) = here.strangers()
    with here.socket(table, bo) as talk:
        talk.hear("gameFull")
        link = format_link(here.base, table, (ada,))
        done = run("join", link, stdin="say\nsay 2\nresign\ny\n", home=tmp_path)
        assert talk.hear("chatLine")["phrase"] == "good-luck"
        assert talk.hear("gameFinish")["result"]["reason"] == "resign"
    assert " 2 Good luck, have fun!" in done.out
    assert "somebody resigned" in done.out


def test_hints_only_alone_against_bots(here: Here, tmp_path: Path) -> None:
    _, link = solo(here)
    assert "The greedy bot would: " in run("join", link, stdin="hint\nq\n", home=tmp_path).out
    table, (ada, _) = here.strangers()
    link = format_link(here.base, table, (ada,))
    assert "There are no hints" in run("join", link, stdin="hint\nq\n", home=tmp_path).out


def test_the_game_so_far_can_be_saved(here: Here, tmp_path: Path) -> None:
    _, link = solo(here)
    run("join", link, stdin=f"wug\nsave {tmp_path / 'mine.cabochon'}\nq\n", home=tmp_path)
    assert '[Seat0 "Ada"]' in (tmp_path / "mine.cabochon").read_text()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("nonsense/x", "isn't the address of a table"),
        ("http://127.0.0.1:1/t/abcdefghjk", "nobody answers"),
        (
            "http://127.0.0.1:1",
            "nobody answers at http://127.0.0.1:1: no server runs there right now",
        ),
        ("table.invalid", "nobody answers at http://table.invalid: there is no such address"),
    ],
)
def test_what_cannot_be_joined_is_said_in_one_line(url: str, says: str, tmp_path: Path) -> None:
    done = run("join", url, home=tmp_path)
    assert done.code == 2
    assert says in done.err
    assert done.err.count("\n") == 1


def test_a_table_that_is_not_there(here: Here, tmp_path: Path) -> None:
    joined = run("join", f"{here.base}/t/nosuchtable", home=tmp_path)
    watched = run("watch", f"{here.base}/t/nosuchtable", home=tmp_path)
    assert joined.code == watched.code == 2
    assert "nosuchtable" in joined.err + watched.err


@pytest.mark.servers
def test_the_game_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    with Process(str(tmp_path / "t.db")) as server:
        table, link = solo(server.here)
        with Screen(["join", link, "--brief"], tmp_path) as screen:
            screen.wait_for("your move")
            server.kill()
            screen.wait_for("The connection is gone")
            screen.type("wug\n")
            server.start()
            screen.wait_for("Connected again.")
            screen.wait_for("Ada: takes")
            screen.type("q\n")
            screen.wait_for("Your seat stays yours")
            assert screen.end() == 0
        kinds = [line["seat"] for line in server.here.full(table)["log"]]
        assert kinds.count(0) == 1
