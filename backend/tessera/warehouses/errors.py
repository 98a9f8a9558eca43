from tessera.errors import TesseraError


class WarehouseNotFound(TesseraError):
    status = 404


class WarehouseTypeFixed(TesseraError):
    status = 422


class CredentialsIncomplete(TesseraError):
    status = 422
    code = "invalid_input"


class TooManyWarehouses(TesseraError):
    status = 409


class WarehouseLocationTaken(TesseraError):
    """Two warehouses in one place would lose their pieces together."""

    status = 409


class DefaultWarehouseStays(TesseraError):
    status = 409


class WarehouseHoldsData(TesseraError):
    """Pieces of files lie there. They are moved first, or their loss is confirmed."""

    status = 409


class WarehouseNotConnected(TesseraError):
    status = 409


class WarehouseCheckFailed(TesseraError):
    status = 502


class SharedWarehousesNeeded(TesseraError):
    status = 409


class CredentialsUnreadable(TesseraError):
    """Modified in the database, or the platform key is a different one."""

    status = 503
