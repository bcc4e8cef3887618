"""mdw: where does a value really come from, under which conditions, and what does it feed?

A warehouse of mappings, in memory or in a folder, read from mapping text and asked in Python, SPARQL or on the
command line:

    from mdw import Warehouse

    with Warehouse() as warehouse:
        warehouse.load("data/bank")
        answer = warehouse.lineage("MART.GROUP_CUSTOMER.CUSTOMER_NAME", when='REGION = "EU"')
        print(answer)

Texts are read into trees, trees become RDF in the store, queries fetch the candidates of a question, conditions decide
which of them can hold together, and the answer is a value: golden sources with their conditions, every step kept, and
every step left out with the rules that contradict each other. `mdw/README.md` shows the rooms this leads through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdw.model.version import VERSION

if TYPE_CHECKING:
    from mdw.language.metatree import MetaNode, MetaTree
    from mdw.lineage.steps.question import Budget
    from mdw.model.answers.answer import Answer, Impact, Lineage, Origins
    from mdw.model.answers.ends import End, Readable
    from mdw.model.answers.explained import ExplainedStatement
    from mdw.model.answers.quotes import Quote, ScriptWords
    from mdw.model.answers.reasons import Dropped, Group, Link, Reason
    from mdw.model.answers.report import Report
    from mdw.model.answers.results import (
        CheckReport,
        LoadReport,
        MappingInfo,
        Match,
        Matches,
        Parameter,
        Parameters,
        Table,
    )
    from mdw.model.answers.scan import Scan
    from mdw.model.answers.statements import SqlStatement
    from mdw.model.answers.steps import Constant, Generated, Indirect, Step
    from mdw.model.answers.unread import UnreadStatement
    from mdw.model.dictionary import AttributeEntry, DataDictionary, EntityEntry
    from mdw.model.errors import (
        BatchError,
        DatabaseError,
        InputError,
        MdwError,
        OutputError,
        PictureError,
        QueryError,
        QuestionError,
        SparkError,
        StoreError,
    )
    from mdw.model.tree import Location, Node
    from mdw.stages.scanning import scan_sql
    from mdw.warehouse import Warehouse

__version__ = VERSION

# Names are imported when first used: `import mdw` stays fast, whatever the engines behind them weigh.
_HOMES = {
    "mdw.model.answers.answer": ("Answer", "Impact", "Lineage", "Origins"),
    "mdw.model.answers.ends": ("End", "Readable"),
    "mdw.model.answers.explained": ("ExplainedStatement",),
    "mdw.model.answers.quotes": ("Quote", "ScriptWords"),
    "mdw.model.answers.reasons": ("Dropped", "Group", "Link", "Reason"),
    "mdw.model.answers.scan": ("Scan",),
    "mdw.model.answers.report": ("Report",),
    "mdw.model.answers.statements": ("SqlStatement",),
    "mdw.model.answers.steps": ("Constant", "Generated", "Indirect", "Step"),
    "mdw.model.answers.unread": ("UnreadStatement",),
    "mdw.model.dictionary": ("AttributeEntry", "DataDictionary", "EntityEntry"),
    "mdw.model.errors": (
        "BatchError", "DatabaseError", "InputError", "MdwError", "OutputError", "PictureError", "QueryError",
        "QuestionError", "SparkError", "StoreError",
    ),
    "mdw.lineage.steps.question": ("Budget",),
    "mdw.language.metatree": ("MetaNode", "MetaTree"),
    "mdw.model.answers.results": (
        "CheckReport", "LoadReport", "MappingInfo", "Match", "Matches", "Parameter", "Parameters",
        "Table",
    ),
    "mdw.model.tree": ("Location", "Node"),
    "mdw.stages.scanning": ("scan_sql",),
    "mdw.warehouse": ("Warehouse",),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Answer",
    "AttributeEntry",
    "BatchError",
    "Budget",
    "CheckReport",
    "Constant",
    "DataDictionary",
    "DatabaseError",
    "Dropped",
    "End",
    "EntityEntry",
    "ExplainedStatement",
    "Generated",
    "Group",
    "Impact",
    "Indirect",
    "InputError",
    "Lineage",
    "Link",
    "LoadReport",
    "Location",
    "MappingInfo",
    "Match",
    "Matches",
    "MdwError",
    "MetaNode",
    "MetaTree",
    "Node",
    "Origins",
    "OutputError",
    "Parameter",
    "Parameters",
    "PictureError",
    "QueryError",
    "QuestionError",
    "Quote",
    "Readable",
    "Reason",
    "Report",
    "Scan",
    "ScriptWords",
    "SparkError",
    "SqlStatement",
    "Step",
    "StoreError",
    "Table",
    "UnreadStatement",
    "Warehouse",
    "scan_sql",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module mdw has no attribute {name}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted((*__all__, "__version__"))
