"""The YAML that metric views are written in, and bodies between $$ of Databricks."""

from __future__ import annotations

import pytest

from mdw import scan_sql
from mdw.readers.sql.plain_yaml import read_yaml

READ = [
    ("", ""),
    ("# only\n\n", ""),
    ("a: 1\nb: 'x: y'  ", {"a": "1", "b": "x: y"}),
    ('a: "it\'s \\"so\\""', {"a": 'it\'s "so"'}),
    ("a: SELECT x\n  FROM t\n  WHERE y\nb: z", {"a": "SELECT x FROM t WHERE y", "b": "z"}),
    ("a: |-\n  x\n   y\nb: >-\n  c\n  d", {"a": "x\n y", "b": "c d"}),
    ("a:\n- 1\n- 2\nb: [x, 'y']", {"a": ["1", "2"], "b": ["x", "y"]}),
    ("a:\n  - b: 1\n    c:\n      - d: 2\n  - b: 3", {"a": [{"b": "1", "c": [{"d": "2"}]}, {"b": "3"}]}),
    ("a: x # y\nb: 'x # y'\nc: x#y", {"a": "x", "b": "x # y", "c": "x#y"}),
    ("on: no\nc d: '`e`'", {"on": "no", "c d": "`e`"}),
    ("a: !!python/object/apply:os.getcwd []", {"a": []}),
    ("a: b: c", ""),
    ("[" * 200_000 + "]" * 200_000, ""),
]


@pytest.mark.parametrize(("text", "said"), READ)
def test_what_it_says(text: str, said: object) -> None:
    assert read_yaml(text) == said


def test_what_is_no_metric_view_is_opaque() -> None:
    (one,) = scan_sql("CREATE VIEW v WITH METRICS LANGUAGE YAML AS $$ a: b $$", dialect="databricks").statements
    assert one.status == "opaque"


def test_quotes_in_a_body_of_python_open_no_text() -> None:
    body = "$$\n  # it's; SQL\n  return x\n$$"
    text = f"CREATE FUNCTION f(x STRING) RETURNS STRING LANGUAGE PYTHON AS {body};\nSELECT f(a) AS b FROM s"
    first, second = scan_sql(text, dialect="databricks").statements
    assert (first.status, second.status) == ("opaque", "whole")
    assert "PYTHON" in first.message
