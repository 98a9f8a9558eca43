from tessera.errors import TesseraError


class WarehouseNotFound(TesseraError, status=404): ...


class WarehouseTypeFixed(TesseraError, status=422): ...


class CredentialsIncomplete(TesseraError, status=422):
    code = "invalid_input"


class TooManyWarehouses(TesseraError, status=409): ...


class WarehouseLocationTaken(TesseraError, status=409):
    """Two warehouses in one place would lose their pieces together."""


class DefaultWarehouseStays(TesseraError, status=409): ...


class WarehouseHoldsData(TesseraError, status=409):
    """Pieces of files lie there. They are moved first, or their loss is confirmed."""


class WarehouseNotConnected(TesseraError, status=409): ...


class WarehouseCheckFailed(TesseraError, status=502): ...


class SharedWarehousesNeeded(TesseraError, status=409): ...


class CredentialsUnreadable(TesseraError, status=503):
    """Modified in the database, or the platform key is a different one."""
