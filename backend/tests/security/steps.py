"""State machine steps for sessions and invites."""

from typing import Any

import httpx
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from tests.security.model import MEMBER_ADDRESSES, Company, Person, Session
from tests.security.world import World
from tests.signup.signup import new_person

which = st.integers(0, 11)


class Visits(RuleBasedStateMachine):
    world: World
    companies: list[Company]

    # Selection and calls

    def pick(self, number: int) -> Company:
        remaining = [company for company in self.companies if not company.deleted]
        if not remaining:
            self.companies.append(self.world.new_company())
            remaining = self.companies[-1:]
        return remaining[number % len(remaining)]

    def lead(self, company: Company, method: str, path: str, **more: Any) -> httpx.Response:
        """Calls as the leader, who logs in first if no session is left."""
        own = [each for each in company.sessions if each.person is company.leader]
        active_sessions = [each for each in own if company.alive(each)]
        if not active_sessions and company.enabled:
            active_sessions = [self.log_in(company, company.leader)]
        return self.world.call(method, path, (active_sessions or own)[-1].headers, **more)

    def log_in(self, company: Company, person: Person) -> Session:
        world = self.world
        sent = world.call("POST", "/auth/login-onboard", {}, json=person.credentials)
        assert sent.status_code == 200, sent.text
        body = {**person.credentials, "otp": world.sent(person.phone)["code"]}
        answer = world.call("POST", "/auth/verify-otp", {}, json=body)
        assert answer.status_code == 200, answer.text
        assert answer.json()["user"]["role"] == person.role
        session = Session({"Authorization": f"Bearer {answer.json()['access_token']}"}, person)
        company.sessions.append(session)
        company.forget_old_sessions()
        return session

    # Sessions

    @rule(number=which, other=which)
    def somebody_logs_in(self, number: int, other: int) -> None:
        company = self.pick(number)
        person = list(company.people.values())[other % len(company.people)]
        if company.enabled and person.active:
            self.log_in(company, person)
            return
        answer = self.world.call("POST", "/auth/login-onboard", {}, json=person.credentials)
        code = "account_disabled" if company.enabled else "company_disabled"
        assert (answer.status_code, answer.json()["code"]) == (403, code)

    @rule(number=which, other=which)
    def somebody_logs_out(self, number: int, other: int) -> None:
        company = self.pick(number)
        session = company.sessions[other % len(company.sessions)]
        answer = self.world.call("POST", "/auth/logout", session.headers)
        assert answer.status_code == (204 if company.alive(session) else 401)
        session.ended = True

    # Invites

    @rule(number=which, other=which)
    def invite(self, number: int, other: int) -> None:
        company = self.pick(number)
        address = f"guest{other % MEMBER_ADDRESSES}@{company.uuid}.test"
        answer = self.lead(company, "POST", "/invite/users/", json=[{"email_address": address}])
        if refused := company.refusal():
            assert answer.status_code == refused
            return
        joined = address in {person.email for person in company.people.values()}
        assert answer.json()[0]["state"] == ("alreadyMember" if joined else "invited")
        if not joined:
            token = str(self.world.sent(address)["link"]).partition("token=")[2]
            company.invites[address] = (token, "open")

    def invited(self) -> list[tuple[Company, str]]:
        """Companies with the addresses they invited, in any state."""
        remaining = [company for company in self.companies if not company.deleted]
        return [(company, address) for company in remaining for address in company.invites]

    @precondition(lambda self: self.invited())
    @rule(number=which)
    def cancel_invite(self, number: int) -> None:
        company, address = self.invited()[number % len(self.invited())]
        key = self.world.run(
            self.world.platform.fetchval(
                "SELECT key FROM invites WHERE company_id = $1 AND email = $2"
                " ORDER BY id DESC LIMIT 1",
                company.id, address,
            )
        )  # fmt: skip
        answer = self.lead(company, "DELETE", f"/invite/{key}")
        if refused := company.refusal():
            assert answer.status_code == refused
            return
        is_open = address in company.open_invites()
        assert answer.status_code == (204 if is_open else 404)
        if is_open:
            company.invites[address] = (company.invites[address][0], "cancelled")

    @precondition(lambda self: self.invited())
    @rule(number=which)
    def accept_invite(self, number: int) -> None:
        company, address = self.invited()[number % len(self.invited())]
        token, state = company.invites[address]
        if not company.enabled and state == "open":
            state = "cancelled"
        world, phone = self.world, self.world.phone()
        holder = {"X-Invite-Token": token}
        sent = world.call("GET", "/auth/signup-otp", holder, params={"phoneNumber": phone})
        person = new_person(company.uuid, phone)  # type: ignore[arg-type]
        if state == "open":
            assert sent.status_code == 200, sent.text
            body = {"phoneNumber": phone, "otp": world.sent(phone)["code"]}
            verified = world.call("POST", "/auth/verify-signup-otp", holder, json=body)
            assert verified.status_code == 200, verified.text
        answer = world.call("POST", "/auth/register", {}, params={"token": token}, json=person)
        if state != "open":
            assert (answer.status_code, answer.json()["code"]) == (409, f"invite_{state}")
            return
        assert answer.status_code == 200, answer.text
        credentials = {"emailAddress": address, "password": person["password"]}
        joined = Person(person["uuid"], address, phone, credentials)
        company.people[joined.uuid] = joined
        company.invites[address] = (token, "used")
        headers = {"Authorization": f"Bearer {answer.json()['access_token']}"}
        company.sessions.append(Session(headers, joined))
