"""`tessera` with the sandbox's cards and mails, and warehouses on S3 servers. BENCH_STORES names
the server of each bucket."""

import json
import os

from tessera.integrations import clouds
from tessera.integrations.clouds import Cloud
from tessera.integrations.clouds.live import LiveClouds
from tessera.integrations.clouds.strategy import Credentials
from tessera.settings import Settings

STORES: dict[str, str] = json.loads(os.environ["BENCH_STORES"])


class StoreClouds:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def open(self, warehouse_type: int, credentials: Credentials) -> Cloud:
        settings = self._settings.model_copy(
            update={"s3_endpoint": STORES[credentials["bucket_name"]]}
        )
        return LiveClouds(settings).open(warehouse_type, credentials)


if __name__ == "__main__":
    # Before any feature imports it.
    clouds.clouds = StoreClouds
    from tessera.cli import app

    app()
