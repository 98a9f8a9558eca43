"""Mass assignment: fields that no client may set, sent along with valid ones."""

from uuid import uuid4

import pytest

from tessera.kit.database import Connection
from tests.authz.matrix import MATRIX
from tests.security.attacker import error_of, snapshot
from tests.security.cells import Attack
from tests.signup.signup import NOTHING, Signup
from tests.signup.test_invited import Invitation

GREEDY = {
    "role": "admin",
    "companyId": 1,
    "company_id": 1,
    "companyUuid": str(uuid4()),
    "isActive": False,
    "is_active": False,
    "isEnabled": False,
    "isSubscribed": True,
    "subscribedUntil": "2099-01-01T00:00:00Z",
    "canViewWarehouse": False,
    "planId": 1,
    "PlanId": 1,
    "status": "active",
    "customerId": "cus_evil",
    "customer_id": "cus_evil",
    "customer": "cus_evil",
    "subscriptionId": "sub_evil",
    "emailConfirmed": True,
    "permissions": ["companies:manage"],
    "verifiedUntil": "2099-01-01T00:00:00Z",
    "isDefault": True,
    "keyVersion": 9,
}
GUARDED = (
    "SELECT u.id, u.uuid, u.company_id, u.role, u.is_active, u.email, u.phone_number,"
    " u.email_confirmed_at, c.is_enabled, c.subscribed_until, c.can_view_warehouse, c.customer_id,"
    " c.deactivated_for_debt_at, c.uuid AS cid,"
    " (SELECT array_agg(s::text) FROM subscriptions s WHERE s.company_id = c.id) AS subscriptions,"
    " (SELECT max(s.verified_until) FROM sessions s WHERE s.user_id = u.id) AS verified_until"
    " FROM users u JOIN companies c ON c.id = u.company_id ORDER BY u.id"
)

ROWS = [row for row in MATRIX if not {"-"} & set(row.own.split())]


@pytest.mark.extended
async def test_extra_field_in_any_body_is_refused(attack: Attack, platform: Connection) -> None:
    """A body with one extra field is rejected entirely."""
    team = await attack.people.team(warehouses=True)
    target = await attack.target(team)
    before = await snapshot(platform, team.company.id)
    tried = 0
    for row in ROWS:
        if not isinstance(row.body(target), dict):
            continue
        headers = await attack.make.session(team.leader, verified=True)
        for name, value in GREEDY.items():
            answer = await attack.send(row, target, headers, in_body={name: value})
            assert answer.status_code in {403, 422}, f"{row.call} {name}: {answer.text}"
        tried += 1
    assert tried > 15
    after = await snapshot(platform, team.company.id)
    assert {**after, "public.sessions": []} == {**before, "public.sessions": []}


@pytest.mark.extended
async def test_extra_field_in_any_query_is_refused(attack: Attack, platform: Connection) -> None:
    for row in ROWS:
        # Status toggles and account closing change such fields on purpose.
        if any(part in row.call for part in ("DELETE", "team-leader", "/status", "/remove")):
            continue
        team = await attack.people.team(warehouses=True)
        target = await attack.target(team)
        greedy = {name: str(value) for name, value in GREEDY.items()}
        if "companyId" in row.query(target):
            continue
        for person in (team.leader, team.member):
            headers = await attack.make.session(person, verified=True)
            before = await platform.fetch(GUARDED)
            answer = await attack.send(row, target, headers, in_query=greedy)
            assert answer.status_code < 500, answer.text
            assert await platform.fetch(GUARDED) == before, row.call


@pytest.mark.parametrize("field", ["role", "companyId", "isActive", "email_address"])
async def test_by_an_invited_person(
    invitation: Invitation, platform: Connection, field: str
) -> None:
    await invitation.signup.verify_phone(invitation.headers)
    person = invitation.person(**{field: GREEDY.get(field, "boss@evil.test")})
    answer = await invitation.register(person)
    assert error_of(answer) == (422, "invalid_input")
    assert list(answer.json()["fields"]) == [field]
    assert await platform.fetchval("SELECT count(*) FROM users") == 1


@pytest.mark.parametrize(
    ("part", "field"),
    [
        ("user", "role"),
        ("user", "companyId"),
        ("company", "id"),
        ("company", "canViewWarehouse"),
        ("company", "customerId"),
        ("payment", "customer"),
        ("payment", "trialDays"),
    ],
)
async def test_by_a_company_that_signs_up(signup: Signup, part: str, field: str) -> None:
    payload = await signup.payload()
    payload[part][field] = GREEDY.get(field, 1)
    answer = await signup.register(await signup.ready(), payload)
    assert list(answer.json()["fields"]) == [f"{part}.{field}"]
    assert await signup.counts() == NOTHING
