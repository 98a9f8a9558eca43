"""The service comes back from a backup, and nobody has what it has lost."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from computer import Computer
from event_loop import EventLoopThread
from server import Server, running_server
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera_client.vault import index
from tests.storage.restores import Backup
from user import User

pytestmark = pytest.mark.extended


@pytest.fixture
def server() -> Iterator[Server]:
    """Of its own: all companies lose what came after the backup."""
    with running_server() as server:
        yield server


@pytest.fixture
def back_up(server: Server) -> Iterator[Callable[[], Callable[[], None]]]:
    """Returns what puts database and clouds back to this moment."""
    loop = EventLoopThread()
    clouds = server.log.parent / "clouds"

    def stored() -> set[Path]:
        return {path for path in clouds.rglob("*") if path.is_file()}

    def take() -> Callable[[], None]:
        urls = EmbeddedUrls(server.database, "", "", "")
        backup, kept = loop.run(Backup.take(urls)), stored()

        def restore() -> None:
            loop.run(backup.restore())
            loop.run(backup.close())
            for path in stored() - kept:
                path.unlink()

        return restore

    yield take
    loop.stop()


def test_the_leader_gives_up_what_nobody_has(
    server: Server, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    back_up: Callable[[], Callable[[], None]],
) -> None:  # fmt: skip
    company = server.factory.company(warehouses=True)
    leader, member = Computer(tmp_path / "leader"), Computer(tmp_path / "member")
    leader.login(server, company.leader)
    member.login(server, company.member)
    note = tmp_path / "note.txt"
    note.write_text("Merhaba")
    leader.ok("spaces", "create", "Designs")
    leader.ok("grant", company.member.email, "Designs", "--words", member.ok("words")["words"])
    member.ok("trust", company.leader.email, "--words", leader.ok("words")["words"])
    member.ok("put", note, "Designs:/before/")
    restore = back_up()
    with monkeypatch.context() as patch:
        patch.setattr(index, "KEPT_MILLISECONDS", -1000 * 3600)
        member.ok("put", note, "Designs:/after/")
        leader.ok("ls", "Designs:/")
    restore()
    server.factory.begin_restore(company)

    waiting = leader.run("reopen")
    assert (waiting.exit_code, waiting.data["error"]) == (3, "restore_waiting")
    user.log_in(company.leader)
    user.page.goto("/storage")
    expect(user.page.get_by_text("tess give-up SPACE")).to_be_visible()
    given_up = leader.ok("give-up", "Designs", "--yes")
    assert given_up["changed"] == ["after/note.txt"]
    assert leader.ok("reopen")["closed"]
    user.page.reload()
    expect(user.page.get_by_text("tess give-up SPACE")).to_have_count(0)
    member.ok("put", note, "Designs:/again/")
    found = {entry["path"] for entry in leader.ok("ls", "Designs:/", "--recursive")["entries"]}
    assert found == {"again/note.txt", "before/note.txt"}
