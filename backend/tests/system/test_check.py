"""`make check` fails on each broken rule. The rules are broken in copies."""

import json
import os
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.system import test_layout

ROOT = Path(__file__).parents[3]
BIN = Path(sys.executable).parent
FRONTEND = ROOT / "frontend"

pytestmark = pytest.mark.extended

# By contract: a module, and an import that it must not have.
FORBIDDEN = {
    "The core stands alone and does no I/O": ("core/tessera_core/packs.py", "import socket"),
    "The client stands on the core alone": ("client/tessera_client/texts.py", "import tessera.kit"),
    "Layers of the client": (
        "client/tessera_client/vault/profile.py",
        "import tessera_client.commands",
    ),
    "Layers": ("backend/tessera/auth/accounts.py", "import tessera.members.service"),
    "Layers of auth": ("backend/tessera/auth/accounts.py", "import tessera.auth.sessions.service"),
    "Layers of storage": (
        "backend/tessera/storage/packs/placement.py",
        "import tessera.storage.log.service",
    ),
    "Layers of warehouses": (
        "backend/tessera/warehouses/queries.py",
        "import tessera.warehouses.service",
    ),
    "Layers of companies": (
        "backend/tessera/companies/queries.py",
        "import tessera.companies.service",
    ),
}


# By command of the check: a file, what passes in it, and what does not.
BROKEN_FILES = {
    "ruff check": ("a.py", "A = 1\n", "import os\n"),
    "ruff format --check": ("a.py", "A = 1\n", "A=1\n"),
    "mypy": ("a.py", "A: int = 1\n", 'A: int = ""\n'),
    "check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml": (
        ".github/workflows/ci.yml",
        "on: push\njobs: {a: {runs-on: x, steps: [{run: y}]}}\n",
        "on: push\njobs: {a: {steps: [{run: y}]}}\n",
    ),
    "npm run format:check": ("src/a.ts", "export const a = 1\n", "export const a = 1;\n"),
    "npm run lint": (
        "src/a.ts",
        "export const a = 1\n",
        "export const a = (b: string) => b as string\n",
    ),
    "npm run types": ("src/a.ts", "export const a = 1\n", "export const a: string = 1\n"),
}
FRONTEND_CONFIGS = (
    "package.json",
    "tsconfig.json",
    "eslint.config.js",
    ".prettierrc.json",
    ".prettierignore",
)
# What else the check runs: broken by the other tests here, and migrations by tests/kit.
OTHER_COMMANDS = {
    "lint-imports",
    "pytest -q --noconftest backend/tests/system/test_layout.py",
    "squawk",
    "tessera openapi",
    "npm run api:check",
    "npm run budget",
    "npm run prerendered",
}


def test_every_command_of_the_check_is_known() -> None:
    arguments = ["make", "-n", "-s", "-o", "backend/tessera/web/index.html", "check", "BIN=BIN"]
    commands = subprocess.check_output(arguments, cwd=ROOT, text=True)
    stated = {
        command.removeprefix("BIN/")
        for line in commands.splitlines()
        for command in line.split(" && ")
        if command.startswith(("BIN/", "npm "))
    }
    known = (*BROKEN_FILES, *OTHER_COMMANDS)
    assert {command for command in stated if not command.startswith(known)} == set()
    assert {
        tool for tool in known if not any(command.startswith(tool) for command in stated)
    } == set()


@pytest.mark.parametrize("command", BROKEN_FILES)
def test_broken_file_fails_its_linter(command: str, tmp_path: Path) -> None:
    name, sound, broken = BROKEN_FILES[command]
    if command.startswith("npm "):
        for config in FRONTEND_CONFIGS:
            shutil.copy(FRONTEND / config, tmp_path)
        (tmp_path / "node_modules").symlink_to(FRONTEND / "node_modules")
        (tmp_path / "src" / "features").mkdir(parents=True)
        arguments = command
    else:
        shutil.copy(ROOT / "pyproject.toml", tmp_path)
        # All that it names is in the project's folders.
        arguments = f"{BIN}/{command}{f' {name}' if command == 'mypy' else ''}"
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    for text, passes in ((sound, True), (broken, False)):
        path.write_text(text, encoding="utf-8")
        result = subprocess.run(
            arguments, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (result.returncode == 0) == passes, result.stdout + result.stderr


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in ("backend/tessera", "client/tessera_client", "core/tessera_core"):
        shutil.copytree(
            ROOT / package,
            tmp_path / package,
            ignore=shutil.ignore_patterns("web", "locales", "__pycache__"),
        )
    return tmp_path


def test_forbidden_imports_break_their_contracts(sources: Path) -> None:
    for module, statement in FORBIDDEN.values():
        with (sources / module).open("a", encoding="utf-8") as file:
            file.write(f"{statement}\n")
    folders = [str(sources / part) for part in ("backend", "client", "core")]
    result = subprocess.run(
        [BIN / "lint-imports", "--no-cache"],
        cwd=sources,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode != 0
    broken = {
        line.removesuffix(" BROKEN") for line in result.stdout.splitlines() if "BROKEN" in line
    }
    assert broken == set(FORBIDDEN)


@pytest.mark.parametrize(
    "statement", ["from tessera.auth import queries", "from tessera.auth.queries import account"]
)
def test_import_of_another_features_queries_is_found(
    statement: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path / "members" / "service.py", statement)
    monkeypatch.setattr(test_layout, "ROOT", tmp_path)
    with pytest.raises(AssertionError, match=r"members/service\.py"):
        test_layout.test_feature_imports_no_other_features_private_modules("queries")


def test_statement_outside_a_queries_module_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path / "members" / "service.py", 'await connection.execute("DELETE FROM users")')
    monkeypatch.setattr(test_layout, "ROOT", tmp_path)
    with pytest.raises(AssertionError, match=r"members/service\.py"):
        test_layout.test_statements_stand_in_queries_modules()


@pytest.mark.parametrize("changed", ["api", "client"])
def test_stale_openapi_is_refused(tmp_path: Path, changed: str) -> None:
    for folder in ("api", "client"):
        stored = tmp_path / "frontend" / "src" / folder / "openapi.json"
        stored.parent.mkdir(parents=True)
        shutil.copy(FRONTEND / "src" / folder / "openapi.json", stored)
    check = ["make", "-f", str(ROOT / "Makefile"), "-o", "setup", f"BIN={BIN}", "api-check"]
    subprocess.run(check, cwd=tmp_path, check=True)
    stale = tmp_path / "frontend" / "src" / changed / "openapi.json"
    description = json.loads(stale.read_text())
    description["info"]["title"] += "!"
    stale.write_text(json.dumps(description))
    refused = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "run make api" in refused.stdout


def test_stale_types_are_refused(tmp_path: Path) -> None:
    api = FRONTEND / "src" / "api"
    description = json.loads((api / "openapi.json").read_text())
    description["components"]["schemas"]["CompanyRead"]["description"] = "Changed."
    (tmp_path / "openapi.json").write_text(json.dumps(description))
    shutil.copy(api / "types.generated.ts", tmp_path)
    generator = str(FRONTEND / "node_modules" / ".bin" / "openapi-typescript")
    files = ["openapi.json", "-o", "types.generated.ts"]
    command = [generator, *files, "--check"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode != 0
    assert "--check" in json.loads((FRONTEND / "package.json").read_text())["scripts"]["api:check"]


def test_page_over_its_budget_is_refused(built_console: Path) -> None:
    # Random, so that compression does not help.
    for script in (built_console / "assets").glob("*.js"):
        with script.open("a", encoding="utf-8") as file:
            file.write(f"//{secrets.token_hex(200_000)}")
    assert not _passes(built_console, "budget")


def test_public_page_that_lost_its_text_is_refused(built_console: Path) -> None:
    page = built_console / "prerendered" / "index.ar.html"
    page.write_text(page.read_text("utf-8").replace("750", ""), encoding="utf-8")
    assert not _passes(built_console, "prerendered")


@pytest.fixture
def built_console(tmp_path: Path) -> Path:
    """A copy of the web folder, which passes both checks."""
    (tmp_path / "frontend").mkdir()
    (tmp_path / "client").symlink_to(ROOT / "client")
    for entry in FRONTEND.iterdir():
        if entry.name != "scripts":
            (tmp_path / "frontend" / entry.name).symlink_to(entry)
    shutil.copytree(FRONTEND / "scripts", tmp_path / "frontend" / "scripts")
    web = tmp_path / "backend" / "tessera" / "web"
    shutil.copytree(ROOT / "backend" / "tessera" / "web", web)
    assert _passes(web, "budget")
    assert _passes(web, "prerendered")
    return web


def _passes(web: Path, script: str) -> bool:
    folder = web.parents[2] / "frontend"
    return subprocess.run(["npm", "run", script], cwd=folder, check=False).returncode == 0


def _write(path: Path, line: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(f"{line}\n", encoding="utf-8")
