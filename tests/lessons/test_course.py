"""The course: every position is legal, every answer is what the law, the engine or the figures say,
and whatever can be tried is told something."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from cabochon.lessons.course import (
    LessonPart,
    LessonProof,
    LessonStep,
    answer_moves,
    answer_option,
    course,
    lesson,
    right_answer,
)
from cabochon.lessons.figures import figure_words, shipped_figures
from cabochon.limit import Limit
from cabochon.notation import parse_move
from cabochon.rules import (
    COLOURS,
    Deal,
    Gem,
    Gems,
    IllegalMove,
    Move,
    Phase,
    Position,
    Take,
    card,
    noble,
)
from cabochon.rules.buying import missing, price
from cabochon.rules.ruleset import NEEDED_FOR_TWO
from cabochon.search import Candidate, Searcher, shipped_for
from cabochon.words import ENGLISH, texts_of

VISITS = 12_000
MARGIN = 0.04
"""Of win chance: so much better than any other move the engine must find the right one."""

STEPS = {f"{one.id}.{step.id}": step for one in course() for step in one.steps}
MOVES = {name: step for name, step in STEPS.items() if step.right}
CHOICES = {name: step for name, step in STEPS.items() if step.options}


def by_proof(proof: LessonProof) -> set[str]:
    return {name for name, step in STEPS.items() if step.proof is proof}


# What every lesson has


def test_the_course_is_as_drawn() -> None:
    basics = ["tokens", "card", "bonuses", "noble", "reserve"]
    strategy = ["race", "counting", "denying", "nobles", "endings"]
    assert [one.id for one in course()] == basics + strategy
    assert [one.id for one in course() if one.part is LessonPart.BASICS] == basics
    assert all(one.steps and 2 <= one.minutes <= 4 for one in course())
    assert sum(one.minutes for one in course() if one.part is LessonPart.BASICS) == 12


@pytest.mark.parametrize("name", STEPS)
def test_a_step_asks_one_thing_and_says_why(name: str) -> None:
    step = STEPS[name]
    assert bool(step.right) != bool(step.options)
    assert step.position.phase is not Phase.OVER
    assert 1 <= len(step.paragraphs(figure_words())) <= 3
    for key in step.sentences():
        said = step.said(key.rpartition(".")[2], figure_words())
        assert all("{" not in sentence for sentence in said.values())


def test_nothing_is_written_that_no_lesson_says() -> None:
    said = {key for step in STEPS.values() for key in step.sentences()}
    titles = {f"lessons.{one.id}.title" for one in course()}
    written = {key for key in texts_of(ENGLISH) if key.startswith("lessons.")}
    assert written == said | titles


@pytest.mark.parametrize("name", MOVES)
def test_right_answers_are_legal_and_every_other_move_is_told_why(name: str) -> None:
    step = MOVES[name]
    for pattern in (*step.right, *(pattern for pattern, _ in step.told)):
        assert pattern.moves(step.position), f"{pattern.text} means no move"
    right = step.right_moves()
    used = {"wrong"}
    for move in step.position.legal_moves():
        answer = answer_moves(step, [move])
        assert answer.is_right == (step.position.completed(move) in right)
        assert step.key(answer.says) in texts_of(ENGLISH)
        used.add(answer.says)
    assert used >= {f"wrong-{told}" for _, told in step.told}
    assert len(right) < len(step.position.legal_moves())
    assert right_answer(step).events[0] == right[0]


@pytest.mark.parametrize("name", CHOICES)
def test_one_choice_is_right_and_the_others_are_told_why(name: str) -> None:
    step = CHOICES[name]
    right = [option for option in step.options if answer_option(step, option).is_right]
    assert right == [step.option]
    assert right_answer(step).says == "why"
    with pytest.raises(ValueError, match="nothing"):
        answer_option(step, "nothing")
    with pytest.raises(ValueError, match=step.id):
        answer_moves(step, [parse_move("take wug")])


def test_what_is_tried_is_shown_with_a_card_that_can_come() -> None:
    step = STEPS["card.buy"]
    move, deal = answer_moves(step, [parse_move("buy 1u5")]).events
    assert move == parse_move("buy 1u5 =wgrk")
    assert isinstance(deal, Deal)
    assert step.position.in_deck(deal.card)


def test_what_the_rules_forbid_is_refused() -> None:
    with pytest.raises(IllegalMove):
        answer_moves(STEPS["tokens.two"], [parse_move("take rr")])


def test_a_lesson_that_is_not_there_is_not_found() -> None:
    assert lesson("tokens").id == "tokens"
    with pytest.raises(KeyError):
        lesson("nothing")


# What follows from the law


def lacks(position: Position, code: str, seat: int | None = None) -> int:
    who = position.seat if seat is None else seat
    return missing(card(code), position.bonuses(who), position.hands[who].tokens)


def after(step: LessonStep, move: Move) -> Position:
    """The position when the move is done and a card has come."""
    position = step.position
    for event in answer_moves(step, [move]).events:
        position = position.apply(event)
    return position


def affordable_after(step: LessonStep, code: str) -> list[Move]:
    """The moves after which the mover could pay for the card, other than buying it."""
    seat = step.position.seat
    return [
        step.position.completed(move)
        for move in step.position.legal_moves()
        if lacks(after(step, move), code, seat) == 0
        and card(code) not in after(step, move).hands[seat].bought
    ]


def test_three_tokens_of_the_price() -> None:
    step = STEPS["tokens.three"]
    cost = card("1u5").cost
    takes = [move for move in step.position.legal_moves() if isinstance(move, Take)]
    useful = [take for take in takes if lacks(after(step, take), "1u5", 0) == cost.total - 3]
    assert step.right_moves() == useful


@pytest.mark.parametrize(
    ("name", "code"), [("tokens.two", "1w4"), ("card.next", "1g5"), ("reserve.gold", "2k1")]
)
def test_only_the_right_moves_bring_the_card_within_reach(name: str, code: str) -> None:
    step = STEPS[name]
    assert lacks(step.position, code) > 0
    assert sorted(map(repr, step.right_moves())) == sorted(map(repr, affordable_after(step, code)))


def test_what_can_be_spared_leaves_the_card_in_reach() -> None:
    step = STEPS["tokens.limit"]
    assert lacks(step.position, "2g1") == 0
    assert step.right_moves() == affordable_after(step, "2g1")


def test_the_one_card_that_can_be_bought() -> None:
    step = STEPS["card.buy"]
    buys = [move for move in step.position.legal_moves() if "Buy" in type(move).__name__]
    assert [step.position.completed(move) for move in buys] == step.right_moves()


def test_what_is_paid_is_back_in_the_bank() -> None:
    assert STEPS["card.paid"].position.bank == STEPS["card.paid"].position.ruleset.bank
    assert STEPS["card.paid"].position.hands[0].bought == (card("1u5"),)


def test_the_price_after_bonuses() -> None:
    position = STEPS["bonuses.pays"].position
    assert price(card("2k4"), position.bonuses(0)).total == 4
    assert card("2k4").cost.total == 7


def test_the_free_card_is_the_only_one() -> None:
    step = STEPS["bonuses.free"]
    assert step.right_moves() == [
        step.position.completed(move)
        for move in step.position.legal_moves()
        if getattr(step.position.completed(move), "payment", None) == Gems()
    ]


def test_only_the_right_card_brings_the_noble() -> None:
    step = STEPS["noble.visit"]
    visited = [
        step.position.completed(move)
        for move in step.position.legal_moves()
        if noble("ugr3") in after(step, move).hands[0].nobles
    ]
    assert visited == step.right_moves()


def test_no_token_brings_a_noble() -> None:
    position = STEPS["noble.count"].position
    for move in position.legal_moves():
        if isinstance(move, Take):
            assert position.play(move).hands[0].nobles == ()
    assert position.bonuses(0).black == 3
    assert position.hands[0].tokens.black == 2


def test_a_fourth_card_is_not_reserved() -> None:
    position = STEPS["reserve.full"].position
    assert position.bank.gold > 0
    assert not position.is_legal(parse_move("reserve 3u1"))


def turns_to_buy(position: Position, code: str) -> int:
    """The fewest turns in which the mover can have bought the card if nobody else did anything,
    by going through all takes and reservations."""
    reached = {(position.hands[position.seat].tokens, position.bank)}
    bonuses, turns = position.bonuses(position.seat), 1
    while all(missing(card(code), bonuses, tokens) for tokens, _ in reached):
        reached = {new for tokens, bank in reached for new in _one_turn(tokens, bank)}
        turns += 1
    return turns


def _one_turn(tokens: Gems, bank: Gems) -> list[tuple[Gems, Gems]]:
    there = [colour for colour in COLOURS if bank[colour]]
    taken = [[*three] for three in combinations(there, min(3, len(there)))]
    taken += [[colour] * 2 for colour in there if bank[colour] >= NEEDED_FOR_TWO]
    counts = [Gems(*(gems.count(each) for each in Gem)) for gems in taken]
    if bank.gold:
        counts.append(Gems(gold=1))
    return [(tokens.plus(each), bank.minus(each)) for each in counts]


def test_the_turns_to_a_card_are_counted_right() -> None:
    step = STEPS["counting.turns"]
    assert turns_to_buy(step.position, "2r2") == {"two": 2, "three": 3, "four": 4}[step.option]


def test_what_they_can_buy_next() -> None:
    position = STEPS["counting.theirs"].position
    row = [one for one in position.rows[2] if one is not None]
    assert [one.code for one in row if lacks(position, one.code, 1) == 0] == ["3w2"]
    assert position.hands[1].points + card("3w2").points == 17


def test_the_last_turn_is_won_by_the_right_move_alone() -> None:
    step = STEPS["endings.tie"]
    winning = []
    for move in step.position.legal_moves():
        outcome = after(step, move).outcome()
        assert outcome is not None
        if outcome.winners == (1,):
            winning.append(step.position.completed(move))
    assert winning == step.right_moves()


def test_every_step_that_rests_on_the_law_is_computed_here() -> None:
    computed = {
        *("tokens.three", "tokens.two", "tokens.limit", "card.buy", "card.paid", "card.next"),
        *("bonuses.pays", "bonuses.free", "noble.visit", "noble.count", "reserve.gold"),
        *("reserve.full", "counting.turns", "counting.theirs", "endings.tie"),
    }
    assert by_proof(LessonProof.LAW) == computed


# What the engine says


@cache
def candidates(name: str) -> tuple[Candidate, ...]:
    position = STEPS[name].position
    searcher = Searcher(shipped_for(position.ruleset))
    limit = Limit(visits=VISITS, seed=1)
    return searcher.analyse(position.view(position.seat), limit).lines


@pytest.mark.parametrize("name", sorted(by_proof(LessonProof.ENGINE)))
def test_the_engine_agrees(name: str) -> None:
    step, found = STEPS[name], candidates(name)
    right = [step.position.completed(one.move) in step.right_moves() for one in found]
    assert right[0]
    best = max(one.value or 0 for one, is_right in zip(found, right, strict=True) if is_right)
    other = max(one.value or 0 for one, is_right in zip(found, right, strict=True) if not is_right)
    assert best >= other + MARGIN


# What the figures say


def test_the_figures_give_the_right_choices() -> None:
    winner = shipped_figures()["players"]["2"]["winner"]
    points = winner["points_after"]["10"]
    near = min({"one": 1, "five": 5, "nine": 9}.items(), key=lambda each: abs(each[1] - points))
    assert STEPS["race.points"].option == near[0]
    assert abs(winner["points_after"]["20"] - 5) < 1.5, "as the lesson says of five"
    share = winner["without_noble"]
    parts = {"hardly": (0, 15), "half": (35, 50), "most": (85, 100)}
    found = [name for name, (low, high) in parts.items() if low <= share <= high]
    assert found == [STEPS["nobles.share"].option]
    assert by_proof(LessonProof.FIGURES) == {"race.points", "nobles.share"}


def test_what_is_said_about_figures_is_so() -> None:
    two = shipped_figures()["players"]["2"]
    bands = [band["reserves"] for band in two["reserves"]["by_round"]]
    assert bands[0] == max(bands), "more reservations early than late"
    assert two["winner"]["last_five_turns"] > 50
    assert two["winner"]["level_1"] > two["winner"]["cards"] / 2
