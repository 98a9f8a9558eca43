"""The real cloud providers."""

from collections.abc import Mapping

from opendal import AsyncOperator
from opendal.layers import RetryLayer, TimeoutLayer

from tessera.integrations.clouds.operators import OperatorCloud
from tessera.integrations.clouds.protocol import Cloud, MalformedCredentials
from tessera.integrations.clouds.registry import strategy_of
from tessera.integrations.clouds.strategy import Credentials, Strategy
from tessera.settings import Settings

RETRY_DELAY_SECONDS = 0.3
SPARE_SECONDS = 2


class LiveClouds:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def open(self, warehouse_type: int, credentials: Mapping[str, str]) -> Cloud:
        strategy = strategy_of(warehouse_type)
        problems = strategy.check(credentials)
        if problems:
            raise MalformedCredentials(problems)
        operator = _operator(strategy, credentials, self._settings)
        if operator is None:
            raise MalformedCredentials({})
        settings = self._settings
        seconds = settings.cloud_timeout_seconds * (settings.cloud_retries + 1) + SPARE_SECONDS
        return OperatorCloud(operator, strategy, credentials, settings, seconds)


def _operator(
    strategy: Strategy, credentials: Credentials, settings: Settings
) -> AsyncOperator | None:
    """None if the library rejects the values; its own error would repeat them."""
    try:
        operator = AsyncOperator(strategy.scheme, **strategy.options(credentials, settings))
    except Exception:  # noqa: BLE001 - the library raises undocumented types
        return None
    seconds = settings.cloud_timeout_seconds
    # Every call that is used is safe to repeat.
    retry = RetryLayer(
        max_times=settings.cloud_retries,
        min_delay=RETRY_DELAY_SECONDS,
        max_delay=RETRY_DELAY_SECONDS * 4,
        jitter=True,
    )
    return operator.layer(TimeoutLayer(timeout=seconds, io_timeout=seconds)).layer(retry)
