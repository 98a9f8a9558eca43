"""The auditor. It believes nobody: what people were answered, the record of activity, our tables,
the card provider's, the outbox, the engine and the clouds have to say the same."""

from faults.audit.answers import compare_answers
from faults.audit.clouds import compare_clouds
from faults.audit.companies import compare_companies
from faults.audit.messages import compare_messages
from faults.audit.provider import compare_provider
from faults.audit.replay import compare_replay
from faults.audit.secrets import look_for_secrets
from faults.house import House
from faults.journal import Journal
from tessera.kit.database import Connection


async def audit(house: House, journal: Journal, connection: Connection) -> list[str]:
    return [
        *await compare_answers(connection, journal),
        *await compare_companies(connection),
        *await compare_replay(connection, journal),
        *await compare_provider(connection),
        *await compare_messages(connection),
        *await compare_clouds(house, connection, journal),
        *await look_for_secrets(house, connection, journal),
    ]
