"""What can be said at a table: preset phrases, so that nobody needs a moderator or a dictionary."""

from __future__ import annotations

PHRASES = (
    *("hello", "good-luck", "thanks", "nice", "wow", "oops", "that-hurt", "thinking", "moment"),
    *("back", "sorry", "well-played", "good-game", "again", "bye"),
)
"""Their names; what they say is in the catalogue, under `chat`."""
