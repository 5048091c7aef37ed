"""Which row of which weight table a fact switches on: the input of the network, frozen.

The network has no numeric inputs.  Every fact ("this card still costs me 3 green, of which I
lack 1") is one row of a table of weights, and an input is a list of rows that are added up.
Row 0 is never used.

    card table      face-up cards and the mover's own reserved cards
    other table     cards reserved by others
    noble table     unclaimed nobles
    fact table      everything else: bank, tokens, bonuses, points, phase, ruleset

What concerns another seat is told apart by its *role*: one for the opponent of two players,
two for three, three for four, three for teams (next, partner, previous).
"""

from __future__ import annotations

from cabochon.rules.cards import CARDS, NOBLES

ROLES = 9
FIRST_ROLE = (0, 1, 3, 6)
"""First role of each table: 2 players, 3, 4, teams."""

# --- card table
CARD_ID = 1
CARD_NEED = CARD_ID + len(CARDS)
"""[colour][price after bonuses][of it lacking after tokens], 8 x 8 per colour."""
CARD_BANK = CARD_NEED + 5 * 64
"""[colour][lacking][in the bank], 8 x 8 per colour."""
CARD_SHORT = CARD_BANK + 5 * 64
"""[own reserved?][lacking after gold, 0..11]."""
CARD_BONUS = CARD_SHORT + 2 * 12
"""[its bonus colour][mover's bonuses of that colour, 0..7]."""
CARD_NOBLE = CARD_BONUS + 5 * 8
"""[unclaimed nobles that still ask for its colour, 0..3][fewest cards to such a noble, 0..7]."""
CARD_VISIT = CARD_NOBLE + 4 * 8
"""Buying it brings a noble."""
CARD_REMAIN = CARD_VISIT + 1
"""[points still missing to the target once it is bought, 0..15]."""
CARD_OTHER = CARD_REMAIN + 16
"""[role][would it end the game for that seat?][what that seat lacks, 0..9]."""
CARD_ROWS = CARD_OTHER + ROLES * 20

# --- other table
OTHER_ID = 1
OTHER_SHORT = OTHER_ID + len(CARDS)
"""[role][would it end the game?][what its holder lacks, 0..9]."""
OTHER_HIDDEN = OTHER_SHORT + ROLES * 20
"""[role][level]: a blind card, unknown to the mover."""
OTHER_ROWS = OTHER_HIDDEN + ROLES * 3

# --- noble table
NOBLE_ID = 1
NOBLE_MISS = NOBLE_ID + len(NOBLES)
"""[colour][missing to the mover, 1..4]."""
NOBLE_TOTAL = NOBLE_MISS + 5 * 5
"""[missing to the mover in all, 0..9]."""
NOBLE_OTHER = NOBLE_TOTAL + 10
"""[role][missing to that seat in all, 0..9]."""
NOBLE_ROWS = NOBLE_OTHER + ROLES * 10

# --- fact table: the mover's hand, the same for each role, then what is common
OF_TOKENS = 0
OF_TOTAL = OF_TOKENS + 6 * 8
OF_BONUSES = OF_TOTAL + 14
OF_REMAIN = OF_BONUSES + 5 * 9
OF_CARDS = OF_REMAIN + 21
OF_RESERVED = OF_CARDS + 25
OF_LEAD = OF_RESERVED + 4
HAND_ROWS = OF_LEAD + 25
"""Tokens [gem][1..7], their sum [0..13], bonuses [colour][1..8], points to go [-4..16], cards
bought [0..24], cards reserved [0..3], the mover's lead in points over this seat [-12..12]."""

FACT_HAND = 1
FACT_BANK = FACT_HAND + (1 + ROLES) * HAND_ROWS
FACT_PHASE = FACT_BANK + 6 * 8
"""Act, noble, return of 1, 2, 3 or more."""
FACT_SEAT = FACT_PHASE + 5
"""[table][seat][last round?]."""
FACT_RULES = FACT_SEAT + 4 * 4 * 2
"""[table][target 15, 10, another][width 4, 3, another]."""
FACT_DECK = FACT_RULES + 4 * 9
"""[level][cards left: 0, 1, 2, 3-5, 6-10, more]."""
FACT_ROUND = FACT_DECK + 3 * 6
"""[rounds played, 0..23]."""
FACT_NOBLES = FACT_ROUND + 24
"""[unclaimed nobles, 0..5]."""
FACT_ROWS = FACT_NOBLES + 6

# --- how many rows a thing can have
CARD_PLACES, OTHER_PLACES, NOBLE_PLACES = 15, 9, 5
"""12 face-up places and 3 own reserved; 3 reserved of 3 others; nobles."""
CARD_LIST, OTHER_LIST, NOBLE_LIST, FACT_LIST = 24, 4, 16, 128
COUNTS = CARD_PLACES + OTHER_PLACES + NOBLE_PLACES + 1
OTHER_COUNT, NOBLE_COUNT, FACT_COUNT = CARD_PLACES, CARD_PLACES + OTHER_PLACES, COUNTS - 1
