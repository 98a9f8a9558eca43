from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.tests.log_example import COMPANY
from tessera_core.changes import PackContents
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.files import File, Folder
from tessera_core.packs import ChunkRecord, padme
from tessera_core.shards import Coding, PackRecord
from tessera_core.shares import (
    LinkRefused,
    Manifest,
    ShareKeys,
    ShareLink,
    manifest_hash,
    new_secret,
)

SHARE = UUID(int=77)
SECRET = b"s" * 32
KEYS = ShareKeys.derive(SECRET, None, b"", company=COMPANY, share=SHARE)
LINK = ShareLink("https://share.example", SHARE, False, SECRET, b"h" * 16)
FOLDER = Folder(0)
names = st.text(st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1, max_size=20)
paths = st.lists(names.filter(lambda name: name not in {".", ".."}), min_size=1, max_size=4).map(
    "/".join
)


def sorted_items(chosen: set[str]) -> tuple[tuple[str, File | Folder], ...]:
    return tuple((path, FOLDER) for path in sorted(chosen, key=str.encode))


def pack(number: int) -> tuple[PackRecord, PackContents]:
    identifier = number.to_bytes(16, "big")
    chunk = ChunkRecord(identifier * 2, 1, 1)
    record = PackRecord(identifier, Coding(2, 3, 200), bytes(32))
    return record, PackContents(identifier, (chunk,))


class TestLink:
    @given(
        st.uuids(), st.booleans(), st.binary(min_size=32, max_size=32),
        st.binary(min_size=16, max_size=16),
    )  # fmt: skip
    def test_link_is_parsed_as_it_was_written(
        self, share: UUID, has_password: bool, secret: bytes, digest: bytes
    ) -> None:
        link = ShareLink("https://share.example:8443", share, has_password, secret, digest)
        assert ShareLink.parse(str(link)) == link

    @given(st.integers(0, len(str(LINK)) - 1))
    def test_link_that_was_cut_is_refused(self, size: int) -> None:
        with pytest.raises(LinkRefused) as refusal:
            ShareLink.parse(str(LINK)[:size])
        at = str(LINK).index("#")
        assert refusal.value.reason == (
            "cut" if size > at + 1 else "no_fragment" if size >= at else "no_link"
        )

    @given(st.text(max_size=200))
    @example("https://share.example/s/")
    @example(str(LINK) + "\n")
    def test_other_links_are_refused(self, text: str) -> None:
        with pytest.raises(LinkRefused):
            ShareLink.parse(text)

    @pytest.mark.parametrize("version", ["2", "2p", "10", "3x"])
    def test_link_of_a_newer_version_is_named_so(self, version: str) -> None:
        with pytest.raises(LinkRefused) as refusal:
            ShareLink.parse(str(LINK).replace("#1.", f"#{version}."))
        assert refusal.value.reason == "newer"

    def test_secret_is_not_shown(self) -> None:
        assert "ssss" not in repr(LINK)
        assert KEYS.key.hex() not in repr(KEYS)
        assert repr(KEYS.key) not in repr(KEYS)


class TestKeys:
    def test_every_part_of_the_link_and_the_password_change_the_key(self) -> None:
        def key(
            secret: bytes = SECRET,
            password: str | None = None,
            salt: bytes = b"0" * 16,
            company: UUID = COMPANY,
            share: UUID = SHARE,
        ) -> bytes:
            return ShareKeys.derive(secret, password, salt, company=company, share=share).key

        keys = [
            key(),
            key(secret=b"t" * 32),
            key(company=SHARE),
            key(share=COMPANY),
            key(password="a"),
            key(password="b"),
            key(password="a", salt=b"1" * 16),
        ]
        assert len(set(keys)) == len(keys)
        assert key(salt=b"1" * 16) == keys[0]

    def test_purposes_have_keys_of_their_own(self) -> None:
        derived = {KEYS.key, KEYS.access_token, KEYS.chunk_id_key, KEYS.pack_key(bytes(16))}
        assert len(derived) == 4

    def test_secret_of_another_length_and_empty_password_are_refused(self) -> None:
        with pytest.raises(Malformed):
            ShareKeys.derive(bytes(31), None, b"", company=COMPANY, share=SHARE)
        with pytest.raises(ValueError, match="empty"):
            ShareKeys.derive(SECRET, "", bytes(16), company=COMPANY, share=SHARE)

    def test_secrets_are_random(self) -> None:
        assert new_secret() != new_secret()


class TestManifest:
    @given(st.sets(paths, min_size=1, max_size=8), st.integers(0, 2**64 - 1))
    def test_manifest_is_opened_again_and_hides_its_length(
        self, chosen: set[str], expires: int
    ) -> None:
        manifest = Manifest(expires, (), (), sorted_items(chosen))
        sealed = KEYS.seal_manifest(manifest)
        assert KEYS.open_manifest(sealed, manifest_hash(sealed)) == manifest
        assert len(sealed) - 16 == max(256, padme(len(manifest.encode()) + 5))

    @given(st.data())
    def test_manifest_with_a_flipped_bit_is_refused(self, data: st.DataObject) -> None:
        sealed = bytearray(KEYS.seal_manifest(Manifest(0, (), (), (("a", FOLDER),))))
        sealed[data.draw(st.integers(0, len(sealed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
        # Also when the server hands out a link of its own making.
        with pytest.raises(NotAuthentic):
            KEYS.open_manifest(bytes(sealed), manifest_hash(bytes(sealed)))

    @given(st.binary(max_size=300))
    def test_arbitrary_bytes_are_no_manifest(self, data: bytes) -> None:
        with pytest.raises(Malformed):
            Manifest.decode(data)

    def test_manifest_of_more_than_640_kib_is_refused(self) -> None:
        record, _ = pack(1)
        contents = PackContents(
            record.pack, tuple(ChunkRecord(at.to_bytes(32, "big"), 1, 1) for at in range(16_400))
        )
        record = PackRecord(record.pack, Coding(2, 3, 16_000_000), bytes(32))
        manifest = Manifest(0, (record,), (contents,), (("a", FOLDER),))
        with pytest.raises(Malformed, match="640 KiB"):
            KEYS.seal_manifest(manifest)
