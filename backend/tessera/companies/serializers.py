"""Converts rows to API models."""

from typing import Any

from tessera.companies.queries import Company, DetailedCompany, ListedCompany
from tessera.companies.schemas import (
    AddressRead,
    CompanyBilling,
    CompanyListed,
    CompanyRead,
    SubscriptionState,
)


def company_read(row: Company) -> CompanyRead:
    return CompanyRead(**_common(row))


def company_listed(row: ListedCompany) -> CompanyListed:
    return CompanyListed(**listed_fields(row))


def listed_fields(row: ListedCompany) -> dict[str, Any]:
    return {
        **_common(row),
        "member_count": row.member_count,
        "subscription_state": subscription_state(row),
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


def billing_read(row: DetailedCompany) -> CompanyBilling:
    runs = row.subscription_status in {"trialing", "active", "past_due"}
    ends = row.current_period_end if runs and row.cancel_at_period_end else row.ended_at
    return CompanyBilling(
        customer_id=row.customer_id,
        plan_id=row.plan_id,
        trial_end=row.trial_end if row.subscription_status == "trialing" else None,
        next_billing=row.current_period_end if runs and ends is None else None,
        ends_at=ends,
        past_due_since=row.past_due_since,
    )


def subscription_state(row: ListedCompany) -> SubscriptionState:
    if row.deactivated_for_debt_at:
        return "deactivated"
    if not row.is_subscribed:
        return "none" if row.subscribed_until is None else "ended"
    if row.subscription_status == "trialing":
        return "trialing"
    return "pastDue" if row.subscription_status == "past_due" else "active"
