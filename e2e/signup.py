"""Drives the sign-up form, in any language."""

from playwright.sync_api import FrameLocator, Page, expect

from user import User

REGISTRATION_PASSWORD = "tessera-beta-2026"
SECRET = "quiet-Harbour-Lights-77"
PASSPHRASE = "seven copper lanterns over quiet water"


class Signup:
    def __init__(self, user: User) -> None:
        self.user = user
        self.page: Page = user.page
        self.texts = user.texts

    def fill(self, key: str, value: str) -> None:
        self.page.get_by_label(self.texts(key), exact=True).fill(value)

    def press(self, key: str) -> None:
        self.page.get_by_role("button", name=self.texts(key), exact=True).click()

    def at(self, key: str) -> None:
        heading = self.page.get_by_role("heading", level=1, name=self.texts(key))
        expect(heading).to_be_visible(timeout=20_000)

    def card(self) -> FrameLocator:
        return self.page.frame_locator("iframe")

    def verify_password(self) -> None:
        self.at("signup:password.title")
        self.fill("signup:password.label", REGISTRATION_PASSWORD)
        self.press("signup:password.verify")

    def register_company(self, name: str, email: str) -> None:
        self.at("signup:steps.company")
        self.fill("company:edit.name", name)
        self.fill("company:edit.email", email)
        self.fill("auth:fields.phone", "2025550160")
        self.fill("company:edit.addressLine1", "1 Harbour Street")
        self.fill("company:edit.city", "Portland")
        self.page.get_by_label(self.texts("company:edit.state"), exact=True).select_option("ME")
        self.fill("company:edit.zip", "04101")
        self.press("common:actions.next")

    def fill_in_person(self, first: str, last: str, phone: str) -> None:
        self.fill("auth:fields.firstName", first)
        self.fill("auth:fields.lastName", last)
        self.fill("auth:fields.phone", phone)
        self.fill("auth:fields.password", SECRET)
        self.fill("auth:fields.confirmPassword", SECRET)

    def verify_phone(self, phone: str) -> None:
        before = len(self.user.messages(phone))
        self.press("signup:phone.send")
        field = self.page.get_by_label(self.texts("auth:code.label"))
        expect(field).to_be_visible(timeout=20_000)
        field.fill(str(self.user.next_message(phone, before)["code"]))
        self.press("signup:phone.close")

    def choose_passphrase(self) -> None:
        self.at("signup:passphrase.title")
        self.fill("company:newPassphrase.label", PASSPHRASE)
        self.fill("company:newPassphrase.again", PASSPHRASE)
        self.page.get_by_role("checkbox").check()
        with self.page.expect_download() as kit:
            self.press("company:kit.save")
        assert PASSPHRASE in kit.value.path().read_text()
        self.press("common:actions.next")

    def enter_card(self, number: str = "4242424242424242") -> None:
        self.at("signup:payment.title")
        card = self.card()
        boxes = card.locator("input")
        expect(boxes.first).to_be_visible(timeout=20_000)
        for index, text in enumerate((number, "1230", "123", "04101")):
            boxes.nth(index).fill(text)
        card.get_by_role("button").click()

    def submit(self) -> None:
        self.at("signup:review.title")
        self.page.get_by_role("checkbox").check()
        self.press("signup:review.submit")

    def up_to_the_leader(self, name: str, email: str) -> None:
        self.verify_password()
        self.register_company(name, f"office.{email}")
        self.at("signup:leader.title")

    def up_to_the_phone(self, name: str, email: str, phone: str) -> None:
        self.up_to_the_leader(name, email)
        self.fill("auth:fields.email", email)
        self.fill_in_person("Ines", "Duarte", phone)
        self.press("common:actions.next")

    def up_to_the_card(self, name: str, email: str, phone: str) -> None:
        self.up_to_the_phone(name, email, phone)
        self.verify_phone(phone)
        self.choose_passphrase()
