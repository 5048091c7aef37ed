"""show, replay, convert, verify, perft, rules, and what every verb has in common."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from cabochon import __version__
from cabochon.cli import VERBS, main
from cabochon.cli.terminal import Terminal
from cabochon.notation import (
    dumps,
    format_position,
    format_record,
    format_view,
    parse_path,
    parse_record,
    position_to_json,
    record_to_json,
    view_to_json,
)
from cabochon.record import Record
from cabochon.render.text import board
from cabochon.render.width import width
from cabochon.rules import Position, Ruleset, ShuffledDealer
from cabochon.words import languages
from tests.arrange import arrange, hand, reserve
from tests.cli.driver import play_bots, run
from tests.notation.test_records import STUDY
from tests.notation.test_variations import TREE


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_bots(tmp_path_factory.mktemp("games") / "game.cabochon", "verbs")


@pytest.fixture
def record(game: Path) -> Record:
    return parse_record(game.read_text("utf-8"))


# In common


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("verb", [None, *VERBS])
def test_every_verb_has_help_that_fits(verb: str | None, lang: str) -> None:
    done = run(*(["--help"] if verb is None else [verb, "--help"]), "--lang", lang)
    assert (done.code, done.err) == (0, "")
    assert "--lang" in done.out
    assert all(width(line) <= 80 for line in done.out.splitlines())


def test_help_is_chinese_where_the_system_is() -> None:
    assert "命令" in run("--help", env={"LANG": "zh_CN.UTF-8"}).out
    assert "选项" in run("play", "-h", env={"LC_ALL": "zh_CN.UTF-8"}).out
    assert "verbs" in run("--help", "--lang", "en", env={"LANG": "zh_CN.UTF-8"}).out


def test_without_a_verb_the_help_is_shown() -> None:
    assert run().out == run("--help").out


def test_the_version() -> None:
    assert run("--version").out == f"cabochon {__version__}\n"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["sing"], "there is no verb sing; choose from play, join"),
        (["--nonsense"], "unknown: --nonsense"),
        (["play", "--nonsense"], "unknown: --nonsense"),
        (["play", "--pla", "2"], "unknown: --pla"),
        (["play", "--players", "5"], "5 must be a whole number from 2 to 4"),
        (["play", "--players", "two"], "two must be a whole number from 2 to 4"),
        (["play", "--seed"], "--seed needs a value"),
        (["play", "--lang", "fr"], "fr must be one of en, zh"),
        (["play", "--color", "blue"], "blue must be one of auto, always, never"),
        (["play", "--variant", "cities"], "The Cities expansion is not supported"),
        (["play", "--variant", "chess"], "There is no variant chess"),
        (["play", "--variant", "teams", "--players", "3"], "Teams need four players, not 3"),
        (["play", "--ruleset", "standard/9"], "The game is for 2 to 4 players, not 9"),
        (["play", "--bots", "stockfish"], "There is no bot stockfish; choose from uniform, greedy"),
        (["play", "--players", "2", "--humans", "3"], "don't fit 2 seats"),
        (["play", "--resume", "nowhere"], "can't read nowhere: there is no such file or folder"),
        (["play", "--name", "A", "--resume", "/"], "can't read /: it is a folder"),
        (["join", "http://[::1"], "isn't the address of a table"),
        (["show"], "missing: FILE|POSITION"),
        (["show", "nowhere"], "can't read nowhere"),
        (["show", "/"], "it is a folder"),
        (["show", "a\0b"], "can't read"),
        (["replay", "nowhere"], "can't read nowhere"),
        (["convert", "nowhere", "-"], "can't read nowhere"),
        (["verify", "nowhere"], "can't read nowhere"),
        (["verify"], "missing: RECORD"),
        (["perft", "--depth", "-1"], "-1 must be a whole number"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(argv: list[str], message: str) -> None:
    done = run(*argv)
    assert done.code == 2
    assert done.out == ""
    assert message in done.err
    assert done.err.count("\n") == 1


def test_complaints_are_chinese_too() -> None:
    assert "没有命令 sing" in run("--lang", "zh", "sing").err
    assert "无法识别：--nonsense" in run("play", "--nonsense", "--lang=zh").err
    assert "缺少：FILE" in run("replay", "--lang", "zh").err
    assert "无法读取 nowhere：没有这个文件或文件夹" in run("show", "nowhere", "--lang", "zh").err
    assert "没有名为 x 的机器人" in run("play", "--bots", "x", "--lang", "zh").err


def test_chinese_help_has_chinese_colons() -> None:
    said = run("play", "--help", "--lang", "zh").out
    assert "选项：" in said
    assert "选项:" not in said


# show


def test_show_draws_the_end_of_a_record_with_every_face(game: Path, record: Record) -> None:
    done = run("show", game)
    assert done.out == board(record.final(), names=record.players) + "\n"


def test_show_draws_any_ply_for_any_seat(game: Path, record: Record) -> None:
    position = list(record.replay())[20]
    done = run("show", game, "--ply", "20", "--seat", "2")
    assert done.out == board(position.view(1), names=record.players) + "\n"


def test_show_says_when_there_is_no_such_ply_or_seat(game: Path) -> None:
    assert "there is no ply 9999; the record has" in run("show", game, "--ply", "9999").err
    assert "there is no seat 3; there are 2" in run("show", game, "--seat", "3").err
    assert "there is no seat 4; there are 2" in run("replay", game, "--seat", "4").err


def test_show_draws_a_position_or_a_view_given_as_text_or_json(tmp_path: Path) -> None:
    position = arrange(hands=[hand("wug", reserved="?2u5")])
    view = position.view(1)
    assert run("show", format_position(position)).out == board(position) + "\n"
    assert run("show", format_view(view)).out == board(view) + "\n"
    assert run("show", "-", stdin=dumps(position_to_json(position))).out == board(position) + "\n"
    path = tmp_path / "view.json"
    path.write_text(dumps(view_to_json(view)), "utf-8")
    assert run("show", path).out == board(view) + "\n"
    assert "somebody else's view" in run("show", path, "--seat", "1").err
    assert run("show", path, "--seat", "2").out == board(view) + "\n"
    assert "--ply is for records" in run("show", path, "--ply", "1").err


def test_show_says_everything_that_is_wrong_with_a_position() -> None:
    text = format_position(arrange()).replace("w4u4g4r4k4o5", "w4u4g4r4k3o4")
    done = run("show", text)
    assert done.code == 2
    assert "3 black" in done.err
    assert "4 gold" in done.err


def test_show_writes_a_picture(game: Path, tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    assert run("show", game, "--svg", picture).code == 0
    assert picture.read_text("utf-8").startswith("<svg")
    assert run("show", game, "--svg", "-").out.startswith("<svg")
    assert "can't write" in run("show", game, "--svg", tmp_path / "no" / "board.svg").err


# variations


@pytest.fixture
def tree_file(tmp_path: Path) -> Path:
    path = tmp_path / "tree.cabochon"
    path.write_text(TREE, "utf-8")
    return path


def test_replay_lists_variations_below_the_turn_they_replace(tree_file: Path) -> None:
    done = run("replay", tree_file, "--all")
    turns = [line[:24].rstrip() for line in done.out.splitlines() if line[:24].strip()]
    assert turns == [
        "1a wug", "  1a grk", "  1b wug", "1b @deck2 +o >2w6", "  1b ugr", "  2a wgr", "    2a wrk",
        "    2b wgr", "  1b @deck2 +o >2k1", "  1b @deck2 +o >2k2", "  2a wug", "2a grk",
        "  2b wuk",
    ]  # fmt: skip


def test_replay_for_a_seat_or_of_a_running_game_lists_no_variations(tree_file: Path) -> None:
    for more in ([], ["--seat", "1"]):
        done = run("replay", tree_file, *more)
        assert "1a grk" not in done.out
        assert "2k1" not in done.out
        assert len(done.out.splitlines()) == 3


def test_a_variation_that_cannot_be_played_is_told_before_anything_else(tree_file: Path) -> None:
    tree_file.write_text(TREE.replace("deal 2k1", "deal 2w3"), "utf-8")
    done = run("replay", tree_file, "--all")
    assert (done.code, done.out) == (2, "")
    assert "Variation 3.1, ply 3" in done.err
    checked = run("verify", tree_file)
    assert checked.code == 1
    assert "Variation 3.1, ply 3" in checked.out
    assert "变化 3.1，第 3 步" in run("verify", tree_file, "--lang", "zh").out
    (line,) = run("verify", tree_file, "--json").out.splitlines()
    assert json.loads(line)["broken"][0]["params"]["variation"] == "3.1"


def test_show_draws_a_position_in_a_variation(tree_file: Path) -> None:
    record = parse_record(TREE)
    *_, last = record.replay(parse_path("3.2"))
    drawn = run("show", tree_file, "--all", "--line", "3.2").out
    assert drawn == board(last, names=record.players) + "\n"
    assert "2k2" in run("show", tree_file, "--all", "--line", "3.2", "--ply", "3").out
    assert "2k2" not in run("show", tree_file, "--all", "--line", "3.2", "--ply", "2").out
    assert "no ply 5; the record has 4" in run("show", tree_file, "--line", "3.2", "--ply", "5").err
    assert "no variation 9.1" in run("show", tree_file, "--line", "9.1").err
    assert "as the path of a variation" in run("show", tree_file, "--line", "x").err
    position = format_position(last)
    assert "--line is for records" in run("show", position, "--line", "1.1").err


def test_convert_takes_variations_there_and_back(tree_file: Path, tmp_path: Path) -> None:
    there = tmp_path / "tree.json"
    assert run("convert", tree_file, there).code == 0
    assert len(json.loads(there.read_text("utf-8"))["variations"]) == 5
    assert run("convert", there, "-").out == TREE


def test_verify_finds_a_wrong_label_in_a_variation(tree_file: Path) -> None:
    tree_file.write_text(TREE.replace("(2b. take wgr", "(2a. take wgr"), "utf-8")
    done = run("verify", tree_file)
    assert done.code == 1
    assert "Variation 2.1/4.1, ply 4: The label says 2a" in done.out.replace("\n  ", " ")


def test_verify_of_a_game_from_a_position_says_that_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "study.cabochon"
    path.write_text(STUDY, "utf-8")
    done = run("verify", path)
    assert done.code == 3
    assert "Not proved: The record starts from a given position" in done.out


# replay


def test_replay_lists_every_turn_and_the_result(game: Path, record: Record) -> None:
    done = run("replay", game)
    starts = [line for line in done.out.splitlines() if not line.startswith(" ")]
    assert len(starts) == len(record.turns()) + 1
    assert starts[0].startswith("1a ")
    assert starts[-1] == str(record.result)


@pytest.fixture
def running(tmp_path: Path) -> tuple[Path, str]:
    """A game that goes on, in which the first seat drew a card unseen; and that card."""
    ruleset, dealer = Ruleset(), ShuffledDealer("hidden")
    fresh = Record.start(ruleset, dealer.opening(ruleset), ("Ada", "Bo"))
    drawn = fresh.append(reserve("deck2"))
    deal = dealer.deal(drawn.final())
    path = tmp_path / "running.cabochon"
    path.write_text(format_record(drawn.append(deal)), "utf-8")
    return path, deal.card.code


@pytest.mark.parametrize("verb", ["show", "replay"])
def test_a_game_that_goes_on_keeps_its_secrets(verb: str, running: tuple[Path, str]) -> None:
    path, code = running
    assert code not in run(verb, path).out
    assert code not in run(verb, path, "--seat", "2").out
    assert code in run(verb, path, "--seat", "1").out
    assert code in run(verb, path, "--all").out


def test_a_hidden_card_is_a_question_mark_in_the_table_form(running: tuple[Path, str]) -> None:
    assert "@deck2 +o >?" in run("replay", running[0]).out


def test_a_damaged_record_says_at_which_ply_and_why(game: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.cabochon"
    bad.write_text(game.read_text("utf-8").replace("1a. take ", "1a. take o", 1), "utf-8")
    for verb in ("replay", "show"):
        done = run(verb, bad)
        assert done.code == 2
        assert "At ply 1: You can't take gold" in done.err


# convert


def test_convert_goes_to_json_and_back_without_loss(game: Path, tmp_path: Path) -> None:
    middle, end = tmp_path / "game.json", tmp_path / "end.cabochon"
    assert run("convert", game, middle).code == 0
    json.loads(middle.read_text("utf-8"))
    assert run("convert", middle, end).code == 0
    assert end.read_bytes() == game.read_bytes()


def test_a_file_that_cannot_be_written_stays_as_it_was(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    old = tmp_path / "old.cabochon"
    old.write_bytes(game.read_bytes())
    old.chmod(0o600)
    assert run("convert", old, old, "--to", "json").code == 0
    assert old.read_text("utf-8").startswith("{")
    assert old.stat().st_mode & 0o777 == 0o600
    before = old.read_bytes()
    monkeypatch.setattr("os.fsync", full)
    for done in (run("convert", game, old), run("show", game, "--svg", old)):
        assert (done.code, done.err) == (2, f"cabochon: can't write {old}: the disk is full.\n")
    assert run("convert", game, tmp_path / "new.json").code == 2
    assert run("convert", game, tmp_path / "none" / "new.json").code == 2
    assert old.read_bytes() == before
    assert list(tmp_path.iterdir()) == [old]
    assert run("convert", game, "/dev/null").code == 0


def test_convert_between_pipes(game: Path) -> None:
    text = game.read_text("utf-8")
    as_json = run("convert", "-", "-", stdin=text)
    assert json.loads(as_json.out)["cabochon"] == 1
    assert run("convert", "-", "-", "--to", "text", stdin=as_json.out).out == text


def test_convert_keeps_several_records_apart(game: Path) -> None:
    text = game.read_text("utf-8")
    both = run("convert", "-", "-", "--to", "json", stdin=f"{text}\n{text}")
    assert len(json.loads(both.out)) == 2
    assert run("convert", "-", "-", "--to", "text", stdin=both.out).out == f"{text}\n{text}"


# verify


def test_verify_says_what_holds(game: Path) -> None:
    done = run("verify", game)
    assert done.code == 0
    assert done.out.startswith(f"{game}: holds\n")
    assert "Every card was dealt as the revealed seed says." in done.out


def test_verify_finds_a_changed_move_and_goes_on_to_the_next_file(
    game: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.cabochon"
    bad.write_text(game.read_text("utf-8").replace("1a. take ", "1a. take o", 1), "utf-8")
    done = run("verify", bad, game)
    assert done.code == 1
    assert f"{bad}: DOES NOT HOLD" in done.out
    assert "At ply 1: You can't take gold" in done.out
    assert f"{game}: holds" in done.out


def test_verify_finds_another_seed(game: Path) -> None:
    changed = game.read_text("utf-8").replace('[Seed "verbs"]', '[Seed "other"]')
    done = run("verify", "-", "--lang", "zh", stdin=changed)
    assert done.code == 1
    assert "公开的种子不是开局时承诺的那一个。" in done.out


def test_verify_of_something_else_is_a_failed_check() -> None:
    done = run("verify", "-", stdin="hello")
    assert done.code == 1
    assert "DOES NOT HOLD" in done.out


@pytest.mark.parametrize("verb", [("verify",), ("show",), ("replay",), ("convert", "-")])
def test_an_empty_file_is_no_record(verb: tuple[str, ...]) -> None:
    done = run(*verb[:1], "-", *verb[1:], stdin="")
    assert (done.code, done.out) == (2, "")
    assert done.err == "cabochon: - holds no record.\n"


def test_one_record_is_wanted_where_one_is_shown(game: Path) -> None:
    text = game.read_text("utf-8")
    for verb in ("show", "replay"):
        done = run(verb, "-", stdin=f"{text}\n{text}")
        assert (done.code, done.out) == (2, "")
        assert "one record was expected in -; there are 2" in done.err


def changed(game: Path, tmp_path: Path, old: str, new: str) -> Path:
    path, text = tmp_path / "changed.cabochon", game.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    return path


@pytest.mark.parametrize("header", ["Seed", "Commitment"])
def test_verify_without_seed_or_commitment_has_an_exit_code_of_its_own(
    game: Path, tmp_path: Path, header: str
) -> None:
    unproved = changed(game, tmp_path, f"[{header} ", f"[Old{header} ")
    done = run("verify", unproved)
    assert done.code == 3
    assert done.out.startswith(f"{unproved}: holds, but not all of it is proved\n")
    assert "\n  Not proved: " in done.out
    assert run("verify", game, unproved).code == 3
    assert "  未证明：" in run("verify", unproved, "--lang", "zh").out


def test_verify_of_a_broken_and_an_unproved_record_is_broken(game: Path, tmp_path: Path) -> None:
    unproved = changed(game, tmp_path, "[Seed ", "[OldSeed ")
    bad = tmp_path / "bad.cabochon"
    bad.write_text(game.read_text("utf-8").replace("1a. take ", "1a. take o", 1), "utf-8")
    assert run("verify", unproved, bad, game).code == 1


def test_verify_finds_a_result_that_was_cut_off(game: Path, tmp_path: Path) -> None:
    text = game.read_text("utf-8")
    cut = tmp_path / "cut.cabochon"
    cut.write_text(text[: text.index("\n9a. ") + 1], "utf-8")
    done = run("verify", cut)
    assert done.code == 3
    assert "stops without a result" in done.out
    missing = changed(game, tmp_path, text[text.index("result ") :], "")
    assert "The result is missing" in run("verify", missing).out
    assert "缺少结果" in run("verify", missing, "--lang", "zh").out


def test_verify_finds_exchanged_labels(game: Path, tmp_path: Path) -> None:
    done = run("verify", changed(game, tmp_path, "\n2a. ", "\n2b. "))
    assert done.code == 1
    assert "The label says 2b" in done.out


def test_verify_finds_bytes_that_are_no_text(game: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.cabochon"
    data = game.read_bytes().replace(b'[Seat0 "', b'[Seat0 "\xff', 1)
    damaged.write_bytes(data)
    done = run("verify", damaged)
    assert done.code == 1
    assert f"byte {data.index(0xFF)} is not" in done.out
    as_json = tmp_path / "damaged.json"
    as_json.write_bytes(b'{"players":["\xff"]}')
    assert "byte 13 is not" in run("verify", as_json).out


def test_verify_finds_bytes_that_are_no_text_on_the_standard_input(
    game: Path, tmp_path: Path
) -> None:
    data = game.read_bytes().replace(b'[Seat0 "', b'[Seat0 "\xff', 1)
    stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    out = io.StringIO()
    assert main(["verify", "-"], Terminal({}, stdin, out, io.StringIO())) == 1
    assert "is not" in out.getvalue()


def test_verify_does_not_let_a_position_replace_the_opening(
    game: Path, record: Record, tmp_path: Path
) -> None:
    *_, middle = list(record.replay())[:21]
    study = replace(record, opening=middle, events=record.events[20:])
    path = tmp_path / "study.cabochon"
    path.write_text(format_record(study), "utf-8")
    done = run("verify", path)
    assert done.code == 3
    assert "starts from a given position" in done.out
    value = {**record_to_json(record), "position": position_to_json(middle)}
    both = tmp_path / "both.json"
    both.write_text(dumps(value), "utf-8")
    done = run("verify", both)
    assert done.code == 1
    assert "The opening is given twice" in done.out


def test_verify_for_programs(game: Path, tmp_path: Path) -> None:
    unproved = changed(game, tmp_path, "[Seed ", "[OldSeed ")
    nothing = tmp_path / "nothing.json"
    nothing.write_text("{}", "utf-8")
    done = run("verify", "--json", game, unproved, nothing)
    good, left_open, bad = map(json.loads, done.out.splitlines())
    assert done.code == 1
    assert [each["standing"] for each in (good, left_open, bad)] == [
        "proved",
        "not-proved",
        "broken",
    ]
    assert (good["path"], good["record"], good["not_proved"]) == (str(game), 1, [])
    assert "verified-moves" in [each["code"] for each in good["proved"]]
    assert [each["code"] for each in left_open["not_proved"]] == ["verified-unrevealed"]
    assert bad["broken"][0].keys() == {"code", "params", "en", "zh"}
    assert bad["record"] is None


def test_cities_is_refused_in_chinese_too() -> None:
    for variant in ("城市", "城市扩展"):
        done = run("play", "--variant", variant, "--lang", "zh")
        assert (done.code, done.out) == (2, "")
        assert "不支持城市（Cities）扩展" in done.err
        assert "Cities expansion" in run("play", "--ruleset", f"{variant}/2").err


def test_verify_counts_the_records_of_one_file(game: Path) -> None:
    text = game.read_text("utf-8")
    done = run("verify", "-", stdin=f"{text}\n{text}")
    assert "- (1): holds" in done.out
    assert "- (2): holds" in done.out


# perft, rules


def test_perft_counts_each_depth() -> None:
    done = run("perft", "--depth", "2")
    ruleset = Ruleset()
    opening = Position.start(ruleset, ShuffledDealer("perft").opening(ruleset))
    counts = [int(line.split()[1]) for line in done.out.splitlines()]
    assert counts[:2] == [1, len(opening.legal_moves())]
    assert len(counts) == 3


def test_perft_divided_sums_up() -> None:
    whole = run("perft", "--depth", "2", "--variant", "quick", "--players", "3").out
    parts = run("perft", "--depth", "2", "--ruleset", "quick/3", "--divide").out.splitlines()
    *moves, total = [line.split() for line in parts]
    assert sum(int(move[-1]) for move in moves) == int(total[-1])
    assert total[-1] == whole.split()[-1]


@pytest.mark.parametrize("lang", languages())
def test_rules_fit_the_terminal(lang: str) -> None:
    done = run("rules", "--lang", lang)
    assert done.code == 0
    assert all(width(line) <= 80 for line in done.out.splitlines())
    assert done.out.count("##") == 7
