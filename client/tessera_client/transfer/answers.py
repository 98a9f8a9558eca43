"""The service's answers. What does not have its form is refused before anything reads it.

Only what the client uses is described; the service may add fields.
"""

import re
from datetime import datetime
from functools import cache
from threading import Lock
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar
from uuid import UUID

import msgspec
from msgspec import Meta

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_core import base64url
from tessera_core.erasure import MAX_SHARDS
from tessera_core.kdf import SALT_BYTES
from tessera_core.packs import PACK_ID_BYTES

Form = TypeVar("Form")

# The form of answers that nobody reads.
Unread = object

_preparing = Lock()

_VARIABLE = re.compile(r"/([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]+)(?=/|$)", re.ASCII)


class AnswerMalformed(ClientError):
    def __init__(self, method: str, path: str) -> None:
        call = f"{method} {_VARIABLE.sub('/*', path)}"
        super().__init__(
            translate("errors.service_answer_malformed", call=call), code="service_answer_malformed"
        )


def decode_json(content: bytes | bytearray, form: type[Form]) -> Form:
    """Raises ValueError if the content is not JSON of this form."""
    try:
        answer: Form = _decoder(form).decode(content)  # type: ignore[arg-type]
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return answer


def check_form(value: object, form: type[Form]) -> Form:
    """Raises ValueError if what came without JSON does not have the form."""
    return value if form is Unread else msgspec.convert(value, form)  # type: ignore[return-value]


@cache
def _decoder(form: type[object]) -> "msgspec.json.Decoder[Any]":
    # msgspec crashes when one thread decodes a form that another one is still preparing.
    with _preparing:
        return msgspec.json.Decoder(Any if form is Unread else form, dec_hook=_decode_bytes)


class Encoded(bytes):
    """Bytes that come as base64url; what they mean is for their reader to judge."""

    size: ClassVar[int | None] = None

    @classmethod
    def from_text(cls, text: str) -> Self:
        data = cls(base64url.decode(text))
        if cls.size not in (None, len(data)):
            raise ValueError(f"{cls.size} bytes are expected")
        return data


class Hash(Encoded):
    size = 32


class Salt(Encoded):
    size = SALT_BYTES


class PackId(Encoded):
    size = PACK_ID_BYTES


def _decode_bytes(kind: type[Encoded], value: object) -> Encoded:
    if not isinstance(value, str):
        raise ValueError("base64url is expected")
    return kind.from_text(value)


_MAX_NUMBER = 2**63 - 1
Number = Annotated[int, Meta(ge=0, le=_MAX_NUMBER)]
SignedNumber = Annotated[int, Meta(ge=-_MAX_NUMBER, le=_MAX_NUMBER)]
ShardIndex = Annotated[int, Meta(ge=0, lt=MAX_SHARDS)]
Moment = Annotated[datetime, Meta(tz=True)]


class Answer(msgspec.Struct, rename="camel"):
    pass


class UserKeys(Answer):
    public_keys: Encoded
    envelope: str | None
    revision: Number


class MemberRow(Answer):
    uuid: UUID
    first_name: str
    last_name: str
    email_address: str | None
    role: str
    is_active: bool
    public_keys: Encoded | None
    former_email_address: str | None = None
    email_set_by_directory_at: datetime | None = None


class MemberPage(Answer):
    members: list[MemberRow]
    next: UUID | None


class RemovalRow(Answer):
    uuid: UUID
    name: str
    email_address: str | None
    reason: str


class Removals(Answer):
    members: list[RemovalRow]


class Recovery(Answer):
    records: list[Encoded]
    kit_counter: Number
    is_kit_confirmed: bool
    sealed: Encoded | None


class Handover(Answer):
    handover: Encoded | None


class SpaceRow(Answer):
    id: UUID
    sequence: Number
    head: Hash
    is_member: bool
    leader: UUID
    refused_grants: list[UUID]


class LogPage(Answer):
    entries: list[Encoded]
    sequence: Number
    head: Hash


class ExtendedLog(Answer):
    sequence: Number
    head: Hash
    missing_packs: Number
    needs_grants: bool


class WaitingSpace(Answer):
    id: UUID
    sequence: Number
    seen: Number
    members: Number
    is_in_warehouses: bool = False


class Restore(Answer):
    """What the service says of its restore from a backup."""

    began_at: Moment | None
    read_at: Moment | None
    closed_at: Moment | None
    waiting: list[WaitingSpace]

    @property
    def is_open(self) -> bool:
        return self.began_at is not None and self.closed_at is None


class GrantRow(Answer):
    sequence: Number
    member: UUID
    grant: Encoded
    digests: list[Hash]


class Grants(Answer):
    grants: list[GrantRow]


class PlacementRow(Answer):
    k: ShardIndex
    n: ShardIndex


class Link(Answer):
    """A request to a warehouse, which the service has signed."""

    method: str
    url: str
    headers: dict[str, str]
    expires_at: Moment


class ShardToSend(Answer):
    index: ShardIndex
    warehouse_name: str
    is_stored: bool
    link: Link | None


class PackToSend(Answer):
    id: PackId
    shards: list[ShardToSend]


class Uploads(Answer):
    packs: Annotated[list[PackToSend], Meta(min_length=1, max_length=1)]


class SentShard(Answer):
    index: ShardIndex
    state: Literal["stored", "absent", "different", "unknown"]


class SentPack(Answer):
    id: PackId
    shards: list[SentShard]


class CompletedUploads(Answer):
    packs: Annotated[list[SentPack], Meta(min_length=1, max_length=1)]


class ShardToRead(Answer):
    index: ShardIndex
    warehouse_id: Number | None
    link: Link | None


class PackToRead(Answer):
    id: PackId
    shards: list[ShardToRead]


class Links(Answer):
    packs: list[PackToRead]


class ShareCreated(Answer):
    expires_at: Moment
    origin: str


class ShareRow(Answer):
    id: UUID
    author: UUID
    author_name: str
    state: str
    bytes: Number
    downloads: Number
    max_downloads: Number
    created_at: Moment
    expires_at: Moment
    last_download_at: Moment | None


class Shares(Answer):
    shares: list[ShareRow]


class SharePolicy(Answer):
    is_allowed: bool
    max_days: Number


class GuestShare(Answer):
    """What anyone is told about a share."""

    company: UUID
    salt: Salt


class OpenedShare(Answer):
    manifest: Encoded
    ticket: str


class RequestCreated(Answer):
    expires_at: Moment
    origin: str


class ArrivalRow(Answer):
    id: UUID
    bytes: Number
    arrived_at: Moment


class RequestRow(Answer):
    id: UUID
    space_id: UUID
    generation: Number
    author: UUID
    author_name: str
    state: str
    details: Encoded
    folder: Encoded
    accepted: Number
    arrivals: list[ArrivalRow]
    expires_at: Moment


class Requests(Answer):
    origin: str
    requests: list[RequestRow]


class ArrivalContents(Answer):
    request_id: UUID
    upload_key: Encoded
    manifest: Encoded


class GuestRequest(Answer):
    """What anyone is told about a request for files."""

    company: UUID
    public_keys: Encoded


class OpenedRequest(Answer):
    details: Encoded
    bytes_left: Number
    k: Number
    n: Number


class GuestPack(Answer):
    id: PackId
    missing: list[Number]


class GuestPacks(Answer):
    packs: list[GuestPack]


class Warehouse(Answer):
    id: Number
    name: str
    type_name: str
    status: Number
    shards: Number
    missing: Number
    is_placed: bool
    last_check: Moment | None


class RecoveryHealth(Answer):
    kit_counter: Number
    is_kit_current: bool
    is_kit_confirmed: bool


class Health(Answer):
    recovery: RecoveryHealth
    warehouses: list[Warehouse]
    packs: Number
    not_safe: Number
    degraded: Number
    lost: Number


class ChangedSpaces(Answer):
    changed: list[UUID]


class Usage(Answer):
    quota: Number
    used: Number
    left: SignedNumber


class Prelogin(Answer):
    salt: Salt
    kdf: Number


class CodeSent(Answer):
    method: str
    sent_to: str | None = None


class CompanyLoginStarted(Answer):
    handle: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,60}$")]
    device_code: Annotated[str, Meta(pattern=r"^[A-Z]{4}-[A-Z]{4}$")]
    expires_in: Annotated[int, Meta(ge=1, le=3_600)]
    interval: Annotated[int, Meta(ge=1, le=60)]


class CompanyLoginState(Answer):
    confirmed: bool
    email_address: str | None = None
    salt: Salt | None = None


class Verified(Answer):
    verified_for: Number


class SessionUser(Answer):
    uuid: UUID
    company_uuid: UUID
    company_name: str
    first_name: str
    last_name: str


class Problem(Answer):
    """Why a call was refused. The fields may be anything: whoever shows them looks first."""

    code: Any = None
    message: Any = None
    reason: Any = None


class OpenedSession(Answer):
    access_token: str = msgspec.field(name="access_token")
    salt: Salt
    sealed_user_key: str
    user: SessionUser
