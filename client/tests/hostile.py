"""A liar with valid keys who writes to the service in memory."""

from collections.abc import Sequence
from uuid import UUID

from client.tests.conftest import Computer
from client.tests.hostile_entries import build_pack, sign_next
from client.tests.service import Person, Service, SpaceLog
from tessera_client.vault.profile import StateFolder
from tessera_core import base64url
from tessera_core.bodies import StoredBody
from tessera_core.changes import ChangeBody, Operation, PackContents
from tessera_core.entries import Change, Clear, Entry
from tessera_core.grants import Grant
from tessera_core.keyring import Keyring
from tessera_core.shards import PackRecord, coding_for, split_pack
from tessera_core.user_keys import PrivateKeys


def log_of(service: Service) -> SpaceLog:
    """The log of the first space."""
    return next(iter(service.spaces.values()))


class Hostile:
    """A person with their keys, who writes to a space without the client."""

    def __init__(self, service: Service, computer: Computer, person: Person) -> None:
        self.service = service
        self.person = person
        stored = StateFolder(computer.folder, use_keyring=False).load_secrets().private_keys
        assert stored is not None
        self.keys = PrivateKeys.decode(stored)

    @property
    def log(self) -> SpaceLog:
        return log_of(self.service)

    @property
    def space(self) -> UUID:
        return self.log.state.space

    def keyring(self) -> Keyring:
        _, grant = self.log.grants[self.person.uuid]
        return grant.open(self.keys, company=self.service.company, space=self.space)

    def sign(self, clear: Clear, content: bytes | StoredBody | None = None) -> Entry:
        keyring = self.keyring()
        return sign_next(self.log.state, self.person.uuid, self.keys, keyring, clear, content)

    def send(self, *entries: Entry, grants: Sequence[Grant] = ()) -> None:
        """Appends entries; the service refuses what its rules forbid."""
        if grants:
            self.log.waiting[entries[0].head.id] = list(grants)
        body = {"entries": [base64url.encode(entry.encode()) for entry in entries]}
        self.service.post_log(self.person, body, {"space": str(self.space)})

    def change(
        self,
        *operations: Operation,
        packs: Sequence[PackContents] = (),
        records: Sequence[PackRecord] = (),
    ) -> None:
        content = ChangeBody(tuple(packs), tuple(operations)).encode()
        self.send(self.sign(Change(tuple(records)), content))

    def store_pack(self, *chunks: bytes, ids: Sequence[bytes] | None = None) -> PackRecord:
        """Stores a pack in all warehouses; `ids` are what its index claims its chunks to be."""
        keyring = self.keyring()
        name, content = build_pack(self.space, keyring, chunks, ids)
        coding = coding_for(3, len(content))
        shards = split_pack(content, name, coding)
        text = base64url.encode(name.pack)
        for shard in shards:
            data = shard.encode()
            self.service.objects[shard.trailer.index, text] = data
        self.service.packs[text] = {
            "id": text, "k": coding.k, "n": coding.n, "length": coding.length,
            "generation": keyring.generation, "stored": {*range(coding.n)},
            "shards": [{"size": 0, "sha256": ""}] * coding.n,
        }  # fmt: skip
        return PackRecord.of(shards)
