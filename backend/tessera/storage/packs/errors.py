from tessera.errors import TesseraError


class TooFewWarehouses(TesseraError, status=409):
    """Fewer than three warehouses can take new packs."""


class PlacementChanged(TesseraError, status=409):
    """The pack was cut for another number of warehouses; `k` and `n` are the current ones."""


class PackMalformed(TesseraError, status=422):
    """`pack` is the one whose shards do not match its description."""


class PackExists(TesseraError, status=409):
    """Another pack has this id; the caller has to draw a new one."""


class PackGenerationStale(TesseraError, status=409):
    """The pack is not sealed under the space's current generation, or a new one is awaited."""


class PackNotFound(TesseraError, status=404):
    """`packs` are unknown in this space, or deleted."""
