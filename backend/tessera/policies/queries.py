from tessera.authz.policies import Policies
from tessera.kit.database import Connection


async def put_policies(connection: Connection, company_id: int, policies: Policies) -> None:
    await connection.execute(
        "INSERT INTO company_policies (company_id, second_factors, session_hours,"
        " client_session_days, min_client_version, networks, countries)"
        " VALUES ($1, $2, $3, $4, $5, $6::text[]::cidr[], $7)"
        " ON CONFLICT (company_id) DO UPDATE SET second_factors = excluded.second_factors,"
        " session_hours = excluded.session_hours,"
        " client_session_days = excluded.client_session_days,"
        " min_client_version = excluded.min_client_version, networks = excluded.networks,"
        " countries = excluded.countries",
        company_id, policies.second_factors, policies.session_hours,
        policies.client_session_days, policies.min_client_version, policies.networks,
        policies.countries,
    )  # fmt: skip


async def delete_policies(connection: Connection, company_id: int) -> None:
    await connection.execute("DELETE FROM company_policies WHERE company_id = $1", company_id)
