"""Requests for files, as far as the service in memory answers calls about them."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import httpx

from tessera_core import base64url

if TYPE_CHECKING:
    from client.tests.service import Person, Service

Json = dict[str, Any]


def post_request(service: "Service", person: "Person", body: Json, query: dict[str, str]) -> Any:
    expires = (datetime.now(UTC) + timedelta(days=body["days"])).isoformat()
    service.requests[body["id"]] = {
        **body, "author": str(person.uuid), "state": "open", "expiresAt": expires,
        "arrivals": {}, "accepted": 0,
    }  # fmt: skip
    return {"expiresAt": expires, "origin": service.share_origin}


def get_requests(service: "Service", _: "Person", body: Json, query: dict[str, str]) -> Any:
    rows = [
        {
            **{name: request[name] for name in (
                "id", "spaceId", "generation", "state", "details", "folder", "accepted",
                "expiresAt",
            )},
            "author": request["author"],
            "authorName": "Ada",
            "arrivals": [
                {"id": arrival["id"], "bytes": 1000, "arrivedAt": request["expiresAt"]}
                for arrival in request["arrivals"].values()
            ],
        }
        for request in service.requests.values()
    ]  # fmt: skip
    return {"origin": service.share_origin, "requests": rows}


def get_policy(service: "Service", _: "Person", body: Json, query: dict[str, str]) -> Any:
    return service.request_policy


def delete_request(service: "Service", _: "Person", body: Json, query: dict[str, str]) -> Any:
    request = service.requests[query["request"]]
    request["state"], request["arrivals"] = "ended", {}


def get_arrival(service: "Service", _: "Person", body: Json, query: dict[str, str]) -> Any:
    request, arrival = _find(service, query["arrival"])
    return {**arrival, "requestId": request["id"]}


def post_arrival_links(
    service: "Service", person: "Person", body: Json, query: dict[str, str]
) -> Any:
    _find(service, query["arrival"])
    return service.post_links(person, body, query)


def put_decision(service: "Service", _: "Person", body: Json, query: dict[str, str]) -> Any:
    request, arrival = _find(service, query["arrival"])
    request["accepted"] += body["isAccepted"]
    del request["arrivals"][arrival["id"]]


def _find(service: "Service", arrival_id: str) -> tuple[Json, Json]:
    for request in service.requests.values():
        if arrival_id in request["arrivals"]:
            return request, request["arrivals"][arrival_id]
    raise KeyError(arrival_id)


def answer_guest(service: "Service", call: httpx.Request, path: str) -> httpx.Response:
    parts = path.removeprefix("/api/requests/").split("/")
    is_piece = parts[0] == "pieces"
    request = service.requests.get(parts[1] if is_piece else parts[0])
    if request is None:
        return _problem(404, "request_not_found")
    if call.method == "GET":
        keys = {"company": str(service.company), "publicKeys": request["publicKeys"]}
        return httpx.Response(200, json={**keys, "state": request["state"]})
    body = {} if is_piece else json.loads(call.content)
    if not is_piece:
        service.exchanges.append((f"POST {path}", body, None))
    token = call.headers["tessera-upload-token"] if is_piece else body["token"]
    digest = hashlib.sha256(base64url.decode(token)).digest()
    if base64url.encode(digest) != request["tokenHash"]:
        return _problem(403, "request_token_wrong")
    if request["state"] != "open":
        return _problem(410, f"request_{request['state']}")
    if is_piece:
        return _store_piece(service, call, parts[2], int(parts[3]))
    return _answer_open(service, request, parts[1], body)


def _answer_open(service: "Service", request: Json, call: str, body: Json) -> httpx.Response:
    match call:
        case "open":
            left = {"bytesLeft": request["bytes"], "expiresAt": request["expiresAt"]}
            return httpx.Response(200, json={"details": request["details"], "k": 2, "n": 3, **left})
        case "packs":
            rows = []
            for pack in body["packs"]:
                described = {**pack, "share": body["arrivalId"], "stored": set()}
                known = service.packs.setdefault(pack["id"], described)
                missing = [index for index in range(pack["n"]) if index not in known["stored"]]
                rows.append({"id": pack["id"], "missing": missing})
            return httpx.Response(200, json={"packs": rows})
        case _:
            names = ("id", "uploadKey", "manifest")
            request["arrivals"][body["id"]] = {name: body[name] for name in names}
            return httpx.Response(204)


def _store_piece(
    service: "Service", call: httpx.Request, pack_id: str, index: int
) -> httpx.Response:
    if index in service.silent_pieces:
        return _problem(502, "piece_unavailable")
    pack = service.packs[pack_id]
    expected = base64url.decode(pack["shards"][index]["sha256"])
    if hashlib.sha256(call.content).digest() != expected:
        return _problem(422, "piece_wrong")
    service.objects[index, pack_id] = call.content
    pack["stored"].add(index)
    return httpx.Response(204)


def _problem(status: int, code: str) -> httpx.Response:
    return httpx.Response(status, json={"code": code, "message": code})


_REQUEST = "/storage/requests/(?P<request>[0-9a-f-]{36})"
_ARRIVAL = "/storage/arrivals/(?P<arrival>[0-9a-f-]{36})"
REQUEST_HANDLERS = {
    "GET /storage/requests": get_requests,
    "GET /storage/request-policy": get_policy,
    "POST /storage/requests": post_request,
    f"DELETE {_REQUEST}": delete_request,
    f"GET {_ARRIVAL}": get_arrival,
    f"POST {_ARRIVAL}/links": post_arrival_links,
    f"PUT {_ARRIVAL}/decision": put_decision,
}
