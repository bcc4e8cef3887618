"""Steps through inner entities."""

from __future__ import annotations

from mdw.lineage.folding import Folded, fold


def ends(*steps: Folded, inner: set[str]) -> set[tuple[str, str, str]]:
    return {(one.source, one.target, one.subtype) for one in fold(steps, inner)}


def test_what_goes_through_an_indirect_step_is_indirect() -> None:
    steps = [
        Folded("S.X", "E.A", "IDENTITY"),
        Folded("S.K", "E.A", "CONDITIONAL"),
        Folded("E.A", "T.B", "JOIN"),
        Folded("E.A", "T.C", "TRANSFORMATION"),
    ]
    assert ends(*steps, inner={"E"}) == {
        ("S.X", "T.B", "JOIN"),
        ("S.K", "T.B", "JOIN"),
        ("S.X", "T.C", "TRANSFORMATION"),
        ("S.K", "T.C", "CONDITIONAL"),
    }


def test_cycles_end() -> None:
    steps = [Folded("S.X", "R.A", "IDENTITY"), Folded("R.A", "R.A", "TRANSFORMATION"), Folded("R.A", "T.A", "IDENTITY")]
    assert ends(*steps, inner={"R"}) == {("S.X", "T.A", "IDENTITY"), ("S.X", "T.A", "TRANSFORMATION")}


def test_conditions_are_kept_in_order() -> None:
    steps = [Folded("S.X", "E.A", "IDENTITY", ("first",)), Folded("E.A", "T.A", "IDENTITY", ("then",))]
    assert [one.conditions for one in fold(steps, {"E"})] == [("then", "first")]


def test_what_nothing_fills_ends() -> None:
    assert fold([Folded("E.A", "T.A", "IDENTITY")], {"E"}) == ()
