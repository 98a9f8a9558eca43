"""The company's OpenID providers: the leader's settings, and their secrets, which the service opens
to exchange a code. A domain leads to the provider that is named for it, or else to the default
one."""

from uuid import UUID

from tessera import limits
from tessera.activity.service import changed, record
from tessera.auth.two_factor.service import recovery_codes_left
from tessera.authz.context import Access, Identity
from tessera.authz.queries import lock_company
from tessera.authz.rate_limits import limit
from tessera.identity.sso import errors, provider_queries, queries
from tessera.identity.sso.client_secrets import open_secret, seal
from tessera.identity.sso.provider_queries import ListedProvider, Provider
from tessera.identity.sso.schemas import (
    SsoDomainRead,
    SsoProviderRead,
    SsoProviderUpdate,
    SsoRead,
    host_of,
)
from tessera.integrations import openid
from tessera.integrations.openid import Client, ProviderError, ProviderFailed
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.settings import Settings

ISSUER_CODES = {
    ProviderError.UNREACHABLE: "issuer_unreachable",
    ProviderError.ADDRESS_REFUSED: "issuer_address",
}


async def read_sso(access: Access) -> SsoRead:
    connection = access.connection
    company_id, user_id = access.current_user.company_id, access.current_user.user_id
    providers = await provider_queries.listed_providers(connection, company_id)
    domains = await provider_queries.leading_domains(connection, company_id)
    return SsoRead(
        providers=[_read(access, each) for each in providers],
        max_providers=limits.SSO_PROVIDERS.maximum,
        domains=[SsoDomainRead.of(each) for each in domains],
        required=await queries.is_required(connection, company_id),
        is_tried=await queries.has_logged_in(connection, company_id, user_id),
        recovery_codes_left=await recovery_codes_left(connection, user_id),
    )


async def add_provider(access: Access, name: str) -> SsoProviderRead:
    """It has its addresses at once, which the provider has to allow before it is set up."""
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    present = await provider_queries.listed_providers(connection, company_id)
    if len(present) >= limits.SSO_PROVIDERS.maximum:
        raise errors.TooManySsoProviders(maximum=limits.SSO_PROVIDERS.maximum)
    if await provider_queries.is_name_taken(connection, company_id, name):
        raise errors.SsoProviderRefused(fields={"name": "provider_name"})
    uuid = await provider_queries.add_provider(connection, company_id, name)
    await record(access, "sso.added", target=name)
    return _read(access, await _find(access, uuid))


async def save_provider(identity: Identity, uuid: UUID, data: SsoProviderUpdate) -> SsoProviderRead:
    """Reads the provider's configuration first; no connection is held meanwhile. Another issuer or
    client id is another provider: accounts that were linked to the former one are linked anew."""
    context, company_id = identity.context, identity.current_user.company_id
    await limit(context, limits.SSO_SAVES, company_id)
    async with identity.access() as access:
        await _find(access, uuid)
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
        former = await _find(access, uuid)
        is_same = (former.issuer, former.client_id) == (data.issuer, data.client_id)
        # The stored secret never goes to another provider than it was entered for.
        if data.client_secret is None and not is_same:
            raise errors.SsoProviderRefused(fields={"clientSecret": "missing"})
        await _check_free(connection, company_id, uuid, data)
        if not is_same:
            await _check_not_needed(connection, company_id, former)
            await provider_queries.forget_people(connection, company_id, former.id)
        await provider_queries.set_name(connection, company_id, former.id, data.name)
        if data.client_secret is not None:
            secret = await seal(access, former.id, data.issuer, data.client_secret)
            await provider_queries.set_up_provider(
                connection, company_id, client_id=data.client_id, secret=secret
            )
        saved = await _find(access, uuid)
        await record(access, "sso.saved", target=_label(saved))
        return _read(access, saved)


async def remove_provider(access: Access, uuid: UUID) -> None:
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    former = await _find(access, uuid)
    await _check_not_needed(connection, company_id, former)
    if former.is_default:
        present = await provider_queries.listed_providers(connection, company_id)
        if any(each.issuer and each.id != former.id for each in present):
            raise errors.SsoDefaultNeeded
    await provider_queries.remove_provider(connection, company_id, former.id)
    await record(access, "sso.removed", target=_label(former))


async def set_default(access: Access, uuid: UUID) -> SsoRead:
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    chosen = await _find_set_up(access, uuid)
    if not chosen.is_default:
        await provider_queries.set_default(connection, company_id, chosen.id)
        await record(access, "sso.defaultChanged", target=_label(chosen))
    return await read_sso(access)


async def set_provider_of_domain(access: Access, domain: str, uuid: UUID | None) -> SsoRead:
    """None: the default one."""
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    chosen = await _find_set_up(access, uuid) if uuid is not None else None
    domains = await provider_queries.leading_domains(connection, company_id)
    former = next((each for each in domains if each.domain == domain), None)
    if former is None:
        raise errors.SsoDomainNotProved
    before = await _find(access, former.provider) if former.provider else None
    if before != chosen:
        await provider_queries.set_provider_of_domain(
            connection, company_id, domain, chosen.id if chosen else None
        )
        details = changed(
            {"provider": _label(before) if before else None},
            {"provider": _label(chosen) if chosen else None},
        )
        await record(access, "domain.providerChanged", target=domain, details=details)
    return await read_sso(access)


async def _find(access: Access, uuid: UUID) -> ListedProvider:
    company_id = access.current_user.company_id
    found = await provider_queries.listed_provider(access.connection, company_id, uuid)
    if found is None:
        raise errors.SsoProviderNotFound
    return found


async def _find_set_up(access: Access, uuid: UUID) -> ListedProvider:
    found = await _find(access, uuid)
    if found.issuer is None:
        raise errors.SsoProviderNotSetUp
    return found


async def _check_free(
    connection: Connection, company_id: int, uuid: UUID, data: SsoProviderUpdate
) -> None:
    """An issuer counts once: accounts are bound to it and a subject."""
    if await provider_queries.is_name_taken(connection, company_id, data.name, except_uuid=uuid):
        raise errors.SsoProviderRefused(fields={"name": "provider_name"})
    if await provider_queries.is_issuer_taken(
        connection, company_id, data.issuer, except_uuid=uuid
    ):
        raise errors.SsoProviderRefused(fields={"issuer": "issuer_taken"})


async def _check_not_needed(
    connection: Connection, company_id: int, provider: ListedProvider
) -> None:
    if provider.is_needed and await queries.is_required(connection, company_id):
        raise errors.SsoStillRequired


def _read(access: Access, provider: ListedProvider) -> SsoProviderRead:
    url, company = access.context.settings.public_url, access.current_user.company_uuid
    return SsoProviderRead.of(
        provider,
        redirect_uri=redirect_uri(access.context.settings, provider.uuid),
        backchannel_logout_uri=(f"{url}/api/auth/sso/backchannel-logout/{company}/{provider.uuid}"),
    )


def _label(provider: ListedProvider) -> str:
    return f"{provider.name} ({host_of(provider.issuer)})" if provider.issuer else provider.name


def client_of(resources: Resources, provider: Provider) -> Client:
    return Client(
        client_id=provider.client_id,
        redirect_uri=redirect_uri(resources.settings, provider.uuid),
        secret=open_secret(resources, provider),
    )


def redirect_uri(settings: Settings, uuid: UUID) -> str:
    return f"{settings.public_url}/login/company/{uuid}"
