from uuid import UUID

import pytest

from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.grants import RECOVERY, Grant, grants_hash, seal_grant
from tessera_core.keyring import MAX_GENERATION, Keyring
from tessera_core.user_keys import PrivateKeys

COMPANY, SPACE, MEMBER = UUID(int=1), UUID(int=2), UUID(int=3)
KEYS = PrivateKeys(b"s" * 32, b"k" * 32)
RING = Keyring((b"1" * 32, b"2" * 32, b"3" * 32))
GRANT = seal_grant(RING, KEYS.public, company=COMPANY, space=SPACE, member=MEMBER)


class TestKeyring:
    def test_grows_and_is_decoded_again(self) -> None:
        ring = Keyring.create().next()
        assert ring.generation == 2
        assert Keyring.decode(ring.encode()) == ring
        assert ring.next().seeds[:2] == ring.seeds
        assert ring.seeds[0].hex() not in repr(ring)

    def test_keys_differ_by_purpose_generation_and_id(self) -> None:
        keys = {
            RING.pack_key(1, b"x" * 16),
            RING.pack_key(2, b"x" * 16),
            RING.pack_key(1, b"y" * 16),
            RING.entry_key(1, b"x" * 16),
            RING.chunk_id_key,
            RING.commitment(SPACE, 1),
            RING.commitment(SPACE, 2),
            RING.commitment(COMPANY, 1),
        }
        assert len(keys) == 8

    def test_chunk_ids_stay_over_generations(self) -> None:
        assert RING.next().chunk_id_key == RING.chunk_id_key

    @pytest.mark.parametrize("generation", [0, 4, -1])
    def test_keyring_has_no_other_generations(self, generation: int) -> None:
        with pytest.raises(NotAuthentic):
            RING.pack_key(generation, bytes(16))

    @pytest.mark.parametrize("data", [b"", bytes(31), bytes(33), bytes(32 * (MAX_GENERATION + 1))])
    def test_malformed_keyrings_are_refused(self, data: bytes) -> None:
        with pytest.raises(Malformed):
            Keyring.decode(data)


class TestGrant:
    def test_opens_for_its_member(self) -> None:
        grant = Grant.decode(GRANT.encode())
        assert grant == GRANT
        assert grant.generation == 3
        assert grant.open(KEYS, company=COMPANY, space=SPACE) == RING

    @pytest.mark.parametrize(
        ("grant", "company", "space"),
        [
            (GRANT, SPACE, SPACE),
            (GRANT, COMPANY, COMPANY),
            (Grant(RECOVERY, 3, GRANT.sealed), COMPANY, SPACE),
        ],
        ids=["another company", "another space", "another member"],
    )
    def test_grant_opens_in_its_company_and_space_only(
        self, grant: Grant, company: UUID, space: UUID
    ) -> None:
        with pytest.raises(NotAuthentic):
            grant.open(KEYS, company=company, space=space)

    def test_grant_does_not_open_for_another_member(self) -> None:
        with pytest.raises(NotAuthentic):
            GRANT.open(PrivateKeys(b"s" * 32, b"x" * 32), company=COMPANY, space=SPACE)

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"\x02" + GRANT.encode()[1:],
            GRANT.encode()[:-1],
            GRANT.encode() + b"\0",
            GRANT.encode()[:17] + b"\0\0\0\2" + GRANT.encode()[21:],
            GRANT.encode()[:17] + b"\0\0\0\0" + GRANT.encode()[21:],
        ],
    )
    def test_malformed_grants_are_refused(self, data: bytes) -> None:
        with pytest.raises(Malformed):
            Grant.decode(data)


class TestHash:
    def test_hash_of_grants_does_not_depend_on_their_order(self) -> None:
        other = Grant(RECOVERY, 3, GRANT.sealed)
        assert grants_hash([GRANT, other]) == grants_hash([other, GRANT])
        assert grants_hash([GRANT]) != grants_hash([GRANT, other])

    def test_counts_each_member_once(self) -> None:
        with pytest.raises(Malformed):
            grants_hash([GRANT, GRANT])
