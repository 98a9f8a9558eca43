from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tests.log_example import LEADER, Log
from tessera_core.bodies import (
    MAX_INLINE_BYTES,
    ChunkReference,
    StoredBody,
    join_body,
    open_body,
    seal_body,
)
from tessera_core.chunks import CHUNK_BYTES
from tessera_core.entries import Change, Checkpoint, Kind, sign_entry
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.keyring import Keyring
from tessera_core.packs import padme
from tessera_core.shards import Coding, PackRecord

REFERENCES = tuple(ChunkReference(bytes([at]) * 16, at, at * 100, b"i" * 32) for at in (1, 2))
PACKS = tuple(PackRecord(each.pack, Coding(2, 3, 2_000_000), bytes(32)) for each in REFERENCES)
LOG = Log().begin()


class TestBody:
    @given(st.binary(max_size=1000))
    def test_body_is_opened_again_and_hides_its_length(self, content: bytes) -> None:
        entry = LOG.entry(Change(()), body=content)
        assert open_body(entry, LOG.keyring) == content
        assert entry.body is not None
        assert len(entry.body) - 16 == max(256, padme(len(content) + 5))

    def test_body_of_64_kib_fits_and_longer_ones_are_stored_as_chunks(self) -> None:
        entry = LOG.entry(Change(()), body=bytes(MAX_INLINE_BYTES))
        assert open_body(entry, LOG.keyring) == bytes(MAX_INLINE_BYTES)
        with pytest.raises(Malformed, match="chunks"):
            LOG.entry(Change(()), body=bytes(MAX_INLINE_BYTES + 1))

    def test_stored_body_is_opened_as_a_reference(self) -> None:
        stored = StoredBody(CHUNK_BYTES + 3, REFERENCES)
        assert open_body(LOG.entry(Change(PACKS), body=stored), LOG.keyring) == stored
        with pytest.raises(Malformed, match="does not add"):
            open_body(LOG.entry(Change(PACKS[:1]), body=stored), LOG.keyring)
        chunks = [bytes(CHUNK_BYTES), b"end"]
        assert join_body(stored, chunks) == bytes(CHUNK_BYTES) + b"end"
        with pytest.raises(Malformed):
            join_body(stored, [bytes(CHUNK_BYTES), b"longer"])

    @pytest.mark.parametrize("size", [MAX_INLINE_BYTES, CHUNK_BYTES, 2 * CHUNK_BYTES + 1])
    def test_stored_body_has_as_many_chunks_as_its_size_says(self, size: int) -> None:
        with pytest.raises(Malformed):
            StoredBody(size, REFERENCES)

    def test_body_does_not_open_with_another_key(self) -> None:
        with pytest.raises(NotAuthentic):
            open_body(LOG.entry(Change(())), Keyring((bytes(32),)))

    @pytest.mark.parametrize("what", ["kind", "space", "id"])
    def test_body_does_not_open_in_another_entry(self, what: str) -> None:
        head = LOG.head()
        elsewhere = {
            "kind": head,
            "space": replace(head, space=LEADER),
            "id": replace(head, id=b"x" * 16),
        }[what]
        clear = Checkpoint(()) if what == "kind" else Change(())
        body = seal_body(b"content", head, Kind.CHANGE, LOG.keyring)
        entry = sign_entry(elsewhere, clear, LOG.keys[LEADER], body=body)
        with pytest.raises(NotAuthentic):
            open_body(entry, LOG.keyring)

    def test_body_that_was_left_out_is_not_opened(self) -> None:
        with pytest.raises(Malformed):
            open_body(replace(LOG.entry(Change(())), body=None), LOG.keyring)
