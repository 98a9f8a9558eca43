from tessera.errors import TesseraError


class WarehouseNotFound(TesseraError):
    status = 404
    code = "warehouse_not_found"


class WarehouseTypeFixed(TesseraError):
    status = 422
    code = "warehouse_type_fixed"


class WarehouseFormIncomplete(TesseraError):
    status = 422
    code = "invalid_input"


class TooManyWarehouses(TesseraError):
    status = 409
    code = "too_many_warehouses"


class WarehouseLocationTaken(TesseraError):
    """Two warehouses in one place would lose their pieces together."""

    status = 409
    code = "warehouse_location_taken"


class DefaultWarehouseStays(TesseraError):
    status = 409
    code = "default_warehouse_stays"


class WarehouseHoldsData(TesseraError):
    """Pieces of files lie there. They are moved first, or their loss is confirmed."""

    status = 409
    code = "warehouse_holds_data"


class WarehouseNotConnected(TesseraError):
    status = 409
    code = "warehouse_not_connected"


class WarehouseCheckFailed(TesseraError):
    status = 502
    code = "warehouse_check_failed"


class SharedWarehousesNeeded(TesseraError):
    status = 409
    code = "shared_warehouses_needed"


class CredentialsUnreadable(TesseraError):
    """Modified in the database, or the platform key is a different one."""

    status = 503
    code = "credentials_unreadable"
