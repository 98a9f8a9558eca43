"""What this computer has seen of the account's logs, kept apart from the service.

The service stores the same pins in the key envelope. Its answers never make this computer forget
them: what is kept here holds no secret and survives `tess lock` and a password reset.
"""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.profile import replace_private
from tessera_core.key_envelopes import KeyBundle, LeaderPin, RecordPin, SpacePin
from tessera_core.user_keys import PrivateKeys

_FILE = "pins.json"


def load_pins(folder: Path, keys: PrivateKeys) -> KeyBundle:
    """Returns a bundle of these keys with the pins of this computer."""
    try:
        values = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        return _decode(values, keys)
    except FileNotFoundError:
        return KeyBundle(keys)
    except (ValueError, KeyError, TypeError):
        raise ClientError(
            translate("errors.profile_damaged", path=folder / _FILE), code="profile_damaged"
        ) from None


def save_pins(folder: Path, bundle: KeyBundle) -> None:
    leader, record = bundle.leader, bundle.record
    values = {
        "leader": leader and [str(leader.user), leader.fingerprint.hex()],
        "record": record and [record.counter, record.hash.hex()],
        "removed": [fingerprint.hex() for fingerprint in bundle.removed],
        "spaces": {
            str(space): [pin.first.hex(), pin.sequence, pin.hash.hex()]
            for space, pin in bundle.spaces.items()
        },
    }
    replace_private(folder / _FILE, json.dumps(values))


def _decode(values: dict[str, Any], keys: PrivateKeys) -> KeyBundle:
    leader, record = values["leader"], values["record"]
    return KeyBundle(
        keys,
        leader=LeaderPin(UUID(leader[0]), bytes.fromhex(leader[1])) if leader else None,
        record=RecordPin(record[0], bytes.fromhex(record[1])) if record else None,
        removed=tuple(map(bytes.fromhex, values["removed"])),
        spaces={
            UUID(space): SpacePin(bytes.fromhex(first), sequence, bytes.fromhex(last))
            for space, (first, sequence, last) in values["spaces"].items()
        },
    )
