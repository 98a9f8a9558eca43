"""Passkeys in a real browser, whose authenticator is Chromium's virtual one."""

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from accounts import PASSPHRASE, PASSWORD, Company
from user import User

pytestmark = pytest.mark.device(host="localhost")


def plug_in(page: Page) -> CDPSession:
    """Gives the page an authenticator that confirms every prompt at once."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "ctap2Version": "ctap2_1",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "hasPrf": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    return session


def open_passkeys(user: User) -> tuple[Locator, Locator]:
    """Opens two-step login; returns the dialog and its list of passkeys."""
    dialog = user.open_dialog("console:userActions.twoFactor")
    section = dialog.get_by_role("region", name=user.texts("security:passkeys.heading"))
    expect(
        section.get_by_role("button", name=user.texts("security:twoFactor.title.passkey"))
    ).to_be_visible()
    return dialog, section


def add_passkey(user: User, name: str) -> None:
    texts = user.texts
    dialog, section = open_passkeys(user)
    section.get_by_role("button", name=texts("security:twoFactor.title.passkey")).click()
    dialog.get_by_label(texts("security:passkeys.name")).fill(name)
    dialog.get_by_role("button", name=texts("security:passkeys.create")).click()
    user.assert_toast(texts("security:passkeys.added"))
    expect(section.get_by_role("listitem")).to_contain_text(name)
    close(user, dialog)


def close(user: User, dialog: Locator) -> None:
    dialog.get_by_role("button", name=user.texts("common:actions.close"), exact=True).click()
    expect(dialog).to_be_hidden()


def turn_sms_off(user: User) -> None:
    texts = user.texts
    dialog, _ = open_passkeys(user)
    dialog.get_by_role("button", name=texts("security:twoFactor.sms.turnOff")).click()
    user.page.get_by_role("alertdialog").get_by_role(
        "button", name=texts("security:twoFactor.sms.turnOff")
    ).click()
    user.assert_toast(texts("security:twoFactor.sms.turnedOff"))
    expect(
        dialog.get_by_role("button", name=texts("security:twoFactor.sms.turnOn"))
    ).to_be_visible()
    close(user, dialog)


def let_unlock(user: User, name: str) -> None:
    """Lets the passkey unlock the keys, which needs the password once."""
    texts = user.texts
    dialog, section = open_passkeys(user)
    section.get_by_role("button", name=f"Unlock keys with {name}").click()
    dialog.get_by_label(texts("auth:fields.currentPassword"), exact=True).fill(PASSWORD)
    dialog.get_by_role("button", name=texts("security:passkeys.create")).click()
    user.assert_toast(texts("security:passkeys.unlockOn"))
    expect(section.get_by_role("listitem")).to_contain_text(texts("security:passkeys.unlocks"))
    close(user, dialog)


class TestPasskeys:
    def test_passkey_logs_in_unlocks_the_keys_and_is_removed(
        self, user: User, company: Company
    ) -> None:
        page, texts, leader = user.page, user.texts, company.leader
        plug_in(page)
        user.sign_in(leader, "/faq")
        add_passkey(user, "Laptop")
        turn_sms_off(user)
        user.log_out()

        user.submit_password(leader)
        use = page.get_by_role("button", name=texts("auth:passkey.use"))
        expect(use).to_be_visible()
        expect(page.get_by_role("button", name=texts("auth:passkey.useCode"))).to_have_count(0)
        use.click()
        expect(user.user_menu()).to_be_visible()
        assert user.messages(leader.phone) == []

        let_unlock(user, "Laptop")
        user.wait_for_requests()
        page.reload()
        user.open_company("Passphrase")
        page.get_by_role("button", name="Reveal", exact=True).click()
        page.get_by_role("button", name=texts("company:passphrase.unlockPasskey")).click()
        expect(page.get_by_text(PASSPHRASE)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()

        dialog, section = open_passkeys(user)
        section.get_by_role("button", name="Remove Laptop").click()
        page.get_by_role("alertdialog").get_by_role(
            "button", name=texts("common:actions.remove")
        ).click()
        user.assert_toast(texts("security:passkeys.removed"))
        expect(section.get_by_text(texts("security:passkeys.none"))).to_be_visible()
        # Nothing else is left, so codes come by SMS again.
        sms = dialog.get_by_role("region", name=texts("security:twoFactor.sms.name"))
        expect(sms).to_contain_text("A code is sent to")
