"""No password and no credential stands in a table or in the log, whatever was cut off when."""

import asyncio

from faults.house import House
from faults.journal import Journal
from tessera.kit.database import Connection
from tests.abuse.canary import Marks, search_database

# Each is looked for in many spellings; these are as good as all of them.
MOST = 40


async def look_for_secrets(house: House, connection: Connection, journal: Journal) -> list[str]:
    marks = Marks()
    for deed in journal.deeds:
        if "secret" in deed.told:
            marks.keep("password", deed.told["secret"])
        if "secret" in deed.told.get("form", {}):
            marks.keep("credential", deed.told["form"]["secret"])
    chosen = Marks(dict(list(marks.known.items())[-MOST:]))
    log = await asyncio.to_thread((house.folder / "service.log").read_text, errors="replace")
    found = [*await search_database(connection, chosen), *chosen.found_in(log, "the log")]
    return [f"secrets: {each}" for each in found]
