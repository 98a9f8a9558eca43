"""Whether members log in by the company's provider only. The leader keeps a way in without it: the
encryption password with a recovery code."""

from tessera.activity.service import COMMAND_LINE, record, record_system
from tessera.auth.accounts import mail_team_leader
from tessera.auth.sessions.service import end_sessions_without_provider
from tessera.auth.two_factor.service import recovery_codes_left
from tessera.authz.context import Access, accepts
from tessera.authz.policies import policies_of, refused_factor
from tessera.authz.queries import lock_company, lock_user
from tessera.identity.sso import errors, provider_queries, queries
from tessera.identity.sso.providers import read_sso
from tessera.identity.sso.schemas import SsoRead
from tessera.kit import clock
from tessera.kit.workflows import Resources
from tessera.notifications import mails


async def set_required(access: Access, required: bool) -> SsoRead:
    """Both ways in are tried first: by the provider, and by a recovery code."""
    connection, user = access.connection, access.current_user
    await lock_company(connection, user.company_id)
    if required == await queries.is_required(connection, user.company_id):
        return await read_sso(access)
    if required:
        await _try_own_ways_in(access)
    await queries.set_required(connection, user.company_id, required)
    if required:
        await end_sessions_without_provider(
            connection, user.company_id, except_session=user.session_id
        )
    await record(access, "sso.required" if required else "sso.optional")
    mail = (mails.SsoRequired if required else mails.SsoOptional)(
        company=user.company_name, date=clock.now()
    )
    await mail_team_leader(connection, access.context.keys, user.company_id, mail)
    return await read_sso(access)


async def lift(resources: Resources, company_id: int, company_name: str) -> bool:
    """False if the company does not require it. Only an operator does this, on the command line,
    after verifying who is asking."""
    async with resources.database.tenant(company_id) as connection:
        await lock_company(connection, company_id)
        if not await queries.is_required(connection, company_id):
            return False
        await queries.set_required(connection, company_id, False)
        await record_system(connection, company_id, "sso.liftedByPlatform", by=COMMAND_LINE)
        mail = mails.SsoLifted(company=company_name)
        await mail_team_leader(connection, resources.keys, company_id, mail)
    return True


async def _try_own_ways_in(access: Access) -> None:
    connection, user = access.connection, access.current_user
    providers = await provider_queries.listed_providers(connection, user.company_id)
    if not any(each.is_default for each in providers):
        raise errors.SsoProviderNotFound
    if not await queries.has_logged_in(connection, user.company_id, user.user_id):
        raise errors.SsoNotTried
    await lock_user(connection, user.user_id)
    if not await recovery_codes_left(connection, user.user_id):
        raise errors.SsoNeedsRecoveryCodes
    policies = await policies_of(connection, user.company_id)
    if not accepts(policies.second_factors, "totp"):
        raise refused_factor(policies.second_factors)
