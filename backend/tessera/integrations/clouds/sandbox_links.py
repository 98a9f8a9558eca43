"""Links of the sandbox to itself. A link names one request, and its signature covers all of it."""

import hmac
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from urllib.parse import parse_qs, quote

from tessera.integrations.clouds.protocol import Link, Upload
from tessera.kit.keys import Keys
from tessera.settings import Settings

MOUNT = "/sandbox/objects"


@dataclass(frozen=True)
class SandboxLinks:
    settings: Settings

    @cached_property
    def _keys(self) -> Keys:
        return Keys(self.settings.platform_key_bytes)

    def sign(self, location: str, upload: Upload | None, expires_at: datetime) -> Link:
        """`location` is the object's path below the folder of all sandbox clouds."""
        method = "PUT" if upload else "GET"
        # In the order of their names, and digits only: nothing to be escaped.
        values = [f"expires={int(expires_at.timestamp())}"]
        if upload:
            values += [f"sha256={upload.sha256.hex()}", f"size={upload.size}"]
        query = "&".join([*values, f"signature={self._signature(method, location, values)}"])
        url = f"{self.settings.public_url.rstrip('/')}{MOUNT}/{quote(location)}?{query}"
        headers = {"If-None-Match": "*"} if upload else {}
        return Link(method, url, headers, expires_at)

    def verify(self, method: str, location: str, query_string: str) -> dict[str, str] | None:
        """Returns the signed values; None if they were not signed for this request."""
        query = {name: values[-1] for name, values in parse_qs(query_string).items()}
        signature = query.pop("signature", "")
        values = [f"{name}={query[name]}" for name in sorted(query)]
        expected = self._signature(method, location, values)
        return query if hmac.compare_digest(signature, expected) else None

    def _signature(self, method: str, location: str, values: list[str]) -> str:
        # Quoted, so that a line break inside one part cannot stand for the next part.
        parts = [method, *map(quote, [location, *values])]
        return self._keys.mac("sandbox-links", "\n".join(parts)).hex()
