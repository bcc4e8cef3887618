"""Names and business terms by words: an index of what a store speaks of, kept by a full-text library (tantivy).

    store -> what can be looked for -> index, in memory or beside the store -> hits, best first

A word is found as it stands, as the beginning of one, and with a letter or two wrong. Business terms lend their words
to what represents them, and so do their broader terms: whoever looks for a party finds customers. So do the words by
which the data dictionary describes it.
"""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

import tantivy

from mdw.drafting import PRIVATE_FOLDER
from mdw.model.answers.things import THINGS, Hit, Thing
from mdw.model.errors import StoreError
from mdw.rdf.documents import line_of
from mdw.rdf.vocabulary import name_of
from mdw.store.directory import has_index, seal_index
from mdw.store.engine import Store

MOST_WORDS = 8
"""Words of a search that are looked for."""
MEMORY = 128_000_000
"""Bytes the library may hold while it writes."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORDS = re.compile(r"[^\W_]+")
EXACT, BEGINNING, NEARLY, LENT = 8.0, 3.0, 1.0, 0.8
"""What a word counts: as it stands, as a beginning, with a letter wrong; and the share of words lent by terms."""
WEIGHT: dict[Thing, float] = {"term": 1.5, "attribute": 1.0, "entity": 1.1, "mapping": 0.7}


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be looked for, with its own words and those that terms lend it."""

    kind: Thing
    name: str
    words: str
    lent: str = ""
    about: str = ""
    attributes: tuple[str, ...] = ()


class Index:
    """What can be looked for."""

    def __init__(self, index: tantivy.Index) -> None:
        self._index = index
        self._searcher = index.searcher()

    @classmethod
    def of(cls, entries: Iterable[Entry], folder: Path | None = None) -> Index:
        """An index of these, in memory or in a folder whose index is replaced; StoreError if that cannot be."""
        try:
            return cls._of(entries, folder)
        except (OSError, ValueError) as error:  # the library's are ValueErrors
            raise StoreError(f"the index of names cannot be written: {line_of(error)}") from error

    @classmethod
    def _of(cls, entries: Iterable[Entry], folder: Path | None) -> Index:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(PRIVATE_FOLDER, parents=True)
        index = tantivy.Index(_schema(), path=str(folder) if folder else None)
        # One thread: the order of documents, and so of hits as good as one another, is the same each time.
        writer = index.writer(MEMORY, 1)
        for entry in entries:
            found = tantivy.Document()
            for field, value in zip(_FIELDS, _values(entry), strict=True):
                found.add_text(field, value)
            writer.add_document(found)
        writer.commit()
        # Pieces are still being merged in the background; the folder is whole only when that has ended.
        writer.wait_merging_threads()
        index.reload()
        if folder:
            seal_index(folder)
        return cls(index)

    @classmethod
    def at(cls, folder: Path) -> Index | None:
        """The index in a folder, None where there is no whole one."""
        with suppress(ValueError, OSError):
            if has_index(folder):
                return cls(tantivy.Index(_schema(), path=str(folder)))
        return None

    def search(self, text: str, *, kinds: Iterable[Thing] = THINGS, limit: int = 20) -> list[Hit]:
        """What the words of a text find, best first: all of them, or where that finds nothing any of them."""
        words = words_of(text)[:MOST_WORDS]
        if not words:
            return []
        some = tuple(kinds)
        # "client nam" should find the name of a client, but a word too many should not find nothing at all.
        for must in (tantivy.Occur.Must, tantivy.Occur.Should):
            parts = [(must, _word(word)) for word in words]
            whole = (tantivy.Occur.Should, _exactly(text))
            query = tantivy.Query.boolean_query([*parts, whole] if must == tantivy.Occur.Must else parts)
            if found := self._found(query, some, limit):
                return found
        return []

    def _found(self, query: tantivy.Query, kinds: tuple[Thing, ...], limit: int) -> list[Hit]:
        weighed = [
            tantivy.Query.boost_query(tantivy.Query.term_query(_schema(), "kind", kind, "basic"), WEIGHT[kind])
            for kind in kinds
        ]
        of_kind = tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in weighed])
        both = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, of_kind)])
        found = self._searcher.search(both, limit)
        return [_hit(self._searcher.doc(address), score) for score, address in found.hits]


def current(store: Store) -> Index:
    """The index of a store as it is: the one that is kept beside it, or a new one.

    It is kept in memory alone where the folder takes none.
    """
    # A change takes away the file that says an index is whole (`Directory.changing`): one that has it is up to date.
    folder = store.search_folder
    if folder and (found := Index.at(folder)):
        return found
    with suppress(StoreError):
        return Index.of(entries(store), folder)
    return Index.of(entries(store))


def words_of(text: str) -> list[str]:
    """The words of a text or of a name, in small letters.

    >>> words_of("MART.GROUP_CUSTOMER.CustomerName")
    ['mart', 'group', 'customer', 'customer', 'name']
    """
    return [word.lower() for word in _WORDS.findall(_CAMEL.sub(" ", text))]


def entries(store: Store) -> Iterator[Entry]:
    """What can be looked for in a store."""
    terms = _terms(store)
    described: defaultdict[str, list[str]] = defaultdict(list)
    for thing, text in sorted(store.select("dictionary/described")):
        described[thing].append(text)
    lending: defaultdict[str, set[str]] = defaultdict(set)
    represented: defaultdict[str, set[str]] = defaultdict(set)
    # A term stands for its broader terms too: what represents "customer" also answers to "party".
    for term, said in terms.items():
        above = {term, *said["broader"]} & terms.keys()
        for thing in said["represented"]:
            lending[thing] |= above
            for one in above:
                represented[one].add(name_of(thing))
    for term, said in sorted(terms.items()):
        label = min(said["label"], default=term.rpartition(":")[2])
        lent = " ".join(word for one in said["broader"] & terms.keys() for word in _said(terms[one]))
        own = " ".join(_said(said))
        yield Entry("term", label, own, lent, " ".join(sorted(said["comment"])), tuple(sorted(represented[term])))
    for kind, iri in sorted(store.stream("search/names")):  # so that hits as good as one another have one order
        name = name_of(iri)
        told = described.get(iri, [])
        words = [word for one in sorted(lending.get(iri, ())) for word in _said(terms[one])]
        lent = " ".join((*words, *(word for text in told for word in words_of(text))))
        about = ", ".join((*sorted(min(terms[one]["label"], default="") for one in lending.get(iri, ())), *told))
        yield Entry(cast(Thing, kind), name, " ".join(words_of(name)), lent, about)


def _terms(store: Store) -> dict[str, defaultdict[str, set[str]]]:
    """What is said of each term that has a label, by what is said."""
    terms: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for term, says, value in store.select("search/terms"):
        terms[term][says].add(value)
    return {term: said for term, said in terms.items() if said["label"]}


def _said(term: defaultdict[str, set[str]]) -> list[str]:
    return [word for text in sorted(term["label"] | term["synonym"]) for word in words_of(text)]


_FIELDS = ("kind", "name", "words", "lent", "about", "attributes", "exact")


def _values(entry: Entry) -> tuple[str, ...]:
    exact = " ".join(words_of(entry.name))
    return (entry.kind, entry.name, entry.words, entry.lent, entry.about, "\n".join(entry.attributes), exact)


@cache
def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("kind", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("name", stored=True, tokenizer_name="raw", index_option="basic")
    # What is only searched is not stored: names are long enough once.
    builder.add_text_field("words", stored=False, tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("lent", stored=False, tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("about", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("attributes", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("exact", stored=False, tokenizer_name="raw", index_option="basic")
    return builder.build()


def _word(word: str) -> tantivy.Query:
    """One word, as it stands, as a beginning, and from four letters on with one wrong, from eight with two."""
    found = []
    for field, share in (("words", 1.0), ("lent", LENT)):
        found.append((tantivy.Query.term_query(_schema(), field, word, "freq"), EXACT * share))
        if len(word) > 1:
            found.append((_nearly(field, word, 0, prefix=True), BEGINNING * share))
        # In a short word a wrong letter is another word: "cat" and "car" have nothing to do with each other.
        if len(word) > 3:
            found.append((_nearly(field, word, 2 if len(word) > 7 else 1, prefix=False), NEARLY * share))
    weighed = [(tantivy.Occur.Should, tantivy.Query.boost_query(query, weight)) for query, weight in found]
    return tantivy.Query.boolean_query(weighed)


def _nearly(field: str, word: str, distance: int, *, prefix: bool) -> tantivy.Query:
    return tantivy.Query.fuzzy_term_query(_schema(), field, word, distance=distance, prefix=prefix)


def _exactly(text: str) -> tantivy.Query:
    """The very name."""
    whole = tantivy.Query.term_query(_schema(), "exact", " ".join(words_of(text)), "basic")
    return tantivy.Query.boost_query(whole, 2 * EXACT)


def _hit(found: tantivy.Document, score: float) -> Hit:
    kind, name, about, attributes = (str(found.get_first(one)) for one in ("kind", "name", "about", "attributes"))
    return Hit(cast(Thing, kind), name, about, tuple(filter(None, attributes.split("\n"))), score)
