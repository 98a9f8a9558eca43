"""Checks that no password or credential is in a table or in the log, whatever was interrupted."""

import asyncio

from chaos.deployment import Deployment
from chaos.journal import Journal
from tessera.kit.database import Connection
from tests.security.canary import Marks, search_database

# Each secret is searched for in many encodings, so a sample of them has to suffice.
MOST = 40


async def look_for_secrets(
    deployment: Deployment, connection: Connection, journal: Journal
) -> list[str]:
    marks = Marks()
    for operation in journal.operations:
        if "secret" in operation.values:
            marks.keep("password", operation.values["secret"])
        if "secret" in operation.values.get("form", {}):
            marks.keep("credential", operation.values["form"]["secret"])
    chosen = Marks(dict(list(marks.known.items())[-MOST:]))
    log = await asyncio.to_thread((deployment.folder / "service.log").read_text, errors="replace")
    found = [*await search_database(connection, chosen), *chosen.found_in(log, "the log")]
    return [f"secrets: {each}" for each in found]
