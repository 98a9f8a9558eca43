import json

import pytest

from tests.clouds.causes import (
    NO_WRITE_PERMISSION,
    UNREACHABLE,
    WRONG_KEY,
    both_causes,
    cause,
    keeps_objects,
)
from tests.clouds.client import Warehouse
from tests.clouds.dropbox_api import EXPIRED_TOKEN, READ_ONLY_TOKEN, Dropbox
from tests.clouds.proxy import Answer, Proxy

CONTENT = "content.dropboxapi.com"


def refused(status: int, summary: str) -> Answer:
    body = {"error_summary": f"{summary}/..", "error": {".tag": summary.partition("/")[0]}}
    return Answer(status, json.dumps(body).encode(), {"Content-Type": "application/json"})


class TestAgainstAServer:
    def test_keeps_objects(self, dropbox: Warehouse) -> None:
        keeps_objects(dropbox)

    def test_keeps_them_under_its_path(self, dropbox: Warehouse, dropbox_account: Dropbox) -> None:
        dropbox.but(path="//Team/tiles/").write(b"there", "/a.json")
        assert dropbox_account.files["/Team/tiles/a.json"] == b"there"

    def test_keeps_names_in_every_script(self, dropbox: Warehouse) -> None:
        odd = dropbox.but(path="Ürün dosyaları/ملفات")
        odd.write(b"odd")
        assert odd.read() == b"odd"

    def test_an_unknown_token_is_a_wrong_key(self, dropbox: Warehouse) -> None:
        assert both_causes(dropbox.but(access_token="sl.u.unknown-token-0123")) == (WRONG_KEY,) * 2

    def test_an_expired_token_is_a_wrong_key(self, dropbox: Warehouse) -> None:
        assert both_causes(dropbox.but(access_token=EXPIRED_TOKEN)) == (WRONG_KEY,) * 2

    def test_a_token_that_may_only_read(self, dropbox: Warehouse) -> None:
        dropbox.write(b"there")
        reader = dropbox.but(access_token=READ_ONLY_TOKEN)
        assert reader.read() == b"there"
        assert cause(lambda: reader.write(b"mine")) is NO_WRITE_PERMISSION

    def test_a_full_account_and_then_room_again(
        self, dropbox: Warehouse, dropbox_account: Dropbox
    ) -> None:
        dropbox_account.full = True
        assert cause(lambda: dropbox.write(b"tile")) is NO_WRITE_PERMISSION
        dropbox_account.full = False
        keeps_objects(dropbox)


class TestAnswersOfDropbox:
    @pytest.mark.parametrize(
        ("answer", "failure"),
        [
            (refused(401, "invalid_access_token"), WRONG_KEY),
            (refused(401, "user_suspended"), WRONG_KEY),
            (refused(401, "missing_scope"), NO_WRITE_PERMISSION),
            (refused(403, "access_denied"), NO_WRITE_PERMISSION),
            (refused(409, "path/no_write_permission"), NO_WRITE_PERMISSION),
            (refused(429, "too_many_requests"), UNREACHABLE),
            (refused(500, "internal_error"), UNREACHABLE),
            (
                Answer(
                    400,
                    b'Error in call to API function "files/upload": The given OAuth 2 access token'
                    b" is malformed.",
                    {"Content-Type": "text/plain"},
                ),
                WRONG_KEY,
            ),
        ],
    )
    def test_mean(self, dropbox: Warehouse, proxy: Proxy, answer: Answer, failure: str) -> None:
        with proxy.answering(CONTENT, answer):
            assert both_causes(dropbox) == (failure,) * 2

    def test_a_host_that_cannot_be_reached(self, dropbox: Warehouse, proxy: Proxy) -> None:
        responder = proxy.responders.pop(CONTENT)
        try:
            assert both_causes(dropbox) == (UNREACHABLE,) * 2
        finally:
            proxy.responders[CONTENT] = responder
        keeps_objects(dropbox)
