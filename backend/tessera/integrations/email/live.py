from email.message import EmailMessage
from email.utils import formatdate
from urllib.parse import unquote, urlsplit

import aiosmtplib

from tessera.integrations.email.protocol import Email
from tessera.settings import Settings


class SmtpEmailSender:
    def __init__(self, settings: Settings) -> None:
        url = urlsplit(settings.smtp_url.get_secret_value())
        self._from = settings.mail_from
        self._hostname = url.hostname or "localhost"
        self._tls = url.scheme == "smtps"
        self._port = url.port or (465 if self._tls else 587)
        self._user = unquote(url.username) if url.username else None
        self._password = unquote(url.password) if url.password else None

    async def send(self, message_id: int, email: Email) -> None:
        message = EmailMessage()
        message["From"] = self._from
        message["To"] = email.to
        message["Subject"] = email.subject
        message["Date"] = formatdate()
        # The same id at every attempt, so that mail servers and clients merge a repeated send.
        message["Message-ID"] = f"<tessera-{message_id}@{self._from.rpartition('@')[2].strip('>')}>"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(email.text)
        message.add_alternative(email.html, subtype="html")
        await aiosmtplib.send(
            message,
            hostname=self._hostname,
            port=self._port,
            username=self._user,
            password=self._password,
            use_tls=self._tls,
            start_tls=None if self._tls else self._user is not None or None,
            timeout=30,
        )
