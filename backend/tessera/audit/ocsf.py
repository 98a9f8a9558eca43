"""A record in the words of the Open Cybersecurity Schema Framework, https://schema.ocsf.io;
docs/audit.md lists the mapping. Under `unmapped` is the record as it is hashed, and its hash."""

from ipaddress import ip_address
from typing import Any
from uuid import UUID

from tessera.audit.queries import ChainedRecord
from tessera.audit.records import entry

VERSION = "1.3.0"
_CATEGORY = (3, "Identity & Access Management")
_AUTHENTICATION = (3002, "Authentication")
_ACCOUNT_CHANGE = (3001, "Account Change")
_ENTITY_MANAGEMENT = (3004, "Entity Management")

# The class and the activity, by the action.
_EXACT = {
    "session.started": (_AUTHENTICATION, 1, "Logon"),
    "session.ended": (_AUTHENTICATION, 2, "Logoff"),
    "session.signedOut": (_AUTHENTICATION, 2, "Logoff"),
    "session.othersSignedOut": (_AUTHENTICATION, 2, "Logoff"),
    "session.allSignedOut": (_AUTHENTICATION, 2, "Logoff"),
    "member.deviceSignedOut": (_AUTHENTICATION, 2, "Logoff"),
    "sso.loggedOut": (_AUTHENTICATION, 2, "Logoff"),
    "sso.linked": (_ACCOUNT_CHANGE, 99, "Other"),
    "member.registered": (_ACCOUNT_CHANGE, 1, "Create"),
    "admin.created": (_ACCOUNT_CHANGE, 1, "Create"),
    "member.enabled": (_ACCOUNT_CHANGE, 2, "Enable"),
    "password.changed": (_ACCOUNT_CHANGE, 3, "Password Change"),
    "password.reset": (_ACCOUNT_CHANGE, 4, "Password Reset"),
    "member.disabled": (_ACCOUNT_CHANGE, 5, "Disable"),
    "member.removed": (_ACCOUNT_CHANGE, 6, "Delete"),
    "authenticator.turnedOn": (_ACCOUNT_CHANGE, 10, "MFA Factor Enable"),
    "sms.turnedOn": (_ACCOUNT_CHANGE, 10, "MFA Factor Enable"),
    "passkey.added": (_ACCOUNT_CHANGE, 10, "MFA Factor Enable"),
    "authenticator.turnedOff": (_ACCOUNT_CHANGE, 11, "MFA Factor Disable"),
    "authenticator.resetByPlatform": (_ACCOUNT_CHANGE, 11, "MFA Factor Disable"),
    "sms.turnedOff": (_ACCOUNT_CHANGE, 11, "MFA Factor Disable"),
    "passkey.removed": (_ACCOUNT_CHANGE, 11, "MFA Factor Disable"),
    "passkey.resetByPlatform": (_ACCOUNT_CHANGE, 11, "MFA Factor Disable"),
}
_THINGS = {
    "session": _AUTHENTICATION,
    **dict.fromkeys(
        (
            "authenticator", "email", "language", "leadership", "member", "members", "passkey",
            "password", "phone", "profile", "recoveryCode", "recoveryCodes", "sms",
        ),
        _ACCOUNT_CHANGE,
    ),
}  # fmt: skip
_VERBS = {
    **dict.fromkeys(
        ("added", "created", "registered", "memberAdded", "tokenCreated"), (1, "Create")
    ),
    **dict.fromkeys(
        ("revealed", "formerRevealed", "revealedByHolder", "downloaded", "called"), (2, "Read")
    ),
    **dict.fromkeys(
        (
            "updated",
            "changed",
            "renamed",
            "replaced",
            "rotated",
            "secretRotated",
            "tokenRotated",
            "planChanged",
            "providerChanged",
            "defaultChanged",
            "saved",
            "required",
            "optional",
            "liftedByPlatform",
        ),
        (3, "Update"),
    ),
    **dict.fromkeys(
        ("removed", "deleted", "revoked", "memberRemoved", "tokenRevoked"), (4, "Delete")
    ),
}
_OTHER = (99, "Other")
_REFUSED = frozenset({"apiToken.refused"})


def to_ocsf(company: UUID, record: ChainedRecord) -> dict[str, Any]:
    (class_uid, class_name), activity_id, activity_name = _kind(record.action)
    event: dict[str, Any] = {
        "activity_id": activity_id,
        "activity_name": activity_name,
        "category_uid": _CATEGORY[0],
        "category_name": _CATEGORY[1],
        "class_uid": class_uid,
        "class_name": class_name,
        "type_uid": class_uid * 100 + activity_id,
        "severity_id": 1,
        "severity": "Informational",
        "status_id": 2 if record.action in _REFUSED else 1,
        "status": "Failure" if record.action in _REFUSED else "Success",
        "time": int(record.at.timestamp() * 1000),
        "metadata": {
            "version": VERSION,
            "product": {"name": "Tessera", "vendor_name": "Tessera"},
            "uid": str(record.id),
            "sequence": record.sequence,
            "event_code": record.action,
            "tenant_uid": str(company),
            "correlation_uid": record.request_id,
            "log_name": "activity",
        },
        "actor": _actor(record),
        "src_endpoint": _endpoint(record.origin),
        "unmapped": {
            "record": entry(company, record.sequence, record.previous, record),
            "hash": record.hash.hex(),
        },
    }
    if class_uid == _ENTITY_MANAGEMENT[0]:
        event["entity"] = {"name": record.target or record.action.partition(".")[0]}
    else:
        # The target of a link is the provider: the account is the actor's own.
        names_account = record.target and record.action != "sso.linked"
        event["user"] = {"name": record.target} if names_account else event["actor"].get("user", {})
    return event


def _kind(action: str) -> tuple[tuple[int, str], int, str]:
    if action in _EXACT:
        return _EXACT[action]
    thing, _, verb = action.partition(".")
    class_ = _THINGS.get(thing, _ENTITY_MANAGEMENT)
    # The numbers of a class mean nothing in another one.
    number, name = _VERBS.get(verb, _OTHER) if class_ == _ENTITY_MANAGEMENT else _OTHER
    return class_, number, name


def _actor(record: ChainedRecord) -> dict[str, Any]:
    if record.api_token_id is not None:
        return {"app_name": record.actor_name, "app_uid": str(record.api_token_id)}
    if record.actor_uuid is None:
        return {"app_name": record.actor_name} if record.actor_name else {}
    return {"user": {"uid": str(record.actor_uuid), "name": record.actor_name, "type_id": 1}}


def _endpoint(origin: str) -> dict[str, str]:
    try:
        return {"ip": str(ip_address(origin))}
    except ValueError:
        return {"name": origin} if origin else {}
