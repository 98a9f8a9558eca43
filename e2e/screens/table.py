"""Every screen of the console, for the screenshots, the metrics and the tests."""

from device import LOCALES, THEMES, Device
from screens.account import ACCOUNT, FRAME, MEMBER_SCREENS
from screens.admin import ADMIN_SCREENS
from screens.leader import (
    IDENTITY,
    MEMBERS,
    POLICIES,
    REST,
    STORAGE,
    SUBSCRIPTION,
    TOKENS,
    WAREHOUSES,
)
from screens.public import PUBLIC, SIGNUP

GROUPS = {
    "Public pages": PUBLIC,
    "Sign-up": SIGNUP,
    "Platform admin": ADMIN_SCREENS,
    "Members and invitations": MEMBERS,
    "Warehouses": WAREHOUSES,
    "Storage": STORAGE,
    "Subscription": SUBSCRIPTION,
    "API tokens": TOKENS,
    "Company identity": IDENTITY,
    "Policies": POLICIES,
    "Activity and help": REST,
    "The frame": FRAME,
    "One's own account and company": ACCOUNT,
    "Team member": MEMBER_SCREENS,
}
SCREENS = tuple(screen for group in GROUPS.values() for screen in group)
DEVICES = tuple(Device(language, theme) for language in LOCALES for theme in THEMES)
