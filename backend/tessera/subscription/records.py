"""Activity that no person caused: the provider's news and the house's own rounds."""

import json
from collections.abc import Mapping

from tessera.activity import queries as activity_queries
from tessera.kit.database import Connection

HOUSE = "Tessera"


async def note(
    connection: Connection,
    company_id: int,
    action: str,
    *,
    target: str = "",
    details: Mapping[str, object] | None = None,
) -> None:
    await activity_queries.add(
        connection,
        company_id=company_id,
        actor_uuid=None,
        actor_name=HOUSE,
        action=action,
        target=target,
        details=json.dumps(dict(details or {})),
        origin="",
        request_id="",
    )
