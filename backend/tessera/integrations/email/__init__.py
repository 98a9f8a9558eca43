from tessera.integrations.email.live import SmtpEmailSender
from tessera.integrations.email.protocol import EmailSender
from tessera.integrations.email.sandbox import OutboxEmailSender
from tessera.kit.database import Database
from tessera.settings import Settings


def email_sender(settings: Settings, database: Database) -> EmailSender:
    return OutboxEmailSender(database) if settings.sandbox else SmtpEmailSender(settings)
