"""A leader makes an API token, a program uses it, the activity names it, and it is revoked."""

import httpx
from playwright.sync_api import expect

from accounts import Company
from server import Server
from user import User


def test_a_token_from_the_first_click_to_its_end(
    user: User, company: Company, server: Server
) -> None:
    user.sign_in(company.leader, "/api-tokens")
    page = user.page
    page.get_by_role("button", name="Create token").click()
    dialog = page.get_by_role("dialog", name="Create API token")
    dialog.get_by_label("Name").fill("Payroll sync")
    dialog.get_by_role("checkbox", name="Read members and invitations").check()
    dialog.get_by_label("Allowed addresses").fill("not an address")
    dialog.get_by_role("button", name="Create token").click()
    expect(dialog.get_by_text("Enter an address such as")).to_be_visible()
    dialog.get_by_label("Allowed addresses").fill("127.0.0.0/8")
    dialog.get_by_role("button", name="Create token").click()
    shown = page.get_by_role("dialog", name="Token “Payroll sync” created")
    token = shown.get_by_role("region", name="Your token").inner_text().strip()
    shown.get_by_role("button", name="I have copied it").click()
    expect(page.get_by_text(token)).to_have_count(0)

    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=server.address, headers=headers) as program:
        listed = program.get("/api/users")
        assert (listed.status_code, listed.json()["item2"]) == (200, 2)
        assert program.get("/api/activity").json()["code"] == "api_token_scope_missing"

        page.reload()
        expect(page.get_by_role("listitem").filter(has_text="Payroll sync")).to_contain_text(
            "127.0.0.1"
        )
        page.goto("/activity")
        expect(page.get_by_text("Payroll sync (API token)").first).to_be_visible()
        expect(page.get_by_text("GET /api/users")).to_be_visible()
        expect(page.get_by_text("Call with an API token refused")).to_be_visible()

        page.goto("/api-tokens")
        page.get_by_role("button", name="Revoke Payroll sync").click()
        page.get_by_role("alertdialog").get_by_role("button", name="Revoke token").click()
        expect(page.get_by_text("Token Revoked")).to_be_visible()
        assert program.get("/api/users").json()["code"] == "api_token_revoked"
