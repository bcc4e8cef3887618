"""What the database runs by itself, at times or when something is so: tasks, events, alerts.

CREATE TASK t SCHEDULE = '1 MINUTE' AS BEGIN ... END
CREATE ALERT a IF (EXISTS (SELECT 1 FROM x WHERE y > 1)) THEN INSERT INTO log ...      Test(Arm("EXISTS (...)", (...,)))
"""

from __future__ import annotations

from mdw.readers.sql.pieces import word_of
from mdw.readers.sql.programs.grammar import words
from mdw.readers.sql.programs.program import Arm, Routine, Steps, Test
from mdw.readers.sql.programs.words import Words

SCHEDULED = words("TASK EVENT ALERT")
RUNS = words("BEGIN DECLARE CALL EXECUTE EXEC")


def scheduled(this: Words, first: int) -> Steps | None:
    """CREATE TASK t ... AS BEGIN ... END; CREATE EVENT e ... DO statement. A task of one statement is left as it is."""
    this.take("IF", "NOT", "EXISTS")
    name = this.name()
    stop = this.stop(first)
    begins = this.top(words("AS DO"), this.at, stop)
    this.at = begins + 1
    if begins == stop or (this.word() not in RUNS and word_of(this.tokens[begins]) == "AS"):
        return None
    return (Routine("block", name, this.piece(first, begins + 1), this.one()),)


def alerted(this: Words, first: int) -> Steps | None:
    """CREATE ALERT a ... IF (EXISTS (SELECT ...)) THEN statement (Snowflake)."""
    this.take("IF", "NOT", "EXISTS")
    name = this.name()
    stop = this.stop(first)
    asks = this.top(words("IF"), this.at, stop)
    does = this.top(words("THEN"), asks, stop)
    if does == stop:
        this.at = first
        return None
    head, test = this.piece(first, does + 1), this.some(asks + 1, does)
    this.at = does + 1
    return (Routine("block", name, head, (Test((Arm(test, this.one()),), head),)),)
