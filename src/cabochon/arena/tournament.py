"""Playing a match: blocks of games go out to an executor, results come back in order, and a
sequential test may stop it after any whole round.

Games are saved while a long match is played, so that one that was stopped goes on where it was: one
file per match between the same engines, one line per block. A longer match of the same entrants and
seed finds what a shorter one has played: deal by deal they are the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from cabochon.arena.botgame import BlockResult, Forfeit, GameResult, SeatFailure, play_game, written
from cabochon.arena.elo import SprtAnswer, judge
from cabochon.arena.entrants import Entrant, parse_entrant
from cabochon.arena.match import Block, Match, Seating, rotations
from cabochon.arena.report import Report, format_report, game_row, read_games
from cabochon.arena.seating import engines_of, seated
from cabochon.arena.standings import deal_scores
from cabochon.bots import Limit, make_bot
from cabochon.rules import Ruleset, ShuffledDealer
from cabochon.rules.errors import check_whole, wrong
from cabochon.workers import Executor, local_executor


class GameCache:
    """The saved games of one match, in a folder. Half a line, left by a kill, is dropped. Raises
    UnknownBot."""

    def __init__(self, folder: Path, match: Match) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        name = format_report(Report(match.shortened(1), engines_of(match), ()))
        self._path = folder / f"{sha256(name.encode()).hexdigest()[:20]}.jsonl"
        self._found: dict[Block, BlockResult] = {}
        if self._path.exists():
            self._read()

    def find(self, block: Block) -> BlockResult | None:
        return self._found.get(block)

    def keep(self, block: Block, result: BlockResult) -> None:
        """Save the games of a block. Why a game was forfeited is not kept, only how it ended."""
        self._found[block] = BlockResult(result.games)
        rows = [game_row(game) for game in result.games]
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([block.deal, list(block.table), rows]) + "\n")

    def _read(self) -> None:
        text = self._path.read_text("utf-8")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            self._path.write_text(whole, "utf-8")
        for line in whole.splitlines():
            deal, table, rows = json.loads(line)
            self._found[Block(deal, tuple(table))] = BlockResult(read_games(rows))


class Watcher(Protocol):
    """Follows a match while it is played."""

    def started(self, match: Match) -> None: ...

    def progressed(self, games: list[GameResult], result: BlockResult) -> None:
        """After every block, with all games so far."""
        ...

    def finished(self) -> None: ...


class Unwatched:
    def started(self, match: Match) -> None:
        pass

    def progressed(self, games: list[GameResult], result: BlockResult) -> None:
        pass

    def finished(self) -> None:
        pass


def play_match(
    match: Match,
    executor: Executor,
    watcher: Watcher | None = None,
    cache: GameCache | None = None,
) -> Report:
    """Play it all, or until the test is decided; what is in the cache is not played again. An
    interrupt makes it a match of the whole rounds that are done; with none done it comes
    through."""
    watcher = watcher or Unwatched()
    engines = engines_of(match)
    games: list[GameResult] = []
    forfeits: list[Forfeit] = []
    whole = 0
    watcher.started(match)
    try:
        for result in _results(match, executor, cache):
            forfeits += [replace(f, game=f.game + len(games)) for f in result.forfeits]
            games.extend(result.games)
            watcher.progressed(games, result)
            if len(games) % match.games_a_round == 0:
                whole = len(games)
                if _is_decided(match, games):
                    break
    except KeyboardInterrupt:
        if not whole:
            raise
        match = match.shortened(whole // match.games_a_round)
    finally:
        watcher.finished()
    told = tuple(forfeit for forfeit in forfeits if forfeit.game < whole)
    return Report(match, engines, tuple(games[:whole]), told)


def play_games(
    *entrants: str,
    players: int | None = None,
    variant: str = "standard",
    games: int = 100,
    visits: int | None = None,
    ms: int | None = None,
    seed: str = "0",
    jobs: int = 1,
) -> Report:
    """Let bots play many games against one another, every deal in all seats; the report says how
    strong each is. `entrants` are names, with their own limit if you like: `"topaz@200v"`. With
    fewer entrants than seats, each sits alone against copies of another. Raises UnknownBot,
    BadRuleset, ArenaError or WrongArgument."""
    check_whole("games", games)
    check_whole("jobs", jobs, 0)
    if not isinstance(seed, str):
        raise wrong("seed", "text", seed)
    for name in entrants:
        if not isinstance(name, str):
            make_bot(name)
    usual = Limit(None if ms is None else ms / 1000, visits)
    parsed = tuple(parse_entrant(text, usual) for text in entrants)
    ruleset = Ruleset.preset(variant, players)
    sides = 2 if ruleset.teams else ruleset.seats
    seating = Seating.LONE if len(parsed) < sides else Seating.MIXED
    executor = local_executor(jobs)
    try:
        return play_match(Match(parsed, ruleset, games, seed, seating), executor)
    finally:
        executor.close()


def _results(match: Match, executor: Executor, cache: GameCache | None) -> Iterator[BlockResult]:
    """The blocks in order, found or played."""
    if cache is None:
        yield from executor.map(play_block, ((match, block) for block in match.blocks()))
        return
    found = {block: cache.find(block) for block in match.blocks()}
    missing = [block for block, result in found.items() if result is None]
    fresh = executor.map(play_block, ((match, block) for block in missing))
    for block, result in found.items():
        if result is None:
            result = next(fresh)
            cache.keep(block, result)
        yield result


def _is_decided(match: Match, games: list[GameResult]) -> bool:
    if match.stop is None:
        return False
    return judge(deal_scores(games, match.stop), match.stop).verdict is not SprtAnswer.OPEN


def play_block(task: tuple[Match, Block]) -> BlockResult:
    """All rotations of one table in one deal: what a worker does."""
    match, block = task
    games, forfeits = [], []
    dealer = ShuffledDealer(match.deal_seed(block.deal))
    for rotation, seats in enumerate(rotations(block.table)):
        entrants = [match.entrants[who] for who in seats]
        seeds = [match.bot_seed(block.deal, rotation, seat) for seat in range(len(seats))]
        played = play_game(match.ruleset, dealer, seated(entrants, seeds))
        games.append(written(played, block.deal, seats))
        if played.failure is not None:
            loser = entrants[played.failure.seat]
            forfeits.append(_forfeit(loser, played.failure, len(games) - 1))
    return BlockResult(tuple(games), tuple(forfeits))


def _forfeit(loser: Entrant, failure: SeatFailure, game: int) -> Forfeit:
    return Forfeit(loser.text, str(failure.error.code), failure.error.texts(), game)
