"""Two members write at once; both see what a plain dictionary says."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from client.tests.conftest import Computer, connect
from client.tests.service import Service
from client.tests.transport import MemoryTransport

NAMES = ("a", "b", "c")
# Who, what, and which of the places.
STEPS = st.lists(
    st.tuples(
        st.booleans(),
        st.sampled_from(["put", "rm", "mv", "get"]),
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.integers(0, 3),
    ),
    max_size=15,
)


@contextmanager
def two_members() -> Iterator[tuple[Service, Computer, Computer, Path]]:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder, service = Path(name), Service()
        connect(patch, MemoryTransport(service.answer))
        leader, member = Computer(folder / "leader"), Computer(folder / "member")
        service.sign_in(leader.folder, service.leader)
        service.sign_in(member.folder, service.member)
        leader.ok("spaces", "create", "Designs")
        words = member.ok("words")["words"]
        leader.ok("grant", service.member.email, "Designs", "--words", words)
        member.ok("trust", service.leader.email, "--words", leader.ok("words")["words"])
        yield service, leader, member, folder


@pytest.mark.extended
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
def test_both_see_the_same_files(
    steps: list[tuple[bool, str, str, str, int]],
) -> None:
    with two_members() as (_, leader, member, folder):
        expected: dict[str, bytes] = {}
        for number, (by_leader, action, first, second, size) in enumerate(steps):
            computer = leader if by_leader else member
            match action:
                case "put":
                    content = f"{number % 3}".encode() * size
                    source = folder / f"put{number}" / first
                    source.parent.mkdir()
                    source.write_bytes(content)
                    computer.ok("put", source, f"Designs:/{second}/", "--replace")
                    expected[f"{second}/{first}"] = content
                case "rm":
                    found = {path for path in expected if path.startswith(f"{first}/")}
                    exit_code, _ = computer.run("rm", f"Designs:/{first}")
                    assert exit_code == (0 if found else 1)
                    expected = {path: data for path, data in expected.items() if path not in found}
                case "mv":
                    source_path, target = f"{first}/{second}", f"{second}/moved"
                    exit_code, _ = computer.run(
                        "mv", f"Designs:/{source_path}", f"Designs:/{target}"
                    )
                    if source_path in expected:
                        assert exit_code == 0
                        expected[target] = expected.pop(source_path)
                    else:
                        assert exit_code == 1
                case "get":
                    check(computer, expected, folder / f"get{number}")
        for computer in (leader, member):
            check(computer, expected, folder / f"end-{computer.folder.name}")


def check(computer: Computer, expected: dict[str, bytes], out: Path) -> None:
    if not expected:
        assert computer.ok("ls", "Designs:/", "-r")["entries"] == []
        return
    computer.ok("get", "Designs:/", out)
    found = {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in out.rglob("*")
        if path.is_file()
    }
    assert found == expected
