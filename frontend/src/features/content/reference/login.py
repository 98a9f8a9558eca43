"""Logs in to Tessera and prints a session's token, for scripts that call its API.

    pip install cryptography
    python login.py https://tessera.example leader@company.example

It asks for the password, which never leaves this computer: a secret derived from it is sent.
"""

import base64
import json
import sys
import unicodedata
import urllib.request
from getpass import getpass

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def call(origin: str, path: str, **body: str) -> dict:
    request = urllib.request.Request(
        f"{origin}/api/auth/{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def derive(password: str, salt: str) -> str:
    data = unicodedata.normalize("NFKC", password).encode()
    stretch = Argon2id(
        salt=base64.urlsafe_b64decode(salt + "=="),
        length=32,
        iterations=3,
        lanes=1,
        memory_cost=64 * 1024,
    )
    label = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"tessera/v1/auth")
    secret = label.derive(stretch.derive(data))
    return "a1." + base64.urlsafe_b64encode(secret).decode().rstrip("=")


if __name__ == "__main__":
    origin, email = sys.argv[1:]
    password = getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    login = {"emailAddress": email}
    login["password"] = derive(password, call(origin, "prelogin", **login)["salt"])
    call(origin, "login-onboard", **login)
    print("Code: ", end="", file=sys.stderr, flush=True)
    print(call(origin, "verify-otp", **login, otp=sys.stdin.readline().strip())["access_token"])
