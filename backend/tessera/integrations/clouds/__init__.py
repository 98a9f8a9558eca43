from tessera.integrations.clouds.live import LiveClouds
from tessera.integrations.clouds.protocol import (
    Cloud,
    CloudError,
    Clouds,
    ConnectionFailure,
    Link,
    LinkTarget,
    MalformedForm,
    ObjectStat,
    ObjectTooLarge,
    Upload,
    WarehouseType,
)
from tessera.integrations.clouds.registry import STRATEGIES
from tessera.integrations.clouds.sandbox import SandboxClouds
from tessera.integrations.clouds.sandbox_links import SandboxLinks
from tessera.integrations.clouds.strategy import Strategy
from tessera.settings import Settings

__all__ = [
    "STRATEGIES",
    "Cloud",
    "CloudError",
    "Clouds",
    "ConnectionFailure",
    "Link",
    "LinkTarget",
    "MalformedForm",
    "ObjectStat",
    "ObjectTooLarge",
    "Strategy",
    "Upload",
    "WarehouseType",
    "clouds",
]


def clouds(settings: Settings) -> Clouds:
    if not settings.sandbox:
        return LiveClouds(settings)
    return SandboxClouds(settings.data_dir / "clouds", SandboxLinks(settings))
