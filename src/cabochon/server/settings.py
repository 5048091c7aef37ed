"""How a server runs: every setting has a default, an environment variable and an option."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

PREFIX = "CABOCHON_"


def default_db() -> str:
    """A SQLite file in the user's data directory."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return f"sqlite:///{Path(base) / 'cabochon' / 'tables.db'}"


@dataclass(frozen=True, slots=True)
class Settings:
    """What `cabochon serve` can be told; `CABOCHON_PORT=8100` and the like say the same."""

    host: str = "127.0.0.1"
    port: int = 8000
    admin_host: str = "127.0.0.1"
    admin_port: int = 0
    """With one, health and metrics are served there, and metrics no longer to the public."""
    db: str = ""
    workers: int = 1
    log_json: bool = False
    log_level: str = ""
    """`warning`, or `info` (each request) with `log_json`, unless it is said."""
    origins: str = ""
    """Further origins that may open a socket, comma separated; the own one always may."""
    hosts: str = ""
    """Names under which the server answers, comma separated; `*` is any."""
    trust_proxy: bool = False
    """Take a client's address from X-Forwarded-For when a private address passes it on."""
    trusted_proxies: str = ""
    """Networks (CIDR) of proxies, comma separated: they are looked past in X-Forwarded-For."""
    bot_seconds: float = 1.0
    """How long a bot of this server may think about one decision."""
    bot_threads: int = 2
    most_tables: int = 20_000
    """Open and running tables, in all."""
    most_tables_per_address: int = 1000
    """Tables, guests and tokens that one address may make in an hour."""
    most_unfinished_per_address: int = 200
    """Open and running tables that one address may have."""
    most_unfinished_per_person: int = 100
    """The same for one key or token, wherever it is used."""
    most_bot_tables: int = 20
    """Tables at which bots of this server play among themselves."""
    most_connections_per_address: int = 2000
    """Sockets and streams that one address may have open."""
    requests_per_s: float = 50.0
    """Sustained requests of one address; ten times as many may come at once."""
    unplayed_minutes: int = 30
    """A table that nobody has joined or moved at, and where nobody is, is removed after that."""
    open_table_hours: int = 24
    """An open table that nobody has touched for so long is removed ..."""
    running_table_days: int = 30
    """... and so is a game in which nobody has moved."""
    keep_finished_days: int = 0
    """A finished table that nobody has touched for so long is removed; 0 keeps them for ever."""
    node_dead_s: float = 8.0
    """A server process that has not been heard of for so long is taken for dead."""

    @property
    def database(self) -> str:
        return self.db or default_db()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """The defaults, with whatever the environment says. Raises ValueError for nonsense."""
        environment = os.environ if environment is None else environment
        said: dict[str, Any] = {}
        for field in fields(cls):
            text = environment.get(PREFIX + field.name.upper())
            if text is not None:
                said[field.name] = _read(field.name, field.default, text)
        return cls(**said)

    def to_environment(self) -> dict[str, str]:
        """What `from_environment` reads back: how worker processes are told."""
        return {
            PREFIX + field.name.upper(): str(getattr(self, field.name)) for field in fields(self)
        }


def _read(name: str, default: Any, text: str) -> Any:
    if isinstance(default, bool):
        if text.lower() not in ("1", "true", "yes", "0", "false", "no"):
            raise ValueError(f"{PREFIX}{name.upper()} is yes or no, not {text!r}")
        return text.lower() in ("1", "true", "yes")
    try:
        return type(default)(text)
    except ValueError:
        raise ValueError(f"{PREFIX}{name.upper()} is a number, not {text!r}") from None
