"""The calls of Stripe's API that the product and its card form use, under /sandbox/stripe/v1."""

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from tessera.authz.context import AnyRequestContext, RequestContext
from tessera.integrations.cards import publishable_key, secret_key
from tessera.kit.database import Connection
from tessera.sandbox.stripe import (
    billing,
    catalogue,
    clock,
    customers,
    invoices,
    payment_methods,
    queries,
)
from tessera.sandbox.stripe.failures import StripeFailure, missing
from tessera.sandbox.stripe.forms import nest, read_form
from tessera.sandbox.stripe.pdf import invoice_pdf
from tessera.sandbox.stripe.store import Body, StripeStore, new_id

router = APIRouter(prefix="/sandbox/stripe", include_in_schema=False)

Handler = Callable[..., Awaitable[Body]]
# Browsers of any origin may make the card form's calls, as with Stripe.
CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "authorization, content-type, stripe-version",
    "Access-Control-Allow-Methods": "GET, POST",
}


@dataclass(frozen=True)
class Call:
    handle: Handler
    method: str
    path: str
    data: dict[str, Any]
    ids: dict[str, str]
    key: str | None

    @property
    def fingerprint(self) -> str:
        content = json.dumps([self.method, self.path, self.data], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()


def _call(method: str, path: str, handle: Handler, *, browser: bool = False) -> None:
    async def answer(context: AnyRequestContext, request: Request) -> Response:
        data = nest(request.query_params.multi_items())
        if method == "POST":
            data |= read_form((await request.body()).decode("utf-8", "replace"))
        key = request.headers.get("idempotency-key") if method != "GET" else None
        _check_key(context, request, browser, data)
        call = Call(handle, method, request.url.path, data, request.path_params, key)
        return await _answer(context, call)

    async def guarded(context: AnyRequestContext, request: Request) -> Response:
        try:
            response = await answer(context, request)
        except StripeFailure as failure:
            response = JSONResponse(failure.body, status_code=failure.status)
        response.headers["Request-Id"] = new_id("req")
        if browser:
            response.headers.update(CORS)
        return response

    router.add_api_route(path, guarded, methods=[method])
    if browser:
        router.add_api_route(path, _preflight, methods=["OPTIONS"])


async def _preflight() -> Response:
    return Response(status_code=204, headers=CORS)


async def _answer(context: RequestContext, call: Call) -> Response:
    async with context.database.without_tenant() as connection:
        now = await queries.billing_time(connection)
        store = StripeStore(connection, now, context.settings.public_url, call.key)
        if call.method == "GET":
            return JSONResponse(await call.handle(store, call.data, **call.ids))
        await queries.lock(connection)
        if call.key is not None:
            earlier = await _earlier_response(connection, call.key, call.fingerprint)
            if earlier is not None:
                return earlier
        status, body = await _run(store, call)
        # Invalid requests are not stored under their key; attempts are, including declined ones.
        if call.key is not None and status in {200, 402}:
            await queries.store_response(connection, call.key, call.fingerprint, status, body)
        return JSONResponse(body, status_code=status)


async def _run(store: StripeStore, call: Call) -> tuple[int, Body]:
    undo = store.connection.transaction()
    await undo.start()
    try:
        body = await call.handle(store, call.data, **call.ids)
    except StripeFailure as failure:
        await (undo.commit() if failure.keep else undo.rollback())
        return failure.status, failure.body
    except BaseException:
        await undo.rollback()
        raise
    await undo.commit()
    return 200, body


async def _earlier_response(connection: Connection, key: str, fingerprint: str) -> Response | None:
    stored = await queries.stored_response(connection, key)
    if stored is None:
        return None
    if stored.fingerprint != fingerprint:
        raise StripeFailure(
            "Keys for idempotent requests can only be used with the same parameters they were"
            " first used with.",
            kind="idempotency_error",
        )
    return JSONResponse(
        json.loads(stored.answer),
        status_code=stored.status,
        headers={"Idempotent-Replayed": "true"},
    )


def _check_key(
    context: RequestContext, request: Request, browser: bool, data: dict[str, Any]
) -> None:
    """The secret key allows everything. The card form has the publishable key or none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "basic":
        try:
            token = base64.b64decode(token).decode().partition(":")[0]
        except (binascii.Error, ValueError):
            token = ""
    token = token or str(data.pop("key", ""))
    if hmac.compare_digest(token.encode(), secret_key(context.settings).encode()):
        return
    if browser and token in {"", publishable_key(context.settings)}:
        if "/setup_intents/" in request.url.path and "client_secret" not in data:
            raise StripeFailure("Missing required param: client_secret.", param="client_secret")
        return
    raise StripeFailure("Invalid API Key provided.", status=401, code="api_key_invalid")


def _read(kind: str) -> Handler:
    async def read(store: StripeStore, _: dict[str, Any], id: str) -> Body:  # noqa: A002
        return await store.get(kind, id)

    return read


_call("POST", "/v1/tokens", payment_methods.create_token, browser=True)
_call("GET", "/v1/tokens/{id}", _read("token"))
_call("POST", "/v1/payment_methods", payment_methods.create_payment_method, browser=True)
_call("GET", "/v1/payment_methods/{id}", payment_methods.read_payment_method)
_call("POST", "/v1/payment_methods/{id}/attach", payment_methods.attach)
_call("POST", "/v1/payment_methods/{id}/detach", payment_methods.detach)
_call("POST", "/v1/setup_intents", payment_methods.create_setup_intent)
_call("GET", "/v1/setup_intents", payment_methods.list_setup_intents)
_call("GET", "/v1/setup_intents/{id}", payment_methods.read_setup_intent, browser=True)
_call("POST", "/v1/setup_intents/{id}/confirm", payment_methods.confirm_setup_intent, browser=True)
_call("POST", "/authenticate/{id}", payment_methods.authenticate, browser=True)
_call("POST", "/v1/customers", customers.create_customer)
_call("GET", "/v1/customers/{id}", _read("customer"))
_call("POST", "/v1/customers/{id}", customers.update_customer)
_call("DELETE", "/v1/customers/{id}", customers.delete_customer)
_call("GET", "/v1/customers/{id}/payment_methods", customers.list_payment_methods)
_call("POST", "/v1/products", catalogue.create_product)
_call("GET", "/v1/products/{id}", _read("product"))
_call("POST", "/v1/prices", catalogue.create_price)
_call("GET", "/v1/prices", catalogue.list_prices)
_call("GET", "/v1/prices/{id}", _read("price"))
_call("POST", "/v1/subscriptions", billing.create_subscription)
_call("GET", "/v1/subscriptions", billing.list_subscriptions)
_call("GET", "/v1/subscriptions/{id}", _read("subscription"))
_call("POST", "/v1/subscriptions/{id}", billing.update_subscription)
_call("DELETE", "/v1/subscriptions/{id}", billing.cancel_subscription)
_call("GET", "/v1/invoices", invoices.list_invoices)
_call("POST", "/v1/invoices/create_preview", invoices.preview)
_call("GET", "/v1/invoices/{id}", _read("invoice"))
_call("POST", "/v1/invoices/{id}/pay", invoices.pay_invoice)
_call("POST", "/v1/invoices/{id}/void", invoices.void_invoice)
_call("GET", "/v1/events/{id}", _read("event"))


@router.get("/invoices/{id}/pdf")
async def pdf(context: AnyRequestContext, id: str) -> Response:  # noqa: A002
    async with context.database.without_tenant() as connection:
        store = StripeStore(
            connection, await queries.billing_time(connection), context.settings.public_url
        )
        invoice = await store.find("invoice", id)
    if invoice is None:
        return JSONResponse(missing("invoice", id).body, status_code=404)
    name = f"{invoice['number']}.pdf"
    return Response(
        invoice_pdf(invoice),
        media_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{name}"'},
    )


@router.get("/clock")
async def read_clock(context: AnyRequestContext) -> JSONResponse:
    async with context.database.without_tenant() as connection:
        return JSONResponse({"now": await queries.billing_time(connection)})


@router.post("/clock")
async def move_clock(context: AnyRequestContext, request: Request) -> JSONResponse:
    """Moves the billing clock by {"advanceDays": n} or {"advanceSeconds": n}. Everything that falls
    due meanwhile happens, and the product's own rounds follow at once."""
    try:
        data = await request.json()
        seconds = int(data.get("advanceSeconds", 0)) + round(data.get("advanceDays", 0) * 86_400)
    except (ValueError, TypeError, AttributeError):
        seconds = 0
    if not 0 < seconds <= 3_700 * 86_400:
        failure = StripeFailure("Say advanceDays or advanceSeconds.", param="advanceDays")
        return JSONResponse(failure.body, status_code=failure.status)
    now = await clock.advance(context.resources, seconds)
    return JSONResponse({"now": now})
