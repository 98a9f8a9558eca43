"""The one form of a company's passphrase that is sealed and derived from."""

import unicodedata

MAX_PASSPHRASE_BYTES = 510

# What the browser's trim() removes. Python's strip() removes a different set.
_BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def normalize_passphrase(typed: str) -> bytes:
    data = unicodedata.normalize("NFC", typed).strip(_BLANKS).encode("utf-8")
    if not 1 <= len(data) <= MAX_PASSPHRASE_BYTES:
        raise ValueError("a passphrase has 1 to 510 bytes")
    return data
