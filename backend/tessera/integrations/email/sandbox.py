from tessera.integrations import outbox
from tessera.integrations.email.protocol import Email
from tessera.kit.database import Database


class OutboxEmailSender:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def send(self, message_id: int, email: Email) -> None:
        await outbox.put(
            self._database,
            message_id,
            "email",
            email.to,
            email.text,
            subject=email.subject,
            html=email.html,
            link=email.link,
        )
