"""Questions take names as SQL writes them, whatever database keeps them in which letters (rule Q36)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import QuestionError, Warehouse

TEXTS = {
    "postgres": 'CREATE VIEW "MySchema"."MyView" AS SELECT x AS "Id", y AS "KEY" FROM src',
    "tsql": "CREATE VIEW [dbo].[Umsätze] AS SELECT x AS [Größe], y AS [Unit Price] FROM dbo.src",
    "oracle": 'CREATE VIEW core.v AS SELECT x AS "id", y AS key FROM core.src',
}


@pytest.mark.parametrize(
    ("dialect", "asked", "golden"),
    [
        ("postgres", '"MySchema"."MyView"."Id"', "SRC.X"),
        ("postgres", "MySchema.MyView.Id", "SRC.X"),
        ("postgres", '"MyView"."Id"', "SRC.X"),
        ("postgres", '"MySchema"."MyView"."KEY"', "SRC.Y"),
        ("postgres", "myschema.myview.key", "SRC.Y"),
        ("postgres", "`MySchema`.`MyView`.`Id`", "SRC.X"),
        ("tsql", "[dbo].[Umsätze].[Größe]", "DBO.SRC.X"),
        ("tsql", "dbo.UMSÄTZE.größe", "DBO.SRC.X"),
        ("tsql", '"dbo"."Umsätze"."Unit Price"', "DBO.SRC.Y"),
        ("tsql", "dbo.[umsätze].[unit price]", "DBO.SRC.Y"),
        ("oracle", 'core.v."id"', "CORE.SRC.X"),
        ("oracle", '"CORE"."V"."KEY"', "CORE.SRC.Y"),
        ("oracle", "core.v.id", "CORE.SRC.X"),
    ],
)
def test_names_as_sql_writes_them(tmp_path: Path, dialect: str, asked: str, golden: str) -> None:
    (tmp_path / "a.sql").write_text(TEXTS[dialect], encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect=dialect)
        assert [one.attribute for one in warehouse.lineage(asked).golden] == [golden]
        assert warehouse.attribute(asked).name == warehouse.lineage(asked).attribute


def test_of_two_that_differ_in_case_that_in_quotes_is_meant(tmp_path: Path) -> None:
    """Q36: PostgreSQL's "BAG" and bag."""
    (tmp_path / "a.sql").write_text('CREATE VIEW v AS SELECT x AS "BAG", y AS bag FROM src')
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        found = {
            asked: warehouse.lineage(asked).golden[0].attribute for asked in ('v."BAG"', 'v."bag"', "v.bag", "V.BAG")
        }
    assert found == {'v."BAG"': "SRC.X", 'v."bag"': "SRC.Y", "v.bag": "SRC.Y", "V.BAG": "SRC.Y"}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ('"MySchema"."MyView"."Idd"', "did you mean `MySchema`.`MyView`.`Id`"),
        ("myschema.myvieww.id", "did you mean `MySchema`.`MyView`.`Id`"),
        ('"MySchema"."MyView"', "is an entity; its attributes are `Id`"),
    ],
)
def test_suggestions_ignore_case(tmp_path: Path, asked: str, told: str) -> None:
    (tmp_path / "a.sql").write_text(TEXTS["postgres"])
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        with pytest.raises(QuestionError) as error:
            warehouse.lineage(asked)
        assert told in str(error.value)
        assert warehouse.entity('"myschema"."MYVIEW"').name == "`MySchema`.`MyView`"
