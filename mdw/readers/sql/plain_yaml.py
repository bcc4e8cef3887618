"""YAML in which people write what views measure, as maps, lists and texts: nothing in it is made into anything else.

dimensions:
  - name: day            {"dimensions": [{"name": "day", "expr": "CAST(at AS DATE)"}]}
    expr: CAST(at
      AS DATE)
"""

from __future__ import annotations

from typing import Any, TypeAlias

import yaml

Yaml: TypeAlias = "str | list[Yaml] | dict[str, Yaml]"
# The base loader leaves `on`, `no` and numbers the words they are. Most installations have it in C.
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def read_yaml(text: str) -> Yaml:
    """What a text of YAML says; nothing of what is no YAML, or names parts of itself.

    >>> read_yaml("a: 1  # one\\non:\\n- x: 'it''s'\\n  y: >-\\n    c\\n    d\\n- z")
    {'a': '1', 'on': [{'x': "it's", 'y': 'c d'}, 'z']}
    >>> read_yaml("a: 'open"), read_yaml("a: &x [1]\\nb: *x")
    ('', '')
    """
    try:
        # A part that is named may stand in others that are, again and again: ten lines of it would be a billion.
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=_LOADER)):
            return ""
        found: Yaml = yaml.load(text, Loader=_LOADER)
    except (yaml.YAMLError, RecursionError, ValueError):
        return ""
    return found or ""
