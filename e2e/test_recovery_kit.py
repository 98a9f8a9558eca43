"""The recovery kit's reader restores from copies of clouds, from disk and without a network."""

import re
from pathlib import Path

import pytest
import segno
from playwright.sync_api import Browser, expect

from client.tests.copies import CODE, COMPANY, Space, write_copies
from kit_reader import contents, fill_space, open_copies, opened_reader, restore, two_copies
from tessera_client.vault.kit import Kit, SpaceEnd
from tessera_client.vault.kit_sheet import square_texts
from tessera_core.recovery import code_to_text, new_code

pytestmark = pytest.mark.extended


def test_two_of_three_clouds_are_enough(browser: Browser, tmp_path: Path) -> None:
    space = Space()
    fill_space(space, tmp_path / "source" / "Designs", files=300, size=24_000_000, seed=7)
    copies = two_copies(tmp_path, [space])
    end = SpaceEnd("Designs", space.state.sequence, space.state.head, 0, space.id)
    kit = Kit(COMPANY, "Acme", code_to_text(CODE), 1, 1, "0" * 32, (end,))
    photo = tmp_path / "sheet.png"
    segno.make(square_texts(kit)[0], error="m").save(str(photo), scale=4, border=8)
    with opened_reader(browser) as page:
        open_copies(page, copies, code_to_text(new_code()))
        expect(page.get_by_role("alert")).to_contain_text("typed as it was printed", timeout=30_000)
        page.fill("[name=code]", "ABCD-EFGH")
        page.click("[type=submit]")
        expect(page.get_by_role("alert")).to_contain_text("check digits")
        for _ in copies:
            page.locator(".remove").first.click()
        open_copies(page, copies)
        expect(page.locator(".space")).to_contain_text("not compared", timeout=30_000)
        page.fill("[name=code]", "")
        page.set_input_files("[name=picture]", photo)
        expect(page.locator("[name=code]")).to_have_value(code_to_text(CODE), timeout=30_000)
        page.click("[type=submit]")
        expect(page.locator(".space")).to_contain_text("holds the state", timeout=30_000)
        assert restore(page, tmp_path / "out") == "complete"
    assert contents(tmp_path / "out") == contents(tmp_path / "source")


def test_says_what_is_missing_which_copy_is_old_or_damaged_and_how_names_changed(
    browser: Browser, tmp_path: Path
) -> None:
    space = Space()
    for name in ("plan.txt", "PLAN.txt", "con.txt", "dots..", "a:b", "lost.bin"):
        lost = space.put(name, name.encode())
    old, damaged, new = write_copies(tmp_path, [space], cut=[len(space.entries) - 1])
    # One copy is older: it lacks the last entry. Another has one damaged piece.
    max((old / "vault").rglob("log/*/*")).unlink()
    pieces = sorted((damaged / "vault").rglob("packs/*/*"))
    piece = next(path for path in pieces if lost.record.pack.hex() not in path.name)
    piece.write_bytes(piece.read_bytes()[:-1])
    for copy in (old, damaged):
        (piece,) = (copy / "vault").rglob(f"{lost.record.pack.hex()}.*")
        piece.unlink()
    with opened_reader(browser) as page:
        open_copies(page, [old, damaged, new])
        expect(page.locator(".space")).to_contain_text(
            re.compile("cloud0.* is older"), timeout=30_000
        )
        assert restore(page, tmp_path / "out") == "incomplete"
        result = page.locator("section", has=page.locator("[data-result]"))
        expect(result).to_contain_text("Designs/lost.bin")
        expect(result).to_contain_text(re.compile("cloud1.*damaged files"))
        expect(result).to_contain_text("plan.txt → plan (2).txt")
    out = contents(tmp_path / "out" / "Designs")
    assert sorted(out.values()) == [b"PLAN.txt", b"a:b", b"con.txt", b"dots..", b"plan.txt"]
    assert all(re.fullmatch(r"[\w .()-]+", name) for name in out)
