"""What the client sends and reads is what the service's OpenAPI describes."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from client.tests.conftest import Computer
from client.tests.service import Person, Service

DOCUMENT: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "frontend/src/api/openapi.json").read_text(encoding="utf-8")
)


def operation(name: str) -> dict[str, Any]:
    """The description of a call such as `GET /storage/keys`."""
    method, _, path = name.partition(" ")
    for template, operations in DOCUMENT["paths"].items():
        pattern = re.sub(r"\{\w+\}", "[^/]+", template)
        if re.fullmatch(pattern, f"/api{path}") and method.lower() in operations:
            found: dict[str, Any] = operations[method.lower()]
            return found
    raise AssertionError(f"the service has no call {name}")


def check(schema: dict[str, Any], value: object) -> None:
    Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(value)


def test_every_call_of_the_client_is_described(
    service: Service,
    leader: Computer,
    member: Computer,
    tmp_path: Path,
    new_computer: Callable[[str, Person], Computer],
) -> None:
    (tmp_path / "note.txt").write_text("note")
    leader.ok("put", tmp_path / "note.txt", "Designs:/")
    member.ok("get", "Designs:/note.txt", tmp_path / "out")
    command = ("recovery-kit", "--to", tmp_path / "kit.html")
    leader.run(*command)
    leader.ok(*command, "--code", "123456")
    leader.run("doctor")
    member.ok("device-lost")
    leader.ok("revoke", service.member.email, "Designs")
    called = {name for name, _, _ in service.exchanges}
    assert len(called) > 15
    for name, body, answer in service.exchanges:
        described = operation(name)
        if body:
            check(described["requestBody"]["content"]["application/json"]["schema"], body)
        content = next(
            answers.get("content", {})
            for status, answers in described["responses"].items()
            if status.startswith("2")
        )
        if "application/json" in content:
            check(content["application/json"]["schema"], answer)
