"""Whether rows that meet a condition come from an end: the way up from a step, looked for one row after the other.

`mdw.lineage.judge.exact` says what rows of an attribute must meet to go on to the question. That some row could leave
is not enough: it must have come from somewhere. In the small warehouse of `mdw.lineage` let the last mapping ask for
"UK", and let "US" of SRC.D be all that is ever written:

    SRC.D -- writes "US" for REGION --> CORE.B -- only REGION = "UK" --> MART.C

The step to MART.C could be passed by a row of CORE.B with "UK". No such row is made, so the step goes too.

What is looked through are pairs of an attribute and a condition on its rows, from a step towards the ends. Most
mappings copy what conditions speak of, so a pair is met again and again and looked at once. Where conditions grow
without end, around a cycle, or are too many, all of them are carried up together, joined by OR.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mdw.conditions.atoms import Atom
from mdw.conditions.diagram import FALSE, TRUE
from mdw.conditions.solver import Verdict
from mdw.lineage.judge.exact import trace_back
from mdw.lineage.judge.seeking import Seeking
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.steps.order import groups, looped
from mdw.model.errors import TooLargeError
from mdw.model.walks import walk

EFFORT = 200
"""Pairs looked at for one condition, before all ways are carried up together."""
GROWN, ATOMS = 12, 12
"""Parts of one comparison, and comparisons of one condition, beyond which a way is not followed by itself."""
TOGETHER = 5
"""Conditions of one question for which that is done; of further ones it stays undecided whether they come from an end.
"""

At = tuple[str, int]
"""An attribute, or rows as such, and the condition on its rows: a node of the diagram."""


class Upwards:
    """Finds ways up to an end; what was found once is known.

    With ``source`` only rows of this attribute are an end, of these only those that meet the condition ``asked``.
    ``outgrown``: conditions of some ways have outgrown the diagram, and what came after was not looked for.
    """

    def __init__(
        self, crossing: Crossing, check: Callable[[int], Verdict], source: str = "", asked: int = TRUE
    ) -> None:
        self.crossing = crossing
        self.check = check
        self._source, self._asked = source, asked
        # Rows as such come from no attribute, so with a source nothing is to be found above them.
        self._above = crossing.graph.incoming.__getitem__ if source else crossing.graph.above
        # What Z3 cannot decide is no proof; only where it makes the difference it is looked at again, and said.
        self._sure: Seeking[At] = Seeking(self._following, self._ends, EFFORT, self._grown)
        self._loose: Seeking[At] = Seeking(lambda at: self._following(at, loose=True), self._ends, EFFORT, self._grown)
        self._together: dict[At, Verdict] = {}
        self._round: dict[str, bool] = {}
        self.outgrown = False

    def comes(self, name: str, condition: int) -> Verdict:
        """Whether some row of the attribute that meets the condition comes from an end."""
        if name == self._source:
            return self.check(self.crossing.diagram.both(condition, self._asked))
        if condition == FALSE:
            return "contradictory"
        at = (name, condition)
        try:
            found = self._sure.look(at)
            if found:
                return "possible"
            # The effort ran out (None), or no way is sure. Of the latter some may be that Z3 could not decide.
            if found is None:
                return self._merged(at)
            loose = self._loose.look(at)
            return "contradictory" if loose is False else "undecided" if loose else self._merged(at)
        except TooLargeError:
            self.outgrown = True
            return "undecided"

    def ways(self, name: str, condition: int) -> set[int]:
        """Steps of ways from the ends to rows of the attribute that meet the condition, as far as the effort goes.

        Each way is followed by itself and exactly; what is unknown of conditions is no way.
        """
        into: dict[At, list[tuple[At, int]]] = {(name, condition): []}
        pending = [(name, condition)]
        # From the question up, noting for each pair how it was come by; then from the ends down along these notes.
        for at in pending:
            for number, after in () if self._grown(at) else self._following(at):
                if after not in into and len(into) < EFFORT:
                    into[after] = []
                    pending.append(after)
                if after in into:
                    into[after].append((at, number))
        return self._between(into)

    def _grown(self, at: At) -> bool:
        """Whether a condition speaks of values that have grown round a cycle: they cost more and more, without end."""
        labels = self.crossing.diagram.labels
        atoms = [label for v in self.crossing.diagram.support(at[1]) if isinstance(label := labels[v], Atom)]
        # `N WITH N + M` round a cycle: N > 1, N + M > 1, N + M + M > 1 and on. Without a cycle a large one stays as is.
        large = len(atoms) > ATOMS or any(sum(1 for _ in walk(atom.condition)) > GROWN for atom in atoms)
        return large and self._circular(at[0])

    def _circular(self, name: str) -> bool:
        """Whether rows of the attribute may be made of one another."""
        if name not in self._round:
            # What is known already leads to nothing new: a cycle is met as a whole.
            for group in groups(name, lambda one: [] if one in self._round else self._sources(one)):
                around = looped(group, self._sources)
                for one in group:
                    self._round.setdefault(one, around)
        return self._round[name]

    def _sources(self, name: str) -> list[str]:
        return [edge.source for edge in self._above(name)]

    def _between(self, into: dict[At, list[tuple[At, int]]]) -> set[int]:
        """The steps that lead down from the ends among what was met."""
        found: set[int] = set()
        pending = [at for at in into if self._ends(at)]
        seen = set(pending)
        for at in pending:
            for below, number in into[at]:
                found.add(number)
                if below not in seen:
                    seen.add(below)
                    pending.append(below)
        return found

    def ends(self, name: str) -> bool:
        """Whether ways may end at rows of the attribute."""
        return name == self._source if self._source else self.crossing.graph.ends_at(name)

    def _ends(self, at: At) -> bool:
        return self.ends(at[0])

    def _following(self, at: At, *, loose: bool = False) -> Iterator[tuple[int, At]]:
        """The rows that those with a condition are made of: each step up, and what it asks of them."""
        name, condition = at
        for edge in self._above(name):
            passed = self.crossing.back(condition, edge)
            # Here too, not only at the start: a way that arrives at the source must arrive with rows asked for.
            if edge.source == self._source and self._asked != TRUE:
                passed = self.crossing.diagram.both(passed, self._asked)
            verdict = self.check(passed) if passed > TRUE else "possible"
            if passed != FALSE and (verdict == "possible" or (loose and verdict == "undecided")):
                yield edge.number, (edge.source, passed)

    def _merged(self, at: At) -> Verdict:
        """The same with the conditions of all ways joined by OR, which costs as much as there are steps."""
        found = self._together.get(at)
        if found is None and len(self._together) >= TOGETHER:
            return "undecided"
        if found is None:
            reach = trace_back(self.crossing, dict((at,)), self._possible, self._above)
            arrived = [node for end in reach.conditions.items() if (node := end[1]) != FALSE and self._ends(end)]
            # What is weakened lets more arrive than there is: that nothing arrives is still proof, that something is
            # no longer.
            sure = not reach.weakened and any(self.check(node) == "possible" for node in arrived)
            found = self._together[at] = "possible" if sure else "undecided" if arrived else "contradictory"
        return found

    def _possible(self, node: int) -> bool:
        return self.check(node) != "contradictory"
