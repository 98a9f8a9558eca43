"""Converts rows to API models."""

from typing import Any, Literal

from tessera.companies.queries import Company, ListedCompany
from tessera.companies.schemas import AddressRead, CompanyListed, CompanyRead


def company_read(row: Company) -> CompanyRead:
    return CompanyRead(**_common(row))


def company_listed(row: ListedCompany) -> CompanyListed:
    return CompanyListed(**listed_fields(row))


def listed_fields(row: ListedCompany) -> dict[str, Any]:
    return {
        **_common(row),
        "member_count": row.member_count,
        "subscription_state": _subscription_state(row),
        "subscribed_until": row.subscribed_until,
    }


def _common(row: Company) -> dict[str, Any]:
    return {
        "id": row.id,
        "company_id": row.id,
        "uuid": row.uuid,
        "name": row.name,
        "email": row.email,
        "phone_number": row.phone_number,
        "address": AddressRead(
            address_line1=row.address_line1,
            address_line2=row.address_line2,
            city=row.city,
            state=row.state,
            zip_code=row.zip_code,
        ),
        "is_enabled": row.is_enabled,
        "date_created": row.created_at,
        "is_subscribed": row.is_subscribed,
        "can_view_warehouse": row.can_view_warehouse,
    }


def _subscription_state(row: Company) -> Literal["none", "active", "ended", "deactivated"]:
    if row.deactivated_for_debt_at:
        return "deactivated"
    if row.subscribed_until is None:
        return "none"
    return "active" if row.is_subscribed else "ended"
