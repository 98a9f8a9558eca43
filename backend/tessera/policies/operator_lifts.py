"""Lifting a company's policies, which only an operator does, on the command line, after verifying
who is asking."""

from tessera.activity.service import COMMAND_LINE, changed, record_system
from tessera.auth.accounts import mail_team_leader
from tessera.authz.policies import Policies, policies_of
from tessera.kit.workflows import Resources
from tessera.notifications import mails
from tessera.policies import queries
from tessera.policies.service import describe


async def read(resources: Resources, company_id: int) -> Policies:
    async with resources.database.tenant(company_id) as connection:
        return await policies_of(connection, company_id)


async def lift(resources: Resources, company_id: int, company_name: str) -> bool:
    """False if the company has none."""
    async with resources.database.tenant(company_id) as connection:
        before = await policies_of(connection, company_id)
        if before == Policies():
            return False
        await queries.delete_policies(connection, company_id)
        await record_system(
            connection,
            company_id,
            "policies.liftedByPlatform",
            by=COMMAND_LINE,
            details=changed(describe(before), describe(Policies())),
        )
        mail = mails.PoliciesLifted(company=company_name)
        await mail_team_leader(connection, resources.keys, company_id, mail)
    return True
