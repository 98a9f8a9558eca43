"""A short run of `python -m tests.scim.churn`, whose audit finds planted discrepancies."""

from pathlib import Path

import pytest

from tessera.kit.embedded_postgres import EmbeddedUrls
from tests.scim.churn import churned

pytestmark = [pytest.mark.extended, pytest.mark.own_database]

PLANTED = {
    "mails, too often": (
        "INSERT INTO sandbox_outbox (message_id, channel, recipient, subject, text)"
        " SELECT -1, channel, recipient, subject, text FROM sandbox_outbox LIMIT 1"
    ),
    "invites, missing": (
        "UPDATE invites SET state = 'cancelled', ended_at = now() WHERE id ="
        " (SELECT id FROM invites WHERE state = 'open' LIMIT 1)"
    ),
    "another state": (
        "DELETE FROM directory_group_members WHERE (group_number, user_number) ="
        " (SELECT group_number, user_number FROM directory_group_members LIMIT 1)"
    ),
    "members, too often": (
        "UPDATE users SET is_active = true WHERE id ="
        " (SELECT min(id) FROM users WHERE NOT is_active)"
    ),
    "records, missing": (
        "DELETE FROM activity WHERE id ="
        " (SELECT min(id) FROM activity WHERE action = 'members.invited')"
    ),
    "the chain": "UPDATE activity SET target = 'x' WHERE id = (SELECT max(id) FROM activity)",
}


async def test_kills_in_between_leave_every_person_in_the_wanted_state_once(
    urls: EmbeddedUrls, tmp_path: Path
) -> None:
    async with churned(urls, tmp_path, users=120, kills=4, seed=7) as result:
        assert await result.audit() == []
        assert result.kills == 4
        assert result.unanswered
        platform = result.played.platform
        await platform.execute("SET session_replication_role = replica")
        for finding, statement in PLANTED.items():
            await platform.execute(statement)
            assert any(each.startswith(finding) for each in await result.audit()), finding
