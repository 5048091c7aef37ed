"""How a server runs: every setting has a default, an environment variable and an option."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from cabochon.workers import available_cores

PREFIX = "CABOCHON_"
MOST_BOTS_UNASKED = 4


def default_db() -> str:
    """A SQLite file in the user's data directory."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return f"sqlite:///{Path(base) / 'cabochon' / 'tables.db'}"


class BadSetting(ValueError):
    """An environment variable says something that its setting cannot be. `key` names the sentence
    for the user (`serve.KEY` in the words), `variable` and `what` go into it."""

    def __init__(self, key: str, variable: str, what: str) -> None:
        super().__init__(f"{key}: {variable}={what}")
        self.key = key
        self.variable = variable
        self.what = what


class Settings(BaseModel):
    """What `cabochon serve` can be told; `CABOCHON_PORT=8100` and the like say the same."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    bot_workers: int = -1
    """Bots that think at the same time, each in a process; 0: none here, only on machines where
    `cabochon worker` runs; -1: see `bots_here`."""
    bot_nice: int = 5
    """The niceness of those processes: the server itself goes first."""
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
    most_waiting_per_address: int = 20
    """People of one address who may wait for an opponent at the same time."""
    watch_delay_s: int = 20
    """How much later watchers see a rated game."""
    most_connections_per_address: int = 2000
    """Sockets and streams that one address may have open."""
    requests_per_s: float = 50.0
    """Sustained requests of one address; ten times as many may come at once."""
    unplayed_minutes: int = 30
    """A table that nobody has joined or moved at, and where nobody is, is removed after that."""
    open_table_hours: int = 24
    """An open table that nobody has touched for this long is removed ..."""
    running_table_days: int = 30
    """... and so is a game in which nobody has moved."""
    keep_finished_days: int = 0
    """A finished table that nobody has touched for this long is removed; 0 keeps them for ever."""
    pack_finished_hours: int = 24
    """A finished table that nobody has touched for this long is packed; 0 leaves them as they
    are."""
    most_studies: int = 100_000
    """Studies that are kept, in all."""
    most_studies_per_address: int = 200
    """Studies that one address, or one key or token, may keep."""
    keep_studies_days: int = 365
    """A study that nobody has opened for this long is removed; 0 keeps them for ever."""
    review_workers: int = 1
    """Reviews that are made at the same time, each by a process of its own; 0: none here."""
    review_nice: int = 19
    """The niceness of those processes: everything else goes first."""
    quick_reviews: bool = True
    """Review a game by itself when it is over, if a person has played."""
    most_reviews_per_person: int = 5
    """Reviews that one key or token may be waiting for, ..."""
    most_reviews_per_address: int = 20
    """... one address, ..."""
    most_reviews_waiting: int = 500
    """... and everybody together."""
    keep_reviews_days: int = 90
    """A review that nobody has asked for since then is removed; 0 keeps them for ever."""
    engines: int = 2
    """Positions that the live engine looks at at the same time, each in a process; 0: none."""
    engine_nice: int = 10
    """The same for the live engine, where somebody is waiting."""
    engine_visits_per_s: float = 50_000.0
    """What one address may have of the live engine in the long run; twenty times as much at
    once."""
    node_dead_s: float = 8.0
    """A server process, or a worker, that has been silent for this long is considered dead."""

    @property
    def database(self) -> str:
        return self.db or default_db()

    @property
    def bots_here(self) -> int:
        """The processes for bots. Unless it is said, as many as leave a core to the server, but
        not more than a few, and one in any case."""
        if self.bot_workers >= 0:
            return self.bot_workers
        return max(1, min(MOST_BOTS_UNASKED, available_cores() - 1))

    @classmethod
    def from_environment(cls) -> Settings:
        """The defaults, with whatever the environment says. Raises BadSetting."""
        try:
            read = _Environment()
        except ValidationError as error:
            raise _bad_setting(error) from None
        return cls(**read.model_dump())

    def to_environment(self) -> dict[str, str]:
        """What `from_environment` reads back: how worker processes are told."""
        return {variable_of(name): str(value) for name, value in self.model_dump().items()}


class _Environment(Settings, BaseSettings):
    """Apart from the settings themselves, so that those mean the same wherever they are made."""

    model_config = SettingsConfigDict(env_prefix=PREFIX)


def variable_of(name: str) -> str:
    return PREFIX + name.upper()


def _bad_setting(error: ValidationError) -> BadSetting:
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0]).lower().removeprefix(PREFIX.lower())
    is_switch = Settings.model_fields[name].annotation is bool
    return BadSetting(
        "not-yes-no" if is_switch else "not-a-number", variable_of(name), str(first["input"])
    )
