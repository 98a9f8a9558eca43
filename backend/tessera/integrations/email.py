"""Mails: by SMTP, in the sandbox into the outbox."""

from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate
from urllib.parse import unquote, urlsplit

import aiosmtplib

from tessera.integrations import outbox
from tessera.kit.workflows import Resources
from tessera.settings import Settings


@dataclass(frozen=True)
class Email:
    to: str
    subject: str
    text: str
    html: str
    link: str | None = None


async def send_email(resources: Resources, message_id: int, email: Email) -> None:
    if not resources.settings.sandbox:
        await _send_by_smtp(resources.settings, message_id, email)
        return
    await outbox.put(
        resources.database,
        message_id,
        "email",
        email.to,
        email.text,
        subject=email.subject,
        html=email.html,
        link=email.link,
    )


async def _send_by_smtp(settings: Settings, message_id: int, email: Email) -> None:
    url = urlsplit(settings.smtp_url.get_secret_value())
    message = EmailMessage()
    message["From"] = settings.mail_from
    message["To"] = email.to
    message["Subject"] = email.subject
    message["Date"] = formatdate()
    # The same id at every attempt, so that mail servers and clients merge a repeated send.
    domain = settings.mail_from.rpartition("@")[2].strip(">")
    message["Message-ID"] = f"<tessera-{message_id}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(email.text)
    message.add_alternative(email.html, subtype="html")
    use_tls = url.scheme == "smtps"
    await aiosmtplib.send(
        message,
        hostname=url.hostname or "localhost",
        port=url.port or (465 if use_tls else 587),
        username=unquote(url.username) if url.username else None,
        password=unquote(url.password) if url.password else None,
        use_tls=use_tls,
        start_tls=None if use_tls else bool(url.username) or None,
        timeout=30,
    )
