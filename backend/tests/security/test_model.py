"""Companies, members, invites, sessions and subscriptions, driven at random over HTTP against a
small model: responses, lists and sessions must agree with it after every step."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule, run_state_machine_as_test

from tessera.limits import LIMITS
from tessera.settings import Settings
from tests.security.steps import which
from tests.security.steps_paying import Payments
from tests.security.world import World

pytestmark = [pytest.mark.extended, pytest.mark.timeout(600)]


class Machine(Payments):
    @initialize()
    def found(self) -> None:
        """Creates one company that pays and one that does not yet."""
        self.companies = [self.world.new_company() for _ in range(2)]
        self.start_paying(self.companies[0])

    # Members

    @rule(number=which, other=which, enabled=st.booleans())
    def set_member_status(self, number: int, other: int, enabled: bool) -> None:
        company = self.pick(number)
        person = list(company.people.values())[other % len(company.people)]
        path = f"/user/status/{person.uuid}"
        answer = self.lead(company, "PUT", path, json={"enabled": enabled})
        if refused := company.refusal():
            assert answer.status_code == refused
        elif person is company.leader and not enabled:
            assert answer.status_code == 409
        else:
            assert answer.status_code == 200
            person.active = enabled
            if not enabled:
                company.end_sessions(person)

    @rule(number=which, other=which)
    def remove_member(self, number: int, other: int) -> None:
        company = self.pick(number)
        person = list(company.people.values())[other % len(company.people)]
        answer = self.lead(company, "DELETE", f"/user/{person.uuid}")
        if refused := company.refusal():
            assert answer.status_code == refused
        elif person is company.leader:
            assert answer.status_code == 409
        else:
            assert answer.status_code == 204
            company.end_sessions(person)
            del company.people[person.uuid]

    @rule(number=which, other=which, by_admin=st.booleans())
    def hand_leadership_on(self, number: int, other: int, by_admin: bool) -> None:
        company = self.pick(number)
        former = company.leader
        person = [*company.others, former][other % len(company.people)]
        if by_admin:
            query = {"companyId": company.id, "userId": person.uuid}
            answer = self.world.call("PUT", "/user/team-leader", self.world.admin, params=query)
            refused = None
        else:
            answer = self.lead(company, "PUT", f"/user/team-leader/{person.uuid}")
            refused = company.refusal()
        if refused:
            assert answer.status_code == refused
        elif person is former or not person.active:
            assert answer.status_code == 409, answer.text
        else:
            assert answer.status_code == 200, answer.text
            company.end_sessions(former)
            former.role, person.role = "teamMember", "teamLeader"

    # Companies

    @rule(number=which)
    def flip_company_status(self, number: int) -> None:
        company = self.pick(number)
        enabled = not company.enabled
        path = f"/company/status/{company.id}"
        answer = self.world.call("PUT", path, self.world.admin, json={"enabled": enabled})
        assert (answer.status_code, answer.json()["isEnabled"]) == (200, enabled)
        company.enabled = enabled
        if not enabled:
            company.end_sessions()

    @rule(number=which, chance=which)
    def delete_company(self, number: int, chance: int) -> None:
        if chance != 0:
            return  # Seldom, so that companies live long enough for the other rules.
        company = self.pick(number)
        answer = self.world.call("DELETE", f"/company/{company.id}", self.world.admin)
        assert answer.status_code == 204, answer.text
        company.deleted = True

    # Invariants

    @invariant()
    def people_and_invites_are_listed(self) -> None:
        for company in getattr(self, "companies", []):
            page = {"limit": 100}
            people = self.world.call("GET", f"/users/{company.id}", self.world.admin, params=page)
            if company.deleted:
                assert people.status_code == 404
                continue
            assert {
                (row["uuid"], row["role"], row["isActive"]) for row in people.json()["item1"]
            } == {(person.uuid, person.role, person.active) for person in company.people.values()}
            assert people.json()["item2"] == len(company.people)
            listed = self.world.call("GET", f"/invites/{company.id}", self.world.admin, params=page)
            assert {row["email_address"] for row in listed.json()["item1"]} == (
                company.open_invites()
            )

    @invariant()
    def companies_are_listed(self) -> None:
        if not hasattr(self, "companies"):
            return
        page = self.world.call("GET", "/companies", self.world.admin, params={"limit": 100})
        shown = {
            row["id"]: (row["isEnabled"], row["isSubscribed"], row["memberCount"])
            for row in page.json()["item1"]
        }
        for company in self.companies:
            expected = (company.enabled, company.subscribed, len(company.people))
            assert shown.get(company.id) == (None if company.deleted else expected)

    @invariant()
    def sessions_live_as_long_as_they_should(self) -> None:
        for company in getattr(self, "companies", []):
            for session in company.sessions:
                answer = self.world.call("GET", "/auth/login-token", session.headers)
                assert answer.status_code == (200 if company.alive(session) else 401)
                if company.alive(session):
                    user = answer.json()["user"]
                    assert (user["uuid"], user["role"], user["isSubscribed"]) == (
                        session.person.uuid, session.person.role, company.subscribed,
                    )  # fmt: skip

    @invariant()
    def cards_and_subscription_are_shown(self) -> None:
        for company in getattr(self, "companies", []):
            active_sessions = [
                each
                for each in company.sessions
                if company.alive(each) and each.person is company.leader
            ]
            if active_sessions:
                answer = self.world.call("GET", "/payment/methods", active_sessions[0].headers)
                shown = answer.json()
                shown["cards"] = [card["id"] for card in shown["cards"]]
                expected = company.billing.shown()
                assert {name: shown[name] for name in expected} == expected


@pytest.fixture
def changed_settings() -> dict[str, Any]:
    """Delays and limits are tested elsewhere and would only interfere here."""
    return {
        "code_resend_seconds": 0,
        "limits": {
            name: 1_000_000
            for name in LIMITS
            if name.startswith(("sms", "ticket_")) or name == "login_per_origin"
        },
    }


@pytest.fixture
def world(settings: Settings) -> Iterator[World]:
    made = World(settings)
    yield made
    made.close()


def test_the_product_agrees_with_the_model(world: World) -> None:
    Machine.world = world
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=10,
            stateful_step_count=25,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
