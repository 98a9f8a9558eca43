"""A space's secrets: one random seed for each generation, and the keys derived from them."""

import secrets
from dataclasses import dataclass, field
from uuid import UUID

from tessera_core.binary import u32
from tessera_core.errors import Malformed, NoSeed
from tessera_core.kdf import derive_key

SEED_BYTES = 32
MAX_GENERATION = 4096


@dataclass(frozen=True, slots=True)
class Keyring:
    """The seeds of generations 1 to `generation`, oldest first."""

    seeds: tuple[bytes, ...] = field(repr=False)

    def __post_init__(self) -> None:
        if not 1 <= len(self.seeds) <= MAX_GENERATION:
            raise Malformed("a keyring holds 1 to 4096 seeds")
        if any(len(seed) != SEED_BYTES for seed in self.seeds):
            raise Malformed("a seed has 32 bytes")

    @classmethod
    def create(cls) -> "Keyring":
        return cls((secrets.token_bytes(SEED_BYTES),))

    def next(self) -> "Keyring":
        """Adds a generation."""
        return Keyring((*self.seeds, secrets.token_bytes(SEED_BYTES)))

    @property
    def generation(self) -> int:
        return len(self.seeds)

    def encode(self) -> bytes:
        return b"".join(self.seeds)

    @classmethod
    def decode(cls, data: bytes) -> "Keyring":
        if len(data) % SEED_BYTES:
            raise Malformed("a seed has 32 bytes")
        return cls(tuple(data[at : at + SEED_BYTES] for at in range(0, len(data), SEED_BYTES)))

    def pack_key(self, generation: int, pack: bytes) -> bytes:
        return derive_key(self._seed(generation), "tessera/v1/pack", pack)

    def entry_key(self, generation: int, entry: bytes) -> bytes:
        return derive_key(self._seed(generation), "tessera/v1/entry", entry)

    def request_key(self, generation: int, request: UUID) -> bytes:
        """Of everything about a request for files, which ends with its generation."""
        return derive_key(self._seed(generation), "tessera/v1/request", request.bytes)

    def local_key(self, generation: int) -> bytes:
        """Seals what a member's own computer keeps of the space."""
        return derive_key(self._seed(generation), "tessera/client/local")

    @property
    def chunk_id_key(self) -> bytes:
        """The same in every generation, so that equal chunks are stored once."""
        return derive_key(self.seeds[0], "tessera/v1/chunk-id")

    def commitment(self, space: UUID, generation: int) -> bytes:
        """Fixes the seed in the log without revealing it."""
        context = space.bytes + u32(generation)
        return derive_key(self._seed(generation), "tessera/v1/commitment", context)

    def _seed(self, generation: int) -> bytes:
        if not 1 <= generation <= self.generation:
            raise NoSeed(f"the keyring has no generation {generation}")
        return self.seeds[generation - 1]
