"""Screens of a platform admin."""

from accounts import ADMIN
from screens.screen import (
    Screen,
    Step,
    actions_of,
    answered,
    dialog,
    failed,
    press,
    searched,
    sees,
    waits_for,
)
from user import User

COMPANY = "Northwind Ltd"
LIST = "/admin/companies"
PAGE = "/admin/companies/:id"


def _opened(user: User) -> None:
    user.page.get_by_role("link", name=COMPANY, exact=True).click()
    user.page.wait_for_url("**/admin/companies/*")
    waits_for("[role=tabpanel] dl")(user)


def _on_tab(tab: str) -> Step:
    def step(user: User) -> None:
        _opened(user)
        user.page.get_by_role("tab", name=user.texts(f"companies:detail.tabs.{tab}")).click()
        waits_for("[role=tabpanel] tbody tr, [role=tabpanel] li")(user)

    return step


def _members_shown(user: User) -> None:
    press("table:actions.of", name=COMPANY)(user)
    user.choose(user.texts("companies:actions.members"))
    user.page.wait_for_url("**/admin/members*")
    waits_for("[role=tabpanel] tbody tr, [role=tabpanel] li")(user)


def _switched(user: User) -> None:
    user.page.get_by_role("switch").first.click()


_REQUESTS = [
    {
        "id": number,
        "name": name,
        "companyName": company,
        "emailAddress": email,
        "state": state,
        "dateCreated": "2026-10-01T09:00:00Z",
        "decidedAt": None,
        "expiresAt": None,
    }
    for number, (name, company, email, state) in enumerate(
        (
            ("Grace Hopper", "Harbour Ltd", "grace@harbour.test", "open"),
            ("Ines Duarte", "Lighthouse Inc", "ines@lighthouse.test", "approved"),
            ("Linus Berg", "Fjord AS", "linus@fjord.test", "declined"),
            ("Leyla Kaya", "Bosphorus Ltd", "leyla@bosphorus.test", "used"),
        )
    )
]
_REQUESTED = answered("/access-requests", {"item1": _REQUESTS, "item2": len(_REQUESTS)})
REQUESTS = "/admin/access-requests"

SYSTEM = "/admin/system"
_TROUBLED = answered(
    "/admin/system",
    {
        "readAt": "2026-10-01T09:00:00Z",
        "countedUpTo": 10000,
        "queues": [
            {
                "name": "email",
                "waiting": 10001,
                "running": 8,
                "oldest": {
                    "workflow": "tessera.notifications.workflows.deliver_email",
                    "since": "2026-10-01T08:12:00Z",
                },
            },
            {
                "name": "storage",
                "waiting": 14,
                "running": 2,
                "oldest": {
                    "workflow": "tessera.storage.workflows.repair_packs",
                    "since": "2026-10-01T06:40:00Z",
                },
            },
            {"name": "sms", "waiting": 0, "running": 0, "oldest": None},
        ],
        "failedWorkflows": 3,
        "failingClouds": [
            {
                "cloud": cloud,
                "cause": cause,
                "reason": reason,
                "warehouses": warehouses,
                "companies": companies,
            }
            for cloud, cause, reason, warehouses, companies in (
                ("Azure", "unreachable", "Cannot reach the provider.", 412, 388),
                ("AWS S3", "wrong_key", "The provider rejects these credentials.", 3, 2),
            )
        ],
        "messages": [
            {"channel": "email", "waiting": 10001, "refused": 0, "lastRefusedAt": None},
            {
                "channel": "sms",
                "waiting": 0,
                "refused": 27,
                "lastRefusedAt": "2026-10-01T08:55:00Z",
            },
        ],
        "replica": {"state": "following", "behindBytes": 48000000, "behindSeconds": 31.4},
        "lastBackupAt": "2026-09-28T02:10:00Z",
        "processes": [
            {
                "slot": slot,
                "version": version,
                "commit": commit,
                "startedAt": "2026-09-30T18:00:00Z",
                "seenAt": seen_at,
                "isSilent": is_silent,
            }
            for slot, version, commit, seen_at, is_silent in (
                (0, "0.8.1", "3f12a2d4dfad", "2026-10-01T08:59:59Z", False),
                (1, "0.8.0", None, "2026-10-01T08:58:00Z", True),
            )
        ],
    },
)

ADMIN_SCREENS = (
    Screen("system", SYSTEM, ADMIN, steps=(waits_for("section li"),)),
    Screen("system-troubles", SYSTEM, ADMIN, before=(_TROUBLED,), steps=(waits_for("section li"),)),
    Screen(
        "system-failed",
        SYSTEM,
        ADMIN,
        before=(failed("/admin/system"),),
        steps=(sees("system:failed"),),
    ),
    Screen("access-requests", REQUESTS, ADMIN, before=(_REQUESTED,)),
    Screen(
        "access-request-actions",
        REQUESTS,
        ADMIN,
        before=(_REQUESTED,),
        steps=actions_of("grace@harbour.test"),
    ),
    Screen(
        "access-requests-failed",
        REQUESTS,
        ADMIN,
        before=(failed("/access-requests"),),
        steps=(sees("common:error.title"),),
    ),
    Screen("companies", LIST, ADMIN),
    Screen(
        "companies-filters",
        LIST,
        ADMIN,
        steps=(press("table:filters.open"), waits_for("form select")),
    ),
    Screen("companies-nothing-found", LIST, ADMIN, path=f"{LIST}?q=no+such+company"),
    Screen(
        "companies-failed",
        LIST,
        ADMIN,
        before=(failed("/companies"),),
        steps=(sees("common:error.title"),),
    ),
    Screen("company-actions", LIST, ADMIN, steps=actions_of(COMPANY)),
    Screen("company-details", PAGE, ADMIN, path=LIST, steps=(_opened,)),
    Screen("company-details-members", PAGE, ADMIN, path=LIST, steps=(_on_tab("members"),)),
    Screen("company-details-activity", PAGE, ADMIN, path=LIST, steps=(_on_tab("activity"),)),
    Screen("company-not-found", PAGE, ADMIN, path=f"{LIST}/999999"),
    Screen(
        "company-failed",
        PAGE,
        ADMIN,
        path=f"{LIST}/999999",
        before=(failed("/company/999999/detail"),),
        steps=(sees("common:error.title"),),
    ),
    Screen("company-disable", LIST, ADMIN, steps=(_switched, dialog)),
    Screen(
        "company-delete",
        LIST,
        ADMIN,
        steps=actions_of(COMPANY, "companies:actions.delete"),
    ),
    Screen("company-search", LIST, ADMIN, steps=(searched("north"),)),
    Screen("company-members", "/admin/members", ADMIN, path=LIST, steps=(_members_shown,)),
    Screen("company-unselected", "/admin/members", ADMIN),
    Screen("activity-all", "/admin/activity", ADMIN),
)
