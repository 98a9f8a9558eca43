from tessera.integrations.clouds.live import LiveClouds
from tessera.integrations.clouds.protocol import (
    Cloud,
    CloudError,
    Clouds,
    ConnectionFailure,
    MalformedForm,
    WarehouseType,
)
from tessera.integrations.clouds.registry import STRATEGIES
from tessera.integrations.clouds.sandbox import SandboxClouds
from tessera.integrations.clouds.strategy import Strategy
from tessera.settings import Settings

__all__ = [
    "STRATEGIES",
    "Cloud",
    "CloudError",
    "Clouds",
    "ConnectionFailure",
    "MalformedForm",
    "Strategy",
    "WarehouseType",
    "clouds",
]


def clouds(settings: Settings) -> Clouds:
    return SandboxClouds(settings.data_dir / "clouds") if settings.sandbox else LiveClouds(settings)
