"""What a leader and a member do with the client, against the real service."""

import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from accounts import MEMBER, PASSPHRASE, Company
from computer import Computer
from server import Server
from tessera.sandbox import demo_files


@pytest.fixture
def company(server: Server) -> Iterator[Company]:
    """A new company with three warehouses that have been Active."""
    yield server.factory.company(warehouses=True)
    server.factory.remove_companies()


@pytest.mark.spec("1.1")
def test_a_leader_and_a_member_share_a_space(
    server: Server, company: Company, tmp_path: Path
) -> None:
    leader, member = Computer(tmp_path / "leader"), Computer(tmp_path / "member")
    assert leader.login(server, company.leader)["keysCreated"]
    assert member.login(server, company.member)["keysCreated"]
    assert leader.ok("spaces", "create", "Designs")["name"] == "Designs"

    # Words are compared in both directions before anything is opened.
    member_words = member.ok("words")["words"]
    wrong = leader.run("grant", company.member.email, "Designs", "--words", "zoo " * 6)
    assert (wrong.exit_code, wrong.data["error"]) == (5, "words_differ")
    leader.ok("grant", company.member.email, "Designs", "--words", member_words)
    early = member.run("spaces")
    assert (early.exit_code, early.data["error"]) == (3, "leader_not_trusted")
    member.ok("trust", company.leader.email, "--words", leader.ok("words")["words"])
    assert [space["name"] for space in member.ok("spaces")["spaces"]] == ["Designs"]
    assert member.ok("status")["spaces"] == ["Designs"]

    # What the leader stores, the member reads, also without one of the clouds.
    folder = tmp_path / "Photos"
    (folder / "deep").mkdir(parents=True)
    (folder / "large.bin").write_bytes(random.Random(1).randbytes(20_000_000))
    (folder / "deep" / "note.txt").write_text("Merhaba, مرحبا")
    assert leader.ok("put", folder, "Designs:/2026/")["notSafe"] == []
    member.ok("get", "Designs:/2026/Photos", tmp_path / "copy")
    assert contents(tmp_path / "copy") == contents(folder)
    kit = leader.with_code(server, company.leader, "recovery-kit", "--to", tmp_path / "kit.html")
    clouds = server.log.parent / "clouds"
    (clouds / f"google/northwind-archive-{company.id}").rename(tmp_path / "lost")
    member.ok("get", "Designs:/2026/Photos", tmp_path / "without-google")
    assert contents(tmp_path / "without-google") == contents(folder)

    # Without the service: two of the three clouds, the passphrase and the kit are enough.
    copies = (
        clouds / f"s3/northwind-tessera-{company.id}",
        clouds / f"azure/demo/northwind-{company.id}",
    )
    Computer(tmp_path / "fresh").ok(
        "rescue", *copies, "--to", tmp_path / "rescued",
        TESS_PASSPHRASE=PASSPHRASE, TESS_RECOVERY_CODE=kit["recoveryCode"],
    )  # fmt: skip
    assert contents(tmp_path / "rescued" / "Designs" / "2026" / "Photos") == contents(folder)

    leader.ok("revoke", company.member.email, "Designs")
    refused = member.run("ls", "Designs:/")
    assert (refused.exit_code, refused.data["error"]) == (1, "space_hidden")

    # After the subscription has ended, the leader still takes everything along.
    server.factory.pass_days(company, 31)
    refused = leader.run("put", folder / "deep", "Designs:/")
    assert (refused.exit_code, refused.data["error"]) == (1, "subscription_required")
    leader.ok("export", tmp_path / "export")
    Computer(tmp_path / "later").ok(
        "rescue", tmp_path / "export", "--to", tmp_path / "taken",
        TESS_PASSPHRASE=PASSPHRASE, TESS_RECOVERY_CODE=kit["recoveryCode"],
    )  # fmt: skip
    assert contents(tmp_path / "taken" / "Designs" / "2026" / "Photos") == contents(folder)


@pytest.mark.extended
def test_the_demo_company_has_files(server: Server, tmp_path: Path) -> None:
    member = Computer(tmp_path / "member")
    assert not member.login(server, MEMBER)["keysCreated"]
    member.ok("get", "Projects:/", tmp_path / "copy")
    uploaded = [upload.files for upload in demo_files.uploads()]
    assert contents(tmp_path / "copy") == {
        path: content for files in uploaded for path, content in files.items()
    }


@pytest.mark.extended
@pytest.mark.parametrize("step", ["*/journal.sqlite", "*/spool/*"])
def test_a_killed_put_is_continued(
    server: Server, company: Company, tmp_path: Path, step: str
) -> None:
    """Kills the program as soon as a file of its state exists, then runs the same command."""
    tess = Computer(tmp_path / "computer", program=(sys.executable, "-m", "tessera_client"))
    tess.environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    tess.login(server, company.leader)
    tess.ok("spaces", "create", "Designs")
    file = tmp_path / "large.bin"
    file.write_bytes(random.Random(2).randbytes(40_000_000))
    command = ("put", file, "Designs:/")
    tess.kill_when(lambda: any(tess.folder.glob(step)), *command)
    assert tess.ok(*command)["notSafe"] == []
    assert tess.ok("status")["pendingPacks"] == 0
    tess.ok("get", "Designs:/large.bin", tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == file.read_bytes()


def contents(folder: Path) -> dict[str, bytes]:
    """The files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
