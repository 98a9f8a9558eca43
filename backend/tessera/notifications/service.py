"""Posting a mail or an SMS: a row and a piece of durable work, in the caller's transaction."""

import json
from dataclasses import asdict

from tessera.integrations.sms.protocol import Sms
from tessera.kit.database import Connection
from tessera.kit.i18n import Language, translate
from tessera.kit.keys import Keys
from tessera.notifications import queries
from tessera.notifications.rendering import render_email
from tessera.notifications.sealing import seal_message
from tessera.notifications.workflows import DELIVER


async def post_email(
    connection: Connection,
    keys: Keys,
    *,
    company_id: int,
    to: str,
    language: Language,
    template: str,
    link: str | None = None,
    **params: str,
) -> None:
    """`template` names an entry under `mails` in the catalogues."""
    email = render_email(to, language, template, link, params)
    await _post(connection, keys, company_id, "email", asdict(email))


async def post_sms(
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
    await _post(connection, keys, company_id, "sms", asdict(Sms(to=to, text=text, code=code)))


async def _post(
    connection: Connection, keys: Keys, company_id: int, channel: str, content: dict[str, object]
) -> None:
    message_id = await queries.add_message(connection, company_id, channel)
    sealed = seal_message(keys, company_id, message_id, json.dumps(content).encode())
    await queries.set_sealed(connection, message_id, sealed)
    await DELIVER[channel].enqueue(connection, company_id, message_id, key=f"message-{message_id}")
