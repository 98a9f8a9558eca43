"""Enqueues mails and SMS: a row and a workflow for each, in the caller's transaction."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from tessera.integrations.email import Email
from tessera.integrations.sms import Sms
from tessera.kit.database import Connection
from tessera.kit.i18n import Language, translate
from tessera.kit.keys import Keys
from tessera.notifications import queries
from tessera.notifications.mails import Footer, Mail
from tessera.notifications.rendering import Addressee, render_email
from tessera.notifications.sealing import seal_message
from tessera.notifications.workflows import DELIVER

SmsText = Literal["login", "verify", "phone"]


async def enqueue_email(
    connection: Connection,
    keys: Keys,
    company_id: int,
    to: Addressee,
    mail: Mail,
    *,
    footer: Footer | None = None,
) -> None:
    """`footer` is for a recipient who is not the mail's usual one."""
    await _enqueue(connection, keys, company_id, "email", [render_email(to, mail, footer)])


async def enqueue_emails(
    connection: Connection, keys: Keys, company_id: int, mails: Sequence[tuple[Addressee, Mail]]
) -> list[int]:
    """Uses as few statements for many mails as for one; returns the message ids."""
    emails = [render_email(to, mail) for to, mail in mails]
    return await _enqueue(connection, keys, company_id, "email", emails)


async def enqueue_sms(
    connection: Connection,
    keys: Keys,
    *,
    company_id: int,
    to: str,
    language: Language,
    text: SmsText,
    code: str,
) -> None:
    sms = Sms(to=to, text=translate(f"sms.{text}", language, code=code), code=code)
    await _enqueue(connection, keys, company_id, "sms", [sms])


async def _enqueue(
    connection: Connection,
    keys: Keys,
    company_id: int,
    channel: Literal["email", "sms"],
    contents: Sequence[Email | Sms],
) -> list[int]:
    message_ids = await queries.add_messages(connection, company_id, channel, len(contents))
    sealed = [
        seal_message(keys, company_id, message_id, msgspec.json.encode(content))
        for message_id, content in zip(message_ids, contents, strict=True)
    ]
    await queries.set_sealed(connection, message_ids, sealed)
    works = {f"message-{message_id}": (company_id, message_id) for message_id in message_ids}
    await DELIVER[channel].enqueue_many(connection, works)
    return message_ids
