"""The form of the service's answers. What does not have it is refused before anything reads it.

Only what the client uses is described; the service may add fields.
"""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NoReturn, TypeAlias
from uuid import UUID

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_core import base64url
from tessera_core.erasure import MAX_SHARDS
from tessera_core.kdf import SALT_BYTES
from tessera_core.packs import PACK_ID_BYTES

Json: TypeAlias = Any
Shape: TypeAlias = Callable[[Any], bool]

MAX_NUMBER = 2**63
HASH_BYTES = 32

_SURROGATE = re.compile("[\ud800-\udfff]")
_VARIABLE = re.compile(r"/([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]+)(?=/|$)", re.ASCII)


class AnswerMalformed(ClientError):
    def __init__(self, call: str) -> None:
        super().__init__(
            translate("errors.service_answer_malformed", call=call), code="service_answer_malformed"
        )


def parse_json(content: bytes | bytearray) -> Json:
    """Raises ValueError also for numbers that JSON does not have and for endless nesting."""
    try:
        return json.loads(content.decode("utf-8"), parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def check_answer(method: str, path: str, answer: Json) -> Json:
    """Returns an answer that has the form of this call's answers."""
    call = f"{method} {_VARIABLE.sub('/*', path)}"
    shape = ANSWERS.get(call)
    if shape is not None and not shape(answer):
        raise AnswerMalformed(call)
    return answer


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


# Shapes


def anything(_: Json) -> bool:
    return True


def text(value: Json) -> bool:
    """Half of a surrogate pair cannot be stored or shown."""
    return isinstance(value, str) and not _SURROGATE.search(value)


def flag(value: Json) -> bool:
    return isinstance(value, bool)


def number(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MAX_NUMBER


def shard_index(value: Json) -> bool:
    return number(value) and value < MAX_SHARDS


def signed_number(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < MAX_NUMBER


def uuid(value: Json) -> bool:
    """In the usual spelling only, because it is compared as a text too."""
    try:
        return isinstance(value, str) and str(UUID(value)) == value
    except ValueError:
        return False


def moment(value: Json) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value).timestamp() > 0
    except (ValueError, OverflowError, OSError):
        return False


def encoded(value: Json) -> bool:
    """base64url of any bytes; what they mean is for their reader to judge."""
    if not isinstance(value, str):
        return False
    try:
        base64url.decode(value)
    except ValueError:
        return False
    return True


def encoded_bytes(size: int) -> Shape:
    return lambda value: encoded(value) and len(base64url.decode(value)) == size


def one_of(*values: str) -> Shape:
    return lambda value: isinstance(value, str) and value in values


def maybe(shape: Shape) -> Shape:
    return lambda value: value is None or shape(value)


def rows(shape: Shape) -> Shape:
    return lambda value: isinstance(value, list) and all(shape(each) for each in value)


def single(shape: Shape) -> Shape:
    """A list with the answer to the only thing that was asked for."""
    return lambda value: isinstance(value, list) and len(value) == 1 and shape(value[0])


def texts_by_name(value: Json) -> bool:
    return isinstance(value, dict) and all(text(each) for each in [*value, *value.values()])


def fields(shapes: Mapping[str, Shape], **optional: Shape) -> Shape:
    """An object that has these fields; the optional ones may be missing."""

    def check(value: Json) -> bool:
        return (
            isinstance(value, dict)
            and all(name in value and shape(value[name]) for name, shape in shapes.items())
            and all(shape(value[name]) for name, shape in optional.items() if name in value)
        )

    return check


# Answers

_HASH = encoded_bytes(HASH_BYTES)
_SALT = encoded_bytes(SALT_BYTES)
_PACK = encoded_bytes(PACK_ID_BYTES)
_KEYS = fields({"publicKeys": encoded, "envelope": maybe(text), "revision": number})
_MEMBER = fields(
    {
        "uuid": uuid,
        "firstName": text,
        "lastName": text,
        "emailAddress": maybe(text),
        "role": text,
        "isActive": flag,
        "publicKeys": maybe(encoded),
    }
)
_REMOVAL = fields({"uuid": uuid, "name": text, "emailAddress": maybe(text), "reason": text})
_RECOVERY = fields({"records": rows(encoded), "kitCounter": number, "sealed": maybe(encoded)})
_SPACE = fields(
    {
        "id": uuid,
        "sequence": number,
        "head": _HASH,
        "isMember": flag,
        "leader": uuid,
        "refusedGrants": rows(uuid),
    }
)
_LOG = fields({"entries": rows(encoded), "sequence": number, "head": _HASH})
_GRANT = fields({"sequence": number, "member": uuid, "grant": encoded, "digests": rows(_HASH)})
_LINK = fields({"method": text, "url": text, "headers": texts_by_name, "expiresAt": moment})
_SHARD_TO_SEND = fields({"index": shard_index, "isStored": flag, "link": maybe(_LINK)})
_SHARD_STATE = fields(
    {"index": shard_index, "state": one_of("stored", "absent", "different", "unknown")}
)
_SHARD_TO_READ = fields({"index": shard_index, "warehouseId": maybe(number), "link": maybe(_LINK)})
_HEALTH = fields(
    {
        "warehouses": rows(fields({"name": text, "status": number, "shards": number})),
        "notSafe": number,
        "degraded": number,
        "lost": number,
    }
)
_USAGE = fields(
    {
        "quota": number,
        "used": number,
        "left": signed_number,
        "renewsAt": moment,
        "warehouses": rows(fields({"name": text})),
        "members": rows(fields({"name": text})),
    }
)
_CODE_SENT = fields({"method": text}, sentTo=maybe(text))
_VERIFIED = fields({"verifiedFor": number})
_SESSION = fields(
    {
        "access_token": text,
        "salt": _SALT,
        "sealedUserKey": text,
        "user": fields(
            {
                "uuid": uuid,
                "companyUuid": uuid,
                "companyName": text,
                "firstName": text,
                "lastName": text,
            }
        ),
    }
)

ANSWERS: Mapping[str, Shape] = {
    "GET /downloads/manifest": text,
    "GET /company/passphrase": text,
    "GET /storage/keys": _KEYS,
    "PUT /storage/keys": _KEYS,
    "PUT /storage/keys/replacement": _KEYS,
    "GET /storage/keys/members": fields({"members": rows(_MEMBER), "next": maybe(uuid)}),
    "GET /storage/recovery": _RECOVERY,
    "PUT /storage/recovery/record": anything,
    "PUT /storage/recovery/kit": anything,
    "PUT /storage/recovery/handover": anything,
    "GET /storage/recovery/handover": fields({"handover": maybe(encoded)}),
    "GET /storage/removals": fields({"members": rows(_REMOVAL)}),
    "GET /storage/spaces": rows(_SPACE),
    "POST /storage/spaces": anything,
    "GET /storage/spaces/*/log": _LOG,
    "POST /storage/spaces/*/log": anything,
    "POST /storage/spaces/*/log/flush": anything,
    "GET /storage/spaces/*/grants": fields({"grants": rows(_GRANT)}),
    "POST /storage/spaces/*/grants": anything,
    "POST /storage/spaces/*/grants/refused": anything,
    "GET /storage/placement": fields({"k": shard_index, "n": shard_index}),
    "POST /storage/uploads": fields(
        {"packs": single(fields({"id": _PACK, "shards": rows(_SHARD_TO_SEND)}))}
    ),
    "POST /storage/uploads/complete": fields(
        {"packs": single(fields({"id": _PACK, "shards": rows(_SHARD_STATE)}))}
    ),
    "POST /storage/links": fields(
        {"packs": rows(fields({"id": _PACK, "shards": rows(_SHARD_TO_READ)}))}
    ),
    "GET /storage/health": _HEALTH,
    "GET /storage/usage": _USAGE,
    "POST /auth/prelogin": fields({"salt": _SALT, "kdf": number}),
    "POST /auth/login-onboard": _CODE_SENT,
    "POST /auth/verify-otp": _SESSION,
    "POST /auth/logout": anything,
    "POST /auth/generate-otp": _CODE_SENT,
    "POST /auth/verify-otp/*": _VERIFIED,
    "POST /auth/verify-recovery-code": _VERIFIED,
}
