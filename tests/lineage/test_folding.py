"""Steps through inner entities."""

from __future__ import annotations

from time import process_time

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


def test_ways_through_what_decides_over_all_behind_it_are_not_gone_one_by_one() -> None:
    """Behind each query a test: V3 stands under those of V1 and V2, V4 under those of V1 to V3, and so on."""
    many = 60
    steps = [Folded(f"S.X{n}", f"V{n}.A", "IDENTITY") for n in range(many)]
    steps += [
        Folded(f"V{before}.A", f"V{n}.A", "FILTER", (f"test {before}",)) for n in range(many) for before in range(n)
    ]
    steps += [Folded(f"V{n}.A", "T.A", "FILTER", (f"test {n}",)) for n in range(many)]
    start = process_time()
    found = fold(steps, {f"V{n}" for n in range(many)})
    assert {one.source for one in found} == {f"S.X{n}" for n in range(many)}
    assert process_time() - start < 0.6
