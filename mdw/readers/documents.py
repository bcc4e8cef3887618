"""Documents of JSON, as text that can be written again."""

from __future__ import annotations

import json
import re
from typing import Any

_HALVES = re.compile("[\ud800-\udfff]")


def parsed(text: str) -> Any:
    r"""What JSON says, with a replacement character for half of a pair, which nothing can be written with.

    json.JSONDecodeError, which is a ValueError, if it is none; RecursionError where it nests too deep.

    >>> parsed(r'{"a": ["\ud800x", "\ud83d\ude00"]}')
    {'a': ['�x', '😀']}
    """
    found = json.loads(text)
    return _whole(found) if "\\u" in text else found


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return _HALVES.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, list):
        return [_whole(one) for one in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(one) for key, one in value.items()}
    return value
