from tessera.kit.database import Connection


async def set_password(
    connection: Connection, user_id: int, *, salt: bytes, password_hash: str, sealed_user_key: str
) -> None:
    await connection.execute(
        "UPDATE users SET salt = $2, password_hash = $3, sealed_user_key = $4 WHERE id = $1",
        user_id, salt, password_hash, sealed_user_key,
    )  # fmt: skip


async def add_reset_request(connection: Connection, sealed: bytes, language: str) -> int:
    request_id: int = await connection.fetchval(
        "INSERT INTO reset_requests (sealed_address, language) VALUES ($1, $2) RETURNING id",
        sealed, language,
    )  # fmt: skip
    return request_id


async def take_reset_request(connection: Connection, request_id: int) -> bytes | None:
    sealed: bytes | None = await connection.fetchval(
        "DELETE FROM reset_requests WHERE id = $1 RETURNING sealed_address", request_id
    )
    return sealed
