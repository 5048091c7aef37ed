"""Bots by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cabochon.bots import BOT_NAMES, UnknownBot, make_bot
from cabochon.bots.bot import UniformBot
from cabochon.bots.greedy import GreedyBot


def test_a_name_makes_its_bot_in_any_case() -> None:
    assert isinstance(make_bot("Greedy"), GreedyBot)
    assert isinstance(make_bot(" uniform ", seed=3), UniformBot)


def test_an_unknown_name_is_refused_with_all_the_names_there_are() -> None:
    with pytest.raises(UnknownBot) as caught:
        make_bot("stockfish")
    assert caught.value.code == "unknown-bot"
    for name in BOT_NAMES:
        assert name in caught.value.en
        assert name in caught.value.zh


def test_the_simple_bots_need_neither_numba_nor_numpy() -> None:
    script = (
        "import sys; from cabochon.bots import make_bot; make_bot('greedy'); make_bot('uniform');"
        "print([name for name in ('numba', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
