"""A computer on which somebody has started `tess ui`."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from accounts import PASSWORD, Account
from server import Server
from texts import Texts
from user import User

TESS = (sys.executable, "-m", "tessera_client")


@dataclass(frozen=True)
class ClientPage:
    """The client's page in a browser, and the folder of the account that uses it."""

    page: Page
    link: str
    home: Path
    texts: Texts

    def open(self) -> None:
        self.page.goto(self.link)

    @property
    def downloads(self) -> Path:
        return self.home / "Downloads"

    def stop(self) -> None:
        """Ends the program, as `tess ui --stop` does."""
        subprocess.run([*TESS, "ui", "--stop"], env=_environment(self.home), check=True)

    def log_in(self, server: Server, account: Account) -> None:
        page, texts = self.page, self.texts
        phone = User(page, server)
        before = len(phone.messages(account.phone))
        page.get_by_label(texts("client:login.address"), exact=True).fill(server.address)
        page.get_by_label(texts("client:login.email")).fill(account.email)
        page.get_by_label(texts("client:login.password"), exact=True).fill(PASSWORD)
        page.get_by_role("button", name=texts("client:login.next")).click()
        code = page.get_by_label(texts("client:code.label"), exact=True)
        code.fill(str(phone.next_message(account.phone, before)["code"]))
        page.get_by_role("button", name=texts("client:code.submit")).click()


@contextmanager
def running_page(page: Page, home: Path, language: str = "en") -> Iterator[ClientPage]:
    home.mkdir(parents=True, exist_ok=True)
    environment = {**_environment(home), "TESS_LANG": language}
    command = [*TESS, "ui", "--no-browser"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr is not None
        try:
            line = next(each for each in program.stderr if "http://" in each)
            yield ClientPage(page, line.rpartition(" ")[2].strip(), home, Texts(language))
        finally:
            ended = subprocess.run([*TESS, "ui", "--stop"], env=environment, check=False)
            if ended.returncode:
                program.kill()
            program.stderr.read()


def _environment(home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "HOME": str(home),
        "TESSERA_CLIENT_DIR": str(home / "state"),
        "TESS_NO_KEYRING": "1",
    }
