"""The company's mail domains, each proved by a DNS TXT record."""

import secrets

import asyncpg

from tessera import limits
from tessera.activity.service import record
from tessera.authz.context import Access, Identity
from tessera.authz.queries import lock_company
from tessera.authz.rate_limits import limit
from tessera.identity import errors
from tessera.identity.domains import queries
from tessera.identity.domains.checks import has_record, record_name, record_value, release_lost
from tessera.identity.domains.queries import CompanyDomain, company_of_domain, is_proved
from tessera.identity.domains.schemas import DomainList, DomainRead
from tessera.integrations.dns import LookupFailed, txt_records

# Queries that other features call.
__all__ = ["company_of_domain", "is_proved"]


async def list_domains(access: Access) -> DomainList:
    found = await queries.domains(access.connection, access.current_user.company_id)
    return DomainList(
        domains=[_read(each) for each in found], max_domains=limits.COMPANY_DOMAINS.maximum
    )


async def add_domain(identity: Identity, domain: str) -> DomainRead:
    """A domain that is there already keeps its record."""
    company_id = identity.current_user.company_id
    await limit(identity.context, limits.DOMAIN_CHECKS, company_id)
    async with identity.access() as access:
        await lock_company(access.connection, company_id)
        present = await queries.domains(access.connection, company_id)
        for each in present:
            if each.domain == domain:
                return _read(each)
        maximum = limits.COMPANY_DOMAINS.maximum
        if len(present) >= maximum:
            raise errors.TooManyDomains(maximum=maximum)
        await queries.add_domain(access.connection, company_id, domain, secrets.token_urlsafe(24))
        await record(access, "domain.added", target=domain)
        return _read(await _find(access, domain))


async def check_domain(identity: Identity, domain: str) -> DomainRead:
    """Looks the record up; no connection is held meanwhile."""
    company_id = identity.current_user.company_id
    await limit(identity.context, limits.DOMAIN_CHECKS, company_id)
    async with identity.access() as access:
        stored = await _find(access, domain)
    if stored.proved_at is not None and stored.missing_since is None:
        return _read(stored)
    name = record_name(domain)
    try:
        records = await txt_records(identity.context.settings, name)
    except LookupFailed:
        raise errors.DomainLookupFailed from None
    if not has_record(stored, records):
        raise errors.DomainRecordMissing(name=name)
    await release_lost(identity.context.resources, domain, records, to=company_id)
    try:
        async with identity.access() as access:
            if await queries.set_proved(access.connection, company_id, domain, stored.token):
                await record(access, "domain.proved", target=domain)
            else:
                await _set_found(access, domain, stored.token)
            return _read(await _find(access, domain))
    except asyncpg.UniqueViolationError:
        raise errors.DomainTaken from None


async def _set_found(access: Access, domain: str, token: str) -> None:
    """The record of a proved domain is there again."""
    company_id = access.current_user.company_id
    stored = await queries.lock_domain(access.connection, company_id, domain)
    if stored is not None and stored.token == token and stored.missing_since is not None:
        await queries.set_found(access.connection, company_id, domain)
        await record(access, "domain.recordFound", target=domain)


async def remove_domain(access: Access, domain: str) -> None:
    if not await queries.remove_domain(access.connection, access.current_user.company_id, domain):
        raise errors.DomainNotFound
    await record(access, "domain.removed", target=domain)


async def _find(access: Access, domain: str) -> CompanyDomain:
    found = await queries.find_domain(access.connection, access.current_user.company_id, domain)
    if found is None:
        raise errors.DomainNotFound
    return found


def _read(stored: CompanyDomain) -> DomainRead:
    return DomainRead.of(
        stored,
        record_name=record_name(stored.domain),
        record_value=record_value(stored),
    )
