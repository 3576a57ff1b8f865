#!/usr/bin/env python3
"""Measures the same on a ledger as it grows, and prints how cost grows with it. `make bench-growth` builds and calls this.

One ledger is made longer from size to size. What is compared with a reference, C or a new ledger, takes turns with it. The memory of a
figure is the most that was resident in a process that did nothing else."""
import argparse
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from turns import Bench, Missing, machine, markdown, report, table

# Bytes of disk an event needs at the most: the ledger, analytics, what a rebuild writes beside them.
ROOM = 700
LOADS = 3000
# Beyond so many events what reads all of them is done once.
LARGE = 2_000_000


class Growth(Bench):
    def __init__(self, arguments, folder):
        super().__init__(arguments, folder)
        self.sizes, self.measures = arguments.sizes, {}
        self.kept = os.path.join(folder, "growing")
        self.ledger = os.path.join(self.kept, "bench.ledger")

    def note(self, what, size, value, text, memory=None):
        self.measures.setdefault(what, {})[size] = {"value": value, "text": text}
        if memory is not None:
            self.measures.setdefault(f"  most memory: {what.strip()}", {})[size] = {"value": memory, "text": f"{memory / 1024:.0f} MiB"}

    def measured(self, *words):
        """A verb of the product, with its seconds, and the kibibytes that were resident."""
        command = [self.product, "--json", "--log", "error", "--ledger", self.ledger, *map(str, words)]
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            began = time.monotonic()
            process = subprocess.Popen(command, stdout=output, stderr=errors, stdin=subprocess.DEVNULL, cwd=self.folder)
            _, status, usage = os.wait4(process.pid, 0)
            took, process.returncode = time.monotonic() - began, os.waitstatus_to_exitcode(status)
            output.seek(0), errors.seek(0)
            if process.returncode != 0:
                raise Missing(f"{' '.join(words[:2])} ended with {process.returncode}: {errors.read().decode()[:300]}")
            return {"answer": json.loads(output.read().splitlines()[-1]), "seconds": took, "memory_kib": usage.ru_maxrss}

    def file_bytes(self, name):
        return sum(os.stat(os.path.join(self.ledger, file)).st_size for file in os.listdir(self.ledger) if file in (name, f"{name}-wal"))

    def count(self):
        """Events that are there."""
        if not os.path.exists(self.ledger):
            return 0
        database = sqlite3.connect(f"file:{self.ledger}/ledger.sqlite?mode=ro", uri=True)
        try:
            return database.execute("SELECT coalesce(max(position), 0) FROM event").fetchone()[0]
        finally:
            database.close()


def middle(runs, of):
    return statistics.median(of(run) for run in runs)


def grow(bench, size):
    more = size - bench.count()
    if more <= 0:
        return
    print(f"… {more:,} events more", file=sys.stderr, flush=True)
    answer = bench.call([bench.product, "--json", "--log", "error", "bench", "append", "--clients", "1", "--batch", "1000",
                         "--events", str(more), "--rounds", "1", "--keep", bench.kept], limit=3600)
    rate = answer["one_client"]["events_per_second"]
    bench.note("appended on the way here, 1000 a commit", size, rate, f"{rate:,.0f}/s")
    bench.note("ledger file, bytes an event", size, bench.file_bytes("ledger.sqlite") / size, f"{bench.file_bytes('ledger.sqlite') / size:.0f}")


def opening(bench, size):
    bench.note_load(f"opening, {size}")
    session = bench.measured("session", "list", "--limit", 1)["answer"]["sessions"][0]["id"]
    for what, words in (("from the start of the command to its answer: session show", ("session", "show", session)),
                        ("  status", ("status",)),
                        ("  session start, durable", ("session", "start", "--pieces", "selfie"))):
        runs = [bench.measured(*words) for _ in range(5)]
        seconds = middle(runs, lambda run: run["seconds"])
        bench.note(what, size, seconds, f"{seconds * 1000:.0f} ms", max(run["memory_kib"] for run in runs))


def reading(bench, size, is_last):
    found = bench.interleave(f"reading, {size}", {
        "product": lambda: bench.ours("read", "--ledger", bench.ledger, "--rounds", 1),
        "C": lambda: bench.theirs("read", bench.ledger, 1)})
    pairs = [(a, b) for a, b in zip(found["product"], found["C"]) if a and b]
    rate = middle(pairs, lambda pair: pair[0]["events_per_second"])
    ratio = middle(pairs, lambda pair: pair[0]["events_per_second"] / pair[1]["events_per_second"])
    memory = max(a["peak_memory_kib"] for a, _ in pairs)
    bench.note("read all in order", size, rate, f"{rate:,.0f}/s, {ratio:.2f} of C", memory)
    values = middle(pairs, lambda pair: pair[0]["values_per_second"])
    bench.note("  as values", size, values, f"{values:,.0f}/s")
    if is_last:
        bench.row("G4", f"read all of {size:,} events in order, by the C step loop", found["product"], found["C"], target=0.85)
        bench.fact("G4", "most memory resident", f"{memory / 1024:.0f} MiB", "48 MiB", memory <= 48 * 1024)

    found = bench.interleave(f"one session, {size}", {
        "product": lambda: bench.ours("session", "--ledger", bench.ledger, "--loads", LOADS),
        "C": lambda: bench.theirs("session", bench.ledger, LOADS)})
    pairs = [(a, b) for a, b in zip(found["product"], found["C"]) if a and b]
    p50 = middle(pairs, lambda pair: pair[0]["events"]["p50_us"])
    ratio = middle(pairs, lambda pair: pair[0]["events"]["p50_us"] / pair[1]["p50_us"])
    bench.note("one session's events, p50", size, p50, f"{p50:.1f} µs, {ratio:.2f} of C")
    state = middle(pairs, lambda pair: pair[0]["state"]["p50_us"])
    bench.note("  its folded state, p50", size, state, f"{state:.1f} µs")


def whole(bench, size):
    rounds = bench.rounds if size < LARGE else 1
    print(f"… verifying and rebuilding, {size}", file=sys.stderr, flush=True)
    bench.note_load(f"verifying and rebuilding, {size}")
    runs = [bench.measured("bench", "verify", "--rounds", 1) for _ in range(rounds)]
    rate = middle(runs, lambda run: run["answer"]["verify_events_per_second"])
    ratio = middle(runs, lambda run: run["answer"]["ratio_to_bound"])
    bench.note("log verified", size, rate, f"{rate:,.0f}/s, {ratio:.2f} of its bound", max(run["memory_kib"] for run in runs))
    runs = [bench.measured("bench", "rebuild", "--rounds", 1) for _ in range(rounds)]
    rate = middle(runs, lambda run: run["answer"]["events_per_second"])
    bench.note("rebuilt, analytics and all", size, rate, f"{rate:,.0f}/s", max(run["memory_kib"] for run in runs))
    for what, name in (("ledger file after a rebuild, bytes an event", "ledger.sqlite"), ("analytics, bytes an event", "analytics.sqlite")):
        each = bench.file_bytes(name) / bench.count()
        bench.note(what, size, each, f"{each:.0f}")


def appending(bench, size):
    """On this ledger and on a new one by turns: the ratio says what the size costs, whatever the machine does meanwhile."""
    for batch, events in ((1, 800), (8, 4000)):
        def at(folder, batch=batch, events=events):
            return bench.ours("append", "--clients", 1, "--batch", batch, "--events", events, "--rounds", 1, "--keep", folder)

        def new():
            folder = os.path.join(bench.folder, "new")
            try:
                return at(folder)
            finally:
                shutil.rmtree(folder, ignore_errors=True)

        found = bench.interleave(f"appending {batch} a commit, {size}", {"here": lambda: at(bench.kept), "new": new}, bench.rounds + 2)
        pairs = [(a, b) for a, b in zip(found["here"], found["new"]) if a and b]
        rate = middle(pairs, lambda pair: pair[0]["events_per_second"])
        ratio = middle(pairs, lambda pair: pair[0]["events_per_second"] / pair[1]["events_per_second"])
        used = middle(pairs, lambda pair: pair[0]["cpu_us_per_event"] / pair[1]["cpu_us_per_event"])
        bench.note(f"appended, {batch} a commit", size, rate, f"{rate:,.0f}/s, {ratio:.2f} of a new ledger's, processor {used:.2f}")


def pressure(bench, size):
    print("… reading under load", file=sys.stderr, flush=True)
    bench.note_load("reading under load")
    run = bench.measured("bench", "read", "--under-load", "--seconds", 5)
    answer = run["answer"]
    peak = answer["log_peak_bytes"] / (1 << 20)
    bench.figures["reading under load"] = run
    bench.fact("G10", f"{answer['replays']} replays of {size:,} events under {answer['appended_per_second']:,.0f} appends/s",
               f"longest log {peak:.0f} MiB, most memory {run['memory_kib'] / 1024:.0f} MiB", "64 MiB", peak <= 64)


def growth_table(sizes, measures):
    """A line a measure and a column a size; the last column is the largest by the smallest, where more of a rate is better."""
    lines = []
    for what, found in measures.items():
        if not found:
            continue
        ends = [found.get(size) for size in (sizes[0], sizes[-1])]
        ratio = f"{ends[1]['value'] / ends[0]['value']:.2f}" if all(ends) and len(sizes) > 1 and ends[0]["value"] else ""
        lines.append([what, *(found[size]["text"] if size in found else "" for size in sizes), ratio])
    return markdown(["what", *(f"{size:,} events" for size in sizes), "last by first"], lines)


def sizes_of(text):
    sizes = sorted({int(word) for word in text.split(",")})
    if not sizes or sizes[0] < 1000:
        raise argparse.ArgumentTypeError("a size is 1000 events or more")
    return sizes


def room_wanted(sizes, folder):
    """Says how much of the disk will be used, and ends the run where there is less."""
    wanted, free = sizes[-1] * ROOM + (1 << 28), shutil.disk_usage(folder).free
    print(f"up to {wanted / 1e9:.1f} GB of the disk's free {free / 1e9:.1f} GB are used, and freed at the end", file=sys.stderr, flush=True)
    if free < wanted:
        raise SystemExit("growth: the disk has too little room: ask for smaller sizes with SIZES=, or name another folder with --folder")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--product", default=".build/release/capture-ledger")
    parser.add_argument("--plain", default=".build/bench/plain")
    parser.add_argument("--schema", default="Schema")
    parser.add_argument("--sizes", type=sizes_of, default=[10_000, 1_000_000, 10_000_000], help="events, with commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", default=".build", help="on the disk to measure")
    parser.add_argument("--out", default=".build/bench-growth.json")
    arguments = parser.parse_args()
    arguments.seconds = 0
    for name in ("product", "plain", "schema"):
        setattr(arguments, name, os.path.abspath(getattr(arguments, name)))
    room_wanted(arguments.sizes, arguments.folder)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bench-growth-", dir=os.path.abspath(arguments.folder)) as folder:
        bench = Growth(arguments, folder)
        facts = machine(bench)
        for size in arguments.sizes:
            is_last = size == arguments.sizes[-1]
            try:
                grow(bench, size)
                reading(bench, size, is_last)
                whole(bench, size)
                opening(bench, size)
                appending(bench, size)
                if is_last:
                    pressure(bench, size)
            except (Missing, statistics.StatisticsError) as reason:
                bench.missing.append({"what": f"the rest at {size:,} events", "why": str(reason)})
            facts["syncs_per_second"].append(bench.theirs("sync", folder, 0.3)["syncs_per_second"])
        bench.note_load("the end")
        facts["seconds"] = round(time.monotonic() - began)
    text = f"{growth_table(arguments.sizes, bench.measures)}\n\n{table(bench.rows)}"
    report(bench, facts, text, arguments.out, sizes=arguments.sizes, measures=bench.measures)


if __name__ == "__main__":
    main()
