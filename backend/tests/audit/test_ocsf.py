"""What a SIEM is told: class, activity and actor of the actions, by their families."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

import tessera
from tessera.audit.ocsf import to_ocsf
from tessera.audit.queries import ChainedRecord

COMPANY, ADA = UUID(int=1), UUID(int=2)
LOGON, LOGOFF = (3002, 1, "Logon"), (3002, 2, "Logoff")
ACCOUNT = (3001, 99, "Other")
CREATE, READ, UPDATE, DELETE = (
    (3004, number, name) for number, name in enumerate(("Create", "Read", "Update", "Delete"), 1)
)
OTHER = (3004, 99, "Other")

# At least one action of each family, and all of single sign-on.
KINDS = {
    "access.approved": OTHER,
    "activityStream.changed": UPDATE,
    "admin.created": (3001, 1, "Create"),
    "alertRecipient.added": CREATE,
    "apiToken.called": READ,
    "apiToken.refused": OTHER,
    "authenticator.turnedOff": (3001, 11, "MFA Factor Disable"),
    "autoRenew.on": OTHER,
    "billingEmail.changed": UPDATE,
    "card.deleted": DELETE,
    "client.downloaded": READ,
    "company.updated": UPDATE,
    "directoryGroup.deleted": DELETE,
    "directoryUser.added": CREATE,
    "domain.lost": OTHER,
    "domain.providerChanged": UPDATE,
    "email.setByDirectory": ACCOUNT,
    "encryptionKey.rotated": UPDATE,
    "invite.cancelled": OTHER,
    "keyHolder.removed": DELETE,
    "language.changed": ACCOUNT,
    "leadership.reassigned": ACCOUNT,
    "member.deviceSignedOut": LOGOFF,
    "member.disabled": (3001, 5, "Disable"),
    "member.enabled": (3001, 2, "Enable"),
    "member.registered": (3001, 1, "Create"),
    "member.removed": (3001, 6, "Delete"),
    "members.invited": ACCOUNT,
    "ownWarehouses.on": OTHER,
    "passkey.added": (3001, 10, "MFA Factor Enable"),
    "passphrase.revealed": READ,
    "password.changed": (3001, 3, "Password Change"),
    "password.reset": (3001, 4, "Password Reset"),
    "phone.changed": ACCOUNT,
    "platformKey.changed": UPDATE,
    "policies.changed": UPDATE,
    "policies.liftedByPlatform": UPDATE,
    "profile.updated": ACCOUNT,
    "provisioning.tokenRotated": UPDATE,
    "provisioning.tokenRevoked": DELETE,
    "recoveryCode.used": ACCOUNT,
    "recoveryCodes.madeAnew": ACCOUNT,
    "recoveryKeys.created": CREATE,
    "recoveryKit.created": CREATE,
    "request.ended": OTHER,
    "requestPolicy.changed": UPDATE,
    "session.started": LOGON,
    "session.ended": LOGOFF,
    "session.verified": (3002, 99, "Other"),
    "share.downloaded": READ,
    "sharePolicy.changed": UPDATE,
    "sharedWarehouse.removed": DELETE,
    "sms.turnedOn": (3001, 10, "MFA Factor Enable"),
    "space.memberRemoved": DELETE,
    "sso.added": CREATE,
    "sso.saved": UPDATE,
    "sso.defaultChanged": UPDATE,
    "sso.removed": DELETE,
    "sso.required": UPDATE,
    "sso.optional": UPDATE,
    "sso.liftedByPlatform": UPDATE,
    "sso.linked": ACCOUNT,
    "sso.loggedOut": LOGOFF,
    "storage.repaired": OTHER,
    "storageKeys.replaced": UPDATE,
    "subscription.planChanged": UPDATE,
    "warehouse.revealed": READ,
    "webhook.secretRotated": UPDATE,
}


def recorded(action: str, **changes: Any) -> dict[str, Any]:
    values = {
        "id": 7, "at": datetime(2026, 11, 18, tzinfo=UTC), "actor_uuid": ADA,
        "actor_name": "Ada Lindqvist", "api_token_id": None, "action": action,
        "target": "x@x.test", "details": "{}", "origin": "192.0.2.7", "request_id": None,
        "sequence": 3, "previous": bytes(32), "hash": bytes(32),
    }  # fmt: skip
    return to_ocsf(COMPANY, ChainedRecord(**{**values, **changes}))


@pytest.mark.parametrize(("action", "kind"), KINDS.items())
def test_actions_have_the_class_and_activity_of_their_family(
    action: str, kind: tuple[int, int, str]
) -> None:
    event = recorded(action)
    assert (event["class_uid"], event["activity_id"], event["activity_name"]) == kind
    assert event["type_uid"] == kind[0] * 100 + kind[1]
    assert event["actor"] == {"user": {"uid": str(ADA), "name": "Ada Lindqvist", "type_id": 1}}
    assert event["status"] == ("Failure" if action == "apiToken.refused" else "Success")


def test_every_family_is_tested() -> None:
    texts = json.loads(Path(tessera.__file__).with_name("locales").joinpath("en.json").read_text())
    actions = set(texts["activity"]["actions"])
    assert {action.partition(".")[0] for action in actions} == {
        action.partition(".")[0] for action in KINDS
    }
    assert KINDS.keys() <= actions
    assert {action for action in actions if action.startswith("sso.")} <= KINDS.keys()


def test_a_token_a_directory_and_tessera_act_in_their_own_names() -> None:
    token = recorded("member.removed", actor_uuid=None, api_token_id=5, actor_name="Backup")
    assert token["actor"] == {"app_name": "Backup", "app_uid": "5"}
    directory = recorded("member.disabled", actor_uuid=None, actor_name="SCIM")
    assert directory["actor"] == {"app_name": "SCIM"}
    provider = recorded("sso.loggedOut", actor_uuid=None, actor_name="id.acme.test")
    assert (provider["actor"], provider["user"]) == (
        {"app_name": "id.acme.test"}, {"name": "x@x.test"},
    )  # fmt: skip
    assert recorded("subscription.ended", actor_uuid=None, actor_name="")["actor"] == {}


def test_a_link_is_a_change_of_the_own_account_and_not_of_the_provider() -> None:
    event = recorded("sso.linked", target="id.acme.test")
    assert event["user"] == event["actor"]["user"]
    assert "entity" not in event
