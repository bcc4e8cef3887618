"""Names in questions -> the attributes and entities of a store that they mean: whole names, or any unique ending."""

from __future__ import annotations

from mdw.language.questions import an_entity, attribute_name, no_entity, several, spellings, unknown
from mdw.model.name import entity_of, letters, local_of
from mdw.model.passing import star_of
from mdw.store import catalogue, scripts
from mdw.store.engine import Store


def named(store: Store, text: str) -> str:
    """The name of an attribute; of one without its entity the error says which it may be."""
    name = attribute_name(text)
    if entity_of(name):
        return name
    if of := catalogue.attributes_of(store, name):
        raise an_entity(name, of)
    entities = catalogue.entities_ending_in(store, name)
    if len(entities) == 1:
        raise an_entity(entities[0], catalogue.attributes_of(store, entities[0]))
    raise no_entity(name, catalogue.ending_in(store, name) or entities)


def meant(store: Store, name: str, when: str = "") -> str:
    """The known attribute of that name, or the only one whose name ends in it; QuestionError if there is none.

    Else one that a statement may write which was not read: nobody else mentions it (rule Q39).
    """
    found = known_by(store, name) or _by_star(store, name)
    if found:
        return found
    if written := _maybe_written(store, name):
        return written
    entities = catalogue.entities_alike_in_letters(store, letters(name))
    of = catalogue.attributes_of(store, entities[0] if len(entities) == 1 else name)
    raise an_entity(name, of) if of else unknown(name, catalogue.near(store, name), when)


def known_by(store: Store, name: str) -> str:
    """The same, or "" if there is none; QuestionError if there are several.

    Who writes it in other letters, or with other quotes, means it where no other one is called so (rule Q36).
    """
    found = next((found for one in (name, *spellings(name)) if (found := _spelled_so(store, one))), "")
    if not found and entity_of(name):
        several_alike = catalogue.spelled_alike(store, name)
        if len(several_alike) > 1:
            raise several(name, several_alike)
        found = next(iter(several_alike), "")
    return found


def _spelled_so(store: Store, name: str) -> str:
    """The same, of exactly these letters."""
    if catalogue.known(store, name):
        return catalogue.spoken(store, name)
    ending = catalogue.ending_in(store, name)
    if len(ending) > 1:
        raise several(name, ending)
    return ending[0] if ending else ""


def _by_star(store: Store, name: str) -> str:
    """An attribute nobody names, of an entity of which one stands for all (rule Q22); "" if there is none."""
    star = known_by(store, star_of(name)) if entity_of(name) else ""
    return f"{entity_of(star)}.{local_of(name)}" if star else ""


def _maybe_written(store: Store, attribute: str) -> str:
    """An attribute that statements not read may write, where nobody else mentions it; "" if none names it.

    Of an entity that is known otherwise the statement must name the attribute, too.
    """
    entity, local = entity_of(attribute), local_of(attribute)
    every = scripts.unread(store) if entity else []
    targets = {name for one, names in every if one.effect != "takes" for name in names}
    found = [name for name in targets if name == entity] or [name for name in targets if name.endswith(f".{entity}")]
    if len(found) != 1:
        return ""
    known = catalogue.attributes_of(store, found[0])
    named = {local_of(name) for one, names in every if found[0] in names for name in one.mentioned}
    return f"{found[0]}.{local}" if not known or local in named else ""


def entity_meant(store: Store, name: str) -> str:
    """The entity of that name that mappings mention, or the only one whose name ends in it; the name if there is none.

    QuestionError if there are several.
    """
    for one in (name, *spellings(name)):
        if catalogue.attributes_mentioned(store, found := catalogue.spoken_entity(store, one)):
            return found
        ending = catalogue.entities_ending_in(store, one)
        if len(ending) > 1:
            raise several(name, ending)
        if ending:
            return ending[0]
    letters_alike = catalogue.entities_alike_in_letters(store, letters(name))
    if len(letters_alike) > 1:
        raise several(name, letters_alike)
    return next(iter(letters_alike), name)
