from dataclasses import dataclass

import pytest
from pydantic import TypeAdapter, ValidationError

from tessera.kit.schemas import ApiModel, PhoneNumber

phone: TypeAdapter[str] = TypeAdapter(PhoneNumber)


@pytest.mark.spec("5.3", "9.12")
class TestPhoneNumber:
    @pytest.mark.parametrize(
        ("text", "stored"),
        [
            ("+12025550142", "+12025550142"),
            ("+1 202 555 0142", "+12025550142"),
            ("+1234567", "+1234567"),
            ("+123456789012345", "+123456789012345"),
            # No country has these: the console warns, and nobody refuses.
            ("+9991234567", "+9991234567"),
            ("+1555555", "+1555555"),
        ],
    )
    def test_accepts_seven_to_fifteen_digits(self, text: str, stored: str) -> None:
        assert phone.validate_python(text) == stored

    @pytest.mark.parametrize(
        "text",
        ["", "+", "12025550142", "+123456", "+1234567890123456", "+1-202-5550142", "+1202555CALL",
         "+١٢٣٤٥٦٧٨", "++12025550142", "+12025550142\n", "+1\t2025550142"],
    )  # fmt: skip
    def test_malformed_phone_numbers_are_refused(self, text: str) -> None:
        with pytest.raises(ValidationError):
            phone.validate_python(text)


@dataclass
class Row:
    first_name: str
    email: str
    password: str


class Shown(ApiModel):
    first_name: str
    email_address: str


def test_model_of_a_row_has_its_own_fields_and_those_given() -> None:
    row = Row("Ada", "ada@acme.test", "secret")
    shown = Shown.of(row, email_address=row.email)
    assert shown.model_dump() == {"first_name": "Ada", "email_address": "ada@acme.test"}


def test_model_of_a_row_without_a_field_is_refused() -> None:
    with pytest.raises(AttributeError, match="email_address"):
        Shown.of(Row("Ada", "ada@acme.test", "secret"))
