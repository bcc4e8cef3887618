"""A warehouse in PostgreSQL to be extracted, and servers that keep silent or hang up."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from urllib.parse import urlsplit

SCHEMA = """
CREATE SCHEMA raw; CREATE SCHEMA mart;
CREATE TYPE raw.mood AS ENUM ('ok', 'bad');
CREATE TABLE raw.customer (
    id bigserial PRIMARY KEY, "Name" text NOT NULL DEFAULT 'nobody''s', region varchar(20), mood raw.mood DEFAULT 'ok',
    tags text[], flags bit varying(5), "select" int, amount numeric(10,2) DEFAULT 0,
    label text GENERATED ALWAYS AS ("Name" || region) STORED);
COMMENT ON TABLE raw.customer IS 'who buys; it''s us';
COMMENT ON COLUMN raw.customer."Name" IS 'the name';
CREATE TABLE raw.orders (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, amount numeric(10,2),
    customer_id bigint NOT NULL REFERENCES raw.customer (id) ON DELETE CASCADE);
CREATE VIEW mart.eu AS SELECT c.id, c."Name" AS name FROM raw.customer c WHERE c.region = 'EU';
COMMENT ON VIEW mart.eu IS 'Europeans';
COMMENT ON COLUMN mart.eu.name IS 'their name';
CREATE VIEW mart.spend AS
    SELECT e.name, sum(o.amount) AS total FROM mart.eu e JOIN raw.orders o ON o.customer_id = e.id GROUP BY e.name;
CREATE MATERIALIZED VIEW mart.top AS SELECT name, total FROM mart.spend WHERE total > 100;
CREATE TABLE mart.report (name text PRIMARY KEY, total numeric);
CREATE FUNCTION mart.rate(a int, b text DEFAULT 'x') RETURNS int LANGUAGE sql AS $$ SELECT a $$;
CREATE FUNCTION mart.rate(a text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;
CREATE FUNCTION mart.shout() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN NEW.region := upper(NEW.region); RETURN NEW; END $$;
CREATE TRIGGER up BEFORE INSERT ON raw.customer FOR EACH ROW EXECUTE FUNCTION mart.shout();
CREATE TRIGGER off BEFORE UPDATE ON raw.customer FOR EACH ROW EXECUTE FUNCTION mart.shout();
ALTER TABLE raw.customer DISABLE TRIGGER off;
CREATE PROCEDURE mart.fill() LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMPORARY TABLE t AS SELECT name, total FROM mart.spend;
    MERGE INTO mart.report r USING t ON r.name = t.name
        WHEN MATCHED THEN UPDATE SET total = t.total
        WHEN NOT MATCHED THEN INSERT (name, total) VALUES (t.name, t.total);
    DROP TABLE t;
END $$;
CREATE RULE kept AS ON DELETE TO raw.orders DO INSTEAD NOTHING;
INSERT INTO raw.customer ("Name", region) VALUES ('Ann', 'eu'), ('Bob', 'us'), ('Eve', 'eu'), ('Joe', NULL);
INSERT INTO raw.orders (customer_id, amount) VALUES (1, 200), (1, 50), (2, 900), (3, 20);
REFRESH MATERIALIZED VIEW mart.top;
CREATE ROLE poor LOGIN PASSWORD 'arm';
"""
OBJECTS = {
    "table": 3, "view": 2, "materialized view": 1, "function": 3, "procedure": 1, "trigger": 2, "rule": 1,
}  # fmt: skip


@contextmanager
def silent() -> Iterator[int]:
    """The port of a server that takes connections and never says anything."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


class Relay:
    """Passes on what a server says, up to some bytes; then it keeps silent, or hangs up."""

    def __init__(self, url: str, limit: int | None = None, *, hangs_up: bool = False) -> None:
        there = urlsplit(url)
        assert there.hostname and there.port
        self._there, self.passed, self._limit, self._hangs_up = (there.hostname, there.port), 0, limit, hangs_up
        self._open: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.url = url.replace(f"{there.hostname}:{there.port}", f"127.0.0.1:{self.port}")
        Thread(target=self._serve, daemon=True).start()

    def __enter__(self) -> Relay:
        return self

    def __exit__(self, *_: object) -> None:
        for one in (self._listening, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                there = socket.create_connection(self._there)
                self._open += [here, there]
                Thread(target=self._pass, args=(here, there, False), daemon=True).start()
                Thread(target=self._pass, args=(there, here, True), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket, counts: bool) -> None:
        with suppress(OSError):
            while data := one.recv(4096):
                if counts:
                    self.passed += len(data)
                    if self._limit is not None and self.passed > self._limit:
                        if self._hangs_up:
                            for end in (one, other):
                                end.shutdown(socket.SHUT_RDWR)
                        return
                other.sendall(data)
