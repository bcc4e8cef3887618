"""Jobs that a database is told to run some day: their texts run then, once, often or never.

EXEC msdb.dbo.sp_add_jobstep @job_name = 'j', @command = N'EXEC dbo.load'        SQL Server's Agent
DBMS_SCHEDULER.CREATE_JOB(job_name => 'j', job_action => 'BEGIN load; END;')     Oracle
PERFORM cron.schedule('j', '0 3 * * *', 'CALL load()')                           PostgreSQL's pg_cron
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mdw.readers.sql.phrases.words import made_words
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.program import Argument, Dynamic, Loop, Steps

TEXTS = {
    "SP_ADD_JOBSTEP": ("COMMAND", 99),
    "CREATE_JOB": ("JOB_ACTION", 2),
    "CREATE_PROGRAM": ("PROGRAM_ACTION", 2),
    "SUBMIT": ("WHAT", 1),
    "SCHEDULE": ("COMMAND", -1),
    "RUN_TASK": ("SQL_STMT", 1),
}
"""What such a procedure calls the text, and its place."""
OWNERS = {
    "CREATE_JOB": "DBMS_SCHEDULER",
    "CREATE_PROGRAM": "DBMS_SCHEDULER",
    "SUBMIT": "DBMS_JOB",
    "SCHEDULE": "CRON",
    "RUN_TASK": "DBMS_PARALLEL_EXECUTE",
}
AROUND = {"SUBMIT": ("'BEGIN ' ||", "|| ' END;'"), "STORED_PROCEDURE": ("'BEGIN ' ||", "|| '; END;'")}
"""What makes a block of a text that is none."""


def job(name: str, given: Sequence[Argument], whole: ScriptPiece) -> Steps:
    """The text that a job runs, as a loop of any number of rounds; nothing where a call makes no job."""
    *before, last = name.upper().replace("[", "").replace("]", "").split(".")
    if last not in TEXTS or (last in OWNERS and before[-1:] != [OWNERS[last]]) or not given:
        return ()
    called = {one.name.upper().lstrip("@"): one.value for one in given if one.name}
    word, place = TEXTS[last]
    kinds = [called.get(kind) for kind in ("SUBSYSTEM", "JOB_TYPE", "PROGRAM_TYPE")]
    kind = next((one.tokens[0].text.upper() for one in kinds if one is not None and one.tokens), "")
    text = called.get(word) or (given[place].value if place < len(given) and not given[place].name else None)
    if text is None or not text.tokens or kind not in ("", "TSQL", "PLSQL_BLOCK", "STORED_PROCEDURE"):
        return ()
    if found := AROUND.get(last) or AROUND.get(kind):
        lead = text.tokens[0]
        text = replace(text, tokens=(*made_words(lead, found[0]), *text.tokens, *made_words(lead, found[1])))
    return (Loop((Dynamic(text, whole),), ScriptPiece((), "", whole.place), record='"rounds of a job"'),)
