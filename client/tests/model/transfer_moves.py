"""What a hostile service says about packs and links."""

from typing import Any

import httpx

from client.tests.model.log_moves import noticed
from client.tests.model.registry import Outcome, move
from client.tests.model.world import CLOSED, SHARED, World

_LIES, _MEMBERS = "test_lies", "test_membership"


@move(f"{_LIES}.test_another_spreading_of_the_pieces_is_refused")
def placement_changed(world: World) -> Outcome:
    note = world.write_local("note.bin", world.new_content())
    k, n = world.random.choice([(1, 2), (1, 3), (3, 3), (2, 2), (1, 1)])

    def lie() -> None:
        world.service.on_call = lambda name, answer: (
            {**answer, "k": k, "n": n} if name == "GET /storage/placement" else answer
        )

    noticed(world, world.anyone(), lie, "put", note, f"{SHARED}:/", code="placement_refused")
    return Outcome.NOTICED


@move(f"{_LIES}.test_a_link_to_another_host")
def link_to_another_host(world: World) -> Outcome:
    note = world.write_local("note.bin", world.new_content())

    def elsewhere(name: str, answer: Any) -> Any:
        if name == "POST /storage/uploads":
            for shard in answer["packs"][0]["shards"]:
                if shard["link"]:
                    shard["link"]["url"] = "https://192.168.1.1/collect"
        return answer

    with world.pretending():
        world.service.on_call = elsewhere
        actor = world.anyone()
        actor.refused("put", note, f"{SHARED}:/", exit_code=5, code="link_host_refused")
    return Outcome.NOTICED


@move()
def stored_pretended(world: World) -> Outcome:
    """The service says that pieces are stored which no cloud has: k honest clouds do not lie, so
    that a later full check tells."""
    with world.branch():
        actor = world.anyone()

        def pretend(name: str, answer: Any) -> Any:
            if name == "POST /storage/uploads/complete":
                for row in answer["packs"]:
                    for shard in row["shards"]:
                        shard["state"] = "stored"
            return answer

        world.service.on_call = pretend
        world.service.on_object = lambda request, _: (
            httpx.Response(200) if request.method == "PUT" else None
        )
        content, name = world.new_content(), f"canary-name-{world.next_number():06}"
        actor.run("put", world.write_local(name, content), f"{SHARED}:/")
        world.service.on_call = lambda _, answer: answer
        world.service.on_object = lambda *_: None
        exit_code, answer = actor.run("verify", SHARED)
        assert (exit_code, name in answer["files"]) == (4, True), answer
    return Outcome.NOTICED


@move()
def links_swapped(world: World) -> Outcome:
    """Links to other packs: what arrives is not what the log names, and that is said."""
    actor = world.anyone()
    path = world.put(actor, CLOSED)
    other = next(iter(world.service.packs))

    def lie(name: str, answer: Any) -> Any:
        if name == "POST /storage/links":
            for row in answer["packs"]:
                for shard in row["shards"]:
                    if shard["link"]:
                        shard["link"]["url"] = shard["link"]["url"].replace(row["id"], other)
        return answer

    with world.pretending() as service:
        service.on_call = lie
        out = world.out()
        exit_code, answer = actor.run("get", f"{CLOSED}:/{path}", out)
        assert exit_code in (1, 4), answer
        assert answer["failed"], answer
        assert not out.is_file()
    return Outcome.NOTICED
