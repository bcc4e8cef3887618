"""Splitting scripts into statements against tokenising them, whose words are compiled, in CPU seconds of all cores.

Claims: taking a script apart costs at most 0.3 times tokenising it, bodies in texts counted on both sides; a file of
procedures of ten times the lines costs at most 12 times as much. For that Python's collector is off: it goes over all
that lives again and again, which makes tokenising alone cost 24 times.

Needs the core of mdw, 1 GB of memory and about 1 minute.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import process_time

from measuring import Measure, alternating, arguments, best, report

from dbt_models import ModelWriter  # isort: skip
from mdw.readers.sql.dialects import Flavour, flavour_of  # isort: skip
from mdw.readers.sql.programs.reading import program_of  # isort: skip
from mdw.readers.sql.programs.words import tokenized  # isort: skip
from sqlglot.tokenizer_core import TokenType  # isort: skip

CASES = Path(__file__).parents[1] / "cases" / "programs"
DIALECTS = ("tsql", "oracle", "postgres", "snowflake", "bigquery", "mysql")
ENDS = {"postgres": "END $$;\n", "snowflake": "END;\n$$;\n"}
"""How the last body ends, with the quotes around it."""
LIMIT, GROWTH = 0.3, 12.0


def plain(count: int) -> str:
    """Models as dbt projects have them, one statement after the other."""
    models = ModelWriter(Random(1)).models(count)
    return ";\n".join(f"CREATE VIEW v AS {text}" for text in models.queries.values())


def program(dialect: str, lines: int) -> str:
    """The bank's script again and again, what clients do to it taken out, for tokenising needs it to be SQL alone."""
    text = (CASES / f"bank.{dialect}.sql").read_text(encoding="utf-8")
    first, last = text.index("CREATE"), text.rindex("END")
    one = text[first:last] + ENDS.get(dialect, "END;\n") if dialect != "mysql" else procedure(text)
    return one * (lines // one.count("\n") + 1)


def procedure(text: str) -> str:
    """The procedure between the delimiters."""
    return text[text.index("CREATE") : text.index("END//")] + "END;\n"


def tokenising(text: str, flavour: Flavour) -> Callable[[], int]:
    """Tokens of a text, and of the texts in it that are bodies."""

    def run() -> int:
        tokens = tokenized(text, flavour)
        inner = [one.text for one in tokens if one.token_type in BODIES]
        return len(tokens) + sum(len(tokenized(one, flavour)) for one in inner if "\n" in one)

    return run


BODIES = (TokenType.RAW_STRING, TokenType.HEREDOC_STRING)


def compared(what: str, text: str, dialect: str, repeat: int) -> Iterator[Measure]:
    """Reading a text as a program, tokenising included, against tokenising it."""
    flavour = flavour_of(dialect)
    (words, count), (whole, _) = alternating(
        tokenising(text, flavour), lambda: len(program_of(text, flavour)), repeat=repeat, clock=process_time
    )
    amount = f"{count:,} words"
    yield Measure(f"{what}: tokenising", words, amount)
    yield Measure(f"{what}: splitting", whole - words, "", (whole - words) / words, LIMIT, "tokenising")


def main() -> None:
    options = arguments(__doc__, lines=(int, 5_000, "lines of each script"))
    measures = list(compared("models", plain(100), "duckdb", options.repeat))
    measures += compared("models without semicolons", plain(100).replace(";\n", "\n"), "tsql", options.repeat)
    for dialect in DIALECTS:
        measures += compared(dialect, program(dialect, options.lines), dialect, options.repeat)
    gc.disable()
    for dialect in ("oracle", "tsql", "postgres"):
        fewer, more = (
            best(lambda size=size, to=dialect: len(program_of(program(to, size), flavour_of(to))), 3, process_time)[0]
            for size in (options.lines, options.lines * 10)
        )
        against = f"{options.lines:,} lines"
        measures.append(Measure(f"{dialect}: {options.lines * 10:,} lines", more, "", more / fewer, GROWTH, against))
    report("Splitting", measures, options.json)


if __name__ == "__main__":
    main()
