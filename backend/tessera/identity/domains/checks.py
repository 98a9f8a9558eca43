"""The record of a proved domain is looked up daily. Without it the domain is lost after a week, and
from the second check that missed it, another company can prove the domain."""

from collections.abc import Iterable
from datetime import timedelta

import structlog

from tessera.activity.service import record_system
from tessera.auth.accounts import mail_team_leader
from tessera.identity.domains import queries
from tessera.identity.domains.queries import CompanyDomain
from tessera.integrations.dns import LookupFailed, txt_records
from tessera.kit.workflows import Resources
from tessera.notifications import mails

log = structlog.get_logger()

RECORD = "_tessera-domain"
PREFIX = "tessera-domain="

MOST_MISSES = 7
# Whoever answers for the name servers during one check takes no domain away.
MISSES_BEFORE_ANOTHER = 2
# Less than a day, which lies between the rounds; a repeated round counts nothing twice.
INTERVAL = timedelta(hours=20)


def record_name(domain: str) -> str:
    return f"{RECORD}.{domain}"


def record_value(stored: CompanyDomain) -> str:
    return f"{PREFIX}{stored.token}"


def has_record(stored: CompanyDomain, records: Iterable[str]) -> bool:
    return record_value(stored) in (each.strip() for each in records)


async def check_proved(resources: Resources, company_id: int) -> None:
    """No connection is held during the lookups. One that fails says nothing about the record."""
    async with resources.database.tenant(company_id) as connection:
        due = await queries.due_domains(connection, company_id, INTERVAL)
    for stored in due:
        try:
            records = await txt_records(resources.settings, record_name(stored.domain))
        except LookupFailed:
            log.warning("domain_not_checked", company_id=company_id)
            continue
        await _note(resources, company_id, stored, is_there=has_record(stored, records))


async def release_lost(
    resources: Resources, domain: str, records: Iterable[str], *, to: int
) -> None:
    """Takes the domain from another company whose record was missed at its last daily checks and
    is not among those found now."""
    database = resources.database
    async with database.without_tenant() as connection:
        holder = await queries.company_of_domain(connection, domain)
    if holder is None or holder == to:
        return
    async with database.tenant(holder) as connection:
        stored = await queries.lock_domain(connection, holder, domain)
        if (
            stored is None
            or stored.missed_checks < MISSES_BEFORE_ANOTHER
            or has_record(stored, records)
        ):
            return
        await queries.release_domain(connection, holder, domain)
        await record_system(connection, holder, "domain.passedOn", target=domain)
        mail = mails.DomainPassedOn(domain=domain, link=_page(resources))
        await mail_team_leader(connection, resources.keys, holder, mail)


async def _note(
    resources: Resources, company_id: int, looked_up: CompanyDomain, *, is_there: bool
) -> None:
    domain = looked_up.domain
    async with resources.database.tenant(company_id) as connection:
        stored = await queries.lock_domain(connection, company_id, domain)
        # Changed meanwhile, or checked by the same round on another machine.
        if stored != looked_up:
            return
        if is_there:
            await queries.set_found(connection, company_id, domain)
            if looked_up.missing_since is not None:
                await record_system(connection, company_id, "domain.recordFound", target=domain)
            return
        misses = await queries.add_miss(connection, company_id, domain)
        if misses == 1:
            await record_system(connection, company_id, "domain.recordMissing", target=domain)
            mail: mails.Mail = mails.DomainRecordMissing(
                domain=domain, days=mails.Count(MOST_MISSES, "days"), link=_page(resources)
            )
            await mail_team_leader(connection, resources.keys, company_id, mail)
        elif misses >= MOST_MISSES:
            await queries.set_lost(connection, company_id, domain)
            await record_system(connection, company_id, "domain.lost", target=domain)
            mail = mails.DomainLost(domain=domain, link=_page(resources))
            await mail_team_leader(connection, resources.keys, company_id, mail)


def _page(resources: Resources) -> str:
    return f"{resources.settings.public_url}/identity"
