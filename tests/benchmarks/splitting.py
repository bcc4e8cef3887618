"""Splitting scripts into statements against tokenising them, whose words are compiled, in CPU seconds of all cores.

Claims: plain statements are taken apart in at most 0.3 times the time of tokenising, all counted. Of programs, with a
test, loop or assignment every ten words, so is splitting: lines that are no SQL are taken out, and where each
statement ends is found, which in T-SQL needs all words; bodies in texts count on both sides. What is made of that,
steps and blocks, names, types, arguments and the pieces that hold values, takes at most 3 times tokenising: sqlglot's
compiled parser takes 1 to 3 times for the statements among them. A file of procedures of ten times the lines costs at
most 12 times as much. What a dialect alone says is put into words that sqlglot reads in at most half the time of
parsing. Python's collector is off, as it is while mdw loads.

Needs the core of mdw, 1 GB of memory and about 1 minute.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from time import process_time

from measuring import Measure, alternating, arguments, best, report

from dbt_models import ModelWriter  # isort: skip
from mdw.readers.sql.dialects import Flavour, flavour_of  # isort: skip
from mdw.readers.sql.phrases.written import written_out  # isort: skip
from mdw.readers.sql.pieces import TokenType  # isort: skip
from mdw.readers.sql.programs.bodies import within  # isort: skip
from mdw.readers.sql.programs.lines import mended  # isort: skip
from mdw.readers.sql.programs.reading import READERS, program_of  # isort: skip
from mdw.readers.sql.programs.tokens import tokenized  # isort: skip
from mdw.readers.sql.programs.words import Words  # isort: skip

CASES = Path(__file__).parents[1] / "cases" / "programs"
DIALECTS = ("tsql", "oracle", "postgres", "snowflake", "bigquery", "mysql")
ENDS = {"postgres": "END $$;\n", "snowflake": "END;\n$$;\n"}
"""How the last body ends, with the quotes around it."""
LIMIT, MADE, WRITTEN, GROWTH = 0.3, 3.0, 0.5, 12.0


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
        inner = [tokens[at].text for at in bodies([one.token_type for one in tokens])]
        return len(tokens) + sum(len(tokenized(one, flavour)) for one in inner if "\n" in one)

    return run


def splitting(text: str, flavour: Flavour) -> Callable[[], int]:
    """Statements of a text, and of the texts in it that are bodies."""

    def run() -> int:
        found = mended(text, flavour)
        whole = Words(found.text, 0, flavour, READERS, found.lines)
        inner = [at for at in bodies(whole.types) if "\n" in whole.tokens[at].text]
        return sum(map(statements, (whole, *filter(None, (within(whole, at) for at in inner)))))

    return run


def statements(words: Words) -> int:
    """How many there are, each as far as its end, and so the heads of those that hold others."""
    at, found, types, end, semicolon = 0, 0, words.types, words.end, TokenType.SEMICOLON
    while at < end:
        stop = words.stop(at)
        at = stop + 1 if types[stop] is semicolon or stop == at else stop
        found += 1
    return found


def bodies(types: Sequence[object]) -> list[int]:
    """Where texts stand that may be bodies."""
    return [] if BODIES.isdisjoint(types) else [at for at, kind in enumerate(types) if kind in BODIES]


BODIES = frozenset((TokenType.RAW_STRING, TokenType.HEREDOC_STRING))


def compared(what: str, text: str, dialect: str, repeat: int) -> Iterator[Measure]:
    """Plain statements: reading a text as a program, tokenising included, against tokenising it."""
    flavour = flavour_of(dialect)
    (words, count), (whole, _) = alternating(
        tokenising(text, flavour), lambda: len(program_of(text, flavour)), repeat=repeat, clock=process_time
    )
    yield Measure(f"{what}: tokenising", words, f"{count:,} words")
    yield Measure(f"{what}: splitting", whole - words, "", (whole - words) / words, LIMIT, "tokenising")


def layers(dialect: str, lines: int, repeat: int) -> Iterator[Measure]:
    """Programs: each layer alone."""
    text, flavour = program(dialect, lines), flavour_of(dialect)
    (words, count), (ends, found), (whole, _) = alternating(
        tokenising(text, flavour),
        splitting(text, flavour),
        lambda: len(program_of(text, flavour)),
        repeat=repeat,
        clock=process_time,
    )
    yield Measure(f"{dialect}: tokenising", words, f"{count:,} words")
    yield Measure(
        f"{dialect}: splitting, {found:,} statements", ends - words, "", (ends - words) / words, LIMIT, "tokenising"
    )
    yield Measure(f"{dialect}: steps, names and values", whole - ends, "", (whole - ends) / words, MADE, "tokenising")


def written(dialect: str, repeat: int) -> Iterator[Measure]:
    """Models put into words that sqlglot reads, against its parsing of them."""
    flavour = flavour_of(dialect)
    pieces = [step.piece for step in program_of(plain(100), flavour)]
    parser = flavour.parser.parser()
    (words, _), (parsed, _) = alternating(
        lambda: [written_out(one, flavour) for one in pieces],
        lambda: [parser.parse(list(one.tokens), one.text) for one in pieces],
        repeat=repeat,
        clock=process_time,
    )
    yield Measure(f"models as {dialect}: put into words", words, "", words / parsed, WRITTEN, "parsing")


def main() -> None:
    options = arguments(__doc__, lines=(int, 5_000, "lines of each script"))
    gc.disable()
    measures = list(compared("models", plain(100), "duckdb", options.repeat))
    measures += compared("models without semicolons", plain(100).replace(";\n", "\n"), "tsql", options.repeat)
    for dialect in ("tsql", "oracle", "teradata", "ansi"):
        measures += written(dialect, options.repeat)
    for dialect in DIALECTS:
        measures += layers(dialect, options.lines, options.repeat)
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
