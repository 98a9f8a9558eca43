"""A space's log as its members would write it, for tests."""

from dataclasses import replace
from uuid import UUID

from tessera_core.bodies import StoredBody, seal_body
from tessera_core.entries import (
    BODY_KINDS,
    Clear,
    Entry,
    Generation,
    Genesis,
    Head,
    LeaderChanged,
    MemberAdded,
    RecoveryChanged,
    sign_entry,
)
from tessera_core.grants import RECOVERY, Grant, grants_hash, seal_grant
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.user_keys import PrivateKeys

COMPANY, SPACE = UUID(int=0xC0), UUID(int=0x50)
LEADER, MEMBER, STRANGER = UUID(int=1), UUID(int=2), UUID(int=3)


def keys_of(name: str) -> PrivateKeys:
    return PrivateKeys(name.encode().ljust(32, b"s"), name.encode().ljust(32, b"k"))


LEADER_KEYS, MEMBER_KEYS, STRANGER_KEYS = keys_of("leader"), keys_of("member"), keys_of("stranger")
RECOVERY_KEYS = keys_of("recovery")


class Log:
    """A log state, with the keys of everybody, that writes the next entry."""

    def __init__(self) -> None:
        self.state = LogState(COMPANY, SPACE)
        self.keys = {LEADER: LEADER_KEYS, MEMBER: MEMBER_KEYS, STRANGER: STRANGER_KEYS}
        self.keys[RECOVERY] = RECOVERY_KEYS
        self.keyring = Keyring((b"seed one".ljust(32, b"."),))
        self.entries: list[Entry] = []
        self.grants: dict[int, list[Grant]] = {}

    def head(self, author: UUID = LEADER) -> Head:
        state = self.state
        identifier = (state.sequence + 1).to_bytes(16, "big")
        return Head(
            COMPANY,
            SPACE,
            state.sequence + 1,
            state.head,
            identifier,
            state.generation,
            author,
            state.time + 1000,
        )

    def entry(
        self,
        clear: Clear,
        author: UUID = LEADER,
        *,
        head: Head | None = None,
        body: bytes | StoredBody = b"body",
        signer: PrivateKeys | None = None,
        recovery: PrivateKeys = RECOVERY_KEYS,
    ) -> Entry:
        head = head or self.head(author)
        if isinstance(clear, Generation):
            head = replace(head, generation=head.generation + 1)
        with_body = isinstance(clear, BODY_KINDS)
        countersigned = isinstance(clear, Genesis | RecoveryChanged)
        return sign_entry(
            head,
            clear,
            signer or self.keys[head.author],
            body=seal_body(body, head, clear.kind, self.keyring) if with_body else b"",
            recovery_keys=recovery if countersigned else None,
        )

    def append(self, clear: Clear, author: UUID = LEADER, **options: object) -> Entry:
        entry = self.entry(clear, author, **options)  # type: ignore[arg-type]
        self.state.append(entry)
        self.entries.append(entry)
        return entry

    def begin(self) -> "Log":
        self.append(Genesis(LEADER, LEADER_KEYS.public, RECOVERY_KEYS.public))
        self.generation()
        return self

    def grant(self, *members: UUID) -> list[Grant]:
        return [
            seal_grant(
                self.keyring,
                self.keys[member].public,
                company=COMPANY,
                space=SPACE,
                member=member,
            )
            for member in members
        ]

    def generation(self, author: UUID = LEADER) -> Entry:
        number = self.state.generation + 1
        if number > self.keyring.generation:
            seed = f"seed {number}".encode().ljust(32, b".")
            self.keyring = Keyring((*self.keyring.seeds, seed))
        grants = self.grant(RECOVERY, *self.state.members)
        commitment = self.keyring.commitment(SPACE, number)
        entry = self.append(Generation(commitment, grants_hash(grants)), author)
        self.grants[entry.head.sequence] = grants
        return entry

    def add(self, member: UUID = MEMBER, author: UUID = LEADER) -> Entry:
        grants = self.grant(member)
        clear = MemberAdded(member, self.keys[member].public, grants_hash(grants))
        entry = self.append(clear, author)
        self.grants[entry.head.sequence] = grants
        return entry

    def change_leader(self, leader: UUID, author: UUID = LEADER) -> Entry:
        grants = self.grant(leader)
        clear = LeaderChanged(leader, self.keys[leader].public, grants_hash(grants))
        entry = self.append(clear, author)
        self.grants[entry.head.sequence] = grants
        return entry
