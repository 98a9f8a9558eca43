"""What can be done to the header of any envelope."""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise

from by_hand import STRANGER
from tampering import Bad, bad

Members = dict[str, str | int]
Changed = Iterator[tuple[str, str]]
# Seals again over the changed header, so that only the header can be the reason to refuse.
Reseal = Callable[[str], str]


def bad_headers(header: str, reseal: Reseal) -> Iterator[Bad]:
    members: Members = json.loads(header)
    for changes in (
        _missing_or_twice(header, members),
        _other_order(members),
        _other_algorithms(members),
        _other_names(members),
        _other_epochs(header),
        _more_members(members),
        _other_spelling(header),
    ):
        for reason, changed in changes:
            assert changed != header, reason
            yield bad("shape", reason, reseal(changed))


def _dump(members: object) -> str:
    return json.dumps(members, separators=(",", ":"))


def _missing_or_twice(header: str, members: Members) -> Changed:
    for name, value in members.items():
        yield f"{name} missing", _dump({k: v for k, v in members.items() if k != name})
        yield f"{name} null", _dump({**members, name: None})
        yield f"{name} in a list", _dump({**members, name: [value]})
        yield f"{name} twice, the same", header[:-1] + f',"{name}":{json.dumps(value)}}}'
        yield f"{name} twice, first another", header.replace("{", f'{{"{name}":"x",', 1)


def _other_order(members: Members) -> Changed:
    names = list(members)
    for at, (first, second) in enumerate(pairwise(names)):
        order = [*names[:at], second, first, *names[at + 2 :]]
        yield f"{second} before {first}", _dump({k: members[k] for k in order})
    yield "members sorted by name", _dump(dict(sorted(members.items())))


def _other_algorithms(members: Members) -> Changed:
    for alg in ("none", "DIR", "A256KW", "A256GCMKW", "RSA-OAEP", "ECDH-ES", "PBES2-HS256+A128KW"):
        yield f"alg {alg}", _dump({**members, "alg": alg})
    for enc in ("A128GCM", "A192GCM", "A256CBC-HS512", "a256gcm", "none"):
        yield f"enc {enc}", _dump({**members, "enc": enc})


def _other_names(members: Members) -> Changed:
    typ = str(members["typ"])
    for other in ("uk", "ck", "pp"):
        if typ != f"tessera-{other}+1":
            yield (
                f"typ of another envelope, {other}",
                _dump({**members, "typ": f"tessera-{other}+1"}),
            )
    yield "typ of another version", _dump({**members, "typ": f"{typ[:-1]}2"})
    yield "typ in capitals", _dump({**members, "typ": typ.upper()})
    yield "typ JWT", _dump({**members, "typ": "JWT"})
    for name in [name for name in ("uid", "cid") if name in members]:
        own = str(members[name])
        yield f"another {name}", _dump({**members, name: STRANGER})
        yield f"{name} in braces", _dump({**members, name: f"{{{own}}}"})
        yield f"{name} without dashes", _dump({**members, name: own.replace("-", "")})
        yield f"{name} as a URN", _dump({**members, name: f"urn:uuid:{own}"})
        yield f"{name} empty", _dump({**members, name: ""})
    if "uid" in members:
        exchanged = {**members, "uid": members["cid"], "cid": members["uid"]}
        yield "uid and cid exchanged", _dump(exchanged)


def _other_epochs(header: str) -> Changed:
    if '"ep":1}' in header:
        for ep in ("0", "-1", "01", "1.0", "1e0", "1.5", '"1"', "true", "2147483648", "9" * 400):
            yield f"epoch {ep[:12]}", header.replace('"ep":1}', f'"ep":{ep}}}')


def _more_members(members: Members) -> Changed:
    yield "zip DEF", _dump({**members, "zip": "DEF"})
    yield "crit, empty", _dump({**members, "crit": []})
    yield "crit naming a member", _dump({**members, "crit": ["typ"]})
    yield "kid, an extra member", _dump({**members, "kid": "1"})
    yield "an extra member in front", _dump({"x": 1, **members})
    yield "b64 false", _dump({**members, "b64": False})
    yield "p2c, parameters of one's own", _dump({**members, "p2c": 1})
    if "kdf" not in members:
        yield "kdf where it does not belong", _dump({**members, "kdf": 1})


def _other_spelling(header: str) -> Changed:
    yield "space after a colon", header.replace(":", ": ", 1)
    yield "space after a comma", header.replace(",", ", ", 1)
    yield "line break at the end", header + "\n"
    yield "blank in front", " " + header
    yield "byte order mark", "\ufeff" + header
    yield "escaped letter", header.replace("dir", "d\\u0069r")
    yield "something after the object", header + "{}"
    yield "trailing comma", header[:-1] + ",}"
    yield "not closed", header[:-1]
    yield "a list", f"[{header}]"
    yield "a string", json.dumps(header)
    yield "empty object", "{}"
    yield "not JSON", "mosaic"
    yield "NUL inside", header.replace("dir", "dir\0")
