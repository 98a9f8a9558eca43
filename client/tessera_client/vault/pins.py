"""What this computer has seen of the account's logs, kept apart from the service.

The service stores the same pins in the key envelope. Its answers never make this computer forget
them: what is kept here holds no secret and survives `tess lock` and a password reset.
"""

from pathlib import Path
from uuid import UUID

import msgspec

from tessera_client.errors import ClientError
from tessera_client.vault.profile import replace_private
from tessera_core.key_envelopes import KeyBundle, LeaderPin, RecordPin, RewindPin, SpacePin
from tessera_core.user_keys import PrivateKeys

_FILE = "pins.json"


class _Pins(msgspec.Struct):
    """What a bundle pins, without its keys."""

    leader: LeaderPin | None
    record: RecordPin | None
    removed: tuple[bytes, ...]
    spaces: dict[UUID, SpacePin]
    rewinds: dict[UUID, RewindPin] = {}


def load_pins(folder: Path, keys: PrivateKeys) -> KeyBundle:
    """Returns a bundle of these keys with the pins of this computer."""
    try:
        pins = msgspec.json.decode((folder / _FILE).read_bytes(), type=_Pins)
    except FileNotFoundError:
        return KeyBundle(keys)
    except ValueError:
        raise ClientError.from_code("profile_damaged", path=folder / _FILE) from None
    return KeyBundle(keys, **msgspec.structs.asdict(pins))


def save_pins(folder: Path, bundle: KeyBundle) -> None:
    pins = _Pins(
        bundle.leader, bundle.record, bundle.removed, {**bundle.spaces}, {**bundle.rewinds}
    )
    replace_private(folder / _FILE, msgspec.json.encode(pins).decode())
