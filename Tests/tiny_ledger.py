"""A tiny ledger made by hand from the migrations' SQL and docs/storage-format.md, for the oracle's own tests."""

import json
import os
import sqlite3

import oracle_format as form

MIGRATIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Schema", "migrations")
KEYS = """
CREATE TABLE session_key (key_no INTEGER PRIMARY KEY, state INTEGER NOT NULL, wrapped BLOB, destroyed_at_ms INTEGER);
CREATE TABLE ledger_key (name TEXT PRIMARY KEY, wrapped BLOB NOT NULL);
"""
TYPES = {
    1: "session_started", 5: "piece_captured", 6: "piece_checked", 7: "piece_confirmed", 9: "piece_verified", 18: "session_completed",
    23: "media_purged", 24: "session_erased", 101: "clock_adjusted", 103: "destination_paused", 110: "session_deliveries_paused",
}
LEDGER_ID, MASTER, LOOKUP = bytes(range(16)), bytes([7]) * 32, bytes([9]) * 32


def identifier(n, version=7):
    return bytes([1, 2, 3, 4, 5, 6, version << 4, 0, 0x80, 0, 0, 0, 0, 0, n >> 8, n & 255])


class TinyLedger:
    """One session with one verified front, and a second session that was erased; then whatever a test does to them."""

    def __init__(self, folder, configuration=b'{"pieces":["passport_front"]}', checks=None):
        """`checks`: columns and facts of a judgement between the capture and its confirmation."""
        self.folder = folder
        os.makedirs(os.path.join(folder, "keys"))
        self.master_key = os.path.join(folder, "master.key")
        with open(self.master_key, "w", encoding="ascii") as file:
            file.write(MASTER.hex() + "\n")
        self.keys = [bytes([40 + n]) * 32 for n in range(3)]
        self.database = sqlite3.connect(os.path.join(folder, "ledger.sqlite"), isolation_level=None)
        self.database.execute("PRAGMA journal_mode = WAL")
        for name in sorted(os.listdir(MIGRATIONS)):
            with open(os.path.join(MIGRATIONS, name), encoding="utf-8") as file:
                self.database.executescript(file.read())
        self.chain, self.positions, self.versions = form.chain_start(LEDGER_ID), 0, {}
        self.insert("ledger", only_row=1, ledger_id=LEDGER_ID, epoch=identifier(1), created_at_ms=1)
        for code, name in TYPES.items():
            self.insert("code_name", kind="type", code=code, name=name)
        self.insert("code_name", kind="piece", code=1, name="passport_front")
        self.insert("session", session_no=0, session_id=LEDGER_ID, key_no=None)
        self.make_keys()
        self.configuration, self.checks = configuration, checks
        self.insert("configuration", digest=form.sha256(self.configuration), json=self.configuration.decode())
        self.session, self.capture = identifier(1), identifier(300)
        self.play(1, self.session, self.capture, b"front" * 30000)
        self.gone, self.gone_capture = identifier(2), identifier(301)
        self.play_erased()
        self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def insert(self, table, **row):
        names = ", ".join(row)
        self.database.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))

    def make_keys(self):
        kek = form.wrapping_key(MASTER)
        database = sqlite3.connect(os.path.join(self.folder, "keys", "keys.sqlite"))
        database.executescript(KEYS)
        for number, key in enumerate(self.keys, 1):
            database.execute(
                "INSERT INTO session_key VALUES (?, 1, ?, NULL)", (number, form.wrap(kek, key, form.session_key_aad(number))))
        database.execute("INSERT INTO ledger_key VALUES ('lookup', ?)", (form.wrap(kek, LOOKUP, form.ledger_key_aad("lookup")),))
        database.execute("UPDATE session_key SET state = 2, wrapped = NULL, destroyed_at_ms = 5 WHERE key_no = 2")
        database.commit()
        database.close()

    def event(self, number, kind, facts=None, private=None, **columns):
        """The values of the next event; stored by `commit`."""
        self.positions += 1
        self.versions[number] = self.versions.get(number, 0) + 1
        event = dict.fromkeys(form.EVENT_COLUMNS) | {
            "position": self.positions, "session_no": number, "version": self.versions[number],
            "event_id": identifier(1000 + self.positions), "type": next(c for c, n in TYPES.items() if n == kind),
            "schema_version": 1, "recorded_at_ms": 1000 + self.positions, "flags": 0, "facts": json.dumps(facts or {}),
        } | columns
        if private is not None:
            (session,) = self.database.execute("SELECT session_id FROM session WHERE session_no = ?", (number,)).fetchone()
            event["private"] = form.seal_small(
                self.keys[number - 1], b"capture-ledger private v1", event["event_id"], session, private)
        return event

    def commit(self, *events):
        leaves = []
        for event in events:
            (session,) = self.database.execute(
                "SELECT session_id FROM session WHERE session_no = ?", (event["session_no"],)).fetchone()
            values = [session if name == "session_id" else event[name] for name in form.EVENT_COLUMNS]
            leaves.append(form.leaf(form.canonical_row(values)))
            self.insert("event", **{name: value for name, value in event.items() if name != "session_id"})
        first, last = events[0]["position"], events[-1]["position"]
        self.chain = form.chain_next(self.chain, first, last, 2000 + last, leaves)
        self.insert("event_commit", last_position=last, first_position=first, committed_at_ms=2000 + last, chain=self.chain)

    def seal_media(self, number, capture, plain):
        sealed = form.seal_stream(self.keys[number - 1], b"capture-ledger media v1", capture, plain)
        path = self.media_path(capture)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(sealed)
        digest = form.sha256(plain)
        self.insert("private_lookup", kind=4, digest=form.lookup_digest(LOOKUP, 4, digest), session_no=number)
        return {
            "bytes": len(plain), "sealed_bytes": len(sealed), "sealed_digest": form.sha256(sealed).hex(),
            "commitment": form.commitment(self.keys[number - 1], digest).hex(),
        }

    def seal_crop(self, crop, plain):
        """What a judgement says of a page crop."""
        facts = self.seal_media(1, crop, plain)
        self.database.execute("DELETE FROM private_lookup WHERE digest = ?", (form.lookup_digest(LOOKUP, 4, form.sha256(plain)),))
        return facts | {"id": form.named(crop), "width": 12, "height": 8}

    def media_path(self, capture):
        return os.path.join(self.folder, "media", capture.hex()[-2:], form.named(capture))

    def evidence_path(self):
        return os.path.join(self.folder, "evidence", "58", form.named(identifier(600)))

    def play(self, number, session, capture, plain):
        self.insert("session", session_no=number, session_id=session, key_no=number)
        facts = {"configuration": form.sha256(self.configuration).hex()}
        self.commit(self.event(number, "session_started", facts, b'{"subject":"x"}', command_id="c1"))
        self.insert(
            "receipt", session_no=number, command_id="c1", body_digest=bytes(16), first_position=self.positions, event_count=1)
        facts = self.seal_media(number, capture, plain)
        self.commit(self.event(number, "piece_captured", facts, b"{}", piece=1, capture_id=capture))
        if self.checks is not None:
            columns, facts = self.checks
            self.commit(self.event(number, "piece_checked", facts, piece=1, capture_id=capture, schema_version=2, **columns))
        self.commit(self.event(number, "piece_confirmed", {"destination": "verifier"}, piece=1, capture_id=capture))
        self.delivery = form.delivery_id(session, capture, "verifier")
        confirmed = self.positions
        self.insert(
            "delivery_work", delivery_no=confirmed, claims=1, attempts=1, fence=1, next_attempt_at_ms=0, contract_breaks=0,
            unclear=0, frozen=form.seal_small(
                self.keys[number - 1], b"capture-ledger frozen v1", self.delivery, session, b"{}"))
        attempt = dict.fromkeys(form.ATTEMPT_COLUMNS) | {
            "delivery_id": self.delivery, "number": 1, "fence": 1, "destination": "verifier", "kind": "send",
            "started_at_ms": 1, "finished_at_ms": 2, "certainty": "answered", "curl_code": 0, "status": 200,
            "bytes_sent": 1, "bytes_received": 1, "explanation": "answered", "action": "apply", "table_version": 1,
            "evidence_id": identifier(600), "evidence_digest": form.sha256(b"yes"),
        }
        self.insert("attempt", attempt_no=1, delivery_no=confirmed, **attempt)
        os.makedirs(os.path.dirname(self.evidence_path()))
        with open(self.evidence_path(), "wb") as file:
            file.write(form.seal_stream(self.keys[number - 1], b"capture-ledger evidence v1", identifier(600), b"yes"))
        row_digest = form.sha256(form.canonical_row([attempt[name] for name in form.ATTEMPT_COLUMNS])).hex()
        facts = {"delivery": form.named(self.delivery), "evidence": row_digest}
        verified = self.event(number, "piece_verified", facts, b'{"name":"x"}', piece=1, capture_id=capture, outcome=1)
        settled = self.positions
        self.commit(verified, self.event(number, "session_completed"))
        self.insert(
            "delivery", delivery_no=confirmed, delivery_id=self.delivery, session_no=number, capture_id=capture, piece=1,
            ordinal=0, destination="verifier", strict_order=0, status=2, settled_position=settled)
        self.flow(number, "completed")

    def play_erased(self):
        self.insert("session", session_no=2, session_id=self.gone, key_no=2)
        facts = {"configuration": form.sha256(self.configuration).hex()}
        self.commit(self.event(2, "session_started", facts, b"{}"))
        facts = self.seal_media(2, self.gone_capture, b"gone")
        self.commit(self.event(2, "piece_captured", facts, b"{}", piece=1, capture_id=self.gone_capture))
        self.commit(self.event(2, "session_erased"))
        self.insert("erasure", session_no=2, requested_at_ms=1, key_destroyed_at_ms=5, swept_at_ms=6)
        os.remove(self.media_path(self.gone_capture))
        self.database.execute("DELETE FROM private_lookup WHERE session_no = 2")
        self.flow(2, "erased")

    def flow(self, number, status):
        self.insert(
            "flow", session_no=number, version=self.versions[number], last_position=self.positions, status=status,
            phase="finished", started_at_ms=1, changed_at_ms=2, pieces="[]")

    def tamper(self, *statements):
        """Changes rows the way somebody with a hex editor would: the triggers are there again afterwards."""
        triggers = self.database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            self.database.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            self.database.execute(statement)
        for _, sql in triggers:
            self.database.execute(sql)

    def tamper_keys(self, statement):
        database = sqlite3.connect(os.path.join(self.folder, "keys", "keys.sqlite"))
        database.execute(statement)
        database.commit()
        database.close()

    def record(self, **changes):
        request = {
            "destination": "verifier", "key": form.named(self.delivery), "session_id": form.named(self.session),
            "piece": "passport_front", "capture_id": form.named(self.capture),
            "digest": form.sha256(b"front" * 30000).hex(), "bytes": 1, "status": 200, "effect": True,
        } | changes
        return [request]
