"""The outbox: what the sandbox would have sent by mail or SMS. Not mounted in production."""

from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, Query, Request
from jinja2 import Environment, Template
from starlette.responses import HTMLResponse

from tessera.authz.context import AnyRequestContext
from tessera.integrations import outbox
from tessera.kit.schemas import ApiModel, Storable

api_router = APIRouter(prefix="/api/sandbox", tags=["sandbox"])
page_router = APIRouter(prefix="/sandbox", include_in_schema=False)


class OutboxRead(ApiModel):
    channel: str
    to: str
    subject: str
    text: str
    code: str | None
    link: str | None
    sent_at: datetime


@api_router.get("/outbox", summary="List newest messages")
async def newest_messages(
    context: AnyRequestContext,
    to: Annotated[str, Storable] | None = None,
    limit: int = Query(default=50, ge=1, le=500),
) -> list[OutboxRead]:
    # A + in a query string is decoded as a space; accept phone numbers both ways.
    recipient = "+" + to[1:] if to and to.startswith(" ") else to
    return [
        OutboxRead.of(message, to=message.recipient)
        for message in await outbox.newest(context.database, recipient, limit)
    ]


@page_router.get("/outbox")
async def outbox_page(
    context: AnyRequestContext, request: Request, to: Annotated[str, Storable] | None = None
) -> HTMLResponse:
    messages = await outbox.newest(context.database, to, 100)
    return HTMLResponse(_template().render(messages=messages, nonce=request.state.csp_nonce))


@cache
def _template() -> Template:
    source = files("tessera.sandbox").joinpath("outbox.html.j2").read_text(encoding="utf-8")
    return Environment(autoescape=True).from_string(source)
