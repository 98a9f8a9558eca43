from pathlib import Path
from typing import Any

import pytest

from client.tests.conftest import Computer
from client.tests.service import Service
from core.tests.fifth_provider import describe


@pytest.fixture
def attic(service: Service) -> None:
    """Every link of the service leads to a provider that the client has to know."""

    def elsewhere(_: str, answer: Any) -> Any:
        for pack in answer.get("packs", []) if isinstance(answer, dict) else []:
            for shard in pack.get("shards", []):
                if shard.get("link"):
                    url = shard["link"]["url"].partition("/objects/")[2]
                    shard["link"]["url"] = f"https://north.attic.example/objects/{url}"
        return answer

    service.on_call = elsewhere


@pytest.mark.usefixtures("attic")
def test_files_pass_through_a_provider_that_is_only_described(
    leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tmp_path / "note.txt"
    note.write_text("hello")
    exit_code, answer = leader.run("put", note, "Designs:/")
    assert (exit_code, answer["error"]) == (5, "link_host_refused")
    assert "north.attic.example" in answer["message"]
    describe(monkeypatch)
    leader.ok("put", note, "Designs:/")
    leader.ok("get", "Designs:/note.txt", tmp_path / "out")
    assert (tmp_path / "out").read_text() == "hello"
