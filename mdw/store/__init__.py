"""The only home of the Oxigraph store: open, load, replace, select.

Any number of threads may ask; one at a time writes. A load is whole or has not happened: small ones are one
transaction, big ones on disk fill the next generation (see `mdw.store.directory`), big ones in memory are undone when
they fail.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import IO, Literal

import pyoxigraph as ox

from mdw.errors import QueryError, StoreError
from mdw.graph import PREFIX, MappingGraph
from mdw.store.batches import Batch, LoadCounts, batches
from mdw.store.directory import Directory
from mdw.store.queries import filled, query, refuse_calls
from mdw.vocabulary import INFERRED, PREFIXES, mapping_iri, reference
