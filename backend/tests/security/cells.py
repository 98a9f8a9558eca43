"""Sends rows of the matrix with any user and any target."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import httpx

from tests.authz.matrix import Row, Target
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.factories.warehouses import Warehouses

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Attack:
    def __init__(
        self, client: httpx.AsyncClient, people: People, make: Factory, warehouses: Warehouses
    ) -> None:
        self._client = client
        self.people = people
        self.make = make
        self._warehouses = warehouses

    async def target(self, team: Team) -> Target:
        stored = await self._warehouses.add(team.company.id)
        session, member = await self.people.session(team.member), team.member.uuid
        space = await self.people.space(team.member)
        token = await self.make.api_token(team.leader)
        provider = await self.make.provider(team.company.id)
        return Target(
            team.company.id,
            team.name,
            member,
            team.invite,
            stored.id,
            session,
            space,
            token.id,
            provider,
        )

    async def send(
        self,
        row: Row,
        target: Target,
        headers: dict[str, str],
        *,
        in_body: Mapping[str, Any] = NOTHING,
        in_query: Mapping[str, Any] = NOTHING,
    ) -> httpx.Response:
        method, path = row.call.split()
        body = row.body(target)
        return await self._client.request(
            method,
            path.format(**row.places(target)),
            params={**in_query, **row.query(target)},
            json={**body, **in_body} if in_body else body,
            headers=headers,
        )
