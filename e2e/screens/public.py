"""Public screens, and those of sign-up and login."""

from itertools import count

from accounts import LEADER
from screens.screen import (
    Screen,
    Step,
    answered,
    press,
    sees,
    waits_for,
    write,
)
from signup import Signup
from user import User

TOKEN = "?token=" + "x" * 43
_INVITE = {
    "email_address": "linus.berg@northwind.test",
    "companyName": "Northwind Ltd",
    "companyUuid": "5b1f8a52-6f0e-4a55-9d0a-0c1f5f3f7f10",
}
_RESET = {"uid": _INVITE["companyUuid"], "cid": _INVITE["companyUuid"]}


def _password(password: str) -> Step:
    def step(user: User) -> None:
        user.fill_credentials(LEADER, password)
        press("auth:login.phase.idle")(user)

    return step


def _code_asked(user: User) -> None:
    user.submit_credentials(LEADER)


_app_asked = (
    answered("/auth/login-onboard", {"method": "totp"}),
    (_password("any-Password-2026"), sees("auth:app.text")),
)

_PROVED = {
    "emailAddress": LEADER.email,
    "salt": "AAAAAAAAAAAAAAAAAAAAAA",
    "userUuid": _INVITE["companyUuid"],
    "passkey": None,
}

_COMPUTER = {
    "name": "Ada’s laptop", "system": "Linux", "version": "0.7.7", "origin": "203.0.113.7",
    "startedAt": "2026-11-19T08:00:00Z", "deviceCode": "BCDF-GHJK",
}  # fmt: skip
_asked = (
    answered("/auth/sso/answer", {**_PROVED, "linked": True}),
    answered("/auth/sso/client-logins/show", _COMPUTER),
    answered("/auth/sso/client-logins/decide", {"redirect": None}),
)


_RETURNED = f"/login/company/{_INVITE['companyUuid']}?code=c&state=s"


def _returned(user: User) -> None:
    """As the provider sends the browser back."""
    user.page.goto(_RETURNED)


PUBLIC = (
    Screen("landing", "/", None),
    Screen("agreement", "/agreement", None),
    Screen("privacy", "/privacy", None),
    Screen("data-processing", "/data-processing", None),
    Screen("api-reference", "/api", None),
    Screen(
        "api-reference-call",
        "/api",
        None,
        path="/api#invite_members_api_invite_users__post",
        steps=(waits_for("details[open]"),),
    ),
    Screen("not-found", "*", None, path="/nowhere/at-all"),
    Screen("login", "/login", None),
    Screen(
        "login-refused",
        "/login",
        None,
        steps=(_password("not the password"), waits_for("[role=alert]")),
    ),
    Screen("login-code", "/login", None, steps=(_code_asked,)),
    Screen("company-login", "/login/company", None),
    Screen(
        "company-login-link",
        "/login/company/:provider",
        None,
        path=_RETURNED,
        before=(answered("/auth/sso/answer", {**_PROVED, "linked": False}),),
    ),
    Screen(
        "company-login-unlock",
        "/login/company/:provider",
        None,
        path=_RETURNED,
        before=(answered("/auth/sso/answer", {**_PROVED, "linked": True}),),
    ),
    Screen(
        "company-login-client",
        "/login/company",
        None,
        path=f"/login/company?client=c&email={LEADER.email}",
    ),
    Screen(
        "company-login-client-confirm",
        "/login/company",
        None,
        path="/login/company?client=c",
        before=_asked,
        steps=(_returned, sees("auth:company.client.confirm")),
    ),
    Screen(
        "company-login-client-confirmed",
        "/login/company",
        None,
        path="/login/company?client=c",
        before=_asked,
        steps=(_returned, press("auth:company.client.confirm"), waits_for("[role=status]")),
    ),
    Screen(
        "company-login-client-code",
        "/login/company",
        None,
        path="/login/company?device=",
        before=_asked,
        steps=(_returned, sees("auth:company.client.code")),
    ),
    Screen(
        "company-login-expired",
        "/login/company",
        None,
        # Of no login that this browser has started.
        path="/login/company?code=c&state=s",
    ),
    Screen("login-app", "/login", None, before=(_app_asked[0],), steps=_app_asked[1]),
    Screen(
        "login-recovery",
        "/login",
        None,
        before=(_app_asked[0],),
        steps=(*_app_asked[1], press("auth:app.useRecovery")),
    ),
    Screen("forgot-password", "/forgot-password", None),
    Screen(
        "forgot-password-sent",
        "/forgot-password",
        None,
        steps=(
            write("auth:fields.email", "nobody@northwind.test"),
            press("auth:forgot.send"),
            sees("auth:forgot.sent"),
        ),
    ),
    Screen(
        "reset-password",
        "/reset-password",
        None,
        before=(answered("/auth/reset", {"state": "open", **_RESET}),),
        path=f"/reset-password{TOKEN}",
    ),
    Screen("reset-password-unknown", "/reset-password", None, path=f"/reset-password{TOKEN}"),
    Screen("confirm-email", "/confirm-email", None, path=f"/confirm-email{TOKEN}"),
    Screen(
        "register",
        "/register",
        None,
        before=(answered("/auth/invite", {"state": "open", **_INVITE}),),
        path=f"/register{TOKEN}",
    ),
    Screen(
        "register-expired",
        "/register",
        None,
        before=(answered("/auth/invite", {"state": "expired", **_INVITE}),),
        path=f"/register{TOKEN}",
    ),
    Screen("register-uninvited", "/register", None),
)

# Each sign-up needs its own phone number, because codes per number are limited.
_numbers = count()


def _phone() -> str:
    number = next(_numbers)
    return f"+1{907 + number // 100}555{100 + number % 100:04d}"


_WHO = ("Harbour Lights Inc", "ines@harbour.test")


def _company(user: User) -> None:
    signup = Signup(user)
    signup.verify_password()
    signup.at("signup:steps.company")


def _leader(user: User) -> None:
    Signup(user).up_to_the_leader(*_WHO)


def _to_phone(user: User) -> None:
    Signup(user).up_to_the_phone(*_WHO, _phone())
    sees("signup:phone.title")(user)


def _passphrase(user: User) -> None:
    signup, phone = Signup(user), _phone()
    signup.up_to_the_phone(*_WHO, phone)
    signup.verify_phone(phone)
    signup.at("signup:passphrase.title")
    signup.fill("company:newPassphrase.label", "seven copper lanterns")


def _payment(user: User) -> None:
    signup = Signup(user)
    signup.up_to_the_card(*_WHO, _phone())
    signup.at("signup:payment.title")
    waits_for("iframe")(user)


def _review(user: User) -> None:
    signup = Signup(user)
    signup.up_to_the_card(*_WHO, _phone())
    signup.enter_card()
    sees("signup:payment.verified")(user)
    signup.press("common:actions.next")
    signup.at("signup:review.title")


SIGNUP = (
    Screen("signup", "/signup", None),
    Screen(
        "signup-request-access",
        "/signup",
        None,
        steps=(press("signup:access.title"), waits_for("dialog[open]")),
    ),
    Screen("signup-link", "/signup", None, path=f"/signup{TOKEN}"),
    Screen("signup-company", "/signup", None, steps=(_company,)),
    Screen("signup-leader", "/signup", None, steps=(_leader,)),
    Screen("signup-phone", "/signup", None, steps=(_to_phone,)),
    Screen("signup-passphrase", "/signup", None, steps=(_passphrase,)),
    # The download of the passphrase sheet counts as a pending request.
    Screen("signup-payment", "/signup", None, steps=(_payment,), waits=True),
    Screen("signup-review", "/signup", None, steps=(_review,), waits=True),
)
