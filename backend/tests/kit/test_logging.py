"""Nobody can fill the log with what they send: each line of it is short."""

import io
import logging
import sys
from collections.abc import Iterator

import pytest
import structlog

from tessera.kit.logging import configure_logging
from tessera.settings import Settings


@pytest.fixture(params=[True, False], ids=["json", "console"])
def log(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    written = io.StringIO()
    settings = Settings(_env_file=None, log_level="info", log_json=request.param)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", written)
        configure_logging(settings)
    yield written
    configure_logging(settings.model_copy(update={"log_level": "critical"}))


SENT = "/a" * 2_040 + "secret"


def fail() -> None:
    raise OSError(36, "File name too long", SENT)


def test_an_error_that_quotes_what_was_sent_is_cut(log: io.StringIO) -> None:
    try:
        fail()
    except OSError:
        structlog.get_logger().exception("request failed", route="unmatched")
    assert "in fail" in log.getvalue()
    assert "File name too long" in log.getvalue()
    assert "secret" not in log.getvalue()
    assert len(log.getvalue()) < 1_500


def test_neither_a_field_nor_another_library_writes_a_long_line(log: io.StringIO) -> None:
    structlog.get_logger().info("request", route=SENT, many="x\n" * 5_000)
    logging.getLogger("somebody.else").warning("refused %s", SENT)
    assert log.getvalue().count("characters") == 2
    assert log.getvalue().count("lines") == 1
    assert "secret" not in log.getvalue()
    assert len(log.getvalue()) < 3_000
