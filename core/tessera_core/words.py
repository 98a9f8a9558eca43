"""Six words that stand for a person's public keys, to be compared by voice."""

from uuid import UUID

from tessera_core.bip39_english import WORDS
from tessera_core.errors import Malformed
from tessera_core.kdf import stretch
from tessera_core.user_keys import PublicKeys

WORD_COUNT = 6

_LABEL = b"tessera/v1/words"
_BITS = 11


class UnknownWord(Malformed):
    """A typed word is not in the list."""

    def __init__(self, word: str) -> None:
        super().__init__(f"{word!r} is not in the word list")
        self.word = word


def words_for(keys: PublicKeys, company: UUID, user: UUID) -> str:
    """Slow on purpose: 66 bits suffice because each guess costs an Argon2id."""
    digest = stretch(_LABEL + keys.encode(), company.bytes + user.bytes)
    number = int.from_bytes(digest, "big") >> (len(digest) * 8 - WORD_COUNT * _BITS)
    shifts = range((WORD_COUNT - 1) * _BITS, -1, -_BITS)
    return " ".join(WORDS[number >> shift & 0x7FF] for shift in shifts)


def normalize_words(text: str) -> str:
    """Reads typed words; four letters are enough for each. Refuses what is not in the list."""
    words = text.lower().replace("-", " ").split()
    if len(words) != WORD_COUNT:
        raise Malformed("six words are expected")
    return " ".join(_find(word) for word in words)


def _find(word: str) -> str:
    """The first four letters of a word are no other's."""
    for known in WORDS:
        if word in (known, known[:4]):
            return known
    raise UnknownWord(word)
