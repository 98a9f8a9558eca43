"""Logins with the company's provider, in a browser and of the client program, with a mark on every
secret: the company's, the provider's, those of the login and those of the person."""

import hashlib
import secrets
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tessera.kit.database import Connection
from tessera_core import base64url
from tests.auth.passkey_device import PasskeyDevice, add
from tests.identity.browser import Browser
from tests.identity.issuer import Issuer
from tests.identity.providers import add_provider, settings_of
from tests.security.canary import Marks
from tests.security.walk import MEMBER, MEMBER_PHONE, Walk

# In the address that the provider is opened with, or made from what is there.
ASKED = ("state", "nonce", "code_challenge")
COMPUTER = {"name": "Laptop", "system": "Linux", "version": "0.7.7"}


class MarkedIssuer:
    """Marks all that the provider learns and says."""

    def __init__(self, issuer: Issuer, marks: Marks) -> None:
        self._issuer = issuer
        self._marks = marks
        self._sign = issuer.sign
        issuer.sign = self.sign  # type: ignore[method-assign]

    def sign(self, claims: dict[str, Any]) -> str:
        token = self._sign(claims)
        for part in token.split("."):
            self._marks.keep("provider's token", part)
        return token

    async def prove(self, browser: Browser) -> dict[str, Any]:
        url = await browser.start(MEMBER)
        self._marks.keep("cookie", browser.cookie.partition("-")[2])
        asked = dict(parse_qsl(urlsplit(url).query))
        for name in ASKED:
            self._marks.keep(name, asked[name])
        returned = self._issuer.authorize(url, email=MEMBER, email_verified=True)
        self._marks.keep("provider's code", returned["code"])
        answer = await browser.post("answer", returned)
        assert answer.status_code == 200, answer.text
        form = next(form for path, _, form in self._issuer.asked[::-1] if path == "/token")
        self._marks.keep("code verifier", form["code_verifier"])
        shown: dict[str, Any] = answer.json()
        return shown


async def walk_by_provider(walk: Walk, issuer: Issuer, platform: Connection) -> None:
    guest, marks = walk.guest, walk.marks
    await platform.execute(
        "INSERT INTO company_domains (company_id, domain, token, proved_at)"
        " SELECT id, 'harbour.test', 'x', now() FROM companies WHERE uuid = $1",
        walk.cid,
    )
    secret = marks.new("provider's secret", 40)
    uuid = await add_provider(guest.client, walk.leader, "Main")
    body = settings_of(issuer, clientSecret=secret)
    await guest.ok("PUT", f"/identity/sso/providers/{uuid}", walk.leader, json=body)
    provider, browser = MarkedIssuer(issuer, marks), Browser(guest.client)

    assert not (await provider.prove(browser))["linked"]
    session = await guest.log_in(MEMBER, walk.member_secret, MEMBER_PHONE)
    assert (await browser.post("link", headers=session)).status_code == 204

    assert (await provider.prove(browser))["linked"]
    guess = await browser.post("login", {"password": marks.derived("guess")})
    assert guess.status_code == 401
    opened = await browser.post("login", {"password": walk.member_secret})
    guest.session(opened.json()["access_token"])

    await _log_in_with_program(walk, provider, browser)
    await _log_in_with_passkey(walk, provider, browser, session, platform)
    await _require(walk, platform)
    token = issuer.logout_token()
    path = f"/auth/sso/backchannel-logout/{walk.cid}/{uuid}"
    assert (await guest.call("POST", path, data={"logout_token": token})).status_code == 200
    wrong = {"logout_token": marks.new("made up logout", 60)}
    assert (await guest.call("POST", path, data=wrong)).status_code == 400


async def _log_in_with_passkey(
    walk: Walk,
    provider: MarkedIssuer,
    browser: Browser,
    session: dict[str, str],
    platform: Connection,
) -> None:
    guest, marks = walk.guest, walk.marks
    shown = (await guest.ok("GET", "/identity/sso", walk.leader)).json()
    url = urlsplit(shown["providers"][0]["redirectUri"])
    # What browsers bind passkeys of this machine's own address to.
    device = PasskeyDevice(origin=f"http://localhost:{url.port}", rp_id="localhost")
    await add(guest.client, session, device)
    await platform.execute("UPDATE passkeys SET sealed_user_key = 'sealed by the passkey'")
    credential = device.sign((await provider.prove(browser))["passkey"])
    marks.keep("passkey's signature", credential["signature"])
    forged = {**credential, "signature": marks.new("made up signature", 96)}
    refused = await browser.post("login-passkey", {"credential": forged})
    assert refused.status_code == 400, refused.text
    credential = device.sign((await provider.prove(browser))["passkey"])
    marks.keep("passkey's signature", credential["signature"])
    opened = await browser.post("login-passkey", {"credential": credential})
    assert opened.status_code == 200, opened.text
    guest.session(opened.json()["access_token"])


async def _require(walk: Walk, platform: Connection) -> None:
    """Refused to a leader who has not tried the provider; required, the password opens nothing."""
    guest, path = walk.guest, "/identity/sso/requirement"
    early = await guest.call("PUT", path, walk.leader, json={"required": True})
    assert early.json()["code"] == "sso_not_tried"
    await platform.execute("UPDATE companies SET sso_required = true WHERE uuid = $1", walk.cid)
    body = {"emailAddress": MEMBER, "password": walk.member_secret}
    refused = await guest.call("POST", "/auth/login-onboard", json=body)
    assert refused.json()["code"] == "sso_required"
    await guest.ok("PUT", path, walk.leader, json={"required": False})


async def _log_in_with_program(walk: Walk, provider: MarkedIssuer, browser: Browser) -> None:
    guest, marks = walk.guest, walk.marks
    calls = "/auth/sso/client-logins"
    verifier = marks.keep("program's verifier", secrets.token_urlsafe(32))
    challenge = base64url.encode(hashlib.sha256(verifier.encode()).digest())
    body = {
        "emailAddress": MEMBER,
        "client": COMPUTER,
        "challenge": challenge,
        "redirect": {"port": 40_000, "state": secrets.token_urlsafe(32)},
    }
    started = (await guest.ok("POST", calls, json=body)).json()
    marks.keep("program's handle", started["handle"].partition("-")[2])
    marks.keep("device code", started["deviceCode"])
    await provider.prove(browser)
    decision = {"handle": started["handle"], "accepted": True}
    decided = await browser.post("client-logins/decide", decision)
    code = dict(parse_qsl(urlsplit(decided.json()["redirect"]).query))["code"]
    marks.keep("program's code", code)
    proof = {"handle": started["handle"], "verifier": verifier, "code": code}
    await guest.ok("POST", f"{calls}/state", json=proof)
    guess = {**proof, "password": marks.derived("guess")}
    assert (await guest.call("POST", f"{calls}/finish", json=guess)).status_code == 401
    opened = await guest.ok(
        "POST", f"{calls}/finish", json={**proof, "password": walk.member_secret}
    )
    guest.session(opened.json()["access_token"])
