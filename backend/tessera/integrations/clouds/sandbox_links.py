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
        query = {"expires": str(int(expires_at.timestamp()))}
        if upload:
            query |= {"size": str(upload.size), "sha256": upload.sha256.hex()}
        query["signature"] = self._signature(method, location, query)
        # Digits and hexadecimal ones: nothing to be escaped.
        values = "&".join(f"{name}={value}" for name, value in query.items())
        url = f"{self.settings.public_url.rstrip('/')}{MOUNT}/{quote(location)}?{values}"
        headers = {"If-None-Match": "*"} if upload else {}
        return Link(method, url, headers, expires_at)

    def verify(self, method: str, location: str, query_string: str) -> dict[str, str] | None:
        """Returns the signed values; None if they were not signed for this request."""
        query = {name: values[-1] for name, values in parse_qs(query_string).items()}
        signature = query.pop("signature", "")
        expected = self._signature(method, location, query)
        return query if hmac.compare_digest(signature, expected) else None

    def _signature(self, method: str, location: str, query: dict[str, str]) -> str:
        text = "\n".join([method, location, *(f"{name}={query[name]}" for name in sorted(query))])
        return self._keys.mac("sandbox-links", text).hex()
