import json
from typing import Any

import pytest

from tessera_core.envelopes import new_key, seal_passphrase_pair
from tests.signup.signup import (
    NOTHING,
    Signup,
    changed,
    new_payload,
)

FIELDS = {
    "no first name": ("user.firstName", ""),
    "a first name of blanks": ("user.firstName", "  "),
    "no last name": ("user.lastName", ...),
    "no address": ("user.email_address", ""),
    "an address without a host": ("user.email_address", "ada@"),
    "a phone without +": ("user.phoneNumber", "12025550142"),
    "a phone of six digits": ("user.phoneNumber", "+123456"),
    "a phone of sixteen digits": ("user.phoneNumber", "+1234567890123456"),
    "a phone with letters": ("user.phoneNumber", "+1202555CALL"),
    "a password as typed": ("user.password", "correct horse battery"),
    "no password": ("user.password", ""),
    "a salt too short": ("user.salt", "AAAA"),
    "a user key in the clear": ("user.userKey", "my key"),
    "an id that is none": ("user.uuid", "ada"),
    "no company name": ("company.name", " "),
    "no company address": ("company.email", "office"),
    "a company phone that is none": ("company.phoneNumber", "call us"),
    "a passphrase as typed": ("company.passPhrase", "three clouds, one mosaic"),
    "no state": ("company.address.state", ""),
    "a state that is none": ("company.address.state", "XX"),
    "a state written out": ("company.address.state", "Maine"),
    "a zip of four": ("company.address.zipCode", "0410"),
    "a zip of six": ("company.address.zipCode", "041012"),
    "no street": ("company.address.addressLine1", ""),
    "no card": ("payment.stripeToken", ""),
    "a card number for a token": ("payment.stripeToken", "4242424242424242"),
    "a billing address that is none": ("payment.email", "billing"),
    "no plan": ("payment.planId", ...),
    "a field nobody knows": ("user.role", "admin"),
}


class TestRules:
    """The server enforces every rule of the form too."""

    @pytest.mark.spec("5.12", "9.10")
    @pytest.mark.parametrize(("path", "value"), FIELDS.values(), ids=FIELDS.keys())
    async def test_sign_up_with_an_invalid_field_is_refused(
        self, signup: Signup, path: str, value: Any
    ) -> None:
        payload = changed(new_payload("tok_visa"), path, value)
        answer = await signup.register(await signup.ticket(), payload)
        assert answer.status_code == 422, answer.text
        assert path in answer.json()["fields"]
        assert await signup.counts() == NOTHING

    @pytest.mark.spec("3.28")
    @pytest.mark.parametrize("state", ["DC", "AS", "FM", "GU", "MH", "MP", "PW", "PR", "VI"])
    async def test_takes_states_and_territories(self, signup: Signup, state: str) -> None:
        payload = changed(new_payload("tok_visa"), "company.address.state", state)
        answer = await signup.register(await signup.ticket(), payload)
        assert answer.json()["code"] == "phone_not_verified"

    @pytest.mark.spec("5.15", "5.16")
    @pytest.mark.parametrize("path", ["company.address.city", "company.address.addressLine2"])
    async def test_sign_up_does_not_need_the_optional_fields(
        self, signup: Signup, path: str
    ) -> None:
        answer = await signup.register(
            await signup.ticket(), changed(new_payload("tok_visa"), path, ...)
        )
        assert answer.json()["code"] == "phone_not_verified"

    async def test_refuses_envelopes_of_another_user_or_company(self, signup: Signup) -> None:
        headers = await signup.ticket()
        payload, other = new_payload("tok_visa"), new_payload("tok_visa")
        for part, name in (("user", "userKey"), ("company", "passPhrase")):
            wrong = changed(payload, f"{part}.{name}", other[part][name])
            answer = await signup.register(headers, wrong)
            assert answer.status_code == 422
            assert f"{part}.{name}" in answer.json()["fields"]

    async def test_refuses_a_passphrase_of_another_epoch(self, signup: Signup) -> None:
        payload = new_payload("tok_visa")
        payload["company"]["passPhrase"] = seal_passphrase_pair(
            "three clouds, one mosaic",
            user_key=new_key(),
            uid=payload["user"]["uuid"],
            cid=payload["company"]["uuid"],
            epoch=2,
        )
        answer = await signup.register(await signup.ticket(), payload)
        assert answer.json()["code"] == "passphrase_not_sealed"

    async def test_answers_in_the_callers_language(self, signup: Signup) -> None:
        headers = {**await signup.ticket(), "Accept-Language": "ar"}
        payload = changed(new_payload("tok_visa"), "company.address.zipCode", "1")
        answer = await signup.register(headers, payload)
        assert answer.json()["fields"]["company.address.zipCode"] not in ("", "zip")
        assert json.dumps(answer.json(), ensure_ascii=False).isascii() is False
