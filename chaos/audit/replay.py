"""Replays the activity log from the beginning; the result must match the tables."""

import json
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import asyncpg

from chaos.journal import Journal
from tessera.auth.passwords.hashing import secret_matches
from tessera.kit.database import Connection

Row = asyncpg.Record


@dataclass
class ReplayedCompany:
    """The state of a company as derived from its activity log."""

    members: dict[str, bool] = field(default_factory=dict)
    invites: dict[str, str] = field(default_factory=dict)
    cards: set[str] = field(default_factory=set)
    warehouses: dict[int, str] = field(default_factory=dict)
    default: int | None = None
    key_version: int = 0
    epoch: int = 1
    has_key: bool = True
    ending: bool = False
    canceled: bool = False
    plan: int = 5
    # The requests that set the leader's password, and those of the members by address.
    secret_by: str = ""
    secrets_by: dict[str, str] = field(default_factory=dict)

    def apply(self, row: Row) -> None:
        """Applies one entry. State that no entry describes is compared elsewhere."""
        details: dict[str, Any] = json.loads(row["details"])
        thing, _, verb = row["action"].partition(".")
        if thing in {"member", "invite"}:
            self._apply_people(verb, row["target"])
            if row["action"] == "member.registered":
                self.secrets_by[row["target"]] = row["request_id"]
        elif row["action"] == "leadership.reassigned":
            self._apply_leadership(details["from"], row["target"])
        elif thing == "warehouse" and "warehouseId" in details:
            self._apply_warehouse(verb, details["warehouseId"], row["target"])
        elif thing == "card":
            self._apply_card(verb, details["cardId"])
        elif thing in {"subscription", "autoRenew"}:
            self._apply_subscription(f"{thing}.{verb}", details)
        elif thing in {"password", "passphrase", "company"}:
            self._apply_secrets(row, details)
        elif row["action"] == "encryptionKey.rotated":
            self.key_version = details["keyVersion"]

    def _apply_people(self, verb: str, address: str) -> None:
        if verb == "registered":
            self.members[address], self.invites[address] = True, "used"
        elif verb in {"enabled", "disabled"}:
            self.members[address] = verb == "enabled"
        elif verb == "removed":
            del self.members[address]
        elif verb == "cancelled":
            self.invites[address] = "cancelled"

    def _apply_leadership(self, former: str, new: str) -> None:
        del self.members[new]
        self.members[former] = True
        self.secrets_by[former], self.secret_by = self.secret_by, self.secrets_by[new]
        self.has_key = False

    def _apply_warehouse(self, verb: str, number: int, name: str) -> None:
        if verb == "removed":
            del self.warehouses[number]
            self.default = None if self.default == number else self.default
            return
        if verb == "added":
            self.key_version = self.key_version or 1
            self.default = self.default or number
        elif verb == "madeDefault":
            self.default = number
        self.warehouses[number] = name

    def _apply_card(self, verb: str, card: str) -> None:
        self.cards = self.cards - {card} if verb == "deleted" else self.cards | {card}

    def _apply_subscription(self, action: str, details: dict[str, Any]) -> None:
        if action == "subscription.planChanged":
            self.plan = details["planId"]
        elif action in {"subscription.cancelAsked", "autoRenew.off"}:
            self.ending, self.canceled = True, action == "subscription.cancelAsked"
        elif action in {"subscription.reactivated", "autoRenew.on"}:
            self.ending = self.canceled = False

    def _apply_secrets(self, row: Row, details: dict[str, Any]) -> None:
        if row["action"] == "passphrase.changed":
            self.epoch, self.has_key = details["epoch"], True
        elif row["action"] in {"company.registered", "password.changed", "password.reset"}:
            self.secret_by = row["request_id"]
            self.has_key = self.has_key and row["action"] != "password.reset"


async def compare_replay(connection: Connection, journal: Journal) -> list[str]:
    replayed: dict[int, ReplayedCompany] = defaultdict(ReplayedCompany)
    for row in await connection.fetch(
        "SELECT r.company_id, r.card_id FROM registrations r JOIN companies c"
        " ON c.id = r.company_id WHERE r.state = 'done'"
    ):
        replayed[row["company_id"]].cards.add(row["card_id"])
    findings = []
    for row in await connection.fetch("SELECT * FROM activity WHERE company_id <> 1 ORDER BY id"):
        try:
            replayed[row["company_id"]].apply(row)
        except KeyError:
            findings.append(f"record: {row['action']} of what is not there: company "
                            f"{row['company_id']}, entry {row['id']}")  # fmt: skip
    secrets = {
        attempt.request_id: operation.values["secret"]
        for operation, attempt in journal.attempts()
        if "secret" in operation.values
    }
    for company_id, company in replayed.items():
        findings += await _compare(connection, company_id, company)
        findings += await _compare_password(connection, company_id, secrets.get(company.secret_by))
    return findings


async def _compare(connection: Connection, company_id: int, replayed: ReplayedCompany) -> list[str]:
    """Compares the replayed state with the tables."""
    found = await connection.fetchrow(
        "SELECT (SELECT json_object_agg(email, is_active) FROM users WHERE company_id = c.id"
        "  AND role = 'teamMember') AS members,"
        " (SELECT json_object_agg(email, state) FROM invites WHERE company_id = c.id"
        "  AND state <> 'open') AS invites,"
        " (SELECT array_agg(id) FROM cards WHERE company_id = c.id) AS cards,"
        " (SELECT json_object_agg(id, nick_name) FROM warehouses WHERE company_id = c.id)"
        "  AS warehouses,"
        " (SELECT id FROM warehouses WHERE company_id = c.id AND is_default) AS default_id,"
        " (SELECT max(version) FROM data_keys WHERE company_id = c.id) AS key_version,"
        " (SELECT epoch FROM company_passphrases WHERE company_id = c.id) AS epoch,"
        " EXISTS (SELECT FROM company_keys k JOIN users u ON u.id = k.user_id"
        "  WHERE k.company_id = c.id AND u.role = 'teamLeader') AS has_key,"
        " s.cancel_at IS NOT NULL AS ending, s.is_canceled, s.plan_id"
        " FROM companies c LEFT JOIN subscriptions s ON s.company_id = c.id WHERE c.id = $1",
        company_id,
    )
    if found is None:
        return [f"record: of a company that is not there: {company_id}"]
    warehouses = json.loads(found["warehouses"] or "{}")
    pairs = {
        "members": (replayed.members, json.loads(found["members"] or "{}")),
        "invitations": (replayed.invites, json.loads(found["invites"] or "{}")),
        "cards": (replayed.cards, set(found["cards"] or [])),
        "warehouses": (set(replayed.warehouses), {int(number) for number in warehouses}),
        "names of warehouses": (
            {n: name for n, name in replayed.warehouses.items() if warehouses.get(str(n))},
            {int(n): name for n, name in warehouses.items() if name},
        ),
        "default warehouse": (replayed.default, found["default_id"]),
        "key version": (replayed.key_version or None, found["key_version"]),
        "passphrase's epoch": (replayed.epoch, found["epoch"]),
        "leader's key": (replayed.has_key, found["has_key"]),
        "end of the subscription": (replayed.ending, found["ending"]),
        "cancellation": (replayed.canceled, found["is_canceled"]),
        "plan": (replayed.plan, found["plan_id"]),
    }
    return [
        f"record: another end for the {name} of company {company_id}: {left}, and there is {right}"
        for name, (left, right) in pairs.items()
        if left != right
    ]


async def _compare_password(
    connection: Connection, company_id: int, secret: str | None
) -> list[str]:
    stored = await connection.fetchval(
        "SELECT password_hash FROM users WHERE company_id = $1 AND role = 'teamLeader'", company_id
    )
    if secret is None or not await secret_matches(stored, secret):
        return [f"record: another password than the last one of company {company_id}"]
    return []
