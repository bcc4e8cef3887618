"""The warehouse: the only module that knows in which order texts become answers.

Loading: sources -> trees and rules -> graphs -> store. Asking: question -> facts inferred if any are stale -> candidates
from the store -> judged by their conditions -> answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TypeVar

from mdw import inference, navigation
from mdw.answer import Impact, Lineage, Mode
from mdw.candidates import Candidates
from mdw.context import contexts, match, read_request
from mdw.errors import InputError, QuestionError, StoreError
from mdw.graph import MappingGraph, describe
from mdw.lineage.question import Question
from mdw.lineage.trace import trace_impact, trace_lineage
from mdw.metatree import MetaTree
from mdw.model import Condition, Policy
from mdw.name import entity_of
from mdw.reading import Named, Progress, read_sources
from mdw.readers.mapping import MAPPING_GRAMMAR, read_condition, read_name
from mdw.render import shown  # noqa: F401  results print as text and show in notebooks
from mdw.results import CheckReport, LoadReport, MappingInfo, Matches, Table
from mdw.rules import condition_of
from mdw.store import Store
from mdw.tree import Node
from mdw.unparse import unparse
