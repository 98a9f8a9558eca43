from dataclasses import replace
from datetime import datetime
from uuid import UUID

from msgspec import Struct
from msgspec.structs import astuple

from tessera.kit.database import Connection
from tessera.kit.filters import Field, Kind, unindexed
from tessera.kit.pagination import Listing, PageRequest, row_count
from tessera.kit.rows import columns, fetch_row
from tessera.subscription.schemas import Status


class CompanyProfile(Struct, frozen=True):
    name: str
    email: str
    phone_number: str
    address_line1: str
    address_line2: str
    city: str
    state: str
    zip_code: str


class Company(CompanyProfile, frozen=True):
    id: int
    uuid: UUID
    is_enabled: bool
    can_view_warehouse: bool
    created_at: datetime
    subscribed_until: datetime | None
    deactivated_for_debt_at: datetime | None
    is_subscribed: bool


class ListedCompany(Company, frozen=True):
    member_count: int
    subscription_status: Status


class DetailedCompany(ListedCompany, frozen=True):
    disabled_reason: str
    active_member_count: int
    open_invite_count: int
    has_passphrase: bool
    last_activity_at: datetime | None
    customer_id: str | None
    plan_id: int
    trial_end: datetime | None
    current_period_end: datetime | None
    cancel_at: datetime | None
    ended_at: datetime | None
    past_due_since: datetime | None
    leaving_since: datetime | None
    deletion_at: datetime | None


_COMPUTED = {
    "is_subscribed": (
        "COALESCE(c.subscribed_until > now(), false) AND c.deactivated_for_debt_at IS NULL"
    ),
    "member_count": row_count("c.id", "members"),
    "subscription_status": (
        "COALESCE((SELECT s.status FROM subscriptions s WHERE s.company_id = c.id), '')"
    ),
}
_COUNTED = columns(ListedCompany, "c", **_COMPUTED)

# What a company's `subscription_state` says while its time lasts (`set_subscription_state`).
_RUNNING = "c.subscription_state IN ('trialing', 'active', 'pastDue')"

_COMPANIES = Listing(
    ListedCompany,
    source="companies c",
    columns=_COUNTED,
    key="c.id",
    where="c.id <> 1",
    searched="c.search_text",
    counter=("1", "companies"),
    search_function="company_matches",
    newest_first=True,
    fields={
        "name": Field("c.name_folded"),
        "email": Field("c.email_folded"),
        "phoneNumber": Field("c.phone_number"),
        "city": unindexed("c.city"),
        "state": unindexed("c.state"),
        "isEnabled": Field("c.is_enabled::text", sortable=False),
        "dateCreated": Field("c.created_at", Kind.TIME),
        "memberCount": Field(
            "m.count", Kind.NUMBER, join="JOIN member_counts m ON m.company_id = c.id"
        ),
        "subscriptionState": Field(
            "c.subscription_state",
            choices={
                **{
                    state: f"c.subscription_state = '{state}' AND c.subscribed_until > now()"
                    for state in ("trialing", "active", "pastDue")
                },
                **{state: f"c.subscription_state = '{state}'" for state in ("none", "deactivated")},
                "ended": (
                    f"c.subscription_state = 'ended' OR {_RUNNING} AND c.subscribed_until <= now()"
                ),
            },
        ),
    },
)
# In the order of an index. PostgreSQL leaves out a LEFT JOIN that it does not need, so that a deep
# page looks up its own companies only.
_BY_MEMBER_COUNT = replace(
    _COMPANIES,
    source="member_counts m LEFT JOIN companies c ON c.id = m.company_id",
    key="m.company_id",
    where="m.company_id <> 1",
    fields={**_COMPANIES.fields, "memberCount": Field("m.count", Kind.NUMBER)},
)


def companies(request: PageRequest) -> Listing[ListedCompany]:
    """Across all companies, for the platform role only."""
    by_member_count = request.sort is not None and request.sort[0] == "memberCount"
    return _BY_MEMBER_COUNT if by_member_count else _COMPANIES


async def company(connection: Connection, company_id: int) -> Company | None:
    return await fetch_row(
        connection,
        Company,
        f"SELECT {columns(Company, 'c', **_COMPUTED)} FROM companies c WHERE c.id = $1",
        company_id,
    )


async def company_detail(connection: Connection, company_id: int) -> DetailedCompany | None:
    return await fetch_row(
        connection,
        DetailedCompany,
        f"SELECT {_COUNTED}, c.disabled_reason,"
        " (SELECT count(*) FROM users u WHERE u.company_id = c.id AND u.is_active)"
        "  AS active_member_count,"
        " (SELECT count(*) FROM invites i WHERE i.company_id = c.id AND i.state = 'open'"
        "   AND i.expires_at > now()) AS open_invite_count,"
        " EXISTS (SELECT FROM company_passphrases p WHERE p.company_id = c.id) AS has_passphrase,"
        " (SELECT a.at FROM activity a WHERE a.company_id = c.id ORDER BY a.id DESC LIMIT 1)"
        "  AS last_activity_at,"
        " c.customer_id, COALESCE(s.plan_id, 0) AS plan_id, s.trial_end, s.current_period_end,"
        " s.cancel_at, s.ended_at,"
        " s.past_due_since, c.leaving_since, c.deletion_at"
        " FROM companies c LEFT JOIN subscriptions s ON s.company_id = c.id WHERE c.id = $1",
        company_id,
    )


async def deletion_at(connection: Connection, company_id: int) -> datetime | None:
    """None unless the company is leaving."""
    return await connection.fetchval("SELECT deletion_at FROM companies WHERE id = $1", company_id)


async def set_enabled(
    connection: Connection, company_id: int, enabled: bool, disabled_reason: str
) -> None:
    await connection.execute(
        "UPDATE companies SET is_enabled = $2, disabled_reason = $3 WHERE id = $1",
        company_id, enabled, disabled_reason,
    )  # fmt: skip


async def add_company(
    connection: Connection, company_id: int, uuid: UUID, profile: CompanyProfile
) -> None:
    await connection.execute(
        "INSERT INTO companies (id, uuid, name, email, phone_number, address_line1, address_line2,"
        " city, state, zip_code) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        company_id, uuid, *astuple(profile),
    )  # fmt: skip


async def update_company(connection: Connection, company_id: int, profile: CompanyProfile) -> None:
    await connection.execute(
        "UPDATE companies SET name = $2, email = $3, phone_number = $4, address_line1 = $5,"
        " address_line2 = $6, city = $7, state = $8, zip_code = $9 WHERE id = $1",
        company_id, *astuple(profile),
    )  # fmt: skip
