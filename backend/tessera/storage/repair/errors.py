from tessera.errors import TesseraError


class StorageWarehouseNotFound(TesseraError, status=404): ...


class RelocationImpossible(TesseraError, status=409):
    """A pack has at most one shard in each warehouse, so another one has to be connected first."""
