import json

import pytest

from tessera.integrations.clouds import strategy_of
from tests.clouds import provider_types
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
    def test_dropbox_keeps_objects(self, dropbox: Warehouse) -> None:
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


class TestARefreshToken:
    def test_dropbox_with_a_refresh_token_keeps_objects(
        self, refreshed_dropbox: Warehouse, dropbox_account: Dropbox
    ) -> None:
        keeps_objects(refreshed_dropbox)
        assert dropbox_account.issued

    def test_gets_one_token_for_many_links(
        self, refreshed_dropbox: Warehouse, dropbox_account: Dropbox
    ) -> None:
        refreshed_dropbox.upload_link("a", b"a", seconds=900)
        issued = len(dropbox_account.issued)
        refreshed_dropbox.upload_link("b", b"b", seconds=900)
        assert len(dropbox_account.issued) == issued

    def test_gets_another_when_the_token_is_refused(
        self, refreshed_dropbox: Warehouse, dropbox_account: Dropbox
    ) -> None:
        refreshed_dropbox.upload_link("a", b"a", seconds=900)
        dropbox_account.issued.clear()
        refreshed_dropbox.upload_link("b", b"b", seconds=900)
        assert len(dropbox_account.issued) == 1

    @pytest.mark.parametrize(
        "wrong",
        [
            {"refresh_token": "anotherRefreshToken0123456789"},
            {"app_secret": "anothersecret"},
            {"app_key": "anotherkey"},
        ],
    )
    def test_a_wrong_part_is_a_wrong_key(
        self, refreshed_dropbox: Warehouse, wrong: dict[str, str]
    ) -> None:
        warehouse = refreshed_dropbox.but(**wrong)
        assert both_causes(warehouse) == (WRONG_KEY,) * 2
        assert cause(lambda: warehouse.upload_link("a", b"a", seconds=900)) is WRONG_KEY

    def test_needs_the_whole_app_and_no_access_token(self) -> None:
        strategy = strategy_of(provider_types.DROPBOX)
        form = {"app_key": "n0rthw1nd", "path": "tessera"}
        assert strategy.check(form) == {"app_secret": "missing", "refresh_token": "missing"}
        assert strategy.check({"path": "tessera"}) == {"access_token": "missing"}


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
    def test_answers_of_dropbox_are_understood(
        self, dropbox: Warehouse, proxy: Proxy, answer: Answer, failure: str
    ) -> None:
        with proxy.answering(CONTENT, answer):
            assert both_causes(dropbox) == (failure,) * 2

    def test_a_host_that_cannot_be_reached(self, dropbox: Warehouse, proxy: Proxy) -> None:
        responder = proxy.responders.pop(CONTENT)
        try:
            assert both_causes(dropbox) == (UNREACHABLE,) * 2
        finally:
            proxy.responders[CONTENT] = responder
        keeps_objects(dropbox)
