"""What is named and what is said of it, beside one another or below, as the width allows."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.table import Table

from mdw.render.visible import Text

GAP = 3
ENOUGH = 40
"""Characters in which a condition can be read beside any name."""


class Pairs:
    """Rows of a name and what is said of it: in two columns where no word must be broken for that."""

    def __init__(self, rows: Sequence[tuple[Text, Text]]) -> None:
        self._rows = rows

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        """Both columns, or the second below the first."""
        names = max((cell_len(line) for name, _ in self._rows for line in name.plain.splitlines()), default=0)
        word = max((cell_len(word) for _, said in self._rows for word in said.plain.split()), default=0)
        room = options.max_width - names - GAP
        # A word longer than the whole line is broken either way.
        if room >= min(names, ENOUGH) and room >= min(word, options.max_width - 2):
            table = Table.grid(padding=(0, GAP, 0, 0))
            table.add_column(min_width=names)
            for name, said in self._rows:
                table.add_row(name, said)
            yield table
            return
        for name, said in self._rows:
            yield Text("", overflow="fold").append(name)
            yield Padding(Text("", overflow="fold").append(said), (0, 0, 0, 2))
