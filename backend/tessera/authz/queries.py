"""Statements that need no more than the company's id, shared by the features."""

from tessera.kit.database import Connection


async def lock_company(connection: Connection, company_id: int) -> None:
    """Serializes changes that concern the whole company. Not FOR UPDATE: rows that only refer to
    the company, such as an activity record, would wait for it, and two changes could deadlock."""
    await connection.execute("SELECT FROM companies WHERE id = $1 FOR NO KEY UPDATE", company_id)
