"""Scripts as programs: realistic files of each dialect, and laws of all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from places import CASES
from programs import LEFT, gaps, leaves, plain, spans

from mdw import scan_sql
from mdw.readers.sql.dialects import Flavour, flavour_of
from mdw.readers.sql.parsing import parsed
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs import asked
from mdw.readers.sql.programs.lettering import letters_of
from mdw.readers.sql.programs.lines import SQLPLUS, mended
from mdw.readers.sql.programs.outline import outline
from mdw.readers.sql.programs.program import Run, Steps
from mdw.readers.sql.programs.reading import program_of
from mdw.readers.sql.programs.statements import LETTERS
from mdw.readers.sql.programs.tokens import tokenized
from mdw.readers.sql.scripts import read_script

FILES = sorted((CASES / "programs").glob("*.sql"))


def dialect_of(path: Path) -> str:
    return path.suffixes[0][1:]


def read(text: str, dialect: str) -> Steps:
    return program_of(text, flavour_of(dialect))


@pytest.mark.parametrize("path", FILES, ids=dialect_of)
def test_a_file_as_a_program(path: Path, accept: bool) -> None:
    """A page or two of realistic code of each dialect."""
    found = outline(read(path.read_text(encoding="utf-8"), dialect_of(path))) + "\n"
    expected = path.with_suffix(".txt")
    if accept:
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=dialect_of)
def test_all_statements_of_a_file_are_parsed(path: Path) -> None:
    """What the program hands on are whole statements, in words that the parser takes."""
    scan = scan_sql(path.read_text(encoding="utf-8"), dialect=dialect_of(path))
    assert not [one.text for one in scan.statements if one.status == "failed"]


def test_short_programs(accept: bool) -> None:
    """What is easily misread: words that begin statements and, elsewhere, do not; rare forms of each dialect."""
    path = CASES / "programs" / "short.txt"
    cases = [re.split(r"\n-->\n", case) for case in path.read_text(encoding="utf-8").split("\n\n-- ")]
    found = []
    for written, _ in cases:
        dialect, text = written.removeprefix("-- ").split("\n", 1)
        found.append(f"-- {dialect}\n{text}\n-->\n{outline(read(text, dialect))}\n")
    if accept:
        path.write_text("\n".join(found), encoding="utf-8")
    assert "\n".join(found) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=dialect_of)
def test_pieces_and_gaps_are_the_file(path: Path) -> None:
    """What no piece covers is blank, a comment, a separator or a word of control."""
    text = path.read_text(encoding="utf-8")
    program = read(text, dialect_of(path))
    left = [gap for gap in gaps(program, text) if not LEFT.fullmatch(gap)]
    assert not left


@pytest.mark.parametrize("path", FILES, ids=dialect_of)
def test_places_are_those_of_the_file(path: Path) -> None:
    """Every word of a piece stands where it says, in texts within texts too."""
    text = "\n\n" + path.read_text(encoding="utf-8")
    for first, last in spans(program_of(text[2:], flavour_of(dialect_of(path)), offset=2)):
        assert text[first:last].strip() == text[first:last]
        assert first >= 2


# -- the same program, written otherwise -------------------------------------------------------------------------------


def file_of(dialect: str) -> str:
    return (CASES / "programs" / f"bank.{dialect}.sql").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", SQLPLUS.split())
def test_lines_of_clients_begin_with_their_words_in_any_case(word: str) -> None:
    flavour = flavour_of("oracle")
    for said in (word, word.lower(), word.capitalize()):
        found = mended(f"SELECT 1 FROM t;\n \t{said} x\nSELECT {said} FROM t;\n{said}xy z;\n", flavour)
        assert [(line.kind, line.word, line.text) for line in found.lines.values()] == [("line", word, f"{said} x")]


def test_statements_need_no_semicolon_in_tsql() -> None:
    """With a semicolon behind each statement, with none at all, and on one line, a batch is the same program."""
    text = file_of("tsql")
    bare = re.sub(r"(?m)--.*|;", "", text)
    program = plain(read(bare, "tsql"))
    assert plain(read(text, "tsql")) == program
    ends = sorted({piece.span[1] for piece in leaves(read(bare, "tsql")) if piece.tokens}, reverse=True)
    ended = bare
    for end in ends:
        ended = f"{ended[:end]};{ended[end:]}"
    assert ended.count(";") > 40
    assert plain(read(ended, "tsql")) == program
    batches = [part for part in re.split(r"(?m)^GO.*$|^:.*$", bare) if "following:" not in part]
    for batch in batches:
        assert plain(read(" ".join(batch.split()), "tsql")) == plain(read(batch, "tsql"))


@pytest.mark.parametrize("dialect", ["tsql", "fabric"])
def test_words_of_tsql_are_told_by_their_letters_however_they_are_spelt(dialect: str) -> None:
    flavour = flavour_of(dialect)
    for word, letter in LETTERS.items():
        for said in (word, word.lower(), word.title()):
            tokens = tokenized(f"a {said} [{said}] '{said}' 1", flavour)
            kinds = [one.token_type for one in tokens]
            assert [*letters_of(tokens, kinds, flavour.parser.tokenizer_class)] == [0, letter, 0, 0, 0], said


def test_names_are_no_words_of_tsql() -> None:
    """Behind marks, and behind words that only names stand behind, nothing begins: columns may be called as it is."""
    program = read("SELECT a.close, open, if = waitfor.goto FROM bulk.save WHERE deny < @return OPEN c", "tsql")
    assert outline(program).splitlines()[1:] == ["open c"]


def test_a_test_is_parsed_once_for_all_that_stands_under_it(monkeypatch: pytest.MonkeyPatch) -> None:
    said: Counter[str] = Counter()

    def counted(piece: ScriptPiece, flavour: Flavour) -> object:
        said[" ".join(token.text for token in piece.tokens)] += 1
        return parsed(piece, flavour)

    monkeypatch.setattr(asked, "parsed", counted)
    changes = "INSERT INTO t SELECT b FROM s WHERE c > a; DELETE FROM u; " * 5
    text = f"CREATE PROCEDURE p(a INT) BEGIN IF a > 7 THEN {changes} ELSE {changes} END IF; {changes} END"
    statements = read_script(text, "p.sql", "mysql").statements
    assert len(statements) == 32 and said["SELECT a > 7"] == 1


QUOTED = re.compile(r"\$(\w*)\$(.*?)\$\1\$", re.DOTALL)


def in_quotes(found: re.Match[str]) -> str:
    said = found[2].replace("'", "''")
    return f"'{said}'"


@pytest.mark.parametrize("dialect", ["postgres", "snowflake"])
def test_a_body_is_the_same_in_any_quotes(dialect: str) -> None:
    """$$ and quotes, whose quotes are doubled, hold the same program, and its words stand where they say."""
    text = file_of(dialect)
    told = QUOTED.sub(in_quotes, text)
    assert "$$" not in told
    assert plain(read(told, dialect)) == plain(read(text, dialect))
    for first, last in spans(read(told, dialect)):
        assert told[first:last].strip() == told[first:last]


def test_backslashes_within_a_body_in_quotes() -> None:
    """Snowflake's quotes may stand behind a backslash."""
    made = "CREATE PROCEDURE p() RETURNS INT AS {} ; SELECT 1"
    body = "BEGIN INSERT INTO t SELECT 'a', 'it''s' FROM s; RETURN 1; END"
    ways = (f"$${body}$$", "'" + body.replace("'", "''") + "'", "'" + body.replace("'", "\\'") + "'")
    assert len({str(plain(read(made.format(way), "snowflake"))) for way in ways}) == 1


# -- bad input ---------------------------------------------------------------------------------------------------------

OTHERS = ("ansi", "tsql", "oracle", "postgres", "mysql", "snowflake", "bigquery", "teradata", "spark")


def cuts(text: str, seed: int) -> Iterator[str]:
    """Parts of a text, and a text without a part of it."""
    chance = Random(seed)
    for _ in range(40):
        first, last = sorted(chance.randrange(len(text)) for _ in range(2))
        yield chance.choice([text[first:last], text[:first], text[first:], text[:first] + text[last:]])


@pytest.mark.parametrize("path", FILES, ids=dialect_of)
def test_parts_of_files_are_read_and_nothing_is_lost(path: Path) -> None:
    """Half a package, blocks without ends, another dialect's: no exception, and every word is in a piece."""
    chance = Random(1)
    for text in cuts(path.read_text(encoding="utf-8"), seed=7):
        dialect = chance.choice([dialect_of(path), *OTHERS])
        left = [gap for gap in gaps(read(text, dialect), text) if not LEFT.fullmatch(gap)]
        assert not left, (dialect, text)


@pytest.mark.parametrize(("dialect", "mark"), [("tsql", "GO"), ("oracle", "/"), ("mysql", "DELIMITER ;")])
def test_what_stands_behind_a_bad_part_is_read(dialect: str, mark: str) -> None:
    """GO, / and DELIMITER end whatever is open."""
    for text in cuts(file_of(dialect), seed=3):
        if "/*" in text:
            continue
        told = f"{text}\n{mark}\nINSERT INTO z SELECT y FROM x;\n"
        last = read(told, dialect)[-1]
        assert outline((last,)) == "INSERT INTO z SELECT y FROM x", told


def test_deep_nesting_and_long_chains() -> None:
    """Neither a thousand blocks in one another nor a thousand ELSE IFs are an error."""
    text = "BEGIN " * 1000 + "DELETE FROM t; " + "END; " * 1000 + "DELETE FROM u;"
    found = read(text, "oracle")
    assert outline(found).endswith("DELETE FROM u")
    chain = "IF @a = 0 DELETE t " + " ".join(f"ELSE IF @a = {number} DELETE t{number}" for number in range(1, 1000))
    assert len(read(chain, "tsql")[0].arms) == 1000  # type: ignore[union-attr]


def test_what_has_no_words_is_a_statement_that_says_why() -> None:
    """A quote that is not closed costs its own statement."""
    first, bad, last = read("DELETE FROM a;\nDELETE FROM b WHERE c = 'x;\nDELETE FROM d;", "postgres")
    assert isinstance(bad, Run)
    assert bad.piece.message
    assert (outline((first,)), outline((last,))) == ("DELETE FROM a", "DELETE FROM d")
