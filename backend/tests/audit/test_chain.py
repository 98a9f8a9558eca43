"""The chain over a company's records: what each lie of an operator with the database looks like."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import UTC, datetime
from uuid import UUID

import asyncpg
import pytest

from tessera.audit import queries, verification, workflows
from tessera.audit.chain import chain_records
from tessera.audit.queries import Link
from tessera.audit.records import START, Record, entry, hash_of
from tessera.audit.verification import Problem
from tessera.audit.wording import problem_text
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tests.audit.audited import Audited
from tests.factories.people import People


class TestChaining:
    async def test_records_are_chained_in_the_order_of_their_commits(
        self, audited: Audited, platform: Connection
    ) -> None:
        """A transaction that takes longer has the lower id, and comes later."""
        database, company_id = audited.resources.database, audited.company.id
        add = "INSERT INTO activity (company_id, action) VALUES ($1, $2) RETURNING id"
        async with database.tenant(company_id) as slow:
            late = await slow.fetchval(add, company_id, "slow.done")
            await audited.recorded("quick.done")
        await audited.chain()
        rows = await platform.fetch(
            "SELECT activity_id FROM activity_chain WHERE company_id = $1 ORDER BY sequence",
            company_id,
        )
        assert [row["activity_id"] for row in rows][-1] == late
        assert len(rows) == 2
        assert await audited.problems() == []

    async def test_two_writers_at_once_chain_each_record_once(
        self, audited: Audited, platform: Connection
    ) -> None:
        await audited.record(*(f"thing.{number}" for number in range(40)))
        await asyncio.gather(*(audited.chain() for _ in range(4)))
        rows = await platform.fetch(
            "SELECT sequence, activity_id FROM activity_chain ORDER BY sequence"
        )
        assert [row["sequence"] for row in rows] == list(range(1, 41))
        assert [row["activity_id"] for row in rows] == sorted(row["activity_id"] for row in rows)
        assert await audited.problems() == []

    async def test_another_company_s_records_are_another_chain(
        self, audited: Audited, people: People, platform: Connection
    ) -> None:
        other = await people.team()
        await platform.execute(
            "INSERT INTO activity (company_id, action) VALUES ($1, 'foreign.done')",
            other.company.id,
        )
        await audited.recorded("own.done")
        found = await audited.verify()
        assert (found.checked, found.sequence) == (1, 1)
        async with audited.resources.database.tenant(other.company.id) as connection:
            assert await queries.head(connection, audited.company.id) is None

    async def test_the_application_can_neither_rewrite_nor_forge_the_chain(
        self, audited: Audited
    ) -> None:
        await audited.recorded("own.done")
        for statement in (
            "DELETE FROM activity_chain",
            "UPDATE activity_chain SET sequence = 9",
            "INSERT INTO activity_unchained SELECT company_id, activity_id FROM activity_chain",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                async with audited.resources.database.tenant(audited.company.id) as connection:
                    await connection.execute(statement)

    def test_the_hash_covers_every_field(self, any_record: Record) -> None:
        whole = entry(UUID(int=7), 3, START, any_record)
        before = hash_of(whole)
        assert len(whole) == 3 + len(Record.__struct_fields__)
        for name in whole:
            assert hash_of({**whole, name: "another"}) != before


@pytest.fixture
def any_record() -> Record:
    return Record(
        id=1, at=datetime(2026, 1, 2, tzinfo=UTC), actor_uuid=None, actor_name="",
        api_token_id=None,
        action="a.b", target="", details="{}", origin="", request_id="",
    )  # fmt: skip


ACTIONS = tuple(f"thing.{number}" for number in range(1, 8))
# What somebody with the owner's rights does, and what the check then says.
LIES: dict[str, tuple[str, list[tuple[str, int | None, int | None]]]] = {
    "a record is deleted": (
        "DELETE FROM activity WHERE action = 'thing.3'",
        [("record_missing", 3, None)],
    ),
    "a record is edited": (
        "UPDATE activity SET target = 'y@x.test' WHERE action = 'thing.3'",
        [("record_changed", 3, None)],
    ),
    "a record's time is edited": (
        "UPDATE activity SET at = at - interval '1 microsecond' WHERE action = 'thing.3'",
        [("record_changed", 3, None)],
    ),
    "two records change places": (
        "UPDATE activity_chain SET activity_id = -activity_id WHERE sequence IN (3, 4);"
        " UPDATE activity_chain c SET activity_id = (SELECT -o.activity_id FROM activity_chain o"
        "  WHERE o.company_id = c.company_id AND o.sequence = 7 - c.sequence)"
        " WHERE sequence = 3; UPDATE activity_chain c SET activity_id ="
        "  (SELECT min(id) FROM activity WHERE action = 'thing.3') WHERE sequence = 4",
        [("record_changed", 3, None), ("record_changed", 4, None)],
    ),
    "records are deleted with their places": (
        "DELETE FROM activity WHERE action IN ('thing.3', 'thing.4');"
        " DELETE FROM activity_chain WHERE sequence IN (3, 4)",
        [("links_missing", 3, 4)],
    ),
    "the end is cut off": (
        "DELETE FROM activity WHERE action IN ('thing.6', 'thing.7');"
        " DELETE FROM activity_chain WHERE sequence > 5",
        [("end_missing", 6, 7)],
    ),
    "the beginning is cut off": (
        "DELETE FROM activity WHERE action IN ('thing.1', 'thing.2');"
        " DELETE FROM activity_chain WHERE sequence < 3",
        [("links_missing", 1, 2)],
    ),
    "the beginning is cut off behind a false anchor": (
        "DELETE FROM activity WHERE action IN ('thing.1', 'thing.2');"
        " UPDATE activity_heads SET anchor_sequence = 2, anchor_signature ="
        "  decode(repeat('00', 64), 'hex'), anchor_hash ="
        "  (SELECT hash FROM activity_chain WHERE sequence = 2);"
        " DELETE FROM activity_chain WHERE sequence < 3",
        [("anchor_forged", None, 2)],
    ),
    "a place is computed anew": (
        "UPDATE activity_chain SET hash = decode(repeat('11', 32), 'hex') WHERE sequence = 7",
        [("record_changed", 7, None), ("end_changed", 7, None)],
    ),
    "a record is put in without a place": (
        "INSERT INTO activity (company_id, action) SELECT company_id, 'false.done' FROM activity"
        " LIMIT 1; DELETE FROM activity_unchained",
        [("record_outside", None, None)],
    ),
    "a record is deleted before it is chained": (
        "INSERT INTO activity (company_id, action) SELECT company_id, 'early.done' FROM activity"
        " LIMIT 1; DELETE FROM activity WHERE action = 'early.done'",
        [("record_gone_early", None, None)],
    ),
}


class TestLies:
    @pytest.mark.parametrize("lie", LIES)
    async def test_a_lie_is_named(self, audited: Audited, superuser: Connection, lie: str) -> None:
        await audited.recorded(*ACTIONS)
        assert await audited.problems() == []
        statement, expected = LIES[lie]
        await superuser.execute(statement)
        found = await audited.problems()
        assert [(each.kind, each.first, each.last) for each in found] == expected
        for language in Language:
            for each in found:
                text = problem_text(asdict(each), language)
                assert "audit." not in text
                assert "{" not in text
                assert str(each.first or each.last or each.activity_id) in text

    async def test_a_kept_head_shows_an_end_that_was_cut_off_neatly(
        self, audited: Audited, superuser: Connection
    ) -> None:
        await audited.recorded(*ACTIONS)
        kept = await audited.head()
        await superuser.execute(
            "DELETE FROM activity WHERE action IN ('thing.6', 'thing.7');"
            " DELETE FROM activity_chain WHERE sequence > 5; UPDATE activity_heads"
            "  SET sequence = 5, hash = (SELECT hash FROM activity_chain WHERE sequence = 5)"
        )
        assert await audited.problems() == []
        assert await audited.problems(kept) == [Problem("kept_end_missing", 6, 7)]

    async def test_a_kept_head_shows_a_chain_that_was_computed_again(
        self, audited: Audited, superuser: Connection
    ) -> None:
        await audited.recorded(*ACTIONS)
        kept = await audited.head()
        await superuser.execute(
            "DELETE FROM activity WHERE action = 'thing.2'; DELETE FROM activity_chain;"
            " DELETE FROM activity_heads;"
            " INSERT INTO activity_unchained SELECT company_id, id FROM activity"
        )
        await audited.chain()
        await audited.recorded("thing.8")
        assert await audited.problems() == []
        assert await audited.problems(kept) == [Problem("kept_head_differs", 7)]

    async def test_an_honest_kept_head_fits(self, audited: Audited) -> None:
        await audited.recorded(*ACTIONS[:3])
        kept = await audited.head()
        await audited.recorded(*ACTIONS[3:])
        assert await audited.problems(kept) == []
        assert await audited.problems(Link(7, kept.hash)) == [Problem("kept_head_differs", 7)]

    async def test_a_company_without_records(self, audited: Audited) -> None:
        found = await audited.verify()
        assert (found.checked, found.problems) == (0, [])
        assert await audited.problems(Link(1, bytes(32))) == [Problem("kept_end_missing", 1, 1)]

    async def test_many_problems_are_counted_and_pages_are_whole(
        self, audited: Audited, superuser: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(verification, "PAGE", 3)
        monkeypatch.setattr(verification, "LISTED", 4)
        await audited.recorded(*ACTIONS)
        assert (await audited.verify()).checked == 7
        await superuser.execute("UPDATE activity SET target = ''")
        found = await audited.verify()
        assert (len(found.problems), found.more_problems, found.checked) == (4, 3, 0)


class TestRetention:
    @pytest.fixture
    def sweep(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Awaitable[None]]:
        monkeypatch.setattr(workflows, "FORGOTTEN_AT_ONCE", 2)
        run: Callable[[], Awaitable[None]] = inspect.unwrap(workflows.sweep_activity)
        return run

    async def test_retention_leaves_a_signed_anchor(
        self, audited: Audited, sweep: Callable[[], Awaitable[None]], platform: Connection
    ) -> None:
        for days in (800, 402, 401, 399, 0):
            await audited.record(f"change.{days}", days_ago=days)
        await audited.chain()
        whole = await audited.head()
        await sweep()
        left = await platform.fetch("SELECT action FROM activity ORDER BY id")
        assert [row["action"] for row in left] == ["change.399", "change.0"]
        found = await audited.verify(whole)
        assert (found.problems, found.checked, found.removed_until) == ([], 2, 3)
        assert not found.kept_too_old
        anchor = await platform.fetchval("SELECT anchor_hash FROM activity_heads")
        assert await audited.problems(Link(3, anchor)) == []
        assert await audited.problems(Link(3, bytes(32))) == [Problem("kept_head_differs", 3)]
        assert (await audited.verify(Link(2, bytes(32)))).kept_too_old
        await audited.recorded("change.new")
        assert await audited.problems(whole) == []

    async def test_a_young_record_keeps_those_after_it(
        self, audited: Audited, sweep: Callable[[], Awaitable[None]], platform: Connection
    ) -> None:
        for days in (500, 3, 500):
            await audited.record(f"change.{days}", days_ago=days)
        await sweep()
        assert await platform.fetchval("SELECT count(*) FROM activity") == 2
        assert await audited.problems() == []

    async def test_the_application_cannot_forget_the_last_thirty_days(
        self, audited: Audited, platform: Connection
    ) -> None:
        await audited.record("change.done", days_ago=20)
        await audited.chain()
        async with audited.resources.database.tenant(audited.company.id) as connection:
            await connection.execute(
                "UPDATE activity_heads SET anchor_sequence = 1, anchor_signature = ''"
            )
            assert await connection.fetchval("SELECT forget_old_activity(0)") == 0
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with audited.resources.database.tenant(audited.company.id) as connection:
                await connection.execute("DELETE FROM activity")

    async def test_a_check_survives_retention_meanwhile(
        self, audited: Audited, sweep: Callable[[], Awaitable[None]],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        monkeypatch.setattr(verification, "PAGE", 1)
        for days in (800, 700, 600, 0):
            await audited.record(f"change.{days}", days_ago=days)
        await audited.chain()
        original = queries.stored_links
        calls = 0

        async def swept(*args: object) -> list[queries.StoredLink]:
            nonlocal calls
            calls += 1
            if calls == 2:
                await sweep()
            return await original(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(queries, "stored_links", swept)
        assert await audited.problems() == []
        assert calls > 2


async def test_chaining_an_unknown_company_does_nothing(audited: Audited) -> None:
    async with audited.resources.database.tenant(987_654) as connection:
        assert await chain_records(connection, 987_654, 10) == 0
