"""Stripe's test card numbers and their behavior. The numbers themselves are never stored."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tessera.sandbox.stripe.failures import StripeFailure, declined

FINE, DECLINED, INSUFFICIENT, AUTHENTICATE, FAILS_LATER, EXPIRED, WRONG_CVC = (
    "fine",
    "declined",
    "insufficient_funds",
    "authenticate",
    "fails_later",
    "expired",
    "wrong_cvc",
)

_BEHAVIOUR = {
    "4000000000000002": DECLINED,
    "4000000000009995": INSUFFICIENT,
    "4000002500003155": AUTHENTICATE,
    "4000000000000341": FAILS_LATER,
    "4000000000000069": EXPIRED,
    "4000000000000127": WRONG_CVC,
}
_BRANDS = [
    (r"4\d{15}", "visa", "Visa"),
    (r"5[1-5]\d{14}|2[2-7]\d{14}", "mastercard", "MasterCard"),
    (r"3[47]\d{13}", "amex", "American Express"),
    (r"6(?:011|5\d\d)\d{12}", "discover", "Discover"),
    (r"3(?:0[0-5]|[68]\d)\d{11}", "diners", "Diners Club"),
    (r"35\d{14}", "jcb", "JCB"),
    (r"62\d{14,17}", "unionpay", "UnionPay"),
]
# The payment methods that Stripe offers by name instead of by number.
NAMED = {
    "tok_visa": "4242424242424242",
    "tok_mastercard": "5555555555554444",
    "tok_amex": "378282246310005",
    "tok_chargeDeclined": "4000000000000002",
    "tok_chargeDeclinedInsufficientFunds": "4000000000009995",
    "tok_chargeCustomerFail": "4000000000000341",
    "pm_card_visa": "4242424242424242",
    "pm_card_mastercard": "5555555555554444",
    "pm_card_chargeDeclined": "4000000000000002",
    "pm_card_authenticationRequired": "4000002500003155",
    "pm_card_chargeCustomerFail": "4000000000000341",
}


@dataclass(frozen=True)
class TestCard:
    brand: str
    label: str
    last4: str
    exp_month: int
    exp_year: int
    behaviour: str


def named(name: str, year: int) -> TestCard:
    return _card(NAMED[name], 12, year + 5)


def read_card(data: Any, today: datetime) -> TestCard:  # noqa: ANN401
    if not isinstance(data, dict):
        raise StripeFailure("Invalid card object", param="card")
    number = re.sub(r"[\s-]", "", str(data.get("number", "")))
    if not _passes_luhn(number):
        raise declined("Your card number is incorrect.", "incorrect_number", "incorrect_number")
    month, year = _digits(data.get("exp_month")), _digits(data.get("exp_year"))
    if not 1 <= month <= 12:
        raise declined(
            "Your card's expiration month is invalid.", "invalid_expiry_month", "invalid_expiry"
        )
    year += 2000 if year < 100 else 0
    if (year, month) < (today.year, today.month) or year > today.year + 50:
        raise declined(
            "Your card's expiration year is invalid.", "invalid_expiry_year", "invalid_expiry"
        )
    cvc = data.get("cvc")
    if cvc is not None and not re.fullmatch(r"\d{3,4}", str(cvc)):
        raise declined("Your card's security code is invalid.", "invalid_cvc", "invalid_cvc")
    return _card(number, month, year)


def _card(number: str, month: int, year: int) -> TestCard:
    kind = next((kind for kind in _BRANDS if re.fullmatch(kind[0], number)), None)
    if kind is None:
        raise declined("Your card is not supported.", "card_declined", "card_not_supported")
    behaviour = _BEHAVIOUR.get(number, FINE)
    return TestCard(kind[1], kind[2], number[-4:], month, year, behaviour)


def refuse_setup(behaviour: str) -> None:
    """A card that its bank declines at once cannot be saved."""
    if behaviour == DECLINED:
        raise declined("Your card was declined.", "card_declined", "generic_decline")
    if behaviour == INSUFFICIENT:
        raise declined("Your card has insufficient funds.", "card_declined", "insufficient_funds")
    if behaviour == EXPIRED:
        raise declined("Your card has expired.", "expired_card", "expired_card")
    if behaviour == WRONG_CVC:
        raise declined("Your card's security code is incorrect.", "incorrect_cvc", "incorrect_cvc")


def charge_failure(card: dict[str, Any], hidden: dict[str, Any], now: int) -> StripeFailure | None:
    """Returns why charging this card fails now, or None."""
    today = datetime.fromtimestamp(now, UTC)
    if (card["exp_year"], card["exp_month"]) < (today.year, today.month):
        return declined("Your card has expired.", "expired_card", "expired_card", keep=True)
    if hidden.get("behaviour") == FAILS_LATER:
        return declined("Your card was declined.", "card_declined", "generic_decline", keep=True)
    if hidden.get("behaviour") == AUTHENTICATE and not hidden.get("authenticated"):
        return declined(
            "Your card was declined. This transaction requires authentication.",
            "authentication_required",
            "authentication_required",
            keep=True,
        )
    try:
        refuse_setup(str(hidden.get("behaviour")))
    except StripeFailure as failure:
        failure.keep = True
        return failure
    return None


def _digits(value: Any) -> int:  # noqa: ANN401
    text = str(value)
    return int(text) if re.fullmatch(r"\d{1,4}", text) else -1


def _passes_luhn(number: str) -> bool:
    if not re.fullmatch(r"\d{13,19}", number):
        return False
    digits = [int(digit) for digit in reversed(number)]
    doubled = [(digit * 2 - 9 if digit > 4 else digit * 2) for digit in digits[1::2]]
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0
