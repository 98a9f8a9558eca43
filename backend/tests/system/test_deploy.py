"""The deployment samples agree with the settings class."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tessera.settings import NEEDED_IN_PRODUCTION, Settings

DEPLOY = Path(__file__).parents[3] / "deploy"


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return loaded["services"]  # type: ignore[no-any-return]


def names_in_example() -> set[str]:
    text = (DEPLOY / "tessera.env.example").read_text()
    return set(re.findall(r"^(TESSERA_\w+)=$", text, re.MULTILINE))


def test_compose_sets_everything_that_production_needs(services: dict[str, Any]) -> None:
    given = {*services["tessera"]["environment"], *names_in_example()}
    assert {f"TESSERA_{name.upper()}" for name in NEEDED_IN_PRODUCTION} <= given


@pytest.mark.parametrize("service", ["tessera", "migrate"])
def test_every_setting_exists_and_is_given_once(services: dict[str, Any], service: str) -> None:
    given = set(services[service]["environment"])
    known = {f"TESSERA_{name.upper()}" for name in Settings.model_fields}
    assert given | names_in_example() <= known
    assert not given & names_in_example()


def test_only_the_migration_gets_the_owner_of_the_tables(services: dict[str, Any]) -> None:
    owner = "TESSERA_DATABASE_OWNER_URL"
    assert owner in services["migrate"]["environment"]
    assert owner not in services["tessera"]["environment"]


def test_only_the_proxy_listens_outside(services: dict[str, Any]) -> None:
    assert {name for name, service in services.items() if "ports" in service} == {"proxy"}


def test_the_database_gets_the_documented_roles() -> None:
    documented = (DEPLOY.parent / "docs" / "operations.md").read_text()
    role = re.compile(r"CREATE ROLE (\w+)\s+LOGIN PASSWORD \S+?( \w*BYPASSRLS)?;")
    created = role.findall((DEPLOY / "roles.sh").read_text())
    assert len(created) == 3
    assert created == role.findall(documented)


def test_proxies_log_no_query_strings() -> None:
    nginx = (DEPLOY / "nginx.conf").read_text()
    assert "$request_uri" not in nginx
    assert not re.search(r"\$request\b(?!_)", nginx)
    assert 'request>uri regexp \\?.* ""' in (DEPLOY / "Caddyfile").read_text()


def test_proxies_limit_slow_and_greedy_clients() -> None:
    nginx = (DEPLOY / "nginx.conf").read_text()
    servers = nginx.split("\nserver {")[1:]
    assert len(servers) == 2
    for limit in (
        "client_max_body_size",
        "client_header_timeout",
        "client_body_timeout",
        "send_timeout",
        "keepalive_timeout",
        "large_client_header_buffers",
        "limit_conn",
    ):
        assert all(f"\n    {limit} " in server for server in servers), limit
    caddy = (DEPLOY / "Caddyfile").read_text()
    for limit in ("max_size", "max_header_size", "read_header", "read_body", "write", "idle"):
        assert re.search(rf"\t{limit} \S+", caddy), limit
