"""What ends a command: one line for the user, and the exit code 2."""

from __future__ import annotations


class Failure(Exception):
    """The message stands on one line and is in the user's language."""
