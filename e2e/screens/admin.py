"""Screens of a platform admin."""

from accounts import ADMIN
from screens.screen import Screen, actions_of, dialog, failed, press, searched, sees, waits_for
from user import User

COMPANY = "Northwind Ltd"
LIST = "/admin/companies"


def _selected(user: User) -> None:
    user.page.get_by_role("button", name=COMPANY, exact=True).click()
    user.page.wait_for_url("**/admin/members*")
    waits_for("[role=tabpanel] tbody tr, [role=tabpanel] li")(user)


def _switched(user: User) -> None:
    user.page.get_by_role("switch").first.click()


ADMIN_SCREENS = (
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
    Screen("company-details", LIST, ADMIN, steps=actions_of(COMPANY, "companies:actions.detail")),
    Screen("company-disable", LIST, ADMIN, steps=(_switched, dialog)),
    Screen(
        "company-delete",
        LIST,
        ADMIN,
        steps=actions_of(COMPANY, "companies:actions.delete"),
    ),
    Screen("company-search", LIST, ADMIN, steps=(searched("north"),)),
    Screen("company-members", "/admin/members", ADMIN, path=LIST, steps=(_selected,)),
    Screen("company-unselected", "/admin/members", ADMIN),
    Screen("activity-all", "/admin/activity", ADMIN),
)
