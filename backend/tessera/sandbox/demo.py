"""The sandbox's demo data, added once."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

from tessera.auth.provisioning import NewAccount, Person, add_account, set_first_passphrase
from tessera.authz.permissions import Role
from tessera.authz.queries import company_uuid
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.sandbox import demo_people, queries
from tessera_core.envelopes import open_user_key
from tessera_core.errors import NotAuthentic
from tessera_core.kdf import derive

PASSWORD = "mosaic-Tile-2026"  # noqa: S105 - the sandbox's demo password, printed in the README
PASSPHRASE = "three clouds, one mosaic"  # noqa: S105

ADMIN = Person("Deniz", "Aydın", "admin@tessera.test", "+12025550100", Role.ADMIN)
LEADER = Person("Ada", "Lindqvist", "leader@northwind.test", "+12025550101", Role.TEAM_LEADER)
MEMBER = Person("Omar", "Haddad", "member@northwind.test", "+12025550102", Role.TEAM_MEMBER)
PEOPLE = (ADMIN, LEADER, MEMBER)

TRIAL = timedelta(days=30)


async def add_demo_data(connection: Connection) -> bool:
    """False if it already exists. The connection is the platform role's."""
    if not await queries.claim_demo_data(connection):
        return False
    uuid = await company_uuid(connection, 1)
    assert uuid is not None
    await add_account(connection, 1, uuid, ADMIN, PASSWORD)
    filler = demo_people.new_filler()
    # Northwind is added last, because the list of companies shows the newest first.
    await demo_people.add_companies(connection, filler)
    uuid, now = uuid4(), clock.now()
    northwind = (
        uuid, "Northwind Ltd", "office@northwind.test", "+12025550110", "14 Harbour Street",
        "Portland", "ME", "04101", True, now + TRIAL, now,
    )  # fmt: skip
    [company_id] = await queries.add_companies(connection, [northwind])
    await add_account(connection, company_id, uuid, LEADER, PASSWORD)
    await add_account(connection, company_id, uuid, MEMBER, PASSWORD)
    await demo_people.add_colleagues(connection, filler, company_id)
    await demo_people.add_invites(connection, filler, company_id)
    leader_name = f"{LEADER.first_name} {LEADER.last_name}"
    await demo_people.add_activity(connection, filler, company_id, leader_name)
    return True


async def add_demo_passphrase(resources: Resources) -> bool:
    """False if there is one, or if the leader has another password by now. A separate step: the
    platform role has no access to passphrases."""
    async with resources.database.platform.transaction() as connection:
        company = await queries.company_of(connection, LEADER.email)
    if company is None:
        return False
    async with resources.database.tenant(company.id) as connection:
        if await queries.has_rows(connection, "company_passphrases", company.id):
            return False
        people = await queries.first_people(connection, company.id, 1)
    if [person.email for person in people] != [LEADER.email]:
        return False
    leader = await open_account(company.uuid, people[0])
    if leader is None:
        return False
    async with resources.database.tenant(company.id) as connection:
        await set_first_passphrase(connection, company.id, company.uuid, leader, PASSPHRASE)
    return True


async def open_account(company: UUID, person: queries.DemoUser) -> NewAccount | None:
    """None if the demo's password does not open it."""
    derived = await asyncio.to_thread(derive, PASSWORD, person.salt)
    try:
        user_key = open_user_key(
            person.sealed_user_key,
            wrap_key=derived.wrap_key,
            uid=str(person.uuid),
            cid=str(company),
            salt=person.salt,
        )
    except NotAuthentic:
        return None
    return NewAccount(person.id, person.uuid, user_key)
