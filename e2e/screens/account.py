"""Screens of the console's frame, of the user's own account, and of a member."""

import re

from accounts import LEADER, MEMBER, PASSPHRASE, PASSWORD
from screens.screen import (
    Screen,
    Step,
    answered,
    changed,
    choose,
    dialog,
    failed,
    press,
    searched,
    sees,
    user_entry,
    waits_for,
    write,
)
from user import User

HERE = "/team-members"
# The format of real recovery codes, but not valid.
_CODES = [f"{n}k4m-x7pd-9rtw-c2v{n}" for n in range(10)]

_PASSKEYS: list[dict[str, object]] = [
    {
        "id": number,
        "name": name,
        "credentialId": "",
        "transports": [],
        "createdAt": "2026-01-12T09:30:00Z",
        "lastUsedAt": used,
        "sealedUserKey": key,
    }
    for number, name, used, key in (
        (1, "Laptop", "2026-03-02T14:05:00Z", "-"),
        (2, "Security key", None, None),
    )
]


def _company_menu(user: User) -> None:
    user.page.get_by_role("banner").get_by_role("button", name="Northwind").click()


def _company_entry(key: str) -> tuple[Step, ...]:
    return (_company_menu, choose(key), dialog)


_OMAR = {
    "uuid": "00000000-0000-4000-8000-000000000001",
    "firstName": "Omar",
    "lastName": "Haddad",
    "email_address": "member@northwind.test",
    "since": "2026-03-02T14:05:00Z",
}
_HELD = {
    "since": "2026-03-02T14:05:00Z",
    "isCurrent": True,
    "leaderUuid": "00000000-0000-4000-8000-000000000002",
    "leaderName": "Grace Lee",
    "leaderNeedsKey": False,
    "handedOver": False,
    "leaderPublicKeys": "AAAA",
}


def _without_keys(user: User) -> None:
    answer = {"publicKeys": None}
    user.page.route(re.compile("/public-keys$"), lambda route: route.fulfill(json=answer))


def _chosen(user: User) -> None:
    search = user.page.get_by_role("dialog").get_by_role("searchbox")
    search.fill(MEMBER.name)
    search.press("Enter")
    press("company:keyHolder.chooseOf", name=MEMBER.name)(user)


_named = (
    *_company_entry("console:companyActions.keyHolder"),
    press("company:keyHolder.name"),
    waits_for("dialog[open] [type=search]"),
)


def _holds(**changes: object) -> tuple[Step, ...]:
    """The member is the second key holder."""
    return (
        changed("/auth/login-token", isKeyHolder=True),
        answered("/company/held-key", {**_HELD, **changes}),
    )


_revealed: tuple[Step, ...] = (
    *_company_entry("console:companyActions.passphrase"),
    press("company:passphrase.reveal"),
    waits_for("dialog[open] input"),
)
_former = [
    {
        "epoch": epoch,
        "setAt": "2026-01-12T09:30:00Z",
        "replacedAt": "2026-03-02T14:05:00Z",
        "replacedBy": name,
        "canOpen": name is not None,
    }
    for epoch, name in ((2, "Lena Brandt"), (1, None))
]
_unlocked: tuple[Step, ...] = (
    *_revealed,
    write("company:passphrase.password", PASSWORD, then="Enter"),
    lambda user: user.page.get_by_text(PASSPHRASE).wait_for(),
)
_set_up: tuple[Step, ...] = (
    user_entry("console:userActions.twoFactor"),
    press("security:twoFactor.app.setUp"),
    waits_for("svg[role=img]"),
)


def _left_alone(user: User) -> None:
    user.page.clock.run_for(15 * 60 * 1000 + 1_000)


def _session_over(user: User) -> None:
    """Answers the next profile call as if the session had ended elsewhere."""
    refused = {"code": "session_ended", "message": "-"}
    answered("/auth/profile", refused, status=401)(user)


MENU = waits_for("[role=menu]:popover-open")
FRAME = (
    Screen("user-menu", HERE, LEADER, steps=(lambda user: user.user_menu().click(), MENU)),
    Screen("company-menu", HERE, LEADER, steps=(_company_menu, MENU)),
    Screen("shortcuts", HERE, LEADER, steps=(press("console:shortcuts.label"), MENU)),
    Screen("search", HERE, LEADER, steps=(searched("a"),)),
    Screen(
        "quick-panel",
        HERE,
        LEADER,
        steps=(press("console:quickPanel.title"), waits_for("dialog[open] li"), dialog),
    ),
    Screen("settings", HERE, LEADER, steps=(user_entry("console:userMenu.settings"),)),
    Screen(
        "email-unconfirmed",
        HERE,
        LEADER,
        before=(changed("/auth/login-token", emailConfirmed=False),),
    ),
    Screen(
        "inactivity",
        HERE,
        LEADER,
        before=(lambda user: user.page.clock.install(),),
        steps=(_left_alone, sees("auth:inactivity.title")),
    ),
    Screen(
        "session-expired",
        "/faq",
        LEADER,
        before=(_session_over,),
        steps=(
            user_entry("console:userActions.profile"),
            write("auth:fields.firstName", "Grace"),
            press("common:actions.save"),
            sees("auth:expired.title"),
        ),
    ),
)

ACCOUNT = (
    Screen("profile", HERE, LEADER, steps=(user_entry("console:userActions.profile"),)),
    Screen(
        "six-words",
        HERE,
        LEADER,
        steps=(
            user_entry("console:userActions.profile"),
            press("security:words.showOwn"),
            write("company:passphrase.password", PASSWORD, then="Enter"),
            waits_for("dialog[open] ol"),
        ),
    ),
    Screen(
        "change-password", HERE, LEADER, steps=(user_entry("console:userActions.changePassword"),)
    ),
    Screen("two-step", HERE, LEADER, steps=(user_entry("console:userActions.twoFactor"),)),
    Screen("two-step-set-up", HERE, LEADER, steps=_set_up),
    Screen(
        "recovery-codes",
        HERE,
        LEADER,
        before=(answered("/auth/authenticator/confirm", {"recoveryCodes": _CODES}),),
        steps=(
            *_set_up,
            write("security:twoFactor.setUp.code", "123456"),
            sees("security:codes.text"),
        ),
    ),
    Screen(
        "passkeys",
        HERE,
        LEADER,
        before=(answered("/auth/passkeys", _PASSKEYS),),
        steps=(user_entry("console:userActions.twoFactor"), waits_for("dialog[open] li")),
    ),
    Screen("sessions", HERE, LEADER, steps=(user_entry("console:userActions.sessions"),)),
    Screen(
        "verification",
        HERE,
        LEADER,
        before=(
            answered(
                "/auth/authenticator", {"code": "verification_required", "message": "-"}, status=403
            ),
        ),
        steps=(*_set_up[:2], sees("auth:verification.title"), waits_for("dialog[open] input")),
    ),
    Screen("company-edit", HERE, LEADER, steps=_company_entry("console:companyActions.edit")),
    Screen("passphrase", HERE, LEADER, steps=_company_entry("console:companyActions.passphrase")),
    Screen(
        "passphrase-former",
        HERE,
        LEADER,
        before=(answered("/company/passphrase/former", _former),),
        steps=_company_entry("console:companyActions.passphrase"),
    ),
    Screen("passphrase-locked", HERE, LEADER, steps=_revealed),
    Screen("passphrase-shown", HERE, LEADER, steps=_unlocked),
    Screen(
        "passphrase-change",
        HERE,
        LEADER,
        steps=(*_unlocked, press("common:actions.change")),
    ),
    Screen(
        "passphrase-key-holder",
        HERE,
        LEADER,
        before=(
            answered(
                "/company/passphrase",
                {"code": "passphrase_locked", "message": "", "epoch": 1, "keyHolder": MEMBER.name},
                status=404,
            ),
        ),
        steps=(
            *_revealed,
            write("company:passphrase.password", PASSWORD, then="Enter"),
            sees("company:newPassphrase.label"),
        ),
    ),
    Screen("key-holder", HERE, LEADER, steps=_company_entry("console:companyActions.keyHolder")),
    Screen(
        "key-holder-failed",
        HERE,
        LEADER,
        before=(failed("/company/key-holder"),),
        steps=_company_entry("console:companyActions.keyHolder"),
    ),
    Screen("key-holder-choose", HERE, LEADER, steps=_named),
    Screen(
        "key-holder-no-keys",
        HERE,
        LEADER,
        before=(_without_keys,),
        steps=(*_named, _chosen, sees("company:keyHolder.checkAgain")),
    ),
    Screen(
        "key-holder-words",
        HERE,
        LEADER,
        steps=(*_named, _chosen, waits_for("dialog[open] [type=password]")),
    ),
    Screen(
        "key-holder-named",
        HERE,
        LEADER,
        before=(answered("/company/key-holder", {**_OMAR, "isCurrent": True}),),
        steps=_company_entry("console:companyActions.keyHolder"),
    ),
    Screen(
        "key-holder-outdated",
        HERE,
        LEADER,
        before=(answered("/company/key-holder", {**_OMAR, "isCurrent": False}),),
        steps=_company_entry("console:companyActions.keyHolder"),
    ),
    Screen(
        "key-holder-remove",
        HERE,
        LEADER,
        before=(answered("/company/key-holder", {**_OMAR, "isCurrent": True}),),
        steps=(
            *_company_entry("console:companyActions.keyHolder"),
            press("company:keyHolder.removeOf", name=MEMBER.name),
            waits_for("[role=alertdialog]"),
        ),
    ),
    Screen(
        "key-holder-banner",
        HERE,
        LEADER,
        before=(changed("/company/alerts", passphraseNeeded=True, keyHolder=MEMBER.name),),
    ),
)

MEMBER_SCREENS = (
    Screen(
        "held-key",
        "/download",
        MEMBER,
        before=_holds(),
        steps=(user_entry("console:userActions.heldKey"),),
    ),
    Screen(
        "held-key-outdated",
        "/download",
        MEMBER,
        before=_holds(isCurrent=False),
        steps=(user_entry("console:userActions.heldKey"),),
    ),
    Screen("held-key-notice", "/download", MEMBER, before=_holds(leaderNeedsKey=True)),
    Screen(
        "held-key-needed",
        "/download",
        MEMBER,
        before=_holds(leaderNeedsKey=True),
        steps=(user_entry("console:userActions.heldKey"),),
    ),
    Screen(
        "held-key-hand-over",
        "/download",
        MEMBER,
        before=_holds(leaderNeedsKey=True),
        steps=(
            user_entry("console:userActions.heldKey"),
            press("company:heldKey.titles.handOver"),
            waits_for("dialog[open] [type=password]"),
        ),
    ),
    Screen("download", "/download", MEMBER),
    Screen(
        "download-overdue",
        "/download",
        MEMBER,
        before=(
            answered("/storage/backups/overdue", {"devices": [{"name": "Laptop", "days": 5}]}),
        ),
        steps=(waits_for("main ul[aria-label] li"),),
    ),
    Screen(
        "download-building",
        "/download",
        MEMBER,
        before=(
            answered(
                "/downloads", {"version": None, "files": [], "building": {"done": 7, "total": 18}}
            ),
        ),
        waits=True,
    ),
    Screen("download-failed", "/download", MEMBER, before=(failed("/downloads"),)),
    Screen(
        "download-closed",
        "/download",
        MEMBER,
        before=(changed("/auth/login-token", isSubscribed=False),),
    ),
)
