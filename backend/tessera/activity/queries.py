from uuid import UUID

from tessera.kit.database import Connection


async def add(
    connection: Connection,
    *,
    company_id: int,
    actor_uuid: UUID | None,
    actor_name: str,
    action: str,
    target: str,
    details: str,
    origin: str,
    request_id: str,
) -> None:
    await connection.execute(
        "INSERT INTO activity (company_id, actor_uuid, actor_name, action, target, details, origin,"
        " request_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        company_id, actor_uuid, actor_name, action, target, details, origin, request_id,
    )  # fmt: skip
