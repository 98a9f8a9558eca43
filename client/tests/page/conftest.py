from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from client.tests.page.browser import HERE, PORT, Browser
from client.tests.service import Service
from tessera_client.ui.guard import Keys
from tessera_client.ui.page import Page
from tessera_client.ui.server import create_app
from tessera_client.vault.profile import StateFolder


@pytest.fixture
def page(tmp_path: Path) -> Page:
    folder = StateFolder(tmp_path / "state", use_keyring=False)
    return Page(folder, Keys(PORT), downloads=tmp_path / "Downloads", home=tmp_path)


@pytest.fixture
def client(page: Page) -> Iterator[TestClient]:
    with TestClient(create_app(page), base_url=HERE) as client:
        yield client


@pytest.fixture
def leader(service: Service, page: Page, tmp_path: Path) -> Iterator[Browser]:
    """A leader with a space called Designs."""
    service.sign_in(tmp_path / "state", service.leader)
    with TestClient(create_app(page), base_url=HERE) as client:
        browser = Browser(client, page)
        browser.wait_for_phase("ready")
        browser.post("spaces", name="Designs")
        yield browser
