"""Folders of SQL as warehouses have them, of any size: tables, staging views, cores that join, marts that sum up."""

from __future__ import annotations

from pathlib import Path
from random import Random

WORDS = ("amount", "price", "region", "status", "note", "score", "rate", "kind", "level", "origin", "party", "state")
NEAR = 60
"""Scripts read what was made by those not further back, as in warehouses that grow subject by subject."""


class FolderWriter:
    """Writes scripts one after the other, each of which makes an entity; the same seed writes the same."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.draw = Random(seed)
        self.made: list[tuple[str, tuple[str, ...]]] = []
        self.raw: list[tuple[str, tuple[str, ...]]] = []

    def write(self, scripts: int) -> None:
        """So many scripts, in the folders raw, stage, core and mart."""
        for number in range(scripts):
            turn = number % 10
            if turn < 2:
                self._table(number)
            elif turn < 4:
                self._stage(number)
            elif turn < 8:
                self._core(number)
            else:
                self._mart(number)

    def change(self, count: int) -> None:
        """Change so many scripts of those that exist: a constant more in a condition, a comment."""
        files = sorted(self.folder.rglob("*.sql"))
        for file in self.draw.sample(files, count):
            text = file.read_text(encoding="utf-8")
            kept = text.replace("'open'", f"'open{self.draw.randrange(100)}'", 1)
            file.write_text(f"-- changed\n{kept}", encoding="utf-8")

    def _keep(self, schema: str, number: int, columns: tuple[str, ...], text: str) -> None:
        folder = self.folder / schema
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{schema[0]}{number}.sql").write_text(text, encoding="utf-8")
        (self.raw if schema == "raw" else self.made).append((f"{schema}.{schema[0]}{number}", columns))

    def _table(self, number: int) -> None:
        columns = ("id", *self.draw.sample(WORDS, 9), "loaded")
        body = ",\n".join(f"    {name} VARCHAR(40)" for name in columns)
        self._keep("raw", number, columns, f"CREATE TABLE raw.r{number} (\n{body}\n);\n")

    def _stage(self, number: int) -> None:
        table, columns = self.draw.choice(self.raw[-NEAR // 4 :])
        given = [f"    TRIM({name}) AS {name}" if name in WORDS[:6] else f"    {name}" for name in columns]
        text = f"CREATE OR REPLACE VIEW stage.s{number} AS\nSELECT\n" + ",\n".join(given)
        self._keep(
            "stage", number, columns, f"{text}\nFROM {table}\nWHERE {columns[1]} <> 'open' AND id IS NOT NULL;\n"
        )

    def _core(self, number: int) -> None:
        (one, left), (other, right) = self.draw.choice(self.made[-NEAR:]), self.draw.choice(self.made[-NEAR:])
        own = [name for name in right if name not in left]
        more = "".join(f",\n    b.{name}" for name in own)
        text = f"""CREATE OR REPLACE TABLE core.c{number} AS
WITH latest AS (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY {left[-1]} DESC) AS position_
    FROM {one}
    WHERE {left[1]} IN ('open', 'closed', 'new')
),
others AS (
    SELECT * FROM {other} WHERE {right[2]} IS NOT NULL
)
SELECT
    a.* EXCLUDE (position_){more},
    CASE
        WHEN a.{left[2]} = 'open' THEN b.{right[1]}
        WHEN a.{left[3]} = 'new' THEN a.{left[1]}
        ELSE 'none'
    END AS c{number}
FROM latest AS a
LEFT JOIN others AS b ON a.id = b.id AND b.{right[3]} = 'open'
WHERE a.position_ = 1;
"""
        # Entities would otherwise become wider from layer to layer.
        columns = (*left, *own, f"c{number}")
        if len(columns) > 25:
            return self._mart(number)
        return self._keep("core", number, columns, text)

    def _mart(self, number: int) -> None:
        entity, columns = self.draw.choice(self.made[-NEAR:])
        keys, values = columns[1:4], columns[4:9]
        sums = "".join(
            f",\n    SUM(CASE WHEN s.{keys[0]} = 'open' THEN CAST(s.{name} AS DECIMAL(18, 2)) END) AS {name}_open"
            for name in values
        )
        text = f"""CREATE OR REPLACE TABLE mart.m{number} AS
SELECT
    s.id,
    {", ".join(f"s.{name}" for name in keys)}{sums}
FROM {entity} AS s
WHERE s.{values[0]} IS NOT NULL
GROUP BY s.id, {", ".join(f"s.{name}" for name in keys)}
UNION ALL
SELECT s.id, {", ".join(f"s.{name}" for name in keys)}, {", ".join(f"s.{name}" for name in values)}
FROM {entity} AS s
WHERE s.{keys[1]} = 'open';
"""
        self._keep("mart", number, ("id", *keys, *(f"{name}_open" for name in values)), text)
