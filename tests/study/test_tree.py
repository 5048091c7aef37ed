"""Records as trees and back: nothing that was played or thought of is lost on the way."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from cabochon.notation import format_record, parse_record
from cabochon.record import Record
from cabochon.rules import Deal
from cabochon.study.gametree import GameNode, GameTree, Sketch, record_of_sketch, tree_of
from tests.games import RandomGame, random_games
from tests.study.trees import record_with_variations

SEEDS = st.integers(0, 2**32)


def sketched(nodes: Sequence[GameNode]) -> tuple[Sketch, ...]:
    return tuple(
        Sketch(node.move, node.dealt, node.comment, tuple(map(sketched, node.variations)))
        for node in nodes
    )


def rewritten(record: Record, tree: GameTree) -> Record:
    return record_of_sketch(record, sketched(tree.lines), tree.comment)


@given(random_games(40), SEEDS)
def test_a_tree_that_is_written_down_opens_as_the_same_tree(game: RandomGame, seed: int) -> None:
    record = record_with_variations(game, seed)
    tree = tree_of(record)
    written = rewritten(record, tree)
    assert written.events[: len(record.events)] == record.events
    again = tree_of(written)
    assert again.lines == tree.lines
    assert again.comment == tree.comment
    assert rewritten(written, again) == written
    assert parse_record(format_record(written)) == written


@given(random_games(40), SEEDS)
def test_every_ply_of_every_line_is_in_the_tree(game: RandomGame, seed: int) -> None:
    record = record_with_variations(game, seed)
    tree = tree_of(record)
    reached = {step.after for step in record.walk()}
    shown = {node.position for node in tree.nodes()} | {tree.start}
    # A position that only waits for the card that comes next is part of the node after it.
    assert {position for position in reached - shown if position.pending is None} == set()
    assert shown <= reached | {tree.start}
    decisions = sum(not isinstance(event, Deal) for event in record.events)
    assert sum(node.move is not None for node in tree.lines[: tree.played]) == decisions


@given(random_games(40), SEEDS)
def test_nodes_count_their_decisions_and_follow_from_one_another(
    game: RandomGame, seed: int
) -> None:
    tree = tree_of(record_with_variations(game, seed))
    waiting = [(tree.start, 0, tree.lines)]
    while waiting:
        position, ply, line = waiting.pop()
        for node in line:
            waiting += [(position, ply, other) for other in node.variations]
            after = position if node.move is None else position.play(node.move)
            if node.dealt is not None:
                after = after.deal(Deal(node.dealt))
            assert node.position == after
            assert node.ply == ply + (node.move is not None)
            position, ply = after, node.ply
