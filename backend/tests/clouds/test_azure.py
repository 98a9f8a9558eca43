import base64

import pytest

from tests.clouds.causes import (
    NO_SUCH_BUCKET,
    NO_WRITE_PERMISSION,
    UNREACHABLE,
    WRONG_KEY,
    both_causes,
    cause,
    keeps_objects,
    silent_server,
)
from tests.clouds.client import Warehouse
from tests.clouds.conftest import AZURE_KEY, CONNECTION_STRING
from tests.clouds.proxy import Answer, Proxy
from tests.fixtures.process import free_port

HOST = "northwind.blob.core.windows.net"


def xml(status: int, code: str) -> Answer:
    body = f'\ufeff<?xml version="1.0" encoding="utf-8"?><Error><Code>{code}</Code>'
    body += "<Message>Not so.\nRequestId:b4b0\nTime:2026-01-01T00:00:00.0Z</Message></Error>"
    headers = {"Content-Type": "application/xml", "x-ms-error-code": code}
    return Answer(status, body.encode(), headers)


class TestAgainstAServer:
    def test_azure_keeps_objects(self, azure: Warehouse) -> None:
        keeps_objects(azure)

    def test_azure_reads_an_empty_object(self, azure: Warehouse) -> None:
        azure.write(b"", "empty")
        assert azure.read("empty") == b""

    def test_azure_keeps_names_that_an_address_would_change(self, azure: Warehouse) -> None:
        odd = azure.but(path="Ürün dosyaları/%2e%2e/a?b#c&d=e+f")
        odd.write(b"odd")
        assert odd.read() == b"odd"

    def test_azure_reports_a_wrong_key(self, azure: Warehouse) -> None:
        other = base64.b64encode(b"w" * 64).decode()
        wrong = azure.but(account_key=CONNECTION_STRING.replace(AZURE_KEY, other))
        assert both_causes(wrong) == (WRONG_KEY,) * 2

    def test_a_container_that_is_not_there(self, azure: Warehouse) -> None:
        assert both_causes(azure.but(application_name="gone")) == (NO_SUCH_BUCKET,) * 2

    def test_azure_reports_that_nothing_listens(self, azure: Warehouse) -> None:
        nowhere = azure.under(azure_endpoint=f"http://127.0.0.1:{free_port()}/{{account}}")
        assert both_causes(nowhere) == (UNREACHABLE,) * 2

    def test_azure_reports_no_answer_within_the_time_limit(self, azure: Warehouse) -> None:
        with silent_server() as url:
            slow = azure.under(azure_endpoint=url, cloud_timeout_seconds=0.3, cloud_retries=0)
            assert both_causes(slow) == (UNREACHABLE,) * 2

    def test_azure_works_again_when_the_cause_is_gone(self, azure: Warehouse) -> None:
        assert cause(azure.but(application_name="gone").read) is NO_SUCH_BUCKET
        keeps_objects(azure)


class TestAnswersOfAzure:
    @pytest.mark.parametrize(
        ("answer", "failure"),
        [
            (xml(403, "AuthenticationFailed"), WRONG_KEY),
            (xml(400, "InvalidAuthenticationInfo"), WRONG_KEY),
            (xml(401, "NoAuthenticationInformation"), WRONG_KEY),
            (xml(403, "AuthorizationFailure"), NO_WRITE_PERMISSION),
            (xml(403, "AuthorizationPermissionMismatch"), NO_WRITE_PERMISSION),
            (xml(403, "InsufficientAccountPermissions"), NO_WRITE_PERMISSION),
            (xml(403, "KeyBasedAuthenticationNotPermitted"), NO_WRITE_PERMISSION),
            (xml(409, "BlobImmutableDueToPolicy"), NO_WRITE_PERMISSION),
            (xml(404, "ContainerNotFound"), NO_SUCH_BUCKET),
            (xml(409, "ContainerBeingDeleted"), NO_SUCH_BUCKET),
            (xml(500, "InternalError"), UNREACHABLE),
            (xml(503, "ServerBusy"), UNREACHABLE),
        ],
    )
    def test_answers_of_azure_are_understood(
        self, azure: Warehouse, proxy: Proxy, answer: Answer, failure: str
    ) -> None:
        with proxy.answering(HOST, answer):
            assert both_causes(azure.under(azure_endpoint="")) == (failure,) * 2

    def test_missing_object_in_azure_is_none(self, azure: Warehouse, proxy: Proxy) -> None:
        with proxy.answering(HOST, xml(404, "BlobNotFound")):
            assert azure.under(azure_endpoint="").read() is None

    def test_an_account_that_does_not_exist(self, azure: Warehouse) -> None:
        nobody = azure.but(account_key=CONNECTION_STRING.replace("northwind", "nobody"))
        assert both_causes(nobody.under(azure_endpoint="")) == (UNREACHABLE,) * 2
