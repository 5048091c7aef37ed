"""The levels: one player after the other with a stronger judgement.

    one move      weighs its moves by what can be seen, as the greedy bot does
    feeling       the network's first impression, no look ahead (one visit)
    search        the same network, looking ahead for more and more visits

`blur` is how uncertain the judgement is: a weak player takes a good move for a better one, and the
more so the closer they are. Moves that the network finds far worse are not played unless the blur
is great; a look at one move errs by so many points. No level sees more than its view.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING, Any

from cabochon.bots.bot import NO_LIMIT, BotFault, Limit, UnknownBot, choices_within
from cabochon.bots.greedy import worth_of_moves
from cabochon.bots.roster import LEVEL_NAMES, SEARCH_EDITION, level_data, network_fingerprint
from cabochon.rules import Move, Phase, Position, Ruleset, ShuffledDealer, View
from cabochon.rules.errors import quoted
from cabochon.version import __version__

if TYPE_CHECKING:
    from cabochon.search import Candidate, Searcher
    from cabochon.search.net import Weights

PREFIX, FROZEN_PREFIX = "level:", "frozen:"
FAR_WORSE = 0.05
"""A move that the search weighs less than this part of the best is out of the question ..."""
BLURRED = 3.0
"""... up to this blur; who sees still less clearly takes more moves seriously."""

PLAYOUT_VISITS = 1500

REUSED_VISITS = 100

RETURN_VISITS = 48
"""Tokens are given back one by one inside a search: with less, some ways would not be seen."""


class LookAhead(StrEnum):
    ONE_MOVE = "one-move"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a level decides. `blur`: with one move in points, with search as the power to which
    weights are flattened (0 plays the best, 1 as often as it is weighed, more flattens on)."""

    sight: LookAhead = LookAhead.SEARCH
    visits: int = 1
    blur: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Judgement:
        """Read `sight=search,visits=8,blur=0.5`; what is not said stays as it is."""
        known = {field.name for field in fields(cls)}
        values: dict[str, Any] = {}
        for part in filter(None, text.split(",")):
            name, _, value = part.partition("=")
            if name.strip() not in known:
                raise ValueError(part)
            values[name.strip()] = value.strip()
        return cls.read(values)

    @classmethod
    def read(cls, values: dict[str, Any]) -> Judgement:
        found = cls(
            LookAhead(values.get("sight", LookAhead.SEARCH)),
            int(values.get("visits", 1)),
            float(values.get("blur", 0.0)),
        )
        if found.visits < 1 or not 0 <= found.blur < 100:
            raise ValueError(str(values))
        return found

    def __str__(self) -> str:
        visits = f",visits={self.visits}" if self.sight is LookAhead.SEARCH else ""
        return f"sight={self.sight}{visits},blur={self.blur:g}"


class JudgingBot:
    """Chooses with one judgement for each number of players."""

    def __init__(
        self,
        judgements: dict[int, Judgement],
        seed: int = 0,
        bounded: bool = True,
        network: str | None = None,
    ) -> None:
        """`network` is the fingerprint of one that was shipped once; today's, if none is named."""
        self._judgements = judgements
        self._seed = seed
        self._bounded = bounded
        self._former = network
        self._decisions = 0
        self._searchers: dict[int, Searcher] = {}

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        """A limit can shorten a level's thinking; only the top level uses all it is given."""
        moves = choices_within(view, limit)
        if len(moves) == 1:
            return moves[0]
        judgement = self._judgements[view.ruleset.seats]
        seed = self._next_seed() if limit.seed is None else limit.seed
        if judgement.sight is LookAhead.ONE_MOVE:
            return _one_move(view, judgement.blur, Random(seed))
        lines = self.lines(view, limit)
        return lines[0].move if judgement.blur == 0 else _blurred(lines, judgement.blur, seed)

    def lines(self, view: View, limit: Limit) -> tuple[Candidate, ...]:
        """What the search says of every legal move, the best first. Raises as `choose` does."""
        choices_within(view, limit)
        judgement = self._judgements[view.ruleset.seats]
        seed = self._next_seed() if limit.seed is None else limit.seed
        budget = self._budget(judgement, limit, seed)
        if view.phase is Phase.RETURN and budget.visits is not None:
            budget = replace(budget, visits=max(budget.visits, RETURN_VISITS))
        lines = self._searcher(view).analyse(view, budget).lines
        _spare_the_collector()
        return lines

    @property
    def remembers(self) -> bool:
        """Whether it goes on from its last search: worth keeping in its seat."""
        return not self._bounded

    def engine(self, players: int) -> str:
        """What plays at such a table: equal texts (and limits) make equal moves."""
        judgement = self._judgements[players]
        if judgement.sight is LookAhead.ONE_MOVE:
            return f"cabochon {__version__} {judgement}"
        net = self._former or network_fingerprint(players)
        return f"cabochon {__version__} {judgement} search {SEARCH_EDITION} net {net}"

    def _next_seed(self) -> int:
        self._decisions += 1
        return Random(f"{self._seed} {self._decisions}").getrandbits(62)

    def _budget(self, judgement: Judgement, limit: Limit, seed: int) -> Limit:
        visits = judgement.visits
        if limit.visits is not None:
            visits = min(visits, limit.visits) if self._bounded else limit.visits
        elif limit.seconds is not None and not self._bounded:
            return limit
        return Limit(limit.seconds, visits, seed)

    def _searcher(self, view: View) -> Searcher:
        from cabochon.search import Searcher

        seats = view.ruleset.seats
        if seats not in self._searchers:
            network = self._network(view)
            if self.remembers:
                _load_reuse(view.ruleset, network is None)
            self._searchers[seats] = Searcher(network, reuse=self.remembers)
        return self._searchers[seats]

    def _network(self, view: View) -> Weights | None:
        from cabochon.search.searcher import once_shipped, shipped_for

        return shipped_for(view.ruleset) if self._former is None else once_shipped(self._former)


@cache
def _load_reuse(ruleset: Ruleset, by_playouts: bool) -> None:
    """Search twice, once per process, so that what goes on from an earlier search is compiled or
    loaded with a bot's first move, not with its second."""
    from cabochon.search import Searcher, shipped_for

    opening = ShuffledDealer("").opening(ruleset)
    view = Position.start(ruleset, opening).view(0)
    searcher = Searcher(None if by_playouts else shipped_for(ruleset), reuse=True)
    for _ in range(2):
        searcher.analyse(view, Limit(visits=REUSED_VISITS))


@cache
def _spare_the_collector() -> None:
    """Once per process, after the first search: a full garbage collection would walk through
    everything the compiler has loaded and make some later move up to 0.3 s late."""
    gc.freeze()


def _one_move(view: View, blur: float, random: Random) -> Move:
    """The move that looks best when the worth of each is seen unclearly."""
    seen = [(worth + random.gauss(0, blur), move) for move, worth in worth_of_moves(view)]
    return max(seen, key=lambda pair: pair[0])[1]


def _blurred(lines: tuple[Candidate, ...], blur: float, seed: int) -> Move:
    """One of the moves that the search takes seriously, the better ones more likely."""
    weights = [line.visits + line.prior + 1e-6 for line in lines]
    least = FAR_WORSE * min(1.0, BLURRED / blur) ** 2 * max(weights)
    serious = [(line.move, w) for line, w in zip(lines, weights, strict=True) if w >= least]
    chances = [weight ** (1 / blur) for _, weight in serious]
    return Random(seed).choices([move for move, _ in serious], chances)[0]


@cache
def judgements_of(name: str) -> dict[int, Judgement]:
    """A level's measured parameters by the number of players."""
    rows = level_data()["judgements"][name]
    return {int(players): Judgement.read(row) for players, row in rows.items()}


def level(name: str, seed: int = 0) -> JudgingBot:
    """The bot of that level."""
    return JudgingBot(judgements_of(name), seed, bounded=name != LEVEL_NAMES[-1])


def spelled(text: str, seed: int = 0, network: str | None = None) -> JudgingBot:
    """A bot with the parameters in the text, `level:visits=8,blur=0.5`: for calibration. Raises
    UnknownBot."""
    try:
        judgement = Judgement.parse(text.removeprefix(PREFIX))
    except ValueError as error:
        known = str(Judgement())
        raise UnknownBot(BotFault.UNKNOWN_BOT, name=quoted(text), known=known) from error
    return JudgingBot(dict.fromkeys((2, 3, 4), judgement), seed, network=network)


def frozen(text: str, seed: int = 0) -> JudgingBot:
    """A bot with a network that was shipped once, by its fingerprint: the top level as
    `frozen:85f1f1d2a2d6:diamond`, or `frozen:85f1f1d2a2d6:level:visits=8`. Raises UnknownBot, and
    BadWeights for a network that is not kept."""
    from cabochon.search.searcher import once_shipped

    network, _, name = text.removeprefix(FROZEN_PREFIX).partition(":")
    once_shipped(network)
    if name.startswith(PREFIX):
        return spelled(name, seed, network)
    if name != LEVEL_NAMES[-1]:
        known = f"{FROZEN_PREFIX}{network}:{LEVEL_NAMES[-1]}"
        raise UnknownBot(BotFault.UNKNOWN_BOT, name=quoted(text), known=known)
    return JudgingBot(judgements_of(name), seed, bounded=False, network=network)


class PlayoutBot(JudgingBot):
    """The top level's search with random games in place of the network: what it is measured
    against."""

    def __init__(self, seed: int = 0) -> None:
        judgement = Judgement(LookAhead.SEARCH, PLAYOUT_VISITS)
        super().__init__(dict.fromkeys((2, 3, 4), judgement), seed, bounded=False)

    def engine(self, players: int) -> str:
        return f"cabochon {__version__} playouts search {SEARCH_EDITION}"

    def _network(self, view: View) -> Weights | None:
        return None


talc, gypsum, calcite, fluorite, quartz, topaz, corundum, diamond = (
    partial(level, name) for name in LEVEL_NAMES
)
