"""Bots as compiled code move as the bots do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from cabochon.bots import Limit, UnknownBot, make_bot
from cabochon.bots.greedy import DEFAULT_TASTE, LONGEST, Taste, worth_of_moves
from cabochon.bots.greedy_plans import DISCOUNTS, new_notes
from cabochon.bots.greedy_twin import MIXES, TASTE, weigh
from cabochon.bots.level_twin import Minds, chosen
from cabochon.bots.minds import MIND_NAMES, minds_for
from cabochon.bots.styles import STYLES
from cabochon.kernel import Autoreset, Batch, actions_of, packed
from cabochon.kernel.actions import GIVE_BACK
from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import States
from cabochon.rules import Move, Phase, Position, Ruleset

pytestmark = pytest.mark.xdist_group("minds")

RULESETS = [Ruleset(2), Ruleset(3), Ruleset.preset("teams"), Ruleset.preset("quick", 4)]
EXACT = ("greedy", "level:visits=1", "level:visits=17", "builder", "rusher", "hunter", "playouts")
VISITS = 40


@compiled
def _weigh(states: States, tastes: np.ndarray, discount: np.ndarray, notes: np.ndarray) -> None:
    weigh(states[0], tastes[0], discount, notes[0])


@compiled
def _chosen(states: States, who: int, minds: Minds, seed: np.uint64) -> int:
    return int(chosen(states[0], who, minds, seed))


def positions(ruleset: Ruleset, games: int, every: int) -> Iterator[Position]:
    """Out of random games, all phases among them."""
    batch = Batch(ruleset, count=games, seed=1, autoreset=Autoreset.NEXT_STEP)
    for step in range(60):
        batch.step(batch.sample_actions(seed=step))
        for index in range(games):
            position = batch.position(index)
            is_rare = position.phase in (Phase.NOBLE, Phase.RETURN)
            if position.phase is not Phase.OVER and (step % every == 0 or is_rare):
                yield position


def place_of(position: Position, move: Move) -> int:
    """The action of a move, or the number of its mix when tokens go back."""
    actions = actions_of(position, move)
    if position.phase is not Phase.RETURN:
        return actions[0]
    return MIXES[len(actions)].index(tuple(sorted(action - GIVE_BACK for action in actions)))


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
@pytest.mark.parametrize("taste", [DEFAULT_TASTE, STYLES["hunter"].taste], ids=["usual", "hunter"])
def test_the_compiled_judgement_finds_the_same_worth(ruleset: Ruleset, taste: Taste) -> None:
    tastes, notes = np.zeros(1, TASTE), new_notes()
    for field in TASTE.names or ():
        tastes[field] = getattr(taste, field)
    halves = [min(half, LONGEST - 1) / 2 for half in range(DISCOUNTS)]
    discount = np.array([taste.patience**half for half in halves])
    compared = 0
    for position in positions(ruleset, 3, 12):
        _weigh(packed(position), tastes, discount, notes)
        for move, worth in worth_of_moves(position.view(position.seat), taste):
            assert notes["values"][0, place_of(position, move)] == pytest.approx(worth, abs=1e-9)
            compared += 1
    assert compared > 300


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_with_the_same_seed_they_choose_the_same_moves(ruleset: Ruleset) -> None:
    minds = minds_for(ruleset, EXACT, VISITS)
    bots = [make_bot(name) for name in EXACT]
    for number, position in enumerate(positions(ruleset, 2, 20)):
        view = position.view(position.seat)
        if len(view.legal_moves()) == 1:
            continue
        for who, bot in enumerate(bots):
            move = bot.choose(view, Limit(visits=VISITS, seed=number))
            found = _chosen(packed(position), who, minds, np.uint64(number))
            assert found == place_of(position, move), (EXACT[who], str(position.phase))


def test_a_blurred_choice_is_as_likely_as_the_bots() -> None:
    """Over many seeds, the moves of a blurred level come about as often from both."""
    name, count = "level:visits=1,blur=4", 400
    minds, bot = minds_for(Ruleset(2), (name,)), make_bot(name)
    position = next(positions(Ruleset(2), 1, 12))
    view, states = position.view(position.seat), packed(position)
    ours = Counter(_chosen(states, 0, minds, np.uint64(seed)) for seed in range(count))
    theirs = Counter(
        place_of(position, bot.choose(view, Limit(seed=seed))) for seed in range(count)
    )
    assert set(ours.most_common(1)[0][:1]) == set(theirs.most_common(1)[0][:1])
    for place in ours | theirs:
        spread = 4.5 * (max(ours[place], theirs[place]) + 1) ** 0.5
        assert abs(ours[place] - theirs[place]) <= spread


def test_every_name_is_known_and_others_are_refused() -> None:
    for players in (2, 3, 4):
        minds = minds_for(Ruleset(players), MIND_NAMES)
        assert len(minds.rows) == len(MIND_NAMES)
    for wrong in ("nobody", "level:sight=far", "level:visits=0", ""):
        with pytest.raises(UnknownBot):
            minds_for(Ruleset(2), (wrong,))
