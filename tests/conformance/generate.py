"""Write the vector files in conformance/ from the reference; the same bytes every time.

    python -m tests.conformance.generate            writes into conformance/
    python -m tests.conformance.generate FOLDER     writes elsewhere

The games are named by rule set, seed and temperament; what each must show is checked while it is
written, so a change of the rules that loses a situation does not go unnoticed.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from cabochon.notation import (
    Json,
    dumps,
    format_move,
    parse_move,
    position_to_json,
    record_to_json,
)
from cabochon.notation.errors import NotationError
from cabochon.record import Record, Result
from cabochon.rules import (
    CARDS,
    LEVELS,
    Buy,
    Card,
    ChooseNoble,
    Deal,
    Event,
    Move,
    Opening,
    Outcome,
    Pass,
    Phase,
    Position,
    Return,
    Ruleset,
    ScriptedDealer,
    Setup,
    Take,
)
from cabochon.rules.dealer import shuffled
from cabochon.rules.perft import divide, perft
from tests.arrange import arrange, arrange_setup, bonus_cards, hand, stuck
from tests.conformance.stalling import stalling_game
from tests.conformance.trees import trees
from tests.galleries import broken_setups, illegal_moves
from tests.games import RULESETS, RandomGame, Step
from tests.properties.test_listed_is_legal import UNIVERSE

FOLDER = Path(__file__).parents[2] / "conformance"
VERSION = 1
MOST_LEAVES = 6_000
MOST_LEAVES_OF_OPENING = 30_000
DEEPEST = 6
LINE = 100
LONGEST_CODE = 4

Files = Iterator[tuple[str, Json]]
Decks = tuple[list[Card], list[Card], list[Card]]


def pretty(value: object, indent: int = 0) -> str:
    """JSON with short things on one line and long things one item a line."""
    flat = dumps(value)
    if indent + len(flat) <= LINE or not isinstance(value, dict | list):
        return flat
    pad = " " * (indent + 1)
    if isinstance(value, dict):
        items = [f"{dumps(key)}:{pretty(held, indent + 1)}" for key, held in value.items()]
        return "{\n" + ",\n".join(pad + item for item in items) + "\n" + " " * indent + "}"
    if all(isinstance(held, str) and len(held) <= LONGEST_CODE for held in value):
        return _filled(flat, pad)
    items = [pretty(held, indent + 1) for held in value]
    return "[\n" + ",\n".join(pad + item for item in items) + "\n" + " " * indent + "]"


def _filled(codes: str, pad: str) -> str:
    """A long list of card codes as a paragraph."""
    spaced = codes.replace(",", ", ")
    lines = textwrap.wrap(spaced, LINE, subsequent_indent=pad)
    return "\n".join(lines).replace(", ", ",")


def file_name(ruleset: Ruleset) -> str:
    """`teams`, `standard-2`, `standard-2-target-21-width-2`."""
    return re.sub(r"[^a-z0-9]+", "-", str(ruleset)).replace("teams-4", "teams")


# Whole games


@dataclass(frozen=True)
class Game:
    """A random game to be written down and what it has to show."""

    name: str
    ruleset: str
    seed: int
    temperament: str
    shows: str


GAMES = (
    Game("standard-2", "standard/2", 28, "gambler", "target ChooseNoble Return blind lavish"),
    Game("standard-3", "standard/3", 3, "gambler", "target ChooseNoble overtaken hole"),
    Game("standard-4", "standard/4", 16, "builder", "target ChooseNoble noble-on-take trigger1"),
    Game("quick-2", "quick/2", 28, "gambler", "target noble-on-take"),
    Game("quick-3", "quick/3", 47, "builder", "target overtaken scarce"),
    Game("quick-4", "quick/4", 8, "builder", "target gold-back trigger2 hole"),
    Game("teams", "teams/4", 57, "builder", "target ChooseNoble Return"),
    Game("quick-teams", "quick-teams/4", 0, "builder", "target blind trigger2"),
    Game("no-scarce-take", "standard/2:scarce=no", 31, "hoarder", "target Pass gold-back"),
    Game("long", "standard/2:target=50", 3, "builder", "target hole"),
    Game("standard-2-shared", "standard/2", 350, "builder", "target shared"),
    Game("quick-4-shared", "quick/4", 86, "builder", "target shared"),
    Game("quick-teams-shared", "quick-teams/4", 220, "builder", "target shared"),
    Game("standard-3-tie-break", "standard/3", 43, "builder", "target tie-break overtaken"),
    Game("teams-tie-break", "teams/4", 42, "builder", "target tie-break ChooseNoble"),
    Game("quick-3-stalled-and-shared", "quick/3", 4, "hoarder", "stalled shared"),
    Game("no-scarce-take-stalled", "standard/2:scarce=no", 11, "gambler", "stalled tie-break"),
)

STALLED = {
    "standard/2": 8,
    "standard/3": 49,
    "standard/4": 23,
    "quick/2": 4,
    "quick/3": 11,
    "quick/4": 40,
    "teams/4": 23,
    "quick-teams/4": 40,
}


def traits(steps: list[Step]) -> set[str]:
    """What a finished game shows."""
    last = steps[-1].after
    outcome = last.outcome()
    assert outcome is not None
    found = {outcome.ending.value, *_shared(last.ruleset, outcome)}
    for step in steps:
        found |= set(_step_traits(step))
    trigger = [s.before.seat for s in steps if s.after.last_round and not s.before.last_round]
    for seat in trigger:
        found.add(f"trigger{seat}")
        if seat not in outcome.winners:
            found.add("overtaken")
    return found


def _shared(ruleset: Ruleset, outcome: Outcome) -> Iterator[str]:
    best = [seat for seat, points in enumerate(outcome.points) if points == max(outcome.points)]
    sides = {ruleset.side(seat) for seat in best}
    if len({ruleset.side(seat) for seat in outcome.winners}) > 1:
        yield "shared"
    elif len(sides) > 1:
        yield "tie-break"


def _step_traits(step: Step) -> Iterator[str]:
    before, event, after = step
    seat = before.seat
    yield type(event).__name__
    if isinstance(event, Deal) and before.pending and before.pending.column is None:
        yield "blind"
    if isinstance(event, Return) and event.gems.gold:
        yield "gold-back"
    if isinstance(event, Buy) and event != before.completed(Buy(event.card)):
        yield "lavish"
    if isinstance(event, Take) and event.gems.total < 3 and max(event.gems) == 1:
        yield "scarce"
    if len(after.hands[seat].nobles) > len(before.hands[seat].nobles):
        if isinstance(event, Take):
            yield "noble-on-take"
        if isinstance(event, Pass):
            yield "noble-on-pass"
    if after.phase is Phase.ACT and any(None in row for row in after.rows):
        yield "hole"


def steps_of(start: Position, events: list[Event]) -> list[Step]:
    steps = []
    for event in events:
        after = start.apply(event)
        steps.append(Step(start, event, after))
        start = after
    return steps


def record_file(
    ruleset: Ruleset, opening: Opening | Position, events: list[Event], shows: str
) -> Json:
    """The record, and all that its replay must lead to."""
    record = Record.start(ruleset, opening)
    steps = steps_of(record.first(), events)
    missing = set(shows.split()) - traits(steps)
    if missing:
        raise ValueError(f"{ruleset} does not show {missing}")
    last = steps[-1].after
    outcome = last.outcome()
    assert outcome is not None
    written = Record(
        ruleset=ruleset,
        players=record.players,
        opening=opening,
        events=tuple(
            step.event if isinstance(step.event, Deal) else step.before.completed(step.event)
            for step in steps
        ),
        result=Result.of(outcome),
    )
    return {
        "v": VERSION,
        "kind": "record",
        "shows": sorted(traits(steps)),
        "record": record_to_json(written),
        "final": position_to_json(last),
        "outcome": {
            "ending": outcome.ending.value,
            "ranking": list(outcome.ranking),
            "winners": list(outcome.winners),
            "points": list(outcome.points),
            "cards": list(outcome.cards),
        },
    }


def opening_of(start: Position) -> Opening:
    return Opening(start.nobles, tuple(tuple(c for c in row if c) for row in start.rows))


def records() -> Files:
    for game in GAMES:
        played = RandomGame(Ruleset.parse(game.ruleset), game.seed, game.temperament, 600)
        events = [step.event for step in played.steps()]
        opening = opening_of(played.start())
        yield game.name, record_file(played.ruleset, opening, events, game.shows)
    for text, seed in STALLED.items():
        ruleset = Ruleset.parse(text)
        opening, events = stalling_game(ruleset, seed)
        yield f"{file_name(ruleset)}-stalled", record_file(ruleset, opening, events, "stalled Pass")
    yield "from-position-noble-on-pass", _noble_on_pass()
    yield "from-position-noble-chosen-on-last-pass", _noble_chosen_on_last_pass()


def _noble_on_pass() -> Json:
    """The noble that comes on the second pass means that the round was not without change."""
    position = stuck(bought={1: bonus_cards("rrrrkkkk")}, nobles="rk4 wu4 ug4")
    return record_file(
        position.ruleset, position, [Pass(), Pass(), Pass(), Pass()], "stalled noble-on-pass"
    )


def _noble_chosen_on_last_pass() -> Json:
    position = stuck(
        bought={0: "1w1 1w3 1w4 1w5 1u1 1u2 1u3 1u4 1g1 1g2 1g3"},
        reserved={0: "3r1 3r3 3w4"},
        nobles="wu4 wug3 rk4",
        turn=1,
    )
    chosen = ChooseNoble(position.nobles[1])
    events: list[Event] = [Pass(), Pass(), chosen, *[Pass()] * 4]
    return record_file(position.ruleset, position, events, "stalled ChooseNoble noble-on-pass")


# Counts


def perft_file(start: Position, decks: Decks, opening: Opening | None = None) -> Json:
    """Counts by depth, as deep as fits, and the root's moves in order with their shares."""
    dealer = ScriptedDealer(opening or Opening((), ()), decks)
    counts = [1, len(start.legal_moves())]
    most = MOST_LEAVES if opening is None else MOST_LEAVES_OF_OPENING
    while len(counts) <= DEEPEST and counts[-1] * counts[1] <= most:
        counts.append(perft(start, dealer, len(counts)))
    depth = len(counts) - 1
    shares = divide(start, dealer, depth)
    return {
        "v": VERSION,
        "kind": "perft",
        "ruleset": str(start.ruleset),
        **_start_json(start, opening),
        "decks": [[card.code for card in deck] for deck in decks],
        "counts": counts,
        "moves": [format_move(move) for move in shares],
        "divide": list(shares.values()),
    }


def _start_json(start: Position, opening: Opening | None) -> Json:
    if opening is None:
        return {"position": position_to_json(start)}
    return {
        "opening": {
            "nobles": [noble.code for noble in opening.nobles],
            "rows": [[card.code for card in row] for row in opening.rows],
        }
    }


def decks_left(position: Position, seed: str) -> Decks:
    """The face-down cards in the order in which the seed deals them."""
    one, two, three = (
        list(shuffled([c for c in CARDS if c.level == level], seed, f"deck{level}"))
        for level in LEVELS
    )
    a, b, c = position.decks
    return one[40 - a :], two[30 - b :], three[20 - c :]


def any_decks(position: Position) -> Decks:
    """The face-down cards by number: for positions that were set up."""
    one, two, three = (
        [card for card in CARDS if card.level == level and position.in_deck(card)]
        for level in LEVELS
    )
    return one, two, three


def perfts() -> Files:
    for ruleset in RULESETS[:8]:
        game = RandomGame(ruleset, 7, "uniform")
        start = game.start()
        yield (
            f"opening-{file_name(ruleset)}",
            perft_file(start, decks_left(start, "7"), opening_of(start)),
        )
    for number, (ruleset, seed, temperament) in enumerate(MIDDLES):
        for phase in (Phase.ACT, Phase.NOBLE, Phase.RETURN):
            found = _middle(RandomGame(ruleset, seed, temperament), phase, number)
            if found is not None:
                name = f"middle-{file_name(ruleset)}-{phase}"
                yield name, perft_file(found, decks_left(found, str(seed)))
    for name, position in ARRANGED.items():
        yield name, perft_file(position, any_decks(position))


MIDDLES = (
    (Ruleset.parse("standard/2"), 28, "gambler"),
    (Ruleset.parse("standard/3"), 3, "gambler"),
    (Ruleset.parse("standard/4"), 16, "builder"),
    (Ruleset.parse("quick/2"), 28, "gambler"),
    (Ruleset.parse("teams/4"), 57, "builder"),
    (Ruleset.parse("quick-teams/4:scarce=no"), 119, "hoarder"),
)

ARRANGED = {
    "stuck": stuck(),
    "stuck-but-for-a-purchase": stuck(bought={0: "1k1"}),
    "scarce-two-colours": arrange("standard/3", bank="wwk"),
    "scarce-one-plentiful-colour": arrange("standard/3", bank="gggg"),
    "scarce-forbidden": arrange("standard/3:scarce=no", bank="wwk"),
    "last-turn-of-the-last-round": arrange(
        hands=[hand(bought="3w4 3u4 3g4"), hand("wuo", reserved="?1k4")], turn=1, last_round=True
    ),
    "empty-deck": arrange("standard/2:target=50", used_up={1: 1}, rows={1: "1w1 . 1w3 ."}),
    "much-gold": arrange(hands=[hand("rrkooooo", bought="1r1 1k1", reserved="?2k5")]),
}


def _middle(game: RandomGame, phase: Phase, number: int) -> Position | None:
    """The position of that phase half-way through the game, if there is one."""
    some = [position for position in game.positions() if position.phase is phase]
    return some[(len(some) + number) // 2] if len(some) > 1 else (some[0] if some else None)


# Illegal moves


def illegal() -> Files:
    cases = [
        {
            "name": case.name,
            "position": position_to_json(case.position),
            "refused": [
                {"move": format_move(case.move), "seat": case.seat, "code": case.code.value}
            ],
        }
        for case in illegal_moves()
        if case.sayable
    ]
    yield "named-situations", {"v": VERSION, "kind": "illegal", "cases": cases}
    for ruleset in RULESETS:
        name = f"in-games-{file_name(ruleset)}"
        yield name, {"v": VERSION, "kind": "illegal", "cases": list(_in_games(ruleset))}


def _in_games(ruleset: Ruleset) -> Iterator[Json]:
    """Eight positions a rule set, each with its legal moves and two dozen others."""
    rng = Random(str(ruleset))
    for number, temperament in enumerate(("builder", "hoarder", "gambler", "miser")):
        positions = list(RandomGame(ruleset, 100 + number, temperament).positions())
        for position in rng.sample(positions, 2):
            yield {
                "name": f"{temperament} {position.turn}",
                "position": position_to_json(position),
                "legal": [format_move(move) for move in position.legal_moves()],
                "refused": [
                    {"move": format_move(move), "seat": None, "code": code}
                    for move, code in _refused(position, rng)
                ],
            }


def _refused(position: Position, rng: Random) -> Iterator[tuple[Move, str]]:
    for move in rng.sample(UNIVERSE, 30):
        refusal = position.refusal(move)
        if refusal is not None and _can_be_said(move):
            yield move, refusal.code.value


def _can_be_said(move: Move) -> bool:
    try:
        return parse_move(format_move(move)) == move
    except NotationError:
        return False


# Set-ups


def setups() -> Files:
    broken = [
        {
            "name": case.name,
            "setup": position_to_json(case.setup),
            "faults": [code.value for code in case.codes],
        }
        for case in broken_setups()
        if case.sayable
    ]
    yield "broken", {"v": VERSION, "kind": "setups", "cases": broken}
    fine: dict[str, Setup] = {name: Setup.of(position) for name, position in ARRANGED.items()}
    fine["returning"] = arrange_setup(
        "standard/4", hands=[hand("wwwuuuggrrkoo")], phase=Phase.RETURN
    )
    good = [
        {"name": name, "setup": position_to_json(setup), "faults": []}
        for name, setup in fine.items()
    ]
    yield "faultless", {"v": VERSION, "kind": "setups", "cases": good}


def files() -> Iterator[tuple[str, bytes]]:
    """Every vector file: its path under conformance/ and its bytes."""
    kinds = {
        "perft": perfts,
        "records": records,
        "illegal": illegal,
        "setups": setups,
        "variations": trees,
    }
    for folder, make in kinds.items():
        for name, content in make():
            yield f"{folder}/{name}.json", (pretty(content) + "\n").encode()


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for path, content in files():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


if __name__ == "__main__":
    main()
