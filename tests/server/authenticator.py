"""A passkey's device in software: makes keys and signs, as a browser would hand it on."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import struct
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 1, 4, 64


class Authenticator:
    """One key, for one site."""

    def __init__(self, origin: str, host: str = "127.0.0.1") -> None:
        self.origin = origin
        self.host = host
        self.id = secrets.token_bytes(32)
        self.counter = 0
        self.user = ""
        self._key = ec.generate_private_key(ec.SECP256R1())

    def create(self, options: Any, flags: int = PRESENT | VERIFIED) -> dict[str, Any]:
        """As `navigator.credentials.create`."""
        self.user = options["user"]["id"]
        numbers = self._key.public_key().public_numbers()
        public = {
            1: 2,
            3: -7,
            -1: 1,
            -2: numbers.x.to_bytes(32, "big"),
            -3: numbers.y.to_bytes(32, "big"),
        }
        attested = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(public)
        data = self._data(flags | ATTESTED) + attested
        statement = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        said = self._said("webauthn.create", options["challenge"])
        return self._credential(clientDataJSON=written(said), attestationObject=written(statement))

    def get(self, options: Any, flags: int = PRESENT | VERIFIED) -> dict[str, Any]:
        """As `navigator.credentials.get`."""
        self.counter += 1
        data = self._data(flags)
        said = self._said("webauthn.get", options["challenge"])
        signed = self._key.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        return self._credential(
            clientDataJSON=written(said),
            authenticatorData=written(data),
            signature=written(signed),
            userHandle=self.user,
        )

    def _data(self, flags: int) -> bytes:
        site = hashlib.sha256(self.host.encode()).digest()
        return site + struct.pack(">BI", flags, self.counter)

    def _said(self, kind: str, challenge: str) -> bytes:
        said = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(said).encode()

    def _credential(self, **response: str) -> dict[str, Any]:
        name = written(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response}


def written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
