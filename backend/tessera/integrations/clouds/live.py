"""The real cloud providers."""

from collections.abc import Mapping

from opendal import AsyncOperator
from opendal.layers import RetryLayer, TimeoutLayer

from tessera.integrations.clouds.operators import OperatorCloud
from tessera.integrations.clouds.protocol import Cloud, MalformedForm, WarehouseType
from tessera.integrations.clouds.registry import STRATEGIES
from tessera.integrations.clouds.strategy import Form, Strategy
from tessera.settings import Settings

RETRY_DELAY_SECONDS = 0.3
SPARE_SECONDS = 2


class LiveClouds:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def open(self, type: WarehouseType, form: Mapping[str, str]) -> Cloud:  # noqa: A002
        strategy = STRATEGIES[type]
        problems = strategy.check(form)
        if problems:
            raise MalformedForm(problems)
        operator = _operator(strategy, form, self._settings)
        if operator is None:
            raise MalformedForm({})
        settings = self._settings
        seconds = settings.cloud_timeout_seconds * (settings.cloud_retries + 1) + SPARE_SECONDS
        return OperatorCloud(operator, strategy, form, settings, seconds)


def _operator(strategy: Strategy, form: Form, settings: Settings) -> AsyncOperator | None:
    """None if the library rejects the values; its own error would repeat them."""
    try:
        operator = AsyncOperator(strategy.scheme, **strategy.options(form, settings))
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
