"""Secrets in a text of SQL -> the same text with ``x`` in their place, character by character: every place stays.

Passwords, keys, signatures and tokens are no rules: they are taken out before a text is kept, shown or logged. What is
a secret is told by the words before it, which only some statements have (CREATE USER, COPY, ...), so that a condition
on a column called PASSWORD stays what it says; within strings and comments by what stands before it (`password=...`);
anywhere by its own shape (AKIA..., ?sig=...). What is masked for nothing costs a constant; what is not masked is out.

>>> masked("CREATE USER bob PASSWORD 'geheim'; SELECT a FROM t WHERE password = 'A'", "postgres")
"CREATE USER bob PASSWORD 'xxxxxx'; SELECT a FROM t WHERE password = 'A'"
>>> masked("ALTER USER bob IDENTIFIED BY tiger", "oracle")
'ALTER USER bob IDENTIFIED BY xxxxx'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mdw.readers.sql.dialects import Flavour, flavour_of
from mdw.readers.sql.plain_words import Word, words_of

MASK = "x"
# Looking for words is fast, tokenising is not: what has none of these letters has no secret of that kind.
TELLTALES_WORDS = """
    password passwd pwd passphrase identified secret credential token access_key accesskey account_key accountkey
    key_id api_key apikey aws_key private_key privatekey master_key encryption_key openrowset
"""
TELLTALES = tuple(TELLTALES_WORDS.split())
SHAPED_WORDS = """
    akia asia aiza xox dapi ghp_ gho_ ghs_ :// private sig= ignature= credential= token= keyid= accountkey= sharedaccess
    pgpassword= _pwd= export bearer
"""
SHAPED = tuple(SHAPED_WORDS.split())
LOGINS = ("logon", "conn", "sqlplus")
STEMS = ("key", "token", "secret", "credential", "pass", "pwd", "identified", "openrowset")
"""Telltales have one of these each, some shapes do: most texts have none, and are looked through for half as many."""
STEMLESS = tuple(mark for mark in SHAPED if not any(stem in mark for stem in STEMS))

# A word that is the key of a secret where the statement may have some.
_KEY = re.compile(
    r"(?i)@?(?:\w+_)?(?:password|passwd|passphrase|pwd|secret|token|credentials?|access_?key(?:_id)?|secret_?key|key_?id"
    r"|(?:account|api|private|master|aws|encryption)_?key|\w+secret|\w+token|\w+password|master_symmetric_key)\Z"
)
# Secrets that need no words around them: keys of clouds, logins in URLs, signatures in links, variables of a shell.
_SHAPES = re.compile(
    r"""
    \b(?P<key>(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{35}|gh[pos]_\w{30,}|dapi[0-9a-f]{32}|xox[abprs]-[\w-]{10,})(?![\w-])
    | -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----(?P<pem>.*?)(?:-----END|\Z)
    | \b[A-Za-z][A-Za-z0-9+.-]*://[^\s:@/'"]*:(?P<login>[^\s@/'"]+)@
    | [?&;](?i:sig|signature|x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature|x-goog-credential
        |awsaccesskeyid|access_token|sharedaccess(?:key|signature)|accountkey)=(?P<signed>[^&;\s'"]+)
    | \b(?:PGPASSWORD|MYSQL_PWD|SNOWSQL_PWD)=(?P<variable>'[^']*'|"[^"]*"|\S+)
    | \bexport\s+\w*(?:PASSWORD|PASSWD|PWD|SECRET|TOKEN)=(?P<exported>'[^']*'|"[^"]*"|\S+)
    | \b[Bb]earer\s+(?P<bearer>[\w.~+/=-]{8,})
    """,
    re.VERBOSE | re.DOTALL,
)
# Lines of clients that log in: `.logon td/me,secret`, `CONNECT me/secret@db`, `sqlplus me/secret`.
_LOGINS = re.compile(
    r"""(?im)
    ^[ \t]*\.?logon\s+[^\s/;,]+/[^\s,;]+[ \t]*,[ \t]*(?P<logon>[^;\n]*[^;\s])
    | ^[ \t]*conn(?:ect)?\s+[^\s/@;]+/(?P<connect>"[^"\n]*"|[^\s@;]+)
    | \bconnect\s+to\s+\S+\s+user\s+\S+\s+using\s+(?P<using>"[^"\n]*"|'[^'\n]*'|[^\s;]+)
    | \bsqlplus\s+(?:-\w+\s+)*[^\s/@;-][^\s/@;]*/(?P<sqlplus>"[^"\n]*"|[^\s@;]+)
    """,
    re.VERBOSE,
)
_KEYS = r"""(?:password|passwd|passphrase|pwd|secret(?:_access)?(?:_?key)?|token|credentials?|shared_?access_?signature
    |(?:access|account|api|private|shared)_?(?:access_?)?key(?:_?id)?)["']*"""
# Within a text: password=..., "token": "...". What stands for a value that comes later (%s, :pw, {pw}) is none.
_SETTINGS = re.compile(
    rf"""(?ix) {_KEYS} (?:\s*=>?\s*|\s*:\s*(?=["'\\]))
    (?: \\?'\\?'(?P<twice>[^']+) | \\?"(?P<double>[^"]+) | '(?P<single>[^']+) | (?![%?:<{{$*])(?P<bare>[^\s"';,&)}}]+) )
    """
)
# In comments, and in texts that describe: there only a mark tells the key from a word (`the password of the user`).
_NOTES = re.compile(rf"(?ix) {_KEYS} \s*[=:]\s*(?P<noted>[^\s;,]+)")
# Whether there is a statement at all that may have secrets, in small letters: most files end here.
_OPENING = re.compile(
    r"""(?x) \b(?:create|alter)\b[^;()]{0,80}?\b(?:user|role|login|server|link|stage|secret|credential|integration
        |connection|subscription|mapping|key|external|foreign|database|certificate|group|catalog|share|notification)\b
    | \b(?:copy|unload|attach|backup|restore|export|import|connect|connection|change|identified|openrowset)\b
    | \bset\s+password\b | \bopen\b[^;]{0,30}\bkey\b | @\w*(?:passw|pwd|secret|token|_key)"""
)
SUBJECTS_WORDS = """
    USER ROLE LOGIN SERVER LINK STAGE SECRET CREDENTIAL INTEGRATION CONNECTION SUBSCRIPTION MAPPING KEY EXTERNAL
    FOREIGN DATABASE CERTIFICATE GROUP CATALOG SHARE NOTIFICATION
"""
SUBJECTS = frozenset(SUBJECTS_WORDS.split())
"""What is made or changed by statements that may hold secrets."""
OTHERS_WORDS = "TABLE VIEW FUNCTION PROCEDURE PROC TRIGGER PACKAGE INDEX SEQUENCE SCHEMA TYPE TASK STREAM AS"
OTHERS = frozenset(OTHERS_WORDS.split())
LOADS = frozenset(("EXPORT", "IMPORT", "CONNECT", "CONNECTION", "CHANGE"))
OPENING = frozenset(("CREATE", "ALTER", "SET", "OPEN", "COPY", "UNLOAD", "BACKUP", "RESTORE", "ATTACH", *LOADS))
"""The first words of statements that may hold secrets."""
AFTER_COLUMNS = frozenset(
    (",", ")", ".", "=", ";", "<", ">", "+", "-", "*", "/", "FROM", "AS", "IS", "IN", "AND", "OR")
)
BEFORE = frozenset((";", "BEGIN", "THEN", "ELSE", "LOOP", "DO", "AS", "IS", "GO", "END"))
QUERIES = frozenset(("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"))
PLAIN = frozenset(("TRUE", "FALSE", "NULL", "DEFAULT", "ON", "OFF", "EXPIRE", "REQUIRED"))


def masked(text: str, dialect: str | Flavour) -> str:
    """The text without its secrets, as long as it was."""
    spans = sorted(set(_secrets(text, flavour_of(dialect) if isinstance(dialect, str) else dialect)))
    if not spans:
        return text
    parts, done = [], 0
    for start, last in spans:
        # What two patterns found may overlap.
        first = max(start, done)
        if first < last:
            parts += [text[done:first], re.sub(r"[^\n]", MASK, text[first:last])]
            done = last
    return "".join((*parts, text[done:]))


def _secrets(text: str, flavour: Flavour | None) -> Iterator[tuple[int, int]]:
    """Where secrets begin and end; without a flavour the text is one within quotes."""
    lower = text.lower()
    stems = any(map(lower.__contains__, STEMS))
    if any(map(lower.__contains__, SHAPED if stems else STEMLESS)):
        yield from _found(_SHAPES, text)
    if any(map(lower.__contains__, LOGINS)):
        yield from _found(_LOGINS, text)
    if not stems or not any(map(lower.__contains__, TELLTALES)) or not (_OPENING.search(lower) or _NOTES.search(text)):
        return
    found = words_of(text, flavour)
    yield from _told(found, text)
    done = 0
    for at, one in enumerate(found):
        # What is between words is comments and blanks.
        if one.start - done > 6:
            yield from _found(_NOTES, text, done, one.start)
        done = one.end
        if one.kind == "text":
            yield from _found(_NOTES if _described(found, at) else _SETTINGS, text, *one.inside)
            first, last = one.inside
            within = text[first:last]
            # EXECUTE IMMEDIATE 'CREATE USER ...', or a body in $$: a text that may be SQL has secrets of its own. It is
            # shorter than what it stands in, or this would not end.
            if last - first < len(text) and any(mark in within for mark in " \n"):
                for start, end in _secrets(within, flavour if one.body else None):
                    yield first + start, first + end
    yield from _found(_NOTES, text, done, len(text))


def _described(words: Sequence[Word], at: int) -> bool:
    """Whether a text only describes something: COMMENT ON ... IS text, COMMENT text, COMMENT = text."""
    earlier = [one.upper for one in words[max(0, at - 12) : at]]
    return "COMMENT" in (earlier if earlier[-1:] == ["IS"] else earlier[-2:])


def _found(pattern: re.Pattern[str], text: str, first: int = 0, last: int | None = None) -> Iterator[tuple[int, int]]:
    for match in pattern.finditer(text, first, len(text) if last is None else last):
        yield match.span(match.lastgroup or 0)


# -- statements --------------------------------------------------------------------------------------------------------


def _told(words: Sequence[Word], text: str) -> Iterator[tuple[int, int]]:
    """What the words before it tell to be a secret."""
    # Within a statement that may have secrets a query has none: in COPY (SELECT password ...) that is a column.
    secretive, depth = False, 0
    queries: list[int] = []
    for at, one in enumerate(words):
        before = words[at - 1].upper if at else ";"
        if one.upper == "(":
            depth += 1
            if secretive and at + 1 < len(words) and words[at + 1].upper in ("SELECT", "WITH"):
                queries.append(depth)
        elif one.upper == ")":
            if queries and queries[-1] == depth:
                queries.pop()
            depth -= 1
        elif one.upper == ";" and not _login_by_marks(words, at):
            secretive, depth = False, 0
            queries.clear()
        # T-SQL needs no semicolon between statements.
        elif one.upper == "GO" or (one.upper in QUERIES and not queries):
            secretive = False
        if _opens(words, at, before):
            secretive = True
        if one.upper in ("IDENTIFIED", "OPENROWSET"):
            value = _identified(words, at) if one.upper == "IDENTIFIED" else _opened(words, at)
            yield from _masks(value, text)
        # IDENTIFIED BY new REPLACE old (Oracle)
        elif secretive and one.upper == "REPLACE" and any(word.upper == "IDENTIFIED" for word in words[at - 4 : at]):
            yield from _masks(words[at + 1] if at + 1 < len(words) else None, text)
        elif _KEY.match(one.upper.strip('"`[]')) and (
            (secretive and not queries) or before == "@" or one.upper.startswith("@")
        ):
            yield from _masks(_value(words, at + 1), text)


def _opens(words: Sequence[Word], at: int, before: str) -> bool:
    """Whether a statement begins that may hold secrets."""
    word = words[at].upper
    if word not in OPENING:
        return False
    following = [one.upper for one in words[at + 1 : at + 7]]
    if word in ("CREATE", "ALTER"):
        for one in following:
            if one in SUBJECTS:
                return True
            if one in OTHERS or one == "(":
                return False
    if word == "SET":
        return before in BEFORE and following[:1] == ["PASSWORD"]
    if word == "OPEN":
        return "KEY" in following[:3]
    # These need no beginning that can be told; a column of such a name is followed by no word of its own.
    if word not in LOADS:
        return before != "." and at + 1 < len(words) and following[0] not in AFTER_COLUMNS
    return before in BEFORE


def _login_by_marks(words: Sequence[Word], at: int) -> bool:
    """Whether a semicolon stands between two texts, as in OPENROWSET."""
    return 0 < at < len(words) - 1 and words[at - 1].kind == words[at + 1].kind == "text"


def _identified(words: Sequence[Word], at: int) -> Word | None:
    """IDENTIFIED [WITH plugin] BY | AS [PASSWORD | VALUES] value."""
    at += 1
    if at + 1 < len(words) and words[at].upper == "WITH":
        at += 2
    if at >= len(words) or words[at].upper not in ("BY", "AS"):
        return None
    at += 1
    while at < len(words) and words[at].upper in ("PASSWORD", "VALUES"):
        at += 1
    return words[at] if at < len(words) else None


def _opened(words: Sequence[Word], at: int) -> Word | None:
    """OPENROWSET('driver', 'server'; 'user'; 'password', ...)."""
    some = words[at + 1 : at + 9]
    shape = "".join(one.upper if one.kind == "mark" else "?" for one in some)
    return some[7] if shape == "(?,?;?;?" else None


def _value(words: Sequence[Word], at: int) -> Word | None:
    """The value of a key: a text behind it, or anything behind a mark."""
    if at < len(words) and words[at].upper == "FOR":
        # SET PASSWORD FOR somebody = value.
        at = next((number for number in range(at, min(at + 8, len(words))) if words[number].upper == "="), at)
    marked = opened = False
    while at < len(words) and words[at].upper in ("=", "=>", ":", "AS", ">", "("):
        opened = words[at].upper == "("
        marked, at = True, at + 1
    if at >= len(words):
        return None
    one = words[at]
    called = at + 1 < len(words) and words[at + 1].upper == "("
    named = marked and not opened and not called and one.kind == "word" and one.upper not in PLAIN
    return one if one.kind == "text" or named else None


def _masks(value: Word | None, text: str) -> Iterator[tuple[int, int]]:
    """All of a text; of a word what follows it without a blank too."""
    if value is None or value.kind == "mark":
        return
    first, last = value.inside
    if value.kind == "word":
        while last < len(text) and not text[last].isspace() and text[last] not in ";,)'\"":
            last += 1
    yield first, last
