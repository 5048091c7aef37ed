"""The tables of this node: commands, clocks, bots, presence, and what everybody is sent."""
