import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.filters import Field, Kind, unindexed
from tessera.kit.pagination import Listing


class Activity(Struct, frozen=True):
    id: int
    at: datetime
    actor_uuid: UUID | None
    actor_name: str
    # The actor is an API token, not a person of that name.
    api_token_id: int | None
    action: str
    target: str
    # JSON.
    details: str
    origin: str

    def read_details(self) -> dict[str, Any]:
        details: dict[str, Any] = json.loads(self.details)
        return details


class PlatformActivity(Activity, frozen=True):
    company_id: int
    company_name: str


_COLUMNS = (
    "a.id, a.at, a.actor_uuid, a.actor_name, a.api_token_id, a.action, a.target, a.details,"
    " a.origin"
)
_FIELDS = {
    # Rows are inserted as things happen, so ordering by id is ordering by time.
    "at": Field("a.at", Kind.TIME, sort_by="a.id"),
    "actorName": unindexed("a.actor_name"),
    "action": unindexed("a.action"),
    "target": unindexed("a.target"),
    "origin": unindexed("a.origin"),
}

OF_COMPANY = Listing(
    Activity,
    source="activity a",
    columns=_COLUMNS,
    key="a.id",
    where="a.company_id = $1",
    searched="a.search_text",
    counter=("$1", "activity"),
    search_function="activity_matches",
    newest_first=True,
    fields=_FIELDS,
)

# For the platform role only.
OF_ALL = Listing(
    PlatformActivity,
    source="activity a",
    columns=f"{_COLUMNS}, c.id AS company_id, c.name AS company_name",
    rows="JOIN companies c ON c.id = a.company_id",
    key="a.id",
    searched="a.search_text",
    counter=("1", "all_activity"),
    search_function="all_activity_matches",
    newest_first=True,
    fields={
        **_FIELDS,
        "companyId": Field("a.company_id::text", sortable=False),
        "companyName": Field(
            "(SELECT n.name_folded FROM companies n WHERE n.id = a.company_id)", sortable=False
        ),
    },
)


async def add(
    connection: Connection,
    *,
    company_id: int,
    action: str,
    actor_name: str,
    actor_uuid: UUID | None = None,
    api_token_id: int | None = None,
    target: str = "",
    details: Mapping[str, object] | None = None,
    origin: str = "",
    request_id: str = "",
) -> None:
    await connection.execute(
        "INSERT INTO activity (company_id, actor_uuid, actor_name, action, target, details, origin,"
        " request_id, api_token_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        company_id, actor_uuid, actor_name, action, target, json.dumps(dict(details or {})), origin,
        request_id, api_token_id,
    )  # fmt: skip
