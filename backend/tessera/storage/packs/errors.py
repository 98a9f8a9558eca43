from tessera.errors import TesseraError


class TooFewWarehouses(TesseraError):
    """Fewer than three warehouses can take new packs."""

    status = 409


class PlacementChanged(TesseraError):
    """The pack was cut for another number of warehouses; `k` and `n` are the current ones."""

    status = 409


class PackMalformed(TesseraError):
    """`pack` is the one whose shards do not match its description."""

    status = 422


class PackExists(TesseraError):
    """Another pack has this id; the caller has to draw a new one."""

    status = 409


class PackGenerationStale(TesseraError):
    """The pack is not sealed under the space's current generation, or a new one is awaited."""

    status = 409


class PackNotFound(TesseraError):
    """`packs` are unknown in this space, or deleted."""

    status = 404
