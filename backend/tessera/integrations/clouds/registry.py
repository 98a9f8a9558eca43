from tessera.integrations.clouds.azure import AZURE
from tessera.integrations.clouds.dropbox import DROPBOX
from tessera.integrations.clouds.google import GOOGLE
from tessera.integrations.clouds.protocol import WarehouseType
from tessera.integrations.clouds.s3 import S3
from tessera.integrations.clouds.strategy import Strategy

STRATEGIES: dict[WarehouseType, Strategy] = {
    strategy.type: strategy for strategy in (DROPBOX, S3, AZURE, GOOGLE)
}
