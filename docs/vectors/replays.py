"""Changes that are applied one after another: what comes out, and what is set aside."""

from collections.abc import Sequence
from typing import Any

from bad_bodies import FILE, FOLDER, change, path, put
from bad_case import text
from storage_example import COMPANY, MEMBER, SPACE

from tessera_core.changes import ChangeBody
from tessera_core.entries import Head
from tessera_core.errors import Malformed
from tessera_core.tree import Tree


def remove(where: bytes, base: int = 0) -> bytes:
    return b"\2" + path(where) + base.to_bytes(8, "big")


def move(source: bytes, target: bytes) -> bytes:
    return b"\3" + path(source) + path(target)


LINK = b"\3" + bytes(8) + path(b"t")
MODIFIED = b"\1" + bytes(8) + (5).to_bytes(8, "big") + b"\0"


def changes(*series: Sequence[bytes]) -> list[bytes]:
    return [change(b"".join(operations), len(operations)) for operations in series]


def replays() -> list[dict[str, Any]]:
    deep = b"/".join([b"d"] * 99)
    long = b"/".join([b"x" * 255] * 15)
    made = [
        ("a put over a file above", changes([put(b"a", FILE)], [put(b"a/b/c", FILE)])),
        ("a put over a link above", changes([put(b"a/b", LINK)], [put(b"a/b/c", FOLDER)])),
        ("a put below a folder", changes([put(b"a", FOLDER)], [put(b"a/b", FILE)])),
        (
            "a file over what is below",
            changes(
                [put(b"a", FOLDER), put(b"a/b/c", FILE), put(b"a/d", LINK)], [put(b"a", FILE, 1)]
            ),
        ),
        ("a folder over what is below", changes([put(b"a/b", FILE)], [put(b"a", FOLDER)])),
        ("a folder over a file", changes([put(b"a", FILE)], [put(b"a", FOLDER, 1)])),
        ("a link over what is below", changes([put(b"a/b", FILE)], [put(b"a", LINK)])),
        (
            "names that begin alike are not below",
            changes([put(b"a-b", FILE), put(b"ab", FILE)], [put(b"a", FILE)], [remove(b"a", 2)]),
        ),
        (
            "base 0 after a removal is no conflict",
            changes([put(b"a", FILE)], [remove(b"a", 1)], [put(b"a", FILE)]),
        ),
        (
            "the removal's sequence as base is a conflict",
            changes([put(b"a", FILE)], [remove(b"a", 1)], [put(b"a", FILE, 2)]),
        ),
        ("a base where nothing was", changes([put(b"a", FILE, 9)])),
        ("an old base", changes([put(b"a", FILE)], [put(b"a", FILE, 1)], [put(b"a", FILE, 1)])),
        (
            "a removal with an old base, and what is below",
            changes([put(b"a", FOLDER), put(b"a/b", FILE)], [remove(b"a", 0)]),
        ),
        ("a removal of nothing", changes([remove(b"a", 3)])),
        (
            "two operations of one entry on one path",
            changes([put(b"a", FILE), put(b"a", MODIFIED), put(b"a", FILE, 1)]),
        ),
        ("a move", changes([put(b"a", FOLDER), put(b"a/b", FILE)], [move(b"a", b"c/d")])),
        ("a move of nothing", changes([put(b"a", FILE)], [move(b"b", b"c")])),
        (
            "a move to the folder above",
            changes([put(b"a/a", FOLDER), put(b"a/a/a", FILE)], [move(b"a/a", b"a")]),
        ),
        (
            "a move onto something",
            changes([put(b"a", MODIFIED), put(b"b/c", FILE)], [move(b"a", b"b")]),
        ),
        ("a move below a file", changes([put(b"a", FILE), put(b"b", FILE)], [move(b"a", b"b/a")])),
        (
            "a depth of 100 after a move",
            changes([put(b"a/" + deep, FILE)], [move(b"a", b"b")]),
        ),
        (
            "a depth of 101 after a move",
            changes(
                [b"\4\0\1x", put(b"a/" + deep, FILE), put(b"z", FILE)],
                [b"\4\0\1y", put(b"c", FILE), remove(b"z", 1), move(b"a", b"b/c")],
            ),
        ),
        (
            "a path of more than 4096 bytes after a move",
            changes([put(b"a/" + long, FILE)], [put(b"c", FILE), move(b"a", b"b" * 255 + b"/c")]),
        ),
        (
            "a change after one that is set aside",
            changes([put(b"a/" + deep, FILE)], [move(b"a", b"b/c")], [put(b"a/x", FILE)]),
        ),
    ]
    return [*(described(about, bodies) for about, bodies in made), *bombs()]


def bombs() -> list[dict[str, Any]]:
    """Short changes that move very many items. They take seconds, so they are not tried here."""
    items = [put(b"a/%03d" % number, FOLDER) for number in range(250)]
    moves = [move(b"a", b"b"), move(b"b", b"a")] * 400
    good, bad = changes(items, moves), changes(items, [*moves, move(b"a/000", b"c")])
    before = described("", good[:1])
    return [
        before
        | {
            "about": "200,001 items moved by one entry",
            "changes": [text(body) for body in bad],
            "setAside": [2],
            "slow": True,
        },
        before
        | {
            "about": "200,000 items moved by one entry",
            "changes": [text(body) for body in good],
            "versions": None,
            "slow": True,
        },
    ]


def described(about: str, bodies: Sequence[bytes]) -> dict[str, Any]:
    tree, set_aside = Tree(), []
    for sequence, body in enumerate(bodies, 1):
        head = Head(COMPANY, SPACE, sequence, bytes(32), bytes(16), 1, MEMBER, sequence)
        try:
            tree.apply(head, ChangeBody.decode(body))
        except Malformed:
            set_aside.append(sequence)
    return {
        "about": about,
        "changes": [text(body) for body in bodies],
        "setAside": set_aside,
        "name": tree.name,
        "versions": listing(tree),
        "current": len(list(tree.walk())),
    }


def listing(tree: Tree) -> dict[str, Any]:
    """At each path: sequence, operation, type (0 if removed), 1 if it is a conflict."""
    return {
        each: [
            [
                version.sequence,
                version.operation,
                version.item.type if version.item else 0,
                int(version.conflict),
            ]
            for version in tree.versions[each]
        ]
        for each in sorted(tree.versions, key=str.encode)
    }
