"""A team leader exports everything and leaves, and then stays after all."""

import io
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from user import User


@pytest.mark.extended
def test_leader_saves_the_records_leaves_and_stays(user: User) -> None:
    company = user.server.factory.company(cards=("tok_visa",))
    page = user.page
    user.sign_in(company.leader, "/subscription")
    page.get_by_role("link", name="Export everything and leave").click()
    expect(page).to_have_url(f"{user.address}/leave")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download records").click()
    content = Path(download.value.path()).read_bytes()
    names = zipfile.ZipFile(io.BytesIO(content)).namelist()
    assert {"company.json", "members.csv", "activity.csv"} <= set(names)

    page.get_by_role("button", name="Leave Tessera").click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog.get_by_text("Company deleted on")).to_be_visible()
    dialog.get_by_label(f"Type “{company.name}” to confirm").fill(company.name)
    dialog.get_by_role("button", name="Leave Tessera").click()
    expect(page.get_by_role("region", name="Your company is leaving Tessera")).to_be_visible()

    page.goto("/team-members")
    banner = page.get_by_role("complementary", name="Needs your attention")
    expect(banner).to_contain_text("Your company will be deleted on")
    banner.get_by_role("link", name="Save your data or stay").click()
    page.get_by_role("button", name="Stay with Tessera").click()
    expect(page.get_by_role("region", name="3. Leave Tessera")).to_be_visible()
    expect(banner).to_have_count(0)
    user.next_message(company.leader.email, 1)
    subjects = [mail["subject"] for mail in user.messages(company.leader.email)]
    assert f"{company.name} is leaving Tessera" in subjects
