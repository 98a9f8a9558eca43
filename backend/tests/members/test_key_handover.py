"""The company key, handed over with team leadership."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from tessera.kit.database import Connection
from tessera_core import base64url
from tessera_core.envelopes import (
    open_company_key,
    open_passphrase,
    open_passphrase_pair,
    seal_company_key,
)
from tessera_core.handovers import KeyHandover, seal_key_handover
from tessera_core.user_keys import PrivateKeys
from tests.companies.test_passphrase import KEY, pair
from tests.factories.accounts import Factory, Outbox, User
from tests.factories.people import People, Team
from tests.security.attacker import error_of
from tests.storage.client import Device

PASSPHRASE = "three clouds, one mosaic"


class World:
    """A leader with a passphrase and a member, both with keys and logged in."""

    def __init__(
        self, client: httpx.AsyncClient, team: Team, sessions: Sequence[Mapping[str, str]]
    ) -> None:
        self.client, self.team = client, team
        self.leader = Device(client, team.leader, dict(sessions[0]))
        self.member = Device(client, team.member, dict(sessions[1]))
        self.company_key = b""

    async def call(
        self, device: Device, method: str, path: str, body: Any = None
    ) -> httpx.Response:
        return await self.client.request(method, f"/api{path}", json=body, headers=device.headers)

    async def keep_passphrase(self, device: Device, epoch: int = 1) -> None:
        sealed = pair(device.user, epoch, PASSPHRASE)
        answer = await self.call(device, "PUT", "/company/passphrase", {"passphrase": sealed})
        assert answer.status_code == 204
        uid, cid = str(device.user.uuid), str(device.user.company.uuid)
        self.company_key = open_company_key(sealed.split("~")[0], user_key=KEY, uid=uid, cid=cid)

    def handover(self, *, signer: PrivateKeys | None = None, **changes: Any) -> KeyHandover:
        given = {
            "company": self.team.company.uuid,
            "sender": self.team.leader.uuid,
            "recipient": self.team.member.uuid,
            "epoch": 1,
            **changes,
        }
        keys = self.member.keys.public
        signer = signer or self.leader.keys
        return seal_key_handover(self.company_key, keys, signer=signer, **given)

    async def transfer(
        self, handover: KeyHandover | bytes, to: UUID | None = None
    ) -> httpx.Response:
        data = handover if isinstance(handover, bytes) else handover.encode()
        body = {"keyHandover": base64url.encode(data)}
        uuid = to or self.team.member.uuid
        return await self.call(self.leader, "PUT", f"/user/team-leader/{uuid}", body)

    def resealed(self, user: User | None = None, epoch: int = 1) -> dict[str, str]:
        user = user or self.team.member
        uid, cid = str(user.uuid), str(user.company.uuid)
        sealed = seal_company_key(self.company_key, user_key=KEY, uid=uid, cid=cid, epoch=epoch)
        return {"companyKey": sealed}


@pytest.fixture
async def world(client: httpx.AsyncClient, people: People, make: Factory) -> World:
    team = await people.team()
    sessions = [await make.session(user, verified=True) for user in (team.leader, team.member)]
    world = World(client, team, sessions)
    await world.keep_passphrase(world.leader)
    for device in (world.leader, world.member):
        await device.register_keys()
    return world


async def waiting(platform: Connection) -> int:
    return int(await platform.fetchval("SELECT count(*) FROM key_handovers"))


class TestHandOver:
    async def test_the_new_leader_reveals_the_passphrase_without_typing_it(
        self, world: World, platform: Connection, outbox: Outbox
    ) -> None:
        shown = await world.call(world.leader, "GET", f"/user/{world.team.member.uuid}/public-keys")
        assert shown.json() == {"publicKeys": base64url.encode(world.member.keys.public.encode())}
        answer = await world.transfer(world.handover())
        assert (answer.status_code, answer.json()["role"]) == (200, "teamLeader")
        mail = await outbox.newest(world.team.member.email)
        assert "has handed the company passphrase over to you" in mail["text"]

        locked = await world.call(world.member, "GET", "/company/passphrase")
        assert (locked.status_code, locked.json()["handedOver"]) == (404, True)
        alerts = (await world.call(world.member, "GET", "/company/alerts")).json()
        assert (alerts["passphraseNeeded"], alerts["passphraseHandedOver"]) == (True, True)

        read = (await world.call(world.member, "GET", "/company/passphrase/handover")).json()
        assert read["senderKeys"] == base64url.encode(world.leader.keys.public.encode())
        assert read["senderName"] == "Omar Haddad"
        handover = KeyHandover.decode(base64url.decode(read["data"]))
        company = world.team.company.uuid
        key = handover.open(world.member.keys, sender=world.leader.keys.public, company=company)
        opened = open_passphrase(
            read["passphrase"], company_key=key, cid=str(company), epoch=handover.epoch
        )
        assert opened == PASSPHRASE
        path = "/company/passphrase/handover"
        accepted = await world.call(world.member, "PUT", path, world.resealed())
        assert accepted.status_code == 204
        revealed = await world.call(world.member, "GET", "/company/passphrase")
        uid, cid = str(world.team.member.uuid), str(company)
        assert open_passphrase_pair(revealed.text, user_key=KEY, uid=uid, cid=cid) == PASSPHRASE
        alerts = (await world.call(world.member, "GET", "/company/alerts")).json()
        assert (alerts["passphraseNeeded"], alerts["passphraseHandedOver"]) == (False, False)
        assert await waiting(platform) == 0
        again = await world.call(world.member, "PUT", path, world.resealed())
        assert error_of(again) == (404, "key_handover_missing")
        actions = await platform.fetch(
            "SELECT action, target FROM activity WHERE action LIKE 'passphrase.hand%' ORDER BY id"
        )
        assert [tuple(row) for row in actions] == [
            ("passphrase.handedOver", world.team.member.email),
            ("passphrase.handoverAccepted", ""),
        ]


class TestSignature:
    async def test_handover_signed_by_other_keys_is_refused(
        self, world: World, platform: Connection
    ) -> None:
        for signer in (PrivateKeys.generate(), world.member.keys):
            answer = await world.transfer(world.handover(signer=signer))
            assert error_of(answer) == (422, "key_handover_malformed")
        assert await waiting(platform) == 0

    async def test_handover_without_a_signature_is_refused(
        self, world: World, platform: Connection
    ) -> None:
        unsigned = world.handover().encode()[:1205]
        for data in (unsigned, unsigned + bytes(64)):
            assert error_of(await world.transfer(data)) == (422, "key_handover_malformed")
        assert await waiting(platform) == 0

    @pytest.mark.parametrize("state", ["none", "locked"])
    async def test_handover_by_a_leader_without_keys_is_refused(
        self, world: World, platform: Connection, state: str
    ) -> None:
        """Nobody could compare such a sender's words; after a reset the keys are locked."""
        uuid = world.team.leader.uuid
        change = "DELETE FROM" if state == "none" else "UPDATE"
        rest = "" if state == "none" else " SET envelope = NULL"
        await platform.execute(
            f"{change} member_keys{rest} WHERE user_id = (SELECT id FROM users WHERE uuid = $1)",
            uuid,
        )
        for data in (world.handover().encode(), world.handover().encode()[:1205]):
            assert error_of(await world.transfer(data)) == (422, "key_handover_malformed")
        assert await waiting(platform) == 0

    async def test_handover_signed_by_replaced_keys_is_refused(self, world: World) -> None:
        before = world.handover()
        world.leader.keys = PrivateKeys.generate()
        await world.leader.ok("PUT", "/keys/replacement", world.leader.keys_body(2))
        assert error_of(await world.transfer(before)) == (422, "key_handover_malformed")
        assert (await world.transfer(world.handover())).status_code == 200

    async def test_handover_for_another_company_is_refused(
        self, world: World, people: People
    ) -> None:
        other = (await people.team()).company.uuid
        answer = await world.transfer(world.handover(company=other))
        assert error_of(answer) == (422, "key_handover_malformed")

    async def test_handover_of_a_former_leader_cannot_be_sent_again(
        self, world: World, people: People, make: Factory
    ) -> None:
        """The new leader sends what they received, as if it were theirs."""
        handover = world.handover()
        assert (await world.transfer(handover)).status_code == 200
        path = "/company/passphrase/handover"
        assert (await world.call(world.member, "PUT", path, world.resealed())).status_code == 204
        other = await people.person(world.team.company)
        device = Device(world.client, other, await make.session(other, verified=True))
        await device.register_keys()
        for recipient in (other.uuid, world.team.leader.uuid):
            body = {"keyHandover": base64url.encode(handover.encode())}
            answer = await world.call(world.member, "PUT", f"/user/team-leader/{recipient}", body)
            assert error_of(answer) == (422, "key_handover_malformed")

    async def test_handover_signature_is_demanded_by_the_database_too(
        self, world: World, platform: Connection
    ) -> None:
        await world.transfer(world.handover())
        with pytest.raises(asyncpg.CheckViolationError):
            await platform.execute("UPDATE key_handovers SET data = substr(data, 1, 1205)")
        with pytest.raises(asyncpg.NotNullViolationError):
            await platform.execute("UPDATE key_handovers SET sender_keys = NULL")


class TestRefused:
    async def test_malformed_handovers_are_refused(
        self, world: World, platform: Connection
    ) -> None:
        good = world.handover()
        data = good.encode()
        for bad in (
            b"",
            world.company_key,
            data[:-1],
            data + b"\0",
            b"\2" + data[1:],
            replace(good, sender=world.team.company.uuid).encode(),
            replace(good, recipient=world.team.company.uuid).encode(),
        ):
            assert error_of(await world.transfer(bad)) == (422, "key_handover_malformed")
        path = f"/user/team-leader/{world.team.member.uuid}"
        for text in ("AA==", "A", "a+b/", "in plain sight"):
            answer = await world.call(world.leader, "PUT", path, {"keyHandover": text})
            assert answer.status_code == 422, text
        assert await waiting(platform) == 0
        leader = await world.call(world.leader, "GET", "/user/team-leader")
        assert leader.json()["uuid"] == str(world.team.leader.uuid)

    async def test_handover_of_another_epoch_is_refused(self, world: World) -> None:
        answer = await world.transfer(world.handover(epoch=2))
        assert error_of(answer) == (409, "key_handover_stale")

    async def test_a_leader_who_holds_no_key(self, world: World, platform: Connection) -> None:
        await platform.execute("DELETE FROM company_keys")
        answer = await world.transfer(world.handover())
        assert error_of(answer) == (409, "key_handover_stale")

    async def test_a_member_without_keys(
        self, world: World, people: People, platform: Connection
    ) -> None:
        other = await people.person(world.team.company)
        shown = await world.call(world.leader, "GET", f"/user/{other.uuid}/public-keys")
        assert shown.json() == {"publicKeys": None}
        answer = await world.transfer(world.handover(recipient=other.uuid), other.uuid)
        assert error_of(answer) == (409, "key_handover_stale")
        # After a password reset nobody can open what is sealed to the keys.
        await platform.execute(
            "UPDATE member_keys SET envelope = NULL WHERE user_id = $1", world.team.member.id
        )
        answer = await world.transfer(world.handover())
        assert error_of(answer) == (409, "key_handover_stale")

    async def test_somebody_of_another_company(self, world: World, people: People) -> None:
        stranger = (await people.team()).member
        answer = await world.transfer(world.handover(recipient=stranger.uuid), stranger.uuid)
        assert error_of(answer) == (404, "member_not_found")
        shown = await world.call(world.leader, "GET", f"/user/{stranger.uuid}/public-keys")
        assert error_of(shown) == (404, "member_not_found")


class TestAccept:
    async def test_handover_is_accepted_with_an_envelope_of_the_caller_and_epoch_only(
        self, world: World
    ) -> None:
        await world.transfer(world.handover())
        path = "/company/passphrase/handover"
        for body in (
            {"companyKey": base64url.encode(world.company_key)},
            world.resealed(world.team.leader),
        ):
            answer = await world.call(world.member, "PUT", path, body)
            assert error_of(answer) == (422, "passphrase_not_sealed")
        answer = await world.call(world.member, "PUT", path, world.resealed(epoch=2))
        assert error_of(answer) == (409, "passphrase_epoch_stale")
        assert (await world.call(world.member, "PUT", path, world.resealed())).status_code == 204

    async def test_the_leader_of_another_company_finds_nothing(
        self, world: World, people: People, make: Factory
    ) -> None:
        await world.transfer(world.handover())
        other = (await people.team()).leader
        stranger = Device(world.client, other, await make.session(other, verified=True))
        answer = await world.call(stranger, "GET", "/company/passphrase/handover")
        assert error_of(answer) == (404, "key_handover_missing")

    async def test_accepting_a_handover_needs_verified_access(
        self, world: World, make: Factory
    ) -> None:
        await world.transfer(world.handover())
        unverified = Device(world.client, world.team.member, await make.session(world.team.member))
        for method, body in (("GET", None), ("PUT", world.resealed())):
            answer = await world.call(unverified, method, "/company/passphrase/handover", body)
            assert error_of(answer) == (403, "verification_required")


class TestDeleted:
    async def test_when_the_passphrase_is_entered(self, world: World, platform: Connection) -> None:
        await world.transfer(world.handover())
        await world.keep_passphrase(world.member, epoch=2)
        assert await waiting(platform) == 0

    async def test_when_the_keys_are_replaced(self, world: World, platform: Connection) -> None:
        await world.transfer(world.handover())
        world.member.keys = PrivateKeys.generate()
        await world.member.ok("PUT", "/keys/replacement", world.member.keys_body(2))
        assert await waiting(platform) == 0

    async def test_when_leadership_is_transferred_again(
        self, world: World, platform: Connection, people: People
    ) -> None:
        await world.transfer(world.handover())
        other = await people.person(world.team.company)
        answer = await world.call(world.member, "PUT", f"/user/team-leader/{other.uuid}")
        assert answer.status_code == 200
        assert await waiting(platform) == 0
