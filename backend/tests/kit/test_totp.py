"""Test vectors of RFC 6238, appendix B, for SHA-1; their codes have eight digits."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from tessera.kit import totp

SECRET = b"12345678901234567890"


@pytest.mark.parametrize(
    ("moment", "code"),
    [
        (59, "94287082"),
        (1_111_111_109, "07081804"),
        (1_111_111_111, "14050471"),
        (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"),
        (20_000_000_000, "65353130"),
    ],
)
def test_the_codes_of_the_rfc(moment: int, code: str) -> None:
    step = totp.step_at(datetime.fromtimestamp(moment, UTC))
    assert totp.code_at(SECRET, step, digits=8) == code
    assert totp.code_at(SECRET, step) == code[2:]


class TestMatchingStep:
    @pytest.mark.parametrize("off", [-1, 0, 1])
    def test_totp_code_matches_one_step_to_either_side(self, off: int) -> None:
        assert totp.matching_step(SECRET, totp.code_at(SECRET, 1000 + off), 1000) == 1000 + off

    @pytest.mark.parametrize("off", [-2, 2])
    def test_totp_code_does_not_match_two_steps_away(self, off: int) -> None:
        assert totp.matching_step(SECRET, totp.code_at(SECRET, 1000 + off), 1000) is None


def test_the_address_for_the_camera() -> None:
    parts = urlsplit(totp.uri(SECRET, "ada+work@company.test"))
    assert (parts.scheme, parts.netloc) == ("otpauth", "totp")
    assert unquote(parts.path) == "/Tessera:ada+work@company.test"
    assert parse_qs(parts.query) == {
        "secret": ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
        "issuer": ["Tessera"],
        "algorithm": ["SHA1"],
        "digits": ["6"],
        "period": ["30"],
    }


def test_new_secrets_are_long_and_differ() -> None:
    assert len(totp.new_secret()) == 20
    assert totp.new_secret() != totp.new_secret()
