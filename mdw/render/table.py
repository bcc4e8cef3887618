"""Rows as text."""

from __future__ import annotations

from collections.abc import Sequence


def columns(head: Sequence[str], rows: Sequence[Sequence[str | None]]) -> str:
    """Rows in columns below their names."""
    every = [tuple(head), *(tuple(value or "" for value in row) for row in rows)]
    widths = [max(len(row[place]) for row in every) for place in range(len(head))]
    lines = ["  ".join(value.ljust(width) for value, width in zip(row, widths, strict=True)).rstrip() for row in every]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])
