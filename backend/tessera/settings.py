"""All settings of the service, read from environment variables with the prefix TESSERA_."""

import base64
import binascii
import re
from enum import StrEnum
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from tessera.limits import LIMITS, SMS, SMS_OTHER
from tessera.source_commit import source_commit

_EMAIL = re.compile(r"[^@\s<>]+@[^@\s<>]+\.[^@\s<>]+")
_HEADER = re.compile(r"([A-Za-z0-9!#$%&'*+.^_`|~-]+)=([!-~](?:[ -~]*[!-~])?)")


class Mode(StrEnum):
    SANDBOX = "sandbox"
    PRODUCTION = "production"


class MissingSettings(Exception):
    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


NEEDED_IN_PRODUCTION = {
    "database_url": "the application role's PostgreSQL address",
    "database_platform_url": "the platform role's PostgreSQL address",
    "public_url": "the address customers open, for example https://console.example.com",
    "card_origin": "a second origin that serves the card form only",
    "platform_key": "32 random bytes in base64, the key that wraps all others",
    "registration_password": "what a new company types in first, at least 8 characters",
    "support_email": "the address that customers write to for help",
    "smtp_url": "smtp://user:password@host:587, the mail server",
    "mail_from": "the sender of mails",
    "twilio_account_sid": "the SMS account",
    "twilio_auth_token": "the SMS account's token",
    "twilio_from": "the number or service SMS come from",
    "stripe_secret_key": "the card provider's secret key",
    "stripe_publishable_key": "the card provider's publishable key",
    "stripe_webhook_secret": "the secret that signs the card provider's webhooks",
}


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="TESSERA_",
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        hide_input_in_errors=True,
    )

    mode: Mode = Mode.SANDBOX
    data_dir: Path = Path("var")
    log_level: str = "info"
    log_json: bool = True
    commit: str = Field(default_factory=source_commit, pattern="^[0-9a-f]{0,64}$")

    database_url: str = ""
    database_owner_url: str = ""
    database_platform_url: str = ""
    database_replica_url: str = ""
    pool_size: int = Field(default=10, ge=2, le=200)
    platform_pool_size: int = Field(default=4, ge=1, le=200)
    statement_timeout_ms: int = Field(default=5_000, ge=100)

    public_url: str = ""
    share_origin: str = ""
    card_origin: str = ""
    support_email: str = ""
    support_url: str = ""
    trusted_proxies: Annotated[list[IPv4Network | IPv6Network], NoDecode] = []
    workers: int = Field(default=1, ge=1, le=64)
    drain_seconds: float = Field(default=0, ge=0, le=60)
    max_body_bytes: int = Field(default=1024 * 1024, ge=1024)
    metrics_token: SecretStr = SecretStr("")
    otlp_endpoint: str = ""
    otlp_headers: SecretStr = SecretStr("")
    limits: Annotated[dict[str, Annotated[int, Field(ge=1)]], NoDecode] = {}

    platform_key: SecretStr = SecretStr("")
    platform_key_old: SecretStr = SecretStr("")
    registration_password: SecretStr = SecretStr("")
    allow_query_secrets: bool | None = None

    sandbox_public: bool = False
    demo_data: bool = True

    smtp_url: SecretStr = SecretStr("")
    mail_from: str = ""
    twilio_account_sid: str = ""
    twilio_auth_token: SecretStr = SecretStr("")
    twilio_from: str = ""
    stripe_secret_key: SecretStr = SecretStr("")
    stripe_publishable_key: str = ""
    stripe_webhook_secret: SecretStr = SecretStr("")
    stripe_url: str = ""
    stripe_timeout_seconds: float = Field(default=20, gt=0)
    stripe_retries: int = Field(default=2, ge=0, le=10)
    chat_url: str = ""
    s3_endpoint: str = ""
    azure_endpoint: str = ""
    google_endpoint: str = ""
    cloud_timeout_seconds: float = Field(default=10, gt=0)
    cloud_retries: int = Field(default=1, ge=0, le=5)

    dns_resolver: str = ""
    dns_timeout_seconds: float = Field(default=5, gt=0)
    country_database: str = ""

    releases_dir: str = ""
    download_link_minutes: int = Field(default=10, ge=1)

    session_idle_seconds: int = Field(default=15 * 60 + 30, ge=1)
    session_hours: int = Field(default=12, ge=1)
    client_session_idle_days: int = Field(default=14, ge=1)
    client_session_days: int = Field(default=30, ge=1)
    device_days: int = Field(default=180, ge=1)
    verified_seconds: int = Field(default=5 * 60, ge=1)
    code_seconds: int = Field(default=5 * 60, ge=1)
    code_resend_seconds: int = Field(default=60, ge=0)
    sms_countries: Annotated[list[str], NoDecode] = []
    open_registration: bool = False
    access_link_days: int = Field(default=7, ge=1)
    signup_ticket_minutes: int = Field(default=60, ge=1)
    registration_seconds: float = Field(default=25, gt=0)
    reset_link_minutes: int = Field(default=30, ge=1)
    confirm_link_hours: int = Field(default=24 * 7, ge=1)
    invite_days: int = Field(default=7, ge=1)
    activity_days: int = Field(default=400, ge=30)

    plan_prices: Annotated[dict[int, int], NoDecode] = {5: 75_000}
    plan_currency: str = "usd"
    trial_days: int = Field(default=30, ge=0)
    trial_notice_days: Annotated[list[int], NoDecode] = [7, 3, 1]
    past_due_mail_days: Annotated[list[int], NoDecode] = [0, 3, 7]
    grace_days: int = Field(default=14, ge=0)
    debt_days: int = Field(default=90, ge=1)
    trial_cancel_days: int = Field(default=7, ge=0)
    notice_days: int = Field(default=21, ge=0)
    deletion_days: int = Field(default=30, ge=8)
    debt_warning_days: Annotated[list[int], NoDecode] = [30, 7, 1]
    webhook_tolerance_seconds: int = Field(default=300, ge=1)
    card_operation_timeout_seconds: int = Field(default=60, ge=1)

    warehouse_wait_seconds: float = Field(default=8, gt=0)
    warehouse_check_seconds: float = Field(default=60, gt=0)
    monitor_seconds: int = Field(default=300, ge=60)
    monitor_concurrency: int = Field(default=64, ge=1, le=1000)

    @field_validator(
        "trusted_proxies",
        "sms_countries",
        "trial_notice_days",
        "past_due_mail_days",
        "debt_warning_days",
        mode="before",
    )
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return [part.strip().upper() for part in value.split(",") if part.strip()]
        return value

    @field_validator("plan_prices", "limits", mode="before")
    @classmethod
    def _split_pairs(cls, value: object) -> object:
        """Parses `5=75000,2=900000`: plan ids and their prices in cents, or limits by name."""
        if isinstance(value, str):
            pairs = (part.split("=") for part in value.split(",") if part.strip())
            return {name.strip(): number.strip() for name, number in pairs}
        return value

    @field_validator("dns_resolver")
    @classmethod
    def _resolver(cls, value: str) -> str:
        if value:
            parts = urlsplit(f"//{value}")
            ip_address(parts.hostname or "")
            _ = parts.port
        return value

    @field_validator("otlp_headers")
    @classmethod
    def _headers(cls, value: SecretStr) -> SecretStr:
        if None in _split_headers(value):
            raise ValueError("has to be name=value pairs, separated by commas")
        return value

    @field_validator("limits")
    @classmethod
    def _known_limits(cls, value: dict[str, int]) -> dict[str, int]:
        if unknown := sorted(value.keys() - LIMITS.keys()):
            raise ValueError(f"no such limit: {', '.join(unknown)}")
        if value.get("sms_other", SMS_OTHER.default) > value.get("sms", SMS.default):
            raise ValueError("sms_other has to be lower than sms, or no SMS are left for logins")
        return value

    @field_validator(
        "public_url",
        "share_origin",
        "card_origin",
        "otlp_endpoint",
        "stripe_url",
        "s3_endpoint",
        "azure_endpoint",
        "google_endpoint",
    )
    @classmethod
    def _without_slash(cls, value: str) -> str:
        return value.rstrip("/")

    @property
    def sandbox(self) -> bool:
        return self.mode is Mode.SANDBOX

    @property
    def releases_folder(self) -> Path:
        """The sandbox offers what `make client` built."""
        default = Path("dist/client") if self.sandbox else self.data_dir / "releases"
        return Path(self.releases_dir) if self.releases_dir else default

    @property
    def query_secrets_allowed(self) -> bool:
        return self.sandbox if self.allow_query_secrets is None else self.allow_query_secrets

    @property
    def otlp_header_values(self) -> dict[str, str]:
        return {match[1]: match[2] for match in _split_headers(self.otlp_headers) if match}

    @cached_property
    def platform_key_bytes(self) -> bytes:
        return base64.b64decode(self.platform_key.get_secret_value(), validate=True)

    @cached_property
    def platform_key_old_bytes(self) -> bytes | None:
        data = self.platform_key_old.get_secret_value()
        return base64.b64decode(data, validate=True) if data else None

    def require_complete(self) -> None:
        """Raises one error that lists all missing or wrong settings; production only."""
        if self.sandbox:
            return
        problems = [
            f"TESSERA_{name.upper()} is missing: {what}"
            for name, what in NEEDED_IN_PRODUCTION.items()
            if not _text(getattr(self, name))
        ]
        problems += self._wrong_values()
        if problems:
            raise MissingSettings(problems)

    def _wrong_values(self) -> list[str]:
        wrong = [
            f"TESSERA_{name.upper()} is not the base64 of 32 bytes"
            for name in ("platform_key", "platform_key_old")
            if not _is_key(getattr(self, name))
        ]
        if self.support_email and not _EMAIL.fullmatch(self.support_email):
            wrong.append("TESSERA_SUPPORT_EMAIL is not an email address")
        for name in ("public_url", "share_origin", "card_origin", "support_url"):
            value = getattr(self, name)
            if value and not value.startswith("https://"):
                wrong.append(f"TESSERA_{name.upper()} has to start with https://")
        if self.public_url and _origin(self.public_url) == _origin(self.card_origin):
            wrong.append("TESSERA_CARD_ORIGIN has to differ from TESSERA_PUBLIC_URL")
        hosts = {urlsplit(url).hostname for url in (self.public_url, self.card_origin)}
        if self.share_origin and urlsplit(self.share_origin).hostname in hosts:
            wrong.append("TESSERA_SHARE_ORIGIN has to have a host of its own, or be empty")
        if any(network.prefixlen == 0 for network in self.trusted_proxies):
            wrong.append("TESSERA_TRUSTED_PROXIES has to name your proxies, not every address")
        if 0 < len(self.registration_password.get_secret_value()) < 8:
            wrong.append("TESSERA_REGISTRATION_PASSWORD is shorter than 8 characters")
        return wrong


def _is_key(data: SecretStr) -> bool:
    """Returns whether the value is a valid key. An empty value passes; it is reported elsewhere."""
    text = data.get_secret_value()
    try:
        return not text or len(base64.b64decode(text, validate=True)) == 32
    except (binascii.Error, ValueError):
        return False


def _split_headers(data: SecretStr) -> list[re.Match[str] | None]:
    """A pair that is none gives None."""
    text = data.get_secret_value()
    return [_HEADER.fullmatch(part.strip()) for part in text.split(",")] if text else []


def _origin(url: str) -> tuple[str, str, int | None]:
    """Compares equal for two spellings of one origin: case, default port, path."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or {"https": 443}.get(parts.scheme)


def _text(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)
