import shutil
from base64 import b64encode
from pathlib import Path
from traceback import format_exception

import pytest
from pydantic import SecretStr, ValidationError

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.kit.migrations import WrongMode, migrate
from tessera.main import create_app
from tessera.settings import NEEDED_IN_PRODUCTION, MissingSettings, Mode, Settings
from tests.fixtures.command_line import Command
from tests.fixtures.database import PLATFORM_KEY, settings_for

EXAMPLE = Path(__file__).parents[3] / ".env.example"
COMPLETE = {
    "mode": Mode.PRODUCTION,
    "database_url": "postgresql://app@db/tessera",
    "database_platform_url": "postgresql://platform@db/tessera",
    "public_url": "https://console.example.com/",
    "card_origin": "https://cards.example.com",
    "platform_key": PLATFORM_KEY,
    "registration_password": "long enough",
    "support_email": "support@example.com",
    "smtp_url": "smtp://mail",
    "mail_from": "tessera@example.com",
    "twilio_account_sid": "AC1",
    "twilio_auth_token": "token",
    "twilio_from": "+1",
    "stripe_secret_key": "sk",
    "stripe_publishable_key": "pk",
    "stripe_webhook_secret": "whsec",
}


def production(**changes: object) -> Settings:
    return Settings(_env_file=None, **{**COMPLETE, **changes})  # type: ignore[arg-type]


class TestProduction:
    def test_complete_production_settings_pass(self) -> None:
        production().require_complete()

    @pytest.mark.parametrize("name", sorted(NEEDED_IN_PRODUCTION))
    def test_missing_production_settings_are_named(self, name: str) -> None:
        with pytest.raises(MissingSettings) as raised:
            production(**{name: ""}).require_complete()
        assert [f"TESSERA_{name.upper()}" in problem for problem in raised.value.problems] == [True]

    @pytest.mark.parametrize(
        "wrong",
        [
            {"platform_key": "c2hvcnQ="},
            {"platform_key": "not base64!"},
            {"platform_key_old": "c2hvcnQ="},
            {"public_url": "http://console.example.com"},
            {"card_origin": "https://console.example.com"},
            {"card_origin": "https://CONSOLE.example.com"},
            {"card_origin": "https://console.example.com:443"},
            {"share_origin": "https://console.example.com:8443"},
            {"share_origin": "https://cards.example.com"},
            {"share_origin": "http://share.example.com"},
            {"trusted_proxies": "0.0.0.0/0"},
            {"trusted_proxies": "10.0.0.0/8,::/0"},
            {"registration_password": "short"},
            {"support_email": "support"},
            {"support_email": "Support <a@b.test>"},
            {"support_url": "http://help.example.com"},
        ],
    )
    def test_unsafe_values_are_refused(self, wrong: dict[str, str]) -> None:
        with pytest.raises(MissingSettings):
            production(**wrong).require_complete()

    def test_production_has_no_sandbox_route(self) -> None:
        paths = create_app(production()).openapi()["paths"]
        assert not [path for path in paths if "sandbox" in path]
        assert [
            path
            for path in create_app(settings_for(_NOWHERE)).openapi()["paths"]
            if "sandbox" in path
        ]

    def test_query_secrets_are_off_unless_asked_for(self) -> None:
        assert production().query_secrets_allowed is False
        assert production(allow_query_secrets=True).query_secrets_allowed is True

    async def test_the_command_exits_with_2_and_the_whole_list(
        self, run_without_settings: Command
    ) -> None:
        ended = await run_without_settings("serve", mode="production")
        assert ended.exit_code == 2
        for name in NEEDED_IN_PRODUCTION:
            assert f"TESSERA_{name.upper()}" in ended.stderr


class TestHeadersOfTheCollector:
    @pytest.mark.parametrize(
        "wrong",
        [
            "canary",
            "authorization: Bearer canary",
            "=canary",
            "authorization=",
            "authorization=canary,",
            "authorization=canary,canary",
            "authorization=canary\nx-other: canary",
            "au thorization=canary",
            "authorization=canarÿ",
        ],
    )
    async def test_malformed_headers_are_refused_without_repeating_them(
        self, run_without_settings: Command, wrong: str
    ) -> None:
        with pytest.raises(ValidationError) as raised:
            Settings(_env_file=None, otlp_headers=SecretStr(wrong))
        ended = await run_without_settings("serve", otlp_headers=wrong)
        assert ended.exit_code == 2
        assert "TESSERA_OTLP_HEADERS" in ended.stderr
        said = ended.output + ended.stderr + "".join(format_exception(raised.value))
        assert "canar" not in said


_NOWHERE = EmbeddedUrls("postgresql://x", "postgresql://x", "postgresql://x", "postgresql://x")


class TestSandbox:
    async def test_sandbox_refuses_a_public_address(
        self, run_without_settings: Command, tmp_path: Path
    ) -> None:
        ended = await run_without_settings(
            "serve",
            "--host",
            "0.0.0.0",
            database_url="postgresql://nowhere",
            data_dir=str(tmp_path),
        )
        assert ended.exit_code == 2
        assert "loopback" in ended.stderr


class TestMode:
    @pytest.mark.own_database
    async def test_a_database_belongs_to_one_mode(self, urls: EmbeddedUrls) -> None:
        with pytest.raises(WrongMode):
            await migrate(production(database_url=urls.app, database_owner_url=urls.owner))

    @pytest.mark.parametrize(
        "command",
        [("serve",), ("admin", "create"), ("keys", "rewrap"), ("warehouses", "list")],
        ids=" ".join,
    )
    async def test_production_commands_refuse_a_sandbox_database(
        self, run_command: Command, command: tuple[str, ...]
    ) -> None:
        texts = {name: str(value) for name, value in COMPLETE.items() if "database" not in name}
        options = {"admin": ("--email", "a@x.test", "--first-name", "A", "--last-name", "B",
                             "--phone", "+12025550100")}  # fmt: skip
        ended = await run_command(
            *command,
            *options.get(command[0], ()),
            stdin="a long enough password\n" * 2,
            **{**texts, "mode": "production", "platform_key_old": b64encode(b"o" * 32).decode()},
        )
        assert (ended.exit_code, "belongs to a sandbox" in ended.stderr) == (2, True), ended.output

    @pytest.mark.own_database
    async def test_production_refuses_a_database_that_was_not_migrated(
        self, run_command: Command, platform: Connection
    ) -> None:
        await platform.execute(
            "UPDATE installation SET mode = 'production';"
            " DELETE FROM migrations WHERE name = '0002_purge_indexes.sql'"
        )
        texts = {name: str(value) for name, value in COMPLETE.items() if "database" not in name}
        ended = await run_command("serve", **{**texts, "mode": "production"})
        assert ended.exit_code == 2
        assert "lacks 0002_purge_indexes.sql: run `tessera migrate`" in ended.stderr

    @pytest.mark.own_database
    async def test_production_refuses_a_database_that_needs_a_later_version(
        self, run_command: Command, platform: Connection
    ) -> None:
        await platform.execute("UPDATE installation SET mode = 'production'")
        await platform.execute(
            "INSERT INTO migrations (name, digest, needs_version) VALUES ('9999_later', '', '90.1')"
        )
        texts = {name: str(value) for name, value in COMPLETE.items() if "database" not in name}
        ended = await run_command("serve", **{**texts, "mode": "production"})
        assert (ended.exit_code, "needs version 90.1" in ended.stderr) == (2, True), ended.output


def test_the_example_can_be_taken_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(EXAMPLE, ".env")
    assert Settings() == Settings(_env_file=None)
