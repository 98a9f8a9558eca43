"""An attacker between page and database, or the server itself, modifies sealed values."""

import httpx
import pytest

from tessera_core.envelopes import (
    new_key,
    open_passphrase_pair,
    open_user_key,
    seal_company_key,
    seal_passphrase,
    seal_user_key,
)
from tessera_core.errors import Malformed, NotAuthentic
from tests.companies.test_passphrase import KEY, pair
from tests.factories.accounts import Factory, User
from tests.factories.people import Team
from tests.security.attacker import error_of
from tests.warehouses.leader import Leader


def other(character: str) -> str:
    return "B" if character == "A" else "A"


def each_changed(text: str, step: int = 1) -> list[str]:
    """Variants with one character each replaced by another of the alphabet."""
    return [
        text[:place] + other(text[place]) + text[place + 1 :] for place in range(0, len(text), step)
    ]


async def put(leader: Leader, text: str) -> httpx.Response:
    return await leader.call("PUT", "/company/passphrase", json={"passphrase": text})


class TestTampering:
    async def test_changed_byte_of_an_envelope_header_is_refused(
        self, leader: Leader, team: Team
    ) -> None:
        """The server has no keys, but still rejects every modified header."""
        good = pair(team.leader, 1)
        key, passphrase = good.split("~")
        headers = [(key.index("."), 0), (len(key) + 1 + passphrase.index("."), len(key) + 1)]
        tried = 0
        for end, start in headers:
            for place in range(start, end + 1):
                changed = good[:place] + other(good[place]) + good[place + 1 :]
                assert error_of(await put(leader, changed)) == (422, "passphrase_not_sealed"), place
                tried += 1
        assert tried > 300
        assert (await put(leader, good)).status_code == 204

    def test_changed_byte_of_an_envelope_is_seen_by_the_page(self) -> None:
        uid, cid = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", "7f9619ff-8b86-4d01-b42d-00cf4fc964ff"
        key, salt = new_key(), b"s" * 16
        sealed = seal_user_key(new_key(), wrap_key=key, uid=uid, cid=cid, salt=salt)
        assert open_user_key(sealed, wrap_key=key, uid=uid, cid=cid, salt=salt)
        for changed in each_changed(sealed):
            with pytest.raises((NotAuthentic, Malformed)):
                open_user_key(changed, wrap_key=key, uid=uid, cid=cid, salt=salt)

    async def test_changed_byte_of_what_the_server_hands_out_is_seen(
        self, leader: Leader, team: Team
    ) -> None:
        await put(leader, pair(team.leader, 1))
        stored = (await leader.call("GET", "/company/passphrase")).text
        uid, cid = str(team.leader.uuid), str(team.company.uuid)
        assert open_passphrase_pair(stored, user_key=KEY, uid=uid, cid=cid)
        for changed in each_changed(stored, step=3):
            with pytest.raises((NotAuthentic, Malformed)):
                open_passphrase_pair(changed, user_key=KEY, uid=uid, cid=cid)


class TestSwapping:
    def parts(self, user: User, epoch: int) -> tuple[str, str]:
        key, passphrase = pair(user, epoch).split("~")
        return key, passphrase

    async def test_type_company_user_and_epoch(
        self, leader: Leader, team: Team, make: Factory
    ) -> None:
        stranger = await make.user()
        key, passphrase = self.parts(team.leader, 1)
        uid, cid = str(team.leader.uuid), str(team.company.uuid)
        sealed = seal_user_key(new_key(), wrap_key=KEY, uid=uid, cid=cid, salt=b"s" * 16)
        for text in (
            f"{passphrase}~{key}",
            f"{key}~{key}",
            f"{passphrase}~{passphrase}",
            f"{sealed}~{passphrase}",
            f"{key}~{sealed}",
            f"{self.parts(stranger, 1)[0]}~{passphrase}",
            f"{key}~{self.parts(stranger, 1)[1]}",
            f"{self.parts(team.member, 1)[0]}~{passphrase}",
            f"{key}~{self.parts(team.leader, 2)[1]}",
            f"{self.parts(team.leader, 2)[0]}~{passphrase}",
            f"{key}~{passphrase}~{key}",
            f" {key}~{passphrase}",
            f"{key}~{passphrase}=",
            f"{key}\n~{passphrase}",
        ):
            assert error_of(await put(leader, text)) == (422, "passphrase_not_sealed")

    async def test_swapped_user_key_is_refused(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user, stranger = await make.user(), await make.user()
        headers = await make.session(user)
        uid, cid = str(user.uuid), str(user.company.uuid)
        salt = b"t" * 16
        for sealed in (
            seal_user_key(new_key(), wrap_key=KEY, uid=uid, cid=cid, salt=b"u" * 16),
            seal_user_key(new_key(), wrap_key=KEY, uid=str(stranger.uuid), cid=cid, salt=salt),
            seal_user_key(
                new_key(), wrap_key=KEY, uid=uid, cid=str(stranger.company.uuid), salt=salt
            ),
            seal_company_key(new_key(), user_key=KEY, uid=uid, cid=cid, epoch=1),
            seal_passphrase("three clouds", company_key=KEY, cid=cid, epoch=1),
        ):
            body = {
                "oldPassword": user.secret,
                "password": user.secret,
                "salt": "dHR0dHR0dHR0dHR0dHR0dA",
                "userKey": sealed,
            }
            answer = await client.put("/api/auth/password", json=body, headers=headers)
            assert error_of(answer) == (422, "envelope_malformed")

    async def test_former_envelope_is_refused(self, leader: Leader, team: Team) -> None:
        old = pair(team.leader, 1)
        assert (await put(leader, old)).status_code == 204
        new = pair(team.leader, 2)
        assert (await put(leader, new)).status_code == 204
        for text, status in ((old, 409), (new, 409), (pair(team.leader, 4), 409)):
            assert error_of(await put(leader, text)) == (status, "passphrase_epoch_stale")
        for epoch in (0, -1, 2**31, 10**12):
            forged = self._with_epoch(team.leader, epoch)
            assert (await put(leader, forged)).status_code == 422
        assert (await leader.call("GET", "/company/passphrase")).text == new

    def _with_epoch(self, user: User, epoch: int) -> str:
        from tessera_core import base64url

        def change(envelope: str) -> str:
            head, rest = envelope.split(".", 1)
            header = base64url.decode(head).replace(b'"ep":3', f'"ep":{epoch}'.encode())
            return f"{base64url.encode(header)}.{rest}"

        return "~".join(change(part) for part in pair(user, 3).split("~"))
