#!/usr/bin/env python3
"""Judges a ledger without the product's code: reads the raw files and recomputes what docs/storage-format.md promises.

usage: oracle.py LEDGER [--master-key FILE] [--tombstones FILE] [--sandbox-record FILE|URL]
                        [--expect-erased SESSION…] [--no-orphans] [--json]

Without --master-key everything that needs no key is still checked. The ledger is read through a copy of its databases, so
nothing in it changes; ask only while nobody writes. Exit 0 when all holds, 1 with every problem listed, 2 when it cannot read.
"""

import argparse
import json
import os
import re
import sqlite3
import sys
import tempfile

import oracle_checks
import oracle_delivery
import oracle_format as form
import oracle_log
import oracle_sealed
import oracle_sync
from oracle_ledger import Ledger, Verdict


def setting(folder, name):
    """A string of the configuration, found without reading JSON5: `name: "value"` outside a comment."""
    try:
        with open(os.path.join(folder, "capture-ledger.json5"), encoding="utf-8") as file:
            for line in file:
                if found := re.match(rf'\s*"?{name}"?\s*:\s*"([^"]*)"', line):
                    return found.group(1)
    except OSError:
        pass
    return None


def read_tombstones(path):
    if path is None or not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as file:
        return {json.loads(line)["key_no"] for line in file if line.strip()}


def judge(folder, master_key=None, tombstones=None, sandbox_record=None, expect_erased=(), no_orphans=False):
    verdict = Verdict()
    with tempfile.TemporaryDirectory() as copies:
        ledger = Ledger(folder, copies)
        master = form.read_master_key(master_key) if master_key else None
        oracle_log.check_databases(ledger, verdict)
        oracle_log.check_log(ledger, verdict)
        oracle_sealed.check_keys(ledger, verdict, master, read_tombstones(tombstones))
        oracle_log.check_sessions(ledger, verdict)
        oracle_log.check_receipts(ledger, verdict)
        oracle_log.check_configurations(ledger, verdict)
        oracle_sealed.check_private_halves(ledger, verdict)
        oracle_sealed.check_media(ledger, verdict, no_orphans)
        oracle_sealed.check_evidence(ledger, verdict, no_orphans)
        oracle_sync.check_deliveries(ledger, verdict)
        oracle_sync.check_attempts(ledger, verdict)
        oracle_checks.check_judgements(ledger, verdict)
        oracle_delivery.check_delivery_state(ledger, verdict)
        oracle_sealed.check_erased(ledger, verdict, expect_erased)
        if sandbox_record:
            oracle_sync.check_effects(ledger, verdict, oracle_sync.read_record(sandbox_record))
        ledger.events.close()
        ledger.keys.close()
    return verdict


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ledger")
    parser.add_argument("--master-key", metavar="FILE", help="default: the one that the ledger's configuration names")
    parser.add_argument("--tombstones", metavar="FILE", help="default: the one that the ledger's configuration names")
    parser.add_argument("--sandbox-record", metavar="FILE|URL")
    parser.add_argument("--expect-erased", nargs="*", default=[], metavar="SESSION")
    parser.add_argument("--no-orphans", action="store_true", help="media that no event names is a problem")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    master = options.master_key or setting(options.ledger, "master_key")
    tombstones = options.tombstones or setting(options.ledger, "tombstones")
    try:
        verdict = judge(
            options.ledger, master, tombstones, options.sandbox_record, options.expect_erased, options.no_orphans)
    except (OSError, sqlite3.Error, form.Unreadable) as fault:
        print(f"oracle: cannot read {options.ledger}: {fault}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(
            {"ok": not verdict.problems} | verdict.counts | {"notes": verdict.notes, "problems": verdict.problems}))
    else:
        for note in verdict.notes:
            print(f"note: {note}")
        for problem in verdict.problems:
            place = f" at {problem['position']}" if "position" in problem else ""
            print(f"PROBLEM {problem['code']}{place}: {problem['message']}")
        print(", ".join(f"{count} {name}" for name, count in verdict.counts.items()) or "an empty ledger")
        print("ok" if not verdict.problems else f"{len(verdict.problems)} problems")
    return 1 if verdict.problems else 0


if __name__ == "__main__":
    sys.exit(main())
