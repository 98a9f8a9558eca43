"""Every limit of the service: how much one account, company, origin or the platform may do in a
time, or have at once.

Each of them is a setting: `TESSERA_LIMITS` replaces the number by the name; windows and scopes are
fixed. What one request may hold (rows of a page, bytes of a body) is no limit: it stands in the
request's schema. docs/operations.md lists them, written by `python docs/limits.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
# What is counted until the billing month renews.
MONTH = timedelta(days=31)

# By the settings.
CHANGED: dict[str, int] = {}


@dataclass(frozen=True)
class Limit:
    name: str
    default: int
    # None: not a rate, but what there may be at once.
    window: timedelta | None
    scope: str
    what: str

    @property
    def maximum(self) -> int:
        return CHANGED.get(self.name, self.default)


def set_limits(changed: Mapping[str, int]) -> None:
    """Called once, when the service starts."""
    CHANGED.clear()
    CHANGED.update(changed)


_ORIGIN = "origin"
_QUARTER, _TEN_MINUTES, _FIVE_MINUTES = 15 * MINUTE, 10 * MINUTE, 5 * MINUTE

# Login
PRELOGIN = Limit("prelogin", 1_000, HOUR, _ORIGIN, "requests for a salt, before a login")
LOGIN = Limit("login", 10, _QUARTER, "account and IPv6 /64", "wrong passwords")
LOGIN_OF_DEVICE = Limit("login_of_device", 10, _QUARTER, "known browser", "wrong passwords")
LOGIN_ANY_ORIGIN = Limit("login_any_origin", 100, _FIVE_MINUTES, "account", "wrong passwords")
LOGIN_PER_ORIGIN = Limit("login_per_origin", 60, _QUARTER, _ORIGIN, "wrong passwords")
OLD_PASSWORD = Limit("old_password", 10, HOUR, "session", "wrong old passwords in a change")
CODE = Limit("code", 5, None, "code sent by SMS", "wrong entries")
AUTHENTICATOR = Limit("authenticator", 5, _FIVE_MINUTES, "account", "wrong codes of the app")
AUTHENTICATOR_PER_DAY = Limit("authenticator_per_day", 50, DAY, "account", "wrong codes of the app")
FORGOT_PASSWORD = Limit("forgot_password", 30, HOUR, _ORIGIN, "requests for a reset link")
RESET_MAILS = Limit("reset_mails", 5, HOUR, "address", "mails with a reset link")
PASSKEYS = Limit("passkeys", 10, None, "account", "passkeys")
DEVICES = Limit("devices", 20, None, "account", "remembered browsers")
DEVICES_PER_COOKIE = Limit("devices_per_cookie", 5, None, "browser", "accounts it remembers")

# API tokens
API_TOKENS = Limit("api_tokens", 50, None, "company", "API tokens that work")
API_TOKENS_PER_DAY = Limit("api_tokens_per_day", 100, DAY, "company", "new API tokens")
API_TOKEN_CALLS = Limit("api_token_calls", 3_600, HOUR, "API token", "calls")
API_TOKEN_FAILURES = Limit("api_token_failures", 100, HOUR, _ORIGIN, "calls with unknown tokens")

# Provisioning
SCIM_CALLS = Limit("scim_calls", 60_000, HOUR, "company", "SCIM calls")
SCIM_USERS = Limit("scim_users", 50_000, None, "company", "people in the directory")
SCIM_GROUPS = Limit("scim_groups", 5_000, None, "company", "groups of the directory")

# Company identity
COMPANY_DOMAINS = Limit("company_domains", 50, None, "company", "domains")
DOMAIN_CHECKS = Limit(
    "domain_checks", 60, HOUR, "company", "new domains and checks of their records"
)

SSO_PROVIDERS = Limit("sso_providers", 10, None, "company", "OpenID providers")
SSO_SAVES = Limit("sso_saves", 30, HOUR, "company", "OpenID providers saved")
SSO_STARTS = Limit("sso_starts", 300, HOUR, _ORIGIN, "logins with a company account begun")
SSO_PASSWORD = Limit(
    "sso_password", 10, HOUR, "account", "wrong passwords after a login with a company account"
)
SSO_DEVICE_CODES = Limit("sso_device_codes", 10, HOUR, "account", "wrong codes of logins of `tess`")
SSO_POLLS = Limit(
    "sso_polls", 5_000, HOUR, _ORIGIN, "questions whether a login of `tess` is confirmed"
)
SSO_LOGOUTS = Limit(
    "sso_logouts", 3_000, HOUR, "company and origin", "logouts that a provider announces"
)

# SMS. Login codes have counters of their own.
SMS_PER_NUMBER = Limit("sms_per_number", 10, DAY, "phone number and purpose", "codes")
SMS_UNCONFIRMED = Limit("sms_unconfirmed", 10, DAY, "account", "codes to an unconfirmed number")
SMS_PER_ACCOUNT = Limit("sms_per_account", 50, DAY, "account and purpose", "codes")
SMS_PER_COMPANY = Limit("sms_per_company", 2_000, DAY, "company; login codes apart", "codes")
SMS_PER_ORIGIN = Limit("sms_per_origin", 60, DAY, _ORIGIN, "codes other than for login")
SMS = Limit("sms", 20_000, DAY, "platform", "codes")
# The rest is left to login codes, so that nothing else can lock people out.
SMS_OTHER = Limit("sms_other", 10_000, DAY, "platform", "codes other than for login")

# Sign-up and invites
REGISTRATION_PASSWORD = Limit("registration_password", 20, HOUR, _ORIGIN, "wrong passwords")
TICKETS = Limit("tickets", 60, HOUR, _ORIGIN, "sign-ups begun")
TICKET_PHONES = Limit("ticket_phones", 3, None, "sign-up", "phone numbers")
TICKET_SMS = Limit("ticket_sms", 10, None, "sign-up", "codes")
TICKET_ADDRESSES = Limit("ticket_addresses", 30, HOUR, "sign-up", "addresses looked up")
TICKET_CARDS = Limit("ticket_cards", 20, HOUR, "sign-up", "cards begun")
TICKET_SUBMITS = Limit("ticket_submits", 60, HOUR, "sign-up", "submits of the form")
INVITE_SUBMITS = Limit("invite_submits", 60, HOUR, "invite", "submits of the form")
INVITE_RENEWALS = Limit("invite_renewals", 1, DAY, "invite", "requests for a new one")
INVITES = Limit("invites", 5_000, DAY, "company", "invitations")
INVITES_PER_ADDRESS = Limit("invites_per_address", 5, DAY, "company and address", "invitations")
ACCESS_REQUESTS = Limit("access_requests", 10, HOUR, _ORIGIN, "requests for access")
ACCESS_REQUESTS_PER_ADDRESS = Limit(
    "access_requests_per_address", 5, DAY, "address", "requests for access"
)

# Mails to addresses that users type in
MAILS_PER_ACCOUNT = Limit("mails_per_account", 100, DAY, "account", "mails to typed addresses")
MAILS_PER_RECIPIENT = Limit("mails_per_recipient", 5, DAY, "address", "mails to typed addresses")

# Companies and warehouses
KEY_REVEALS = Limit("key_reveals", 20, HOUR, "second key holder", "times the key is read")
WAREHOUSES = Limit("warehouses", 100, None, "company", "warehouses")
WAREHOUSE_CHECKS = Limit("warehouse_checks", 30, _TEN_MINUTES, "company", "checks by hand")
ACTIVITY_CHECKS = Limit("activity_checks", 12, HOUR, "company", "checks of the activity")
WEBHOOK_CALLS = Limit("webhook_calls", 30, _TEN_MINUTES, "company", "webhooks saved or tested")
ALERT_RECIPIENTS = Limit("alert_recipients", 10, None, "company", "members who get alerts")

# Storage
UPLOADED_BYTES = Limit("uploaded_bytes", 25 * 10**9, MONTH, "company", "bytes before coding")
UPLOADS = Limit("uploads", 4_096, None, "company", "packs whose upload is under way")
LOG_ENTRIES = Limit("log_entries", 20_000, DAY, "member", "log entries")
GRANTS = Limit("grants", 50_000, DAY, "member", "grants")
WAITING_GRANTS = Limit("waiting_grants", 2_000, None, "member", "grants whose entry has to follow")
HELD_CALLS = Limit("held_calls", 20, None, "account and process", "calls that wait for changes")
SPACES = Limit("spaces", 1_000, None, "company", "spaces")
GUEST_CALLS = Limit("guest_calls", 10_000, HOUR, _ORIGIN, "calls of shares and requests for files")
SHARES = Limit("shares", 1_000, None, "company", "shares that are open")
MEMBER_SHARES = Limit("member_shares", 200, None, "account", "shares that are open")
SHARE_TOKENS = Limit("share_tokens", 10, HOUR, _ORIGIN, "wrong links or passwords of shares")
SHARE_GUESSES = Limit("share_guesses", 100, None, "share", "wrong links or passwords")
SHARE_MEGABYTES = Limit(
    "share_megabytes", 20_000, DAY, "company", "megabytes of shares through the service"
)
ONE_SHARE_MEGABYTES = Limit(
    "one_share_megabytes", 5_000, DAY, "share", "megabytes through the service"
)
SHARE_LINKS = Limit("share_links", 20_000, HOUR, "company", "packs of shares given links to")
REQUESTS = Limit("requests", 1_000, None, "company", "requests for files that are open")
MEMBER_REQUESTS = Limit("member_requests", 200, None, "account", "requests for files that are open")
REQUEST_TOKENS = Limit("request_tokens", 10, HOUR, _ORIGIN, "wrong links of requests for files")
REQUEST_MEGABYTES = Limit(
    "request_megabytes", 20_000, DAY, "company", "megabytes sent to requests for files"
)
ARRIVALS = Limit("arrivals", 200, None, "request", "uploads, finished or not")
ARRIVAL_MAILS = Limit("arrival_mails", 1, HOUR, "request", "mails about files that arrived")
BACKUPS = Limit("backups", 50, None, "device", "backups that mails remind of")
BACKUP_REPORTS = Limit("backup_reports", 600, HOUR, "account", "reports of completed backups")

LIMITS = {limit.name: limit for limit in list(globals().values()) if isinstance(limit, Limit)}
