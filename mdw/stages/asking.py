"""Questions to a store: one attribute's lineage and impact, requests, and what is known by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from mdw.collecting import uncollected
from mdw.drafting import drafted
from mdw.language.mapping import MAPPING_GRAMMAR
from mdw.language.metatree import MetaTree
from mdw.language.questions import (
    When,
    asked_name,
    entity_name,
    initial_condition,
    when_text,
)
from mdw.language.requests import match, parameterised, read_request
from mdw.lineage.outer import outer
from mdw.lineage.reasons.scripts import FEWER, UNCONFIRMED, dropped_smt2
from mdw.lineage.steps.question import Budget, Question
from mdw.model.answers.answer import Impact, Lineage
from mdw.model.answers.ends import End, Readable
from mdw.model.answers.help import MISNAMED, without_columns
from mdw.model.answers.results import Attribute, Entity, MappingInfo, Matches, Parameters
from mdw.model.candidates import Candidates
from mdw.model.errors import InputError, OutputError, QuestionError, writing
from mdw.model.expressions import Attr
from mdw.model.name import entity_of, local_of
from mdw.model.rules import MODES, POLICIES, Mode, Policy
from mdw.model.walks import attributes_of, with_leaves
from mdw.render.contents import contents
from mdw.render.proof import kept_sql
from mdw.stages import believing, naming, unread
from mdw.stages.unfolding import unfolding
from mdw.store import candidates, catalogue, dictionary, scripts, trees
from mdw.store.directory import is_store
from mdw.store.engine import Store

ABOUT, PROOF = "README.txt", "A proof written by mdw"
"""The file that says what else is in a folder of proofs, and what it begins with."""
DOUBTS = {"not confirmed by Z3": UNCONFIRMED, "fewer of the rules would do, says Z3": FEWER}

Answered = TypeVar("Answered", Lineage, Impact)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question as it comes, nothing of it read yet; `Warehouse.lineage` says what each part means."""

    attribute: str
    when: When = None
    mode: Mode = "active"
    unpopulated: Policy | None = None
    budget: Budget | None = None
    other: str | None = None
    shown: bool = True
    inner: bool = False
    sql_dialect: str = ""


def lineage(store: Store, asking: Asking) -> Lineage:
    """Question -> the rules upstream of it -> those that can carry a row -> the answer."""
    question, when = _read(store, asking)
    with uncollected(), believing.answering(store):
        answer, found = _lineage(store, question, when)
        around = found if asking.inner else candidates.bounding(store, found, question.mode)
        return _told(store, asking, answer, around)


def prove(store: Store, asking: Asking, folder: Path) -> Lineage:
    """Question -> the same answer, and beside it scripts that anybody can run to see that it is right."""
    _a_folder_for_proofs(folder)
    question, when = _read(store, asking)
    with uncollected(), believing.answering(store):
        answer, found = _lineage(store, question, when)
        kept = kept_sql(answer, found, question.condition, _in_sqlite)
        contradictions = dropped_smt2(answer, found, question.condition)
        dropped = {f"dropped-{number:03}.smt2": script for number, script in enumerate(contradictions, 1)}
        doubtful = {what: [name for name in dropped if dropped[name].startswith(flag)] for what, flag in DOUBTS.items()}
        about = contents(answer, kept, [*dropped], doubtful)
        scripts = {ABOUT: f"{PROOF}\n\n{about}", "kept.sql": kept.script, **dropped}
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        # Of an earlier answer there may be more.
        for left in set(folder.glob("dropped-[0-9]*.smt2")) - {folder / name for name in scripts}:
            left.unlink()
        for name, script in scripts.items():
            with drafted(folder / name) as draft:
                draft.write_text(script, encoding="utf-8")
    return _told(store, asking, answer, found)


def _in_sqlite(statement: str) -> str:
    # sqlglot is slow to import, and most statements SQLite takes as they are.
    from mdw.readers.sql.writing import in_dialect

    return in_dialect(statement, "sqlite")


def _a_folder_for_proofs(folder: Path) -> None:
    """OutputError if a folder holds anything but an earlier proof: nobody's own files are written over."""
    if is_store(folder):
        raise OutputError(f"{folder} is a store: proofs take a folder of their own")
    with writing(folder):
        held = sorted(one.name for one in folder.iterdir()) if folder.is_dir() else []
        ours = not held or (ABOUT in held and (folder / ABOUT).read_bytes().startswith(PROOF.encode()))
    if not ours:
        raise OutputError(f"{folder} holds other files, such as {held[0]}: proofs take a folder of their own")


def impact(store: Store, asking: Asking) -> Impact:
    """Question -> the rules downstream of it -> those that can carry a row -> the answer."""
    question, when = _read(store, asking)
    with uncollected(), believing.answering(store):
        # Between two attributes it is the way that counts, and what has a say in it lies above its lower end: the same
        # candidates, and so the same answer, as its lineage has from the other.
        turned = replace(question, attribute=question.other)
        found = candidates.upstream(store, turned) if question.other else candidates.downstream(store, question)
        found = _typed(store, question, found)
        answer = _noting(store, when, question, _held(store, unread.impact(store, question, found), found), found)
        around = found if asking.inner or question.other else candidates.deciding(store, found)
        return _told(store, asking, answer, around)


def request(store: Store, text: str) -> Matches:
    """Request -> trees that mention what it asks for -> the nodes in the right places."""
    request = read_request(text)
    read = trees.trees(store, mentioning=asked_name(request))
    return Matches(text, match(request, read, metatree()))


def parameters(requests: Sequence[str]) -> Parameters:
    """Requests -> the leaves of the meta tree that they look at."""
    return Parameters(tuple(requests), parameterised(map(read_request, requests), metatree()))


def metatree() -> MetaTree:
    """The meta tree of the mapping language, worked out from its grammar once."""
    return MetaTree.of(MAPPING_GRAMMAR)


def mappings(store: Store, after: str, limit: int | None) -> tuple[MappingInfo, ...]:
    """What heads say of mappings: all, or so many of those whose names come after a name."""
    if limit is not None:
        return tuple(MappingInfo.of(head) for head in catalogue.heads_after(store, after, limit))
    return tuple(MappingInfo.of(head) for head in catalogue.heads(store) if head.mapping > after)


def attribute(store: Store, name: str) -> Attribute:
    """Name -> what the store knows of the attribute."""
    asked = naming.named(store, name)
    return Attribute.of(catalogue.about_attribute(store, naming.known_by(store, asked) or asked))


def entity(store: Store, name: str) -> Entity:
    """Name -> what the store knows of the entity."""
    return Entity.of(catalogue.about_entity(store, naming.entity_meant(store, entity_name(name))))


def understood(mode: str, policy: str | None) -> None:
    """QuestionError if one of the words of a question is none."""
    if mode not in MODES:
        raise QuestionError(f"mode is {' or '.join(MODES)}, not {mode!r}")
    if policy is not None and policy not in POLICIES:
        raise QuestionError(f"unpopulated is {', '.join(POLICIES)} or None, not {policy!r}")


def _read(store: Store, asking: Asking) -> tuple[Question, str]:
    """The question with names and condition read and known, and its condition as text."""
    understood(asking.mode, asking.unpopulated)
    if asking.sql_dialect:
        _known_dialect(asking.sql_dialect)
    when = when_text(asking.when)
    asked = naming.named(store, asking.attribute)
    name = naming.meant(store, asked)
    other = naming.meant(store, naming.named(store, asking.other)) if asking.other is not None else ""
    condition = initial_condition(when, name)
    # `REGION = "EU"` was read as the asked entity's; a name of another entity may be the end of one, too.
    if condition:
        condition = with_leaves(
            condition, lambda one: Attr(naming.meant(store, one.name, when)) if isinstance(one, Attr) else one
        )
    # Passive lineage looks at no condition: the answer shows none, and a note says what was left unlooked at.
    condition, shown = (None, "") if asking.mode == "passive" else (condition, when.strip())
    budget = asking.budget or Budget()
    return Question(name, condition, shown, asking.mode, asking.unpopulated, budget, other, asking.shown), when


def _known_dialect(name: str) -> None:
    """QuestionError if there is no such dialect."""
    from mdw.readers.sql.dialects import flavour_of

    try:
        flavour_of(name)
    except InputError as error:
        raise QuestionError(str(error)) from error


def _lineage(store: Store, question: Question, when: str) -> tuple[Lineage, Candidates]:
    found = _typed(store, question, candidates.upstream(store, question))
    return _noting(store, when, question, _held(store, unread.lineage(store, question, found), found), found), found


def _absent(store: Store, answer: Lineage | Impact) -> list[str]:
    """Notes of ends that their tables do not have: whoever reads of such a source is to know that it may be none."""
    ends = [answer.attribute]
    if isinstance(answer, Lineage):
        ends += [*(end.attribute for end in answer.golden), *answer.interrupted]
    return [f"{one}: {MISNAMED}" for one in without_columns(dictionary.absent(store, ends))]


def _typed(store: Store, question: Question, found: Candidates) -> Candidates:
    """The candidates with the types that example rows are to be of, where the answer has some."""
    return dictionary.typed(store, found) if question.mode == "active" and question.shown else found


def _by_name(answer: Lineage | Impact, found: Candidates) -> list[str]:
    """Notes of what goes from entity to entity by its name, because all does that there is."""
    names: dict[tuple[str, str], dict[str, None]] = {}
    for one in answer.steps:
        if (one.mapping, one.target) in found.passed and one.kind == "direct":
            names.setdefault((entity_of(one.source), entity_of(one.target)), {})[local_of(one.target)] = None
    return [
        f"all of {one} goes to {other}, and {', '.join(some)} with it, by {'its name' if len(some) == 1 else 'name'}"
        for (one, other), some in names.items()
    ]


def _told(store: Store, asking: Asking, answer: Answered, found: Candidates) -> Answered:
    """The answer as it was asked for: from table to table or with inner entities, its SQL in a dialect."""
    told = answer if asking.inner else outer(answer, found, unfolding(found))
    dialect = asking.sql_dialect or scripts.dialect(store)
    if not dialect:
        return told
    if isinstance(told, Lineage):
        ends = tuple(_in_dialect(end, dialect) for end in told.golden)
        return replace(told, golden=ends, sql_dialect=asking.sql_dialect)
    return replace(told, final=tuple(_in_dialect(end, dialect) for end in told.final), sql_dialect=asking.sql_dialect)


def _in_dialect(end: End, dialect: str) -> End:
    """The end with its SQL in a dialect, written when it is first read."""

    def write() -> Readable:
        # sqlglot is slow to import, and most answers are read without their SQL.
        from mdw.readers.sql.writing import in_dialect

        return replace(end.readable, sql=in_dialect(end.sql, dialect))

    return End(end.attribute, write)


def _held(store: Store, answer: Answered, found: Candidates) -> Answered:
    """The answer, saying by a digest what the mappings it names say."""
    # Not those that were fetched: a store that is not up to date fetches more, and answers the same.
    named = {step.mapping for step in answer.steps} | {dropped.step.mapping for dropped in answer.dropped}
    named |= {one.mapping for one in answer.constants}
    named |= {one.mapping for one in answer.generated} if isinstance(answer, Lineage) else set()
    basis = replace(answer.basis, mappings=len(named), digest=catalogue.digest(store, named, found.digests))
    return replace(answer, basis=basis)


def _noting(store: Store, when: str, question: Question, answer: Answered, found: Candidates) -> Answered:
    """The answer, saying so where it takes no notice of the condition asked with, or of a part of it."""
    notes = [*answer.notes, *_by_name(answer, found), *_absent(store, answer), *believing.notes(store)]
    if question.mode == "passive" and when.strip():
        notes.append(f"passive: {when.strip()} was not looked at, nor any other condition")
    if question.condition:
        steps = [*answer.steps, *(dropped.step for dropped in answer.dropped)]
        # Steps left out count as met: it may be this very condition that left them out.
        met = {entity_of(name) for step in steps for name in (step.source, step.target)}
        met.add(entity_of(question.attribute))
        strange = sorted({entity_of(name) for name in attributes_of(question.condition)} - met)
        notes += [f"no rows of {entity} lie on the way: what was asked of them was not looked at" for entity in strange]
    return replace(answer, notes=tuple(notes))
