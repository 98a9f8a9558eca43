"""The service and three warehouses in memory. Tests make them fail or lie."""

import copy
import hashlib
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import formatdate
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx

from client.tests.request_service import REQUEST_HANDLERS, answer_guest
from tessera_client.vault.profile import Profile, Secrets, StateFolder
from tessera_core import base64url
from tessera_core.entries import Change, Entry, Rewound
from tessera_core.envelopes import new_key, seal_passphrase_pair, seal_user_key
from tessera_core.grants import RECOVERY, Grant
from tessera_core.handovers import RecoveryHandover
from tessera_core.kdf import derive, salt_to_text
from tessera_core.log import EntryRefused, LogState, Reason
from tessera_core.recovery_records import RecoveryRecord, check_records
from tessera_core.user_keys import PublicKeys

ORIGIN = "https://tessera.test"
PASSWORD = "mosaic-Tile-2026"
PASSPHRASE = "three clouds, one mosaic"
SALT = b"sixteen bytes of"
K, N = 2, 3

Handler = Callable[["Service", "Person", dict[str, Any], dict[str, str]], Any]


class Problem(Exception):
    def __init__(self, status: int, code: str, **extra: object) -> None:
        super().__init__(code)
        self.status = status
        self.body = {"code": code, "message": code, **extra}


@dataclass
class Person:
    email: str
    is_leader: bool
    uuid: UUID = field(default_factory=uuid4)
    user_key: bytes = field(default_factory=new_key)
    keys: dict[str, Any] | None = None
    is_active: bool = True
    salt: bytes = SALT
    former_email: str | None = None

    @property
    def token(self) -> str:
        return str(self.uuid)


@dataclass
class SpaceLog:
    state: LogState
    entries: list[str] = field(default_factory=list)
    grants: dict[UUID, tuple[int, Grant]] = field(default_factory=dict)
    waiting: dict[bytes, list[Grant]] = field(default_factory=dict)
    digests: dict[int, list[str]] = field(default_factory=dict)
    granted: dict[int, tuple[Grant, ...]] = field(default_factory=dict)
    """All grants of each entry, as segments hold them."""
    refused: set[UUID] = field(default_factory=set)


def no_company_login(path: str, body: dict[str, Any]) -> httpx.Response:
    return httpx.Response(404, json={"code": "sso_not_available", "message": "None."})


@dataclass
class Service:
    answer_company_login: Callable[[str, dict[str, Any]], httpx.Response] = no_company_login
    company: UUID = field(default_factory=uuid4)
    people: list[Person] = field(default_factory=list)
    spaces: dict[UUID, SpaceLog] = field(default_factory=dict)
    packs: dict[str, dict[str, Any]] = field(default_factory=dict)
    objects: dict[tuple[int, str], bytes] = field(default_factory=dict)
    """By warehouse and pack; warehouse i holds shard i."""
    records: list[str] = field(default_factory=list)
    kits: list[str] = field(default_factory=list)
    confirmed: int = 0
    """The counter of the kit that was confirmed last."""
    handover: dict[str, Any] | None = None
    removed: dict[UUID, str] = field(default_factory=dict)
    """E-mail addresses of deleted accounts that are still in a log."""
    backups: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What was reported last of each backup."""
    shares: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: dict[str, dict[str, Any]] = field(default_factory=dict)
    silent_pieces: set[int] = field(default_factory=set)
    """Clouds that take no pieces from guests."""
    share_origin: str = ORIGIN
    share_policy: dict[str, Any] = field(default_factory=lambda: {"isAllowed": True, "maxDays": 30})
    request_policy: dict[str, Any] = field(
        default_factory=lambda: {"isAllowed": True, "maxDays": 30}
    )
    verified: bool = True
    is_restoring: bool = False
    """It was restored from a backup, and the leader has not closed that."""
    was_restored: bool = False
    seen: dict[UUID, dict[UUID, int]] = field(default_factory=dict)
    """How far people have seen logs, as they say."""
    kdf: int = 1
    ended: set[str] = field(default_factory=set)
    """Tokens of computers that were removed."""
    is_full: bool = False
    is_down: bool = False
    """Nothing answers, as without a network."""
    clock: float | None = None
    """Seconds since 1970; the present by default."""
    manifest: str | None = None
    """The signed list of published files."""
    download_link: str = "/api/downloads/file?ticket=1"
    languages: list[str] = field(default_factory=list)
    """Asked for by the calls."""
    exchanges: list[tuple[str, Any, Any]] = field(default_factory=list)
    """Method and path, body and answer of every successful call."""
    logins: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Path and body of every call that was made without a session."""
    on_call: Callable[[str, Any], Any] = lambda _, answer: answer
    """Changes answers, or raises a Problem: a lying service."""
    on_object: Callable[[httpx.Request, int], httpx.Response | None] = lambda *_: None
    """Answers in place of a warehouse."""

    def __post_init__(self) -> None:
        self.leader = self.join("leader@tessera.test", is_leader=True)
        self.member = self.join("member@tessera.test")

    def join(self, email: str, *, is_leader: bool = False) -> Person:
        person = Person(email, is_leader)
        self.people.append(person)
        return person

    def sign_in(self, path: Path, person: Person) -> None:
        """Leaves a state folder as `tess login` does."""
        folder = StateFolder(path, use_keyring=False)
        folder.save_profile(
            Profile(
                origin=ORIGIN,
                email=person.email,
                device="Laptop",
                user=person.uuid,
                company=self.company,
                company_name="Example",
                name=person.email,
                salt=salt_to_text(SALT),
                sealed_user_key=self.seal(person),
            )
        )
        folder.save_secrets(Secrets(person.token, person.user_key))

    def seal(self, person: Person) -> str:
        return seal_user_key(
            person.user_key,
            wrap_key=derive(PASSWORD, person.salt).wrap_key,
            uid=str(person.uuid),
            cid=str(self.company),
            salt=person.salt,
        )

    def lose(self, warehouse: int) -> None:
        """A warehouse that is gone."""
        self.objects = {key: data for key, data in self.objects.items() if key[0] != warehouse}
        self.on_object = lambda _, index: httpx.Response(404) if index == warehouse else None

    # HTTP

    def answer(self, request: httpx.Request) -> httpx.Response:  # noqa: PLR0911
        path = request.url.path
        if self.is_down:
            raise httpx.ConnectError("no network")
        if path == "/healthz":
            return httpx.Response(200, headers={"date": formatdate(self.clock, usegmt=True)})
        if path.startswith("/objects/"):
            return self._object(request, path)
        if path.startswith("/api/auth/") and "authorization" not in request.headers:
            return self._login(path, json.loads(request.content))
        if path.startswith("/api/shares/"):
            return self._guest(request, path)
        if path.startswith("/api/requests/"):
            return answer_guest(self, request, path)
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token in self.ended:
            return httpx.Response(401, json={"code": "session_ended", "message": ""})
        person = next((each for each in self.people if each.token == token), None)
        if person is None:
            return httpx.Response(401, json={"code": "session_expired", "message": ""})
        self.languages.append(request.headers["accept-language"])
        name = f"{request.method} {path.removeprefix('/api')}"
        body = json.loads(request.content) if request.content else {}
        try:
            answer = self._dispatch(name, person, body, dict(request.url.params))
            self.exchanges.append((name, body, answer))
            if isinstance(answer, str):
                return httpx.Response(200, text=answer)
            return httpx.Response(200, json=self.on_call(name, answer))
        except Problem as problem:
            return httpx.Response(problem.status, json=problem.body)

    def _login(self, path: str, body: dict[str, Any]) -> httpx.Response:
        self.logins.append((path, body))
        if path.startswith("/api/auth/sso/"):
            return self.answer_company_login(path.rpartition("client-logins")[2], body)
        known = (each for each in self.people if each.email == body["emailAddress"])
        person = next(known, None) or Person(body["emailAddress"], is_leader=False)
        salt = salt_to_text(person.salt)
        if path.endswith("/prelogin"):
            return httpx.Response(200, json={"salt": salt, "kdf": self.kdf})
        if person not in self.people or body["password"] != derive(PASSWORD, person.salt).auth:
            return httpx.Response(401, json={"code": "login_failed", "message": "Wrong."})
        if path.endswith("/login-onboard"):
            return httpx.Response(200, json=self.send_code(person, {}, {}))
        if body["otp"] != "123456":
            return httpx.Response(400, json={"code": "code_wrong", "message": "Wrong code."})
        return self.open_session(person)

    def open_session(self, person: Person) -> httpx.Response:
        salt = salt_to_text(person.salt)
        user = {
            "uuid": str(person.uuid), "companyUuid": str(self.company), "companyName": "Example",
            "firstName": "Ada", "lastName": "Lindqvist",
        }  # fmt: skip
        session = {"access_token": person.token, "user": user, "salt": salt}
        sealed = self.seal(person)
        return httpx.Response(200, json={**session, "sealedUserKey": sealed})

    def _guest(self, request: httpx.Request, path: str) -> httpx.Response:
        """People outside send no token of an account."""
        assert "authorization" not in request.headers
        name = f"{request.method} {path.removeprefix('/api')}"
        body = json.loads(request.content) if request.content else {}
        _, _, _, share_id, *call = path.split("/")
        share = self.shares.get(share_id)
        if share is None or share["manifest"] is None:
            return httpx.Response(404, json={"code": "share_not_found", "message": "None."})
        try:
            answer = self._guest_call("".join(call), share, body)
        except Problem as problem:
            return httpx.Response(problem.status, json=problem.body)
        self.exchanges.append((name, body, answer))
        return httpx.Response(200, json=self.on_call(name, answer))

    def _guest_call(self, call: str, share: dict[str, Any], body: dict[str, Any]) -> Any:
        if not call:
            company = str(self.company)
            return {"company": company, "salt": share["salt"], "state": share["state"]}
        if call == "open":
            if share["state"] != "open":
                raise Problem(410, f"share_{share['state']}")
            hashed = hashlib.sha256(base64url.decode(body["token"])).digest()
            if base64url.encode(hashed) != share["tokenHash"]:
                raise Problem(403, "share_token_wrong")
            share["opened"] += 1
            if share["opened"] == share["downloads"]:
                share["state"] = "used"
            return {
                "manifest": share["manifest"],
                "ticket": share["id"],
                "expiresAt": share["expiresAt"],
                "downloadsLeft": share["downloads"] - share["opened"],
            }
        assert call == "links"
        assert body["ticket"] == share["id"]
        if any(self.packs[pack]["share"] != share["id"] for pack in body["packs"]):
            raise Problem(404, "pack_not_found")
        return self.post_links(self.leader, body, {})

    def _object(self, request: httpx.Request, path: str) -> httpx.Response:
        _, _, warehouse, pack = path.split("/")
        index = int(warehouse)
        if given := self.on_object(request, index):
            return given
        key = (index, pack)
        if request.method == "PUT":
            if key in self.objects:
                return httpx.Response(412)
            self.objects[key] = request.read()
            return httpx.Response(200)
        if key not in self.objects:
            return httpx.Response(404)
        content = self.objects[key]
        if asked := re.fullmatch(r"bytes=(\d+)-(\d+)", request.headers.get("range", "")):
            return httpx.Response(206, content=content[int(asked[1]) : int(asked[2]) + 1])
        return httpx.Response(200, content=content)

    def _dispatch(
        self, name: str, person: Person, body: dict[str, Any], query: dict[str, str]
    ) -> Any:
        for pattern, handler in _HANDLERS.items():
            if found := re.fullmatch(pattern, name):
                return handler(self, person, body, {**query, **found.groupdict()})
        raise Problem(404, "not_found")

    # Calls

    def get_changes(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        """Holds nothing."""
        changed = [
            each["id"]
            for each in body["spaces"]
            if self.spaces[UUID(each["id"])].state.sequence != each["sequence"]
        ]
        return {"changed": changed}

    def get_manifest(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        if self.manifest is None:
            raise Problem(404, "nothing_published")
        return self.manifest

    def make_link(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        return {"url": self.download_link}

    def put_backup(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        self.backups[query["backup"]] = body

    def delete_backup(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        self.backups.pop(query["backup"], None)

    def get_keys(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        if person.keys is None:
            raise Problem(404, "storage_keys_missing")
        return person.keys

    def put_keys(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        revision = person.keys["revision"] if person.keys else 0
        header = json.loads(base64url.decode(body["envelope"].split(".")[0]))
        if header["rev"] != revision + 1:
            raise Problem(409, "storage_keys_stale", revision=revision)
        person.keys = {**body, "revision": revision + 1}
        return person.keys

    def replace_keys(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        if not self.verified:
            raise Problem(403, "verification_required")
        assert person.keys
        assert person.keys["publicKeys"] != body["publicKeys"]
        return self.put_keys(person, body, query)

    def get_members(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        rows = [
            {
                "uuid": str(each.uuid),
                "firstName": each.email.split("@")[0],
                "lastName": "",
                "emailAddress": each.email,
                "role": "teamLeader" if each.is_leader else "teamMember",
                "isActive": each.is_active,
                "publicKeys": each.keys["publicKeys"],
                "formerEmailAddress": each.former_email,
                "emailSetByDirectoryAt": "2026-11-18T09:00:00Z" if each.former_email else None,
            }
            for each in self.people
            if each.keys
        ]
        if not person.is_leader:
            for row in rows:
                if row["uuid"] != str(person.uuid) and row["role"] != "teamLeader":
                    row |= {"emailAddress": None, "publicKeys": None}
                    row |= {"formerEmailAddress": None, "emailSetByDirectoryAt": None}
        return {"members": rows, "next": None}

    def get_recovery(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        return {
            "records": self.records,
            "kitCounter": len(self.kits),
            "isKitConfirmed": bool(self.kits) and self.confirmed == len(self.kits),
            "sealed": self.kits[-1] if self.kits and person.is_leader else None,
        }

    def put_record(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        records = [*self.records, body["record"]]
        decoded = [RecoveryRecord.decode(base64url.decode(record)) for record in records]
        if self.records[-1:] != [body["record"]]:
            if decoded[-1].counter != len(records):
                raise Problem(409, "recovery_stale", counter=len(self.records))
            check_records(decoded, self.company)
            assert person.keys
            decoded[-1].verify_leader(
                PublicKeys.decode(base64url.decode(person.keys["publicKeys"]))
            )
            self.records, self.handover = records, None
        return self.get_recovery(person, body, query)

    def put_kit(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        if not self.verified:
            raise Problem(403, "verification_required")
        assert body["counter"] == len(self.kits) + 1
        self.kits.append(body["sealed"])
        return self.get_recovery(person, body, query)

    def confirm_kit(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        assert body["counter"] == len(self.kits)
        self.confirmed = body["counter"]
        return self.get_recovery(person, body, query)

    def put_handover(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        self.handover = body

    def get_handover(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        encoded = self.handover["handover"] if self.handover else None
        if encoded and RecoveryHandover.decode(base64url.decode(encoded)).recipient != person.uuid:
            encoded = None
        return {"handover": encoded}

    def get_removals(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        disabled = {each.uuid: each.email for each in self.people if not each.is_active}
        inside = {user for log in self.spaces.values() for user in log.state.members}
        rows = [
            {"uuid": str(user), "name": email, "emailAddress": email, "reason": reason, "spaces": 1}
            for reason, people in (("deleted", self.removed), ("disabled", disabled))
            for user, email in people.items()
            if user in inside
        ]
        return {"members": rows}

    def remove(self, person: Person) -> None:
        """Deletes an account, as the console does."""
        self.people.remove(person)
        self.removed[person.uuid] = person.email

    def get_spaces(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        return [
            {
                "id": str(space),
                "sequence": log.state.sequence,
                "head": base64url.encode(log.state.head),
                "isMember": person.uuid in log.state.members,
                "generation": log.state.generation,
                "awaitingGeneration": log.state.awaiting_generation,
                "leader": str(log.state.leader),
                "refusedGrants": [str(member) for member in log.refused],
                "dateCreated": "2026-11-16T08:00:00Z",
            }
            for space, log in self.spaces.items()
        ]

    def post_space(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        entry = Entry.decode(base64url.decode(body["entry"]))
        log = self.spaces[entry.head.space] = SpaceLog(LogState(self.company, entry.head.space))
        try:
            log.state.append(entry, now=int((self.clock or time.time()) * 1000))
        except EntryRefused as refused:
            raise Problem(422, "entry_refused", reason=str(refused.reason)) from None
        log.entries.append(body["entry"])
        return next(
            row for row in self.get_spaces(person, {}, {}) if row["id"] == str(log.state.space)
        )

    def get_log(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        log = self.spaces.get(UUID(query["space"]))
        if log is None:
            raise Problem(404, "space_not_found")
        after = int(query["after"])
        entries = log.entries[after : after + int(query["limit"])]
        if query.get("bodies") == "false":
            entries = [_without_body(entry) for entry in entries]
        return {
            "entries": entries,
            "sequence": len(log.entries),
            "head": base64url.encode(log.state.head),
        }

    def back_up(self) -> Callable[[], None]:
        """Returns what restores the database as it is now. The clouds keep what they have."""
        names = ("spaces", "records", "kits", "shares", "requests")
        kept = copy.deepcopy({name: getattr(self, name) for name in names})
        keys = {person.uuid: copy.deepcopy(person.keys) for person in self.people}

        def restore() -> None:
            for name, value in copy.deepcopy(kept).items():
                setattr(self, name, value)
            for person in self.people:
                person.keys = copy.deepcopy(keys[person.uuid])
            self.is_restoring, self.was_restored, self.seen = True, True, {}

        return restore

    def get_restore(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        moment = "2026-11-19T08:00:00Z" if self.is_restoring or self.was_restored else None
        waiting = [
            {
                "id": str(space),
                "sequence": len(self.spaces[space].entries) if space in self.spaces else 0,
                "seen": max(seen.values()),
                "members": len(seen),
                "isInWarehouses": False,
            }
            for space, seen in self.seen.items()
        ]
        waiting = [row for row in waiting if row["seen"] > row["sequence"]]  # type: ignore[operator]
        closed = None if self.is_restoring else moment
        return {
            "beganAt": moment, "readAt": moment, "closedAt": closed, "entries": 0,
            "waiting": waiting, "spaces": len(self.spaces),
        }  # fmt: skip

    def close_restore(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        if not self.verified:
            raise Problem(403, "verification_required")
        if self.get_restore(person, {}, {})["waiting"]:
            raise Problem(409, "restore_incomplete")
        self.is_restoring = False
        return self.get_restore(person, {}, {})

    def post_former(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        if not self.is_restoring:
            raise Problem(409, "not_restoring")
        space = UUID(query["space"])
        entries = [Entry.decode(base64url.decode(each["entry"])) for each in body["entries"]]
        if space not in self.spaces:
            if not entries or entries[0].head.sequence != 1:
                raise Problem(404, "space_not_found")
            self.spaces[space] = SpaceLog(LogState(self.company, space))
        self.seen.setdefault(space, {})[person.uuid] = body["seen"]
        log, needs_grants = self.spaces[space], False
        state, taken = log.state.copy(), 0
        for number, (entry, sent) in enumerate(zip(entries, body["entries"], strict=True)):
            if entry.head.sequence <= log.state.sequence:
                if log.entries[entry.head.sequence - 1] != sent["entry"]:
                    raise Problem(409, "history_differs", sequence=entry.head.sequence)
                continue
            if entry.head.sequence != state.sequence + 1:
                raise Problem(409, "log_moved_on", sequence=state.sequence)
            grants = [Grant.decode(base64url.decode(text)) for text in sent["grants"]]
            try:
                state.append(entry)
                state.check_grants(entry, grants)
            except EntryRefused as refused:
                if refused.reason == Reason.WRONG_GRANTS and not grants:
                    needs_grants = True
                    break
                raise Problem(422, "entry_refused", reason=str(refused.reason)) from None
            log.waiting[entry.head.id] = grants
            if not state.awaiting_generation or entry.head.sequence == 1:
                taken, log.state = number + 1, state.copy()
        for sent in body["entries"][:taken]:
            entry = Entry.decode(base64url.decode(sent["entry"]))
            if entry.head.sequence > len(log.entries):
                log.entries.append(sent["entry"])
                self.take_grants(log, entry)
        return {
            "sequence": log.state.sequence, "head": base64url.encode(log.state.head),
            "missingPacks": 0, "needsGrants": needs_grants,
        }  # fmt: skip

    def post_log(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        space = UUID(query["space"])
        log = self.spaces[space]
        entries = [Entry.decode(base64url.decode(encoded)) for encoded in body["entries"]]
        if isinstance(entries[0].clear, Rewound):
            self.seen.pop(space, None)
        elif self.is_restoring:
            raise Problem(409, "storage_restoring")
        if entries[0].head.sequence != log.state.sequence + 1:
            raise Problem(409, "log_moved_on", sequence=log.state.sequence)
        if not self.verified and not isinstance(entries[0].clear, Change):
            raise Problem(403, "verification_required")
        state = log.state.copy()
        try:
            for entry in entries:
                state.append(entry, now=int((self.clock or time.time()) * 1000))
                state.check_grants(entry, log.waiting.get(entry.head.id, []))
            if state.awaiting_generation:
                raise EntryRefused(Reason.GENERATION_AWAITED)
        except EntryRefused as refused:
            raise Problem(422, "entry_refused", reason=str(refused.reason)) from None
        log.state = state
        log.entries += body["entries"]
        for entry in entries:
            self.take_grants(log, entry)
        return {"sequence": state.sequence, "head": base64url.encode(state.head)}

    def take_grants(self, log: SpaceLog, entry: Entry) -> None:
        grants = sorted(log.waiting.pop(entry.head.id, []), key=lambda grant: grant.member.bytes)
        for grant in grants:
            log.grants[grant.member] = (entry.head.sequence, grant)
            log.refused.discard(grant.member)
        log.granted[entry.head.sequence] = tuple(grants)
        log.digests[entry.head.sequence] = [base64url.encode(grant.digest) for grant in grants]

    def get_grants(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        log = self.spaces[UUID(query["space"])]
        rows = [
            {
                "sequence": sequence,
                "member": str(member),
                "generation": grant.generation,
                "grant": base64url.encode(grant.encode()),
                "digests": log.digests.get(sequence, []),
            }
            for member, (sequence, grant) in log.grants.items()
            if member == person.uuid or (member == RECOVERY and person.is_leader)
        ]
        return {"grants": rows}

    def post_refused(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        self.spaces[UUID(query["space"])].refused.add(person.uuid)

    def post_grants(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        if not self.verified:
            raise Problem(403, "verification_required")
        log = self.spaces[UUID(query["space"])]
        grants = [Grant.decode(base64url.decode(text)) for text in body["grants"]]
        waiting = log.waiting.setdefault(base64url.decode(body["entryId"]), [])
        waiting += [grant for grant in grants if grant not in waiting]

    def get_placement(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        return {"k": K, "n": N, "warehouses": [], "sharedAccount": None}

    def post_uploads(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        if self.is_full:
            raise Problem(403, "quota_exceeded", left=0, renewsAt="2026-12-01T00:00:00Z")
        rows = []
        for pack in body["packs"]:
            described = {**pack, "share": body["spaceId"]}
            known = self.packs.setdefault(pack["id"], {**described, "stored": set()})
            if {**known, "stored": 0} != {**described, "stored": 0}:
                raise Problem(409, "pack_exists")
            shards = [
                {
                    "index": index,
                    "warehouseId": index,
                    "warehouseName": f"Cloud {index}",
                    "link": None if index in known["stored"] else _link("PUT", index, pack["id"]),
                    "isStored": index in known["stored"],
                }
                for index in range(pack["n"])
            ]
            rows.append({"id": pack["id"], "shards": shards})
        return {"packs": rows, "remainingBytes": 10**9}

    def post_complete(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        rows = []
        for asked in body["packs"]:
            pack = self.packs[asked["id"]]
            states = []
            for index in asked["shards"]:
                content = self.objects.get((index, asked["id"]))
                expected = base64url.decode(pack["shards"][index]["sha256"])
                if content is None:
                    state = "absent"
                elif hashlib.sha256(content).digest() == expected:
                    state = "stored"
                    pack["stored"].add(index)
                else:
                    state = "different"
                states.append({"index": index, "state": state})
            stored = len(pack["stored"])
            safety = {"isReadable": stored >= pack["k"], "isSafe": stored > pack["k"]}
            rows.append({"id": asked["id"], "shards": states, **safety})
        return {"packs": rows}

    def post_links(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        rows = []
        for pack in body["packs"]:
            known = self.packs[pack]
            shards = [
                {
                    "index": index,
                    "size": known["shards"][index]["size"],
                    "sha256": known["shards"][index]["sha256"],
                    "warehouseId": index,
                    "link": _link("GET", index, pack) if index in known["stored"] else None,
                }
                for index in range(known["n"])
            ]
            fields = {name: known[name] for name in ("generation", "k", "n", "length")}
            rows.append({"id": pack, "shards": shards, **fields})
        return {"packs": rows}

    def post_share(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        if not self.share_policy["isAllowed"]:
            raise Problem(403, "shares_forbidden")
        expires = (datetime.now(UTC) + timedelta(days=body["days"])).isoformat()
        self.shares[body["id"]] = {
            **body, "author": person, "manifest": None, "state": "open", "opened": 0,
            "expiresAt": expires,
        }  # fmt: skip
        return {"expiresAt": expires, "origin": self.share_origin}

    def get_share_policy(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        return self.share_policy

    def put_share(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        self.shares[query["share"]]["manifest"] = body["manifest"]

    def delete_share(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        if query["share"] not in self.shares:
            raise Problem(404, "share_not_found")
        self.shares[query["share"]]["state"] = "ended"

    def get_shares(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        rows = [
            {
                "id": share["id"], "author": str(share["author"].uuid),
                "authorName": share["author"].email, "state": share["state"], "bytes": 1000,
                "downloads": share["opened"], "maxDownloads": share["downloads"],
                "createdAt": share["expiresAt"], "expiresAt": share["expiresAt"],
                "lastDownloadAt": None, "endedAt": None,
            }
            for share in self.shares.values()
            if share["manifest"] and (person.is_leader or share["author"] is person)
        ]  # fmt: skip
        return {"shares": rows}

    def post_flush(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        return {"sequence": 0, "copies": []}

    def get_passphrase(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        return seal_passphrase_pair(
            PASSPHRASE,
            user_key=person.user_key,
            uid=str(person.uuid),
            cid=str(self.company),
            epoch=1,
        )

    def get_health(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        rows = [
            {
                "id": index, "name": f"Cloud {index}", "type": 1,
                "typeName": "Dropbox", "status": int(index != 1) * 2, "lastCheck": None,
                "isPlaced": True, "shards": 0, "missing": 0,
            }
            for index in range(N)
        ]  # fmt: skip
        return {
            "warehouses": rows, "packs": 0, "notSafe": 0, "degraded": 0, "lost": 0, "removals": 0,
            "recovery": {
                "recordCounter": len(self.records), "recordTime": None,
                "kitCounter": len(self.kits), "isKitCurrent": True, "spacesWithFormerPair": 0,
                "isKitConfirmed": self.confirmed == len(self.kits),
            },
        }  # fmt: skip

    def get_usage(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        return {
            "quota": 25 * 10**9, "used": 0, "reserved": 0, "left": 25 * 10**9, "stored": 0,
            "share": 10**9,
            "storedCoded": 0, "startsAt": "2026-11-01T00:00:00Z",
            "renewsAt": "2026-12-01T00:00:00Z", "months": [], "members": [], "warehouses": [],
        }  # fmt: skip

    def log_out(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        self.people.remove(person)

    def send_code(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        return {"method": "sms", "sentTo": "+1 ... 01", "expiresIn": 300, "resendIn": 30}

    def verify(self, person: Person, body: dict[str, Any], query: dict[str, str]) -> Any:
        if query["code"] != "123456":
            raise Problem(400, "code_wrong")
        self.verified = True
        return {"verifiedFor": 300}


def _link(method: str, warehouse: int, pack: str) -> dict[str, Any]:
    expires = datetime.now(UTC) + timedelta(minutes=15)
    return {
        "method": method,
        "url": f"{ORIGIN}/objects/{warehouse}/{pack}",
        "headers": {"If-None-Match": "*"} if method == "PUT" else {},
        "expiresAt": expires.isoformat(),
    }


_SPACE = r"/storage/spaces/(?P<space>[^/]+)"


def _without_body(encoded: str) -> str:
    entry = Entry.decode(base64url.decode(encoded))
    return base64url.encode(entry.encode(with_body=False))


_BACKUP = "/storage/backups/(?P<backup>[0-9a-f]{16})"
_SHARE = "/storage/shares/(?P<share>[0-9a-f-]{36})"
_HANDLERS: dict[str, Handler] = {
    **REQUEST_HANDLERS,
    "GET /storage/shares": Service.get_shares,
    "GET /storage/share-policy": Service.get_share_policy,
    "POST /storage/shares": Service.post_share,
    f"PUT {_SHARE}/manifest": Service.put_share,
    f"DELETE {_SHARE}": Service.delete_share,
    "GET /storage/restore": Service.get_restore,
    "PUT /storage/restore/closed": Service.close_restore,
    f"POST {_SPACE}/log/former": Service.post_former,
    "GET /downloads/manifest": Service.get_manifest,
    r"POST /downloads/[^/]+/link": Service.make_link,
    "GET /storage/keys": Service.get_keys,
    "PUT /storage/keys": Service.put_keys,
    "PUT /storage/keys/replacement": Service.replace_keys,
    "GET /storage/keys/members": Service.get_members,
    "GET /storage/recovery": Service.get_recovery,
    "PUT /storage/recovery/record": Service.put_record,
    "PUT /storage/recovery/kit": Service.put_kit,
    "PUT /storage/recovery/kit/confirmation": Service.confirm_kit,
    "PUT /storage/recovery/handover": Service.put_handover,
    "GET /storage/recovery/handover": Service.get_handover,
    "GET /storage/removals": Service.get_removals,
    "GET /storage/spaces": Service.get_spaces,
    "POST /storage/spaces": Service.post_space,
    f"GET {_SPACE}/log": Service.get_log,
    f"POST {_SPACE}/log": Service.post_log,
    f"POST {_SPACE}/log/flush": Service.post_flush,
    f"GET {_SPACE}/grants": Service.get_grants,
    f"POST {_SPACE}/grants": Service.post_grants,
    f"POST {_SPACE}/grants/refused": Service.post_refused,
    f"PUT {_BACKUP}": Service.put_backup,
    f"DELETE {_BACKUP}": Service.delete_backup,
    "GET /storage/placement": Service.get_placement,
    "POST /storage/uploads": Service.post_uploads,
    "POST /storage/uploads/complete": Service.post_complete,
    "POST /storage/links": Service.post_links,
    "GET /storage/health": Service.get_health,
    "GET /storage/usage": Service.get_usage,
    "POST /storage/changes": Service.get_changes,
    "GET /company/passphrase": Service.get_passphrase,
    "POST /auth/logout": Service.log_out,
    "POST /auth/generate-otp": Service.send_code,
    r"POST /auth/verify-otp/(?P<code>\d+)": Service.verify,
}
