"""Cross-checks every side: the responses users got, the activity log, our tables, the card
provider's, the outbox, the workflow engine and the clouds must all agree."""

from chaos.activity_stream import ActivityStream
from chaos.audit.answers import compare_answers
from chaos.audit.clouds import compare_clouds
from chaos.audit.companies import compare_companies
from chaos.audit.files import compare_fetched, compare_rescued, compare_stored
from chaos.audit.hostile import compare_set_aside
from chaos.audit.messages import compare_messages
from chaos.audit.provider import compare_provider
from chaos.audit.replay import compare_replay
from chaos.audit.secrets import look_for_secrets
from chaos.audit.stream import compare_stream
from chaos.deployment import Deployment
from chaos.file_company import FileCompany
from chaos.journal import Journal
from tessera.kit.database import Connection


async def audit(
    deployment: Deployment,
    journal: Journal,
    connection: Connection,
    files: FileCompany,
    stream: ActivityStream,
) -> list[str]:
    return [
        *await compare_stream(connection, stream),
        *await compare_stored(connection, files),
        *await compare_fetched(files),
        *await compare_rescued(files),
        *await compare_set_aside(files),
        *await audit_without_files(deployment, journal, connection),
    ]


async def audit_without_files(
    deployment: Deployment, journal: Journal, connection: Connection
) -> list[str]:
    return [
        *await compare_answers(connection, journal),
        *await compare_sides(deployment, journal, connection),
    ]


async def compare_sides(
    deployment: Deployment, journal: Journal, connection: Connection
) -> list[str]:
    """All but the answers and the files."""
    return [
        *await compare_companies(connection),
        *await compare_replay(connection, journal),
        *await compare_provider(connection),
        *await compare_messages(connection),
        *await compare_clouds(deployment, connection, journal),
        *await look_for_secrets(deployment, connection, journal),
    ]


def unexpected_errors(journal: Journal) -> list[str]:
    return [
        f"{operation.kind} ({attempt.request_id}): an unexpected error"
        for operation, attempt in journal.attempts()
        if attempt.status == 500
    ]
