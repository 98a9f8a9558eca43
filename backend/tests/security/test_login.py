import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tessera.auth.passwords import hashing
from tessera.kit.database import Connection, Pool
from tests.factories.accounts import Factory, Outbox, User, derived_secret
from tests.security.attacker import error_of, together, wrong_code

LOGIN, VERIFY = "/api/auth/login-onboard", "/api/auth/verify-otp"
ENUMERATED = ("prelogin", "login-onboard", "verify-otp", "forgot-password")


def guess(address: str, call: str) -> dict[str, str]:
    body = {"emailAddress": address}
    if call in {"login-onboard", "verify-otp"}:
        body["password"] = derived_secret()
    return body | ({"otp": "000000"} if call == "verify-otp" else {})


async def signed_in(client: httpx.AsyncClient, outbox: Outbox, user: User) -> dict[str, str]:
    assert (await client.post(LOGIN, json=user.credentials)).status_code == 200
    code = await outbox.code(user.phone_number)
    answer = await client.post(VERIFY, json={**user.credentials, "otp": code})
    return {"Authorization": f"Bearer {answer.json()['access_token']}"}


class TestEnumeration:
    @pytest.mark.parametrize("call", ENUMERATED)
    async def test_known_and_unknown_addresses_get_equal_answers(
        self, client: httpx.AsyncClient, make: Factory, call: str
    ) -> None:
        users = [await make.user(), await make.user(is_active=False)]
        answers = [
            await client.post(f"/api/auth/{call}", json=guess(address, call))
            for address in (users[0].email, users[1].email, "no@where.test", "not an address")
        ]
        assert len({answer.status_code for answer in answers}) == 1
        assert len({tuple(sorted(answer.headers)) for answer in answers}) == 1
        if call == "prelogin":
            assert {tuple(answer.json()) for answer in answers} == {("salt", "kdf")}
            assert {len(answer.json()["salt"]) for answer in answers} == {22}
            again = await client.post("/api/auth/prelogin", json=guess("no@where.test", call))
            assert again.json() == answers[2].json()
        else:
            assert len({answer.content for answer in answers}) == 1

    @pytest.mark.parametrize("call", ENUMERATED)
    async def test_known_and_unknown_addresses_cost_equal_work(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        monkeypatch: pytest.MonkeyPatch,
        call: str,
    ) -> None:
        """Known and unknown addresses cost the same number of hashes and transactions."""
        user = await make.user()
        work: Counter[str] = Counter()

        def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
            def count(*arguments: Any) -> Any:
                work[name] += 1
                return function(*arguments)

            return count

        monkeypatch.setattr(hashing, "_verify", counted("hashes", hashing._verify))
        monkeypatch.setattr(Pool, "acquire", counted("transactions", Pool.acquire))
        seen = []
        for address in (user.email, "no@where.test"):
            work.clear()
            await client.post(f"/api/auth/{call}", json=guess(address, call))
            seen.append(dict(work))
        assert seen[0] == seen[1]
        assert seen[0].get("hashes", 0) == (call in {"login-onboard", "verify-otp"})

    async def test_prelogin_reads_nothing_but_the_salt(
        self, client: httpx.AsyncClient, make: Factory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What is read only for known addresses can be measured."""
        user = await make.user()
        statements: list[str] = []
        acquire = Pool.acquire

        def log(record: Any) -> None:
            statements.append(record.query)

        async def logged(pool: Pool, company_id: int | None = None) -> Any:
            connection = await acquire(pool, company_id)
            connection.add_query_logger(log)
            return connection

        monkeypatch.setattr(Pool, "acquire", logged)
        for address in (user.email, "no@where.test"):
            statements.clear()
            await client.post("/api/auth/prelogin", json={"emailAddress": address})
            reads = [each for each in statements if each.startswith("SELECT")]
            assert reads == ["SELECT login_salt($1, $2)"]

    async def test_prelogin_reads_as_many_rows_for_unknown_addresses(
        self, make: Factory, platform: Connection
    ) -> None:
        known = [await make.user(email=f"{name}@where.test") for name in ("aa", "bb", "cc")]
        body = await platform.fetchval("SELECT prosrc FROM pg_proc WHERE proname = 'login_salt'")
        body = re.sub(r"\bfolded\b", "$1::text", re.sub(r"\binvented\b", "$2::bytea", body))
        invented = b"invented salt..."

        def rows_read(node: dict[str, Any]) -> list[int]:
            """The rows that each scan of a plan has read."""
            rows = [row for child in node.get("Plans", []) for row in rows_read(child)]
            if "Relation Name" in node:
                assert not node.get("Rows Removed by Filter")
                rows.append(round(node["Actual Rows"] * node["Actual Loops"]))
            return rows

        found, work = {}, {}
        transaction = platform.transaction()
        await transaction.start()
        try:
            # In a small table the planner may read more at the same cost.
            await platform.execute(
                "INSERT INTO users (uuid, company_id, first_name, last_name, email, email_folded,"
                " phone_number, role, salt, password_hash, sealed_user_key)"
                " SELECT gen_random_uuid(), $1, 'Ada', 'Adams', address, address, '',"
                " 'teamMember', $2, '!', '' FROM generate_series(1, 2000) n,"
                " concat(n, '@many.test') AS address",
                known[0].company.id,
                invented,
            )
            await platform.execute("ANALYZE users, user_emails")
            for address in ("aa@where.test", "bb@where.test", "ab@where.test", "ba@where.test"):
                found[address] = await platform.fetchval(body, address, invented)
                plan = await platform.fetchval(
                    f"EXPLAIN (ANALYZE, FORMAT JSON) {body}", address, invented
                )
                work[address] = rows_read(json.loads(plan)[0]["Plan"])
        finally:
            await transaction.rollback()
        assert [found[user.email] for user in known[:2]] == [user.salt for user in known[:2]]
        assert found["ab@where.test"] == found["ba@where.test"] == invented
        assert list(work.values()) == [[1, 1]] * 4

    @pytest.mark.parametrize("changed_settings", [{"limits": {"prelogin": 5}}])
    async def test_prelogin_is_limited_per_origin(self, client: httpx.AsyncClient) -> None:
        statuses = [
            (
                await client.post("/api/auth/prelogin", json=guess(f"{number}@where.test", ""))
            ).status_code
            for number in range(7)
        ]
        assert statuses == [200] * 5 + [429] * 2

    async def test_known_and_unknown_addresses_are_locked_alike(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        seen = [
            [
                error_of(await client.post(LOGIN, json=guess(address, "login-onboard")))
                for _ in range(12)
            ]
            for address in (user.email, "no@where.test")
        ]
        assert seen[0] == seen[1]
        assert seen[0][-1] == (429, "too_many_tries")


class TestPasswordOracle:
    async def test_password_tries_are_shared_by_both_login_calls(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        for number in range(10):
            call = ("login-onboard", "verify-otp")[number % 2]
            answer = await client.post(f"/api/auth/{call}", json=guess(user.email, call))
            assert error_of(answer) == (401, "login_failed")
        assert error_of(await client.post(LOGIN, json=user.credentials)) == (429, "too_many_tries")
        late = await client.post(VERIFY, json={**user.credentials, "otp": "000000"})
        assert error_of(late) == (429, "too_many_tries")

    async def test_a_right_password_elsewhere_gives_no_tries_back(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        victim, attacker = await make.user(), await make.user()
        for _ in range(10):
            await client.post(LOGIN, json=guess(victim.email, "login-onboard"))
            await client.post(LOGIN, json=attacker.credentials)
        locked = await client.post(LOGIN, json=guess(victim.email, "login-onboard"))
        assert error_of(locked) == (429, "too_many_tries")

    async def test_parallel_guesses_count_one_by_one(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        answers = await together(
            [lambda: client.post(LOGIN, json=guess(user.email, "login-onboard"))] * 25
        )
        assert sorted(error_of(answer)[0] for answer in answers) == [401] * 10 + [429] * 15

    async def test_a_thief_of_a_session_guesses_the_old_password_ten_times(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        headers = await make.session(user)
        body = {"password": derived_secret(), "salt": "A" * 22, "userKey": "x"}
        answers = await together(
            [
                lambda: client.put(
                    "/api/auth/password",
                    json={**body, "oldPassword": derived_secret()},
                    headers=headers,
                )
            ]
            * 14
        )
        assert sorted(answer.status_code for answer in answers) == [403] * 10 + [429] * 4


class TestCodes:
    async def test_brute_force_with_fifty_parallel_guesses(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        await client.post(LOGIN, json=user.credentials)
        body = {**user.credentials, "otp": await wrong_code(outbox, user.phone_number)}
        answers = await together([lambda: client.post(VERIFY, json=body)] * 50)
        assert {answer.status_code for answer in answers} <= {400, 429, 503}
        assert sum(error_of(answer)[1] == "code_wrong" for answer in answers) <= 4
        assert await platform.fetchval("SELECT max(tries) FROM codes") <= 5
        right = {**user.credentials, "otp": await outbox.code(user.phone_number)}
        assert (await client.post(VERIFY, json=right)).status_code in {400, 429}

    async def test_brute_force_of_verified_access(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        headers = await make.session(user)
        await client.post("/api/auth/generate-otp", headers=headers)
        wrong = await wrong_code(outbox, user.phone_number)
        answers = await together([lambda: client.post(f"{VERIFY}/{wrong}", headers=headers)] * 50)
        codes = sorted(error_of(answer) for answer in answers)
        assert codes == [(400, "code_used_up")] * 46 + [(400, "code_wrong")] * 4
        right = await outbox.code(user.phone_number)
        assert (
            error_of(await client.post(f"{VERIFY}/{right}", headers=headers))[1] == "code_used_up"
        )

    async def test_used_code_is_refused(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        await signed_in(client, outbox, user)
        body = {**user.credentials, "otp": await outbox.code(user.phone_number)}
        answers = await together([lambda: client.post(VERIFY, json=body)] * 4)
        assert {error_of(answer) for answer in answers} == {(400, "code_expired")}

    async def test_code_of_another_purpose_is_refused(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        headers = await make.session(user, verified=True)
        await client.post(LOGIN, json=user.credentials)
        login = await outbox.code(user.phone_number)
        for path, body in ((f"{VERIFY}/{login}", None), (
            "/api/auth/profile/phone/confirm", {"otp": login}
        )):  # fmt: skip
            crossed = await client.post(path, json=body, headers=headers)
            assert error_of(crossed) == (400, "code_expired")
        await platform.execute("DELETE FROM codes")
        await client.post("/api/auth/generate-otp", headers=headers)
        verify = await outbox.code(user.phone_number)
        crossed = await client.post(VERIFY, json={**user.credentials, "otp": verify})
        assert error_of(crossed) == (400, "code_expired")

    async def test_across_sessions_and_people(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user, colleague = await make.user(), await make.user()
        mine, stolen = await make.session(user), await make.session(user)
        foreign = await make.session(colleague)
        await client.post("/api/auth/generate-otp", headers=mine)
        code = await outbox.code(user.phone_number)
        for headers in (stolen, foreign):
            await client.post("/api/auth/generate-otp", headers=headers)
            tried = await client.post(f"{VERIFY}/{code}", headers=headers)
            if tried.status_code == 200:
                pytest.skip("two random codes were equal")
            assert error_of(tried) == (400, "code_wrong")

    async def test_expired_code_is_refused(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        await client.post(LOGIN, json=user.credentials)
        lasting = await platform.fetchval("SELECT expires_at - sent_at FROM codes")
        assert lasting.total_seconds() == 300
        await platform.execute("UPDATE codes SET expires_at = now()")
        body = {**user.credentials, "otp": await outbox.code(user.phone_number)}
        assert error_of(await client.post(VERIFY, json=body)) == (400, "code_expired")
