"""A game on one's own machine: what a library user does in the first hour."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.bots import Limit, UnknownBot, make_bot
from cabochon.game import BadGame, Game, GameFault, play_on
from cabochon.notation import NotationError, format_position, format_record, parse_record
from cabochon.record import Reason, verify
from cabochon.rules import (
    Hidden,
    IllegalDeal,
    IllegalMove,
    Move,
    Opening,
    Pass,
    Phase,
    Refusal,
    Ruleset,
    ScriptedDealer,
    Take,
    View,
    WrongArgument,
)

RULESETS = ("standard/2", "standard/3", "quick/4", "teams/4", "quick-teams/4")


def test_a_move_is_played_by_text_or_by_value() -> None:
    by_text, by_value = Game(seed="s"), Game(seed="s")
    by_text.play("take wug")
    by_value.play(next(m for m in by_value.legal_moves() if m == by_text.record.events[0]))
    assert by_text.position == by_value.position
    assert by_text.seat == 1


def test_every_legal_text_can_be_played() -> None:
    for text in Game(seed="s").legal_texts():
        game = Game(seed="s")
        game.play(text)
        assert game.plies >= 1


def test_cards_are_dealt_by_themselves() -> None:
    game = Game(players=2, seed="s")
    game.play("reserve deck3")
    assert game.position.phase is Phase.ACT
    assert game.seat == 1
    assert game.view(1).hands[0].reserved == (Hidden(3),)
    assert game.view(0).hands[0].reserved != (Hidden(3),)


@pytest.mark.parametrize("move", ["take www", "buy 3u1", "pass"])
def test_a_refused_move_changes_nothing(move: str) -> None:
    game = Game(seed="s")
    before, plies = game.position, game.plies
    with pytest.raises(IllegalMove):
        game.play(move)
    assert (game.position, game.plies) == (before, plies)


def test_what_is_no_move_changes_nothing() -> None:
    game = Game(seed="s")
    with pytest.raises(NotationError):
        game.play("castle kingside")
    assert game.plies == 0


def test_a_card_that_does_not_come_changes_nothing() -> None:
    game = Game(seed="s")
    game._dealer = ScriptedDealer(Opening((), ()), ((), (), ()))
    before = game.position
    with pytest.raises(IllegalDeal):
        game.play("reserve deck1")
    assert (game.position, game.plies) == (before, 0)


@given(st.sampled_from(RULESETS), st.integers(0, 10_000), st.integers(0, 60))
def test_undo_is_the_way_back(ruleset: str, seed: int, decisions: int) -> None:
    game = Game(ruleset=ruleset, seed=str(seed), bots=["uniform"] * Ruleset.parse(ruleset).seats)
    seen = [(game.position, game.record)]
    for _, _ in zip(range(decisions), play_on(game, game._asks()), strict=False):
        seen.append((game.position, game.record))
    for position, record in reversed(seen[:-1]):
        assert game.undo() == position
        assert game.record == record
    with pytest.raises(BadGame) as caught:
        game.undo()
    assert caught.value.code is GameFault.NOTHING_TO_UNDO


@given(st.sampled_from(RULESETS), st.integers(0, 10_000))
def test_a_game_of_bots_is_a_record_that_verifies(ruleset: str, seed: int) -> None:
    seats = Ruleset.parse(ruleset).seats
    game = Game(ruleset=ruleset, seed=str(seed), bots=["uniform"] * seats)
    outcome = game.play_out()
    assert outcome is not None
    assert game.result is not None
    assert game.result.ranking == outcome.ranking
    assert game.record.seed == str(seed)
    assert verify(game.record).ok
    assert parse_record(format_record(game.record)) == game.record


def test_the_same_seed_gives_the_same_game() -> None:
    one, other = (Game(players=3, seed="same", bots=["greedy", "calcite", "uniform"]) for _ in "ab")
    one.play_out()
    other.play_out()
    assert one.record == other.record


def test_bots_play_until_a_person_is_to_move() -> None:
    game = Game(players=3, seed="s", bots={1: "greedy", 2: "uniform"})
    assert game.play_bots() == ()
    game.play(game.legal_moves()[0])
    made = game.play_bots()
    assert len(made) >= 2
    assert game.seat == 0
    assert game.people == (0,)


class Stayer:
    """Counts how often it was asked, and takes the first legal move."""

    def __init__(self) -> None:
        self.asked = 0
        self.limits: list[Limit] = []

    def choose(self, view: View, limit: Limit = Limit()) -> Move:  # noqa: B008
        self.asked += 1
        self.limits.append(limit)
        return view.legal_moves()[0]


def test_a_bot_stays_in_its_seat_for_the_whole_game() -> None:
    mine = Stayer()
    game = Game(seed="s", bots=[mine, "greedy"])
    game.play_out()
    own = sum(1 for turn in game.record.turns() if turn.seat == 0)
    assert mine.asked >= own > 5


def test_seeds_follow_from_the_game_or_are_left_to_the_bot() -> None:
    steady, free = Stayer(), Stayer()
    Game(seed="s", bots=[steady]).play_bots()
    Game(seed="s", bots=[free], steady=False, limit=Limit(visits=3)).play_bots()
    assert steady.limits[0].seed is not None
    assert free.limits == [Limit(visits=3)]


def test_asking_plays_nothing() -> None:
    game = Game(seed="s")
    move = game.ask("greedy")
    assert game.plies == 0
    assert move in game.legal_moves()
    with pytest.raises(BadGame) as caught:
        game.ask()
    assert caught.value.code is GameFault.NO_BOT_HERE
    with pytest.raises(UnknownBot):
        game.ask("deep blue")


def test_an_outside_bot_that_cheats_is_refused_by_the_law() -> None:
    class Cheat:
        def choose(self, view: View, limit: Limit = Limit()) -> Move:  # noqa: B008
            return Pass()

    game = Game(seed="s", bots=[Cheat()])
    with pytest.raises(IllegalMove) as caught:
        game.play_bots()
    assert caught.value.code is Refusal.PASS_NOT_FORCED
    assert game.plies == 0


def test_a_resignation_ranks_last_and_can_be_thought_better_of() -> None:
    game = Game(players=3, seed="s")
    game.play("take wug")
    result = game.resign(0)
    assert (result.ranking[0], result.reason) == (3, Reason.RESIGNED)
    assert game.legal_moves() == []
    with pytest.raises(BadGame) as caught:
        game.play("take wug")
    assert caught.value.code is GameFault.FINISHED
    for refused in (game.resign, game.ask, game.analyse):
        with pytest.raises(BadGame):
            refused()
    game.undo()
    assert not game.is_over
    assert game.plies == 1


def test_partners_resign_together() -> None:
    assert Game(variant="teams", seed="s").resign(1).ranking == (1, 3, 1, 3)


@pytest.mark.parametrize("seat", [-1, 2, True, "0"])
def test_a_seat_that_is_not_there(seat: object) -> None:
    for ask in (Game(seed="s").view, Game(seed="s").resign):
        with pytest.raises(BadGame) as caught:
            ask(seat)  # type: ignore[arg-type]
        assert caught.value.code is GameFault.NO_SUCH_SEAT
    with pytest.raises(BadGame):
        Game(seed="s", bots={5: "greedy"})


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        ("greedy", "bots should be bots by seat, such as {1: 'greedy'}, not 'greedy'."),
        (3, "bots should be bots by seat, such as {1: 'greedy'}, not 3."),
        ({1: 3}, "bot should be the name of a bot, or something with a choose method, not 3."),
        ([None, Game], "bot should be the name of a bot, or something with a choose method, not"),
    ],
)
def test_what_is_no_bot_gets_no_seat(bots: Any, said: str) -> None:
    with pytest.raises(WrongArgument) as caught:
        Game(seed="s", bots=bots)
    assert said in str(caught.value)


def test_what_is_no_bot_is_not_asked() -> None:
    for bot in (5, ["greedy"], object()):
        with pytest.raises(WrongArgument, match="bot should be the name of a bot"):
            Game(seed="s").ask(bot)  # type: ignore[arg-type]


def test_names_are_several() -> None:
    with pytest.raises(WrongArgument, match="names should be a list of strings, not 'ab'"):
        Game(seed="s", names="ab")


@pytest.mark.parametrize("position", [None, 5, b"x"])
def test_what_is_no_position_is_not_played_on(position: Any) -> None:
    with pytest.raises(WrongArgument, match="position should be a position, not"):
        Game.from_position(position)


@pytest.mark.parametrize("path", ["", "/", "."])
def test_a_game_cannot_be_saved_as_a_folder(path: str) -> None:
    with pytest.raises(IsADirectoryError):
        Game(seed="s").save(path)


def test_a_game_is_saved_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "work")
    Game(seed="s").save("~/mine.cabochon")
    assert (tmp_path / "home" / "mine.cabochon").is_file()
    assert not list((tmp_path / "work").iterdir())
    assert Game.load("~/mine.cabochon").seed == "s"


@pytest.mark.parametrize("name", ["game.cabochon", "game.json"])
def test_a_saved_game_goes_on_as_it_was(tmp_path: Path, name: str) -> None:
    game = Game(players=2, seed="kept", bots={1: "greedy"}, names=["Ada", "Greedy"])
    game.play("take wug")
    game.play_bots()
    game.save(tmp_path / name)
    again = Game.load(tmp_path / name)
    assert (again.position, again.names, again.people) == (game.position, game.names, (0,))
    assert again.play_out() == game.play_out()
    assert again.record == game.record
    assert (tmp_path / name).stat().st_mode & 0o077 == 0


def test_a_save_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(seed="kept")
    path = tmp_path / "g.cabochon"
    game.save(path)
    before = path.read_text("utf-8")
    game.play("take wug")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        game.save(path)
    assert path.read_text("utf-8") == before
    assert list(tmp_path.iterdir()) == [path]


def test_from_a_record_without_its_seed_cards_are_shuffled_anew() -> None:
    game = Game(seed="s", bots=["greedy", "greedy"])
    for _ in zip(range(20), play_on(game, game._asks()), strict=False):
        pass
    again = Game.from_record(game.record)
    assert again.position == game.position
    assert again.seed is None
    assert again.play_out() is not None
    assert verify(again.record).ok


def test_from_a_position_or_its_text() -> None:
    start = Game(players=3, seed="s")
    start.play("reserve deck2")
    for given_position in (start.position, format_position(start.position)):
        game = Game.from_position(given_position, bots={1: "greedy"})
        assert game.position == start.position
        assert len(game.play_bots()) == 1


def test_it_shows_itself() -> None:
    game = Game(seed="a seed", bots={1: "greedy"})
    game.play("take wug")
    assert "Round 1" in str(game)
    assert repr(game) == "<Game standard/2 turn=1 seat=1>"
    assert (game._repr_svg_() or "").startswith("<svg")
    assert game.log() == ["takes white, blue, green"]
    assert game.log("zh") != game.log()
    game.resign()
    assert "resigned" in repr(game)


def test_analysing_values_every_legal_move() -> None:
    game = Game(seed="s")
    analysis = game.analyse(visits=40, seed=1)
    assert {line.move for line in analysis.lines} == set(game.legal_moves())
    assert (
        analysis == game.analyse(visits=40, seed=1)
        or analysis.lines == game.analyse(visits=40, seed=1).lines
    )


def test_the_loop_stops_where_nobody_is_asked_and_at_the_last_turn() -> None:
    bot = make_bot("uniform", 3)
    game = Game(players=2, seed="s")
    asks = {0: lambda view: bot.choose(view), 1: lambda view: bot.choose(view)}
    assert list(play_on(game, {1: asks[1]})) == []
    assert game.plies == 0
    seats = list(play_on(game, asks, most_turns=4))
    assert game.turn == 4
    assert set(seats) == {0, 1}


def test_an_answer_that_raises_leaves_the_game_where_it_was() -> None:
    def broken(_view: View) -> Move:
        raise RuntimeError("out of ideas")

    game = Game(seed="s")
    with pytest.raises(RuntimeError):
        list(play_on(game, {0: broken}))
    assert game.plies == 0
    game.play(next(move for move in game.legal_moves() if isinstance(move, Take)))
