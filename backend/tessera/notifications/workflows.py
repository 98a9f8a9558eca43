"""Delivers mails and SMS, each exactly once, however often the process is killed."""

import msgspec
import structlog
from prometheus_client import Counter

from tessera.integrations.email import email_sender
from tessera.integrations.email.protocol import Email
from tessera.integrations.sms import sms_sender
from tessera.integrations.sms.protocol import Sms
from tessera.kit.workflows import Workflow, current_resources, step, workflow
from tessera.notifications import queries
from tessera.notifications.sealing import open_message

log = structlog.get_logger()

MESSAGES = Counter("tessera_messages_total", "Mails and SMS", ["channel", "outcome"])


@workflow(queue="email")
async def deliver_email(company_id: int, message_id: int) -> None:
    try:
        await send_email(company_id, message_id)
        MESSAGES.labels("email", "sent").inc()
    except Exception:  # noqa: BLE001 - after the last attempt only this message fails
        await give_up(company_id, message_id)
        MESSAGES.labels("email", "given_up").inc()


@workflow(queue="sms")
async def deliver_sms(company_id: int, message_id: int) -> None:
    try:
        await send_sms(company_id, message_id)
        MESSAGES.labels("sms", "sent").inc()
    except Exception:  # noqa: BLE001
        await give_up(company_id, message_id)
        MESSAGES.labels("sms", "given_up").inc()


@step(attempts=12)
async def send_email(company_id: int, message_id: int) -> None:
    content = await _unsent(company_id, message_id)
    if content is not None:
        resources = current_resources()
        email = msgspec.json.decode(content, type=Email)
        await email_sender(resources.settings, resources.database).send(message_id, email)
        await _mark_sent(company_id, message_id)


@step(attempts=6)
async def send_sms(company_id: int, message_id: int) -> None:
    content = await _unsent(company_id, message_id)
    if content is not None:
        resources = current_resources()
        sms = msgspec.json.decode(content, type=Sms)
        await sms_sender(resources.settings, resources.database).send(message_id, sms)
        await _mark_sent(company_id, message_id)


@step()
async def give_up(company_id: int, message_id: int) -> None:
    log.error("message could not be sent", message_id=message_id)
    async with current_resources().database.tenant(company_id) as connection:
        await queries.mark_failed(connection, message_id)


async def _unsent(company_id: int, message_id: int) -> bytes | None:
    """Returns the content to send, or None if an earlier attempt has already sent it."""
    resources = current_resources()
    async with resources.database.tenant(company_id) as connection:
        sealed = await queries.unsent(connection, message_id)
    if sealed is None:
        return None
    return open_message(resources.keys, company_id, message_id, sealed)


async def _mark_sent(company_id: int, message_id: int) -> None:
    async with current_resources().database.tenant(company_id) as connection:
        await queries.mark_sent(connection, message_id)


DELIVER: dict[str, Workflow[[int, int]]] = {"email": deliver_email, "sms": deliver_sms}
