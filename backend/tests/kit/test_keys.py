import pytest
from cryptography.exceptions import InvalidTag

from tessera.kit.keys import Keys

KEYS = Keys(b"k" * 32)


def test_what_is_sealed_opens_in_its_own_place_only() -> None:
    sealed = KEYS.seal("messages", b"secret", "message|1|2")
    assert KEYS.open("messages", sealed, "message|1|2") == b"secret"
    for purpose, place in (("messages", "message|1|3"), ("others", "message|1|2")):
        with pytest.raises(InvalidTag):
            KEYS.open(purpose, sealed, place)
    with pytest.raises(InvalidTag):
        Keys(b"x" * 32).open("messages", sealed, "message|1|2")


def test_the_same_text_never_seals_alike() -> None:
    assert KEYS.seal("a", b"x", "y") != KEYS.seal("a", b"x", "y")


def test_a_short_platform_key_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Keys(b"short")
