"""A platform admin, who deletes companies."""

from typing import Any

from chaos.account import log_in
from chaos.company_client import CompanyClient
from chaos.deployment import Deployment
from chaos.person import Person
from tessera.main import create_app
from tests.factories.accounts import Factory
from tests.fixtures.database import settings_for


async def open_admin(deployment: Deployment, person: Person) -> CompanyClient:
    connection = await deployment.connect()
    try:
        resources = create_app(settings_for(deployment.urls)).state.resources
        user = await Factory(connection, resources).user(role="admin")
    finally:
        await connection.close()
    admin = CompanyClient(
        person,
        uuid=str(user.company.uuid),
        leader=str(user.uuid),
        email=user.email,
        phone=user.phone_number,
        secret=user.secret,
    )
    await log_in(admin)
    return admin


async def delete_company(admin: CompanyClient, client: CompanyClient) -> None:
    company: dict[str, Any] = await client.ask("/company")
    await admin.do(
        "delete company",
        "company.deleted",
        "DELETE",
        f"/company/{company['id']}",
        done="company_not_found",
        values={"deleted": client.uuid},
    )
