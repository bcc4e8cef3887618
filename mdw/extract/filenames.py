"""Names of objects -> names of files: whatever a name holds, it stays in its folder and is told from all others.

Small letters, digits, ``_`` and ``-`` stand for themselves, all else as ``%`` and its bytes; which letters are large
stands behind ``^`` as bits, since many file systems know no case. What is too long for them is cut, its digest behind.

>>> filename("orders"), filename("Orders"), filename("../x"), filename("rate", ("integer", "text"))
('orders.sql', 'orders^1.sql', '%2E%2E%2Fx.sql', 'rate(integer,text).sql')
"""

from __future__ import annotations

import re
from hashlib import sha256

LONGEST = 150
"""Characters of a name; with its ending and a draft's it stays below the 255 bytes of most systems."""
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
# Names that mean devices to Windows, whatever their ending, and what programs take for an option.
MEANT = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\Z|-")


def filename(name: str, signature: tuple[str, ...] | None = None, ending: str = ".sql") -> str:
    """The name of the file of an object; of routines and triggers the signature is part of it."""
    whole = encoded(name) if signature is None else f"{encoded(name)}({','.join(map(encoded, signature))})"
    if len(whole) > LONGEST:
        whole = f"{whole[: LONGEST - 33]}~{sha256(whole.encode()).hexdigest()[:32]}"
    return whole + ending


def encoded(name: str) -> str:
    """A name in letters that are safe in every file system; different names stay different.

    >>> encoded("Straße"), encoded("nul"), encoded("A" + chr(0))
    ('stra%C3%9Fe^1', '%6Eul', 'a%00^1')
    """
    large = sum(1 << at for at, letter in enumerate(name) if "A" <= letter <= "Z")
    small = "".join(letter.lower() if "A" <= letter <= "Z" else letter for letter in name)
    if MEANT.match(small):
        found = _bytes(small[0]) + small[1:]
    else:
        found = "".join(letter if letter in PLAIN else _bytes(letter) for letter in small)
    return f"{found or '%'}^{large:x}" if large else found or "%"


def _bytes(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))
