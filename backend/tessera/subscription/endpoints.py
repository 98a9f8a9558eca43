from typing import Annotated

from fastapi import Query, Request

from tessera.authz.context import Access, AnyRequestContext, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.kit.responses import ErrorResponse
from tessera.subscription import service, webhooks
from tessera.subscription.schemas import (
    AddCard,
    AutoRenew,
    BillingEmail,
    Cancel,
    CardId,
    Confirmation,
    InvoicePage,
    OwnWarehouses,
    PaymentRead,
    PlanRead,
    Reactivate,
    WebhookTaken,
)

router = FeatureRouter("payment", "/payment", {402: {"model": ErrorResponse}})

Reader = Annotated[Access, require_permission(Permission.SUBSCRIPTION_READ)]
LeaderAccess = Annotated[Access, require_permission(Permission.SUBSCRIPTION_MANAGE)]
LeaderIdentity = Annotated[Identity, require_identity(Permission.SUBSCRIPTION_MANAGE)]
VerifiedLeader = Annotated[
    Identity, require_identity(Permission.SUBSCRIPTION_MANAGE, verified=True)
]
CardQuery = Annotated[CardId, Query(alias="cardId")]


@router.get("/methods", summary="Read payment details")
async def methods(access: LeaderAccess) -> PaymentRead:
    return await service.payment(access.connection, access.context.settings)


@router.post("/add")
async def add_card(identity: LeaderIdentity, data: AddCard) -> PaymentRead:
    return await service.add_card(identity, data)


@router.put("/switch-plan")
async def switch_plan(
    identity: LeaderIdentity,
    plan_id: Annotated[int, Query(alias="PlanId")],
    data: Confirmation | None = None,
) -> PaymentRead:
    return await service.switch_plan(identity, plan_id, data.amount if data else None)


@router.delete("")
async def delete_card(identity: LeaderIdentity, card_id: CardQuery) -> PaymentRead:
    return await service.delete_card(identity, card_id)


@router.put("/default", summary="Choose default card")
async def default_card(
    identity: LeaderIdentity, card_id: CardQuery, data: Confirmation | None = None
) -> PaymentRead:
    """Pays what is unpaid, too."""
    return await service.choose_default_card(identity, card_id, data.amount if data else None)


@router.put("/auto-renew", summary="Turn Auto Renew on or off")
async def auto_renew(identity: LeaderIdentity, data: AutoRenew | None = None) -> PaymentRead:
    """Turning it off needs verified access."""
    return await service.set_auto_renew(identity, data.enabled if data else None)


@router.put("/cancel", summary="Cancel subscription")
async def cancel(identity: VerifiedLeader, data: Cancel | None = None) -> PaymentRead:
    return await service.cancel(identity, data or Cancel())


@router.put("/reactivate", summary="Reactivate subscription")
async def reactivate(identity: LeaderIdentity, data: Reactivate | None = None) -> PaymentRead:
    return await service.reactivate(identity, data or Reactivate())


@router.put("/billing-email", summary="Change billing email")
async def billing_email(identity: VerifiedLeader, data: BillingEmail) -> PaymentRead:
    return await service.set_billing_email(identity, data.email)


@router.get("/invoices", summary="List invoices")
async def invoices(
    access: Reader,
    skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 5,
) -> InvoicePage:
    return await service.invoices(access.connection, skip, limit)


@router.get("/plan", summary="Read plan")
async def plan(access: Reader) -> PlanRead:
    return await service.plan(access.connection, access.context.settings)


@router.put("/own-warehouses", summary="Turn own warehouses on or off")
async def own_warehouses(access: LeaderAccess, data: OwnWarehouses) -> PaymentRead:
    return await service.set_own_warehouses(access, data.enabled)


@router.post("/webhook", summary="Receive events of the payment provider")
async def webhook(context: AnyRequestContext, request: Request) -> WebhookTaken:
    header = request.headers.get("stripe-signature", "")
    await webhooks.receive(context, await request.body(), header)
    return WebhookTaken()
