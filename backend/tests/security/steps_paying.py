"""State machine steps for cards and the subscription."""

from typing import Any

import httpx
from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.security.model import Company
from tests.security.steps import Visits, which


class Payments(Visits):
    def start_paying(self, company: Company) -> None:
        number = self.companies.index(company)
        self.add_card(number)
        self.reactivate(number)

    def pay(self, company: Company, method: str, path: str, **more: Any) -> httpx.Response | None:
        answer = self.lead(company, method, f"/payment{path}", **more)
        if refused := company.refusal(needs_subscription=False):
            assert answer.status_code == refused
            return None
        return answer

    @rule(number=which)
    def add_card(self, number: int) -> None:
        company = self.pick(number)
        token = self.world.run(self.world.billing.token())
        answer = self.pay(company, "POST", "/add", json={"stripeToken": token})
        if answer is not None:
            shown = {card["id"] for card in answer.json()["cards"]}
            (added,) = shown - set(company.billing.cards)
            company.billing.add(added)

    @rule(number=which, other=which)
    def delete_card(self, number: int, other: int) -> None:
        company = self.pick(number)
        cards = [*company.billing.cards, "pm_unknown"]
        card_id = cards[other % len(cards)]
        allowed = company.billing.may_delete(card_id)
        answer = self.pay(company, "DELETE", "", params={"cardId": card_id})
        if answer is not None:
            assert answer.is_success == allowed, answer.text
            if allowed:
                company.billing.delete(card_id)

    @rule(number=which, other=which)
    def choose_default(self, number: int, other: int) -> None:
        company = self.pick(number)
        cards = [*company.billing.cards, "pm_unknown"]
        card_id = cards[other % len(cards)]
        answer = self.pay(company, "PUT", "/default", params={"cardId": card_id})
        if answer is not None:
            assert answer.is_success == (card_id in company.billing.cards), answer.text
            if answer.is_success:
                company.billing.default = card_id

    @rule(number=which)
    def reactivate(self, number: int) -> None:
        company = self.pick(number)
        billing = company.billing
        amount = {} if billing.runs else {"amount": 75_000}
        answer = self.pay(company, "PUT", "/reactivate", json=amount)
        if answer is not None:
            running = billing.runs and not billing.ending
            assert answer.is_success == (running or billing.may_renew()), answer.text
            if answer.is_success:
                billing.renew()
                company.subscribed = True

    @rule(number=which)
    def cancel(self, number: int) -> None:
        company = self.pick(number)
        answer = self.pay(company, "PUT", "/cancel", json={})
        if answer is not None:
            assert answer.is_success == company.billing.runs, answer.text
            if answer.is_success:
                company.billing.ending = company.billing.canceled = True

    @rule(number=which, enabled=st.booleans())
    def set_auto_renew(self, number: int, enabled: bool) -> None:
        company = self.pick(number)
        billing = company.billing
        answer = self.pay(company, "PUT", "/auto-renew", json={"enabled": enabled})
        if answer is not None:
            allowed = billing.runs and (not enabled or billing.may_renew())
            assert answer.is_success == allowed, answer.text
            if allowed and enabled:
                billing.renew()
            elif allowed:
                billing.ending = True
