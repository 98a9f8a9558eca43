from tessera.integrations.sms.live import TwilioSmsSender
from tessera.integrations.sms.protocol import SmsSender
from tessera.integrations.sms.sandbox import OutboxSmsSender
from tessera.kit.database import Database
from tessera.settings import Settings


def sms_sender(settings: Settings, database: Database) -> SmsSender:
    return OutboxSmsSender(database) if settings.sandbox else TwilioSmsSender(settings)
