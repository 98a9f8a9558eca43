"""Every screen of the client's page, and the computers on which it runs."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from playwright.sync_api import Browser, expect

from client_page import running_page
from computer import Computer
from device import Device, new_context
from screens.screen import BUSY, Step, answered, held, press, sees, waits_for, write
from server import Server
from user import User

# Changes what the program says about itself before the page sees it.
_CHANGE_STATE = """const RealEventSource = EventSource
const change = %s
window.EventSource = class extends RealEventSource {
  set onmessage(handler) {
    super.onmessage = ({ data }) => handler({ data: JSON.stringify(change(JSON.parse(data))) })
  }
}"""
_FILES = {
    "Brand book/Colours.pdf": 48_000,
    "Brand book/Logo.svg": 9_000,
    "Contracts/2026/Kestrel Analytics.pdf": 120_000,
    "Contracts/2026/Lindqvist.pdf": 96_000,
    "Photo shoot/DSC 0414.jpg": 410_000,
    "Photo shoot/DSC 0415.jpg": 380_000,
    "Annual report 2026.pdf": 224_000,
    "Budget and timeline.xlsx": 14_800,
    "Interview notes.docx": 9_600,
    "Moodboard.png": 641_000,
    "التقرير السنوي.pdf": 88_000,
}
_VERSIONED, _REMOVED = "Annual report 2026.pdf", "Interview notes.docx"
_TRANSFER: dict[str, object] = {"space": "", "target": None, "isSafe": True, "renamed": []}


@dataclass(frozen=True)
class ClientScreen:
    name: str
    # "nobody" has not logged in yet, "member" waits for access, "leader" has files.
    person: str
    # Behind the # of the address.
    path: str = "/"
    # A JavaScript function of the program's state.
    change: str = ""
    before: tuple[Step, ...] = ()
    steps: tuple[Step, ...] = ()
    # Never becomes idle, because the screen shows something in progress.
    waits: bool = False

    def open(self, user: User, address: str) -> None:
        if self.change:
            user.page.add_init_script(_CHANGE_STATE % self.change)
        for step in self.before:
            step(user)
        user.page.goto(f"{address}/#{self.path}")
        expect(user.page.locator("h1").first).to_be_attached()
        for step in self.steps:
            step(user)
        if not self.waits:
            expect(user.page.locator(f"{BUSY}:not(button)")).to_have_count(0)
        user.page.mouse.move(0, 0)
        user.wait_for_transitions()


def _opened(name: str) -> Step:
    return lambda user: user.page.get_by_role("button", name=name, exact=True).click()


def _transfers(*rows: tuple[str, str, int, int]) -> str:
    items = [
        {**_TRANSFER, "id": number, "kind": "upload", "path": path, "size": size, "done": done,
         "state": state, "message": "Too few clouds answer." if state == "failed" else ""}
        for number, (path, state, size, done) in enumerate(rows, 1)
    ]  # fmt: skip
    text = json.dumps(items)
    return f"(state) => ({{ ...state, transfers: {text} }})"


def _files_shown(user: User) -> None:
    """Waits for the pieces of files, which have no room on a phone."""
    expect(user.page.locator("tbody [data-state]").first).to_be_attached()


_RUN = {
    "time": 1_795_000_000_000, "began": 0, "stored": 3, "unchanged": 210, "bytes": 8_400_000,
    "notSafe": 0, "failed": 0, "problems": [], "code": "", "message": "",
}  # fmt: skip
_BACKUP = {
    "exclude": [], "isWatched": False, "at": "", "remindAfter": None, "reportedAt": 0,
    "state": None, "nextRun": None,
}  # fmt: skip
_BACKUP_ROWS = [
    {
        **_BACKUP, "id": "1", "name": "Documents", "folder": "/home/ada/Documents",
        "path": "laptop/Documents", "exclude": ["*.tmp"], "every": "day", "at": "02:00",
        "remindAfter": 3, "nextRun": 1_795_053_600_000, "lastRun": _RUN,
    },
    {
        **_BACKUP, "id": "2", "name": "Pictures", "folder": "/home/ada/Pictures",
        "path": "Pictures", "isWatched": True, "every": None,
        "lastRun": {**_RUN, "code": "folder_gone"},
    },
]  # fmt: skip
_BACKUPS = (
    f"(state) => {{ const rows = {json.dumps(_BACKUP_ROWS)};"
    " return { ...state, backups: { problem: null,"
    " rows: rows.map((row) => ({ ...row, space: state.spaces[0].id })) } } }"
)

_FOLDER = {
    "kind": "sync", "path": "/", "excluded": [], "subfolders": [], "patterns": [], "paused": False,
    "waiting": 0, "conflicts": 0, "problem": None, "at": 1_795_000_000_000,
}  # fmt: skip
_FOLDER_ROWS = [
    {
        **_FOLDER, "id": "1", "name": "Designs", "folder": "/home/ada/Designs", "state": "current",
        "subfolders": ["Photo shoot"], "patterns": ["*.tmp"],
    },
    {
        **_FOLDER, "id": "2", "name": "Contracts", "folder": "/home/ada/Contracts",
        "path": "/Contracts", "state": "conflict", "conflicts": 2,
    },
    {
        **_FOLDER, "id": "3", "name": "Tessera", "folder": "/home/ada/Tessera", "kind": "mount",
        "state": "waiting", "waiting": 12,
    },
    {
        **_FOLDER, "id": "4", "name": "Archive", "folder": "/mnt/disk/Archive", "state": "failed",
        "problem": {"code": "folder_gone", "message": ""},
    },
    {
        **_FOLDER, "id": "5", "name": "Notes", "folder": "/home/ada/Notes", "state": "paused",
        "paused": True, "waiting": 1,
    },
]  # fmt: skip
_FOLDERS = (
    f"(state) => {{ const rows = {json.dumps(_FOLDER_ROWS)};"
    " return { ...state, folders: { problem: null, service: 'running',"
    " rows: rows.map((row) => ({ ...row, space: state.spaces[0]?.id ?? null })) } } }"
)
_SIDE = {
    "path": "Contracts/2026/Kestrel.txt", "type": "file", "size": 2_140, "files": 0,
    "time": 1_795_000_000_000, "author": "Ada Lindqvist", "sequence": 7,
}  # fmt: skip
_CONFLICT = {
    "space": "0a8f2d3e-0000-4000-8000-000000000001",
    "current": _SIDE,
    "other": {
        **_SIDE,
        "path": "Contracts/2026/Kestrel (conflict, Ben Okafor, 2026-11-18 06.20).txt",
        "size": 1_980, "time": 1_794_990_000_000, "author": "Ben Okafor",
    },
}  # fmt: skip
_PREVIEW = {
    "text": "Kestrel Analytics\n\n1. The fee is 4,200 a month.\n2. It ends on 31 December 2027.\n",
    "isCut": False,
    "picture": None,
}

_NO_ROWS = {"rows": [], "offset": 0, "total": 0}

_LOGIN = (
    write("client:login.address", "https://tessera.example"),
    write("client:login.email", "leader@northwind.test"),
    write("client:login.password", "a password"),
    press("client:login.next"),
)
_KIT = {"code": "7KQM-3XZ0-VD4T-9HPB-W2NE-R6YA-C8GJ", "counter": 1, "page": "", "text": "Kit"}

CLIENT_SCREENS = (
    ClientScreen("client-login", "nobody", steps=(sees("client:login.title"),)),
    ClientScreen(
        "client-code",
        "nobody",
        before=(answered("/login/code", {"method": "sms", "sentTo": "+1•••••••01"}),),
        steps=(*_LOGIN, sees("client:code.device")),
    ),
    ClientScreen(
        "client-password-changed",
        "nobody",
        before=(answered("/login/code", {"code": "salt_changed", "message": ""}, status=409),),
        steps=(*_LOGIN, sees("client:changed.title")),
    ),
    ClientScreen("client-waiting", "member", steps=(waits_for("ol bdi"), waits_for("form"))),
    ClientScreen("client-files", "leader", "/files", steps=(_files_shown,)),
    ClientScreen(
        "client-files-empty",
        "leader",
        "/files",
        before=(answered("/files", _NO_ROWS),),
        steps=(sees("client:files.emptyTitle"),),
    ),
    ClientScreen(
        "client-files-loading",
        "leader",
        "/files",
        before=(held("/files"),),
        steps=(waits_for("table[aria-busy=true]"),),
        waits=True,
    ),
    ClientScreen(
        "client-file-versions",
        "leader",
        "/files",
        steps=(
            _files_shown,
            _opened(_VERSIONED),
            waits_for("aside ul li"),
            waits_for("aside ol li"),
        ),
    ),
    ClientScreen(
        "client-trash",
        "leader",
        "/files",
        steps=(
            lambda user: user.page.get_by_role(
                "link", name=user.texts("client:trash.title")
            ).click(),
            sees("client:trash.back"),
            waits_for("tbody th"),
        ),
    ),
    ClientScreen(
        "client-transfers",
        "leader",
        "/transfers",
        change=_transfers(
            ("Contracts/2025/Old.pdf", "done", 98_000, 98_000),
            ("Photo shoot/DSC 0416.jpg", "failed", 4_200_000, 900_000),
            ("Launch film, final cut.mp4", "running", 1_380_000_000, 883_000_000),
            ("Press kit.zip", "waiting", 238_800_000, 0),
        ),
        steps=(waits_for("[role=progressbar]"),),
    ),
    ClientScreen(
        "client-backups",
        "leader",
        "/backups",
        change=_BACKUPS,
        steps=(sees("client:menu.backups"), waits_for("main ul li")),
    ),
    ClientScreen(
        "client-backup-edit",
        "leader",
        "/backups",
        change=_BACKUPS,
        steps=(
            lambda user: user.page.locator("main li").first.get_by_role("button").nth(2).click(),
            waits_for("dialog select"),
        ),
    ),
    ClientScreen(
        "client-folders",
        "leader",
        "/folders",
        change=_FOLDERS,
        steps=(sees("client:menu.folders"), waits_for("main ul li")),
    ),
    ClientScreen(
        "client-folders-empty",
        "leader",
        "/folders",
        steps=(sees("client:folders.emptyTitle"),),
    ),
    ClientScreen(
        "client-folder-add",
        "leader",
        "/folders",
        steps=(press("client:folders.add"), waits_for("dialog input[type=checkbox]")),
    ),
    ClientScreen(
        "client-conflicts",
        "leader",
        "/folders/2/conflicts",
        change=_FOLDERS,
        before=(
            answered("/connected-folders/conflicts", {"rows": [_CONFLICT], "total": 1}),
            answered("/connected-folders/preview", _PREVIEW),
        ),
        steps=(press("client:conflicts.compare"), waits_for("main pre >> nth=1")),
    ),
    ClientScreen("client-team", "leader", "/team", steps=(waits_for("main ul li"),)),
    ClientScreen(
        "client-grant",
        "leader",
        "/team",
        steps=(press("client:team.grant"), waits_for("dialog fieldset")),
    ),
    ClientScreen("client-health", "leader", "/health", steps=(waits_for("main ul li"),)),
    ClientScreen(
        "client-warehouse-down",
        "leader",
        "/health",
        change="""(state) => {
          const { health } = state
          const down = health?.warehouses.find((warehouse) => warehouse.isPlaced)
          if (down) Object.assign(down, { status: 0, missing: down.shards })
          if (health) health.degraded = health.packs
          return state
        }""",
        steps=(waits_for("main ul li"),),
    ),
    ClientScreen("client-kit", "leader", "/recovery-kit", steps=(sees("client:kit.make"),)),
    ClientScreen(
        "client-kit-made",
        "leader",
        "/recovery-kit",
        before=(answered("/recovery-kit", _KIT),),
        steps=(
            write("client:kit.passphrase", "a passphrase"),
            press("client:kit.make"),
            sees("client:kit.confirmTitle"),
        ),
    ),
    ClientScreen("client-settings", "leader", "/settings", steps=(waits_for("main select"),)),
    ClientScreen(
        "client-locked",
        "leader",
        change="(state) => ({ ...state, phase: 'locked' })",
        steps=(sees("client:unlock.title"),),
    ),
    ClientScreen(
        "client-offline",
        "leader",
        "/files",
        change="(state) => ({ ...state, problem: { code: 'unreachable', message: '' } })",
        steps=(sees("client:offline.banner"), _files_shown),
    ),
    ClientScreen(
        "client-revoked",
        "leader",
        change="""(state) => ({
          ...state, phase: 'loggedOut', problem: { code: 'not_logged_in', message: '' },
        })""",
        steps=(sees("client:login.ended"),),
    ),
    ClientScreen(
        "client-quota-reached",
        "leader",
        "/files",
        change="""(state) => ({
          ...state, usage: state.usage && { ...state.usage, used: state.usage.quota, left: 0 },
        })""",
        steps=(_files_shown,),
    ),
)


def walk_client(
    browser: Browser, homes: dict[str, Path], server: Server, device: Device,
    screens: Iterable[ClientScreen],
) -> Iterator[tuple[ClientScreen, User]]:  # fmt: skip
    """Yields each screen, opened in its own tab."""
    for person, group in groupby(screens, key=lambda screen: screen.person):
        context = new_context(browser, server.address, device)
        with running_page(context.new_page(), homes[person], device.language) as client:
            client.open()
            address = client.link.partition("/open/")[0]
            for screen in group:
                user = User(context.new_page(), server, device.language)
                screen.open(user, address)
                yield screen, user
                user.page.unroute_all(behavior="ignoreErrors")
                user.page.close()
        context.close()


def prepare_computers(server: Server, folder: Path) -> dict[str, Path]:
    """Home folders: of somebody who is new, of a member who waits, and of a leader with files."""
    company = server.factory.company(warehouses=True)
    homes = {name: folder / name for name in ("nobody", "member", "leader")}
    leader = Computer(homes["leader"] / "state")
    leader.login(server, company.leader)
    leader.ok("spaces", "create", "Design studio")
    content = random.Random(1)
    files = folder / "files"
    for name, size in _FILES.items():
        path = files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.randbytes(size))
    leader.ok("put", *sorted(files.iterdir()), "Design studio:/")
    for _ in range(2):
        (files / _VERSIONED).write_bytes(content.randbytes(_FILES[_VERSIONED]))
        leader.ok("put", files / _VERSIONED, "Design studio:/")
    leader.ok("rm", f"Design studio:/{_REMOVED}")
    Computer(homes["member"] / "state").login(server, company.member)
    return homes
