"""Prints the page's calls as OpenAPI, from which its TypeScript types are generated."""

import json
import sys
from typing import Any, get_type_hints

import msgspec

from tessera_client.ui.schemas import PageState
from tessera_client.ui.server import CALLS


def describe_calls() -> dict[str, Any]:
    calls = [(method, path, get_type_hints(handler)["return"]) for method, path, handler in CALLS]
    # Server-sent events: what each of them holds.
    calls.append(("GET", "events", PageState))
    schemas, components = msgspec.json.schema_components(
        [answer for _, _, answer in calls], ref_template="#/components/schemas/{name}"
    )
    paths: dict[str, Any] = {}
    for (method, path, _), schema in zip(calls, schemas, strict=True):
        answer = {"description": "Success", "content": {"application/json": {"schema": schema}}}
        paths.setdefault(f"/{path}", {})[method.lower()] = {"responses": {"200": answer}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "The local page", "version": "1"},
        "paths": paths,
        "components": {"schemas": components},
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(describe_calls(), indent=2, sort_keys=True) + "\n")
