#!/usr/bin/env python3
"""Runs the product and its peers by turns, on one disk, and prints how they compare. `make bench-peers` builds, installs and calls this.

A peer is a file of this folder that measures itself and prints one JSON object. What a peer needs and this machine lacks is named at
the end. Everybody's commits are durable: the syncs of a commit are counted, by syncs.c, and told beside what each is set to."""
import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import postgresql  # noqa: E402
from turns import Bench, Missing, machine, markdown, report, words  # noqa: E402

SESSIONS_LOADED = 2000


class Peer:
    def __init__(self, bench, name, script, python, syncs):
        self.bench, self.name, self.command = bench, name, [python, os.path.join(HERE, script)]
        self.folder = os.path.join(bench.folder, name)
        self.counting = {**os.environ, "PEER_SYNCS": os.path.join(bench.folder, "syncs"), "LD_PRELOAD": syncs}
        os.mkdir(self.folder, 0o711)

    def ask(self, *words, env=None):
        return self.bench.call([*self.command, self.folder, *map(str, words)], limit=300, env=env)

    def durability(self):
        fresh_count(self.counting["PEER_SYNCS"])
        return self.ask("durability", env=self.counting)


class Product:
    """The product, asked as a peer is."""

    name = "CaptureLedger"

    def __init__(self, bench, syncs):
        self.bench, self.kept = bench, os.path.join(bench.folder, "kept")
        self.counting = {**os.environ, "PEER_SYNCS": os.path.join(bench.folder, "syncs"), "LD_PRELOAD": syncs}

    def ask(self, what, *words, **more):
        if what == "read":
            return self.bench.ours("read", "--ledger", self.ledger(), "--rounds", 1)
        if what == "session":
            return self.bench.ours("session", "--ledger", self.ledger(), "--loads", *words)
        if what == "fill":
            self.bench.ours("append", "--clients", 1, "--batch", 1000, "--events", *words, "--rounds", 1, "--keep", self.kept)
            files = os.listdir(self.ledger())
            return {"bytes": sum(os.stat(os.path.join(self.ledger(), file)).st_size for file in files if file.startswith("ledger.sqlite"))}
        amount = ["--clients", 1, "--batch", words[0]] if what == "append" else ["--clients", words[0]]
        return self.bench.ours("append", *amount, "--seconds", words[1], "--rounds", 1, "--folder", self.bench.folder)

    def ledger(self):
        return os.path.join(self.kept, "bench.ledger")

    def durability(self):
        path, kept = self.counting["PEER_SYNCS"], os.path.join(self.bench.folder, "durability")
        command = [self.bench.product, "--json", "--log", "error", "bench", "append", "--clients", "1", "--rounds", "1", "--keep", kept]
        counts = []
        # A ledger is made before the first commit and closed after the last: what that takes is in both runs, and cancels.
        for events in (100, 300):
            fresh_count(path)
            commits = self.bench.call([*command, "--events", str(events)], env=self.counting)["commits"]
            shutil.rmtree(kept)
            with open(path, "rb") as file:
                counts.append((commits, struct.unpack("<Q", file.read(8))[0]))
        (fewer, few), (more, many) = counts
        version = subprocess.run([self.bench.product, "--version"], stdout=subprocess.PIPE, text=True).stdout.strip().split()[-1:]
        with open(os.path.join(self.bench.schema, "queries/configure_writer.sql")) as file:
            synchronous = re.search(r"synchronous\s*=\s*(\w+)", file.read()).group(1)
        return {"version": (version or [""])[0], "settings": f"journal_mode wal, synchronous {synchronous}",
                "syncs_per_commit": round((many - few) / (more - fewer), 2)}


def fresh_count(path):
    with open(path, "wb") as file:
        file.write(bytes(8))
    os.chmod(path, 0o666)


def found_peers(bench, arguments):
    """The peers that this machine has; the others are noted with the reason."""
    there = {}
    python = os.path.abspath(arguments.python)
    for name, module, script in (("eventsourcing", "eventsourcing", "eventsourcing_sqlite.py"), ("UmaDB", "umadb", "umadb_server.py")):
        if os.path.exists(python) and subprocess.run([python, "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode == 0:
            there[name] = Peer(bench, name, script, python, arguments.syncs)
        else:
            bench.missing.append({"what": name, "why": "its wheel could not be installed into .runtime/peers"})
    lacks = [name for name in ("initdb", "postgres", "psql", "pgbench") if not postgresql.program(name)]
    if lacks:
        bench.missing.append({"what": "PostgreSQL", "why": f"{', '.join(lacks)} not found: apt-get install postgresql-15"})
    else:
        there["PostgreSQL"] = Peer(bench, "PostgreSQL", "postgresql.py", sys.executable, arguments.syncs)
    bench.missing.append({"what": "message-db", "why": "its SQL functions are in no Debian package and no wheel"})
    return there


def compare(bench, product, peers, what, asked, rows, rounds=None):
    """All by turns; then, for each of `rows`, a line a peer."""
    everybody, is_append = {"CaptureLedger": product, **peers}, asked[0] in ("append", "clients")
    found = bench.interleave(what, {name: (lambda store=store: store.ask(*asked)) for name, store in everybody.items()}, rounds)
    for text, of, unit in rows:
        for name in peers:
            bench.row(name, text, found["CaptureLedger"], found[name], of=of, unit=unit, at_most=unit == "µs", cpu=is_append and unit != "µs")


def measure(bench, product, peers, events):
    rate = lambda answer: answer["events_per_second"]
    for batch in (1, 8, 1000):
        what = f"1 client, {batch} a commit"
        compare(bench, product, peers, what, ("append", batch, bench.seconds), [(what, rate, "events/s")])
    for clients in (32, 64):
        what = f"{clients} clients, each acknowledged"
        compare(bench, product, peers, what, ("clients", clients, bench.seconds), [
            (what, rate, "events/s"), ("  acknowledged, p50", lambda answer: answer["ack_p50_us"], "µs")])
    for name, store in {"CaptureLedger": product, **peers}.items():
        try:
            size = store.ask("fill", events).get("bytes")
            bench.terms[name]["bytes_per_event"] = size and round(size / events)
        except Missing as reason:
            bench.missing.append({"what": f"{name}: filling", "why": str(reason)})
    compare(bench, product, peers, "read all as values", ("read",), [
        ("read all as values", lambda answer: answer.get("values_per_second", answer["events_per_second"]), "events/s")], max(bench.rounds, 3))
    compare(bench, product, peers, "one session's events", ("session", SESSIONS_LOADED), [
        ("one session's events, p50", lambda answer: answer.get("events", answer)["p50_us"], "µs")], max(bench.rounds, 3))


def tables(bench):
    """The figures, and the terms on which they were had."""
    figures = markdown(["peer", "what", "product", "peer's", "ratio (least–most)"], [words(row)[:5] for row in bench.rows])
    terms = markdown(["store", "version", "set to", "syncs a commit", "bytes an event"], [
        [name, entry["version"], entry["settings"], f"{entry['syncs_per_commit']:.2f}", str(entry.get("bytes_per_event") or "")]
        for name, entry in bench.terms.items()])
    return f"{figures}\n\n{terms}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--product", default=".build/release/capture-ledger")
    parser.add_argument("--plain", default=".build/bench/plain")
    parser.add_argument("--schema", default="Schema")
    parser.add_argument("--syncs", default=".build/bench/syncs.so")
    parser.add_argument("--python", default=".runtime/peers/bin/python", help="that has the peers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.7, help="of one measurement of appends")
    parser.add_argument("--events", type=int, default=80_000, help="of each store that is read, in thousands")
    parser.add_argument("--folder", default=".build", help="on the disk to measure")
    parser.add_argument("--out", default=".build/bench-peers.json")
    arguments = parser.parse_args()
    for name in ("product", "plain", "schema", "syncs"):
        setattr(arguments, name, os.path.abspath(getattr(arguments, name)))
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bench-peers-", dir=os.path.abspath(arguments.folder)) as folder:
        # PostgreSQL runs as another user, who has to get to a folder of its own in here.
        os.chmod(folder, 0o711)
        bench = Bench(arguments, folder)
        facts = machine(bench)
        product, peers = Product(bench, arguments.syncs), found_peers(bench, arguments)
        bench.note_load("durability")
        bench.terms = {"CaptureLedger": product.durability()}
        for name in list(peers):
            try:
                bench.terms[name] = peers[name].durability()
            except Missing as reason:
                peers.pop(name)
                bench.missing.append({"what": name, "why": str(reason)})
        measure(bench, product, peers, arguments.events)
        facts["syncs_per_second"].append(bench.theirs("sync", folder, 0.3)["syncs_per_second"])
        bench.note_load("the end")
        facts["seconds"] = round(time.monotonic() - began)
    report(bench, facts, tables(bench), arguments.out, terms=bench.terms)


if __name__ == "__main__":
    main()
