"""The recovery kit's reader restores from copies of clouds, from disk and without a network."""

import json
import re
import subprocess
import zipfile
from pathlib import Path
from subprocess import PIPE

import pytest
import segno
from playwright.sync_api import Browser, expect

from browser import FLAGS, system_browser
from client.tests.copies import CODE, COMPANY, Space, write_copies
from client.tests.service import PASSPHRASE
from kit_reader import (
    READER,
    contents,
    fill_space,
    open_copies,
    opened_reader,
    restore,
    two_copies,
)
from tessera_client.vault.kit import Kit, SpaceEnd
from tessera_client.vault.kit_sheet import square_texts
from tessera_core.recovery import code_to_text, new_code
from tests.tools import tool

FRONTEND = Path(__file__).parents[1] / "frontend"

pytestmark = pytest.mark.extended


def test_two_of_three_clouds_are_enough(browser: Browser, tmp_path: Path) -> None:
    space = Space()
    fill_space(space, tmp_path / "source" / "Designs", files=300, size=24_000_000, seed=7)
    copies = two_copies(tmp_path, [space])
    end = SpaceEnd("Designs", space.state.sequence, space.state.head, 0, space.id)
    kit = Kit(COMPANY, "Acme", code_to_text(CODE), 1, 1, "0" * 32, (end,))
    # One cloud's lie: the description of a link, by which the kit would ask for the link instead.
    (copies[0] / "vault" / "deep").mkdir()
    (copies[0] / "vault" / "deep" / "tessera-share.json").write_text("{}")
    photo = tmp_path / "sheet.png"
    segno.make(square_texts(kit)[0], error="m").save(str(photo), scale=4, border=8)
    with opened_reader(browser) as page:
        open_copies(page, copies, code_to_text(new_code()))
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("belongs to another company", timeout=30_000)
        page.fill("[name=code]", "ABCD-EFGH")
        page.click("[type=submit]")
        expect(alert).to_contain_text("check digits")
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
        expect(result).to_contain_text(re.compile("Designs/lost.bin.: missing in .cloud0, cloud1"))
        expect(result).to_contain_text(re.compile("cloud1.*damaged files"))
        expect(result).to_contain_text("plan.txt → plan (2).txt")
    out = contents(tmp_path / "out" / "Designs")
    assert sorted(out.values()) == [b"PLAN.txt", b"a:b", b"con.txt", b"dots..", b"plan.txt"]
    assert all(re.fullmatch(r"[\w .()-]+", name) for name in out)


def test_camera_reads_the_sheet_and_a_folder_takes_the_files(
    browser: Browser, tmp_path: Path
) -> None:
    space = Space()
    for name in ("plan.txt", "CON", "plan.lnk"):
        space.put(f"deep/{name}", name.encode())
    copies = two_copies(tmp_path, [space])
    end = SpaceEnd("Designs", space.state.sequence, space.state.head, 0, space.id)
    kit = Kit(COMPANY, "Acme", code_to_text(CODE), 1, 1, "0" * 32, (end,))
    video = write_video(tmp_path / "camera.y4m", square_texts(kit)[0])
    camera = browser.browser_type.launch(
        executable_path=system_browser(),
        args=[
            *FLAGS,
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={video}",
        ],
    )
    context = camera.new_context()
    # A page from disk has no storage of its own, which stands for the folder that somebody picks.
    address = "https://kit.example/"
    context.route(address, lambda route: route.fulfill(path=READER, content_type="text/html"))
    page = context.new_page()
    page.goto(address)
    page.evaluate("window.showDirectoryPicker = () => navigator.storage.getDirectory()")
    page.get_by_role("button", name="Scan the sheet with the camera").click()
    expect(page.locator("[name=code]")).to_have_value(code_to_text(CODE), timeout=30_000)
    expect(page.locator("video")).to_have_count(0)
    open_copies(page, copies)
    expect(page.locator(".space")).to_contain_text("holds the state", timeout=30_000)
    page.click("[data-action=restore-to-folder]")
    expect(page.locator("[data-result=complete]")).to_be_visible(timeout=30_000)
    found = page.evaluate(READ_FOLDER)
    camera.close()
    [(top, _, _)] = [path.partition("/") for path in found][:1]
    assert sorted(found.values()) == ["CON", "plan.lnk", "plan.txt"]
    assert found[f"{top}/Designs/deep/plan.txt"] == "plan.txt"
    assert not [path for path in found if path.endswith(("/CON", ".lnk"))]


def test_firefox_opens_the_reader_from_disk_and_saves_a_zip(tmp_path: Path) -> None:
    firefox = tool("firefox-esr")
    space = Space()
    fill_space(space, tmp_path / "source" / "Designs", files=40, size=3_000_000, seed=3)
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    copies = two_copies(tmp_path, [space])
    given = map(str, (firefox, READER, PASSPHRASE, code_to_text(CODE), downloads, *copies))
    ended = subprocess.run(
        ["node", "scripts/kit-in-firefox.mjs", *given], cwd=FRONTEND, check=True, stdout=PIPE
    )
    answer = json.loads(ended.stdout)
    assert (answer["verdict"], answer["problems"]) == ("complete", [])
    [saved] = downloads.iterdir()
    with zipfile.ZipFile(saved) as archive:
        archive.extractall(tmp_path / "out")
    assert contents(tmp_path / "out") == contents(tmp_path / "source")


READ_FOLDER = """async () => {
    const found = {}
    const walk = async (folder, path) => {
        for await (const [name, handle] of folder.entries()) {
            if (handle.kind === 'directory') await walk(handle, `${path}${name}/`)
            else found[path + name] = await (await handle.getFile()).text()
        }
    }
    await walk(await navigator.storage.getDirectory(), '')
    return found
}"""


def write_video(path: Path, text: str) -> Path:
    """A picture of a square code, as the video that a camera takes."""
    width, height = 640, 480
    rows = [bytes(row) for row in segno.make(text, error="m").matrix_iter(border=4)]
    scale = height // len(rows)
    lines = [bytes(0 if module else 235 for module in row for _ in range(scale)) for row in rows]
    light = b"".join(line.ljust(width, b"\xeb") * scale for line in lines)
    frame = light.ljust(width * height, b"\xeb") + bytes([128]) * (width * height // 2)
    path.write_bytes(b"YUV4MPEG2 W640 H480 F10:1 Ip A1:1 C420jpeg\n" + (b"FRAME\n" + frame) * 3)
    return path
