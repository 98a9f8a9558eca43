import time

import pytest

from tests.clouds.causes import (
    NO_SUCH_BUCKET,
    NO_WRITE_PERMISSION,
    UNREACHABLE,
    WRONG_KEY,
    WRONG_REGION,
    both_causes,
    cause,
    keeps_objects,
    silent_server,
)
from tests.clouds.client import TooLarge, Warehouse
from tests.clouds.proxy import Answer, Proxy
from tests.fixtures.process import free_port

HOST = "s3.eu-west-1.amazonaws.com"


@pytest.fixture
def writer(s3: dict[str, Warehouse]) -> Warehouse:
    return s3["writer"]


@pytest.fixture
def at_amazon(writer: Warehouse) -> Warehouse:
    """Uses the provider's own address, for which the proxy answers."""
    return writer.under(s3_endpoint="")


def xml(status: int, code: str, message: str = "", more: str = "") -> Answer:
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code><Message>{message}'
    body += f"</Message>{more}<RequestId>4442587FB7D0A2F9</RequestId><HostId>x</HostId></Error>"
    return Answer(status, body.encode(), {"Content-Type": "application/xml"})


class TestAgainstAServer:
    def test_s3_keeps_objects(self, writer: Warehouse) -> None:
        keeps_objects(writer)

    def test_s3_reads_an_empty_object(self, writer: Warehouse) -> None:
        writer.write(b"", "empty")
        assert writer.read("empty") == b""

    def test_reads_no_more_than_the_limit(self, writer: Warehouse) -> None:
        content = b"x" * (1024 * 1024 + 1)
        writer.write(content, "large")
        with pytest.raises(TooLarge):
            writer.read("large")
        assert writer.read("large", limit=len(content)) == content

    def test_s3_keeps_names_that_an_address_would_change(self, writer: Warehouse) -> None:
        odd = writer.but(path="Ürün dosyaları/%2e%2e/a?b#c&d=e+f")
        odd.write(b"odd")
        assert odd.read() == b"odd"
        assert writer.but(path="Ürün dosyaları").read() is None

    def test_an_unknown_access_key_is_a_wrong_key(self, writer: Warehouse) -> None:
        assert both_causes(writer.but(account_key="AKIAUNKNOWN123456789")) == (WRONG_KEY,) * 2

    def test_a_wrong_secret_is_a_wrong_key(self, writer: Warehouse) -> None:
        assert both_causes(writer.but(secret="w" * 40)) == (WRONG_KEY,) * 2

    def test_s3_reports_a_missing_bucket(self, s3: dict[str, Warehouse]) -> None:
        assert both_causes(s3["anywhere"].but(bucket_name="gone")) == (NO_SUCH_BUCKET,) * 2

    def test_a_bucket_of_somebody_else(self, writer: Warehouse) -> None:
        assert both_causes(writer.but(bucket_name="gone")) == (NO_WRITE_PERMISSION,) * 2

    def test_a_user_who_may_only_read(self, s3: dict[str, Warehouse], writer: Warehouse) -> None:
        writer.write(b"there")
        assert s3["reader"].read() == b"there"
        assert cause(lambda: s3["reader"].write(b"mine")) is NO_WRITE_PERMISSION
        assert writer.read() == b"there"

    def test_s3_reports_that_nothing_listens(self, writer: Warehouse) -> None:
        nowhere = writer.under(s3_endpoint=f"http://127.0.0.1:{free_port()}")
        assert both_causes(nowhere) == (UNREACHABLE,) * 2

    def test_s3_reports_no_answer_within_the_time_limit(self, writer: Warehouse) -> None:
        with silent_server() as url:
            slow = writer.under(s3_endpoint=url, cloud_timeout_seconds=0.3, cloud_retries=0)
            begun = time.monotonic()
            assert both_causes(slow) == (UNREACHABLE,) * 2
        assert time.monotonic() - begun < 30

    def test_s3_works_again_when_the_cause_is_gone(self, writer: Warehouse) -> None:
        assert cause(writer.but(secret="w" * 40).read) is WRONG_KEY
        keeps_objects(writer)


class TestAnswersOfAmazon:
    @pytest.mark.parametrize(
        ("answer", "failure"),
        [
            (xml(404, "NoSuchBucket", "The specified bucket does not exist"), NO_SUCH_BUCKET),
            (
                xml(
                    301,
                    "PermanentRedirect",
                    "The bucket you are attempting to access must be addressed using the specified"
                    " endpoint.",
                    "<Endpoint>s3.us-west-2.amazonaws.com</Endpoint>",
                ),
                WRONG_REGION,
            ),
            (
                xml(
                    400,
                    "AuthorizationHeaderMalformed",
                    "The authorization header is malformed; the region 'eu-west-1' is wrong;"
                    " expecting 'us-west-2'",
                    "<Region>us-west-2</Region>",
                ),
                WRONG_REGION,
            ),
            (
                xml(400, "AuthorizationHeaderMalformed", "The authorization header is malformed"),
                WRONG_KEY,
            ),
            (xml(400, "IllegalLocationConstraintException"), WRONG_REGION),
            (xml(403, "InvalidAccessKeyId"), WRONG_KEY),
            (xml(403, "SignatureDoesNotMatch"), WRONG_KEY),
            (xml(403, "AccessDenied", "Access Denied"), NO_WRITE_PERMISSION),
            (xml(403, "AllAccessDisabled"), NO_WRITE_PERMISSION),
            (xml(500, "InternalError"), UNREACHABLE),
            (xml(503, "SlowDown", "Please reduce your request rate."), UNREACHABLE),
        ],
    )
    def test_answers_of_amazon_are_understood(
        self, at_amazon: Warehouse, proxy: Proxy, answer: Answer, failure: str
    ) -> None:
        with proxy.answering(HOST, answer):
            assert both_causes(at_amazon) == (failure,) * 2

    def test_missing_object_in_s3_is_none(self, at_amazon: Warehouse, proxy: Proxy) -> None:
        with proxy.answering(HOST, xml(404, "NoSuchKey", "The specified key does not exist.")):
            assert at_amazon.read() is None

    def test_a_name_that_reads_like_a_cause_is_none(
        self, at_amazon: Warehouse, proxy: Proxy
    ) -> None:
        missing = xml(404, "NoSuchKey", "The specified key does not exist.")
        with proxy.answering(HOST, missing):
            assert at_amazon.but(path="NoSuchBucket => SignatureDoesNotMatch").read() is None

    def test_a_hiccup_is_tried_again_once(self, at_amazon: Warehouse, proxy: Proxy) -> None:
        answers = [xml(503, "SlowDown"), Answer(200, b"there")]
        with proxy.answering(HOST, lambda _: answers.pop(0)) as asked:
            assert at_amazon.read() == b"there"
        assert len(asked) == 2
        with proxy.answering(HOST, xml(503, "SlowDown")) as asked:
            assert cause(lambda: at_amazon.write(b"tile")) is UNREACHABLE
        assert len(asked) == 2

    def test_a_refusal_is_not_tried_again(self, at_amazon: Warehouse, proxy: Proxy) -> None:
        with proxy.answering(HOST, xml(403, "SignatureDoesNotMatch")) as asked:
            assert cause(at_amazon.read) is WRONG_KEY
        assert len(asked) == 1

    def test_a_region_nobody_knows_is_a_wrong_region(self, at_amazon: Warehouse) -> None:
        assert both_causes(at_amazon.but(region="eu-wset-1")) == (WRONG_REGION,) * 2
        assert both_causes(at_amazon.but(region="eu-west-2")) == (UNREACHABLE,) * 2

    def test_a_region_in_china_has_its_own_address(
        self, at_amazon: Warehouse, proxy: Proxy
    ) -> None:
        with proxy.answering("s3.cn-north-1.amazonaws.com.cn", Answer(200, b"there")) as asked:
            assert at_amazon.but(region="cn-north-1").read() == b"there"
        assert [one.method for one in asked] == ["GET"]
