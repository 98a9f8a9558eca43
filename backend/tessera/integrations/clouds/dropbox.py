"""Dropbox: the app's folder serves as the bucket, so there is none to name."""

import hashlib

from tessera.integrations.clouds.patterns import shaped
from tessera.integrations.clouds.protocol import ConnectionFailure, WarehouseType
from tessera.integrations.clouds.strategy import Form, Strategy, prefix
from tessera.settings import Settings


def _options(form: Form, _: Settings) -> dict[str, str]:
    return {
        "access_token": form["access_token"],
        "root": f"/{prefix(form)}",
    }


def _place(form: Form) -> str:
    return hashlib.sha256(form["access_token"].encode()).hexdigest()[:16]


DROPBOX = Strategy(
    type=WarehouseType.DROPBOX,
    fields=("access_token", "path"),
    required=frozenset({"access_token", "path"}),
    secret=frozenset({"access_token"}),
    checks={"access_token": shaped(r"[A-Za-z0-9._~+/=-]{16,4096}", "access_token")},
    scheme="dropbox",
    options=_options,
    causes=(
        ("missing_scope", ConnectionFailure.NO_WRITE_PERMISSION),
        ("path/no_write_permission", ConnectionFailure.NO_WRITE_PERMISSION),
        ("path/insufficient_space", ConnectionFailure.NO_WRITE_PERMISSION),
        ("path/disallowed_name", ConnectionFailure.NO_WRITE_PERMISSION),
        ("path/conflict", ConnectionFailure.NO_WRITE_PERMISSION),
        ("access_token", ConnectionFailure.WRONG_KEY),
        ("access token", ConnectionFailure.WRONG_KEY),
    ),
    place=_place,
    case_sensitive_paths=False,
    place_names_account=False,
)
