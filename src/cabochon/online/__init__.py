"""A server's table from outside: its links, calls and socket, for programs that play or watch
there. Everything said is in `docs/protocol.md`."""
