"""Delivers mails and SMS, each exactly once, however often the process is killed."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
import structlog
from prometheus_client import Counter

from tessera.integrations import email, sms
from tessera.kit.workflows import Resources, Workflow, current_resources, step, workflow
from tessera.notifications import queries
from tessera.notifications.sealing import open_message

log = structlog.get_logger()

MESSAGES = Counter("tessera_messages_total", "Mails and SMS", ["channel", "outcome"])
# A counter that begins with its first failure shows no increase.
for channel in ("email", "sms"):
    MESSAGES.labels(channel, "given_up")

Content = TypeVar("Content")


@workflow(queue="email")
async def deliver_email(company_id: int, message_id: int) -> None:
    await _deliver("email", send_email, company_id, message_id)


@workflow(queue="sms")
async def deliver_sms(company_id: int, message_id: int) -> None:
    await _deliver("sms", send_sms, company_id, message_id)


@step(attempts=12)
async def send_email(company_id: int, message_id: int) -> None:
    await _send(company_id, message_id, email.Email, email.send_email)


@step(attempts=6)
async def send_sms(company_id: int, message_id: int) -> None:
    await _send(company_id, message_id, sms.Sms, sms.send_sms)


@step()
async def give_up(company_id: int, message_id: int) -> None:
    log.error("message could not be sent", message_id=message_id)
    async with current_resources().database.tenant(company_id) as connection:
        await queries.mark_failed(connection, message_id)


async def _deliver(
    channel: str, send: Callable[[int, int], Awaitable[None]], company_id: int, message_id: int
) -> None:
    try:
        await send(company_id, message_id)
        MESSAGES.labels(channel, "sent").inc()
    except Exception:  # noqa: BLE001 - after the last attempt only this message fails
        await give_up(company_id, message_id)
        MESSAGES.labels(channel, "given_up").inc()


async def _send(
    company_id: int,
    message_id: int,
    kind: type[Content],
    send: Callable[[Resources, int, Content], Awaitable[None]],
) -> None:
    """Does nothing if an earlier attempt has already sent it."""
    resources = current_resources()
    async with resources.database.tenant(company_id) as connection:
        sealed = await queries.unsent(connection, message_id)
    if sealed is None:
        return
    content = open_message(resources.keys, company_id, message_id, sealed)
    await send(resources, message_id, msgspec.json.decode(content, type=kind))
    async with resources.database.tenant(company_id) as connection:
        await queries.mark_sent(connection, message_id)


DELIVER: dict[str, Workflow[[int, int]]] = {"email": deliver_email, "sms": deliver_sms}
