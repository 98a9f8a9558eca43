"""Who may call what: every endpoint, every role, on an object of their own company and of another
one. A new endpoint needs a row here, or `test_matrix.py` fails.

Statuses are in the order guest, admin, leader, member, leader without subscription. `-` means that
the call is not made here because it would reach external services; its feature tests it. The
admin's own company is the platform's, which no call may change.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

ROLES = ("guest", "admin", "leader", "member", "unsubscribed")


@dataclass(frozen=True)
class Target:
    """The ids that a call can name: a company, one of its members, a member's session, invites,
    warehouses, a space that the member has access to, an API token, an OpenID provider."""

    company_id: int
    company_name: str
    member: UUID
    invite: UUID
    warehouse: int
    session: int
    space: UUID
    token: int
    provider: UUID


@dataclass(frozen=True)
class Row:
    call: str
    own: str
    foreign: str | None = None
    places: Callable[[Target], dict[str, Any]] = lambda _: {}
    query: Callable[[Target], dict[str, Any]] = lambda _: {}
    body: Callable[[Target], Any] = lambda _: None
    # Without verified access the allowed roles get 403 `verification_required`.
    verified: bool = False


def company(target: Target) -> dict[str, Any]:
    return {"company_id": target.company_id}


def member(target: Target) -> dict[str, Any]:
    return {"uuid": target.member}


def no_request(_: Target) -> dict[str, Any]:
    return {"request_id": 2**62}


def no_file_request(_: Target) -> dict[str, Any]:
    return {"request_id": UUID(int=1)}


def no_arrival(_: Target) -> dict[str, Any]:
    return {"arrival_id": UUID(int=1)}


def no_piece(_: Target) -> dict[str, Any]:
    return {"request_id": UUID(int=1), "pack": "A", "index": 0}


def no_share(_: Target) -> dict[str, Any]:
    return {"share_id": UUID(int=1)}


NO_POLICIES: dict[str, Any] = {
    "secondFactors": None,
    "sessionHours": None,
    "clientSessionDays": None,
    "minClientVersion": None,
    "networks": [],
    "countries": [],
}


def no_domain(_: Target) -> dict[str, Any]:
    return {"domain": "nobody.test"}


def backup(_: Target) -> dict[str, Any]:
    return {"backup_id": "0123456789abcdef"}


def nothing(_: Target) -> Any:
    return {}


def enabled(_: Target) -> Any:
    return {"enabled": True}


def warehouse(target: Target) -> dict[str, Any]:
    return {"warehouse_id": target.warehouse}


def space(target: Target) -> dict[str, Any]:
    return {"space_id": target.space}


def warehouse_form(_: Target) -> Any:
    return {
        "bucketName": "a-bucket",
        "accountKey": "demo",
        "secret": "demo",
        "region": "us-east-1",
        "path": "matrix",
    }


PACK: dict[str, Any] = {
    "id": "A" * 22,
    "generation": 1,
    "k": 2,
    "n": 3,
    "length": 2,
    "shards": [{"index": index, "size": 97, "sha256": "A" * 43} for index in range(3)],
}

EVERYONE_422 = "422 422 422 422 422"
NO_TICKET = "403 403 403 403 403"
SIGNED_IN_422 = "401 422 422 422 422"
LEADER = "401 403 200 403 403"
LEADER_EVEN_UNSUBSCRIBED = "401 403 200 403 200"
NOT_SENT = "401 403 - 403 -"
ADMIN = "401 200 403 403 403"

MATRIX = [
    # system
    Row("GET /api/config", "200 200 200 200 200"),
    Row("GET /api/admin/system", ADMIN),
    Row("GET /api/sandbox/outbox", "200 200 200 200 200"),
    # auth: open to everyone; an empty body fails only at validation
    Row("POST /api/auth/prelogin", EVERYONE_422, body=nothing),
    Row("POST /api/auth/login-onboard", EVERYONE_422, body=nothing),
    Row("POST /api/auth/verify-otp", EVERYONE_422, body=nothing),
    Row("POST /api/auth/login-passkey", EVERYONE_422, body=nothing),
    Row("POST /api/auth/forgot-password", EVERYONE_422, body=nothing),
    Row("GET /api/auth/reset", EVERYONE_422),
    Row("POST /api/auth/reset-password", EVERYONE_422, body=nothing),
    Row("POST /api/auth/sso/start", EVERYONE_422, body=nothing),
    Row("POST /api/auth/sso/answer", EVERYONE_422, body=nothing),
    Row("POST /api/auth/sso/login", EVERYONE_422, body=nothing),
    Row("POST /api/auth/sso/login-passkey", EVERYONE_422, body=nothing),
    Row("POST /api/auth/sso/client-logins", EVERYONE_422, body=nothing),
    Row("POST /api/auth/sso/client-logins/show", "409 409 409 409 409", body=nothing),
    Row("POST /api/auth/sso/client-logins/decide", EVERYONE_422, body=nothing),
    Row("POST /api/auth/sso/client-logins/state", EVERYONE_422, body=nothing),
    Row("POST /api/auth/sso/client-logins/finish", EVERYONE_422, body=nothing),
    Row(
        "POST /api/auth/sso/backchannel-logout/{company_uuid}/{uuid}",
        "400 400 400 400 400",
        places=lambda _: {"company_uuid": UUID(int=1), "uuid": UUID(int=1)},
    ),
    # auth: the user's own account
    Row("POST /api/auth/sso/link", "401 409 409 409 409", verified=True),
    Row("GET /api/auth/login-token", "401 200 200 200 200"),
    Row("POST /api/auth/logout", "401 204 204 204 204"),
    Row("POST /api/auth/generate-otp", "401 200 200 200 200"),
    Row(
        "POST /api/auth/verify-otp/{code}",
        "401 400 400 400 400",
        places=lambda _: {"code": "000000"},
    ),
    Row("GET /api/auth/keys", "401 200 200 200 200"),
    Row("PUT /api/auth/password", SIGNED_IN_422, body=nothing),
    Row("GET /api/auth/profile", "401 200 200 200 200"),
    Row("PUT /api/auth/profile", SIGNED_IN_422, body=nothing),
    Row("POST /api/auth/profile/email", SIGNED_IN_422, body=nothing, verified=True),
    Row("POST /api/auth/profile/phone", SIGNED_IN_422, body=nothing, verified=True),
    Row("POST /api/auth/profile/phone/confirm", SIGNED_IN_422, body=nothing),
    Row("GET /api/auth/confirm-email", SIGNED_IN_422),
    Row("POST /api/auth/confirm-email", SIGNED_IN_422, body=nothing),
    Row("GET /api/auth/profile/pending", "401 200 200 200 200"),
    Row(
        "DELETE /api/auth/profile/pending/{kind}",
        "401 404 404 404 404",
        places=lambda _: {"kind": "email"},
    ),
    # auth: the user's own sessions and second factor
    Row("GET /api/auth/sessions", "401 200 200 200 200"),
    # The session is the member's; not even a leader can end it.
    Row(
        "DELETE /api/auth/sessions/{session_id}",
        "401 404 404 204 404",
        "401 404 404 404 404",
        places=lambda target: {"session_id": target.session},
    ),
    Row("POST /api/auth/sessions/end-others", "401 204 204 204 204"),
    Row("POST /api/auth/sessions/end-all", "401 204 204 204 204"),
    Row("GET /api/auth/second-factor", "401 200 200 200 200"),
    Row(
        "PUT /api/auth/second-factor/sms",
        "401 409 409 409 409",
        body=lambda _: {"enabled": False},
        verified=True,
    ),
    Row("POST /api/auth/authenticator", "401 200 200 200 200", verified=True),
    Row("POST /api/auth/authenticator/confirm", SIGNED_IN_422, body=nothing),
    Row("DELETE /api/auth/authenticator", "401 404 404 404 404", verified=True),
    Row("POST /api/auth/recovery-codes", "401 404 404 404 404", verified=True),
    Row("POST /api/auth/verify-recovery-code", SIGNED_IN_422, body=nothing),
    Row("GET /api/auth/passkeys", "401 200 200 200 200"),
    Row("POST /api/auth/passkeys/start", "401 200 200 200 200", verified=True),
    Row("POST /api/auth/passkeys", SIGNED_IN_422, body=nothing),
    Row(
        "PUT /api/auth/passkeys/{passkey_id}",
        "401 404 404 404 404",
        places=lambda _: {"passkey_id": 1},
        body=lambda _: {"name": "Laptop"},
    ),
    Row(
        "DELETE /api/auth/passkeys/{passkey_id}",
        "401 404 404 404 404",
        places=lambda _: {"passkey_id": 1},
        verified=True,
    ),
    Row(
        "PUT /api/auth/passkeys/{passkey_id}/key",
        "401 404 404 404 404",
        places=lambda _: {"passkey_id": 1},
        body=lambda _: {"sealedUserKey": "none"},
        verified=True,
    ),
    Row("POST /api/auth/verify-passkey", SIGNED_IN_422, body=nothing),
    # companies
    Row("GET /api/companies", ADMIN),
    Row("GET /api/companies/export", ADMIN),
    Row("GET /api/company/{company_id}/detail", "401 403 403 403 403", ADMIN, places=company),
    Row(
        "PUT /api/company/status/{company_id}",
        "401 403 403 403 403",
        ADMIN,
        places=company,
        body=enabled,
        verified=True,
    ),
    Row(
        "DELETE /api/company/{company_id}",
        "401 403 403 403 403",
        "401 204 403 403 403",
        places=company,
        body=lambda target: {"name": target.company_name},
        verified=True,
    ),
    Row(
        "GET /api/company",
        "401 200 200 403 200",
        "401 200 404 403 404",
        query=lambda target: {"companyId": target.company_id},
    ),
    Row(
        "PUT /api/company",
        LEADER,
        body=lambda _: {
            "name": "Changed",
            "email": "changed@company.test",
            "phoneNumber": "+12025550142",
            "address": {"state": "ME", "zipCode": "04101", "addressLine1": "1 Harbour Street"},
        },
    ),
    # A leader without a copy of the key may call it, and learns that it is locked.
    Row("GET /api/company/alerts", LEADER_EVEN_UNSUBSCRIBED),
    Row("GET /api/company/records", LEADER_EVEN_UNSUBSCRIBED),
    Row("GET /api/company/leaving", LEADER_EVEN_UNSUBSCRIBED),
    # The company has no account at the card provider, so that nothing is sent.
    Row(
        "PUT /api/company/leaving",
        LEADER_EVEN_UNSUBSCRIBED,
        body=lambda target: {"name": target.company_name, "lastDay": "2099-01-01T00:00:00Z"},
        verified=True,
    ),
    Row("DELETE /api/company/leaving", "401 403 409 403 409"),
    Row("GET /api/company/first-steps", LEADER_EVEN_UNSUBSCRIBED),
    Row("PUT /api/company/first-steps/passphrase-sheet", LEADER_EVEN_UNSUBSCRIBED),
    Row("PUT /api/company/first-steps/dismissed", "401 403 204 403 204"),
    Row("GET /api/company/passphrase", "401 403 404 403 404", verified=True),
    Row(
        "PUT /api/company/passphrase",
        "401 403 422 403 422",
        body=lambda _: {"passphrase": "in plain sight"},
        verified=True,
    ),
    # Nothing waits here; what does not look like an envelope is refused before that is looked up.
    Row("GET /api/company/passphrase/handover", "401 403 404 403 404", verified=True),
    Row(
        "PUT /api/company/passphrase/handover",
        "401 403 422 403 422",
        body=lambda _: {"companyKey": "in plain sight"},
        verified=True,
    ),
    Row("GET /api/company/passphrase/former", LEADER_EVEN_UNSUBSCRIBED),
    Row(
        "GET /api/company/passphrase/former/{epoch}",
        "401 403 404 403 404",
        places=lambda _: {"epoch": 1},
        verified=True,
    ),
    Row("GET /api/company/key-holder", LEADER_EVEN_UNSUBSCRIBED),
    # The member has no keys.
    Row(
        "PUT /api/company/key-holder",
        "401 403 409 403 409",
        "401 403 404 403 404",
        body=lambda target: {"uuid": str(target.member), "keyHandover": "AAAA"},
        verified=True,
    ),
    Row("DELETE /api/company/key-holder", "401 403 204 403 204", verified=True),
    Row("GET /api/company/held-key", "401 403 403 200 403"),
    # The member holds no key.
    Row("GET /api/company/held-key/passphrase", "401 403 403 404 403", verified=True),
    Row("GET /api/company/held-key/sealed", "401 403 403 404 403", verified=True),
    Row(
        "PUT /api/company/held-key/leader",
        "401 403 403 404 403",
        body=lambda _: {"keyHandover": "AAAA"},
        verified=True,
    ),
    # members
    Row("GET /api/users", LEADER),
    Row("GET /api/users/{company_id}", LEADER, "401 200 404 403 403", places=company),
    Row("GET /api/users/export", LEADER),
    Row("GET /api/users/{company_id}/export", LEADER, "401 200 404 403 403", places=company),
    Row("GET /api/user/team-leader", LEADER),
    Row("GET /api/user/team-leader/{company_id}", LEADER, "401 200 404 403 403", places=company),
    Row(
        "PUT /api/user",
        LEADER,
        "401 403 404 403 403",
        body=lambda target: {
            "uuid": str(target.member),
            "firstName": "New",
            "lastName": "Name",
            "email_address": "new@company.test",
            "phoneNumber": "+12025550142",
        },
    ),
    # The member has no pending change.
    Row(
        "DELETE /api/user/{uuid}/pending/{kind}",
        "401 403 404 403 403",
        "401 403 404 403 403",
        places=lambda target: {**member(target), "kind": "phone"},
    ),
    Row(
        "DELETE /api/user/{uuid}",
        "401 403 204 403 403",
        "401 403 404 403 403",
        places=member,
        verified=True,
    ),
    Row(
        "PUT /api/user/status/{uuid}",
        LEADER,
        "401 403 404 403 403",
        places=member,
        body=lambda _: {"enabled": False},
        verified=True,
    ),
    Row(
        "PUT /api/users/status",
        "401 403 204 403 403",
        "401 403 404 403 403",
        body=lambda target: {"uuids": [str(target.member)], "enabled": False},
        verified=True,
    ),
    Row(
        "POST /api/users/remove",
        "401 403 204 403 403",
        "401 403 404 403 403",
        body=lambda target: {"uuids": [str(target.member)]},
        verified=True,
    ),
    Row("GET /api/user/{uuid}/client-sessions", LEADER, "401 403 404 403 403", places=member),
    # The member's session is a browser's, which the leader cannot end.
    Row(
        "DELETE /api/user/{uuid}/client-sessions/{session_id}",
        "401 403 404 403 403",
        "401 403 404 403 403",
        places=lambda target: {"uuid": target.member, "session_id": target.session},
    ),
    Row(
        "GET /api/user/{uuid}/public-keys",
        LEADER_EVEN_UNSUBSCRIBED,
        "401 403 404 403 404",
        places=member,
    ),
    Row(
        "PUT /api/user/team-leader/{uuid}",
        LEADER,
        "401 403 404 403 403",
        places=member,
        verified=True,
    ),
    Row(
        "PUT /api/user/team-leader",
        "401 403 403 403 403",
        ADMIN,
        query=lambda target: {"companyId": target.company_id, "userId": target.member},
        verified=True,
    ),
    # invites
    Row("GET /api/invites", LEADER),
    Row("GET /api/invites/{company_id}", LEADER, "401 200 404 403 403", places=company),
    Row("GET /api/invites/progress", LEADER),
    Row(
        "POST /api/invite/users/",
        LEADER,
        body=lambda _: [{"email_address": f"{uuid4().hex}@company.test"}],
    ),
    Row(
        "POST /api/invites/resend",
        "401 403 204 403 403",
        "401 403 404 403 403",
        body=lambda target: {"keys": [str(target.invite)]},
    ),
    Row(
        "DELETE /api/invite/{key}",
        "401 403 204 403 403",
        "401 403 404 403 403",
        places=lambda target: {"key": target.invite},
    ),
    Row("GET /api/auth/invite", "404 404 404 404 404", query=lambda _: {"token": "x" * 43}),
    Row("POST /api/auth/invite/ask", EVERYONE_422, body=nothing),
    # sign-up: needs a ticket or an invitation; a session is ignored
    Row("POST /api/auth/verify-registration-password", EVERYONE_422, body=nothing),
    Row("POST /api/auth/signup-ticket", NO_TICKET, body=nothing),
    Row("POST /api/auth/request-access", EVERYONE_422, body=nothing),
    Row("GET /api/access-requests", ADMIN),
    Row("POST /api/access-requests/{request_id}/approve", "401 404 403 403 403", places=no_request),
    Row("POST /api/access-requests/{request_id}/decline", "401 404 403 403 403", places=no_request),
    Row(
        "GET /api/auth/signup-otp",
        NO_TICKET,
        query=lambda _: {"phoneNumber": "+12025550142"},
    ),
    Row(
        "POST /api/auth/verify-signup-otp",
        NO_TICKET,
        body=lambda _: {"phoneNumber": "+12025550142", "otp": "000000"},
    ),
    Row("POST /api/auth/verify-email", NO_TICKET, query=lambda _: {"email": "a@company.test"}),
    Row("POST /api/auth/register-team-leader", EVERYONE_422, body=nothing),
    Row("POST /api/auth/register", EVERYONE_422, query=lambda _: {"token": "x" * 43}, body=nothing),
    # activity
    Row("GET /api/activity", "401 200 200 403 200"),
    Row("GET /api/activity/actions", "401 200 200 403 200"),
    Row("GET /api/activity/export", "401 200 200 403 200"),
    Row("GET /api/activity/stream", LEADER_EVEN_UNSUBSCRIBED),
    Row(
        "PUT /api/activity/stream",
        LEADER_EVEN_UNSUBSCRIBED,
        "401 403 404 403 404",
        body=lambda target: {"webhook": False, "warehouseId": target.warehouse},
        verified=True,
    ),
    Row(
        "POST /api/activity/stream/replay",
        "401 403 409 403 409",
        body=lambda _: {"target": "webhook"},
        verified=True,
    ),
    Row("POST /api/activity/check", LEADER_EVEN_UNSUBSCRIBED, body=lambda _: {}),
    Row("GET /api/admin/activity", ADMIN),
    Row("GET /api/company/{company_id}/activity", "401 403 403 403 403", ADMIN, places=company),
    Row("GET /api/admin/activity/export", ADMIN),
    # downloads: an invalid link is refused for everyone
    Row("GET /api/downloads", "401 403 200 200 403"),
    Row("GET /api/downloads/manifest", "404 404 404 404 404"),
    Row(
        "POST /api/downloads/{file_name}/link",
        "401 403 404 404 403",
        places=lambda _: {"file_name": "none"},
    ),
    Row("GET /api/downloads/file", NO_TICKET, query=lambda _: {"ticket": "x" * 43}),
    Row("GET /api/downloads/contact", "401 404 200 200 200"),
    # API tokens
    Row("GET /api/tokens", LEADER_EVEN_UNSUBSCRIBED),
    Row(
        "POST /api/tokens",
        "401 403 201 403 201",
        body=lambda _: {
            "name": "Deploy",
            "scopes": ["members:read"],
            "expiresAt": (datetime.now(UTC) + timedelta(days=30)).isoformat(),
        },
        verified=True,
    ),
    Row(
        "DELETE /api/tokens/{token_id}",
        "401 403 204 403 204",
        "401 403 404 403 404",
        places=lambda target: {"token_id": target.token},
        verified=True,
    ),
    # company identity
    Row("GET /api/identity/domains", LEADER_EVEN_UNSUBSCRIBED, verified=True),
    Row(
        "POST /api/identity/domains",
        "401 403 201 403 201",
        body=lambda _: {"domain": "acme.test"},
        verified=True,
    ),
    Row(
        "POST /api/identity/domains/{domain}/check",
        "401 403 404 403 404",
        places=no_domain,
        verified=True,
    ),
    Row(
        "DELETE /api/identity/domains/{domain}",
        "401 403 404 403 404",
        places=no_domain,
        verified=True,
    ),
    Row("GET /api/identity/sso", LEADER_EVEN_UNSUBSCRIBED, verified=True),
    Row(
        "POST /api/identity/sso/providers",
        "401 403 201 403 201",
        body=lambda _: {"name": "Main"},
        verified=True,
    ),
    Row(
        "PUT /api/identity/sso/providers/{uuid}",
        "401 403 422 403 422",
        "401 403 404 403 404",
        places=lambda target: {"uuid": target.provider},
        body=lambda _: {
            "name": "x",
            "issuer": "nobody",
            "clientId": "x",
            "clientSecret": "x",
        },
        verified=True,
    ),
    Row(
        "DELETE /api/identity/sso/providers/{uuid}",
        "401 403 204 403 204",
        "401 403 404 403 404",
        places=lambda target: {"uuid": target.provider},
        verified=True,
    ),
    Row(
        "PUT /api/identity/sso/default",
        "401 403 409 403 409",
        "401 403 404 403 404",
        body=lambda target: {"provider": str(target.provider)},
        verified=True,
    ),
    Row(
        "PUT /api/identity/sso/domains/{domain}",
        "401 403 404 403 404",
        places=no_domain,
        body=lambda _: {"provider": None},
        verified=True,
    ),
    Row(
        "PUT /api/identity/sso/requirement",
        "401 403 404 403 404",
        body=lambda _: {"required": True},
        verified=True,
    ),
    # policies
    Row("GET /api/policies", LEADER_EVEN_UNSUBSCRIBED),
    Row("PUT /api/policies", "401 403 200 403 200", body=lambda _: NO_POLICIES, verified=True),
    # provisioning
    Row("GET /api/provisioning", LEADER_EVEN_UNSUBSCRIBED, verified=True),
    # No company here has a SCIM token.
    Row(
        "PUT /api/provisioning",
        "401 403 404 403 404",
        body=lambda _: {"confirmDeletions": True},
        verified=True,
    ),
    Row("POST /api/provisioning/token", "401 403 201 403 201", verified=True),
    Row("DELETE /api/provisioning/token", "401 403 404 403 404", verified=True),
    Row("GET /api/provisioning/deletions", LEADER_EVEN_UNSUBSCRIBED, verified=True),
    Row(
        "POST /api/provisioning/deletions/confirm",
        "401 403 404 403 404",
        "401 403 404 403 404",
        body=lambda target: {"uuids": [str(target.member)]},
        verified=True,
    ),
    Row(
        "POST /api/provisioning/deletions/decline",
        "401 403 404 403 404",
        "401 403 404 403 404",
        body=lambda target: {"uuids": [str(target.member)]},
        verified=True,
    ),
    # subscription
    Row("GET /api/payment/methods", LEADER_EVEN_UNSUBSCRIBED),
    Row("GET /api/payment/plan", NOT_SENT),
    Row("GET /api/payment/invoices", NOT_SENT),
    Row("POST /api/payment/add", NOT_SENT, body=nothing),
    Row("POST /api/payment/setup-intent", NOT_SENT),
    Row("PUT /api/payment/switch-plan", NOT_SENT, query=lambda _: {"PlanId": 5}),
    Row("DELETE /api/payment", NOT_SENT, query=lambda _: {"cardId": "pm_1"}),
    Row("PUT /api/payment/default", NOT_SENT, query=lambda _: {"cardId": "pm_1"}),
    Row("PUT /api/payment/auto-renew", NOT_SENT, body=nothing),
    Row("PUT /api/payment/cancel", NOT_SENT, body=nothing),
    Row("PUT /api/payment/reactivate", NOT_SENT, body=nothing),
    Row("PUT /api/payment/billing-email", NOT_SENT, body=nothing),
    Row("PUT /api/payment/own-warehouses", NOT_SENT, body=nothing),
    Row("POST /api/payment/webhook", "- - - - -"),
    # warehouses
    Row("GET /api/providers", LEADER),
    Row("GET /api/all", LEADER),
    Row(
        "GET /api/warehouse",
        LEADER,
        "401 403 404 403 403",
        query=lambda target: {"warehouseId": target.warehouse},
        verified=True,
    ),
    Row("POST /api/warehouse", LEADER, body=warehouse_form, verified=True),
    Row("POST /api/warehouse/test", LEADER, body=warehouse_form, verified=True),
    Row(
        "PUT /api/warehouse",
        LEADER,
        "401 403 404 403 403",
        body=lambda target: {**warehouse_form(target), "id": target.warehouse},
        verified=True,
    ),
    Row(
        "PUT /api/warehouse/default-warehouse/{warehouse_id}",
        LEADER,
        "401 403 404 403 403",
        places=warehouse,
        verified=True,
    ),
    Row(
        "DELETE /api/warehouse/{warehouse_id}",
        "401 403 204 403 403",
        "401 403 404 403 403",
        places=warehouse,
        verified=True,
    ),
    # The existing warehouse has not been checked yet, so it is not Connected.
    Row(
        "POST /api/warehouse/health-check/{warehouse_id}",
        "401 403 409 403 403",
        "401 403 404 403 403",
        places=warehouse,
        verified=True,
    ),
    Row(
        "POST /api/warehouse/check/{warehouse_id}",
        LEADER,
        "401 403 404 403 403",
        places=warehouse,
    ),
    Row(
        "GET /api/warehouse/history/{warehouse_id}",
        LEADER,
        "401 403 404 403 403",
        places=warehouse,
    ),
    Row("PUT /api/company/newkey", LEADER, verified=True),
    # warehouse alerts: the company has no webhook
    Row("GET /api/warehouse-alerts", LEADER),
    Row(
        "PUT /api/warehouse-alerts/recipients/{uuid}",
        "401 403 204 403 403",
        "401 403 404 403 403",
        places=member,
        verified=True,
    ),
    Row(
        "DELETE /api/warehouse-alerts/recipients/{uuid}",
        "401 403 404 403 403",
        "401 403 404 403 403",
        places=member,
        verified=True,
    ),
    Row("PUT /api/warehouse-alerts/webhook", "401 403 422 403 422", body=nothing, verified=True),
    Row("DELETE /api/warehouse-alerts/webhook", "401 403 404 403 404", verified=True),
    Row("POST /api/warehouse-alerts/webhook/secret", "401 403 404 403 404", verified=True),
    Row("POST /api/warehouse-alerts/webhook/test", "401 403 404 403 404", verified=True),
    # storage: the leader reads even without a subscription
    Row("GET /api/storage/keys", "401 403 404 404 404"),
    Row("PUT /api/storage/keys", "401 403 422 422 422", body=nothing),
    Row("PUT /api/storage/keys/replacement", "401 403 422 422 422", body=nothing, verified=True),
    Row("GET /api/storage/keys/members", "401 403 200 200 200"),
    Row("GET /api/storage/recovery", "401 403 200 200 200"),
    Row("PUT /api/storage/recovery/record", "401 403 422 403 422", body=nothing),
    Row("PUT /api/storage/recovery/kit", "401 403 422 403 422", body=nothing, verified=True),
    Row("PUT /api/storage/recovery/kit/confirmation", "401 403 422 403 422", body=nothing),
    Row("GET /api/storage/recovery/handover", "401 403 200 200 200"),
    # The company has no pair that could be handed over.
    Row(
        "PUT /api/storage/recovery/handover",
        "401 403 404 404 403",
        body=lambda _: {"handover": "AAAA"},
        verified=True,
    ),
    Row("GET /api/storage/spaces", "401 403 200 200 200"),
    Row("POST /api/storage/changes", "401 403 422 422 422", body=nothing),
    Row("POST /api/storage/spaces", "401 403 422 403 422", body=nothing),
    Row(
        "GET /api/storage/spaces/{space_id}/log",
        "401 403 200 200 200",
        "401 403 404 404 404",
        places=space,
    ),
    Row(
        "POST /api/storage/spaces/{space_id}/log",
        "401 403 422 422 403",
        "401 403 404 404 403",
        places=space,
        body=lambda _: {"entries": ["AAAA"]},
    ),
    Row(
        "GET /api/storage/spaces/{space_id}/grants",
        "401 403 200 200 200",
        "401 403 404 404 404",
        places=space,
    ),
    Row(
        "POST /api/storage/spaces/{space_id}/grants",
        "401 403 422 422 403",
        "401 403 404 404 403",
        places=space,
        body=lambda _: {"entryId": "A" * 22, "grants": ["AAAA"]},
    ),
    Row(
        "POST /api/storage/spaces/{space_id}/grants/refused",
        "401 403 404 404 404",
        "401 403 404 404 404",
        places=space,
        body=lambda _: {"sequence": 1},
    ),
    Row(
        "POST /api/storage/spaces/{space_id}/log/flush",
        "401 403 200 200 200",
        "401 403 404 404 404",
        places=space,
    ),
    Row("GET /api/storage/restore", "401 403 200 200 200"),
    Row("PUT /api/storage/restore/closed", "401 403 409 403 409", verified=True),
    Row(
        "POST /api/storage/spaces/{space_id}/log/former",
        "401 403 409 409 409",
        "401 403 404 404 404",
        places=space,
        body=lambda _: {"entries": [], "seen": 1},
    ),
    Row("GET /api/storage/usage", "401 403 200 200 200"),
    Row("GET /api/storage/health", "401 403 200 200 200"),
    # The company has one warehouse, and the leader is no member of the space.
    Row("GET /api/storage/placement", "401 403 409 409 409"),
    Row(
        "POST /api/storage/uploads",
        "401 403 404 409 403",
        "401 403 404 404 403",
        body=lambda target: {"spaceId": str(target.space), "packs": [PACK]},
    ),
    Row(
        "POST /api/storage/uploads/complete",
        "401 403 404 404 403",
        "401 403 404 404 403",
        body=lambda target: {
            "spaceId": str(target.space),
            "packs": [{"id": PACK["id"], "shards": [0]}],
        },
    ),
    Row(
        "POST /api/storage/links",
        "401 403 404 404 404",
        "401 403 404 404 404",
        body=lambda target: {"spaceId": str(target.space), "packs": [PACK["id"]]},
    ),
    Row("GET /api/storage/repairs", "401 403 200 200 200"),
    Row(
        "GET /api/storage/warehouses/{warehouse_id}/relocation",
        "401 403 200 403 200",
        "401 403 404 403 404",
        places=warehouse,
    ),
    Row(
        "POST /api/storage/warehouses/{warehouse_id}/relocation",
        "401 403 409 403 409",
        "401 403 404 403 404",
        places=warehouse,
        verified=True,
    ),
    Row("GET /api/storage/devices", "401 403 200 403 200"),
    Row("GET /api/storage/waiting", "401 403 200 403 200"),
    Row("GET /api/storage/removals", "401 403 200 403 200"),
    # Only the client program reports; it has sessions of its own.
    Row("GET /api/storage/backups/overdue", "401 403 200 200 200"),
    Row(
        "PUT /api/storage/backups/{backup_id}",
        "401 403 403 403 403",
        places=backup,
        body=lambda _: {"days": 3, "isCompleted": True},
    ),
    Row("DELETE /api/storage/backups/{backup_id}", "401 403 204 204 204", places=backup),
    # shares; for guests see tests/storage/test_guest_shares.py
    Row("GET /api/storage/shares", "401 403 200 200 200"),
    Row("POST /api/storage/shares", "401 403 422 422 422", body=nothing),
    Row(
        "PUT /api/storage/shares/{share_id}/manifest",
        "401 403 422 422 422",
        places=no_share,
        body=nothing,
    ),
    Row("DELETE /api/storage/shares/{share_id}", "401 403 404 404 404", places=no_share),
    Row("GET /api/storage/share-policy", "401 403 200 200 200"),
    Row("PUT /api/storage/share-policy", "401 403 422 403 422", body=nothing),
    Row("GET /api/shares/{share_id}", "404 404 404 404 404", places=no_share),
    Row("POST /api/shares/{share_id}/open", "422 422 422 422 422", places=no_share, body=nothing),
    Row("POST /api/shares/{share_id}/links", "422 422 422 422 422", places=no_share, body=nothing),
    Row("POST /api/shares/{share_id}/piece", "422 422 422 422 422", places=no_share, body=nothing),
    # requests for files; for guests see tests/storage/test_guest_requests.py
    Row("GET /api/storage/requests", "401 403 200 200 200"),
    Row("POST /api/storage/requests", "401 403 422 422 422", body=nothing),
    Row("DELETE /api/storage/requests/{request_id}", "401 403 404 404 404", places=no_file_request),
    Row("GET /api/storage/request-policy", "401 403 200 200 200"),
    Row("PUT /api/storage/request-policy", "401 403 422 403 422", body=nothing),
    Row("GET /api/storage/arrivals/{arrival_id}", "401 403 404 404 404", places=no_arrival),
    Row(
        "POST /api/storage/arrivals/{arrival_id}/links",
        "401 403 422 422 422",
        places=no_arrival,
        body=nothing,
    ),
    Row(
        "PUT /api/storage/arrivals/{arrival_id}/decision",
        "401 403 422 422 422",
        places=no_arrival,
        body=nothing,
    ),
    Row("GET /api/requests/{request_id}", "404 404 404 404 404", places=no_file_request),
    *(
        Row(
            f"POST /api/requests/{{request_id}}/{call}",
            "422 422 422 422 422",
            places=no_file_request,
            body=nothing,
        )
        for call in ("open", "packs", "arrivals")
    ),
    Row(
        "POST /api/requests/pieces/{request_id}/{pack}/{index}",
        "422 422 422 422 422",
        places=no_piece,
        body=nothing,
    ),
]
