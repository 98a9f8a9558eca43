"""Screens of a team leader."""

from typing import Any

from accounts import LEADER
from screens.screen import (
    BUSY,
    Screen,
    Step,
    actions_of,
    answered,
    changed,
    dialog,
    failed,
    held,
    press,
    sees,
    waits_for,
    write,
)
from user import User

PEOPLE, CLOUDS, PAYING = "/team-members", "/warehouses", "/subscription"
NOBODY = {"item1": [], "item2": 0}
SOMEBODY = "Omar Haddad"
_INVITED = [
    {"email_address": "zora@example.test", "state": "invited"},
    {"email_address": "ilse@example.test", "state": "invited"},
    {"email_address": "member@northwind.test", "state": "alreadyMember"},
]


def _invited(user: User) -> None:
    for address in (row["email_address"] for row in _INVITED):
        write("invites:dialog.label", address, then="Enter")(user)


def _select(user: User) -> None:
    name = user.texts("table:selection.page")
    user.page.get_by_role("checkbox", name=name).check()


def _hand_over(user: User) -> None:
    user.page.get_by_role("checkbox", name=user.texts("company:lead.handOver")).check()


def _send(user: User) -> None:
    user.page.get_by_role("dialog").locator("button[type=submit]").click()
    waits_for("dialog[open] [role=progressbar]")(user)


MEMBERS = (
    Screen("members", PEOPLE, LEADER),
    Screen(
        "first-steps",
        PEOPLE,
        LEADER,
        before=(
            changed("/auth/login-token", firstSteps=True),
            changed("/company/first-steps", members=False, client=False),
        ),
    ),
    Screen(
        "first-steps-shared",
        PEOPLE,
        LEADER,
        before=(
            changed("/auth/login-token", firstSteps=True, canViewWarehouse=False),
            changed("/company/first-steps", warehouses=True),
        ),
    ),
    Screen(
        "members-filters",
        PEOPLE,
        LEADER,
        steps=(press("table:filters.open"), waits_for("form select")),
    ),
    Screen(
        "members-loading",
        PEOPLE,
        LEADER,
        before=(held("/users"),),
        steps=(waits_for(f"main {BUSY}"),),
        waits=True,
    ),
    Screen("members-failed", PEOPLE, LEADER, before=(failed("/users"),)),
    Screen("members-empty", PEOPLE, LEADER, before=(answered("/users", NOBODY),)),
    Screen("members-selected", PEOPLE, LEADER, steps=(_select,)),
    Screen(
        "members-remove",
        PEOPLE,
        LEADER,
        steps=(_select, press("members:actions.remove"), dialog),
    ),
    Screen("member-actions", PEOPLE, LEADER, steps=actions_of(SOMEBODY)),
    Screen("member-edit", PEOPLE, LEADER, steps=actions_of(SOMEBODY, "members:actions.edit")),
    Screen("member-disable", PEOPLE, LEADER, steps=actions_of(SOMEBODY, "members:actions.disable")),
    Screen("member-remove", PEOPLE, LEADER, steps=actions_of(SOMEBODY, "members:actions.remove")),
    Screen("member-lead", PEOPLE, LEADER, steps=actions_of(SOMEBODY, "members:actions.lead")),
    Screen(
        "member-lead-passphrase",
        PEOPLE,
        LEADER,
        steps=(*actions_of(SOMEBODY, "members:actions.lead"), _hand_over),
    ),
    Screen("invites", PEOPLE, LEADER, path=f"{PEOPLE}?tab=1"),
    Screen(
        "invites-empty",
        PEOPLE,
        LEADER,
        before=(answered("/invites", NOBODY),),
        path=f"{PEOPLE}?tab=1",
    ),
    Screen("invite", PEOPLE, LEADER, steps=(press("members:invite"), dialog, _invited)),
    Screen(
        "invite-results",
        PEOPLE,
        LEADER,
        before=(
            answered("/invite/users/", _INVITED),
            answered("/invites/progress", {"sent": 1, "failed": 0, "total": 2}),
        ),
        steps=(press("members:invite"), dialog, _invited, _send),
        waits=True,
    ),
)


_NO_CLOUDS = {
    "active": 0,
    "connected": 0,
    "keyVersion": 1,
    "mayFail": 0,
    "needed": 3,
    "total": 0,
}


_DELIVERY = {
    "id": 3,
    "event": "webhook.test",
    "createdAt": "2026-11-03T10:00:00Z",
    "attempts": 1,
    "lastAttemptAt": "2026-11-03T10:00:01Z",
    "nextAttemptAt": None,
    "outcome": "delivered",
    "status": 204,
    "error": None,
}
_ALERTS = {
    "recipients": [
        {
            "uuid": "00000000-0000-4000-8000-000000000001",
            "firstName": "Omar",
            "lastName": "Haddad",
            "email": "member@northwind.test",
        }
    ],
    "maxRecipients": 10,
    "webhook": {
        "url": "https://alerts.northwind.test/tessera",
        "createdAt": "2026-11-01T10:00:00Z",
        "secretCreatedAt": "2026-11-01T10:00:00Z",
        "disabledAt": "2026-11-03T09:00:00Z",
        "deliveries": [
            _DELIVERY,
            {
                **_DELIVERY,
                "id": 2,
                "event": "storage.at_risk",
                "attempts": 3,
                "outcome": "waiting",
                "status": None,
                "error": "timeout",
                "nextAttemptAt": "2026-11-03T10:30:00Z",
            },
            {
                **_DELIVERY,
                "id": 1,
                "event": "warehouse.not_connected",
                "outcome": "failed",
                "status": 500,
                "error": "status",
            },
        ],
    },
}


def _provider(name: str) -> tuple[Step, ...]:
    return (
        press("warehouses:add.button"),
        dialog,
        lambda user: user.page.get_by_role("radio", name=name).check(),
    )


def _opened(user: User) -> None:
    user.page.get_by_role("button", name="Frankfurt", exact=True).click()
    waits_for("main dd")(user)


WAREHOUSES = (
    Screen("warehouses", CLOUDS, LEADER),
    Screen(
        "warehouses-loading",
        CLOUDS,
        LEADER,
        before=(held("/all"),),
        steps=(waits_for("main [role=status]"),),
        waits=True,
    ),
    Screen(
        "warehouses-failed",
        CLOUDS,
        LEADER,
        before=(failed("/all"),),
        steps=(sees("warehouses:loadFailed"),),
    ),
    Screen(
        "warehouses-empty", CLOUDS, LEADER, before=(changed("/all", summary=_NO_CLOUDS, **NOBODY),)
    ),
    Screen("warehouse-open", CLOUDS, LEADER, steps=(_opened,)),
    Screen("warehouse-add-s3", CLOUDS, LEADER, steps=_provider("AWS S3")),
    Screen("warehouse-add-azure", CLOUDS, LEADER, steps=_provider("Azure")),
    Screen("warehouse-add-google", CLOUDS, LEADER, steps=_provider("Google Cloud")),
    Screen("warehouse-add-dropbox", CLOUDS, LEADER, steps=_provider("Dropbox")),
    Screen(
        "warehouse-edit",
        CLOUDS,
        LEADER,
        steps=(
            press("warehouses:edit.of", name="Team Dropbox"),
            dialog,
        ),
    ),
    Screen(
        "warehouse-history",
        CLOUDS,
        LEADER,
        steps=(press("warehouses:history.of", name="Azure mirror"), dialog),
    ),
    Screen(
        "warehouse-remove",
        CLOUDS,
        LEADER,
        steps=(
            lambda user: user.page.get_by_role("button", name="Azure mirror").first.click(),
            press("warehouses:remove.button"),
            dialog,
        ),
    ),
    Screen(
        "warehouse-alerts",
        CLOUDS,
        LEADER,
        before=(answered("/warehouse-alerts", _ALERTS),),
        steps=(press("warehouses:alerts"), dialog),
    ),
    Screen(
        "warehouse-new-key",
        CLOUDS,
        LEADER,
        steps=(
            press("warehouses:newKey.button"),
            dialog,
        ),
    ),
)

_DEBT = {
    "amountDue": 75_000,
    "reactivationAmount": 75_000,
    "status": "past_due",
    "pastDueSince": "2026-09-01T08:00:00Z",
    "accessUntil": "2026-09-15T08:00:00Z",
}
_ENDED = {
    "status": "cancelled",
    "isSubscribed": False,
    "endsAt": "2026-09-01T08:00:00Z",
    "reactivationAmount": 75_000,
    "notice": None,
}
_NEVER = {
    "status": "",
    "isSubscribed": False,
    "renewalDate": None,
    "cards": [],
    "notice": None,
}


def _pay(user: User) -> None:
    # By its place: the amount in its name is written differently in each language.
    user.page.locator("main aside button").first.click()


def _card_typed(user: User) -> None:
    waits_for("iframe")(user)
    user.page.frame_locator("iframe").locator("input").first.wait_for()


_LEAVING = {
    "leavingSince": "2026-11-10T09:00:00Z",
    "lastDay": "2026-12-08T09:00:00Z",
    "deletionAt": "2027-01-07T09:00:00Z",
}

SUBSCRIPTION = (
    Screen("subscription", PAYING, LEADER),
    Screen("leave", "/leave", LEADER),
    Screen("leave-dialog", "/leave", LEADER, steps=(press("leave:leave.button"), dialog)),
    Screen("leave-asked", "/leave", LEADER, before=(changed("/company/leaving", **_LEAVING),)),
    Screen(
        "leave-banner",
        PAYING,
        LEADER,
        before=(changed("/company/alerts", deletionAt=_LEAVING["deletionAt"]),),
    ),
    Screen(
        "subscription-add-card",
        PAYING,
        LEADER,
        steps=(press("subscription:buttons.addCard"), _card_typed),
        waits=True,
    ),
    Screen(
        "subscription-cancel",
        PAYING,
        LEADER,
        steps=(
            press("subscription:buttons.cancel"),
            dialog,
        ),
    ),
    Screen(
        "subscription-delete-card",
        PAYING,
        LEADER,
        steps=(press("subscription:cards.deleteOf", brand="Mastercard", last4="4444"), dialog),
    ),
    Screen("subscription-unpaid", PAYING, LEADER, before=(changed("/payment/methods", **_DEBT),)),
    Screen(
        "subscription-pay",
        PAYING,
        LEADER,
        before=(changed("/payment/methods", **_DEBT),),
        steps=(_pay, dialog),
    ),
    Screen(
        "subscription-own-warehouses",
        PAYING,
        LEADER,
        before=(changed("/payment/methods", usesDefaultWarehouses=True, hasOwnWarehouses=False),),
        steps=(press("subscription:warehouses.connectOwn"), dialog),
    ),
    Screen(
        "subscription-ended",
        PAYING,
        LEADER,
        before=(
            changed("/auth/login-token", isSubscribed=False),
            changed("/payment/methods", **_ENDED),
        ),
        steps=(sees("subscription:cancelled.title"),),
    ),
    Screen(
        "subscription-none",
        PAYING,
        LEADER,
        before=(
            changed("/auth/login-token", isSubscribed=False),
            changed("/payment/methods", **_NEVER),
            answered("/payment/invoices", NOBODY),
        ),
        steps=(sees("subscription:cards.none"),),
    ),
    Screen(
        "subscription-failed",
        PAYING,
        LEADER,
        before=(failed("/payment/methods"),),
        steps=(sees("subscription:loadFailed"),),
    ),
)

TOKENS_PAGE = "/api-tokens"
_TOKEN: dict[str, Any] = {
    "id": 3, "name": "Payroll sync", "state": "active", "createdBy": "Ada Lindqvist",
    "scopes": ["members:read", "members:manage"],
    "networks": ["203.0.113.0/24", "2001:db8::7/128"],
    "createdAt": "2026-10-02T08:00:00Z", "expiresAt": "2027-01-31T08:00:00Z",
    "lastUsedAt": "2026-11-17T22:00:00Z", "lastOrigin": "203.0.113.41",
}  # fmt: skip
_TOKENS = [
    _TOKEN,
    {
        **_TOKEN, "id": 2, "name": "Activity to SIEM", "scopes": ["activity:read"], "networks": [],
        "lastUsedAt": None, "lastOrigin": None,
    },
    {**_TOKEN, "id": 1, "name": "Old script", "state": "revoked", "scopes": ["company:read"]},
]  # fmt: skip
_listed = answered("/tokens", {"tokens": _TOKENS, "maxTokens": 50})


def _make_token(user: User) -> None:
    write("tokens:create.name", "Payroll sync")(user)
    user.page.locator("dialog[open] [type=checkbox]").first.check()
    made = {"token": f"tsk_2-{'Xq4v' * 10}Zk9", "created": _TOKEN}
    user.page.route(
        "**/api/tokens",
        lambda route: (
            route.fulfill(status=201, json=made)
            if route.request.method == "POST"
            else route.fallback()
        ),
    )
    user.page.locator("dialog[open] button[type=submit]").click()
    sees("tokens:show.text")(user)


TOKENS = (
    Screen("api-tokens", TOKENS_PAGE, LEADER, before=(_listed,)),
    Screen("api-tokens-none", TOKENS_PAGE, LEADER, steps=(sees("tokens:empty.title"),)),
    Screen("api-tokens-create", TOKENS_PAGE, LEADER, steps=(press("tokens:create.open"), dialog)),
    Screen(
        "api-tokens-created",
        TOKENS_PAGE,
        LEADER,
        steps=(press("tokens:create.open"), dialog, _make_token),
    ),
    Screen(
        "api-tokens-revoke",
        TOKENS_PAGE,
        LEADER,
        before=(_listed,),
        steps=(press("tokens:revoke.of", name="Payroll sync"), dialog),
    ),
    Screen(
        "api-tokens-failed",
        TOKENS_PAGE,
        LEADER,
        before=(failed("/tokens"),),
        steps=(sees("tokens:failed"),),
    ),
)

IDENTITY_PAGE = "/identity"
_DOMAIN: dict[str, Any] = {
    "domain": "northwind.example", "recordName": "_tessera-domain.northwind.example",
    "recordValue": "tessera-domain=bJ3kq0vW5yTn2sXcR8dLh4fZ9pGm7aQe",
    "createdAt": "2026-11-02T08:00:00Z", "provedAt": None, "missingSince": None, "lostAt": None,
}  # fmt: skip
_PROVED = {
    **_DOMAIN, "domain": "northwind.test", "recordName": "_tessera-domain.northwind.test",
    "provedAt": "2026-10-02T08:00:00Z",
}  # fmt: skip
_MISSING = {**_PROVED, "missingSince": "2026-11-01T04:29:00Z"}
_LOST = {
    **_MISSING,
    "domain": "northwind.test.tr",
    "provedAt": None,
    "lostAt": "2026-11-07T04:29:00Z",
}
_lost_domains = answered("/identity/domains", {"domains": [_MISSING, _LOST], "maxDomains": 50})
_domains = answered("/identity/domains", {"domains": [_DOMAIN, _PROVED], "maxDomains": 50})

_OKTA: dict[str, Any] = {
    "uuid": "5b1f8a52-6f0e-4a55-9d0a-0c1f5f3f7f10", "name": "Okta",
    "issuer": "https://northwind.okta.example", "clientId": "0oa1b2c3d4", "isDefault": True,
    "isNeeded": True, "savedAt": "2026-10-02T08:00:00Z", "linkedMembers": 41,
    "redirectUri": "https://tessera.example/login/company/5b1f8a52-6f0e-4a55-9d0a-0c1f5f3f7f10",
    "backchannelLogoutUri": "https://tessera.example/api/auth/sso/backchannel-logout/0c1f5f3f",
}  # fmt: skip
_ENTRA = {
    **_OKTA, "uuid": "7d1b1c0e-6f0e-4a55-9d0a-0c1f5f3f7f10", "name": "Entra, İzmir branch",
    "issuer": "https://login.microsoftonline.example/7d1b1c0e/v2.0", "isDefault": False,
    "linkedMembers": 7,
}  # fmt: skip
_SSO: dict[str, Any] = {
    "providers": [_OKTA, _ENTRA], "maxProviders": 10, "required": False, "isTried": True,
    "recoveryCodesLeft": 9,
    "domains": [
        {"domain": "northwind.test", "provider": None, "isLost": False},
        {"domain": "northwind.test.tr", "provider": _ENTRA["uuid"], "isLost": True},
    ],
}  # fmt: skip
_providers = answered("/identity/sso", _SSO)
_required = answered("/identity/sso", {**_SSO, "required": True})
_provisioned = answered(
    "/provisioning",
    {
        "baseUrl": "https://tessera.example/scim/v2", "confirmDeletions": True, "users": 1204,
        "groups": 18, "deletions": 2,
        "tokens": [
            {
                "createdBy": "Ada Lindqvist", "createdAt": "2026-10-02T08:00:00Z",
                "expiresAt": None, "lastUsedAt": "2026-11-18T22:10:00Z",
                "lastOrigin": "203.0.113.9",
            },
        ],
    },
)  # fmt: skip
_deletions = answered(
    "/provisioning/deletions",
    {
        "members": [
            {
                "uuid": "11111111-1111-4111-8111-111111111111", "name": "Omar Haddad",
                "emailAddress": "omar@northwind.test", "requestedAt": "2026-11-17T09:00:00Z",
            },
            {
                "uuid": "22222222-2222-4222-8222-222222222222",
                "name": "Maximiliane Freifrau von Hohenstein-Brandenburg",
                "emailAddress": "maximiliane.von.hohenstein-brandenburg@northwind.test",
                "requestedAt": "2026-11-18T09:00:00Z",
            },
        ],
    },
)  # fmt: skip

IDENTITY = (
    Screen("identity", IDENTITY_PAGE, LEADER, before=(_domains,)),
    Screen(
        "identity-providers",
        IDENTITY_PAGE,
        LEADER,
        before=(_domains, _providers),
        steps=(press("identity:sso.editOf", name=_ENTRA["name"]),),
    ),
    Screen(
        "identity-provisioned",
        IDENTITY_PAGE,
        LEADER,
        before=(_domains, _required, _provisioned, _deletions),
        steps=(sees("provisioning:deletions.title"),),
    ),
    Screen("identity-domains-missing", IDENTITY_PAGE, LEADER, before=(_lost_domains,)),
    Screen("identity-none", IDENTITY_PAGE, LEADER, steps=(sees("identity:domains.empty"),)),
    Screen(
        "identity-domain-remove",
        IDENTITY_PAGE,
        LEADER,
        before=(_domains,),
        steps=(press("identity:domains.removeOf", domain="northwind.test"), dialog),
    ),
    Screen(
        "identity-failed",
        IDENTITY_PAGE,
        LEADER,
        before=(failed("/identity/domains"),),
        steps=(sees("identity:domains.failed"),),
    ),
)

POLICIES_PAGE = "/policies"
_policies = answered(
    "/policies",
    {
        "secondFactors": ["passkey", "totp"], "sessionHours": 8, "clientSessionDays": 30,
        "minClientVersion": "0.7.0", "networks": ["203.0.113.0/24", "2001:db8::/32"],
        "countries": ["DE", "TR"], "ownCountry": "TR", "areCountriesOffered": True,
        "maxSessionHours": 12, "maxClientSessionDays": 90, "newestClientVersion": "0.7.7",
        "ownAddress": "203.0.113.9",
    },
)  # fmt: skip

POLICIES = (
    Screen("policies", POLICIES_PAGE, LEADER, before=(_policies,)),
    Screen(
        "policies-failed",
        POLICIES_PAGE,
        LEADER,
        before=(failed("/policies"),),
        steps=(sees("policies:failed"),),
    ),
    Screen(
        "second-factor-refused",
        POLICIES_PAGE,
        LEADER,
        before=(changed("/auth/login-token", secondFactorAccepted=False),),
        steps=(sees("auth:factorRefused.title"),),
    ),
)

_GB = 10**9
_USAGE: dict[str, Any] = {
    "quota": 25 * _GB, "used": 164 * _GB // 10, "reserved": 0, "left": 86 * _GB // 10,
    "share": 86 * _GB // 40,
    "startsAt": "2026-11-01T00:00:00Z", "renewsAt": "2026-12-01T00:00:00Z",
    "stored": 72 * _GB, "storedCoded": 954 * _GB // 10,
    "months": [
        {"startsAt": f"2026-{month:02}-01T00:00:00Z", "bytes": tenths * _GB // 10}
        for month, tenths in ((6, 62), (7, 98), (8, 141), (9, 113), (10, 186), (11, 164))
    ],
    "members": [
        {"uuid": name, "name": name, "bytes": tenths * _GB // 10, "reserved": 0}
        for name, tenths in (("Ada Lindqvist", 59), (SOMEBODY, 48), ("Pedro Wójcik", 36))
    ],
    "warehouses": [
        {"id": number, "name": name, "type": kind, "shards": 4620, "bytes": 24 * _GB, "missing": 0}
        for number, name, kind in ((1, "Frankfurt", 3), (2, "Google archive", 5), (3, "Azure", 4))
    ],
}  # fmt: skip
_HEALTH: dict[str, Any] = {
    "warehouses": [
        {**row, "status": 2, "lastCheck": None, "isPlaced": True, "missing": missing}
        for row, missing in zip(_USAGE["warehouses"], (0, 0, 114), strict=True)
    ],
    "packs": 4620, "notSafe": 114, "degraded": 0, "lost": 0, "removals": 0,
    "recovery": {
        "recordCounter": 1, "recordTime": "2026-06-02T08:00:00Z", "kitCounter": 1,
        "isKitConfirmed": True, "isKitCurrent": True, "spacesWithFormerPair": 0,
    },
}  # fmt: skip
_FORMER = {
    "members": [
        {"uuid": name, "name": name, "emailAddress": email, "reason": reason, "spaces": spaces}
        for name, email, reason, spaces in (
            ("Lena Novák", "lena@northwind.test", "deleted", 3),
            ("Pedro Wójcik", "pedro@northwind.test", "disabled", 1),
        )
    ]
}
_REPAIR = {
    "id": 1, "startedAt": "2026-11-16T06:00:00Z", "finishedAt": None, "packs": 312,
    "repaired": 198, "failed": 0, "bytesRead": 1, "bytesWritten": 1,
}  # fmt: skip
_SHARES = [
    {
        "id": f"5b0c7a52-6f1d-4c43-9d5c-0c1f3a7e9b0{number}",
        "author": "00000000-0000-4000-8000-000000000001",
        "authorName": name,
        "state": state,
        "bytes": size,
        "downloads": opened,
        "maxDownloads": 5,
        "createdAt": "2026-11-10T08:00:00Z",
        "expiresAt": "2026-11-17T08:00:00Z",
        "lastDownloadAt": None,
        "endedAt": None,
    }
    for number, (name, state, size, opened) in enumerate(
        (("Ada Lindqvist", "open", 48_000_000, 2), ("Omar Haddad", "used", 3_200_000, 5))
    )
]
_LAPTOP = {
    "id": 1, "userUuid": "1", "userName": SOMEBODY, "name": "Omar's laptop", "system": "Linux",
    "version": "0.7.7", "startedAt": "2026-11-01T00:00:00Z", "lastUsedAt": "2026-11-15T09:00:00Z",
}  # fmt: skip
STORAGE = (
    Screen(
        "storage",
        "/storage",
        LEADER,
        before=(
            answered("/storage/usage", _USAGE),
            answered("/storage/health", _HEALTH),
            answered("/storage/repairs", {"repairs": [_REPAIR]}),
            answered(
                "/storage/waiting",
                {"members": [{"uuid": "9", "name": "Zoë Haddad", "since": "2026-11-10T00:00:00Z"}]},
            ),
            answered("/storage/shares", {"shares": _SHARES}),
            answered("/storage/share-policy", {"isAllowed": True, "maxDays": 30}),
            answered("/storage/devices", {"devices": [_LAPTOP]}),
        ),
    ),
    Screen(
        "storage-warnings",
        "/storage",
        LEADER,
        before=(
            changed(
                "/storage/health",
                removals=2,
                recovery={**_HEALTH["recovery"], "isKitCurrent": False, "spacesWithFormerPair": 2},
            ),
            answered("/storage/removals", _FORMER),
        ),
    ),
    Screen(
        "storage-empty",
        "/storage",
        LEADER,
        before=(
            changed("/storage/usage", stored=0, months=[]),
            answered("/storage/devices", {"devices": []}),
        ),
    ),
    Screen("storage-failed", "/storage", LEADER, before=(failed("/storage/health"),)),
)

_SENDING = {
    "sequence": 977, "behind": 0, "lastSuccessAt": "2026-11-03T10:00:00Z", "failingSince": None,
    "nextAttemptAt": None, "error": None, "status": 204,
}  # fmt: skip
_FAILING = {
    **_SENDING, "sequence": 812, "behind": 165, "failingSince": "2026-11-02T08:00:00Z",
    "nextAttemptAt": "2026-11-03T11:00:00Z", "error": "status", "status": 503,
}  # fmt: skip
_CHECKED: dict[str, Any] = {
    "askedAt": "2026-11-03T10:00:00Z", "finishedAt": "2026-11-03T10:00:09Z", "head": None,
    "checked": 977, "removedUntil": 0, "headTooOld": False, "problems": [], "moreProblems": 0,
}  # fmt: skip
_STREAM = {
    "webhookHost": "siem.northwind.test", "webhook": _SENDING, "warehouse": _SENDING,
    "warehouseId": 4, "warehouses": [{"id": 4, "name": "Frankfurt"}],
    "head": f"977:{'9f2c' * 16}", "replayDays": 30, "check": _CHECKED,
}  # fmt: skip
_MISSING_RECORD = {
    "kind": "record_missing", "first": 814, "last": None, "activityId": 20_431,
    "text": "Record 814 is missing: activity 20431 was removed.",
}  # fmt: skip
_BROKEN = {**_CHECKED, "checked": 976, "problems": [_MISSING_RECORD]}
_audit = (press("activity:audit"), dialog)

REST = (
    Screen(
        "audit",
        "/activity",
        LEADER,
        before=(answered("/activity/stream", _STREAM),),
        steps=_audit,
    ),
    Screen(
        "audit-failing",
        "/activity",
        LEADER,
        before=(answered("/activity/stream", {**_STREAM, "webhook": _FAILING, "check": _BROKEN}),),
        steps=_audit,
    ),
    Screen("activity", "/activity", LEADER),
    Screen("activity-empty", "/activity", LEADER, before=(answered("/activity", NOBODY),)),
    Screen("help", "/faq", LEADER),
)
