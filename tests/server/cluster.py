"""A private PostgreSQL, also for root: PostgreSQL does not run as root, so then it is `nobody`."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path


class NoPostgres(Exception):
    """There is no PostgreSQL server on this machine."""


def _bin() -> Path:
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    found = shutil.which("initdb")
    if found is None:
        raise NoPostgres
    return Path(found).resolve().parent


class Cluster:
    """Lives in a folder of its own, listens on a free port of this machine only."""

    def __init__(self) -> None:
        self._bin = _bin()
        self._folder = Path(tempfile.mkdtemp(prefix="cabochon-pg-"))
        self._as: list[str] = []
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self._folder, nobody.pw_uid, nobody.pw_gid)
            ids = [f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}"]
            self._as = ["setpriv", *ids, "--clear-groups", "--"]
        self._numbers = itertools.count(1)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._run("initdb", "-U", "cabochon", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
        self.start()

    def start(self) -> None:
        options = (
            f"-p {self.port} -c listen_addresses=127.0.0.1 "
            f"-c unix_socket_directories={self._folder} -c shared_buffers=32MB"
        )
        self._run("pg_ctl", "-w", "-l", str(self._folder / "log"), "-o", options, "start")

    def stop(self) -> None:
        """As hard as it gets, short of pulling the plug."""
        self._run("pg_ctl", "-m", "immediate", "-w", "stop")

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def database(self, name: str) -> str:
        """The address of a new, empty database."""
        name = f"{name}_{next(self._numbers)}"  # a test that is tried again has another
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "cabochon", name)
        return f"postgresql://cabochon@127.0.0.1:{self.port}/{name}"

    def _run(self, program: str, *arguments: str) -> None:
        own = [] if program == "createdb" else ["-D", str(self._folder / "data")]
        command = [*self._as, str(self._bin / program), *own, *arguments]
        done = subprocess.run(
            command,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr}")
