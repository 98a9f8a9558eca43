from tessera.integrations.clouds.live import LiveClouds
from tessera.integrations.clouds.protocol import (
    Cloud,
    CloudError,
    Clouds,
    ConnectionFailure,
    Link,
    LinkTarget,
    MalformedCredentials,
    ObjectStat,
    ObjectTooLarge,
    Upload,
)
from tessera.integrations.clouds.registry import strategy_of
from tessera.integrations.clouds.sandbox import SandboxClouds
from tessera.integrations.clouds.sandbox_links import SandboxLinks
from tessera.integrations.clouds.strategy import Strategy
from tessera.integrations.clouds.traced import TracedClouds
from tessera.kit.spans import are_on
from tessera.settings import Settings

__all__ = [
    "Cloud",
    "CloudError",
    "Clouds",
    "ConnectionFailure",
    "Link",
    "LinkTarget",
    "MalformedCredentials",
    "ObjectStat",
    "ObjectTooLarge",
    "Strategy",
    "Upload",
    "clouds",
    "strategy_of",
]


def clouds(settings: Settings) -> Clouds:
    clouds: Clouds = (
        SandboxClouds(settings.data_dir / "clouds", SandboxLinks(settings))
        if settings.sandbox
        else LiveClouds(settings)
    )
    return TracedClouds(clouds) if are_on() else clouds
