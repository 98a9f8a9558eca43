"""tessera release: the key that signs the client's releases."""

import os
from pathlib import Path
from typing import Annotated

import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
)

from tessera.bootstrap import fail
from tessera_core import base64url

release = typer.Typer(no_args_is_help=True, help="The client's releases.")


@release.callback()
def _group() -> None:
    """With a single command, Typer would leave out its name."""


@release.command()
def init(
    file: Annotated[Path, typer.Argument(help="Where to write the private key.")],
    password: Annotated[
        str,
        typer.Option(
            prompt="Password of the key",
            hide_input=True,
            confirmation_prompt=True,
            envvar="TESSERA_RELEASE_KEY_PASSWORD",
            show_envvar=True,
        ),
    ],
) -> None:
    """Makes the key that signs releases. Run it on a computer without network, and keep the file
    there."""
    if not password:
        fail("The key needs a password.")
    key = Ed25519PrivateKey.generate()
    encrypted = key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password.encode())
    )
    try:
        # One file from its creation to its content: nobody can put another in its place between.
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
            target.write(encrypted)
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}. Nothing was changed.")
    public = base64url.encode(key.public_key().public_bytes_raw())
    typer.echo(
        f"{file} holds the private key. Add its public key to RELEASE_KEYS in"
        f" core/tessera_core/release.py, then build the service and the client:\n  {public}"
    )
