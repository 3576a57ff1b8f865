"""The oracle's own tests: a tiny ledger made by hand from the migration's SQL, and every kind of damage, which it must find."""

import http.server
import json
import os
import shutil
import sqlite3
import tempfile
import threading
import unittest

import oracle
import oracle_format as form

from tiny_ledger import MASTER, identifier, TinyLedger


class OracleTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pattern = tempfile.TemporaryDirectory()
        TinyLedger(os.path.join(cls.pattern.name, "my.ledger")).database.close()

    @classmethod
    def tearDownClass(cls):
        cls.pattern.cleanup()

    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)
        self.ledger = object.__new__(TinyLedger)
        self.ledger.folder = os.path.join(self.work.name, "my.ledger")
        shutil.copytree(os.path.join(self.pattern.name, "my.ledger"), self.ledger.folder)
        self.ledger.database = sqlite3.connect(os.path.join(self.ledger.folder, "ledger.sqlite"), isolation_level=None)
        self.addCleanup(self.ledger.database.close)
        self.ledger.session, self.ledger.capture = identifier(1), identifier(300)
        self.ledger.gone, self.ledger.gone_capture = identifier(2), identifier(301)
        self.ledger.delivery = form.delivery_id(self.ledger.session, self.ledger.capture, "verifier")
        self.master = os.path.join(self.ledger.folder, "master.key")

    def codes(self, **options):
        options.setdefault("master_key", self.master)
        verdict = oracle.judge(self.ledger.folder, **options)
        self.counts, self.notes = verdict.counts, verdict.notes
        return sorted({problem["code"] for problem in verdict.problems})

    def requests(self, requests):
        path = os.path.join(self.work.name, "record.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"requests": requests}, file)
        return path

    def test_a_sound_ledger_is_sound(self):
        self.assertEqual(self.codes(no_orphans=True, expect_erased=[form.named(self.ledger.gone)]), [])
        for name, count in {
                "events": 8, "commits": 7, "sessions": 2, "media": 1, "media_opened": 1, "evidence_opened": 1,
                "deliveries": 1, "attempts": 1, "erased": 1, "receipts": 1, "private_opened": 4}.items():
            self.assertEqual(self.counts.get(name), count, name)

    def test_without_the_master_key_the_rest_is_checked(self):
        self.assertEqual(self.codes(master_key=None), [])
        self.assertNotIn("media_opened", self.counts)

    def test_what_only_the_wal_holds_is_read(self):
        self.ledger.tamper("UPDATE event SET reason = 'x' WHERE position = 3")
        self.assertTrue(os.path.getsize(os.path.join(self.ledger.folder, "ledger.sqlite-wal")))
        self.assertEqual(self.codes(), ["chain_broken"])

    def test_rows_damaged_in_the_database_are_found(self):
        for statement, expected in (
                *((f"UPDATE event SET {c} = {v} WHERE position = 3", ["chain_broken"]) for c, v in {
                    "schema_version": 2, "occurred_at_ms": 5, "flags": 1, "command_id": "'c'", "correlation_id": "'c'",
                    "actor": "'a'", "source": 1, "outcome": 1, "reason": "'r'", "duration_ms": 5}.items()),
                ("UPDATE event SET recorded_at_ms = 999999 WHERE position = 8", ["chain_broken"]),
                ("UPDATE event SET recorded_at_ms = 1 WHERE position = 3", ["chain_broken", "time_went_back"]),
                ("UPDATE event SET event_id = x'01020304050640000000000000000000' WHERE position = 5",
                 ["chain_broken", "identifier_malformed"]),
                ("UPDATE event SET causation_position = 3 WHERE position = 3", ["causation_dangling", "chain_broken"]),
                ("UPDATE event SET facts = '{' WHERE position = 8", ["chain_broken", "facts_unreadable"]),
                ("UPDATE event SET private = zeroblob(40) WHERE position = 4", ["chain_broken", "private_unreadable"]),
                ("UPDATE event SET event_id = (SELECT event_id FROM event WHERE position = 4) WHERE position = 5",
                 ["chain_broken", "event_id_repeated"]),
                ("DELETE FROM event WHERE position = 8",
                 ["commit_without_events", "flow_behind"]),
                ("DELETE FROM event WHERE position = 5",
                 ["chain_broken", "commit_without_events", "flow_behind", "position_gap"]),
                ("UPDATE event SET version = 9 WHERE position = 5", ["chain_broken", "flow_behind", "version_gap"]),
                ("DELETE FROM event_commit WHERE last_position = 8", ["event_outside_commits"]),
                ("DELETE FROM event_commit WHERE last_position = 3", ["chain_broken", "commit_gap", "event_outside_commits"]),
                ("UPDATE event_commit SET chain = zeroblob(32) WHERE last_position = 8", ["chain_broken"]),
                ("UPDATE event_commit SET committed_at_ms = 1 WHERE last_position = 8", ["chain_broken"]),
                ("INSERT INTO event_commit VALUES (9, 9, 1, zeroblob(32))", ["commit_without_events"]),
                ("INSERT INTO tree_tile VALUES (1, 0, zeroblob(32))", ["tile_wrong"]),
                ("DELETE FROM ledger", ["ledger_row_missing"]),
                ("UPDATE configuration SET json = json || ' '", ["configuration_altered"]),
                ("DELETE FROM configuration", ["configuration_missing"]),
                ("UPDATE receipt SET event_count = 99", ["receipt_dangling"]),
                ("UPDATE receipt SET first_position = 2", ["receipt_wrong"]),
                ("DELETE FROM flow WHERE session_no = 1", ["flow_missing"]),
                ("UPDATE flow SET version = 1 WHERE session_no = 1", ["flow_behind"]),
                ("UPDATE flow SET status = 'active' WHERE session_no = 1", ["flow_wrong"]),
                ("INSERT INTO flow SELECT 7, version, last_position, status, phase, current_piece, context, started_at_ms,"
                 " changed_at_ms, ended_at_ms, expires_at_ms, pieces FROM flow WHERE session_no = 1", ["flow_without_session"]),
                ("DELETE FROM delivery", ["attempt_dangling", "delivery_missing"]),
                ("UPDATE delivery SET delivery_id = zeroblob(16)",
                 ["attempt_dangling", "delivery_id_wrong", "frozen_unreadable", "settlement_wrong"]),
                ("UPDATE delivery SET destination = 'other'", ["attempt_dangling", "delivery_id_wrong", "delivery_wrong"]),
                ("UPDATE delivery SET status = 3", ["settlement_wrong"]),
                ("UPDATE delivery SET settled_position = 5", ["settlement_wrong"]),
                ("UPDATE delivery_work SET frozen = zeroblob(30)", ["frozen_unreadable"]),
                *((f"UPDATE attempt SET {c} = {v}", ["attempt_altered"]) for c, v in {
                    "status": 500, "kind": "'probe'", "bytes_sent": 9, "retry_after_ms": 1, "fence": 2}.items()),
                ("UPDATE attempt SET number = 2", ["attempt_altered", "attempt_gap"]),
                ("DELETE FROM attempt", ["attempt_altered"]),
                ("UPDATE flow SET expires_at_ms = 5 WHERE session_no = 1", ["deadline_wrong"]),
                ("INSERT INTO session_pause VALUES (1, 3, 5)", ["session_pause_wrong"]),
                ("INSERT INTO clock_anchor VALUES (1, zeroblob(16), 5, 6, 7)", ["clock_anchor_wrong"]),
                ("INSERT INTO private_lookup VALUES (2, zeroblob(16), 2)", ["erased_lookup_present"]),
                ("DELETE FROM private_lookup", ["lookup_missing"]),
                ("UPDATE session SET key_no = 99 WHERE session_no = 1", ["key_missing"]),
                ("DELETE FROM session WHERE session_no = 1", None)):
            with self.subTest(statement):
                self.tearDownOne()
                self.ledger.tamper(statement)
                found = self.codes()
                if expected is None:
                    self.assertIn("session_missing", found)
                else:
                    self.assertEqual(found, expected)

    def test_the_state_of_delivery_follows_the_stream(self):
        ledger = TinyLedger(os.path.join(self.work.name, "fresh.ledger"))
        self.addCleanup(ledger.database.close)
        self.ledger.folder, self.master = ledger.folder, ledger.master_key
        ledger.commit(
            ledger.event(0, "clock_adjusted", {"from_ms": 100, "to_ms": 700}),
            ledger.event(0, "destination_paused", {"destination": "verifier"}, reason="by_operator"),
            ledger.event(0, "session_deliveries_paused", {"session": form.named(ledger.session)}, reason="by_operator"))
        self.assertEqual(self.codes(), ["clock_anchor_wrong", "session_pause_wrong"])
        ledger.database.execute("INSERT INTO clock_anchor VALUES (1, zeroblob(16), 5, 6, 600)")
        ledger.database.execute("INSERT INTO session_pause VALUES (1, ?, 5)", (ledger.positions,))
        self.assertEqual(self.codes(), [])
        ledger.database.execute("INSERT INTO destination_state (destination, failures) VALUES ('verifier', 0)")
        self.assertEqual(self.codes(), ["destination_pause_wrong"])
        ledger.database.execute("UPDATE destination_state SET paused_reason = 'by_operator'")
        self.assertEqual(self.codes(), [])

    def another(self, **options):
        folder = os.path.join(self.work.name, f"ledger-{len(os.listdir(self.work.name))}")
        ledger = TinyLedger(folder, **options)
        self.addCleanup(ledger.database.close)
        self.ledger.folder, self.master = ledger.folder, ledger.master_key
        return ledger

    def test_nothing_is_sent_that_did_not_pass(self):
        for mode in (b"required", b"deferred"):
            configuration = b'{"checks":"' + mode + b'","pieces":["passport_front"]}'
            for checks, expected in (
                    (({"outcome": 5}, {}), []), (None, ["sent_unchecked"]), (({"outcome": 6, "reason": "glare"}, {}), ["sent_unchecked"]),
                    (({"outcome": 5}, {"late": True}), ["sent_unchecked"]),
                    (({"outcome": 6, "reason": "scanner_not_ready"}, {}), ["sent_unchecked"])):
                with self.subTest(f"{mode} {checks}"):
                    self.another(configuration=configuration, checks=checks)
                    self.assertEqual(self.codes(), expected)

    def test_a_delivery_waits_for_its_judgement_and_for_no_other(self):
        ledger = self.another(configuration=b'{"checks":"deferred","pieces":["passport_front"]}')
        ledger.database.execute("UPDATE delivery SET status = 1, blocked = 'checks'")
        self.assertNotIn("block_wrong", self.codes())
        ledger.database.execute("UPDATE delivery SET blocked = NULL")
        self.assertIn("block_wrong", self.codes())

    def test_a_crop_is_there_and_is_what_the_judgement_says(self):
        ledger = self.another()
        crop = identifier(700)
        facts = ledger.seal_crop(crop, b"page")
        ledger.commit(ledger.event(1, "piece_checked", {"crop": facts}, piece=1, capture_id=identifier(302), outcome=5))
        ledger.database.execute("UPDATE flow SET version = ?, last_position = ? WHERE session_no = 1", (6, ledger.positions))
        self.assertEqual(self.codes(no_orphans=True), [])
        self.assertEqual(self.counts["media_opened"], 2)
        os.truncate(ledger.media_path(crop), 30)
        self.assertEqual(self.codes(), ["media_altered", "media_unreadable"])
        os.remove(ledger.media_path(crop))
        self.assertEqual(self.codes(), ["media_missing"])
        ledger.seal_crop(crop, b"another page")
        self.assertEqual(self.codes(), ["commitment_wrong", "media_altered", "media_size_wrong"])

    def tearDownOne(self):
        """The sound ledger again, for the next damage."""
        self.doCleanups()
        self.setUp()

    def test_a_dropped_trigger_is_found(self):
        self.ledger.database.execute("DROP TRIGGER event_is_never_changed")
        self.assertEqual(self.codes(), ["trigger_missing"])

    def test_a_damaged_page_is_found(self):
        self.ledger.database.close()
        path = os.path.join(self.ledger.folder, "ledger.sqlite")
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            file.write(b"\xff" * 4096)
        try:
            self.assertTrue(self.codes())
        except sqlite3.DatabaseError:
            pass

    def test_keys(self):
        self.ledger.tamper_keys("UPDATE session_key SET wrapped = zeroblob(61) WHERE key_no = 3")
        self.assertEqual(self.codes(), ["key_unreadable"])
        self.tearDownOne()
        self.ledger.tamper_keys("UPDATE session_key SET wrapped = zeroblob(61) WHERE key_no = 2")
        self.assertEqual(self.codes(), ["destroyed_key_present"])
        self.tearDownOne()
        self.ledger.tamper_keys("UPDATE session_key SET state = 2, wrapped = NULL WHERE key_no = 1")
        self.assertIn("key_lost", self.codes())
        self.tearDownOne()
        self.ledger.tamper_keys("DELETE FROM session_key WHERE key_no = 1")
        self.assertEqual(self.codes(), ["key_missing"])
        self.tearDownOne()
        with open(self.master, "w", encoding="ascii") as file:
            file.write("ab" * 32 + "\n")
        self.assertEqual(self.codes(), ["wrong_master_key"])
        with open(self.master, "w", encoding="ascii") as file:
            file.write("short")
        with self.assertRaises(form.Unreadable):
            self.codes()

    def test_an_erasure_that_did_nothing_is_found(self):
        kek = form.wrapping_key(MASTER)
        wrapped = form.wrap(kek, bytes([41]) * 32, form.session_key_aad(2)).hex()
        self.ledger.tamper_keys(f"UPDATE session_key SET state = 1, wrapped = x'{wrapped}' WHERE key_no = 2")
        self.assertIn("erased_key_alive", self.codes())
        self.assertIn("erased_opens", self.codes())
        self.tearDownOne()
        self.assertEqual(self.codes(expect_erased=[form.named(self.ledger.session)]), ["not_erased"])
        self.assertEqual(self.codes(expect_erased=["nobody"]), ["session_missing"])

    def test_an_erasure_still_being_swept_is_no_problem_and_a_done_one_leaves_nothing(self):
        path = self.ledger.media_path(self.ledger.gone_capture)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(b"gone")
        self.assertEqual(self.codes(), ["erased_media_present"])
        self.ledger.database.execute("UPDATE erasure SET swept_at_ms = NULL")
        self.assertEqual(self.codes(), [])
        self.assertEqual(len(self.notes), 1)

    def test_a_tombstone_asks_for_a_destroyed_key(self):
        path = os.path.join(self.work.name, "tombstones")
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"erased_at_ms":1,"key_no":1,"session_id":"x"}\n')
        self.assertEqual(self.codes(tombstones=path), ["erased_key_alive"])

    def test_media(self):
        path = self.ledger.media_path(self.ledger.capture)
        size = os.path.getsize(path)

        def flip(offset):
            with open(path, "r+b") as file:
                file.seek(offset)
                byte = file.read(1)
                file.seek(offset)
                file.write(bytes([byte[0] ^ 1]))

        for offset in (0, 10, 30, 70000, size - 1):
            with self.subTest(offset):
                flip(offset)
                self.assertEqual(self.codes(), ["media_altered", "media_unreadable"])
                flip(offset)
        os.truncate(path, 24 + form.CHUNK + form.TAG)
        self.assertEqual(self.codes(), ["media_altered", "media_unreadable"])
        self.assertEqual(self.codes(master_key=None), ["media_altered"])
        os.remove(path)
        self.assertEqual(self.codes(), ["media_missing"])

    def test_media_of_the_same_key_in_the_wrong_place(self):
        path = self.ledger.media_path(self.ledger.capture)
        os.makedirs(os.path.join(self.ledger.folder, "media", "00"))
        os.rename(path, os.path.join(self.ledger.folder, "media", "00", os.path.basename(path)))
        self.assertEqual(self.codes(), ["media_misplaced"])

    def test_media_that_is_not_what_the_log_commits_to(self):
        sealed = form.seal_stream(bytes([40]) * 32, b"capture-ledger media v1", self.ledger.capture, b"other")
        with open(self.ledger.media_path(self.ledger.capture), "wb") as file:
            file.write(sealed)
        self.assertEqual(self.codes(), ["commitment_wrong", "lookup_missing", "media_altered", "media_size_wrong"])

    def test_orphans_are_named_and_a_problem_where_none_is_wanted(self):
        os.makedirs(os.path.join(self.ledger.folder, "media", "staging"))
        open(os.path.join(self.ledger.folder, "media", "staging", "x"), "wb").close()
        os.makedirs(os.path.join(self.ledger.folder, "media", "aa"))
        open(os.path.join(self.ledger.folder, "media", "aa", form.named(identifier(0xAA))), "wb").close()
        self.assertEqual(self.codes(), [])
        self.assertEqual(len(self.notes), 2)
        self.assertEqual(self.codes(no_orphans=True), ["orphan"])

    def test_evidence(self):
        with open(self.ledger.evidence_path(), "wb") as file:
            file.write(form.seal_stream(bytes([40]) * 32, b"capture-ledger evidence v1", identifier(600), b"no"))
        self.assertEqual(self.codes(), ["evidence_altered"])
        os.truncate(self.ledger.evidence_path(), 30)
        self.assertEqual(self.codes(), ["evidence_unreadable"])
        os.remove(self.ledger.evidence_path())
        self.assertEqual(self.codes(), ["evidence_missing"])

    def test_effects(self):
        good = TinyLedger.record(self.ledger)
        other = form.named(identifier(77))
        for requests, expected in (
                (good, []),
                (good + TinyLedger.record(self.ledger, effect=False, replayed=True), []),
                (good + good, ["effect_repeated"]),
                ([], ["effect_missing"]),
                (TinyLedger.record(self.ledger, key=other), ["key_wrong"]),
                (good + TinyLedger.record(self.ledger, key=other, effect=False), ["key_wrong"]),
                (TinyLedger.record(self.ledger, digest="00" * 32), ["sent_bytes_wrong"]),
                (good + TinyLedger.record(self.ledger, capture_id=other), ["effect_unknown"]),
                (good + TinyLedger.record(self.ledger, piece="selfie"), ["effect_unknown"]),
                (TinyLedger.record(self.ledger, session_id=None, piece=None, capture_id=None), [])):
            with self.subTest(expected):
                self.assertEqual(self.codes(sandbox_record=self.requests(requests)), expected)

    def test_the_record_is_read_as_lines_and_from_an_address(self):
        path = os.path.join(self.work.name, "record.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            for request in TinyLedger.record(self.ledger):
                file.write(json.dumps({"event": "reset"}) + "\n" + json.dumps({"event": "request"} | request) + "\n")
        self.assertEqual(self.codes(sandbox_record=path), [])
        body = json.dumps({"requests": TinyLedger.record(self.ledger)}).encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200 if self.path == "/control/requests" else 404)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.assertEqual(self.codes(sandbox_record=f"http://127.0.0.1:{server.server_port}/control"), [])


class FormatTests(unittest.TestCase):
    """The primitives against values computed elsewhere."""

    def test_hkdf_is_rfc_5869(self):
        okm = form.hkdf(b"\x0b" * 22, bytes(range(0xF0, 0xFA)), salt=bytes(range(13)))
        self.assertEqual(okm.hex(), "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf")

    def test_the_tree_is_rfc_6962(self):
        leaves = [form.leaf(bytes([0])), form.leaf(bytes([1]))]
        self.assertEqual(form.leaf(b"").hex(), "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d")
        self.assertEqual(form.tree_root(leaves), form.sha256(b"\x01", *leaves))

    def test_a_row_is_tagged_and_counted(self):
        self.assertEqual(form.canonical_row([None, -1, "é", b"\x00"]).hex(), "00" "01ffffffffffffffff" "0200000002c3a9" "030000000100")

    def test_a_delivery_id_is_version_8(self):
        made = form.delivery_id(identifier(1), identifier(2), "verifier")
        self.assertEqual((made[6] >> 4, made[8] >> 6), (8, 2))
        self.assertNotEqual(made, form.delivery_id(identifier(1), identifier(2), "other"))

    def test_streams_of_every_length_open_and_lose_nothing(self):
        for length in (0, 1, form.CHUNK - 1, form.CHUNK, form.CHUNK + 1, 2 * form.CHUNK):
            with tempfile.NamedTemporaryFile() as file:
                file.write(form.seal_stream(bytes(32), b"capture-ledger media v1", identifier(1), b"a" * length))
                file.flush()
                self.assertEqual(
                    form.open_stream(bytes(32), b"capture-ledger media v1", identifier(1), file.name),
                    (length, form.sha256(b"a" * length)))


if __name__ == "__main__":
    unittest.main()
