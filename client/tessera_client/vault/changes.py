"""Writes changes to a space: stores new chunks, then appends one entry that names them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.transfer.journal import Journal, SpooledPack
from tessera_client.transfer.upload import PackWriter, Placement, Uploader
from tessera_client.vault.conflicts import Conflict, Intent, IsSeen, settle
from tessera_client.vault.members import person_names
from tessera_client.vault.snapshot import ChunkPlaces
from tessera_client.vault.spaces import Body, Draft, GenerationChanged, Space
from tessera_client.vault.vault import Vault
from tessera_core.bodies import MAX_INLINE_BYTES, ChunkReference, StoredBody
from tessera_core.changes import (
    MAX_OPERATIONS,
    ChangeBody,
    CheckpointBody,
    Operation,
    PackContents,
    Put,
)
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.entries import Change, Checkpoint, Unretire
from tessera_core.files import File, Item
from tessera_core.packs import chunk_offsets

# An entry names at most 1024 packs; some are left for its body.
MAX_PACKS = 512
CHECKPOINT_ENTRIES = 10_000


class PacksLost(Exception):
    """Chunks that were read before have to be read again."""


class LogMovedOn(Exception):
    """Somebody wrote to the space after its state was described."""


START_OVER = (GenerationChanged, PacksLost)


@dataclass
class Committed:
    """What one entry or several have stored."""

    stored: list[str] = field(default_factory=list)
    sequences: dict[str, int] = field(default_factory=dict)
    """The entry that stored each path; a colleague may have written there since."""
    not_safe: list[str] = field(default_factory=list)
    """Stored, but not yet on one warehouse more than needed."""
    conflicts: list[Conflict] = field(default_factory=list)
    not_stored: list[str] = field(default_factory=list)
    """Too few warehouses took the pieces; they wait in the spool."""
    unretired: int = 0
    """Packs that somebody retired although they are still needed."""


@contextmanager
def writing(vault: Vault, space: Space, *, deduplicate: bool = True) -> Iterator["ChangeWriter"]:
    """A writer for one space. Whatever else writes at the same time, here or elsewhere, the service
    takes one entry after another."""
    with vault.journal.running() as journal:
        writer = ChangeWriter(vault, space, journal, deduplicate=deduplicate)
        yield writer
        if space.is_led and space.entries_since_checkpoint >= CHECKPOINT_ENTRIES:
            writer.try_checkpoint()


class ChangeWriter:
    """Collects operations on one space, and the chunks that they need."""

    def __init__(
        self, vault: Vault, space: Space, journal: Journal, *, deduplicate: bool = True
    ) -> None:
        """Without deduplication nobody learns from what is sent whether the space had it."""
        space.check_writable()
        self._deduplicate = deduplicate
        self._person = person_names(vault.account)
        self._api = vault.account.api
        self._journal = journal
        self._space = space
        self._uploader = Uploader(self._api, vault.warehouses, journal)
        self._id_key = space.keyring.chunk_id_key
        self._writer: PackWriter | None = None
        self._placement: Placement | None = None
        self._intents: list[Intent] = []
        self._new: set[bytes] = set()
        self._missing: set[bytes] = set()
        """Chunks that too few warehouses took."""
        self._unsafe: set[bytes] = set()
        self._reused: set[bytes] = set()
        self._used: dict[bytes, SpooledPack] = {}
        self._spooled: dict[bytes, SpooledPack] = {}
        self.result = Committed()
        self.resumed = 0
        """Packs of earlier runs that are complete by now."""

    @property
    def refusals(self) -> list[str]:
        """Which warehouses do not have all pieces, and why."""
        return [
            translate("results.pieces_wait", name=name, reason=reason)
            for name, reason in sorted(self._uploader.refusals.items())
        ]

    @cached_property
    def _stored(self) -> ChunkPlaces:
        return self._space.chunk_places()

    @cached_property
    def _trusted(self) -> dict[bytes, bytes]:
        return self._space.trusted_chunks() if self._deduplicate else {}

    def resume_uploads(self) -> None:
        """Continues what an earlier run left: sends the rest, and uses spooled chunks again."""
        for pack in self._journal.take_over(self._space.id):
            if pack.is_committed or pack.name.pack in self._space.state.packs:
                self._uploader.submit(pack)
            elif pack.is_body or pack.name.generation != self._space.keyring.generation:
                self._journal.remove(pack.name.pack)
            else:
                self._spooled.update((chunk.id, pack) for chunk in pack.chunks)

    def add_chunk(self, chunk: bytes) -> bytes:
        """Stores a chunk unless the space surely has it already; returns its id."""
        identifier = chunk_id(self._id_key, chunk)
        if identifier in self._new:
            return identifier
        if identifier in self._trusted:
            self._reused.add(self._trusted[identifier])
        elif identifier in self._spooled:
            pack = self._spooled[identifier]
            if pack.name.pack not in self._used:
                self._used[pack.name.pack] = pack
                self._uploader.submit(pack)
            self._new.add(identifier)
        else:
            self._pack_writer().add(identifier, chunk)
            self._new.add(identifier)
        if self._pack_count >= MAX_PACKS:
            # One file may need more packs than an entry names; nothing uses these yet.
            self._commit(is_within_file=True)
        return identifier

    def reuse(self, item: Item) -> None:
        """Makes sure that the chunks of an earlier version stay or are restored."""
        self.reuse_chunks(item.chunks if isinstance(item, File) else ())

    def reuse_chunks(self, chunks: Iterable[bytes]) -> None:
        for identifier in chunks:
            if identifier not in self._stored:
                raise ClientError.from_code("chunk_missing")
            self._reused.update(place.pack for place in self._stored[identifier])

    def add(self, operation: Operation, is_seen: IsSeen | None = None) -> None:
        """Adds an operation; a large batch is committed in parts. Unless `is_seen` says otherwise,
        its writer knows the space as it is now."""
        self._intents.append(Intent(operation, is_seen or seen_until(self._space)))
        # The entry may need as many operations again to keep what it replaces.
        if self._pack_count >= MAX_PACKS or len(self._intents) >= MAX_OPERATIONS // 2:
            self.commit()

    @property
    def _pack_count(self) -> int:
        return len(self._used) + (len(self._writer.packs) if self._writer else 0)

    def commit(self) -> None:
        if self._intents:
            self._commit()
        else:
            self._finish_uploads()

    def _finish_uploads(self) -> None:
        if self._writer:
            self._writer.finish()
        self._uploader.finish()
        if self._uploader.lost:
            raise PacksLost
        self._settle_earlier()

    def _commit(self, *, is_within_file: bool = False) -> None:
        self._finish_uploads()
        made = [*self._used, *(self._writer.packs if self._writer else ())]
        packs = [self._uploader.sent[pack] for pack in made]
        readable = [pack for pack in packs if pack.is_readable]
        self._missing |= _chunk_ids(pack for pack in packs if not pack.is_readable)
        self._unsafe |= _chunk_ids(pack for pack in readable if not pack.is_safe)
        intents = self._leave_out()
        if intents or (is_within_file and readable):
            self._append(readable, intents)
            self._note([intent.operation for intent in intents])
            if is_within_file:
                self._reused.update(pack.name.pack for pack in readable)
        else:
            # No entry names their packs: nothing that follows may rely on them.
            self._missing |= _chunk_ids(readable)
        self._intents, self._used, self._writer = [], {}, None

    def _settle_earlier(self) -> None:
        """Forgets packs of earlier runs that are complete by now."""
        for pack in self._uploader.sent.values():
            if pack.is_complete and pack.name.pack in self._space.state.packs:
                self._journal.remove(pack.name.pack)
                self.resumed += 1

    def _leave_out(self) -> list[Intent]:
        """Returns the operations whose chunks are stored; the others wait for the next run."""
        ready: list[Intent] = []
        for intent in self._intents:
            if _needs(intent.operation, self._missing):
                self.result.not_stored.append(_path(intent.operation))
            else:
                ready.append(intent)
        return ready

    def _append(self, packs: list[SpooledPack], intents: list[Intent]) -> None:
        contents = tuple(PackContents(pack.name.pack, pack.chunks) for pack in packs)
        content, body, body_packs = b"", Body(b""), list[SpooledPack]()
        conflicts, moved, sequence = list[Conflict](), list[str](), 0

        def make() -> Draft:
            nonlocal content, body, body_packs, conflicts, moved, sequence
            if not self._reused <= self._space.tree.packs.keys():
                # A checkpoint no longer says where their chunks are.
                raise PacksLost
            retired = [pack for pack in self._reused if self._space.state.packs[pack].retired]
            if retired:
                self._space.append(Unretire(tuple(retired)))
                self.result.unretired += len(retired)
            # Whoever was faster may have written what these operations would replace.
            operations, conflicts = settle(self._space.tree, intents, self._person)
            # If the answer is lost, a colleague's entry may follow before this one is seen.
            sequence = self._space.state.sequence + 1
            moved = self._space.origins.find_moved(self._space.tree, operations)
            encoded = ChangeBody(contents, tuple(operations)).encode()
            if encoded != content:
                body, body_packs = self._store_body(encoded)
                content = encoded
            return Draft(Change(tuple(pack.record for pack in (*packs, *body_packs))), body)

        self._space.append_change(make)
        self._space.origins.remember_moved(self._space.tree, moved, sequence)
        self.result.conflicts += conflicts
        self._settle([*packs, *body_packs])

    def try_checkpoint(self) -> None:
        """Lets new devices start here; if it fails, the next run tries again."""
        if self._space.snapshot.is_provisional:
            return
        tree = self._space.tree
        try:
            self.checkpoint(tree.to_checkpoint(tree.packs.keys()))
        except (LogMovedOn, *START_OVER):
            pass
        except ClientError as error:
            if error.exit_code != 1:
                raise

    def checkpoint(self, content: CheckpointBody) -> None:
        """Appends the whole state. It must be built again if the log has moved on."""
        sequence = self._space.state.sequence
        body, packs = self._store_body(content.encode())
        draft = Draft(Checkpoint(tuple(pack.record for pack in packs)), body)

        def make() -> Draft:
            if self._space.state.sequence != sequence:
                raise LogMovedOn
            return draft

        self._space.append_change(make)
        self._settle(packs)

    def _settle(self, packs: list[SpooledPack]) -> None:
        """Forgets packs that are stored everywhere; the rest of the others is sent later."""
        for pack in packs:
            if pack.is_complete:
                self._journal.remove(pack.name.pack)
            else:
                self._journal.set_committed(pack.name.pack)

    def _store_body(self, content: bytes) -> tuple[Body, list[SpooledPack]]:
        """Stores a body that is too long for an entry in separate packs."""
        if len(content) <= MAX_INLINE_BYTES:
            return Body(content), []
        writer = self._new_writer(is_body=True)
        for at in range(0, len(content), CHUNK_BYTES):
            chunk = content[at : at + CHUNK_BYTES]
            writer.add(chunk_id(self._id_key, chunk), chunk)
        writer.finish()
        self._uploader.finish()
        if self._uploader.lost:
            raise PacksLost
        packs = [self._uploader.sent[pack] for pack in writer.packs]
        if not all(pack.is_readable for pack in packs):
            raise ClientError.from_code("not_stored")
        references = tuple(
            ChunkReference(pack.name.pack, position, offset, chunk.id)
            for pack in packs
            for position, (chunk, offset) in enumerate(
                zip(pack.chunks, chunk_offsets(pack.chunks), strict=True)
            )
        )
        return Body(content, StoredBody(len(content), references)), packs

    def _note(self, operations: list[Operation]) -> None:
        for operation in operations:
            path = _path(operation)
            self.result.stored.append(path)
            if current := self._space.tree.current(path):
                self.result.sequences[path] = current.sequence
            if _needs(operation, self._unsafe):
                self.result.not_safe.append(path)

    def _pack_writer(self) -> PackWriter:
        if self._writer is None:
            self._writer = self._new_writer()
        return self._writer

    def _new_writer(self, *, is_body: bool = False) -> PackWriter:
        if self._placement is None:
            self._placement = Placement.load(self._api)
        space = self._space
        return PackWriter(
            self._uploader,
            self._placement,
            space.id,
            space.keyring,
            is_body=is_body,
            # Whether a body is set aside must not depend on a decompressor.
            is_compressed=not is_body and not space.state.settings.uncompressed,
        )


def seen_until(space: Space) -> IsSeen:
    """Everything that the space holds now counts as seen, and nothing that comes later."""
    sequence = space.state.sequence
    return lambda _, version: version.sequence <= sequence


def _chunk_ids(packs: Iterable[SpooledPack]) -> set[bytes]:
    return {chunk.id for pack in packs for chunk in pack.chunks}


def _needs(operation: Operation, chunks: set[bytes]) -> bool:
    item = operation.item if isinstance(operation, Put) else None
    return isinstance(item, File) and not chunks.isdisjoint(item.chunks)


def _path(operation: Operation) -> str:
    return operation.path if isinstance(operation, Put) else ""
