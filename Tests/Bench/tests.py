"""Tests of what the benchmarks make of their answers: medians, ratios, tables, JSON, what is missing. Nothing is measured."""
import argparse
import contextlib
import importlib.util
import io
import itertools
import json
import os
import sys
import tempfile
import types
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "peers")]

import growth  # noqa: E402
import postgresql  # noqa: E402
import turns  # noqa: E402
import workload  # noqa: E402


def quietly(work):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
        work()
    return out.getvalue()


def a_bench(rounds=3):
    return turns.Bench(types.SimpleNamespace(product="", plain="", schema="", rounds=rounds, seconds=0.1), ".")


def rates(*values):
    return [value and {"events_per_second": value} for value in values]


class TurnsTests(unittest.TestCase):
    def test_each_round_begins_with_another_one(self):
        bench, order = a_bench(), []
        runs = {name: (lambda name=name: order.append(name) or {}) for name in "abc"}
        quietly(lambda: bench.interleave("turns", runs))
        self.assertEqual("".join(order), "abcbcacab")

    def test_who_cannot_is_missing_once_and_the_others_go_on(self):
        def cannot():
            raise turns.Missing("not here")

        bench = a_bench()
        found = {}
        quietly(lambda: found.update(bench.interleave("turns", {"a": lambda: {"events_per_second": 1}, "b": cannot})))
        self.assertEqual([len(found["a"]), found["b"]], [3, [None] * 3])
        self.assertEqual(bench.missing, [{"what": "turns: b", "why": "not here"}])
        bench.row("X", "a by b", found["a"], found["b"])
        self.assertIn("| X | a by b |  |  | not measured |  |  |", turns.table(bench.rows))

    def test_a_ratio_is_the_median_of_the_rounds_and_not_the_ratio_of_medians(self):
        bench = a_bench()
        bench.row("G", "what", rates(100, 300, 500), rates(100, 100, 1000), target=0.9)
        row = bench.rows[0]
        self.assertEqual((row["ratio"], row["least"], row["most"], row["ours"], row["reference"]), (1, 0.5, 3, 300, 100))
        self.assertTrue(row["reached"])
        self.assertEqual(turns.words(row), ["G", "what", "300 events/s", "100 events/s", "1.00 (0.50–3.00)", "≥ 0.9", "yes"])

    def test_a_round_that_lacks_one_side_counts_for_neither(self):
        bench = a_bench()
        bench.row("G", "what", rates(100, None, 300), rates(100, 1, 100))
        self.assertEqual((bench.rows[0]["rounds"], bench.rows[0]["ratio"]), (2, 2))

    def test_of_a_wait_less_is_better(self):
        bench = a_bench()
        bench.row("G", "wait", rates(30), rates(20), target=1.3, unit="µs", at_most=True)
        self.assertFalse(bench.rows[0]["reached"])
        self.assertEqual(turns.words(bench.rows[0])[2:], ["30.0 µs", "20.0 µs", "1.50 (1.50–1.50)", "≤ 1.3", "no"])

    def test_the_report_is_a_table_and_the_same_as_json_with_what_is_missing_at_the_end(self):
        bench = a_bench()
        bench.note_load("the start")
        bench.row("G", "what", rates(2), rates(1))
        bench.missing.append({"what": "a peer", "why": "not installed"})
        facts = {"cores": 2, "processor": "P", "sqlite": "3", "openssl": "O", "syncs_per_second": [5, 9], "seconds": 1}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            said = quietly(lambda: turns.report(bench, facts, turns.table(bench.rows), path, terms={"one": 1}))
            with open(path) as file:
                kept = json.load(file)
        self.assertEqual(said.splitlines()[-2], "not measured: a peer (not installed)")
        self.assertIn("5 to 9 syncs a second", said)
        self.assertEqual((kept["rows"][0]["ratio"], kept["terms"], kept["missing"]), (2, {"one": 1}, bench.missing))


class GrowthTests(unittest.TestCase):
    def test_a_line_a_measure_and_a_column_a_size(self):
        measures = {"rate": {10: {"value": 100, "text": "100/s"}, 1000: {"value": 50, "text": "50/s"}}, "late": {1000: {"value": 1, "text": "1"}}}
        self.assertEqual(growth.growth_table([10, 1000], measures).splitlines(), [
            "| what | 10 events | 1,000 events | last by first |", "| --- | --- | --- | --- |",
            "| rate | 100/s | 50/s | 0.50 |", "| late |  | 1 |  |"])

    def test_sizes_are_taken_in_order_and_none_is_too_small(self):
        self.assertEqual(growth.sizes_of("1000000,10000,10000"), [10_000, 1_000_000])
        with self.assertRaises(argparse.ArgumentTypeError):
            growth.sizes_of("10")

    def test_a_disk_with_too_little_room_is_said_before_anything_is_made(self):
        with self.assertRaisesRegex(SystemExit, "too little room"):
            quietly(lambda: growth.room_wanted([10**15], "."))


class PeersTests(unittest.TestCase):
    def test_the_figures_stand_above_the_terms_on_which_they_were_had(self):
        place = importlib.util.spec_from_file_location("peers_run", os.path.join(HERE, "peers", "run.py"))
        peers = importlib.util.module_from_spec(place)
        place.loader.exec_module(peers)
        bench = a_bench()
        bench.row("Other", "1 client", rates(20), rates(10), cpu=False)
        bench.terms = {"Other": {"version": "1.2", "settings": "fsync on", "syncs_per_commit": 1.0, "bytes_per_event": None}}
        self.assertEqual(peers.tables(bench).splitlines(), [
            "| peer | what | product | peer's | ratio (least–most) |", "| --- | --- | --- | --- | --- |",
            "| Other | 1 client | 20.0 events/s | 10.0 events/s | 2.00 (2.00–2.00) |", "",
            "| store | version | set to | syncs a commit | bytes an event |", "| --- | --- | --- | --- | --- |",
            "| Other | 1.2 | fsync on | 1.00 |  |"])

    def test_the_payloads_of_a_large_batch_fit_into_a_command_line(self):
        for batch, payloads in ((1, 1), (8, 8), (1000, 1000)):
            _, given = postgresql.script(batch, "events")
            self.assertLess(max(map(len, given)), 128 << 10)
            self.assertEqual("".join(given).count("passport_front"), payloads)


class WorkloadTests(unittest.TestCase):
    def test_every_payload_is_json_of_400_bytes(self):
        self.assertEqual({len(payload) for payload in workload.payloads()}, {400})
        self.assertEqual([json.loads(payload)["version"] for payload in workload.payloads()], list(range(1, 9)))

    def test_commits_hold_whole_sessions_or_one_event_and_no_version_twice(self):
        for batch in (1, 8, 1000):
            made = list(itertools.islice(workload.commits(batch), 16))
            self.assertEqual({len(commit) for commit in made}, {batch})
            events = [event for commit in made for event in commit]
            self.assertEqual(len(set(events)), len(events))
            self.assertEqual([version for _, version in events], list(range(1, 9)) * (len(events) // 8))

    def test_clients_do_not_share_sessions(self):
        first, second = ({commit[0][0] for commit in itertools.islice(workload.commits(1, client), 64)} for client in (1, 2))
        self.assertFalse(first & second)

    def test_a_client_that_fails_is_no_figure(self):
        def broken(number):
            if number == 1:
                raise OSError("refused")
            return (lambda commit: None), (lambda commit: commit)

        with self.assertRaisesRegex(SystemExit, "1 of 2 clients failed: refused"):
            workload.many_clients(broken, 2, 0.01)


if __name__ == "__main__":
    unittest.main()
