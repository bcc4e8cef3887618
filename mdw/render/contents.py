"""What a folder of proofs says of itself: an answer and its scripts -> a text that tells how each script is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mdw.model.answers.answer import Lineage
from mdw.render.proof import Kept
from mdw.render.unread import not_read, unread_line
from mdw.render.words import count


def contents(answer: Lineage, kept: Kept, dropped: Sequence[str], doubtful: Mapping[str, Sequence[str]]) -> str:
    """What a folder of scripts says of itself: how each is run, and what they do not show.

    ``dropped`` are the names of the scripts of contradictions, ``doubtful`` those of them that a solver answers
    otherwise, by what is the matter.
    """
    asked = f" when {answer.when}" if answer.when else ""
    followed = len(answer.golden) - len(kept.missing)
    lines = [
        f"Lineage of {answer.attribute}{asked}, by mdw {answer.basis.version}",
        f"rules: {count(answer.basis.mappings, 'mapping')}, digest {answer.basis.digest}",
        *([f"by what was read: {not_read(answer)}, {unread_line(answer)}"] if answer.unread else []),
        "",
        f"kept.sql: example rows of {followed:,} of {count(len(answer.golden), 'golden source')} arrive.",
        "  run it: sqlite3 :memory: < kept.sql",
        "  It puts in the rows joined on the way as well; whether mappings make such rows is not asked.",
        *(f"  not shown: {source} ({why})" for source, why in kept.missing.items()),
    ]
    if dropped:
        lines += [
            "",
            f"dropped-….smt2: {count(len(dropped), 'contradiction')}, each with the rules that contradict one another.",
            f"  run one: z3 {dropped[0]}",
            "  The first answer is to be unsat: no row passes all of its rules.",
            "  Each further one is to be sat: without one of the rules some row does.",
            *(f"  {what}: {', '.join(names)}" for what, names in doubtful.items() if names),
        ]
    return "\n".join([*lines, ""])
