from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tessera.kit.database import Connection, Database
from tests.factories.accounts import Factory
from tests.factories.people import People, Team

NAMES = [
    ("Ada", "Lindqvist", "2026-01-05"),
    ("Işıl", "Şahin", "2026-01-06"),
    ("İbrahim", "Öztürk", "2026-01-07"),
    ("ILSE", "Müller", "2026-01-08"),
    ("100%", "O'Brien_", "2026-01-09"),
    ("a\\b", "[x](y)*", "2026-01-10"),
]


REFUSED: list[dict[str, Any]] = [
    {"limit": 0}, {"limit": 101}, {"limit": 10**9}, {"limit": -1}, {"limit": "x"}, {"skip": -1},
    {"skip": 10**30}, {"skip": "1.5"}, {"searchText": "x" * 201}, {"searchText": "a\x00b"},
    {"filter": "firstName"}, {"filter": "firstName:contains"}, {"filter": "firstName:regex:.*"},
    {"filter": "password_hash:contains:x"}, {"filter": "u.role) OR (true:contains:x"},
    {"filter": "dateCreated:greaterThan:soon"},
    {"filter": "dateCreated:lessThan:9999-12-31T23:59:59-14:00"},
    {"filter": ["firstName:contains:a"] * 11}, {"filter": f"firstName:contains:{'x' * 201}"},
    {"filter": "firstName:contains:a\x00"}, {"sort": "firstName"}, {"sort": "firstName:up"},
    {"sort": "password_hash:asc"}, {"sort": "role:asc"}, {"sort": "1;DROP TABLE users:asc"},
]  # fmt: skip

SEARCHES: dict[str, list[str]] = {
    "ada": ["Ada"], "ADA LIND": ["Ada"], "  ada  ": ["Ada"], "person3@": ["ILSE"],
    "5550105": ["a\\b"], "zzz": [],
    # Search treats the four Turkish i's as one letter.
    "IŞIL": ["Işıl"], "ışıl": ["Işıl"], "işil": ["Işıl"], "İBRAHİM": ["İbrahim"],
    "ibrahim": ["İbrahim"], "ilse": ["ILSE"], "ılse": ["ILSE"], "öztürk": ["İbrahim"],
    "O\u0308ZTU\u0308RK": ["İbrahim"], "MÜLLER": ["ILSE"],
    # No character is a wildcard.
    "100%": ["100%"], "%": ["100%"], "_": ["100%"], "a\\b": ["a\\b"], "\\": ["a\\b"],
    "[x](y)*": ["a\\b"], "a%b": [], "o'brien": ["100%"], "'; --": [],
}  # fmt: skip

FILTERED: list[tuple[list[str], list[str]]] = [
    (["firstName:contains:i"], ["Işıl", "İbrahim", "ILSE"]),
    (["firstName:startsWith:ı"], ["Işıl", "İbrahim", "ILSE"]),
    (["lastName:endsWith:_"], ["100%"]),
    (["lastName:endsWith:ŞAHİN"], ["Işıl"]),
    (["firstName:matches:ada"], ["Ada"]),
    (["firstName:matches:ad"], []),
    (["email_address:matches:PERSON1@company.TEST"], ["Işıl"]),
    (["firstName:greaterThan:ADA", "firstName:lessThan:Im"], ["İbrahim", "ILSE"]),
    (["phoneNumber:greaterThan:+12025550103"], ["100%", "a\\b"]),
    (["dateCreated:greaterThan:2026-01-08"], ["100%", "a\\b"]),
    (["dateCreated:lessThan:2026-01-06T03:00:00+03:00"], ["Ada"]),
    (["dateCreated:matches:2026-01-07"], ["İbrahim"]),
    (["dateCreated:startsWith:2026-01-0"], ["Ada", "Işıl", "İbrahim", "ILSE", "100%"]),
    (["role:matches:TEAMLEADER"], ["Ada"]),
    (["isActive:matches:false"], []),
    (["firstName:contains:i", "lastName:contains:ş"], ["Işıl"]),
    (["lastName:contains:%"], []),
    (["lastName:contains:"], [name for name, *_ in NAMES]),
]


class Members:
    """A company with the people above, queried as its leader."""

    def __init__(self, client: httpx.AsyncClient, headers: dict[str, str]) -> None:
        self._client = client
        self._headers = headers

    async def ask(self, **query: Any) -> httpx.Response:
        return await self._client.get("/api/users", params=query, headers=self._headers)

    async def names(self, **query: Any) -> list[str]:
        answer = await self.ask(**{"limit": 100, **query})
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert page["item2"] == len(page["item1"])
        return [row["firstName"] for row in page["item1"]]


@pytest.fixture
async def members(client: httpx.AsyncClient, make: Factory, people: People) -> Members:
    company = await make.company()
    leader = None
    for number, (first, last, day) in enumerate(NAMES):
        person = await people.person(
            company,
            "teamLeader" if number == 0 else "teamMember",
            first,
            last,
            email=f"person{number}@Company.test",
            phone_number=f"+1202555010{number}",
            created=datetime.fromisoformat(day).replace(tzinfo=UTC),
        )
        leader = leader or person
    assert leader
    # Another company's people must never appear.
    other = await people.team()
    await people.person(other.company, first_name="Ada")
    return Members(client, await make.session(leader))


class TestPages:
    @pytest.mark.spec("3.32", "7.2", "7.26", "9.1")
    async def test_five_from_the_first_page_unless_said_otherwise(self, members: Members) -> None:
        page = (await members.ask()).json()
        assert [row["firstName"] for row in page["item1"]] == [name for name, *_ in NAMES[:5]]
        assert page["item2"] == 6
        second = (await members.ask(skip=1)).json()
        assert [row["firstName"] for row in second["item1"]] == ["a\\b"]
        assert second["item2"] == 6

    async def test_past_the_end_the_total_is_still_right(self, members: Members) -> None:
        assert (await members.ask(skip=100_000_000, limit=100)).json() == {"item1": [], "item2": 6}

    async def test_what_cannot_be_answered_is_422(self, members: Members) -> None:
        for query in REFUSED:
            answer = await members.ask(**query)
            assert answer.status_code == 422, query
            assert answer.json()["fields"], query


class TestTotals:
    async def test_a_selection_is_counted_up_to_a_limit(
        self, members: Members, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        everyone = {"filter": "email_address:contains:@company", "limit": 2}
        assert "totalCapped" not in (await members.ask(**everyone)).json()
        for maximum, total, capped in ((7, 6, False), (6, 6, False), (5, 5, True)):
            monkeypatch.setattr("tessera.kit.pagination.MAX_COUNTED", maximum)
            for query in (everyone, {"searchText": "@company", "limit": 2}):
                page = (await members.ask(**query)).json()
                assert (page["item2"], page.get("totalCapped", False)) == (total, capped)
                assert len(page["item1"]) == 2
        last = (await members.ask(**everyone, skip=2)).json()
        assert [row["firstName"] for row in last["item1"]] == ["100%", "a\\b"]
        past = (await members.ask(**everyone, skip=3)).json()
        assert past == {"item1": [], "item2": 5, "totalCapped": True}

    async def test_a_whole_list_has_its_exact_total(
        self, members: Members, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tessera.kit.pagination.MAX_COUNTED", 3)
        page = (await members.ask(sort="firstName:asc")).json()
        assert page.keys() == {"item1", "item2"}
        assert page["item2"] == 6


class TestSearch:
    async def test_finds_whatever_the_case_and_takes_nothing_for_a_wildcard(
        self, members: Members
    ) -> None:
        assert {text: await members.names(searchText=text) for text in SEARCHES} == SEARCHES

    async def test_an_empty_one_finds_all(self, members: Members) -> None:
        assert len(await members.names(searchText="  ")) == 6

    @settings(
        max_examples=20,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(text=st.text(max_size=40), name=st.sampled_from(["contains", "endsWith", "matches"]))
    async def test_no_text_breaks_it(self, members: Members, text: str, name: str) -> None:
        for query in ({"searchText": text}, {"filter": f"lastName:{name}:{text}"}):
            assert (await members.ask(**query)).status_code in {200, 422}


class TestFilters:
    @pytest.mark.spec("2.58", "2.59")
    async def test_filter_operators_find_their_rows(self, members: Members) -> None:
        for filters, found in FILTERED:
            assert await members.names(filter=filters) == found, filters

    async def test_a_value_may_hold_colons(self, members: Members) -> None:
        assert await members.names(filter="dateCreated:lessThan:2026-01-06T00:00:00") == ["Ada"]


class TestSort:
    async def test_rows_are_sorted_by_name_without_regard_to_case(self, members: Members) -> None:
        names = await members.names(sort="firstName:asc")
        assert names == ["100%", "a\\b", "Ada", "İbrahim", "ILSE", "Işıl"]
        assert await members.names(sort="firstName:desc") == names[::-1]

    async def test_rows_are_sorted_by_time(self, members: Members) -> None:
        assert (await members.names(sort="dateCreated:desc"))[0] == "a\\b"

    async def test_pages_of_equal_values_neither_repeat_nor_skip(
        self, client: httpx.AsyncClient, make: Factory, people: People
    ) -> None:
        team = await people.team()
        for _ in range(9):
            await people.person(team.company, first_name="Same")
        headers = await make.session(team.leader)
        seen = []
        for page in range(6):
            query: dict[str, Any] = {"skip": page, "limit": 2, "sort": "firstName:asc"}
            answer = await client.get("/api/users", params=query, headers=headers)
            seen += [row["uuid"] for row in answer.json()["item1"]]
        assert len(seen) == len(set(seen)) == 11


class TestLanguages:
    """People of many languages, found and sorted as their readers expect."""

    FIRST = ("Zed", "Çelik", "Ömer", "celal", "Straße", "Łukasz", "Ilgaz", "ırmak", "O’Neil",
             "إبراهيم", "ابتسام", "مُحَمَّد", "فاطمة", "يحيى")  # fmt: skip

    @pytest.fixture
    async def names(
        self, client: httpx.AsyncClient, make: Factory, people: People
    ) -> Callable[..., Awaitable[list[str]]]:
        team = await people.team()
        for name in self.FIRST:
            await people.person(team.company, first_name=name, last_name="of many")
        members = Members(client, await make.session(team.leader))

        async def names(**query: Any) -> list[str]:
            filters = ["lastName:matches:of many", *query.pop("filter", [])]
            return await members.names(filter=filters, **query)

        return names

    async def test_letters_with_marks_sort_with_their_base_letter(
        self, names: Callable[..., Awaitable[list[str]]]
    ) -> None:
        assert await names(sort="firstName:asc") == [
            "celal", "Çelik", "Ilgaz", "ırmak", "Łukasz", "O’Neil", "Ömer", "Straße", "Zed",
            "ابتسام", "إبراهيم", "فاطمة", "مُحَمَّد", "يحيى",
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("condition", "found"),
        [
            ("matches:celik", ["Çelik"]),
            ("matches:ÇELİK", ["Çelik"]),
            ("startsWith:ce", ["Çelik", "celal"]),
            ("contains:ÇE", ["Çelik", "celal"]),
            ("endsWith:ik", ["Çelik"]),
            ("greaterThan:w", ["Zed", "إبراهيم", "ابتسام", "مُحَمَّد", "فاطمة", "يحيى"]),
            ("lessThan:d", ["Çelik", "celal"]),
            ("matches:strasse", ["Straße"]),
            ("matches:lukasz", ["Łukasz"]),
            ("matches:o'neil", ["O’Neil"]),
            ("startsWith:أب", ["إبراهيم", "ابتسام"]),
            ("matches:محمد", ["مُحَمَّد"]),
            ("matches:مـحـمـد", ["مُحَمَّد"]),
            ("matches:فاطمه", ["فاطمة"]),
            ("matches:يحيي", ["يحيى"]),
        ],
    )
    async def test_filters_compare_without_marks(
        self, names: Callable[..., Awaitable[list[str]]], condition: str, found: list[str]
    ) -> None:
        assert await names(filter=[f"firstName:{condition}"]) == found

    @pytest.mark.parametrize(("text", "found"), [("celik", "Çelik"), ("ابراهيم", "إبراهيم")])
    async def test_search_compares_without_marks(
        self, names: Callable[..., Awaitable[list[str]]], text: str, found: str
    ) -> None:
        assert await names(searchText=text) == [found]

    async def test_the_admin_finds_companies_and_activity(
        self, client: httpx.AsyncClient, make: Factory, people: People, platform: Connection
    ) -> None:
        company = await make.company()
        await platform.execute(
            "UPDATE companies SET name = 'Çelik İnşaat', city = 'İzmir' WHERE id = $1", company.id
        )
        await platform.execute(
            "UPDATE companies SET name = 'Zorlu' WHERE id = $1", (await make.company()).id
        )
        leader = await people.person(company, "teamLeader", "Ayşe", "Çiçek")
        member = await people.person(company)
        changed = await client.put(
            f"/api/user/status/{member.uuid}",
            headers=await make.session(leader, verified=True),
            json={"enabled": False},
        )
        assert changed.status_code == 200
        admin = await make.session(await people.admin())

        async def count(path: str, **query: str) -> int:
            answer = await client.get(path, headers=admin, params=query)
            total: int = answer.json()["item2"]
            return total

        assert await count("/api/companies", searchText="celik ins") == 1
        assert await count("/api/companies", filter="city:matches:izmir") == 1
        assert await count("/api/companies", filter="city:greaterThan:j") == 0
        assert await count("/api/companies", filter="name:greaterThan:w") == 1
        assert await count("/api/admin/activity", searchText="cicek") == 1
        assert await count("/api/admin/activity", filter="actorName:matches:ayse cicek") == 1
        assert await count("/api/admin/activity", filter="companyName:startsWith:celik") == 1


@pytest.mark.extended
class TestLargeCompany:
    """Above five thousand people, search uses the trigram index first."""

    async def test_search_in_a_large_company_finds_the_same(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        people: People,
        platform: Connection,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        team, other = await people.team(), await people.team()
        await people.person(other.company, first_name="Işıl", last_name="Elsewhere")
        await people.person(team.company, first_name="Işıl", last_name="Here")
        await platform.execute(
            "INSERT INTO users (uuid, company_id, first_name, last_name, email, email_folded,"
            " phone_number, role, salt, password_hash, sealed_user_key)"
            " SELECT gen_random_uuid(), $1, 'Person', n::text, n || '@many.test',"
            " n || '@many.test', '', 'teamMember', decode(repeat('00', 16), 'hex'), '!', ''"
            " FROM generate_series(10001, 15100) n",
            team.company.id,
        )
        headers = await make.session(team.leader)

        async def found(text: str) -> tuple[int, bool]:
            query = {"searchText": text}
            answer = (await client.get("/api/users", params=query, headers=headers)).json()
            assert len(answer["item1"]) == min(5, answer["item2"])
            return answer["item2"], "totalCapped" in answer

        with_123 = sum("123" in str(n) for n in range(10_001, 15_101))
        assert with_123 > 50
        for maximum in (10_000, 50):
            monkeypatch.setattr("tessera.kit.pagination.MAX_COUNTED", maximum)
            assert await found("IŞIL") == (1, False)
            assert await found("12345@many") == (1, False)
            # In every row: counted by reading them.
            assert await found("@many.test") == (min(5_100, maximum), maximum == 50)
            # In few rows: counted by the index.
            assert await found("123") == (min(with_123, maximum), maximum == 50)
            assert await found("elsewhere") == (0, False)
            assert await found("150%") == (0, False)
            # Three characters that fold to one letter.
            assert await found("i\u0307\u0307") == (1, False)

    async def test_rows_of_other_companies_do_not_hide_its_own(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        people: People,
        platform: Connection,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """More rows than may be counted contain the term, and most belong to other companies."""
        monkeypatch.setattr("tessera.kit.pagination.MAX_COUNTED", 50)
        mine, other = await people.team(), await people.team()
        add = (
            "INSERT INTO invites (company_id, email, email_folded, token_hash, expires_at)"
            " SELECT $1, address, address, sha256(($1::int || address)::bytea),"
            " now() + interval '7 days' FROM (SELECT n || $2::text AS address"
            " FROM generate_series(1, $3::int) n) given"
        )
        await platform.execute(add, other.company.id, "@shared.test", 300)
        await platform.execute(add, mine.company.id, "@shared.test", 20)
        await platform.execute(add, mine.company.id, "@many.test", 5_100)
        headers = await make.session(mine.leader)
        for term, total in (("@shared", 20), ("19@shared", 1)):
            query: dict[str, Any] = {"searchText": term, "limit": 100}
            answer = (await client.get("/api/invites", params=query, headers=headers)).json()
            assert (answer["item2"], len(answer["item1"])) == (total, total)


@pytest.mark.extended
class TestLargeList:
    """Searches by the index find exactly the rows that a scan finds, in the same order."""

    FEW = ("Zoë", "Quentin", "Şzymon", "Ğq", "إx", "فاطمة", "q%", "_q", "a\\b", "O'q", "“x”",
           "zq z")  # fmt: skip
    TERMS = (
        "q", "Q", "z", "zq", "qz", "q%", "%", "_", "_q", "\\", "\\b", "a\\b", "'", "o'", "'q",
        "*", "&", "!", ":", "x", "“", "“x", "ğ", "Ğ", "ş", "Şz", "ë", "إ", "ا", "أx", "ة", "مه",
        "فا", "j", "a1", "123", "\u0307",
    )  # fmt: skip

    @pytest.fixture
    async def team(self, people: People, platform: Connection) -> Team:
        mine, other = await people.team(), await people.team()
        for team in (mine, other):
            for first in self.FEW:
                await people.person(team.company, first_name=first, last_name="Few")
            await platform.execute(
                "INSERT INTO users (uuid, company_id, first_name, last_name, email, email_folded,"
                " phone_number, role, salt, password_hash, sealed_user_key)"
                " SELECT gen_random_uuid(), $1::int, concat('P', CASE n % 100 WHEN 1 THEN 'j' END),"
                " n::text, address, address, '', 'teamMember', decode(repeat('00', 16), 'hex'),"
                " '!', '' FROM generate_series(10001, 15100) n,"
                " concat(n, '@', $1::int, '.test') AS address",
                team.company.id,
            )
        return mine

    async def test_terms_of_any_length(
        self, client: httpx.AsyncClient, make: Factory, team: Team, platform: Connection
    ) -> None:
        headers = await make.session(team.leader)
        found, expected = {}, {}
        for term in self.TERMS:
            query: dict[str, Any] = {"searchText": term, "limit": 100}
            page = (await client.get("/api/users", params=query, headers=headers)).json()
            found[term] = page["item2"], [row["uuid"] for row in page["item1"]]
            uuids = await platform.fetchval(
                "SELECT array_agg(uuid::text ORDER BY id) FROM users"
                " WHERE company_id = $1 AND position(fold_text($2) IN search_text) > 0",
                team.company.id,
                term,
            )
            expected[term] = len(uuids or []), (uuids or [])[:100]
        assert found == expected
        assert {len(uuids) for _, uuids in found.values()} > {0, 1, 2, 51, 100}

    async def test_pages_filters_and_orders(
        self, client: httpx.AsyncClient, make: Factory, team: Team
    ) -> None:
        headers = await make.session(team.leader)

        async def names(**query: Any) -> tuple[int, list[str]]:
            answer = await client.get("/api/users", params=query, headers=headers)
            page = answer.json()
            return page["item2"], [row["lastName"] for row in page["item1"]]

        numbers = [str(n) for n in range(10_001, 15_101, 100)]
        for term in ("j", "pj", "pj 1"):
            search = {"searchText": term}
            for skip in range(3):
                page = numbers[skip * 20 : skip * 20 + 20]
                assert await names(**search, skip=skip, limit=20) == (51, page)
                assert await names(**search, skip=skip, limit=20, sort="lastName:desc") == (
                    51,
                    numbers[::-1][skip * 20 : skip * 20 + 20],
                )
            assert await names(**search, skip=3, limit=20) == (51, [])
            assert await names(**search, filter="lastName:endsWith:001") == (
                6, [n for n in numbers if n.endswith("001")][:5],
            )  # fmt: skip

    async def test_the_index_answers_for_the_company_of_the_transaction(
        self, app: object, team: Team, platform: Connection
    ) -> None:
        database: Database = app.state.resources.database  # type: ignore[attr-defined]
        for term in ("j", "pj", "zq", "few"):
            own = await platform.fetchval(
                "SELECT array_agg(id ORDER BY id) FROM users"
                " WHERE company_id = $1 AND position($2 IN search_text) > 0",
                team.company.id,
                term,
            )
            async with database.tenant(team.company.id) as connection:
                [(ids, total)] = await connection.fetch(
                    "SELECT * FROM member_matches($1, 99, NULL, NULL, NULL)", term
                )
                assert (sorted(ids), total) == (own, len(own)), term
                page = "SELECT ids FROM member_matches($1, 99, 1, 2, $2)"
                assert await connection.fetchval(page, term, False) == own[1:3], term
                assert await connection.fetchval(page, term, True) == own[::-1][1:3], term

    async def test_the_end_of_a_text_and_the_newest_first(
        self, client: httpx.AsyncClient, make: Factory, people: People, platform: Connection
    ) -> None:
        """An invite's searched text ends with its address."""
        team = await people.team()
        for count, ending in ((5_100, "@many.test"), (7, "@few.vq"), (2, "@few.v")):
            await platform.execute(
                "INSERT INTO invites (company_id, email, email_folded, token_hash, expires_at)"
                " SELECT $1, address, address, sha256(address::bytea), now() + interval '7 days'"
                " FROM generate_series(1, $3::int) n, concat(n, $2::text) AS address",
                team.company.id,
                ending,
                count,
            )
        headers = await make.session(team.leader)
        few, more = ["2@few.v", "1@few.v"], [f"{n}@few.vq" for n in range(7, 0, -1)]
        for term, found in (("q", more), ("vq", more), ("v", few + more), (".v", few + more)):
            query: dict[str, Any] = {"searchText": term, "limit": 5, "skip": 1}
            page = (await client.get("/api/invites", params=query, headers=headers)).json()
            assert page["item2"] == len(found)
            assert [row["email_address"] for row in page["item1"]] == found[5:]


class TestIndex:
    """The search index on the embedded PostgreSQL, which has no extension for it."""

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT id FROM companies WHERE trigram_vector(search_text) @@ trigram_query($1)",
            "SELECT id FROM users WHERE trigram_vector(search_text) @@ trigram_query($1)",
            "SELECT id FROM activity WHERE trigram_vector(search_text) @@ trigram_query($1)",
        ],
    )
    @pytest.mark.parametrize("term", ["nordl", "n"])
    async def test_search_can_go_by_index(self, platform: Connection, sql: str, term: str) -> None:
        async with platform.transaction():
            await platform.execute("SET LOCAL enable_seqscan = off")
            plan = "\n".join(row[0] for row in await platform.fetch(f"EXPLAIN {sql}", term))
        assert "_by_text" in plan

    @pytest.mark.parametrize("column", ["first_name_folded", "email_sorted", "created_at"])
    async def test_deep_pages_read_the_index_alone(self, platform: Connection, column: str) -> None:
        async with platform.transaction():
            await platform.execute("SET LOCAL enable_seqscan = off")
            await platform.execute("SET LOCAL enable_sort = off")
            await platform.execute("SET LOCAL enable_bitmapscan = off")
            rows = await platform.fetch(
                "EXPLAIN SELECT id FROM users WHERE company_id = 2"
                f" ORDER BY {column}, id LIMIT 5 OFFSET 25000"
            )
        assert "Index Only Scan" in "\n".join(row[0] for row in rows)
