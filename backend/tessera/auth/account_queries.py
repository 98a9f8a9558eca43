from uuid import UUID

from tessera.kit.database import Connection


async def add_user(
    connection: Connection,
    *,
    uuid: UUID,
    company_id: int,
    first_name: str,
    last_name: str,
    email: str,
    email_folded: str,
    phone_number: str,
    role: str,
    language: str,
    salt: bytes,
    password_hash: str,
    sealed_user_key: str,
    confirmed: bool = True,
) -> int:
    user_id: int = await connection.fetchval(
        "INSERT INTO users (uuid, company_id, first_name, last_name, email, email_folded,"
        " phone_number, role, language, salt, password_hash, sealed_user_key, email_confirmed_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,"
        " CASE WHEN $13 THEN now() END) RETURNING id",
        uuid, company_id, first_name, last_name, email, email_folded, phone_number, role, language,
        salt, password_hash, sealed_user_key, confirmed,
    )  # fmt: skip
    return user_id


async def set_passphrase(
    connection: Connection,
    *,
    company_id: int,
    user_id: int,
    epoch: int,
    sealed_company_key: str,
    sealed_passphrase: str,
) -> None:
    await connection.execute(
        "INSERT INTO company_passphrases (company_id, epoch, sealed_passphrase)"
        " VALUES ($1, $2, $3)",
        company_id, epoch, sealed_passphrase,
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO company_keys (company_id, user_id, epoch, sealed_company_key)"
        " VALUES ($1, $2, $3, $4)",
        company_id, user_id, epoch, sealed_company_key,
    )  # fmt: skip


async def company_uuid(connection: Connection, company_id: int) -> UUID:
    found: UUID = await connection.fetchval("SELECT uuid FROM companies WHERE id = $1", company_id)
    return found
