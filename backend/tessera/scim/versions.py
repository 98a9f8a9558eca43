"""Versions of resources (ETags): hashes of what they show."""

import hashlib
import json
import re
from typing import Any

from fastapi import Request
from scim2_models import Resource

from tessera.scim.errors import ScimVersionChanged, ScimVersionInvalid

_TAG = r'(?:W/)?"[\x21\x23-\x7e]*"'
_TAGS = re.compile(rf"\s*{_TAG}(?:\s*,\s*{_TAG})*\s*")
_LONGEST = 1_000


def set_version(resource: Resource[Any], *others: object) -> None:
    """`others` count too, although the resource does not show them."""
    assert resource.meta is not None
    shown = json.dumps([resource.model_dump(), *map(str, others)], sort_keys=True)
    resource.meta.version = f'W/"{hashlib.sha256(shown.encode()).hexdigest()[:32]}"'


def check_version(request: Request, resource: Resource[Any]) -> None:
    if not _names(request, "if-match", resource, default=True):
        raise ScimVersionChanged


def is_unchanged(request: Request, resource: Resource[Any]) -> bool:
    return _names(request, "if-none-match", resource, default=False)


def _names(request: Request, header: str, resource: Resource[Any], *, default: bool) -> bool:
    given = request.headers.get(header)
    if given is None:
        return default
    if given.strip() == "*":
        return True
    if len(given) > _LONGEST or not _TAGS.fullmatch(given):
        raise ScimVersionInvalid
    assert resource.meta is not None
    assert resource.meta.version is not None
    wanted = resource.meta.version.removeprefix("W/")
    return wanted in (tag.removeprefix("W/") for tag in re.findall(_TAG, given))
