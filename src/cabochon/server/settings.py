"""How a server runs: every setting has a default, an environment variable and an option."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from cabochon.workers import available_cores

PREFIX = "CABOCHON_"
MOST_BOTS_UNASKED = 4
MOST_PROCESSES = 256
LEVELS = r"(?i)^(debug|info|warning|error|critical)?$"

Port = Annotated[int, Field(ge=0, le=65535)]
Count = Annotated[int, Field(ge=0)]
HowMany = Annotated[int, Field(ge=0, le=MOST_PROCESSES)]
Niceness = Annotated[int, Field(ge=0, le=19)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


def default_db() -> str:
    """A SQLite file in the user's data directory."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return f"sqlite:///{Path(base) / 'cabochon' / 'tables.db'}"


class BadSetting(ValueError):
    """An environment variable says something that its setting cannot be. `key` names the sentence
    for the user (`serve.KEY` in the words); `variable`, `what` and, if it is out of bounds, `bound`
    go into it."""

    def __init__(self, key: str, variable: str, what: str, bound: str = "") -> None:
        super().__init__(f"{key}: {variable}={what}")
        self.key = key
        self.variable = variable
        self.what = what
        self.bound = bound


class Settings(BaseModel):
    """What `cabochon serve` can be told; `CABOCHON_PORT=8100` and the like say the same."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = "127.0.0.1"
    port: Port = 8000
    admin_host: str = "127.0.0.1"
    admin_port: Port = 0
    """With one, health and metrics are served there, and metrics no longer to the public."""
    db: str = ""
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    log_json: bool = False
    log_level: Annotated[str, Field(pattern=LEVELS)] = ""
    """`warning`, or `info` (each request) with `log_json`, unless it is said."""
    origins: str = ""
    """Further origins that may open a socket, comma separated; the own one always may."""
    hosts: str = ""
    """Names under which the server answers, comma separated; `*` is any."""
    trust_proxy: bool = False
    """Take a client's address from X-Forwarded-For when a private address passes it on."""
    trusted_proxies: str = ""
    """Networks (CIDR) of proxies, comma separated: they are looked past in X-Forwarded-For."""
    bot_seconds: Positive = 1.0
    """How long a bot of this server may think about one decision."""
    bot_workers: Annotated[int, Field(ge=-1, le=MOST_PROCESSES)] = -1
    """Bots that think at the same time, each in a process; 0: none here, only on machines where
    `cabochon worker` runs; -1: see `bots_here`."""
    bot_nice: Niceness = 5
    """The niceness of those processes: the server itself goes first."""
    most_tables: Count = 20_000
    """Open and running tables, in all."""
    most_tables_per_address: Count = 1000
    """Tables, guests and tokens that one address may make in an hour."""
    most_unfinished_per_address: Count = 200
    """Open and running tables that one address may have."""
    most_unfinished_per_person: Count = 100
    """The same for one key or token, wherever it is used."""
    most_bot_tables: Count = 20
    """Tables at which bots of this server play among themselves."""
    most_waiting_per_address: Count = 20
    """People of one address who may wait for an opponent at the same time."""
    watch_delay_s: Count = 20
    """How much later watchers see a rated game."""
    most_connections_per_address: Count = 2000
    """Sockets and streams that one address may have open."""
    requests_per_s: Positive = 50.0
    """Sustained requests of one address; ten times as many may come at once."""
    unplayed_minutes: Count = 30
    """A table that nobody has joined or moved at, and where nobody is, is removed after that."""
    open_table_hours: Count = 24
    """An open table that nobody has touched for this long is removed ..."""
    running_table_days: Count = 30
    """... and so is a game in which nobody has moved."""
    keep_finished_days: Count = 0
    """A finished table that nobody has touched for this long is removed; 0 keeps them for ever."""
    pack_finished_hours: Count = 24
    """A finished table that nobody has touched for this long is packed; 0 leaves them as they
    are."""
    most_studies: Count = 100_000
    """Studies that are kept, in all."""
    most_studies_per_address: Count = 200
    """Studies that one address, or one key or token, may keep."""
    keep_studies_days: Count = 365
    """A study that nobody has opened for this long is removed; 0 keeps them for ever."""
    review_workers: HowMany = 1
    """Reviews that are made at the same time, each by a process of its own; 0: none here."""
    review_nice: Niceness = 19
    """The niceness of those processes: everything else goes first."""
    quick_reviews: bool = True
    """Review a game by itself when it is over, if a person has played."""
    most_reviews_per_person: Count = 5
    """Reviews that one key or token may be waiting for, ..."""
    most_reviews_per_address: Count = 20
    """... one address, ..."""
    most_reviews_waiting: Count = 500
    """... and everybody together."""
    keep_reviews_days: Count = 90
    """A review that nobody has asked for since then is removed; 0 keeps them for ever."""
    engines: HowMany = 2
    """Positions that the live engine looks at at the same time, each in a process; 0: none."""
    engine_nice: Niceness = 10
    """The same for the live engine, where somebody is waiting."""
    engine_visits_per_s: Positive = 50_000.0
    """What one address may have of the live engine in the long run; twenty times as much at
    once."""
    node_dead_s: Positive = 8.0
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


def misspelt() -> list[tuple[str, str]]:
    """Variables that look like a setting of ours and are none, and the setting that was meant."""
    found = []
    for variable in sorted(os.environ):
        name = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and name not in Settings.model_fields:
            near = get_close_matches(name, Settings.model_fields, 1, 0.8)
            found += [(variable, variable_of(each)) for each in near]
    return found


_BOUNDS = {
    "greater_than_equal": ("too-low", "ge"),
    "greater_than": ("not-above", "gt"),
    "less_than_equal": ("too-high", "le"),
}


def _bad_setting(error: ValidationError) -> BadSetting:
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0]).lower().removeprefix(PREFIX.lower())
    variable, what = variable_of(name), str(first["input"])
    if first["type"] in _BOUNDS:
        key, bound = _BOUNDS[first["type"]]
        return BadSetting(key, variable, what, f"{first['ctx'][bound]:g}")
    if name == "log_level":
        return BadSetting("not-a-level", variable, what)
    is_switch = Settings.model_fields[name].annotation is bool
    return BadSetting("not-yes-no" if is_switch else "not-a-number", variable, what)
