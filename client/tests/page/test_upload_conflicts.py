"""What the page says of an upload over another version, and of one that lacks pieces."""

from collections.abc import Callable
from pathlib import Path

import httpx

from client.tests.conftest import Computer
from client.tests.page.browser import Browser, space_of
from client.tests.service import Person, Service


def test_upload_over_a_version_from_elsewhere_keeps_that_one_and_says_so(
    service: Service,
    leader: Browser,
    new_computer: Callable[[str, Person], Computer],
    tmp_path: Path,
) -> None:
    space = space_of(leader)
    for content in (b"first", b"second"):
        leader.upload(space, "plan.txt", content)
        assert leader.wait("done", "plan.txt")["message"] == ""
    other = new_computer("desktop", service.leader)
    (tmp_path / "plan.txt").write_text("from another computer")
    other.ok("put", tmp_path / "plan.txt", f"{space}:/", "--replace")
    leader.upload(space, "plan.txt", b"third")
    message = leader.wait("done", "plan.txt")["message"]
    assert "kept as plan (conflict, leader, " in message
    kept = [entry["path"] for entry in other.ok("ls", f"{space}:/")["entries"]]
    assert len(kept) == 2


def test_upload_that_is_not_safe_yet_names_the_warehouse(service: Service, leader: Browser) -> None:
    service.on_object = lambda _, index: httpx.Response(503) if index == 1 else None
    leader.upload(space_of(leader), "plan.txt", b"plan")
    row = leader.wait("done", "plan.txt")
    assert row["message"].startswith("Cloud 1 does not have all pieces yet.")
