"""The deployment samples agree with the settings class."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import httpx
import kubernetes_validate
import pytest
import yaml

from tessera.settings import NEEDED_IN_PRODUCTION, Settings
from tests.fixtures.process import free_port, wait_until
from tests.tools import tool

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


def test_containers_run_with_the_least_rights(services: dict[str, Any]) -> None:
    for name, service in services.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["read_only"] is True, name
        assert "privileged" not in service, name
        assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])


def test_the_unit_runs_with_the_least_rights() -> None:
    unit = (DEPLOY / "tessera.service").read_text().splitlines()
    assert {
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "PrivateTmp=yes",
        "PrivateDevices=yes",
        "CapabilityBoundingSet=",
        "AmbientCapabilities=",
        "SystemCallFilter=@system-service",
    } <= set(unit)


def test_settings_of_the_backup_exist() -> None:
    example = (DEPLOY / "backup/backup.env.example").read_text()
    names = set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))
    assert {each for each in names if each.startswith("TESSERA_")} <= {
        f"TESSERA_{name.upper()}" for name in Settings.model_fields
    }
    # The key does not lie beside the backups that it opens.
    assert "TESSERA_PLATFORM_KEY" not in names
    commands = (DEPLOY.parent / "backend/tessera/maintenance/backup_commands.py").read_text()
    assert {each for each in names if each.startswith("BACKUP_")} == set(
        re.findall(r'envvar="(\w+)"', commands)
    )


def test_each_unit_of_the_backup_is_known_to_systemd(tmp_path: Path) -> None:
    for unit in (DEPLOY / "backup").glob("tessera-*"):
        text = re.sub(r"/opt/\w+/bin/\S+", "/bin/true", unit.read_text())
        (tmp_path / unit.name).write_text(text.replace("User=postgres", "User=root"))
    units = sorted(tmp_path.iterdir())
    assert len(units) == 4
    verify = [tool("systemd-analyze"), "verify", "--recursive-errors=no", *map(str, units)]
    answer = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, "")


def test_every_image_can_be_pinned_by_digest(tmp_path: Path) -> None:
    compose, file = ((DEPLOY / name).read_text() for name in ("compose.yaml", "Dockerfile"))
    used = re.findall(r"^ *(?:image: |FROM )(\S+)", f"{compose}\n{file}", re.MULTILINE)
    assert len(used) == 5
    assert all(re.fullmatch(r"\$\{[A-Z]+_IMAGE(:-\S+)?\}", image) for image in used), used

    docker = tmp_path / "docker"
    docker.write_text(f"#!/bin/sh\necho '\"sha256:{'ab' * 32}\"'\n")
    docker.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    pinned = subprocess.run(
        [DEPLOY / "pin-images"], env={"PATH": path}, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    names = {"CADDY", "NODE", "POSTGRES", "PYTHON"}
    assert {line.partition("_IMAGE=")[0] for line in pinned} == names
    assert all(line.endswith(f"@sha256:{'ab' * 32}") for line in pinned)


@pytest.fixture(scope="module")
def manifests() -> list[dict[str, Any]]:
    command = [tool("kubectl"), "kustomize", str(DEPLOY / "kubernetes")]
    rendered = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return list(yaml.safe_load_all(rendered))


@pytest.mark.parametrize("version", ["1.27", "1.34"])
def test_kubernetes_knows_every_field(manifests: list[dict[str, Any]], version: str) -> None:
    assert len(manifests) == 7
    for manifest in manifests:
        kubernetes_validate.validate(manifest, version, strict=True)


def test_pods_run_with_the_least_rights(manifests: list[dict[str, Any]]) -> None:
    kinds = {"Deployment", "Job"}
    pods = [each["spec"]["template"]["spec"] for each in manifests if each["kind"] in kinds]
    assert len(pods) == 2
    for pod in pods:
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        for container in pod["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
    owners = [pod for pod in pods if "tessera-owner" in yaml.safe_dump(pod)]
    assert [pod["containers"][0]["name"] for pod in owners] == ["migrate"]


def test_a_pod_is_given_time_to_drain(manifests: list[dict[str, Any]]) -> None:
    """It closes its port 5 s after it was told to stop, and what is under way has 15 s."""
    [deployment] = [each for each in manifests if each["kind"] == "Deployment"]
    pod = deployment["spec"]["template"]["spec"]
    [container] = pod["containers"]
    [settings] = [each["data"] for each in manifests if each["kind"] == "ConfigMap"]
    assert settings["TESSERA_DRAIN_SECONDS"] == "5"
    assert pod["terminationGracePeriodSeconds"] >= 5 + 15
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert container["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert deployment["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0


def test_kubernetes_sets_everything_that_production_needs(manifests: list[dict[str, Any]]) -> None:
    [settings] = [each["data"] for each in manifests if each["kind"] == "ConfigMap"]
    databases = {"TESSERA_DATABASE_URL", "TESSERA_DATABASE_PLATFORM_URL"}
    needed = {f"TESSERA_{name.upper()}" for name in NEEDED_IN_PRODUCTION}
    assert needed <= {*settings, *names_in_example(), *databases}
    assert set(settings) <= {f"TESSERA_{name.upper()}" for name in Settings.model_fields}


def test_actions_are_pinned_by_commit() -> None:
    workflows = (DEPLOY.parent / ".github" / "workflows").glob("*.yml")
    used = [
        action
        for workflow in workflows
        for action in re.findall(r"uses: (.*)", workflow.read_text())
    ]
    assert used
    pinned = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[\d.]+")
    assert all(pinned.fullmatch(action) for action in used), used


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
    caddy = (DEPLOY / "Caddyfile").read_text()
    assert 'request>uri regexp \\?.* ""' in caddy
    # For errors, and for the access logs of both sites.
    assert caddy.count("import redacted") == 2
    # Its error log quotes whole requests otherwise.
    assert re.findall(r"error_log \S+ (\w+);", nginx) == ["crit", "crit"]


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


@pytest.mark.extended
@pytest.mark.parametrize("proxy", ["caddy", "nginx"])
def test_no_log_of_a_proxy_holds_a_link_token(proxy: str, tmp_path: Path) -> None:
    """With the service down, so that the proxy logs an error too."""
    port = free_port()
    command = [tool(proxy), *(_caddy if proxy == "caddy" else _nginx)(tmp_path, port)]
    with (tmp_path / "output.log").open("wb") as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=output,
            env={
                **os.environ,
                "CONSOLE_HOST": f"http://console.example.com:{port}",
                "CARD_HOST": f"http://cards.example.com:{port}",
                "XDG_DATA_HOME": str(tmp_path),
                "XDG_CONFIG_HOME": str(tmp_path),
            },
        )
    try:
        wait_until(lambda: _asks(port) in {502, 503}, f"{proxy} answers")
    finally:
        process.terminate()
        process.wait(timeout=30)
    logs = [file.read_text() for file in tmp_path.glob("*.log")]
    assert any("/reset" in log for log in logs)
    assert not [log for log in logs if "a-link-token" in log]


def _asks(port: int) -> int:
    try:
        return httpx.get(
            f"http://127.0.0.1:{port}/reset?token=a-link-token",
            headers={"Host": "console.example.com"},
            timeout=20,
        ).status_code
    except httpx.TransportError:
        return 0


def _caddy(folder: Path, _: int) -> list[str]:
    text = (DEPLOY / "Caddyfile").read_text().replace("\n{\n", "\n{\n\tadmin off\n", 1)
    (folder / "Caddyfile").write_text(re.sub(r"tessera:\d+", "127.0.0.1:1", text))
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def _nginx(folder: Path, port: int) -> list[str]:
    text = (DEPLOY / "nginx.conf").read_text()
    text = re.sub(r" +ssl_\S+ +\S+;\n", "", text).replace("443 ssl", f"127.0.0.1:{port}")
    text = re.sub(r"127\.0\.0\.1:800\d", "127.0.0.1:1", text)
    text = text.replace("/var/log/nginx", str(folder))
    scratch = " ".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/main.log error;"
        f" events {{}} http {{ {scratch}\n{text} }}"
    )
    return ["-c", str(folder / "nginx.conf")]
