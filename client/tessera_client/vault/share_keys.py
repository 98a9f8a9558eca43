"""Keys of a share, where packs expect a space's keyring."""

from dataclasses import dataclass

from tessera_core.errors import Malformed
from tessera_core.shares import SHARE_GENERATION, ShareKeys


@dataclass(frozen=True)
class ShareKeyring:
    keys: ShareKeys

    @property
    def generation(self) -> int:
        return SHARE_GENERATION

    @property
    def chunk_id_key(self) -> bytes:
        return self.keys.chunk_id_key

    def pack_key(self, generation: int, pack: bytes) -> bytes:
        if generation != SHARE_GENERATION:
            raise Malformed("a share has no generations")
        return self.keys.pack_key(pack)
