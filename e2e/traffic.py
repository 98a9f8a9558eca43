"""What a page sends and receives, searched for secrets."""

import base64
import hashlib
from urllib.parse import quote, quote_plus

from playwright.sync_api import Page, Response


class Traffic:
    """Everything the page sends, and the responses with `answers`, which a page that navigates may
    lose."""

    def __init__(self, page: Page, *, answers: bool = False) -> None:
        self.sent: list[str] = []
        self.received: list[str] = []
        page.on(
            "request",
            lambda request: self.sent.append(
                "\n".join([request.url, request.post_data or "", str(request.headers)])
            ),
        )
        if answers:
            page.on("response", self._keep)

    def _keep(self, response: Response) -> None:
        if "/api/" in response.url and response.request.method != "OPTIONS":
            self.received.append(response.text() if response.status != 204 else "")

    def assert_free_of(self, company_key: bytes, *secrets: str) -> None:
        """Checks that neither the company key nor a secret was sent in any encoding."""
        sent = "\n".join(self.sent)
        for secret in secrets:
            assert not [each for each in encodings(secret) if each in sent]
        assert not [each for each in encodings_of_bytes(company_key) if each in sent]


def encodings(secret: str) -> set[str]:
    """The secret as it is, reversed, and in every encoding that code could use by mistake."""
    utf16 = secret.encode("utf-16-le")
    found = {secret, secret[::-1], quote(secret), quote_plus(secret), utf16.hex()}
    return found | encodings_of_bytes(secret.encode())


def encodings_of_bytes(raw: bytes) -> set[str]:
    found = {raw.hex()}
    for shift in range(3):
        # Base64 encodes the same bytes in three ways, depending on their offset.
        text = base64.b64encode(b"\0" * shift + raw + b"\0\0").decode()
        found |= {text[4:-6], text[4:-6].replace("+", "-").replace("/", "_")}
    for name in ("md5", "sha1", "sha256", "sha512"):
        digest = hashlib.new(name, raw).digest()
        found |= {digest.hex(), base64.b64encode(digest).decode().rstrip("=")}
    return found
