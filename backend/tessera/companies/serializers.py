"""Converts rows to API models."""

from typing import Any

from tessera.companies import schemas
from tessera.companies.queries import Company, DetailedCompany, ListedCompany


def company_read(row: Company) -> schemas.CompanyRead:
    return schemas.CompanyRead.of(row, **_renamed(row))


def company_listed(row: ListedCompany) -> schemas.CompanyListed:
    return schemas.CompanyListed.of(row, **listed_fields(row))


def listed_fields(row: ListedCompany) -> dict[str, Any]:
    return {**_renamed(row), "subscription_state": subscription_state(row)}


def _renamed(row: Company) -> dict[str, Any]:
    return {
        "company_id": row.id,
        "address": schemas.AddressRead.of(row),
        "date_created": row.created_at,
    }


def billing_read(row: DetailedCompany) -> schemas.CompanyBilling:
    runs = row.subscription_status in {"trialing", "active", "past_due"}
    renews = runs and row.cancel_at != row.current_period_end
    return schemas.CompanyBilling.of(
        row,
        trial_end=row.trial_end if row.subscription_status == "trialing" else None,
        next_billing=row.current_period_end if renews else None,
        ends_at=row.cancel_at if runs else row.ended_at,
    )


def subscription_state(row: ListedCompany) -> schemas.SubscriptionState:
    if row.deactivated_for_debt_at:
        return "deactivated"
    if not row.is_subscribed:
        return "none" if row.subscribed_until is None else "ended"
    if row.subscription_status == "trialing":
        return "trialing"
    return "pastDue" if row.subscription_status == "past_due" else "active"
