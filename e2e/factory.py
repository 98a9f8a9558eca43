"""Creates companies, accounts and sessions directly in the server's database."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from typing import Any, Self
from uuid import UUID, uuid4

import asyncpg
import httpx

from accounts import PASSPHRASE, PASSWORD, Account, Company
from event_loop import EventLoopThread
from tessera.auth import queries as auth_queries
from tessera.auth.passwords.hashing import hash_secret
from tessera.auth.provisioning import NewAccount, set_first_passphrase
from tessera.authz import queries as authz_queries
from tessera.integrations.cards import disconnect
from tessera.kit.data_keys import current_key
from tessera.kit.database import Connection, Database
from tessera.kit.keys import Keys
from tessera.kit.tokens import hash_handle, new_handle, sign_token
from tessera.kit.workflows import Resources
from tessera.sandbox import demo_warehouses, queries
from tessera.sandbox.demo_subscription import start_trial
from tessera.settings import Settings
from tessera.storage.restores import segments
from tessera.storage.restores import service as restores
from tessera.subscription.queries import set_warehouse_view
from tessera_core.envelopes import new_key, open_company_key, open_user_key, seal_user_key
from tessera_core.kdf import Derived, derive

# All accounts share one password, so that its key is derived only once.
SALT = b"sixteen bytes of"
DAY = timedelta(days=1)


@cache
def _derived() -> Derived:
    return derive(PASSWORD, SALT)


class Factory:
    def __init__(self, loop: EventLoopThread, resources: Resources, demo_company_id: int) -> None:
        self._run = loop.run
        self._resources = resources
        self._demo_company_id = demo_company_id
        self._numbers = count()
        self._password_hash = ""

    @classmethod
    async def open(cls, loop: EventLoopThread, settings: Settings) -> Self:
        keys = Keys(settings.platform_key_bytes)
        database = Database(settings)
        await database.__aenter__()
        async with database.platform.transaction() as connection:
            newest = await connection.fetchval("SELECT max(id) FROM companies")
        return cls(loop, Resources(settings, database, keys), newest)

    async def close(self) -> None:
        await disconnect(self._resources.database)
        await self._resources.database.__aexit__(None, None, None)

    def phone(self) -> str:
        """A unique number from the range reserved for examples."""
        number = next(self._numbers)
        return f"+1{701 + number // 100}555{100 + number % 100:04d}"

    def company(
        self,
        *,
        members: int = 0,
        subscribed: bool = True,
        cards: tuple[str, ...] = (),
        warehouses: bool = False,
        language: str = "en",
    ) -> Company:
        """Creates a company with a leader, a member called Omar Haddad and `members` more. `cards`
        starts a trial at the payment sandbox, `warehouses` adds the demo's four warehouses."""
        return self._run(
            self._company(members, subscribed, cards, warehouses=warehouses, language=language)
        )

    def admin(self, language: str = "en") -> Account:
        return self._run(self._admin(language))

    def remove_companies(self) -> None:
        """Removes all companies but the demo's, and resets the attempt counters."""
        self._run(self._remove_companies())

    def token(self, account: Account, *, verified: bool = True) -> str:
        """The token of a new session, `verified` as if the account had just entered a code."""
        return self._run(self._token(account, verified))

    def company_key(self, company: Company) -> bytes:
        """The key of the company's passphrase, opened with the leader's password."""
        return self._run(self._company_key(company))

    def show_first_steps(self, account: Account) -> None:
        """As after signing up."""
        self._run(
            self._execute(
                "UPDATE users SET first_steps_shown = true WHERE email = $1", account.email
            )
        )

    def prove_domain(self, account: Account, domain: str = "") -> None:
        """That of the account's address, or another one of the company."""
        self._run(
            self._execute(
                "INSERT INTO company_domains (company_id, domain, token, proved_at)"
                " SELECT company_id, $2, 'x', now() FROM users WHERE email = $1",
                account.email,
                domain or account.email.rpartition("@")[2],
            )
        )

    def require_sso(self, account: Account) -> None:
        """In the account's company, as if its leader had done so."""
        self._run(
            self._execute(
                "UPDATE companies SET sso_required = true"
                " WHERE id = (SELECT company_id FROM users WHERE email = $1)",
                account.email,
            )
        )

    def end_sessions(self, account: Account) -> None:
        self._run(
            self._execute(
                "UPDATE sessions SET ended_at = now() WHERE ended_at IS NULL AND user_id ="
                " (SELECT id FROM users WHERE email = $1)",
                account.email,
            )
        )

    def end_verification(self, account: Account) -> None:
        """Ends verified access, as if its time had passed."""
        self._run(
            self._execute(
                "UPDATE sessions SET verified_until = NULL WHERE user_id ="
                " (SELECT id FROM users WHERE email = $1)",
                account.email,
            )
        )

    def age_codes(self, account: Account) -> None:
        """Makes the newest code a minute older, so that another one may be sent."""
        self._run(
            self._execute(
                "UPDATE codes SET sent_at = sent_at - interval '1 minute' WHERE user_id ="
                " (SELECT id FROM users WHERE email = $1)",
                account.email,
            )
        )

    def forget_used_codes(self, account: Account) -> None:
        """Lets the current authenticator code be used again, as if it were the next one."""
        self._run(
            self._execute(
                "UPDATE authenticators SET last_step = 0 WHERE user_id ="
                " (SELECT id FROM users WHERE email = $1)",
                account.email,
            )
        )

    def use_coming_codes(self, account: Account) -> None:
        """Marks the authenticator codes of the coming minutes as used, so that a test need not
        enter one twice within its half minute."""
        self._run(
            self._execute(
                "UPDATE authenticators SET last_step = last_step + 100 WHERE user_id ="
                " (SELECT id FROM users WHERE email = $1)",
                account.email,
            )
        )

    def pass_days(self, company: Company, days: int) -> None:
        """Moves everything that the payment sandbox and the service store about this company's
        subscription into the past, and runs what falls due. Other companies are not affected."""
        self._run(self._pass_days(company.id, days))
        address = self._resources.settings.public_url
        clock = f"{address}/sandbox/stripe/clock"
        httpx.post(clock, json={"advanceSeconds": 1}, timeout=60).raise_for_status()

    def begin_restore(self, company: Company) -> None:
        """What the operator and the service do after the database came back from a backup."""
        self._run(self._begin_restore(company.id))

    async def _begin_restore(self, company_id: int) -> None:
        await restores.begin_all(self._resources)
        await segments.read_company(self._resources, company_id)

    async def _company_key(self, company: Company) -> bytes:
        async with self._resources.database.tenant(company.id) as connection:
            row = await connection.fetchrow(
                "SELECT u.uuid, c.uuid AS company_uuid, u.salt, u.sealed_user_key,"
                " k.sealed_company_key FROM users u JOIN companies c ON c.id = u.company_id"
                " JOIN company_keys k ON k.company_id = u.company_id AND k.user_id = u.id"
                " WHERE u.email = $1",
                company.leader.email,
            )
        assert row is not None
        ids = {"uid": str(row["uuid"]), "cid": str(row["company_uuid"])}
        opened = open_user_key(
            row["sealed_user_key"], wrap_key=_derived().wrap_key, salt=row["salt"], **ids
        )
        return open_company_key(row["sealed_company_key"], user_key=opened, **ids)

    async def _execute(self, sql: str, email: str, *values: str) -> None:
        """In the account's company: the platform has no right to codes and authenticators."""
        database = self._resources.database
        async with database.platform.transaction() as connection:
            company_id = await connection.fetchval(
                "SELECT company_id FROM users WHERE email = $1", email
            )
        async with database.tenant(company_id) as connection:
            await connection.execute(sql, email, *values)

    async def _company(
        self,
        members: int,
        subscribed: bool,
        cards: tuple[str, ...],
        *,
        warehouses: bool,
        language: str,
    ) -> Company:
        uuid, number = uuid4(), next(self._numbers)
        name, domain = f"Harbour {number} Ltd", f"harbour-{number}.test"
        async with self._resources.database.platform.transaction() as connection:
            until = datetime.now(UTC) + (DAY * 30 if subscribed else -DAY)
            row = (
                uuid, name, f"office@{domain}", "+12025550110", "14 Harbour Street", "Portland",
                "ME", "04101", True, until, datetime.now(UTC),
            )  # fmt: skip
            [company_id] = await queries.add_companies(connection, [row])
            people = [
                await self._account(connection, (company_id, uuid), who, domain, language)
                for who in (("Ada", "Lindqvist", "teamLeader"), ("Omar", "Haddad", "teamMember"))
            ]
            (leader, holder), (member, _) = people
            if members:
                await self._colleagues(connection, company_id, domain, members)
        async with self._resources.database.tenant(company_id) as connection:
            await set_first_passphrase(connection, company_id, uuid, holder, PASSPHRASE)
        company = Company(company_id, name, leader, member)
        if cards:
            await start_trial(
                self._resources,
                company.id,
                key=f"company-{company.id}",
                company_uuid=uuid,
                name=company.name,
                email=company.leader.email,
                cards=cards,
            )
        if warehouses:
            await self._add_warehouses(company)
        return company

    async def _account(
        self,
        connection: Connection,
        company: tuple[int, UUID],
        who: tuple[str, str, str],
        domain: str,
        language: str,
    ) -> tuple[Account, NewAccount]:
        company_id, company_uuid = company
        uuid, user_key = uuid4(), new_key()
        first_name, last_name, role = who
        account = Account(
            f"{first_name.lower()}@{domain}", self.phone(), f"{first_name} {last_name}"
        )
        self._password_hash = self._password_hash or await hash_secret(_derived().auth)
        user_id = await auth_queries.add_user(
            connection,
            uuid=uuid,
            company_id=company_id,
            first_name=first_name,
            last_name=last_name,
            email=account.email,
            email_folded=account.email,
            phone_number=account.phone,
            role=role,
            language=language,
            salt=SALT,
            password_hash=self._password_hash,
            sealed_user_key=seal_user_key(
                user_key,
                wrap_key=_derived().wrap_key,
                uid=str(uuid),
                cid=str(company_uuid),
                salt=SALT,
            ),
        )
        return account, NewAccount(user_id, uuid, user_key)

    async def _admin(self, language: str) -> Account:
        domain = f"platform-{next(self._numbers)}.test"
        async with self._resources.database.platform.transaction() as connection:
            uuid = await authz_queries.company_uuid(connection, 1)
            assert uuid is not None
            who = ("Grace", "Okafor", "admin")
            account, _ = await self._account(connection, (1, uuid), who, domain, language)
        return account

    async def _colleagues(
        self, connection: Connection, company_id: int, domain: str, members: int
    ) -> None:
        """Adds members who cannot log in."""
        joined = datetime.now(UTC) - DAY
        await queries.add_people(
            connection,
            [
                (
                    uuid4(), company_id, f"Person {number}", "Moreau",
                    (address := f"person{number}@{domain}"), address, self.phone(), "teamMember",
                    True, SALT, "!", "", joined - DAY * number,
                )
                for number in range(1, members + 1)
            ],
        )  # fmt: skip

    async def _add_warehouses(self, company: Company) -> None:
        resources = self._resources
        async with resources.database.tenant(company.id) as connection:
            await set_warehouse_view(connection, company.id, True)
            key = await current_key(connection, resources, company.id)
            samples = [
                replace(sample, credentials=_own_place(sample.credentials, company.id))
                for sample in demo_warehouses.NORTHWIND
            ]
            ids = [
                await demo_warehouses.add_sample(connection, key, company.id, sample)
                for sample in samples
            ]
        for warehouse_id, sample in zip(ids, samples, strict=True):
            await demo_warehouses.check_sample(resources, company.id, warehouse_id, sample)

    async def _token(self, account: Account, verified: bool) -> str:
        now = datetime.now(UTC)
        async with self._resources.database.platform.transaction() as connection:
            user = await connection.fetchrow(
                "SELECT company_id, id FROM users WHERE email = $1", account.email
            )
            assert user
            handle = new_handle(user["company_id"])
            await connection.execute(
                "INSERT INTO sessions (company_id, user_id, handle_hash, expires_at,"
                " verified_until, origin) VALUES ($1, $2, $3, $4, $5, 'test')",
                *user,
                hash_handle(handle),
                now + timedelta(hours=12),
                now + timedelta(hours=1) if verified else None,
            )
        return sign_token(self._resources.keys, handle, now + timedelta(hours=12))

    async def _remove_companies(self) -> None:
        # A health check that still runs locks the same rows in another order.
        with suppress(asyncpg.DeadlockDetectedError):
            await self._delete_companies()
            return
        await self._remove_companies()

    async def _delete_companies(self) -> None:
        async with self._resources.database.platform.transaction() as connection:
            await connection.execute("DELETE FROM companies WHERE id > $1", self._demo_company_id)
            await connection.execute("DELETE FROM users WHERE email LIKE '%@platform-%'")
            await connection.execute("DELETE FROM counters")

    async def _pass_days(self, company_id: int, days: int) -> None:
        past = DAY * days
        async with self._resources.database.platform.transaction() as connection:
            customer = await connection.fetchval(
                "UPDATE companies SET subscribed_until = subscribed_until - $2::interval"
                " WHERE id = $1 RETURNING customer_id",
                company_id,
                past,
            )
            await connection.execute(
                "UPDATE subscriptions SET trial_end = trial_end - $2::interval,"
                " current_period_start = current_period_start - $2::interval,"
                " current_period_end = current_period_end - $2::interval,"
                " cancel_at = cancel_at - $2::interval,"
                " next_period_end = next_period_end - $2::interval,"
                " past_due_since = past_due_since - $2::interval,"
                " ended_at = ended_at - $2::interval"
                " WHERE company_id = $1",
                company_id,
                past,
            )
            objects = await connection.fetch(
                "SELECT id, body FROM sandbox_stripe_objects WHERE customer = $1 OR id = $1",
                customer,
            )
            await connection.executemany(
                "UPDATE sandbox_stripe_objects SET body = $2 WHERE id = $1",
                [
                    (
                        row["id"],
                        json.dumps(_moved(json.loads(row["body"]), int(past.total_seconds()))),
                    )
                    for row in objects
                ],
            )


def _moved(value: Any, seconds: int) -> Any:  # noqa: ANN401 - any JSON
    """Shifts times, which are the only large numbers in the payment sandbox's objects."""
    if isinstance(value, dict):
        return {name: _moved(part, seconds) for name, part in value.items()}
    if isinstance(value, list):
        return [_moved(part, seconds) for part in value]
    is_time = isinstance(value, int) and value > 1_000_000_000
    return value - seconds if is_time else value


def _own_place(form: Mapping[str, str], company_id: int) -> dict[str, str]:
    """The same form with a location in the cloud that no other company uses."""
    names = ("bucket_name", "application_name")
    changed = {name: f"{form[name]}-{company_id}" for name in names if name in form}
    if not changed:
        changed = {"path": f"{form['path']}/{company_id}"}
    return {**form, **changed}
