"""SQL's identifiers -> canonical names, and back to the spelling met first.

    Oracle       emp, EMP, "EMP" -> EMP        "emp" -> `emp`
    PostgreSQL   emp, EMP, "emp" -> EMP        "Emp" -> `Emp`    "EMP" -> `"EMP"`
    T-SQL        all of them     -> EMP        [my table] -> `my table`

What a database folds to, capitals or small letters, is EMP here: names of several dialects meet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from sqlglot import exp

from mdw.model.fixed import fixed
from mdw.model.name import PLAIN, canonical, parts
from mdw.model.query import ALL

_DOTTED = re.compile(r'"([^"]*)"|`([^`]*)`|\[([^\]]*)\]|([^."`\[\]]+)')


@fixed
class Schemas:
    """Where names are looked for: those that have no schema in those of the ``path``, in order; canonical names.

    ``stored``: what looks for them is a view, a routine or a trigger (see `mdw.readers.sql.short_names`).

    >>> Schemas(("MART", "X.CORE"), "DW").whole
    ('DW.MART', 'X.CORE')
    """

    path: tuple[str, ...] = ()
    catalog: str = ""
    stored: bool = False

    @property
    def whole(self) -> tuple[str, ...]:
        """The schemas of the path, with the catalogue where they name none."""
        return tuple(one if len(parts(one)) > 1 else joined(self.catalog, one) for one in self.path)

    @property
    def first(self) -> str:
        """The schema of what is made, and of what nobody knows; "" if there is none."""
        return next(iter(self.whole), "")


class Identifiers:
    """Names of one script: their canonical forms by the rules of a dialect, and how each was spelled first."""

    def __init__(self, folding: str) -> None:
        self.folding = folding
        self._spelled: dict[str, str] = {ALL: "*"}
        # Spellings from outside of the text count where the text itself has none.
        self._told: dict[str, str] = {}
        self._shown: dict[str, str] = {}
        self._known: dict[tuple[str, bool, bool], str] = {}
        # Of names of tables how the database itself keeps them.
        self._kept: dict[str, str] = {}

    def part(self, identifier: exp.Expr) -> str:
        """The canonical form of one identifier."""
        given = identifier.args
        quoted = bool(given.get("quoted"))
        text = given["this"] if type(identifier) is exp.Identifier else identifier.name
        # T-SQL's #t and t are two tables. sqlglot keeps the mark apart from the name, as a third thing.
        if len(given) > 2 and (given.get("temporary") or given.get("global_")):
            text = f"{'#' if given.get('temporary') else '##'}{text}"
        return self._known.get((text, quoted, False)) or self.known(text, quoted=quoted)

    def known(self, text: str, *, quoted: bool, told: bool = False) -> str:
        """The canonical form of one part of a name; ``told``: the text does not have it, a schema does.

        >>> names = Identifiers("upper")
        >>> [names.known("ab", quoted=False), names.known("ab", quoted=True), names.known("AB", quoted=True)]
        ['AB', '`ab`', 'AB']
        """
        found = self._known.get((text, quoted, told))
        if found is None:
            found = self._known[text, quoted, told] = _canonical(text, quoted, self.folding)
            (self._told if told else self._spelled).setdefault(found, text)
        return found

    def another(self, identifiers: Sequence[exp.Expr]) -> str:
        """How a table was spelled that is another one for the database and has the same canonical name; "" if none was.

        BigQuery's ``ds.s`` and ``ds.S`` are two tables; so are PostgreSQL's "EMP" and emp.
        """
        whole, kept = [], []
        for one in identifiers:
            text = one.name
            folded = self.folding == "lower" and not one.args.get("quoted")
            whole.append(self.part(one))
            kept.append(text.lower() if folded else text)
        own = ".".join(kept)
        first = self._kept.setdefault(".".join(whole), own)
        return first if first != own else ""

    def path(self, text: str) -> str:
        """The canonical form of a name given from outside: db.schema.table, quoted or not.

        >>> Identifiers("lower").path('db."My Table"')
        'DB.`My Table`'
        """
        return ".".join([self.known(word, quoted=quoted, told=True) for word, quoted in _words(text)])

    def meant(self, text: str) -> str:
        """The same, its spelling left out of account: nobody has used the name yet."""
        return ".".join([_canonical(word, quoted, self.folding) for word, quoted in _words(text)])

    def tell(self, name: str, spelling: str) -> None:
        """How the canonical form of one part of a name is spelled outside of the text."""
        self._told.setdefault(name, spelling)

    def written(self, name: str) -> str:
        """A canonical name as mapping text, in the spelling met first."""
        shown = self._shown.get(name)
        if shown is None:
            shown = self._shown[name] = ".".join([self._part(part) for part in parts(name)])
        return shown

    def spellings(self) -> list[tuple[str, str]]:
        """Canonical parts of names, each with its first spelling."""
        return list({**self._told, **self._spelled}.items())

    def _part(self, part: str) -> str:
        if part.startswith("`"):
            return part
        spelled = self._spelling(part, part)
        return spelled if spelled.upper() == part else part

    def shown(self, name: str) -> str:
        """A canonical name as people write it: schema.table.column, in the spelling met first."""
        # Most names that are shown are of columns, of one part.
        own = self._spelled.get(name)
        return own or ".".join([self._spelling(part, part.strip("`")) for part in parts(name)])

    def _spelling(self, part: str, otherwise: str) -> str:
        return self._spelled.get(part) or self._told.get(part, otherwise)


# Cached beyond one script: those of a folder read the same tables and columns.


@lru_cache(maxsize=1 << 16)
def _canonical(text: str, quoted: bool, folding: str) -> str:
    """The canonical form of one part of a name."""
    name = text.upper() if not quoted or _folds(text, folding) else text
    if name is text and folding == "lower" and PLAIN.match(text):
        # Here EMP stands for what is kept as emp: the other one keeps its quotes (rule Q36).
        return f'`"{text}"`'
    if not PLAIN.match(name):
        # Such a name stays in the letters that the database keeps: x$y is X$Y in Oracle, größe is größe in PostgreSQL.
        kept = text.lower() if folding == "any" or not quoted else text
        inner = re.sub(r"[`\n\r]", "'", text.upper() if folding == "upper" and not quoted else kept)
        name = f"`{inner or ' '}`"
    return name


def _folds(text: str, folding: str) -> bool:
    """Whether a quoted name is the one that is written without quotes."""
    if folding == "any":
        return True
    return (folding != "upper" and text == text.lower()) or (folding != "lower" and text == text.upper())


@lru_cache(maxsize=1 << 16)
def _words(text: str) -> tuple[tuple[str, bool], ...]:
    """The parts of a dotted name, each with whether it is quoted."""
    return tuple([(plain or a or b or c, not plain) for a, b, c, plain in _DOTTED.findall(text)])


def joined(*names: str) -> str:
    """Parts of a name put together; empty ones are left out.

    >>> joined("", "S", "T")
    'S.T'
    """
    return ".".join([name for name in names if name])


def ends_with(name: str, ending: Sequence[str]) -> bool:
    """Whether the last parts of a canonical name are these.

    >>> ends_with("DB.S.T", ["S", "T"])
    True
    """
    return parts(name)[-len(ending) :] == list(ending)


class FreshNames:
    """Names that were given, each once; which numbers of one are taken is not tried anew each time.

    >>> names = FreshNames()
    >>> names.of("A"), names.of("A"), names.of("A")
    ('A', '`A 2`', '`A 3`')
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}

    def of(self, name: str) -> str:
        """The name, or with a number where it was given before."""
        *before, last = parts(name)
        number = self._last.get(name, 0) + 1
        while (found := name if number == 1 else _numbered(before, last, " ", number)) in self._taken:
            number += 1
        self._last[name] = number
        self._taken.add(found)
        return found


def fresh(name: str, taken: Iterable[str], joint: str = " ") -> str:
    """The name, or with a number where it is taken.

    >>> fresh("A", ["A"]), fresh("A", ["A"], "_")
    ('`A 2`', 'A_1')
    """
    found, number = name, 2 if joint == " " else 1
    *before, last = parts(name)
    while found in taken:
        found = _numbered(before, last, joint, number)
        number += 1
    return found


def _numbered(before: Sequence[str], last: str, joint: str, number: int) -> str:
    return joined(*before, canonical(f"`{last.strip('`')}{joint}{number}`"))
