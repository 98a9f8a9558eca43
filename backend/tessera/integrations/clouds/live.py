"""The providers themselves."""

from collections.abc import Mapping

from opendal import AsyncOperator
from opendal.layers import RetryLayer, TimeoutLayer

from tessera.integrations.clouds.operators import OperatorCloud
from tessera.integrations.clouds.protocol import Cloud, MalformedForm, WarehouseType
from tessera.integrations.clouds.registry import STRATEGIES
from tessera.settings import Settings

RETRY_DELAY_SECONDS = 0.3


class LiveClouds:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def open(self, type: WarehouseType, form: Mapping[str, str]) -> Cloud:  # noqa: A002
        strategy = STRATEGIES[type]
        problems = strategy.check(form)
        if problems:
            raise MalformedForm(problems)
        seconds, retries = self._settings.cloud_timeout_seconds, self._settings.cloud_retries
        # Reading and replacing a whole object can be repeated; other calls are never made.
        operator = (
            AsyncOperator(strategy.scheme, **strategy.options(form, self._settings))
            .layer(TimeoutLayer(timeout=seconds, io_timeout=seconds))
            .layer(
                RetryLayer(
                    max_times=retries,
                    min_delay=RETRY_DELAY_SECONDS,
                    max_delay=RETRY_DELAY_SECONDS * 4,
                    jitter=True,
                )
            )
        )
        return OperatorCloud(operator, strategy, form, seconds * (retries + 1) + 2)
