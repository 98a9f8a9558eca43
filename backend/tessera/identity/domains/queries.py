from datetime import datetime, timedelta

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_row, fetch_rows


class CompanyDomain(Struct, frozen=True):
    domain: str
    token: str
    created_at: datetime
    proved_at: datetime | None
    checked_at: datetime | None
    missing_since: datetime | None
    missed_checks: int
    lost_at: datetime | None


_COLUMNS = "domain, token, created_at, proved_at, checked_at, missing_since, missed_checks, lost_at"


async def domains(connection: Connection, company_id: int) -> list[CompanyDomain]:
    return await fetch_rows(
        connection,
        CompanyDomain,
        f"SELECT {_COLUMNS} FROM company_domains WHERE company_id = $1 ORDER BY domain",
        company_id,
    )


async def find_domain(connection: Connection, company_id: int, domain: str) -> CompanyDomain | None:
    return await fetch_row(
        connection,
        CompanyDomain,
        f"SELECT {_COLUMNS} FROM company_domains WHERE company_id = $1 AND domain = $2",
        company_id, domain,
    )  # fmt: skip


async def is_proved(connection: Connection, company_id: int, domain: str) -> bool:
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM company_domains"
        " WHERE company_id = $1 AND domain = $2 AND proved_at IS NOT NULL)",
        company_id, domain,
    )  # fmt: skip


async def add_domain(connection: Connection, company_id: int, domain: str, token: str) -> bool:
    """False if the company has it already."""
    added = await connection.fetchval(
        "INSERT INTO company_domains (company_id, domain, token) VALUES ($1, $2, $3)"
        " ON CONFLICT DO NOTHING RETURNING true",
        company_id, domain, token,
    )  # fmt: skip
    return bool(added)


async def company_of_domain(connection: Connection, domain: str) -> int | None:
    """Which one has proved it, and did not lose it to another."""
    return await connection.fetchval("SELECT find_domain($1)", domain)


async def companies_with_proved(connection: Connection) -> list[int]:
    rows = await connection.fetch(
        "SELECT DISTINCT company_id FROM company_domains WHERE proved_at IS NOT NULL"
    )
    return [row["company_id"] for row in rows]


async def due_domains(
    connection: Connection, company_id: int, interval: timedelta
) -> list[CompanyDomain]:
    """Proved ones that were not checked for so long."""
    return await fetch_rows(
        connection,
        CompanyDomain,
        f"SELECT {_COLUMNS} FROM company_domains WHERE company_id = $1"
        " AND proved_at IS NOT NULL AND COALESCE(checked_at, proved_at) <= now() - $2::interval"
        " ORDER BY domain",
        company_id, interval,
    )  # fmt: skip


async def lock_domain(connection: Connection, company_id: int, domain: str) -> CompanyDomain | None:
    return await fetch_row(
        connection,
        CompanyDomain,
        f"SELECT {_COLUMNS} FROM company_domains WHERE company_id = $1 AND domain = $2"
        " FOR NO KEY UPDATE",
        company_id, domain,
    )  # fmt: skip


async def set_found(connection: Connection, company_id: int, domain: str) -> None:
    await connection.execute(
        "UPDATE company_domains SET checked_at = now(), missed_checks = 0, missing_since = NULL"
        " WHERE company_id = $1 AND domain = $2",
        company_id, domain,
    )  # fmt: skip


async def add_miss(connection: Connection, company_id: int, domain: str) -> int:
    """Returns how many there were in a row."""
    return await connection.fetchval(
        "UPDATE company_domains SET checked_at = now(), missed_checks = missed_checks + 1,"
        " missing_since = COALESCE(missing_since, now())"
        " WHERE company_id = $1 AND domain = $2 RETURNING missed_checks",
        company_id, domain,
    )  # fmt: skip


async def set_lost(connection: Connection, company_id: int, domain: str) -> None:
    await connection.execute(
        "UPDATE company_domains SET proved_at = NULL, lost_at = now()"
        " WHERE company_id = $1 AND domain = $2",
        company_id, domain,
    )  # fmt: skip


async def release_domain(connection: Connection, company_id: int, domain: str) -> None:
    """Lets another company prove it."""
    await connection.execute(
        "UPDATE company_domains SET proved_at = NULL, lost_at = NULL, missed_checks = 0,"
        " missing_since = NULL WHERE company_id = $1 AND domain = $2",
        company_id, domain,
    )  # fmt: skip


async def set_proved(connection: Connection, company_id: int, domain: str, token: str) -> bool:
    """False if it was removed, added again or proved meanwhile. Raises UniqueViolationError if
    another company has proved it."""
    proved = await connection.fetchval(
        "UPDATE company_domains SET proved_at = now(), checked_at = now(),"
        " missed_checks = 0, missing_since = NULL, lost_at = NULL"
        " WHERE company_id = $1 AND domain = $2 AND token = $3 AND proved_at IS NULL"
        " RETURNING true",
        company_id, domain, token,
    )  # fmt: skip
    return bool(proved)


async def remove_domain(connection: Connection, company_id: int, domain: str) -> bool:
    removed = await connection.fetchval(
        "DELETE FROM company_domains WHERE company_id = $1 AND domain = $2 RETURNING true",
        company_id, domain,
    )  # fmt: skip
    return bool(removed)
