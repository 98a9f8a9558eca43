"""The OpenAPI description in the language of the request."""

import gzip
import json
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import Response

from tessera.kit.i18n import Language, catalogue, current_language


def serve_description(app: FastAPI) -> Callable[[Request], Awaitable[Response]]:
    """Returns the endpoint, which translates and compresses once per language."""

    @cache
    def body(language: Language, *, compressed: bool) -> bytes:
        if compressed:
            return gzip.compress(body(language, compressed=False))
        described = app.openapi()
        # The code's own texts are in English.
        if language is not Language.EN:
            described = _translated(described, catalogue(language, "api."))
        return json.dumps(described, ensure_ascii=False, separators=(",", ":")).encode()

    async def serve(request: Request) -> Response:
        language = current_language.get()
        compressed = "gzip" in request.headers.get("accept-encoding", "")
        headers = {"Content-Language": language, "Vary": "Accept-Language, Accept-Encoding"}
        if compressed:
            headers["Content-Encoding"] = "gzip"
        content = body(language, compressed=compressed)
        return Response(content, media_type="application/json", headers=headers)

    return serve


def _translated(part: Any, texts: Mapping[str, str]) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(part, list):
        return [_translated(item, texts) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        key: texts.get(" ".join(value.split()), value)
        if key in {"summary", "description"} and isinstance(value, str)
        else _translated(value, texts)
        for key, value in part.items()
    }
