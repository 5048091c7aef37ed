"""Splendor as a task for inspect-ai: a language model plays seeded games against the ladder.

    pip install inspect-ai
    inspect eval examples/inspect_task.py --model openai/gpt-4o -T opponent=calcite -T games=20

A sample is a seeded deal in one seat; the model sees the table as plain text and answers with a
move. Three answers without a legal move lose the game. The score is the share of the victory, so
the mean over samples is the part of games won against that opponent.
"""

from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Score, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, TaskState, solver

from cabochon import Game
from cabochon.bots import Limit, make_bot
from cabochon.bots.prompted import ATTEMPTS, answered
from cabochon.render.plain import plain_text
from cabochon.words import text


@task  # type: ignore[untyped-decorator]
def splendor(opponent: str = "talc", games: int = 10, players: int = 2, lang: str = "en") -> Task:
    samples = [
        Sample(
            input=f"game {number}",
            metadata={
                "seed": f"inspect {number}",
                "seat": number % players,
                "players": players,
                "opponent": opponent,
                "lang": lang,
            },
        )
        for number in range(games)
    ]
    return Task(dataset=samples, solver=play_game(), scorer=victory())


@solver  # type: ignore[untyped-decorator]
def play_game() -> Any:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        facts = state.metadata
        seat, lang = facts["seat"], facts["lang"]
        others = [other for other in range(facts["players"]) if other != seat]
        bots = {other: make_bot(facts["opponent"], other) for other in others}
        game = Game(
            players=facts["players"], seed=facts["seed"], bots=bots, limit=Limit(seconds=1.0)
        )
        names = [facts["opponent"]] * facts["players"]
        names[seat] = text("prompt.you", lang)
        failed = 0
        game.play_bots()
        while not game.is_over and failed < ATTEMPTS:
            view = game.view(seat)
            table = plain_text(view, names, view.legal_moves(), lang)
            asked = text("prompt.ask", lang, table=table, target=view.ruleset.target)
            state.messages = [ChatMessageUser(content=asked)]
            state = await generate(state)
            move = answered(state.output.completion, view)
            failed = failed + 1 if move is None else 0
            if move is not None:
                game.play(move)
                game.play_bots()
        result = game.outcome if game.is_over else None
        winners = result.winners if result is not None else ()
        state.metadata["share"] = 1 / len(winners) if seat in winners else 0.0
        state.metadata["points"] = [game.position.points(each) for each in range(len(names))]
        return state

    return solve


@scorer(metrics=[mean(), stderr()])  # type: ignore[untyped-decorator]
def victory() -> Any:
    async def score(state: TaskState, target: Target) -> Score:
        points = "-".join(map(str, state.metadata["points"]))
        return Score(value=state.metadata["share"], explanation=points)

    return score
