"""The company's OpenID provider: the leader's settings, and its secret, which the service opens to
exchange a code."""

from cryptography.exceptions import InvalidTag

from tessera import limits
from tessera.activity.service import record
from tessera.auth.two_factor.service import recovery_codes_left
from tessera.authz.context import Access, Identity
from tessera.authz.queries import lock_company
from tessera.authz.rate_limits import limit
from tessera.identity.sso import errors, queries
from tessera.identity.sso.queries import Provider
from tessera.identity.sso.schemas import SsoProviderRead, SsoProviderUpdate, SsoRead, host_of
from tessera.integrations import openid
from tessera.integrations.openid import Client, ProviderError, ProviderFailed
from tessera.kit.database import Connection
from tessera.kit.keys import Keys
from tessera.kit.workflows import Resources
from tessera.settings import Settings

_PURPOSE = "sso-secrets"

ISSUER_CODES = {
    ProviderError.UNREACHABLE: "issuer_unreachable",
    ProviderError.ADDRESS_REFUSED: "issuer_address",
}


async def read_sso(access: Access) -> SsoRead:
    company_id, user_id = access.current_user.company_id, access.current_user.user_id
    found = await queries.provider(access.connection, company_id)
    linked = await queries.linked_members(access.connection, company_id)
    return SsoRead(
        provider=SsoProviderRead.of(found, linked_members=linked) if found else None,
        required=await queries.is_required(access.connection, company_id),
        is_tried=await queries.has_logged_in(access.connection, company_id, user_id),
        recovery_codes_left=await recovery_codes_left(access.connection, user_id),
        redirect_uri=redirect_uri(access.context.settings),
        backchannel_logout_uri=(
            f"{access.context.settings.public_url}/api/auth/sso/backchannel-logout/"
            f"{access.current_user.company_uuid}"
        ),
    )


async def save_provider(identity: Identity, data: SsoProviderUpdate) -> SsoRead:
    """Reads the provider's configuration first; no connection is held meanwhile. Another issuer is
    another provider: accounts that were linked to the former one are linked anew."""
    context, company_id = identity.context, identity.current_user.company_id
    await limit(context, limits.SSO_SAVES, company_id)
    if not openid.is_endpoint(context.settings, data.issuer) or "?" in data.issuer:
        raise errors.SsoProviderRefused(fields={"issuer": "issuer_address"})
    try:
        await openid.read_configuration(context.settings, data.issuer, fresh=True)
    except ProviderFailed as failed:
        code = ISSUER_CODES.get(failed.reason, "issuer_configuration")
        raise errors.SsoProviderRefused(fields={"issuer": code}) from None
    async with identity.access() as access:
        connection = access.connection
        await lock_company(connection, company_id)
        former = await queries.provider(connection, company_id)
        is_same = former is not None and (former.issuer, former.client_id) == (
            data.issuer,
            data.client_id,
        )
        # The stored secret never goes to another provider than it was entered for.
        if data.client_secret is None and not is_same:
            raise errors.SsoProviderRefused(fields={"clientSecret": "missing"})
        if not is_same:
            await _check_not_required(connection, company_id)
            await queries.remove_provider(connection, company_id)
            provider_id = await queries.add_provider(
                connection, company_id, issuer=data.issuer, client_id=data.client_id
            )
        else:
            assert former is not None
            provider_id = former.id
        if data.client_secret is not None:
            place = _place(company_id, provider_id)
            sealed = context.keys.seal(_PURPOSE, data.client_secret.encode(), place)
            await queries.set_secret(connection, company_id, sealed)
        await record(access, "sso.saved", target=host_of(data.issuer))
        return await read_sso(access)


async def remove_provider(access: Access) -> None:
    company_id = access.current_user.company_id
    await lock_company(access.connection, company_id)
    await _check_not_required(access.connection, company_id)
    issuer = await queries.remove_provider(access.connection, company_id)
    if issuer is None:
        raise errors.SsoProviderNotFound
    await record(access, "sso.removed", target=host_of(issuer))


async def _check_not_required(connection: Connection, company_id: int) -> None:
    if await queries.is_required(connection, company_id):
        raise errors.SsoStillRequired


def client_of(resources: Resources, provider: Provider) -> Client:
    return Client(
        client_id=provider.client_id,
        redirect_uri=redirect_uri(resources.settings),
        secret=_open_secret(resources, provider),
    )


def redirect_uri(settings: Settings) -> str:
    return f"{settings.public_url}/login/company"


def _open_secret(resources: Resources, provider: Provider) -> str:
    """Also works while the platform key is being replaced."""
    old = resources.settings.platform_key_old_bytes
    place = _place(provider.company_id, provider.id)
    for keys in (resources.keys, Keys(old) if old else None):
        if keys is None:
            continue
        try:
            return keys.open(_PURPOSE, provider.sealed_secret, place).decode()
        except InvalidTag:
            continue
    raise errors.SsoSecretUnreadable


def _place(company_id: int, provider_id: int) -> str:
    return f"sso-secret|{company_id}|{provider_id}"
