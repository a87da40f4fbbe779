"""The recovery code: 125 random bits that a person can write down, read out and mistype.

Seven groups of four characters of Crockford's base32 (https://www.crockford.com/base32.html), which has no
I, L, O and U: 25 characters carry the secret, the last three a 15-bit checksum. Typed codes may use lower-case
letters, any separators, and the look-alikes of that alphabet; one wrong, missing, doubled or swapped
character is found by the checksum and corrected.
"""

import hashlib
import secrets

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_DATA, _CHECK, _GROUP = 25, 3, 4
_LENGTH = _DATA + _CHECK
#: Maximum length read: enough for many separators. Anything longer is not a code with a typo.
_MOST_TYPED = 1000
_LOOKALIKES = str.maketrans({"O": "0", "I": "1", "L": "1", "U": "V"})


def generate() -> str:
    data = "".join(secrets.choice(ALPHABET) for _ in range(_DATA))
    return format_code(data + _checksum(data))


def format_code(characters: str) -> str:
    """Return 28 characters as seven groups."""
    return "-".join(characters[start : start + _GROUP] for start in range(0, len(characters), _GROUP))


def readings(typed: str) -> list[str]:
    """Return the secrets (25 characters) that the typed text may mean, the most literal first.

    There is nearly always one reading: about 900 typos are possible, and one in 32,768 wrong codes passes the checksum by
    chance, what was typed as well, which is therefore only the first. Empty if nothing fits.
    """
    if len(typed) > _MOST_TYPED:
        return []
    text = _normalize(typed)
    return list(dict.fromkeys(code[:_DATA] for code in (text, *_slips(text)) if len(code) == _LENGTH and _valid(code)))


def _normalize(typed: str) -> str:
    upper = typed.upper().translate(_LOOKALIKES)
    return "".join(c for c in upper if c in ALPHABET)


def _checksum(data: str) -> str:
    digest = int.from_bytes(hashlib.blake2b(data.encode(), digest_size=2, person=b"memdesk-code").digest(), "big")
    return "".join(ALPHABET[digest >> shift & 31] for shift in (10, 5, 0))


def _valid(code: str) -> bool:
    return code[_DATA:] == _checksum(code[:_DATA])


def _slips(text: str) -> list[str]:
    """Return the texts that differ from this by one typo."""
    size = len(text)
    if not _LENGTH - 1 <= size <= _LENGTH + 1:
        return []
    swapped = [text[:n] + text[n + 1] + text[n] + text[n + 2 :] for n in range(size - 1)]
    replaced = [text[:n] + c + text[n + 1 :] for n in range(size) for c in ALPHABET]
    added = [text[:n] + c + text[n:] for n in range(size + 1) for c in ALPHABET]
    dropped = [text[:n] + text[n + 1 :] for n in range(size)]
    wanted = {_LENGTH: swapped + replaced, _LENGTH - 1: added, _LENGTH + 1: dropped}
    return wanted.get(size, [])
