"""One hostile cloud of three, and clouds that fail."""

from collections.abc import Callable

import httpx

from client.tests.model.invariants import check_readable
from client.tests.model.registry import Outcome, move
from client.tests.model.world import CLOSED, SHARED, World
from client.tests.service import Service

_FILE = "test_lies"
Fault = Callable[[Service, httpx.Request, int, bytes], httpx.Response | None]


def _replace(content: bytes) -> httpx.Response:
    return httpx.Response(200, content=content)


def _lost(*_: object) -> httpx.Response:
    raise httpx.ReadTimeout("stalled")


FAULTS: dict[str, Fault] = {
    "flip": lambda _, __, ___, right: _replace(right[:-1] + bytes([right[-1] ^ 1])),
    "truncate": lambda _, __, ___, right: _replace(right[:-20]),
    "empty": lambda *_: _replace(b""),
    "swap": lambda service, request, index, _: _replace(
        service.objects[(index + 1) % 3, request.url.path.rsplit("/", 1)[1]]
    ),
    "lying_hash": lambda _, __, ___, right: _replace(right.replace(right[64:96], bytes(32))),
    "withhold": lambda *_: httpx.Response(404),
    "403": lambda *_: httpx.Response(403),
    "500": lambda *_: httpx.Response(500),
    "no_answer": _lost,
    "replay": lambda service, _, index, __: _replace(
        next(data for (warehouse, _), data in service.objects.items() if warehouse == index)
    ),
}


def _bad_cloud(name: str) -> None:
    fault = FAULTS[name]

    def play(world: World) -> Outcome:
        bad = world.random.randrange(3)
        service = world.service

        def answer(request: httpx.Request, index: int) -> httpx.Response | None:
            key = (index, request.url.path.rsplit("/", 1)[1])
            if index != bad or request.method == "PUT" or key not in service.objects:
                return None
            given = fault(service, request, index, service.objects[key])
            asked = request.headers.get("range", "")
            if given is not None and given.status_code == 200 and asked:
                first, last = map(int, asked.removeprefix("bytes=").split("-"))
                return httpx.Response(206, content=given.content[first : last + 1])
            return given

        service.on_object = answer
        try:
            check_readable(world, world.anyone(), world.random.choice([SHARED, CLOSED]))
        finally:
            service.on_object = lambda *_: None
        return Outcome.HARMLESS

    play.__name__ = f"one_cloud_{name}"
    covers = [f"{_FILE}.test_file_comes_back_despite_one_bad_warehouse"]
    if name == "500":
        covers.append(f"{_FILE}.test_a_failing_warehouse_is_asked_once_if_others_can_replace_it")
    move(*covers)(play)


for _name in FAULTS:
    _bad_cloud(_name)


@move(f"{_FILE}.test_warehouses_that_fail_for_a_moment_are_asked_again")
def all_clouds_fail_for_a_moment(world: World) -> Outcome:
    failing = {0, 1, 2}

    def answer(_: httpx.Request, index: int) -> httpx.Response | None:
        if index not in failing:
            return None
        failing.remove(index)
        return httpx.Response(503)

    path = world.some_path(CLOSED)
    world.service.on_object = answer
    try:
        out = world.out()
        world.anyone().ok("get", f"{CLOSED}:/{path}", out)
        assert out.read_bytes() == world.ledger.files[CLOSED][path]
    finally:
        world.service.on_object = lambda *_: None
    return Outcome.HARMLESS


@move(f"{_FILE}.test_too_few_pieces_to_be_safe_are_reported_and_sent_later")
def one_cloud_refuses_uploads(world: World) -> Outcome:
    actor, bad = world.anyone(), world.random.randrange(3)
    name, content = f"canary-name-{world.next_number():06}", world.new_content()
    path = world.write_local(name, content)
    world.service.on_object = lambda _, index: httpx.Response(503) if index == bad else None
    exit_code, answer = actor.run("put", path, f"{CLOSED}:/")
    world.service.on_object = lambda *_: None
    assert (exit_code, answer["notSafe"]) == (4, [name]), answer
    world.note(CLOSED, name, content)
    # An interrupted upload to the other space may wait too.
    pending = actor.ok("status")["pendingPacks"]
    assert pending >= 1
    world.put(actor, CLOSED)
    assert actor.ok("status")["pendingPacks"] < pending
    return Outcome.NOTICED


@move(f"{_FILE}.test_too_few_pieces_to_be_read_store_nothing")
def two_clouds_refuse_uploads(world: World) -> Outcome:
    actor = world.anyone()
    name, content = f"canary-name-{world.next_number():06}", world.new_content()
    path = world.write_local(name, content)
    world.service.on_object = lambda _, index: httpx.Response(503) if index else None
    exit_code, answer = actor.run("put", path, f"{CLOSED}:/")
    world.service.on_object = lambda *_: None
    assert (exit_code, answer["stored"]) == (4, []), answer
    assert actor.ok("put", path, f"{CLOSED}:/")["stored"] == [name]
    world.note(CLOSED, name, content)
    return Outcome.NOTICED


@move(f"{_FILE}.test_an_expired_link_is_renewed")
def links_expire(world: World) -> Outcome:
    refused: set[int] = set()

    def answer(request: httpx.Request, index: int) -> httpx.Response | None:
        if request.method != "PUT" or index in refused:
            return None
        refused.add(index)
        return httpx.Response(403)

    world.service.on_object = answer
    try:
        world.put(world.anyone())
    finally:
        world.service.on_object = lambda *_: None
    return Outcome.DONE


@move(f"{_FILE}.test_an_upload_whose_answer_was_lost_counts")
def answers_to_uploads_are_lost(world: World) -> Outcome:
    def answer(request: httpx.Request, index: int) -> httpx.Response | None:
        if request.method != "PUT":
            return None
        key = (index, request.url.path.rsplit("/", 1)[1])
        world.service.objects.setdefault(key, request.read())
        raise httpx.ReadError("reset")

    world.service.on_object = answer
    try:
        world.put(world.anyone())
    finally:
        world.service.on_object = lambda *_: None
    return Outcome.DONE


@move(f"{_FILE}.test_a_foreign_object_in_the_place_of_a_piece_abandons_the_pack")
def foreign_object_in_place(world: World) -> Outcome:
    foreign: list[str] = []

    def answer(request: httpx.Request, index: int) -> httpx.Response | None:
        pack = request.url.path.rsplit("/", 1)[1]
        if request.method == "PUT" and index == 2 and not foreign:
            foreign.append(pack)
            world.service.objects[2, pack] = b"something else"
        return None

    world.service.on_object = answer
    try:
        world.put(world.anyone())
    finally:
        world.service.on_object = lambda *_: None
    return Outcome.HARMLESS


@move()
def one_cloud_loses_everything(world: World) -> Outcome:
    """For good; then two honest ones are left."""
    with world.branch():
        world.service.lose(world.random.randrange(3))
        for space in (SHARED, CLOSED):
            check_readable(world, world.anyone(), space)
        exit_code, answer = world.leader.run("verify", CLOSED)
        assert answer["files"] == [], (exit_code, answer)
    return Outcome.HARMLESS
