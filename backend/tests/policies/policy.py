from typing import Any

import httpx

from tessera.authz.policies import Policies
from tessera.kit.database import Connection
from tessera.policies.queries import put_policies
from tests.factories.accounts import Company

# From where the tests call.
HERE = ["192.0.2.0/24"]
ELSEWHERE = ["198.51.100.0/24", "2001:db8::/32"]


async def demand(connection: Connection, company: Company, **policies: Any) -> None:
    """Sets policies that nobody was asked about."""
    await put_policies(connection, company.id, Policies(**policies))


def wanted(**changes: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {
        "secondFactors": None,
        "sessionHours": None,
        "clientSessionDays": None,
        "minClientVersion": None,
        "networks": [],
        "countries": [],
    }
    return {**nothing, **changes}


async def put(client: httpx.AsyncClient, headers: dict[str, str], **changes: Any) -> httpx.Response:
    return await client.put("/api/policies", json=wanted(**changes), headers=headers)
