"""Recovery codes: sixteen unambiguous letters and digits, 80 random bits. That is enough for a
plain hash, so the codes stay valid when the platform key is replaced."""

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
    """Recognises a recovery code by its form; six digits are an app code."""
    return _FORM.fullmatch(text) is not None


def hash_code(company_id: int, user_id: int, code: str) -> bytes:
    plain = code.lower().translate(_MISREAD)
    return hash_handle(f"recovery|{company_id}|{user_id}|{plain}")


def _group() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(4))
