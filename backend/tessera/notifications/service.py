"""Enqueues a mail or an SMS: a row and a workflow, in the caller's transaction."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from tessera.integrations.sms.protocol import Sms
from tessera.kit.database import Connection
from tessera.kit.i18n import Language, translate
from tessera.kit.keys import Keys
from tessera.notifications import queries
from tessera.notifications.rendering import render_email
from tessera.notifications.sealing import seal_message
from tessera.notifications.workflows import DELIVER


async def enqueue_email(
    connection: Connection,
    keys: Keys,
    *,
    company_id: int,
    to: str,
    language: Language,
    template: str,
    link: str | None = None,
    footer: str | None = None,
    **params: str,
) -> None:
    """`template` and `footer` name entries under `mails` in the catalogues."""
    email = render_email(to, language, template, link, params, footer=footer)
    await _enqueue(connection, keys, company_id, "email", asdict(email))


@dataclass(frozen=True)
class BulkEmail:
    """One of many mails enqueued together."""

    to: str
    template: str
    link: str | None = None
    params: Mapping[str, str] = field(default_factory=dict)


async def enqueue_emails(
    connection: Connection,
    keys: Keys,
    *,
    company_id: int,
    language: Language,
    emails: Sequence[BulkEmail],
) -> list[int]:
    """Uses as few statements for many mails as for one; returns the message ids."""
    message_ids = await queries.add_messages(connection, company_id, "email", len(emails))
    sealed = []
    for message_id, each in zip(message_ids, emails, strict=True):
        email = render_email(each.to, language, each.template, each.link, each.params)
        content = json.dumps(asdict(email)).encode()
        sealed.append(seal_message(keys, company_id, message_id, content))
    await queries.set_sealed_many(connection, message_ids, sealed)
    await DELIVER["email"].enqueue_many(
        connection,
        {f"message-{message_id}": (company_id, message_id) for message_id in message_ids},
    )
    return message_ids


async def enqueue_sms(
    connection: Connection,
    keys: Keys,
    *,
    company_id: int,
    to: str,
    language: Language,
    template: str,
    code: str,
) -> None:
    text = translate(f"sms.{template}", language, code=code)
    await _enqueue(connection, keys, company_id, "sms", asdict(Sms(to=to, text=text, code=code)))


async def _enqueue(
    connection: Connection, keys: Keys, company_id: int, channel: str, content: dict[str, object]
) -> None:
    message_id = await queries.add_message(connection, company_id, channel)
    sealed = seal_message(keys, company_id, message_id, json.dumps(content).encode())
    await queries.set_sealed(connection, message_id, sealed)
    await DELIVER[channel].enqueue(connection, company_id, message_id, key=f"message-{message_id}")
