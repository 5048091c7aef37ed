"""`cabochon play` in this process: the talk, the file, and what stays hidden."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from cabochon.bots import make_bot
from cabochon.game import Game
from cabochon.notation import format_move, format_record, parse_record
from cabochon.record import Reason, Record, verify
from cabochon.render.width import width
from cabochon.rules import LEVELS, Phase, Position, Ruleset, ShuffledDealer, seating
from cabochon.words import languages
from tests.arrange import arrange, bonus_cards, hand, reserve
from tests.cli.driver import run

GOLDEN = Path(__file__).parent / "golden"
SESSION = """\
?
moves
hint
zork
b 3r1
rrr
r d2
me
b
n
card 2u5
pay 1w1
99
wug
last
q
"""


def kept_file(home: Path) -> Path:
    (path,) = (home / "cabochon" / "games").iterdir()
    return path


def winning_lines(ruleset: Ruleset, seed: str) -> str:
    """What a person would type who plays as the greedy bot does, against the greedy bot."""
    order = seating(seed, ruleset.seats)
    bots = {seat: "greedy" for seat, player in enumerate(order) if player != 0}
    game, lines = Game(ruleset=ruleset, seed=seed, bots=bots), []
    while not game.is_over:
        if not game.play_bots():
            move = make_bot("greedy").choose(game.view(game.seat))
            lines.append(format_move(move))
            game.play(move)
    return "\n".join(lines) + "\n"


# The talk


@pytest.mark.parametrize("lang", languages())
def test_a_short_session_reads_as_agreed(lang: str) -> None:
    """Golden: change tests/cli/golden/session.*.txt when the words change, and read it."""
    done = run("play", "--seed", "golden", "--no-save", "--lang", lang, stdin=SESSION)
    assert (done.code, done.err) == (0, "")
    expected = GOLDEN / f"session.{lang}.txt"
    assert done.out == expected.read_text("utf-8")
    assert all(width(line) <= 80 for line in done.out.splitlines())


@pytest.mark.parametrize("text", ["standard/2", "quick/3", "quick-teams/4"])
def test_a_whole_game_is_played_to_its_end_and_kept(text: str, tmp_path: Path) -> None:
    lines = winning_lines(Ruleset.parse(text), "whole")
    done = run("play", "--ruleset", text, "--seed", "whole", stdin=lines, home=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert "The game is over." in done.out
    assert "wins" in done.out
    assert "The seed was whole" in done.out
    record = parse_record(kept_file(tmp_path).read_text("utf-8"))
    assert record.result is not None
    assert record.result.reason is Reason.TARGET
    assert verify(record).ok


def test_bots_play_alone(tmp_path: Path) -> None:
    done = run(
        "play", "--humans", "0", "--players", "3", "--seed", "alone", "--variant", "quick",
        home=tmp_path,
    )  # fmt: skip
    assert done.code == 0
    assert "Greedy 1: takes" in done.out
    assert "Greedy 3: takes" in done.out
    assert "The game is over." in done.out


def test_who_sits_where_follows_from_the_seed_or_is_kept() -> None:
    orders = set()
    for seed in "abcdef":
        out = run("play", "--seed", seed, "--no-save", "--players", "3").out
        orders.add(next(line for line in out.splitlines() if line.startswith("Order")))
    assert len(orders) > 1
    kept = run("play", "--seed", "a", "--no-save", "--keep-order", "--bots", "greedy,uniform")
    assert "Order of play: You, then Greedy, then Uniform." in kept.out


@pytest.mark.parametrize(
    ("options", "order"),
    [
        (("--bots", "greedy,uniform"), "You, then Greedy, then Uniform"),
        (("--players", "4", "--bots", "uniform"), "You, then Uniform 1, then Uniform 2, then U"),
        (("--variant", "teams"), "You, then Greedy 1, then Greedy 2, then Greedy 3"),
        (("--variant", "teams", "--humans", "2"), "Player 1, then Player 2, then Greedy 1"),
        (("--humans", "3"), "Player 1, then Player 2, then Player 3."),
        (("--bots", "greedy,greedy,uniform,uniform", "--players", "4"), "Greedy 1, then Greedy 2"),
        (("--ruleset", "quick/3"), "You, then Greedy 1, then Greedy 2."),
    ],
)
def test_the_table_is_filled(options: tuple[str, ...], order: str) -> None:
    done = run("play", *options, "--seed", "fill", "--no-save", "--keep-order")
    assert (done.code, done.err) == (0, "")
    assert f"Order of play: {order}" in done.out.replace("\n", " ")


def test_names_are_given_and_cleaned() -> None:
    done = run("play", "--name", "Ann\x1b[31m,Bo", "--humans", "2", "--no-save", "--keep-order")
    assert "Order of play: Ann[31m, then Bo." in done.out
    assert "\x1b" not in done.out


def test_brief_draws_no_board_until_asked() -> None:
    quiet = run("play", "--seed", "a", "--brief", "--no-save", "--keep-order", stdin="wug\n")
    assert "deck3" not in quiet.out
    asked = run("play", "--seed", "a", "--brief", "--no-save", "--keep-order", stdin="board\n")
    assert "deck3" in asked.out


def test_every_question_is_answered() -> None:
    questions = "board bank market nobles me others last rules moves hint help"
    lines = questions.replace(" ", "\n") + "\ncard zzz\npay zzz\npay 3k1\ncard\nsave\n"
    done = run("play", "--seed", "a", "--brief", "--no-save", "--keep-order", stdin=lines)
    assert done.code == 0
    for answer in (
        "The bank has 4 white, 4 blue",
        "Deck 3: 16 cards left.",
        "You still need",
        "You: 0 points, 0 cards bought.",
        "Greedy: 0 points, 0 cards bought.",
        "# The rules",
        "The greedy bot would: ",
        "There is no card zzz.",
        "Save where?",
    ):
        assert answer in done.out, answer
    assert all(width(line) <= 80 for line in done.out.splitlines())


def test_a_resigned_game_is_lost(tmp_path: Path) -> None:
    done = run("play", "--seed", "a", "--keep-order", home=tmp_path, stdin="resign\nn\nresign\ny\n")
    assert done.code == 0
    assert "somebody resigned" in done.out
    result = parse_record(kept_file(tmp_path).read_text("utf-8")).result
    assert result is not None
    assert str(result) == "2-1 resigned"


# The file


def test_the_game_is_kept_for_its_user_alone_after_every_move(tmp_path: Path) -> None:
    done = run("play", "--seed", "a", "--keep-order", home=tmp_path, stdin="wug\n")
    path = kept_file(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "The file holds the seed" in done.out
    assert "Continue with: cabochon play --resume" in done.out
    record = parse_record(path.read_text("utf-8"))
    assert format_move(record.events[0]) == "take wug"  # type: ignore[arg-type]
    assert record.seed == "a"
    assert verify(record).ok


def test_the_last_game_is_resumed_and_ends_as_if_never_left(tmp_path: Path) -> None:
    lines = winning_lines(Ruleset.preset("quick"), "left").splitlines()
    options = ("--variant", "quick", "--seed", "left")
    run("play", *options, home=tmp_path, stdin="\n".join(lines[:7]) + "\n")
    run("play", "--resume", home=tmp_path, stdin="\n".join(lines[7:12]) + "\nq\n")
    done = run("play", "--resume", home=tmp_path, stdin="\n".join(lines[12:]) + "\n")
    assert "The game is over." in done.out
    once = run("play", *options, "--record", tmp_path / "once", stdin="\n".join(lines) + "\n")
    assert once.code == 0
    left, whole = (
        parse_record(path.read_text("utf-8")) for path in (kept_file(tmp_path), tmp_path / "once")
    )
    assert left.events == whole.events
    assert left.result == whole.result


def test_a_game_that_is_over_is_not_resumed(tmp_path: Path) -> None:
    run("play", "--seed", "a", home=tmp_path, stdin="resign\ny\n")
    latest = run("play", "--resume", home=tmp_path)
    assert (latest.code, latest.out) == (2, "")
    assert "no game to continue" in latest.err
    named = run("play", "--resume", kept_file(tmp_path))
    assert named.code == 2
    assert "is over (" in named.err


def test_unreadable_files_among_the_games_are_passed_over(tmp_path: Path) -> None:
    run("play", "--seed", "a", home=tmp_path, stdin="wug\n")
    (tmp_path / "cabochon" / "games" / "zzz.cabochon").write_text("nothing of ours")
    assert run("play", "--resume", home=tmp_path).code == 0


def test_a_changed_game_is_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "game.cabochon"
    run("play", "--seed", "a", "--keep-order", "--record", path, stdin="wug\n")
    path.write_text(path.read_text("utf-8").replace("take wug", "take www"), "utf-8")
    done = run("play", "--resume", path)
    assert done.code == 2
    assert "is damaged: At ply 1" in done.err


def test_a_record_without_seed_or_kinds_can_be_played_on(tmp_path: Path) -> None:
    path = tmp_path / "game.cabochon"
    run("play", "--seed", "a", "--keep-order", "--record", path, stdin="r d1\n")
    text = path.read_text("utf-8")
    bare = "\n".join(
        line for line in text.splitlines() if not line.startswith(("[Seed", "[Kinds", "[Commit"))
    )
    path.write_text(bare, "utf-8")
    done = run("play", "--resume", path, stdin="r d1\n")
    assert done.code == 0
    record = parse_record(path.read_text("utf-8"))
    assert record.seed is None
    assert verify(record).ok
    assert len(record.events) > len(parse_record(bare).events)


def test_json_is_kept_where_the_name_asks_for_it(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    run("play", "--seed", "a", "--keep-order", "--record", path, stdin="wug\n")
    assert path.read_text("utf-8").startswith('{"cabochon":1')
    assert run("play", "--resume", path, stdin="wug\n").code == 0


def test_a_copy_is_saved_on_request(tmp_path: Path) -> None:
    copy = tmp_path / "copy.cabochon"
    done = run("play", "--seed", "a", "--no-save", "--keep-order", stdin=f"wug\nsave {copy}\n")
    assert "Saved in" in done.out
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert run("verify", copy).code == 0


def test_a_copy_that_cannot_be_saved_is_said() -> None:
    done = run("play", "--seed", "a", "--no-save", stdin="save /proc/none/x\n")
    assert "can't write /proc/none/x" in done.out
    assert done.code == 0


def test_a_game_that_cannot_be_kept_goes_on_and_says_so_once(tmp_path: Path) -> None:
    (tmp_path / "cabochon").write_text("a file in the way")
    done = run("play", "--seed", "a", "--keep-order", home=tmp_path, stdin="wug\nwug\n")
    assert done.code == 0
    assert done.err.count("can't be kept") == 1
    assert "Go on with" not in done.out


def test_a_folder_holds_no_game() -> None:
    done = run("play", "--record", "/", stdin="q\n")
    assert done.code == 0
    assert done.err == (
        "cabochon: the game can't be kept in /: it is a folder. It goes on all the same.\n"
    )
    done = run("play", "--no-save", stdin="save /\nq\n")
    assert "can't write /: it is a folder" in done.out


@pytest.mark.parametrize(
    ("lang", "typed", "said"),
    [
        ("en", "card", "Which card? Type for example: card 2u5"),
        ("en", "pay", "Which card? Type for example: pay 2u5"),
        ("zh", "牌", "哪张牌？例如输入：牌 2u5"),
        ("zh", "付法", "哪张牌？例如输入：付法 2u5"),
        ("en", "undo", "There is no undo here: a move that is made stays."),
        ("zh", "悔棋", "这里不能悔棋：落子无悔。"),
    ],
)
def test_half_a_question_and_an_undo_are_answered(lang: str, typed: str, said: str) -> None:
    done = run("play", "--no-save", "--brief", "--lang", lang, stdin=f"{typed}\nq\n")
    assert said in done.out.splitlines()


def test_a_user_without_a_home_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "nowhere")
    done = run("play", "--seed", "a", env={"XDG_DATA_HOME": "relative"})
    assert (done.code, done.out) == (2, "")
    assert "can't find your home folder" in done.err


# What stays hidden


def test_no_screen_of_a_running_game_shows_the_seed_or_a_card_to_come(tmp_path: Path) -> None:
    seed = "very secret"
    lines = "r d1\nmoves\nme\nothers\nmarket\nlast\nhint\n" * 3
    done = run("play", "--seed", seed, "--bots", "uniform", home=tmp_path, stdin=lines)
    assert "secret" not in done.out
    record = parse_record(kept_file(tmp_path).read_text("utf-8"))
    known = record.final().view(record.players.index("You"))
    to_come = {card.code for card in known.unseen()}
    assert to_come
    told = [line for line in done.out.splitlines() if not line.startswith("Type a move such as")]
    shown = {word.strip(".,:;()") for line in told for word in line.split()}
    assert not shown & to_come


def test_several_people_do_not_see_each_others_cards() -> None:
    dealer, ruleset = ShuffledDealer("hot"), Ruleset()
    opening = dealer.opening(ruleset)
    done = run(
        "play", "--humans", "2", "--name", "Ann,Bo", "--keep-order", "--seed", "hot", "--no-save",
        stdin="\nr d2\n\nwug\n\n",
    )  # fmt: skip
    parts = done.out.split("Pass the keyboard to ")
    assert [part.split(",")[0] for part in parts[1:]] == ["Ann", "Bo", "Ann"]
    drawn = dealer_card(dealer, ruleset, 2)
    assert drawn not in {card.code for row in opening.rows for card in row}
    assert drawn not in parts[2]
    assert drawn in parts[3]


def dealer_card(dealer: ShuffledDealer, ruleset: Ruleset, level: int) -> str:
    """The first card of the level's deck."""
    assert level in LEVELS
    start = Position.start(ruleset, dealer.opening(ruleset))
    return dealer.deal(start.play(reserve(f"deck{level}"))).card.code


# From a position


def study(path: Path, position: Position) -> Path:
    """A record that starts there, with nothing played yet."""
    path.write_text(format_record(Record.start(position.ruleset, position)), "utf-8")
    return path


def test_a_noble_is_chosen_by_its_name(tmp_path: Path) -> None:
    both = hand(bought=bonus_cards("wwwwuuuukkkk"))
    position = arrange(hands=[both], nobles="wu4 wk4 gr4", phase=Phase.NOBLE)
    path = study(tmp_path / "noble", position)
    done = run("play", "--resume", path, stdin="moves\ngr4\nwk4\nq\n")
    assert "choose a noble, wu4, wk4: " in done.out
    assert "noble      1 wu4    2 wk4" in done.out
    assert "! Noble" in done.out
    assert "Isabella of Castile visits" in done.out
    assert "wk4 (?)" in done.out


def test_tokens_above_ten_are_given_back_by_their_letters(tmp_path: Path) -> None:
    full = hand("wwuuggrrkk")
    path = study(tmp_path / "full", arrange("standard/4", hands=[full]))
    done = run("play", "--resume", path, stdin="r 1w1\nw u\nwww\no\nq\n")
    assert "you hold 2w 2u 2g 2r 2k 1o: give back 1: " in done.out
    assert "! Give back only 1, not 2." in done.out
    assert "! Give back only 1, not 3." in done.out
    record = parse_record(path.read_text("utf-8"))
    assert "return o" in format_record(record)


def test_every_way_to_pay_is_listed_and_can_be_chosen(tmp_path: Path) -> None:
    position = arrange("standard/4", hands=[hand("rroo")], rows={1: "1w1"})
    path = study(tmp_path / "pay", position)
    done = run("play", "--resume", path, stdin="pay 1w1\nb 1w1 =roo\nq\n")
    assert "buy 1w1 =rro   buy 1w1 =roo" in done.out
    assert "buy 1w1 =roo" in format_record(parse_record(path.read_text("utf-8")))


def test_a_shared_victory_is_called_one(tmp_path: Path) -> None:
    """Both have fifteen points from five cards, and the last turn changes nothing."""
    ones, others = hand("", bought="3w1 3u1 3g1 3r1 3k1"), hand("", bought="3w2 3u2 3g2 1k8 2k5")
    position = arrange(hands=[ones, others], turn=1, last_round=True)
    done = run("play", "--resume", study(tmp_path / "shared", position))
    assert done.out.count("shares the victory") == 2


def test_a_record_that_was_asked_for_is_written_though_nothing_else_is_kept(tmp_path: Path) -> None:
    kept = tmp_path / "kept.cabochon"
    run("play", "--humans", "0", "--seed", "x", "--no-save", "--record", str(kept))
    assert kept.read_text("utf-8").startswith("[Cabochon")
