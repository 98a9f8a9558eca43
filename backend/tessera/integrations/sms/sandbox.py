from tessera.integrations import outbox
from tessera.integrations.sms.protocol import Sms
from tessera.kit.database import Database


class OutboxSmsSender:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def send(self, message_id: int, sms: Sms) -> None:
        await outbox.put(self._database, message_id, "sms", sms.to, sms.text, code=sms.code)
