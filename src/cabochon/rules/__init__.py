"""The law: pure functions and frozen values, standard library only."""

from cabochon.rules.cards import CARDS, LEVELS, NOBLES, Card, Noble, card, noble
from cabochon.rules.dealer import (
    Dealer,
    ScriptedDealer,
    ShuffledDealer,
    commitment,
    new_seed,
    seating,
)
from cabochon.rules.errors import (
    ArgumentFault,
    BadRuleset,
    BadSetup,
    CabochonError,
    Fault,
    IllegalDeal,
    IllegalMove,
    NotAView,
    Refusal,
    UnknownCode,
    WrongArgument,
)
from cabochon.rules.facts import Facts, Phase, Place
from cabochon.rules.gems import COLOURS, Gem, Gems
from cabochon.rules.hands import Hand, Hidden, Reserved
from cabochon.rules.moves import (
    DECKS,
    Buy,
    ChooseNoble,
    Deal,
    Deck,
    Event,
    Move,
    Opening,
    Pass,
    Reserve,
    Return,
    Take,
)
from cabochon.rules.outcome import Ending, Outcome
from cabochon.rules.perft import perft
from cabochon.rules.position import Position
from cabochon.rules.ruleset import VARIANTS, Ruleset
from cabochon.rules.seedshares import mixed_seed, new_share, share_hash
from cabochon.rules.setups import Setup
from cabochon.rules.view import View

__all__ = [
    "CARDS",
    "COLOURS",
    "DECKS",
    "LEVELS",
    "NOBLES",
    "VARIANTS",
    "ArgumentFault",
    "BadRuleset",
    "BadSetup",
    "Buy",
    "CabochonError",
    "Card",
    "ChooseNoble",
    "Deal",
    "Dealer",
    "Deck",
    "Ending",
    "Event",
    "Facts",
    "Fault",
    "Gem",
    "Gems",
    "Hand",
    "Hidden",
    "IllegalDeal",
    "IllegalMove",
    "Move",
    "Noble",
    "NotAView",
    "Opening",
    "Outcome",
    "Pass",
    "Phase",
    "Place",
    "Position",
    "Refusal",
    "Reserve",
    "Reserved",
    "Return",
    "Ruleset",
    "ScriptedDealer",
    "Setup",
    "ShuffledDealer",
    "Take",
    "UnknownCode",
    "View",
    "WrongArgument",
    "card",
    "commitment",
    "mixed_seed",
    "new_seed",
    "new_share",
    "noble",
    "perft",
    "seating",
    "share_hash",
]
