"""Recovery codes: sixteen letters and digits that cannot be taken for one another, 80 random bits.
Random and long, so that a plain hash is enough, and a new platform key leaves them good."""

import re
import secrets

from tessera.kit.tokens import hash_handle

AT_ONCE = 10
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_GROUPS = 4
_FORM = re.compile(r"[0-9A-Za-z]{4}(?:[- ]?[0-9A-Za-z]{4}){3}")
_MISREAD = str.maketrans("oil", "011", "- ")


def new_codes() -> list[str]:
    return ["-".join(_group() for _ in range(_GROUPS)) for _ in range(AT_ONCE)]


def is_recovery_code(text: str) -> bool:
    """By its form: six digits are a code of the app."""
    return _FORM.fullmatch(text) is not None


def hash_code(company_id: int, user_id: int, code: str) -> bytes:
    plain = code.lower().translate(_MISREAD)
    return hash_handle(f"recovery|{company_id}|{user_id}|{plain}")


def _group() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(4))
