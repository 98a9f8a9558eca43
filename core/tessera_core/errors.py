"""Why stored bytes are refused. The messages hold no secret."""


class Malformed(ValueError):
    """The bytes do not follow the format. Seen without any key."""


class NotAuthentic(ValueError):
    """Well-formed, but not what the key, the signature or the hash says."""


class NoSeed(NotAuthentic):
    """The keyring does not reach this generation: nothing can be said about the bytes."""


class NotEnoughShards(ValueError):
    """Too few intact shards to rebuild a pack."""
