"""The sandbox's demo data, added once."""

from datetime import timedelta
from uuid import uuid4

from tessera.auth.provisioning import Person, add_account, set_first_passphrase
from tessera.auth.queries import company_uuid
from tessera.authz.permissions import Role
from tessera.kit.database import Connection
from tessera.sandbox import demo_people, queries

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
    await add_account(connection, 1, await company_uuid(connection, 1), ADMIN, PASSWORD)
    filler = demo_people.new_filler()
    # Northwind is added last, because the list of companies shows the newest first.
    await demo_people.add_companies(connection, filler)
    uuid = uuid4()
    company_id = await queries.add_company(
        connection,
        uuid=uuid,
        name="Northwind Ltd",
        email="office@northwind.test",
        phone_number="+12025550110",
        address_line1="14 Harbour Street",
        city="Portland",
        state="ME",
        zip_code="04101",
        subscribed_for=TRIAL,
    )
    leader = await add_account(connection, company_id, uuid, LEADER, PASSWORD)
    await add_account(connection, company_id, uuid, MEMBER, PASSWORD)
    await demo_people.add_colleagues(connection, filler, company_id)
    await demo_people.add_invites(connection, filler, company_id)
    leader_name = f"{LEADER.first_name} {LEADER.last_name}"
    await demo_people.add_activity(connection, filler, company_id, leader_name)
    await set_first_passphrase(connection, company_id, uuid, leader, PASSPHRASE)
    return True
