"""Every command that a text advises is run in the situation in which the program advises it, with
the words, codes and confirmations that it asks for."""

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import certifi
import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.service import _HANDLERS, _SPACE, ORIGIN, Person, Problem, Service
from client.tests.test_advice import ADVICE, texts
from client.tests.test_malformed_answers import answer_with, raw
from client.tests.test_requests import UPLOAD, place
from client.tests.test_update import manifest, pin_new_key
from tessera_client.texts import Language, translate
from tessera_client.ui import launch
from tessera_client.vault import index


@dataclass
class World:
    service: Service
    leader: Computer
    member: Computer
    folder: Path
    new_computer: Callable[[str, Person], Computer]
    monkeypatch: pytest.MonkeyPatch
    environment: dict[str, str] = field(default_factory=dict)
    placeholders: dict[str, str] = field(default_factory=dict)

    def words(self, computer: Computer) -> str:
        return str(computer.ok("words")["words"])

    def make_kit(self, *options: str) -> None:
        kit = self.leader.ok(
            "recovery-kit", "--code", "123456", "--to", self.folder / "kit.html", *options
        )
        self.environment["TESS_RECOVERY_CODE"] = kit["recoveryCode"]

    def put(self, computer: Computer) -> tuple[int, dict[str, Any]]:
        note = self.folder / "note"
        note.write_text("note")
        return computer.run("put", note, "Designs:/")


@dataclass
class Trouble:
    """What the program says, who follows its advice, and what works afterwards."""

    said: str
    follower: Computer
    then: Callable[[], object] = lambda: None
    others: dict[str, Computer] = field(default_factory=dict)
    """Who else has to run one of the commands."""


Situation = Callable[[World], Trouble]
SITUATIONS: dict[str, Situation] = {}


def situation(*keys: str) -> Callable[[Situation], Situation]:
    def register(function: Situation) -> Situation:
        SITUATIONS.update(dict.fromkeys(keys, function))
        return function

    return register


def message(answer: tuple[int, dict[str, Any]]) -> str:
    exit_code, content = answer
    assert exit_code
    return str(content["message"])


def warnings(computer: Computer) -> str:
    return "\n".join(computer.ok("status")["warnings"])


@situation("errors.not_logged_in")
def _(world: World) -> Trouble:
    fresh = Computer(world.folder / "fresh")
    world.placeholders["EMAIL"] = world.service.leader.email
    return Trouble(message(fresh.run("spaces")), fresh, lambda: fresh.ok("spaces"))


@situation("results.keys_made")
def _(world: World) -> Trouble:
    omar, fresh = world.service.join("omar@tessera.test"), Computer(world.folder / "fresh")
    _, said, _ = fresh.say("login", ORIGIN, "--email", omar.email, "--code", "123456")
    return Trouble(said, fresh)


@situation("errors.leader_not_trusted")
def _(world: World) -> Trouble:
    omar = world.new_computer("omar", world.service.join("omar@tessera.test"))
    words = world.words(omar)
    world.leader.ok("grant", "omar@tessera.test", "Designs", "--words", words)
    world.placeholders |= {"EMAIL": world.service.leader.email, "...": world.words(world.leader)}
    return Trouble(message(omar.run("ls", "Designs:/")), omar, lambda: omar.ok("ls", "Designs:/"))


@situation("errors.link_host_refused")
def _(world: World) -> Trouble:
    own = "storage.own.example"

    def move(_: str, answer: Any) -> Any:
        return _replaced(answer, f"{ORIGIN}/objects", f"https://{own}/objects")

    world.service.on_call = move
    world.placeholders["EMAIL"] = world.service.leader.email
    said = message(world.put(world.leader))

    def works() -> None:
        assert world.put(world.leader)[0] == 0

    return Trouble(said, world.leader, works)


def _replaced(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {key: _replaced(each, old, new) for key, each in value.items()}
    if isinstance(value, list):
        return [_replaced(each, old, new) for each in value]
    return value.replace(old, new) if isinstance(value, str) else value


@situation("errors.spaces_usage")
def _(world: World) -> Trouble:
    return Trouble(message(world.leader.run("spaces", "make", "Another")), world.leader)


@situation("errors.stream_without_name")
def _(world: World) -> Trouble:
    return Trouble(message(world.leader.run("put", "-", "Designs:/")), world.leader)


@situation("errors.out_missing")
def _(world: World) -> Trouble:
    (world.folder / "moved").write_text("note")
    world.leader.ok("put", world.folder / "moved", "Designs:/")
    return Trouble(message(world.leader.run("get", "Designs:/moved")), world.leader)


@situation("errors.share_link_newer")
def _(world: World) -> Trouble:
    world.service.manifest = manifest("9.0.0", pin_new_key(world.monkeypatch))
    said = message(world.leader.run("get", f"{ORIGIN}/s/{uuid4()}#2.a.b"))
    return Trouble(said, world.leader)


@situation("errors.service_answer_malformed")
def _(world: World) -> Trouble:
    world.service.manifest = manifest("9.0.0", pin_new_key(world.monkeypatch))
    answer_with(world.monkeypatch, world.service, "/api/storage/spaces", raw(b"{"))
    return Trouble(message(world.leader.run("spaces")), world.leader)


@situation("errors.arrival_damaged")
def _(world: World) -> Trouble:
    made = world.leader.ok("request", "Scans", "--to", "Designs:/")
    (world.folder / "scan").write_text("scan")
    world.leader.ok("put", world.folder / "scan", made["link"])
    [arrival] = world.service.requests[made["id"]]["arrivals"].values()
    arrival["manifest"] = "AAAA"
    said = message(world.leader.run("requests", "--accept", arrival["id"]))
    return Trouble(said, world.leader)


@situation("errors.arrival_too_large")
def _(world: World) -> Trouble:
    made = world.leader.ok("request", "Scans", "--to", "Designs:/", "--files", "1")
    place(world.service, made["link"], b"x", "many", copies=1)
    return Trouble(message(world.leader.run("requests", "--accept", str(UPLOAD))), world.leader)


@situation("errors.revoke_usage")
def _(world: World) -> Trouble:
    world.placeholders["PERSON"] = world.service.member.email
    return Trouble(message(world.leader.run("revoke")), world.leader)


@situation("errors.config_usage")
def _(world: World) -> Trouble:
    world.placeholders |= {"URL": "http://proxy.example", "FILE": certifi.where()}
    return Trouble(message(world.leader.run("config", "show")), world.leader)


@situation(
    "errors.ca_file_unusable",
    "errors.certificate",
    "errors.no_proxy",
    "errors.pac_not_read",
    "errors.proxy_login_missing",
    "errors.proxy_login_wrong",
    "errors.proxy_unreachable",
)
def _(world: World) -> Trouble:
    """test_network.py has the situations."""
    world.placeholders |= {"URL": "http://ada@proxy.example", "FILE": certifi.where()}
    world.placeholders["http://USER@HOST:PORT"] = "http://ada@proxy.example:3128"
    keys = [
        key for key, function in SITUATIONS.items() if function is SITUATIONS["errors.no_proxy"]
    ]
    values = dict.fromkeys(("path", "proxy", "host", "reason", "address"), "x")
    return Trouble("\n".join(translate(key, **values) for key in keys), world.leader)


@situation("errors.import_usage")
def _(world: World) -> Trouble:
    for program, output in (("rclone", "[]"), ("restic", "")):
        script = world.folder / "bin" / program
        script.parent.mkdir(exist_ok=True)
        script.write_text(f"#!/bin/sh\nprintf '{output}'\n")
        script.chmod(0o700)
    world.monkeypatch.setenv("PATH", f"{world.folder / 'bin'}:/usr/bin:/bin")
    return Trouble(message(world.leader.run("import", "zip", "a", "Designs:/")), world.leader)


@situation("errors.kit_missing")
def _(world: World) -> Trouble:
    export = "export", world.folder / "export"
    said = message(world.leader.run(*export))
    return Trouble(said, world.leader, lambda: world.leader.ok(*export))


@situation("errors.keys_removed")
def _(world: World) -> Trouble:
    grant = "grant", world.service.member.email, "Designs", "--words"
    world.leader.ok("revoke", world.service.member.email, "Designs")
    said = message(world.leader.run(*grant, world.words(world.member)))
    return Trouble(said, world.member, lambda: world.leader.ok(*grant, world.words(world.member)))


def _without_keys(world: World) -> Computer:
    """A leader after a password reset, on a new computer."""
    world.make_kit()
    assert world.service.leader.keys
    world.service.leader.keys["envelope"] = None
    return world.new_computer("fresh", world.service.leader)


@situation("errors.keys_replaced")
def _(world: World) -> Trouble:
    fresh = _without_keys(world)
    said = message(fresh.run("ls", "Designs:/"))
    return Trouble(said, fresh, lambda: fresh.ok("ls", "Designs:/"))


@situation("errors.recovery_not_held")
def _(world: World) -> Trouble:
    fresh = _without_keys(world)
    said = message(fresh.run("spaces", "create", "Another"))
    return Trouble(said, fresh, lambda: fresh.ok("spaces", "create", "Another"))


@situation("commands.handover.description")
def _(world: World) -> Trouble:
    service = world.service
    service.leader.is_leader, service.member.is_leader = False, True
    world.leader.ok("handover", service.member.email, "--words", world.words(world.member))
    said = translate("commands.handover.description")
    return Trouble(said, world.member, lambda: world.member.ok("spaces", "create", "Mine"))


@situation("results.send_the_rest", "status.pending")
def _(world: World) -> Trouble:
    world.service.on_object = lambda _, index: httpx.Response(503) if index == 1 else None
    note = world.folder / "note"
    note.write_text("note")
    _, said, _ = world.leader.say("put", note, "Designs:/")
    said += warnings(world.leader)
    world.service.on_object = lambda *_: None

    def is_sent() -> None:
        assert world.leader.ok("status")["pendingPacks"] == 0

    return Trouble(said, world.leader, is_sent)


def _is_settled(world: World) -> Callable[[], None]:
    def check() -> None:
        assert world.service.member.email not in warnings(world.leader)
        (log,) = world.service.spaces.values()
        assert world.service.member.uuid not in log.state.members

    return check


@situation("status.disabled")
def _(world: World) -> Trouble:
    world.service.member.is_active = False
    return Trouble(warnings(world.leader), world.leader, _is_settled(world))


@situation("status.deleted")
def _(world: World) -> Trouble:
    world.service.remove(world.service.member)
    return Trouble(warnings(world.leader), world.leader, _is_settled(world))


@situation("status.unknown_member")
def _(world: World) -> Trouble:
    world.service.people.remove(world.service.member)
    return Trouble(warnings(world.leader), world.leader, _is_settled(world))


@situation("status.grant_refused")
def _(world: World) -> Trouble:
    (log,) = world.service.spaces.values()
    log.refused.add(world.service.member.uuid)
    grant = "grant", world.service.member.email, "Designs", "--words"
    return Trouble(
        warnings(world.leader),
        world.leader,
        lambda: world.leader.ok(*grant, world.words(world.member)),
        {"device-lost": world.member},
    )


@situation("status.new_keys")
def _(world: World) -> Trouble:
    world.placeholders["..."] = world.member.ok("device-lost")["words"]
    return Trouble(warnings(world.leader), world.leader, lambda: world.member.ok("ls", "Designs:/"))


@situation("status.kit_unconfirmed")
def _(world: World) -> Trouble:
    world.make_kit()

    def is_confirmed() -> None:
        assert warnings(world.leader) == ""

    return Trouble(warnings(world.leader), world.leader, is_confirmed)


@situation("status.kit_outdated")
def _(world: World) -> Trouble:
    world.make_kit("--confirmed")
    world.leader.ok("device-lost")

    def is_current() -> None:
        assert "former recovery pair" not in warnings(world.leader)

    return Trouble(warnings(world.leader), world.leader, is_current)


@situation("status.recovery_outdated")
def _(world: World) -> Trouble:
    """The program was killed after it had named the new pair."""

    def fail(*_: object) -> None:
        raise Problem(503, "unavailable")

    with world.monkeypatch.context() as patched:
        patched.setitem(_HANDLERS, f"POST {_SPACE}/log", fail)
        assert world.leader.run("device-lost")[0] == 1

    def is_writable() -> None:
        assert "former recovery pair" not in warnings(world.leader)
        assert world.put(world.leader)[0] == 0

    return Trouble(warnings(world.leader), world.leader, is_writable)


@situation("errors.sync_folder_empty")
def _(world: World) -> Trouble:
    folder = world.folder / "synchronised"
    folder.mkdir()
    (folder / "plan.txt").write_text("plan")
    world.leader.ok("sync", folder, "Designs:/synchronised")
    folder.rename(world.folder / "away")
    folder.mkdir()

    def begins_again() -> None:
        world.leader.ok("sync", folder, "Designs:/synchronised")
        assert (folder / "plan.txt").read_text() == "plan"

    return Trouble(message(world.leader.run("sync", folder)), world.leader, begins_again)


def _without_systemd(world: World) -> None:
    world.monkeypatch.setenv("HOME", str(world.folder / "home"))
    world.monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    world.monkeypatch.setattr("tessera_client.commands.service._call", lambda _: None)


@situation("folders.connected", "service.refused")
def _(world: World) -> Trouble:
    _without_systemd(world)
    folder = world.folder / "stays"
    folder.mkdir()
    _, said, _ = world.leader.say("mount", "Designs", folder, "--always")
    return Trouble(f"{said}\n{translate('service.refused')}", world.leader)


@situation("folders.paused")
def _(world: World) -> Trouble:
    folder = world.folder / "unmounted"
    folder.mkdir()
    world.leader.ok("mount", "Designs", folder, "--always")
    world.monkeypatch.setattr("tessera_client.commands.mount._run_unmount", lambda *_: True)
    _, said, _ = world.leader.say("unmount", folder)

    def goes_on() -> None:
        (connected,) = world.leader.ok("service", "status")["folders"]
        assert not connected["paused"]
        assert connected["space"], "it is the same space"

    return Trouble(said, world.leader, goes_on)


@situation("errors.computer_removed")
def _(world: World) -> Trouble:
    world.monkeypatch.setattr("tessera_client.vault.erasure.notify", lambda _: None)
    world.placeholders["EMAIL"] = world.service.leader.email
    world.service.ended.add(world.service.leader.token)
    said = message(world.leader.run("spaces"))
    world.service.ended.clear()
    return Trouble(said, world.leader, lambda: world.leader.ok("spaces"))


def put_without_keeping(world: World, computer: Computer) -> None:
    with world.monkeypatch.context() as patch:
        patch.setattr(index, "KEPT_MILLISECONDS", -1000 * 3600)
        assert world.put(computer)[0] == 0


@situation("errors.restore_waiting")
def _(world: World) -> Trouble:
    restore = world.service.back_up()
    put_without_keeping(world, world.leader)
    world.member.ok("ls", "Designs:/")
    restore()
    said = message(world.leader.run("ls", "Designs:/"))
    return Trouble(
        said, world.leader, lambda: world.leader.ok("ls", "Designs:/"), {"spaces": world.member}
    )


@situation("errors.space_absent")
def _(world: World) -> Trouble:
    restore = world.service.back_up()
    with world.monkeypatch.context() as patch:
        patch.setattr(index, "KEPT_MILLISECONDS", -1000 * 3600)
        world.leader.ok("spaces", "create", "Plans")
    restore()
    said = message(world.leader.run("reopen"))

    def is_closed() -> None:
        assert not world.service.is_restoring

    return Trouble(said, world.leader, is_closed, {"spaces": world.member})


@situation("errors.entries_given_up")
def _(world: World) -> Trouble:
    restore = world.service.back_up()
    put_without_keeping(world, world.leader)
    put_without_keeping(world, world.member)
    restore()
    world.leader.ok("give-up", "Designs", "--yes")
    said = message(world.member.run("ls", "Designs:/"))
    return Trouble(said, world.member, lambda: world.member.ok("ls", "Designs:/"))


@situation("results.restore_waits")
def _(world: World) -> Trouble:
    restore, other = world.service.back_up(), world.new_computer("other", world.service.member)
    put_without_keeping(world, world.member)
    words = world.words(world.leader)
    other.ok("trust", world.service.leader.email, "--words", words)
    other.ok("ls", "Designs:/")
    restore()
    assert world.member.run("ls", "Designs:/")[0] == 3
    _, said, _ = world.leader.say("reopen")

    def is_closed() -> None:
        assert not world.service.is_restoring

    return Trouble(said, world.leader, is_closed, {"spaces": other})


@situation("page.link_used", "page.open_with")
def _(world: World) -> Trouble:
    world.monkeypatch.setattr(launch, "open_page", lambda *_, **__: "http://127.0.0.1:4711/")
    said = f"{translate('page.link_used')}\n{translate('page.open_with')}"
    return Trouble(said, world.leader)


@situation("commands.backup.description")
def _(world: World) -> Trouble:
    world.monkeypatch.setattr(launch, "open_page", lambda *_, **__: "http://127.0.0.1:4711/")
    return Trouble(translate("commands.backup.description"), world.leader)


@pytest.fixture
def world(
    service: Service, leader: Computer, member: Computer, tmp_path: Path,
    new_computer: Callable[[str, Person], Computer], monkeypatch: pytest.MonkeyPatch,
) -> World:  # fmt: skip
    placeholders = {
        "URL": ORIGIN,
        "FILE": str(tmp_path / "new.html"),
        "SPACE": "Designs",
        "NAME": "Another",
        "SPACE:/NAME": "Designs:/dump",
        "SPACE:/PATH": "Designs:/moved",
        "OUT": str(tmp_path / "out"),
        "REMOTE:PATH": "old:",
        "REPOSITORY": "old",
    }
    return World(
        service, leader, member, tmp_path, new_computer, monkeypatch, placeholders=placeholders
    )


# What the program asks for on a terminal.
ANSWERS = {
    "code_required": ["--code", "123456"],
    "confirmation_required": ["--yes"],
    "proxy_password_required": ["--password-stdin"],
}


def follow(world: World, line: str, computer: Computer) -> None:
    """Runs a command as it is advised, with what it asks for."""
    command = [world.placeholders.get(part, part) for part in shlex.split(line)]
    for _ in range(3):
        exit_code, answer = computer.run(*command, **world.environment)
        if exit_code == 0:
            if "recoveryCode" in answer:
                world.environment["TESS_RECOVERY_CODE"] = answer["recoveryCode"]
            return
        if answer.get("error") == "words_required":
            command += ["--words", world.placeholders["..."]]
        else:
            assert answer.get("error") in ANSWERS, (line, answer)
            command += ANSWERS[answer["error"]]
    pytest.fail(f"{line}: {answer}")


def pattern(key: str) -> str:
    """What a text looks like whatever its values are; one of its forms, if it has several."""
    forms = [text for name, text in texts(Language.EN) if name == key]
    return "|".join(re.sub(r"\\\{\w+\\\}", ".+", re.escape(form)) for form in forms)


ADVISING = sorted({key for key, text in texts(Language.EN) if ADVICE.search(text)})


def test_every_text_that_advises_a_command_has_a_situation() -> None:
    assert SITUATIONS.keys() == {*ADVISING}


@pytest.mark.extended
@pytest.mark.parametrize("key", ADVISING)
def test_advice_helps_in_the_situation_in_which_it_is_given(world: World, key: str) -> None:
    trouble = SITUATIONS[key](world)
    advising = re.search(pattern(key), trouble.said)
    assert advising, trouble.said
    lines = [line.strip() for line in ADVICE.findall(advising[0])]
    assert lines
    for line in lines:
        follow(world, line, trouble.others.get(line.split()[0], trouble.follower))
    trouble.then()
