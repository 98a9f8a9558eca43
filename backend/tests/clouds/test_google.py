import pytest

from tests.clouds import google_api
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
from tests.clouds.google_api import STORAGE, TOKENS, error
from tests.clouds.proxy import Answer, Proxy
from tests.fixtures.process import free_port


class TestAgainstAServer:
    def test_google_keeps_objects(self, google: Warehouse) -> None:
        keeps_objects(google)

    def test_keeps_objects_at_the_root(self, google: Warehouse) -> None:
        root = google.but(path="")
        root.write(b"root", "root.json")
        assert root.read("root.json") == b"root"

    def test_takes_a_key_as_the_key_file_writes_it(self, google: Warehouse) -> None:
        escaped = google.form["private_key"].replace("\n", "\\n")
        keeps_objects(google.but(private_key=escaped))

    def test_a_key_of_somebody_else_is_a_wrong_key(self, google: Warehouse) -> None:
        wrong = google.but(private_key=google_api.pem(google_api.new_key()))
        assert both_causes(wrong) == (WRONG_KEY,) * 2

    def test_an_account_that_does_not_exist_is_a_wrong_key(self, google: Warehouse) -> None:
        gone = google.but(client_email="gone@northwind-496021.iam.gserviceaccount.com")
        assert both_causes(gone) == (WRONG_KEY,) * 2

    def test_google_reports_a_missing_bucket(self, google: Warehouse) -> None:
        assert both_causes(google.but(bucket_name="northwind-gone")) == (NO_SUCH_BUCKET,) * 2

    def test_an_account_that_may_only_read(self, google: Warehouse) -> None:
        google.write(b"there")
        reader = google.but(client_email=google_api.READER)
        assert reader.read() == b"there"
        assert cause(lambda: reader.write(b"mine")) is NO_WRITE_PERMISSION

    def test_google_reports_that_nothing_listens(self, google: Warehouse) -> None:
        nowhere = google.under(google_endpoint=f"http://127.0.0.1:{free_port()}")
        assert both_causes(nowhere) == (UNREACHABLE,) * 2

    def test_google_reports_no_answer_within_the_time_limit(self, google: Warehouse) -> None:
        with silent_server() as url:
            slow = google.under(google_endpoint=url, cloud_timeout_seconds=0.3, cloud_retries=0)
            assert both_causes(slow) == (UNREACHABLE,) * 2

    def test_google_works_again_when_the_cause_is_gone(self, google: Warehouse) -> None:
        assert cause(google.but(bucket_name="northwind-gone").read) is NO_SUCH_BUCKET
        keeps_objects(google)

    def test_google_credentials_are_asked_of_nobody_else(
        self, google: Warehouse, proxy: Proxy
    ) -> None:
        seen = len(proxy.asked)
        google.read()
        assert {one.host for one in proxy.asked[seen:]} == {TOKENS, STORAGE}


class TestAnswersOfGoogle:
    @pytest.mark.parametrize(
        ("answer", "failure"),
        [
            (error(401, "Invalid Credentials", "authError"), WRONG_KEY),
            (error(403, "Forbidden", "forbidden"), NO_WRITE_PERMISSION),
            (error(404, "The specified bucket does not exist.", "notFound"), NO_SUCH_BUCKET),
            (error(429, "Too many requests", "rateLimitExceeded"), UNREACHABLE),
            (error(500, "Backend Error", "backendError"), UNREACHABLE),
            (Answer(503, b"<html>busy</html>"), UNREACHABLE),
        ],
    )
    def test_answers_of_google_are_understood(
        self, google: Warehouse, proxy: Proxy, answer: Answer, failure: str
    ) -> None:
        with proxy.answering(STORAGE, answer):
            assert both_causes(google) == (failure,) * 2

    def test_a_token_service_that_is_down(self, google: Warehouse, proxy: Proxy) -> None:
        with proxy.answering(TOKENS, Answer(503, b"busy")):
            assert both_causes(google) == (UNREACHABLE,) * 2
