"""The sandwich: bounds on what can arrive at each attribute, where the exact diagram would outgrow its limit.

From above one box around everything that can arrive: a step it excludes is dropped, proved. From below up to k boxes,
each carried exactly along one way: a step that lets one through is kept, proved, and the box is an example. What
neither decides goes to `mdw.lineage.judge.search`, which decides the step alone.

Let rows reach the question with A = 1 and B = 1, or with A = 2 and B = 2. The box around them is A, B in {1, 2}. A step
that writes A = 3 is dropped by it. One that writes A = 1, B = 1 is kept by the first witness. One that writes A = 1,
B = 2 fits the box and no witness: as both witnesses are there (``complete``), it is dropped; had the limit cut one off,
it would be left over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from mdw.conditions.diagram import FALSE
from mdw.conditions.solver import Verdict
from mdw.lineage.rows.boxes import Boxes
from mdw.lineage.steps.graph import Edge
from mdw.lineage.steps.order import groups, looped

Decide = Callable[["Bounds", Edge], Verdict]


@dataclass(frozen=True, slots=True)
class Witness:
    """A box of rows that reach the question, and the way they take: a step, then the witness below it."""

    box: int
    edge: Edge | None = None
    below: Witness | None = None

    def way(self) -> Iterator[Edge]:
        """The steps from here down to the asked attribute."""
        at: Witness | None = self
        while at is not None and at.edge is not None:
            yield at.edge
            at = at.below


@dataclass
class Bounds:
    """Per attribute the box around what arrives, the witnesses, and in ``complete`` whether these are all there is.

    Steps, and constants as steps, go by number: in ``passed``, ``constants`` and ``undecided``; ``left_over`` counts
    the steps that the bounds did not decide, ``searched`` has the ways found for them.
    """

    boxes: Boxes
    asked: str
    limit: int
    hulls: dict[str, int] = field(default_factory=dict)
    witnesses: dict[str, list[Witness]] = field(default_factory=dict)
    complete: dict[str, bool] = field(default_factory=dict)
    passed: dict[int, bool] = field(default_factory=dict)
    constants: dict[int, bool] = field(default_factory=dict)
    undecided: set[int] = field(default_factory=set)
    searched: dict[int, list[Witness]] = field(default_factory=dict)
    left_over: int = 0

    def arrive(self, name: str, hull: int) -> bool:
        """Widen the box around what arrives; whether that changed it."""
        before = self.hulls.get(name)
        # A box is what it excludes, so the box around two is what both exclude.
        after = hull if before is None else before & hull
        self.hulls[name] = after
        return before != after

    def reduce(self, name: str) -> None:
        """Keep the widest witnesses, none inside another."""
        found = self.witnesses.get(name)
        if not found or (len(found) <= 1):
            return
        unique = {witness.box: witness for witness in reversed(found)}
        kept: list[Witness] = []
        boxes: list[int] = []
        # The widest first: they take in others and are the likeliest to pass further steps.
        for box in sorted(unique, key=_excluded):
            if any(box & other == other for other in boxes):
                continue
            if len(boxes) == self.limit:
                self.complete[name] = False
                break
            boxes.append(box)
            kept.append(unique[box])
        self.witnesses[name] = kept


def _excluded(box: int) -> tuple[int, int]:
    return box.bit_count(), box


def trace_bounds(boxes: Boxes, asked: str, initial: int, limit: int, decide: Decide) -> Bounds:
    """Bounds for everything upstream of the asked attribute, whose rows meet the ``initial`` condition."""
    bounds = Bounds(boxes, asked, limit)
    if initial == FALSE:
        return bounds
    arms = boxes.arms(initial)
    for arm in arms:
        bounds.arrive(asked, arm.box)
    bounds.witnesses[asked] = [Witness(arm.box) for arm in arms if arm.exact]
    bounds.complete[asked] = all(arm.exact for arm in arms)
    incoming = boxes.crossing.graph.incoming

    def following(name: str) -> list[str]:
        return [edge.source for edge in incoming[name]]

    for group in groups(asked, following):
        members = set(group)
        # Around a cycle the boxes must be known before any step of it is decided.
        around = looped(group, following)
        if around:
            _settle(bounds, group, members)
        for name in group:
            bounds.reduce(name)
            for edge in incoming[name]:
                _pass(bounds, edge, decide, inside=around and edge.source in members)
            _constants(bounds, name, decide)
    return bounds


def _settle(bounds: Bounds, group: list[str], members: set[str]) -> None:
    """Bring the boxes around a cycle to their fixed point; witnesses of a cycle are not all there is."""
    incoming = bounds.boxes.crossing.graph.incoming
    pending = [name for name in group if name in bounds.hulls]
    # This ends: a box around only ever takes regions in, and of these there are finitely many.
    while pending:
        name = pending.pop(0)
        for edge in incoming[name]:
            if edge.source not in members:
                continue
            arms = bounds.boxes.back([bounds.hulls[name]], edge)
            if True in [bounds.arrive(edge.source, arm.box) for arm in arms]:
                pending.append(edge.source)
            # A few witnesses go round as well; some of them may pass where the box around is undecided.
            for witness in bounds.witnesses.get(name, ())[: bounds.limit]:
                if len(bounds.witnesses.get(edge.source, ())) < bounds.limit:
                    _carry(bounds, edge, witness)
    for name in group:
        bounds.complete[name] = False


def _carry(bounds: Bounds, edge: Edge, witness: Witness) -> bool:
    """Carry one witness across a step; whether anything passed."""
    through = False
    for arm in bounds.boxes.back([witness.box], edge):
        if arm.exact:
            through = True
            bounds.witnesses.setdefault(edge.source, []).append(Witness(arm.box, edge, witness))
        else:
            bounds.complete[edge.source] = False
    return through


def _pass(bounds: Bounds, edge: Edge, decide: Decide, *, inside: bool) -> None:
    """Decide one step and carry the bounds of its target across it."""
    target, source = edge.target, edge.source
    hull = bounds.hulls.get(target)
    if hull is None:
        bounds.passed[edge.number] = False
        return
    bounds.complete.setdefault(source, True)
    if not bounds.complete[target]:
        bounds.complete[source] = False
    # Cheapest first. Witnesses that are all there is, and none of which passes, prove that no row does.
    through = _carry_all(bounds, edge)
    if not through and bounds.complete[target] and bounds.complete[source]:
        bounds.passed[edge.number] = False
        return
    # Nor does any where the box around all that arrives finds no way through.
    arms = bounds.boxes.back([hull], edge)
    if not arms:
        bounds.passed[edge.number] = False
        return
    # Left over: the box would pass, no witness does. The search decides for this step alone.
    if not through:
        bounds.left_over += 1
        verdict = decide(bounds, edge)
        if verdict == "contradictory":
            bounds.passed[edge.number] = False
            return
        if verdict == "undecided":
            bounds.undecided.add(edge.number)
    bounds.passed[edge.number] = True
    # Within a cycle the box around is settled already, and may have been used: it must not change any more.
    if not inside:
        for arm in arms:
            bounds.arrive(source, arm.box)


def _carry_all(bounds: Bounds, edge: Edge) -> bool:
    """Carry every witness of the target across a step; whether one passed."""
    witnesses = tuple(bounds.witnesses.get(edge.target, ()))
    # What all witnesses exclude together tells once for all of them which fields are to be looked at.
    together = 0
    for witness in witnesses:
        together |= witness.box
    quick = bounds.boxes.quick(together, edge)
    if quick is None:
        return True in [_carry(bounds, edge, witness) for witness in witnesses]
    same, guards = quick
    ones, spare = bounds.boxes.layout.ones, bounds.boxes.layout.spare
    into = bounds.witnesses.setdefault(edge.source, [])
    through = False
    for witness in witnesses:
        box = witness.box
        # A witness that speaks of copies only crosses the step unchanged: one OR for each guard.
        if box & ~same:
            through |= _carry(bounds, edge, witness)
            continue
        for guard in guards:
            joined = box | guard
            if not joined + ones & spare:
                into.append(Witness(joined, edge, witness))
                through = True
    return through


def _constants(bounds: Bounds, name: str, decide: Decide) -> None:
    """Which constants written for an attribute can arrive; undecided ones are kept."""
    hull = bounds.hulls.get(name)
    if hull is None:
        return
    for edge in bounds.boxes.crossing.graph.written[name]:
        bounds.constants[edge.number] = _arrives(bounds, edge, hull, decide)


def _arrives(bounds: Bounds, edge: Edge, hull: int, decide: Decide) -> bool:
    """Whether a constant can arrive: as for a step, first the witnesses, then the box around, then the search."""
    back = bounds.boxes.back
    exact = [witness.box for witness in bounds.witnesses.get(edge.target, ())]
    arms = back(exact, edge)
    if any(arm.exact for arm in arms):
        return True
    if not arms and bounds.complete[edge.target]:
        return False
    if not back([hull], edge):
        return False
    verdict = decide(bounds, edge)
    if verdict == "undecided":
        bounds.undecided.add(edge.number)
    return verdict != "contradictory"


def trace_hulls(boxes: Boxes, asked: str, initial: int) -> Bounds:
    """Forwards from the asked attribute: the box around what arrives at each attribute, to a fixed point."""
    bounds = Bounds(boxes, asked, 0)
    for arm in boxes.arms(initial):
        bounds.arrive(asked, arm.box)
    outgoing = boxes.crossing.graph.outgoing
    pending = [asked] if asked in bounds.hulls else []
    while pending:
        name = pending.pop(0)
        for edge in outgoing.get(name, ()):
            arms = boxes.forward(bounds.hulls[name], edge)
            bounds.passed[edge.number] = bool(arms)
            if True in [bounds.arrive(edge.target, arm.box) for arm in arms]:
                pending.append(edge.target)
    return bounds
