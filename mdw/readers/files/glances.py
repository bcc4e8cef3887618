"""A text of SQL -> the names it seems to make, to read and to call, by a look at its words alone.

Files of a folder are read in the order this tells, and each is told the columns of what this says it reads. It needs
no parser, knows no dialect and costs a fiftieth of reading. What it misses is not told: the columns stay unknown. What
it sees too much costs time: files seem to need one another.

>>> found = glance("CREATE VIEW mart.v AS WITH c AS (SELECT * FROM raw.s, t) SELECT * FROM c JOIN [My Table] m")
>>> sorted(found.makes), sorted(found.reads)
(['mart.v'], ['my table', 'raw.s', 't'])
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# What a text has most is tried first, and letters are taken many at a time: half the time.
_PART = r'(?:[^\W\d][\w$#]*(?:-(?=\w)[\w$#]*)*|"[^"\n]+"|`[^`\n]+`|\[[^\]\n]+\]|[#@_][\w$#@]*)'
_WORDS = re.compile(
    rf"{_PART}(?:\s*\.+\s*(?:{_PART}|\*))*|[(),;]|'[^'\n]*(?:''[^'\n]*)*'|--[^\n]*|/\*.*?\*/", re.DOTALL
)
"""A name, a mark, a text in quotes or a comment: its first letter tells which."""
_QUOTED = re.compile(r'"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([^\s."`\[\]]+)')
_SHARD = re.compile(r"_(?:\d{8}|\*)\Z")

READS_WORDS = "from join using update like clone apply overwrite describe pivot unpivot"
READS = frozenset(READS_WORDS.split())
"""Words behind which the name of a table is read; those behind INTO and TABLE may be made."""
SKIPPED = frozenset(("if", "not", "exists", "only", "lateral", "recursive", "table", "into", "as", "oj"))
"""Words that may stand between such a word and the name."""
VERBS_WORDS = "create replace alter drop truncate rename insert merge copy cache select delete"
VERBS = frozenset(VERBS_WORDS.split())
"""Words that tell what becomes of the name behind TABLE, VIEW, INTO or TO."""
MAKES = frozenset(("create", "replace", "alter"))
"""Verbs by which a trigger is made, of which its table is told something."""
HOLDERS = {"trigger": "on", "rule": "to"}
"""What runs for rows that are written, and the word behind which its table stands."""
WRITES = frozenset(("insert", "delete"))
"""Verbs that are what a trigger runs after, in its head."""
INSERTING = frozenset(
    ("or", "ignore", "all", "first", "row", "when", "low_priority", "high_priority", "delayed", "top")
)
"""Words that may stand behind INSERT and are no names."""
CALLS = frozenset(("call", "exec", "execute", "perform"))
"""Words behind which the name of a routine stands that is called."""
ROUTINES = frozenset(("procedure", "proc", "function", "package"))
"""Words behind which the name of a routine stands that is made."""
MACRO = "macro"
"""The same of DuckDB's functions; a name in most other places."""
BETWEEN = frozenset((*ROUTINES, MACRO, "body", "if", "not", "exists"))
"""Words that may stand between such a word and the name."""
STARTS = frozenset(("begin", "then", "else", "loop"))
"""Words behind which a statement begins; one of a name alone is a call (PL/SQL)."""
LOCAL = frozenset(("temp", "temporary", "volatile"))
"""Words behind CREATE that make a table of no use to other files."""
ENDS = frozenset(
    ("where", "group", "order", "having", "select", "set", "union", "limit", "window", "qualify", "values", "on")
)
"""Words with which the list behind FROM is at an end, as far as commas go on with it."""
SELDOM = ("dictget", "joinget", "identifier", "stream(", "graph_table(", "semantic_view", "synonym", "alias ",
          "swap with", "model ", "window view", "model(", "exchange tables", "partition of", "table('", "nickname",
          "transfer ", "rename ", "semantic view", "language yaml", "materialized view", " stream ", "replica of",
          "union =", "union=", "create type")  # fmt: skip
"""What a text has in which names are read that stand in other places than behind those words."""
_SELDOM = re.compile(
    rf"""\b(?:dictget\w*|dicthas|joinget\w*)\s*\(\s*'?([\w.]+)|\b(?:table|identifier)\s*\(\s*'([^'\n]+)'"""
    rf"""|\b(?:stream|semantic_view|graph_table)\s*\(\s*({_PART}(?:\.{_PART})*)|\bexchange\s+tables\s+([\w.]+)\s+and\s+([\w.]+)"""
    rf"""|\b(?:synonym|alias|nickname)\s+\S+\s+for\s+({_PART}(?:\.+{_PART})*)"""
    rf"""|\b(?:swap\s+with|model|partition\s+of|replica\s+of|transfer|(?:from|join)\s+stream)\s+({_PART}(?:\.{_PART})*)"""
    rf"""|\brename\s+({_PART}(?:\.{_PART})*)\s+to\s|\bsource:\s+({_PART}(?:\.{_PART})*)"""
    rf"""|\bunion\s*=\s*\(\s*({_PART}(?:\.{_PART})*)(?:\s*,\s*({_PART}(?:\.{_PART})*))?"""
    rf"""|\b(?:materialized|window)\s+view\s+(?:if\s+not\s+exists\s+)?\S+\s+to\s+({_PART}(?:\.{_PART})*)"""
    rf"""|({_PART}(?:\.{_PART})+)\s+(?:primary\s+key|with\s+synonyms|comment\s*=)"""
)
_SELDOM_MADE = re.compile(
    r"(?:\bcreate\s+(?:or\s+replace\s+)?(?:public\s+)?(?:synonym|alias|dictionary|model)\s+(?:if\s+not\s+exists\s+)?"
    rf"|\bmodel\s*\(\s*name\s+|\bcreate\s+type\s+(?=\S+\s+as\s*\())({_PART}(?:\.{_PART})*)"
)
_STATEMENT = re.compile(r"(?is)\b(?:from|join|into|update|table|view|call|exec)\b")
"""What a text has that may be a statement which is run (EXECUTE)."""
_OPEN = re.compile(r"(?is)(?:\b(?:from|join|into|update|table|only|exists)\s+|\.)\Z")
"""The end of a part of such a text behind which the name of a table comes, or the last part of one."""
INSIDE = "!"
"""What stands between the schema of a routine and a name without schema in it."""
UNKNOWN = "?"
"""What stands for a schema that USE names: which one that is depends on the dialect."""
MOVES = frozenset(("search_path", "current_schema"))
"""Words that say where names are looked for from there on."""
_BARE = re.compile(rf"{_PART}(?:\.{_PART})*")
TOLD = frozenset((
    *READS, *SKIPPED, *VERBS, *HOLDERS, *HOLDERS.values(), *CALLS, *ROUTINES, *BETWEEN, *STARTS, *LOCAL, *ENDS,
    "view", "to", "references", "materialized", "cascade",
))  # fmt: skip
"""All words that are told apart."""


@dataclass(frozen=True, slots=True)
class Glance:
    """The names a text seems to make, to read and to tell more of: in lower case, without quotes, parts as written.

    ``routines`` are those it seems to make, of a package by both names; ``calls`` are names of what it may call.
    What it makes and writes itself it ``fills``; tables whose rows run something that it makes it ``watches``.
    ``given`` are the names of all that it makes or writes, as written; what stands in a routine, or behind USE, and has
    no schema, comes behind theirs and a mark, ``core!t``, or two where it makes it, ``core!!t``.
    """

    makes: frozenset[str]
    reads: frozenset[str]
    tells: frozenset[str] = frozenset()
    routines: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    fills: frozenset[str] = frozenset()
    watches: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()


def glance(text: str) -> Glance:
    """What a text seems to make and read."""
    found = _Glancing()
    for word in _WORDS.findall(text):
        if word in "(),;":
            found.marked(word)
        elif word[0] == "'":
            found.quoted(word[1:-1].replace("''", "'"))
        elif word[0] not in "-/":
            found.met(word)
    small = text.lower()
    if any(word in small for word in SELDOM):
        found.reads |= {plain_name(name) for names in _SELDOM.findall(small) for name in names if name}
        found.makes |= {plain_name(name) for name in _SELDOM_MADE.findall(small)}
    if found.open:
        found.reads |= {plain_name(name) for name in found.bare}
    # What a text makes itself it need not be told of.
    reads = found.reads - found.makes - found.own
    tells = found.tells - found.makes - found.own
    calls = frozenset(plain_name(name) for name in found.calls) - found.routines
    names = (found.makes, reads, tells, found.routines, calls, found.written & found.makes, found.watched - found.own)
    return Glance(*map(frozenset, (*names, found.given)))


class _Glancing:
    """A look over a text, word by word."""

    def __init__(self) -> None:
        self.makes: set[str] = set()
        self.reads: set[str] = set()
        self.tells: set[str] = set()
        self.own: set[str] = set()
        self.written: set[str] = set()
        self.watched: set[str] = set()
        self.routines: set[str] = set()
        self.calls: set[str] = set()
        self.given: set[str] = set()
        # What stands before the names without schema of a routine: its schema and a mark.
        self._around = ""
        # Texts that may be names, and whether any text is open at its end for one.
        self.bare: set[str] = set()
        self.open = False
        self._package = self._making = ""
        self._created = False
        self._begin()

    def _begin(self) -> None:
        """Another statement begins."""
        self._awaited = self._verb = self._before = ""
        self._writing = self._inserted = False
        self._listing = False
        # For each open bracket: whether commas went on with a list of tables, the CTE it defines, the word before.
        self._stack: list[tuple[bool, str, str]] = []
        self._local = False
        # Names of CTEs are no tables behind the place where they are defined.
        self._tables: set[str] = set()
        self._defining = ""
        # The last name or word, and how many of them the statement has so far.
        self._last, self._words = "", 0
        # The word behind which the table stands of the trigger that is made.
        self._routine, self._trigger, self._referred = False, "", ""

    def met(self, words: str) -> None:
        """A name or a word of SQL."""
        word = words.lower()
        inserted, self._inserted = self._inserted, word == "insert"
        if inserted and word not in TOLD and word not in INSERTING:
            # T-SQL and BigQuery take INSERT t as well.
            self._writing, self._awaited = True, "reads"
            self._named(words)
        # In `INSERT INTO t SELECT a FROM s, r` the words INTO and FROM await a name, and a comma awaits another.
        if word not in TOLD and not (self._awaited or self._routine or self._before in CALLS):
            # Most words are names of columns, which tell nothing.
            if word == "go":
                self._around = ""
            elif (word == "use" and not self._words) or word in MOVES or (word == "schema" and self._before == "set"):
                self._around = f"{UNKNOWN}{INSIDE}"
            self._defining, self._before, self._last = "", word, words
            self._words += 1
            return
        if self._awaited and word in SKIPPED:
            pass
        elif word in READS:
            self._awaited, self._listing = "reads", word in ("from", "update")
            self._writing = word in ("update", "overwrite")
        elif word in ("table", "view", "into", "to"):
            self._awaited, self._writing = self._role(word), word == "into"
        elif word == "references":
            self._awaited = "refers"
        elif word == self._trigger:
            self._awaited, self._trigger = "tells", ""
        elif word in ENDS:
            self._awaited, self._listing = "", False
        elif self._awaited:
            self._named(words)
        if word not in ("not", "materialized"):
            self._defining = self._before if word == "as" else ""
        if word in VERBS:
            self._verb, self._local = word, False
            self._created = word in MAKES
            self._trigger = self._trigger if word in WRITES else ""
            self._package = "" if word == "create" else self._package
        self._local = self._local or word in LOCAL
        if word in ("cascade", "set") and self._before in ("delete", "update") and self._referred:
            # Whoever changes rows of the one changes rows of the other.
            self.tells.add(self._referred)
        if word in HOLDERS and self._verb in MAKES:
            self._trigger = HOLDERS[word]
        if word in ROUTINES or (word == MACRO and self._before in MAKES | LOCAL):
            # EXECUTE FUNCTION f() calls f.
            self._routine, self._making = self._before not in CALLS, word
        elif self._routine and word not in BETWEEN:
            self._made(words)
        elif self._before in CALLS:
            self.calls.add(words)
            # EXEC @result = p calls p.
            word = self._before if words.startswith("@") else word
        self._before, self._last = word, words
        self._words = 0 if word in STARTS else self._words + 1

    def quoted(self, text: str) -> None:
        """A text in quotes: it may be a statement that is run, a part of one, or a name that goes into one.

        ``EXECUTE 'SELECT * FROM core.' || t`` and ``CALL archive('claim')``: the first is open, the second is bare.
        """
        if _BARE.fullmatch(text):
            self.bare.add(text)
        elif _STATEMENT.search(text):
            inner = glance(text)
            self.makes |= inner.makes
            self.given |= {name for name in inner.given if "." in name}
            self.reads |= inner.reads
            self.calls |= inner.calls
            self.open = self.open or _OPEN.search(text) is not None

    def _made(self, words: str) -> None:
        """A routine is made."""
        self._routine, name = False, plain_name(words)
        if self._created:
            self._around = f"{_before_last(words)}{INSIDE}"
        if self._making == "package":
            self._package = name
        elif self._verb != "drop":
            nested = self._package and not self._created
            self.routines.add(f"{self._package}.{name}" if nested else name)
        self._created = False

    def _role(self, word: str) -> str:
        """What becomes of the name behind TABLE, VIEW, INTO or TO."""
        if word == "into":
            return "makes" if self._verb == "select" else "reads"
        if word == "to":
            return "makes" if self._verb == "rename" else ""
        if self._before == "on":
            # CREATE STREAM s ON TABLE t
            return "reads"
        return "makes" if self._verb in ("create", "replace", "cache") else "reads"

    def _named(self, words: str) -> None:
        name = plain_name(words)
        if self._awaited == "refers":
            self._referred, self._awaited = name, ""
            return
        if self._awaited == "tells":
            self.tells.add(name)
            self.watched.add(name)
            self._around = f"{_before_last(words)}{INSIDE}"
        elif self._writing and self._awaited == "reads":
            self.written.add(name)
            self._gives(words)
        if self._verb == "alter":
            self.tells.add(name)
        if self._awaited == "makes" and (self._local or name.startswith("#")):
            self.own.add(name)
        elif self._awaited == "makes":
            self.makes.add(name)
            # T-SQL makes tables in another schema than it writes to.
            self._gives(f"{INSIDE}{words}" if self._around and "." not in words else words)
        elif name not in self._tables or any(name == one for _, one, _ in self._stack):
            self.reads.add(name)
        self._awaited = ""

    def _gives(self, words: str) -> None:
        self.given.add(words if "." in words else f"{self._around}{words}")

    def marked(self, mark: str) -> None:
        """A bracket, a comma or a semicolon."""
        self._inserted = False
        if mark == "(":
            self.calls.add(self._last)
            if self._defining:
                self._tables.add(self._defining)
            self._stack.append((self._listing, self._defining, self._before))
            self._listing = self._listing and bool(self._awaited)
        elif mark == ")" and self._stack:
            self._listing, _, self._before = self._stack.pop()
            self._awaited = ""
        elif mark == "," and self._listing:
            self._awaited = "reads"
        elif mark == ";":
            if self._words == 1:
                self.calls.add(self._last)
            self._begin()
        self._defining = ""


def plain_name(name: str) -> str:
    """A name as glances have it, however it is written.

    >>> plain_name('Raw."My Table"'), plain_name("`p.d.events_20240101`")
    ('raw.my table', 'p.d.events_*')
    """
    found = [part for match in _QUOTED.findall(name) for part in "".join(match).split(".") if part]
    return _SHARD.sub("_*", ".".join(found).lower())


def _before_last(words: str) -> str:
    """What stands before the last part of a name as written; "" if nothing does."""
    found = [match.group() for match in _QUOTED.finditer(words)]
    return ".".join(found[:-1])


def last_of(name: str) -> str:
    """The last part of a name of a glance: names that may mean the same share it."""
    return name.rpartition(".")[2]
