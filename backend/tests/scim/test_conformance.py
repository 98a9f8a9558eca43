"""The checks of scim2-tester, against the service in this process."""

import asyncio
from typing import Any

import pytest
from fastapi import FastAPI
from scim2_client.client import BaseSyncSCIMClient
from scim2_client.engines.asgi import ASGISCIMClient
from scim2_tester import Status, check_server

from tests.scim.directory import Directory


class Client(BaseSyncSCIMClient):
    """The tester waits for each answer; the service answers in the test's event loop."""

    def __init__(self, calls: ASGISCIMClient, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._calls, self._loop = calls, loop

    def _stays_under_base_url(self, endpoint: str) -> bool:
        return self._calls._stays_under_base_url(endpoint)

    def _parse_json(self, response: Any) -> Any:
        return self._calls._parse_json(response)

    def request(self, method: str, url: str, **more: Any) -> Any:
        call = self._calls.request(method, url, **more)
        return asyncio.run_coroutine_threadsafe(call, self._loop).result()


@pytest.mark.extended
@pytest.mark.parametrize("changed_settings", [{"public_url": "http://console.test"}])
async def test_scim2_tester_finds_no_failure(app: FastAPI, directory: Directory) -> None:
    headers = {"Authorization": f"Bearer {directory.token}"}
    calls = ASGISCIMClient(app, "http://console.test/scim/v2", headers)
    client = Client(calls, asyncio.get_running_loop())
    results = await asyncio.to_thread(check_server, client)
    failures = [str(each) for each in results if each.status in (Status.ERROR, Status.CRITICAL)]
    assert failures == []
    done = [each for each in results if each.status is Status.SUCCESS]
    assert len(done) > 60
    skipped = {each.title for each in results if each.status is Status.SKIPPED}
    assert skipped <= {"search_with_attributes"}
