"""TextArena: whole games in words, by scripted models, in both languages."""

from __future__ import annotations

import re
import warnings
from typing import Any

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import textarena as ta

    from cabochon.envs.textgames import TEXTARENA_ID, CabochonTextEnv


def scripted(observation: str) -> str:
    """A model that reads the list of moves: buys if it can, else takes, else the first."""
    moves = observation.rpartition("moves: ")[2] or observation
    moves = moves.rpartition("可行的行动：")[2] or moves
    kinds = dict(part.partition(" ")[::2] for part in moves.strip().split("; "))
    for verb in ("buy", "take", "return", "noble", "reserve"):
        if verb in kinds:
            return f"I think about it.\n{verb} {kinds[verb].split()[0]}"
    return "pass"


@pytest.mark.parametrize(("players", "lang"), [(2, "en"), (3, "en"), (2, "zh")])
def test_scripted_models_play_whole_games(players: int, lang: str) -> None:
    env = CabochonTextEnv(variant="quick", lang=lang)
    env.reset(num_players=players, seed=4)
    done, decisions = False, 0
    while not done:
        player, seen = env.get_observation()
        assert player == env.game.seat
        if decisions == 0:
            said = " ".join(message for _, message, _ in seen)
            assert ("Splendor" if lang == "en" else "璀璨宝石") in said
        board = seen[-1][1]
        assert not re.search(r"  ", board), "no padding"
        done, _ = env.step(scripted(board))
        decisions += 1
        assert decisions < 1000
    rewards, info = env.close()
    assert sum(rewards.values()) == pytest.approx(0)
    assert max(rewards.values()) > 0
    assert not any(info[player]["invalid_move"] for player in range(players))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_observation_is_one_text_as_of_the_games_of_textarena(lang: str) -> None:
    env: Any = ta.make(TEXTARENA_ID, variant="quick", lang=lang)
    for seed in (4, 5):
        env.reset(num_players=3, seed=seed)
        done, longest = False, 0
        while not done:
            _, seen = env.get_observation()
            assert isinstance(seen, str)
            assert ("You play Splendor" if lang == "en" else "你在玩") in seen
            assert seen.count("quick/3") == 1, "only the table as it is now"
            assert ("10 points end" if lang == "en" else "有人达到 10 声望") in seen
            longest = max(longest, len(seen))
            done, _ = env.step(scripted(seen))
        assert longest < 1300
    raw: Any = ta.make(f"{TEXTARENA_ID}-raw")
    raw.reset(num_players=2, seed=1)
    assert isinstance(raw.get_observation()[1], list)


def test_who_says_no_legal_move_three_times_loses() -> None:
    env: Any = ta.make(TEXTARENA_ID)
    env.reset(num_players=2, seed=1)
    for attempt in range(3):
        player, seen = env.get_observation()
        assert player == 0
        assert ("That wasn't a legal move." in seen) == (attempt > 0)
        done, _ = env.step("I resign, I think")
        assert done == (attempt == 2)
    rewards, _ = env.close()
    assert rewards == {0: -1.0, 1: 1.0}
