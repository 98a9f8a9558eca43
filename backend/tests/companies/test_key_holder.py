"""The second key holder: named, renewed, removed, and what they do with the key."""

import asyncio
from typing import Any

import asyncpg
import httpx
import pytest

from tessera.kit.database import Connection
from tessera_core import base64url
from tessera_core.envelopes import open_company_key, open_passphrase, seal_company_key
from tessera_core.handovers import KeyHandover, seal_key_handover
from tessera_core.user_keys import PrivateKeys
from tests.auth.test_passwords import new_password
from tests.companies.test_passphrase import KEY, pair
from tests.factories.accounts import Factory, Outbox, User
from tests.factories.people import People, Team
from tests.security.attacker import error_of
from tests.storage.client import Device

PASSPHRASE = "three clouds, one mosaic"
HOLDER, HELD = "/company/key-holder", "/company/held-key"


class World:
    """A leader with a passphrase and keys, and a member with keys, each logged in."""

    def __init__(
        self, client: httpx.AsyncClient, team: Team, make: Factory, leader: Device, member: Device
    ) -> None:
        self.client, self.team, self.make = client, team, make
        self.leader, self.member = leader, member
        self.company_key = b""

    async def device(self, user: User) -> Device:
        return Device(self.client, user, await self.make.session(user, verified=True))

    async def call(
        self, device: Device, method: str, path: str, body: Any = None
    ) -> httpx.Response:
        return await self.client.request(method, f"/api{path}", json=body, headers=device.headers)

    async def get(self, device: Device, path: str) -> Any:
        answer = await self.call(device, "GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def keep_passphrase(self, epoch: int = 1) -> None:
        sealed = pair(self.leader.user, epoch, PASSPHRASE)
        answer = await self.call(self.leader, "PUT", "/company/passphrase", {"passphrase": sealed})
        assert answer.status_code == 204
        uid, cid = str(self.leader.user.uuid), str(self.team.company.uuid)
        self.company_key = open_company_key(sealed.split("~")[0], user_key=KEY, uid=uid, cid=cid)

    def sealed(self, sender: Device, recipient: Device, epoch: int = 1) -> str:
        handover = seal_key_handover(
            self.company_key,
            recipient.keys.public,
            company=self.team.company.uuid,
            sender=sender.user.uuid,
            recipient=recipient.user.uuid,
            epoch=epoch,
            signer=sender.keys,
        )
        return base64url.encode(handover.encode())

    async def name(self, device: Device | None = None, epoch: int = 1) -> httpx.Response:
        device = device or self.member
        sealed = self.sealed(self.leader, device, epoch)
        body = {"uuid": str(device.user.uuid), "keyHandover": sealed}
        return await self.call(self.leader, "PUT", HOLDER, body)

    async def hand_over(self, epoch: int = 1) -> httpx.Response:
        body = {"keyHandover": self.sealed(self.member, self.leader, epoch)}
        return await self.call(self.member, "PUT", f"{HELD}/leader", body)

    async def another(self, people: People) -> Device:
        device = await self.device(await people.person(self.team.company))
        await device.register_keys()
        return device


@pytest.fixture
async def world(client: httpx.AsyncClient, people: People, make: Factory) -> World:
    team = await people.team()
    leader, member = [
        Device(client, user, await make.session(user, verified=True))
        for user in (team.leader, team.member)
    ]
    world = World(client, team, make, leader, member)
    await world.keep_passphrase()
    await leader.register_keys()
    await member.register_keys()
    return world


@pytest.fixture
async def held(world: World) -> World:
    """The member is the second key holder."""
    answer = await world.name()
    assert answer.status_code == 200, answer.text
    return world


async def rows(platform: Connection) -> list[tuple[str, int]]:
    found = await platform.fetch("SELECT purpose, epoch FROM key_handovers ORDER BY user_id")
    return [tuple(row) for row in found]


async def actions(platform: Connection) -> list[tuple[str, str]]:
    found = await platform.fetch(
        "SELECT action, target FROM activity WHERE action LIKE 'keyHolder.%'"
        " OR action = 'passphrase.revealedByHolder' ORDER BY id"
    )
    return [tuple(row) for row in found]


async def subjects(outbox: Outbox, address: str) -> list[str]:
    return [mail["subject"] for mail in await outbox.messages() if mail["to"] == address]


class TestName:
    async def test_the_holder_shows_the_passphrase(
        self, world: World, platform: Connection, outbox: Outbox
    ) -> None:
        assert await world.get(world.leader, HOLDER) is None
        assert await world.get(world.member, HELD) is None
        named = (await world.name()).json()
        assert (named["uuid"], named["isCurrent"]) == (str(world.member.user.uuid), True)
        assert await world.get(world.leader, HOLDER) == named
        mail = await outbox.newest(world.member.user.email)
        assert "named you as the second key holder" in mail["text"]

        own = await world.get(world.member, HELD)
        assert (own["isCurrent"], own["leaderNeedsKey"], own["handedOver"]) == (True, False, False)
        read = await world.get(world.member, f"{HELD}/passphrase")
        handover = KeyHandover.decode(base64url.decode(read["data"]))
        company = world.team.company.uuid
        sender = world.leader.keys.public
        key = handover.open(world.member.keys, sender=sender, company=company)
        opened = open_passphrase(read["passphrase"], company_key=key, cid=str(company), epoch=1)
        assert opened == PASSPHRASE
        mail = await outbox.newest(world.leader.user.email)
        assert "revealed the passphrase on" in mail["text"]
        assert await actions(platform) == [
            ("keyHolder.named", world.member.user.email),
            ("passphrase.revealedByHolder", ""),
        ]

    async def test_the_key_alone_comes_without_the_passphrase(self, held: World) -> None:
        sealed = await held.get(held.member, f"{HELD}/sealed")
        assert sealed.keys() == {"data", "senderKeys", "senderName"}
        assert sealed["senderName"] == "Omar Haddad"

    async def test_the_console_of_the_holder_knows(self, held: World) -> None:
        for device, expected in ((held.leader, False), (held.member, True)):
            answer = await held.get(device, "/auth/login-token")
            assert answer["user"]["isKeyHolder"] is expected

    async def test_revealing_to_a_key_holder_is_limited(self, held: World, outbox: Outbox) -> None:
        path = f"{HELD}/passphrase"
        statuses = [(await held.call(held.member, "GET", path)).status_code for _ in range(22)]
        assert statuses == [200] * 20 + [429] * 2
        mails = await subjects(outbox, held.leader.user.email)
        assert sum("revealed" in subject for subject in mails) == 20

    async def test_a_second_one_is_refused(self, held: World, people: People) -> None:
        other = await held.another(people)
        assert error_of(await held.name(other)) == (409, "key_holder_exists")
        assert (await held.get(held.leader, HOLDER))["uuid"] == str(held.member.user.uuid)

    async def test_two_key_holders_named_at_once_are_one(
        self, world: World, people: People, platform: Connection
    ) -> None:
        other = await world.another(people)
        answers = await asyncio.gather(world.name(), world.name(other))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert await rows(platform) == [("holder", 1)]

    async def test_the_database_allows_one(
        self, held: World, people: People, platform: Connection
    ) -> None:
        other = await people.person(held.team.company)
        with pytest.raises(asyncpg.UniqueViolationError):
            await platform.execute(
                "INSERT INTO key_handovers"
                " (company_id, user_id, purpose, epoch, data, sender_keys)"
                " VALUES ($1, $2, 'holder', 1, $3, '')",
                held.team.company.id, other.id, bytes(1269),
            )  # fmt: skip

    async def test_a_member_without_keys(
        self, world: World, people: People, platform: Connection
    ) -> None:
        other = await world.device(await people.person(world.team.company))
        assert error_of(await world.name(other)) == (409, "key_holder_has_no_keys")
        # After a password reset nobody can open what is sealed to the keys.
        await platform.execute("UPDATE member_keys SET envelope = NULL")
        assert error_of(await world.name()) == (409, "key_holder_has_no_keys")

    async def test_disabled_member_cannot_become_key_holder(self, world: World) -> None:
        uuid = world.member.user.uuid
        await world.call(world.leader, "PUT", f"/user/status/{uuid}", {"enabled": False})
        assert error_of(await world.name()) == (409, "key_holder_not_active")

    async def test_leader_cannot_become_second_key_holder(self, world: World) -> None:
        body = {
            "uuid": str(world.leader.user.uuid),
            "keyHandover": world.sealed(world.leader, world.member),
        }
        answer = await world.call(world.leader, "PUT", HOLDER, body)
        assert error_of(answer) == (422, "key_handover_malformed")

    async def test_key_of_another_epoch_is_refused_for_a_key_holder(self, world: World) -> None:
        assert error_of(await world.name(epoch=2)) == (409, "key_handover_stale")

    async def test_a_leader_without_a_copy(self, world: World, platform: Connection) -> None:
        await platform.execute("DELETE FROM company_keys")
        assert error_of(await world.name()) == (409, "key_handover_stale")

    async def test_what_is_not_sealed_for_the_member(
        self, world: World, people: People, platform: Connection
    ) -> None:
        other = await world.another(people)
        for bad in ("", "AAAA", base64url.encode(world.company_key)):
            body = {"uuid": str(world.member.user.uuid), "keyHandover": bad}
            answer = await world.call(world.leader, "PUT", HOLDER, body)
            assert error_of(answer) == (422, "key_handover_malformed")
        for sealed in (
            world.sealed(world.leader, other),
            world.sealed(other, world.member),
        ):
            body = {"uuid": str(world.member.user.uuid), "keyHandover": sealed}
            answer = await world.call(world.leader, "PUT", HOLDER, body)
            assert error_of(answer) == (422, "key_handover_malformed")
        assert await rows(platform) == []

    async def test_somebody_of_another_company(self, world: World, people: People) -> None:
        stranger = await world.device((await people.team()).member)
        await stranger.register_keys()
        assert error_of(await world.name(stranger)) == (404, "member_not_found")

    async def test_key_holder_is_hidden_from_another_company(
        self, held: World, people: People
    ) -> None:
        other = await people.team()
        leader, member = await held.device(other.leader), await held.device(other.member)
        assert await held.get(leader, HOLDER) is None
        assert (await held.call(leader, "DELETE", HOLDER)).status_code == 204
        assert await held.get(member, HELD) is None
        answer = await held.call(member, "GET", f"{HELD}/passphrase")
        assert error_of(answer) == (404, "key_not_held")
        assert await held.get(held.member, HELD) is not None

    async def test_member_who_is_no_key_holder_holds_nothing(
        self, held: World, people: People
    ) -> None:
        other = await held.another(people)
        assert await held.get(other, HELD) is None
        for method, path, body in (
            ("GET", f"{HELD}/passphrase", None),
            ("GET", f"{HELD}/sealed", None),
            ("PUT", f"{HELD}/leader", {"keyHandover": held.sealed(other, held.leader)}),
        ):
            answer = await held.call(other, method, path, body)
            assert error_of(answer) == (404, "key_not_held")


class TestOutdated:
    async def test_key_holder_is_outdated_after_a_change_until_renewed(
        self, held: World, platform: Connection, outbox: Outbox
    ) -> None:
        before = await held.get(held.leader, HOLDER)
        await held.keep_passphrase(epoch=2)
        assert await held.get(held.leader, HOLDER) == {**before, "isCurrent": False}
        assert (await held.get(held.member, HELD))["isCurrent"] is False
        for path in (f"{HELD}/passphrase", f"{HELD}/sealed"):
            answer = await held.call(held.member, "GET", path)
            assert error_of(answer) == (409, "key_holder_outdated")
        assert error_of(await held.hand_over()) == (409, "key_holder_outdated")

        assert (await held.name(epoch=2)).json() == before
        assert await rows(platform) == [("holder", 2)]
        read = await held.get(held.member, f"{HELD}/passphrase")
        handover = KeyHandover.decode(base64url.decode(read["data"]))
        key = handover.open(
            held.member.keys, sender=held.leader.keys.public, company=held.team.company.uuid
        )
        assert key == held.company_key
        named = "keyHolder.named", held.member.user.email
        assert (await actions(platform))[:2] == [named, ("keyHolder.renewed", named[1])]
        assert len(await subjects(outbox, held.member.user.email)) == 1


class TestHandToLeader:
    async def test_key_holder_hands_the_key_to_a_leader_who_reset_the_password(
        self, held: World, platform: Connection, outbox: Outbox
    ) -> None:
        user = held.leader.user
        await held.client.post("/api/auth/forgot-password", json={"emailAddress": user.email})
        body = {"token": await outbox.token(user.email), **new_password(user)}
        reset = await held.client.post("/api/auth/reset-password", json=body)
        assert reset.status_code == 204, reset.text
        mail = await outbox.newest(held.member.user.email)
        assert "cannot open the company passphrase" in mail["subject"]
        own = await held.get(held.member, HELD)
        assert (own["leaderNeedsKey"], own["leaderPublicKeys"]) == (True, None)
        assert error_of(await held.hand_over()) == (409, "leader_has_no_keys")

        held.leader = await held.device(user)
        locked = await held.call(held.leader, "GET", "/company/passphrase")
        name = "Omar Haddad"
        assert locked.json()["keyHolder"] == name
        assert (await held.get(held.leader, "/company/alerts"))["keyHolder"] == name
        await held.leader.ok("PUT", "/keys", held.leader.keys_body(2))
        own = await held.get(held.member, HELD)
        assert own["leaderPublicKeys"] == base64url.encode(held.leader.keys.public.encode())
        assert (await held.hand_over()).status_code == 204
        assert (await held.get(held.member, HELD))["handedOver"] is True
        mail = await outbox.newest(user.email)
        assert "has handed the company passphrase over to you" in mail["text"]

        read = await held.get(held.leader, "/company/passphrase/handover")
        assert read["senderName"] == name
        handover = KeyHandover.decode(base64url.decode(read["data"]))
        opened = handover.open(
            held.leader.keys, sender=held.member.keys.public, company=held.team.company.uuid
        )
        assert opened == held.company_key
        uid, cid = str(user.uuid), str(held.team.company.uuid)
        sealed = seal_company_key(held.company_key, user_key=KEY, uid=uid, cid=cid, epoch=1)
        path = "/company/passphrase/handover"
        accepted = await held.call(held.leader, "PUT", path, {"companyKey": sealed})
        assert accepted.status_code == 204
        assert await rows(platform) == [("holder", 1)]
        own = await held.get(held.member, HELD)
        assert (own["leaderNeedsKey"], own["handedOver"]) == (False, False)
        assert ("keyHolder.handedOver", user.email) in await actions(platform)

    async def test_a_leader_who_holds_the_key(self, held: World) -> None:
        assert error_of(await held.hand_over()) == (409, "leader_holds_key")

    async def test_key_holder_hands_over_the_current_key_to_the_leader_only(
        self, held: World, people: People, platform: Connection
    ) -> None:
        await platform.execute("DELETE FROM company_keys")
        other = await held.another(people)
        path = f"{HELD}/leader"
        for sealed in (held.sealed(held.member, other), held.sealed(other, held.leader), "AAAA"):
            answer = await held.call(held.member, "PUT", path, {"keyHandover": sealed})
            assert error_of(answer) == (422, "key_handover_malformed")
        assert error_of(await held.hand_over(epoch=2)) == (409, "key_handover_stale")
        # One that does not open does not stay in the way.
        for _ in range(2):
            assert (await held.hand_over()).status_code == 204
        assert await rows(platform) == [("leadership", 1), ("holder", 1)]

    async def test_handing_the_key_to_the_leader_needs_verified_access(
        self, held: World, make: Factory
    ) -> None:
        member = Device(held.client, held.team.member, await make.session(held.team.member))
        leader = Device(held.client, held.team.leader, await make.session(held.team.leader))
        sealed = held.sealed(held.member, held.leader)
        for device, method, path, body in (
            (member, "GET", f"{HELD}/passphrase", None),
            (member, "GET", f"{HELD}/sealed", None),
            (member, "PUT", f"{HELD}/leader", {"keyHandover": sealed}),
            (leader, "PUT", HOLDER, {"uuid": str(member.user.uuid), "keyHandover": sealed}),
            (leader, "DELETE", HOLDER, None),
        ):
            answer = await held.call(device, method, path, body)
            assert error_of(answer) == (403, "verification_required")


class TestAttacks:
    """By a former holder, another member, or a leader of another company with valid keys."""

    async def lose_key(self, platform: Connection) -> None:
        await platform.execute("DELETE FROM company_keys")

    async def test_a_forged_signature_of_the_holder(
        self, held: World, platform: Connection
    ) -> None:
        await self.lose_key(platform)
        forged = seal_key_handover(
            bytes(32),
            held.leader.keys.public,
            company=held.team.company.uuid,
            sender=held.member.user.uuid,
            recipient=held.leader.user.uuid,
            epoch=1,
            signer=PrivateKeys.generate(),
        ).encode()
        for data in (forged, forged[:1205], forged[:1205] + bytes(64)):
            body = {"keyHandover": base64url.encode(data)}
            answer = await held.call(held.member, "PUT", f"{HELD}/leader", body)
            assert error_of(answer) == (422, "key_handover_malformed")
        assert await rows(platform) == [("holder", 1)]

    async def test_the_leaders_own_naming_sent_back(
        self, held: World, platform: Connection
    ) -> None:
        await self.lose_key(platform)
        read = await held.get(held.member, f"{HELD}/sealed")
        answer = await held.call(
            held.member, "PUT", f"{HELD}/leader", {"keyHandover": read["data"]}
        )
        assert error_of(answer) == (422, "key_handover_malformed")

    @pytest.mark.parametrize("removal", ["holder removed", "member disabled", "member deleted"])
    async def test_a_holder_removed_meanwhile(
        self, held: World, platform: Connection, removal: str
    ) -> None:
        """The removal holds the member's row and the company while the handover arrives."""
        await self.lose_key(platform)
        ids = held.team.company.id, held.member.user.id
        transaction = platform.transaction()
        await transaction.start()
        await platform.execute("SELECT FROM companies WHERE id = $1 FOR NO KEY UPDATE", ids[0])
        call = asyncio.create_task(held.hand_over())
        waiting = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"
        # The other session's lock can only be asked for.
        while not call.done() and not await platform.fetchval(waiting):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert not call.done()
        statements = {
            "holder removed": "DELETE FROM key_handovers WHERE company_id = $1 AND user_id = $2",
            "member disabled": (
                "UPDATE sessions SET ended_at = now() WHERE company_id = $1 AND user_id = $2"
            ),
            "member deleted": "DELETE FROM users WHERE company_id = $1 AND id = $2",
        }
        await platform.execute(statements[removal], *ids)
        await transaction.commit()
        answer = await call
        assert answer.status_code in {401, 404}, answer.text
        assert ("leadership", 1) not in await rows(platform)

    async def test_a_naming_of_another_company(
        self, world: World, people: People, platform: Connection
    ) -> None:
        """The same person could lead two companies with the same keys."""
        other = await people.team()
        handover = seal_key_handover(
            world.company_key,
            world.member.keys.public,
            company=other.company.uuid,
            sender=world.leader.user.uuid,
            recipient=world.member.user.uuid,
            epoch=1,
            signer=world.leader.keys,
        )
        sealed = base64url.encode(handover.encode())
        body = {"uuid": str(world.member.user.uuid), "keyHandover": sealed}
        answer = await world.call(world.leader, "PUT", HOLDER, body)
        assert error_of(answer) == (422, "key_handover_malformed")
        assert await rows(platform) == []

    async def test_an_old_naming_after_the_passphrase_changed(self, held: World) -> None:
        old = held.sealed(held.leader, held.member)
        await held.keep_passphrase(epoch=2)
        body = {"uuid": str(held.member.user.uuid), "keyHandover": old}
        answer = await held.call(held.leader, "PUT", HOLDER, body)
        assert error_of(answer) == (409, "key_handover_stale")


class TestEnd:
    async def assert_ended(self, held: World, platform: Connection) -> None:
        assert await rows(platform) == []
        assert (await actions(platform))[-1] == ("keyHolder.removed", held.member.user.email)
        assert await held.get(held.leader, HOLDER) is None

    async def test_the_leader_removes_the_holder(
        self, held: World, platform: Connection, outbox: Outbox
    ) -> None:
        for _ in range(2):
            assert (await held.call(held.leader, "DELETE", HOLDER)).status_code == 204
        await self.assert_ended(held, platform)
        mail = await outbox.newest(held.member.user.email)
        assert "no longer the second key holder" in mail["subject"]
        answer = await held.call(held.member, "GET", f"{HELD}/passphrase")
        assert error_of(answer) == (404, "key_not_held")

    async def test_the_member_is_disabled(self, held: World, platform: Connection) -> None:
        path = f"/user/status/{held.member.user.uuid}"
        await held.call(held.leader, "PUT", path, {"enabled": False})
        await self.assert_ended(held, platform)
        await held.call(held.leader, "PUT", path, {"enabled": True})
        assert await held.get(held.leader, HOLDER) is None

    async def test_members_are_disabled_together(self, held: World, platform: Connection) -> None:
        body = {"uuids": [str(held.member.user.uuid)], "enabled": False}
        await held.call(held.leader, "PUT", "/users/status", body)
        await self.assert_ended(held, platform)

    async def test_the_member_is_removed(self, held: World, platform: Connection) -> None:
        answer = await held.call(held.leader, "DELETE", f"/user/{held.member.user.uuid}")
        assert answer.status_code == 204
        await self.assert_ended(held, platform)

    async def test_the_keys_are_replaced(
        self, held: World, platform: Connection, outbox: Outbox
    ) -> None:
        held.member.keys = PrivateKeys.generate()
        await held.member.ok("PUT", "/keys/replacement", held.member.keys_body(2))
        await self.assert_ended(held, platform)
        mails = await subjects(outbox, held.leader.user.email)
        assert "Omar Haddad no longer holds your company’s key" in mails

    async def test_the_password_is_reset_by_mail(
        self, held: World, platform: Connection, outbox: Outbox
    ) -> None:
        user = held.member.user
        await held.client.post("/api/auth/forgot-password", json={"emailAddress": user.email})
        body = {"token": await outbox.token(user.email), **new_password(user)}
        reset = await held.client.post("/api/auth/reset-password", json=body)
        assert reset.status_code == 204, reset.text
        await self.assert_ended(held, platform)
        mail = await outbox.newest(held.leader.user.email)
        assert "no longer holds your company’s key" in mail["subject"]


class TestLeadership:
    async def lead(self, world: World, device: Device, body: Any = None) -> None:
        path = f"/user/team-leader/{device.user.uuid}"
        answer = await world.call(world.leader, "PUT", path, body)
        assert answer.status_code == 200, answer.text

    async def test_goes_to_the_holder_who_keeps_the_key(
        self, held: World, platform: Connection, outbox: Outbox
    ) -> None:
        await self.lead(held, held.member)
        assert await rows(platform) == [("leadership", 1)]
        mail = await outbox.newest(held.member.user.email)
        assert "You hold the company key already." in mail["text"]
        locked = await held.call(held.member, "GET", "/company/passphrase")
        assert (locked.json()["handedOver"], locked.json()["keyHolder"]) == (True, None)
        assert await held.get(held.member, HOLDER) is None

    async def test_goes_to_a_holder_of_the_former_passphrase(
        self, held: World, platform: Connection
    ) -> None:
        await held.keep_passphrase(epoch=2)
        await self.lead(held, held.member)
        assert await rows(platform) == []
        locked = await held.call(held.member, "GET", "/company/passphrase")
        assert locked.json()["handedOver"] is False

    async def test_goes_to_the_holder_with_the_key(self, held: World, platform: Connection) -> None:
        sealed = held.sealed(held.leader, held.member)
        await self.lead(held, held.member, {"keyHandover": sealed})
        assert await rows(platform) == [("leadership", 1)]

    async def test_goes_to_somebody_else_whom_the_holder_gives_the_key(
        self, held: World, people: People, platform: Connection, outbox: Outbox
    ) -> None:
        other = await held.another(people)
        await self.lead(held, other)
        assert await rows(platform) == [("holder", 1)]
        mail = await outbox.newest(held.member.user.email)
        assert "cannot open the company passphrase" in mail["subject"]
        own = await held.get(held.member, HELD)
        assert (own["leaderNeedsKey"], own["leaderUuid"]) == (True, str(other.user.uuid))
        held.leader = other
        assert (await held.hand_over()).status_code == 204
        # The former leader is not the holder by that.
        former = await held.device(held.team.leader)
        assert await held.get(former, HELD) is None

    async def test_key_holder_keeps_the_key_when_the_platform_changes_the_leader(
        self, held: World, people: People, platform: Connection, outbox: Outbox
    ) -> None:
        admin = await held.device(await people.admin())
        other = await held.another(people)
        query = f"companyId={held.team.company.id}&userId={other.user.uuid}"
        answer = await held.call(admin, "PUT", f"/user/team-leader?{query}")
        assert answer.status_code == 200, answer.text
        mail = await outbox.newest(held.member.user.email)
        assert "cannot open the company passphrase" in mail["subject"]
        query = f"companyId={held.team.company.id}&userId={held.member.user.uuid}"
        answer = await held.call(admin, "PUT", f"/user/team-leader?{query}")
        assert answer.status_code == 200, answer.text
        assert await rows(platform) == [("leadership", 1)]
