"""Thinking elsewhere: processes that choose bots' moves, here and on other machines, and how a
server asks them. Nothing thinks in the server's own process."""
