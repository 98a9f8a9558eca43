from tessera.kit.database import Connection
from tessera.kit.rows import fetch_models
from tessera.storage.members.schemas import FormerMember, WaitingMember


async def waiting_members(connection: Connection, company_id: int) -> list[WaitingMember]:
    """Returns active members who have no access to any space with their present keys, the longest
    first."""
    return await fetch_models(
        connection,
        WaitingMember,
        "SELECT u.uuid, u.first_name || ' ' || u.last_name AS name, k.created_at AS since"
        " FROM member_keys k JOIN users u ON u.company_id = k.company_id AND u.id = k.user_id"
        " WHERE k.company_id = $1 AND u.is_active AND u.role = 'teamMember'"
        " AND NOT EXISTS (SELECT FROM space_members s"
        "  WHERE s.company_id = k.company_id AND s.member = u.uuid"
        "  AND s.public_keys = k.public_keys)"
        " ORDER BY k.created_at, u.id",
        company_id,
    )


async def former_members(connection: Connection, company_id: int) -> list[FormerMember]:
    return await fetch_models(
        connection,
        FormerMember,
        "SELECT m.member AS uuid, COALESCE(u.email, max(m.former_email)) AS email_address,"
        " COALESCE(u.first_name || ' ' || u.last_name, max(m.former_name), '') AS name,"
        " CASE WHEN u.id IS NULL THEN 'deleted' ELSE 'disabled' END AS reason, count(*) AS spaces"
        " FROM space_members m LEFT JOIN users u"
        "  ON u.company_id = m.company_id AND u.uuid = m.member"
        " WHERE m.company_id = $1 AND u.is_active IS NOT TRUE"
        " GROUP BY m.member, u.id, u.email, u.first_name, u.last_name, u.is_active"
        " ORDER BY name, uuid",
        company_id,
    )
