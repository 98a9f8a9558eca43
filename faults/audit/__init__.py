"""The auditor. It believes nobody: what people were answered, the record of activity, our tables,
the card provider's, the outbox, the engine and the clouds have to say the same."""

from faults.audit.answers import compare_answers
from faults.audit.provider import compare_provider
from faults.house import House
from faults.journal import Journal
from tessera.kit.database import Connection


async def audit(house: House, journal: Journal, connection: Connection) -> list[str]:
    return [
        *await compare_answers(connection, journal),
        *await compare_provider(connection),
    ]
