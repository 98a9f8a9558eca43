"""Writes Northwind's space as the client would: the log, its grants and its packs, in memory."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from tessera.kit import clock
from tessera.sandbox import demo_files
from tessera.sandbox.demo_files import Upload
from tessera.storage.clouds import StorageWarehouse
from tessera.storage.packs.queries import NewShard
from tessera.storage.quota import service as quota
from tessera_core.bodies import seal_body
from tessera_core.changes import ChangeBody, NameSpace, PackContents, Put
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.entries import (
    Change,
    Clear,
    Entry,
    Generation,
    Genesis,
    Head,
    MemberAdded,
    sign_entry,
)
from tessera_core.files import File
from tessera_core.grants import RECOVERY, Grant, grants_hash, seal_grant
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.objects import ShardObject
from tessera_core.packs import PACK_BYTES, PACK_ID_BYTES, PackBuilder, PackName
from tessera_core.providers import azure
from tessera_core.recovery_records import sign_record
from tessera_core.shards import Coding, PackRecord, Shard, split_pack
from tessera_core.user_keys import PrivateKeys

SPACE = "Projects"


@dataclass(frozen=True)
class Author:
    user_id: int
    uuid: UUID
    user_key: bytes = field(repr=False)
    keys: PrivateKeys = field(default_factory=PrivateKeys.generate, repr=False)


@dataclass(frozen=True)
class NewPack:
    """A pack and its shards; `objects` holds the paths and bytes of those that are stored."""

    author: UUID
    starts_at: datetime
    at: datetime
    sequence: int
    record: PackRecord
    shards: list[NewShard]
    objects: dict[int, tuple[str, bytes]]


class SpaceWriter:
    """Every entry is checked by the rules that the server and all readers apply."""

    def __init__(
        self,
        company: UUID,
        authors: Sequence[Author],
        placed: Sequence[StorageWarehouse],
        coding: Coding,
        month: datetime,
    ) -> None:
        self.company = company
        self.authors = authors
        self.recovery = PrivateKeys.generate()
        self.state = LogState(company, uuid4())
        self.entries: list[Entry] = []
        self.grants: list[tuple[Head, Sequence[Grant]]] = []
        self.packs: list[NewPack] = []
        self._keyring = Keyring.create()
        self._placed = placed
        self._coding = coding
        self._month = month
        self._now = clock.now()
        self._versions: dict[str, int] = {}
        self._buffer = bytearray(PACK_BYTES)

    @property
    def leader(self) -> Author:
        return self.authors[0]

    def write(self) -> None:
        uploads = demo_files.uploads()
        begun = self._time(uploads[0]) - timedelta(days=1)
        self.record = sign_record(
            self.recovery,
            self.leader.keys,
            company=self.company,
            leader=self.leader.uuid,
            time=int(begun.timestamp() * 1000),
        )
        clear = Genesis(self.leader.uuid, self.leader.keys.public, self.recovery.public)
        self._append(clear, self.leader, begun)
        self._add_generation(begun)
        self._append(Change(()), self.leader, begun, ChangeBody((), (NameSpace(SPACE),)).encode())
        for author in self.authors[1:-1]:
            grants = [self._grant(author.uuid, author.keys)]
            added = MemberAdded(author.uuid, author.keys.public, grants_hash(grants))
            self._append(added, self.leader, begun, grants=grants)
        for upload in uploads:
            self._upload(upload)

    def _starts_at(self, upload: Upload) -> datetime:
        return quota.add_months(self._month, -upload.month)

    def _time(self, upload: Upload) -> datetime:
        start = self._starts_at(upload)
        end = min(self._now, quota.add_months(self._month, 1 - upload.month))
        return start + (end - start) * upload.part

    def _append(
        self,
        clear: Clear,
        author: Author,
        at: datetime,
        body: bytes = b"",
        grants: Sequence[Grant] = (),
    ) -> None:
        state = self.state
        head = state.next_head(clear, author.uuid, int(at.timestamp() * 1000))
        entry = sign_entry(
            head,
            clear,
            author.keys,
            body=seal_body(body, head, clear.kind, self._keyring) if body else b"",
            recovery_keys=self.recovery if isinstance(clear, Genesis) else None,
        )
        state.append(entry)
        state.check_grants(entry, grants)
        self.entries.append(entry)
        if grants:
            self.grants.append((head, grants))

    def _add_generation(self, at: datetime) -> None:
        grants = [
            self._grant(RECOVERY, self.recovery),
            self._grant(self.leader.uuid, self.leader.keys),
        ]
        commitment = self._keyring.commitment(self.state.space, 1)
        clear = Generation(commitment, grants_hash(grants))
        self._append(clear, self.leader, at, grants=grants)

    def _grant(self, member: UUID, keys: PrivateKeys) -> Grant:
        return seal_grant(
            self._keyring,
            keys.public,
            company=self.company,
            space=self.state.space,
            member=member,
        )

    def _upload(self, upload: Upload) -> None:
        author, at = self.authors[upload.author], self._time(upload)
        name = PackName(self.state.space, 1, secrets.token_bytes(PACK_ID_BYTES))
        key = self._keyring.pack_key(1, name.pack)
        builder = PackBuilder(key, name, self._buffer)
        operations = tuple(
            self._put(builder, path, content, at) for path, content in upload.files.items()
        )
        pack = bytes(builder.finish(last=True))
        coding = Coding(self._coding.k, self._coding.n, len(pack))
        shards = split_pack(pack, name, coding)
        record = PackRecord.of(shards)
        contents = PackContents(name.pack, tuple(builder.chunks))
        self._append(Change((record,)), author, at, ChangeBody((contents,), operations).encode())
        self._place(upload, record, shards)
        for path in upload.files:
            self._versions[path] = self.state.sequence

    def _put(self, builder: PackBuilder, path: str, content: bytes, at: datetime) -> Put:
        identifiers = []
        for start in range(0, len(content), CHUNK_BYTES):
            chunk = content[start : start + CHUNK_BYTES]
            identifiers.append(chunk_id(self._keyring.chunk_id_key, chunk))
            builder.add(identifiers[-1], chunk)
        modified = int(at.timestamp()) * 10**9
        file = File(len(content), modified, False, tuple(identifiers))
        return Put(path, self._versions.get(path, 0), file)

    def _place(self, upload: Upload, record: PackRecord, shards: Sequence[Shard]) -> None:
        """Places the shards as an upload does."""
        rows, objects = [], {}
        for index, shard in enumerate(shards):
            warehouse = self._placed[(index + record.pack[0]) % len(shards)]
            content = shard.encode()
            rows.append(
                NewShard(
                    pack_id=record.pack,
                    index=index,
                    warehouse_company_id=warehouse.company_id,
                    warehouse_id=warehouse.id,
                    size=len(content),
                    sha256=hashlib.sha256(content).digest(),
                )
            )
            if not (upload.loses_piece and warehouse.type == azure.PROVIDER.type):
                objects[index] = (str(ShardObject(self.company, record.pack, index)), content)
        self.packs.append(
            NewPack(
                author=self.authors[upload.author].uuid,
                starts_at=self._starts_at(upload),
                at=self._time(upload),
                sequence=self.state.sequence,
                record=record,
                shards=rows,
                objects=objects,
            )
        )
