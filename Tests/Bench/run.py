#!/usr/bin/env python3
"""Runs the product and its references by turns and prints how they compare. `make bench` builds both and calls this."""
import argparse
import contextlib
import itertools
import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time

from turns import Bench, Missing, machine, report, table


def appends(bench, sample):
    product = lambda batch, *more: lambda: bench.ours(
        "append", "--clients", 1, "--batch", batch, "--seconds", bench.seconds, "--rounds", 1, "--folder", bench.folder, *more)
    plain = lambda batch, *more: lambda: bench.theirs("append", sample, bench.folder, batch, bench.seconds, *more)
    for batch in (1, 8, 1000):
        runs = {"product": product(batch), "bare": plain(batch, "bare"), "same statements": plain(batch)}
        if batch == 8:
            runs["without chain"] = plain(batch, "no-chain")
            runs["without projections"] = plain(batch, "no-projections")
            runs["nothing sealed"] = product(batch, "--private", "none")
            runs["most sealed"] = product(batch, "--private", "most")
        found = bench.interleave(f"appends, {batch} a commit", runs)
        ours, same = found["product"], found["same statements"]
        if batch == 1:
            bench.row("G1", "1 client, 1 a commit, by the bare C loop", ours, found["bare"], target=0.90)
            bench.row("G1", "  by C with the product's statements", ours, same)
        else:
            bench.row("G1", f"1 client, {batch} a commit, by C with the product's statements", ours, same, target=0.90)
            bench.row("G1", "  by the bare C loop", ours, found["bare"])
        if batch == 8:
            bench.row("G7", "C with the chain by C without, 8 a commit", same, found["without chain"], target=0.97)
            bench.row("G8", "most events sealed by none sealed, 8 a commit", found["most sealed"], found["nothing sealed"], target=0.90)
            bench.row("G9", "C with flow and delivery rows by C without", same, found["without projections"], target=0.85)


def groups(bench, sample):
    found = bench.interleave("64 clients", {
        "product": lambda: bench.ours("append", "--clients", 64, "--seconds", bench.seconds, "--rounds", 1, "--folder", bench.folder),
        "group commit in C": lambda: bench.theirs("group", sample, bench.folder, 64, bench.seconds),
    })
    ours = found["product"]
    bench.row("G2", "64 clients by C group commit with the product's statements", ours, found["group commit in C"], target=0.90)
    bench.row("G2", "64 clients by one client", ours, [answer and answer["one_client"] for answer in ours], target=7, cpu=False)
    bench.missing.append({"what": "G2: message-db with 32 clients", "why": "its SQL functions are in no Debian package and no wheel; make bench-peers has PostgreSQL's plain INSERT"})


def contention(bench, sample, events):
    found = bench.interleave("4 processes", {
        "product": lambda: bench.ours("contention", "--processes", 4, "--events", events, "--folder", bench.folder),
        "BEGIN IMMEDIATE in C": lambda: bench.theirs("contention", sample, bench.folder, 4, events),
    }, rounds=1)
    for name, answers in found.items():
        for answer in filter(None, answers):
            failed = answer.get("failed", answer.get("failed_processes"))
            slowest = answer["ack_max_us"] / 1000
            reached = None
            if name == "product":
                reached = failed == 0 and answer["lost"] == 0 and slowest <= 50
            bench.fact("G3", f"4 processes × {events} appends, {name}",
                       f"{failed} failed, {answer['lost']} lost, p50 {answer['ack_p50_us'] / 1000:.2f} ms, "
                       f"p99 {answer['ack_p99_us'] / 1000:.1f} ms, slowest {slowest:.1f} ms", "0, 0, 50 ms", reached)


def reads(bench, large):
    found = bench.interleave("reading all in order", {
        "product": lambda: bench.ours("read", "--ledger", large, "--rounds", 1),
        "C step loop": lambda: bench.theirs("read", large, 1),
        "C step loop, hashed": lambda: bench.theirs("verify", large, 1),
    }, rounds=max(bench.rounds, 5))
    bench.row("G4", "read all in order by the C step loop", found["product"], found["C step loop"], target=0.85)
    bench.row("G4", "  as values, strings and all", found["product"], found["C step loop"],
              of=lambda answer: answer.get("values_per_second", answer["events_per_second"]), cpu=False)
    memory = [answer["peak_memory_kib"] / 1024 for answer in found["product"] if answer]
    if memory:
        bench.fact("G4", "most memory resident", f"{max(memory):.0f} MiB", "48 MiB", max(memory) <= 48)

    found = bench.interleave("one session", {
        "product": lambda: bench.ours("session", "--ledger", large, "--loads", 5000),
        "C": lambda: bench.theirs("session", large, 5000),
    }, rounds=max(bench.rounds, 5))
    p50 = lambda part: lambda answer: answer[part]["p50_us"] if part in answer else answer["p50_us"]
    bench.row("G6", "one session's events by C, p50", found["product"], found["C"], of=p50("events"), target=1.3, unit="µs", at_most=True)
    bench.row("G6", "  its folded state by C's events", found["product"], found["C"], of=p50("state"), unit="µs", at_most=True)

    answer = None
    try:
        answer = bench.ours("read", "--ledger", large, "--under-load", "--seconds", max(2, bench.seconds * 2))
    except Missing as reason:
        bench.missing.append({"what": "G10: reading under load", "why": str(reason)})
    if answer:
        peak = answer["log_peak_bytes"] / (1 << 20)
        bench.fact("G10", f"{answer['replays']} replays of {answer['events_read']} events under {answer['appended_per_second']:.0f} appends/s",
                   f"longest log {peak:.0f} MiB", "64 MiB", peak <= 64)


def rebuild_and_verify(bench, large, sessions):
    made = os.path.join(bench.folder, "made.ledger")
    found = bench.interleave("rebuild", {
        "product": lambda: bench.ours("rebuild", "--sessions", sessions, "--rounds", 2, "--ledger", made),
        "typed rebuild in C": lambda: bench.theirs("rebuild", made if os.path.exists(made) else large, bench.folder, 2),
    }, rounds=max(1, bench.rounds // 2))
    bench.row("G5", "all projections made anew, by a typed rebuild in C", found["product"], found["typed rebuild in C"], target=0.6)
    found = bench.interleave("verify", {
        "product": lambda: bench.ours("verify", "--ledger", large, "--rounds", 1),
        "read and hashed in C": lambda: bench.theirs("verify", large, 1),
    }, rounds=max(1, bench.rounds // 2))
    bench.row("G7", "the whole log verified, by C that reads and hashes", found["product"], found["read and hashed in C"],
              of=lambda answer: answer.get("verify_events_per_second") or answer["events_per_second"], target=0.8)
    bounds = [answer["ratio_to_bound"] for answer in found["product"] if answer]
    if bounds:
        bench.fact("G7", "the whole log verified, by the bound of reading and hashing", f"ratio {statistics.median(bounds):.2f}", "0.8",
                   statistics.median(bounds) >= 0.8)


def moving(bench, large, sample):
    """What goes over a whole ledger as one command, its start included: its rows out and in, its events as lines, its keys under another."""
    keys = os.path.join(large, "keys", "keys.sqlite")
    with contextlib.closing(sqlite3.connect(f"file:{keys}?mode=ro", uri=True)) as database:
        count, = database.execute("SELECT count(*) FROM session_key").fetchone()
    with contextlib.closing(sqlite3.connect(f"file:{large}/ledger.sqlite?mode=ro", uri=True)) as database:
        events, = database.execute("SELECT max(position) FROM event").fetchone()
    numbers = itertools.count()
    rows = os.path.join(bench.folder, "moved.rows")

    def fresh(name):
        return os.path.join(bench.folder, f"moved-{next(numbers)}.{name}")

    def export():
        path = fresh("rows")
        answer = bench.verb(events, "--ledger", large, "export", path)
        os.replace(path, rows)
        return answer

    def take():
        path = fresh("ledger")
        answer = bench.verb(events, "import", rows, path)
        shutil.rmtree(path)
        return answer

    def rewrite():
        """The same rows written anew by one statement, as durable."""
        path = fresh("sqlite")
        shutil.copyfile(keys, path)
        database = sqlite3.connect(path, isolation_level=None)
        for pragma in ("journal_mode = DELETE", "synchronous = FULL", "secure_delete = ON"):
            database.execute(f"PRAGMA {pragma}")
        database.execute("DROP TRIGGER session_key_is_only_ever_destroyed")
        began, before = time.monotonic(), time.process_time()
        database.execute("UPDATE session_key SET wrapped = randomblob(61) WHERE state = 1")
        took, used = time.monotonic() - began, time.process_time() - before
        database.close()
        os.remove(path)
        return {"events_per_second": count / took, "cpu_us_per_event": used * 1e6 / count}

    found = bench.interleave("export and replay", {
        "export": export,
        "replay": lambda: bench.verb(events, "--ledger", large, "replay", "--format", "jsonl"),
        "C step loop": lambda: bench.theirs("read", large, 1),
    }, rounds=max(1, bench.rounds // 2))
    bench.row("", "export of all rows, by the C step loop over the events", found["export"], found["C step loop"])
    bench.row("", "replay of all events as lines of JSON, by the C step loop", found["replay"], found["C step loop"])
    found = bench.interleave("import", {
        "product": take, "same statements": lambda: bench.theirs("append", sample, bench.folder, 1000, bench.seconds)},
        rounds=max(1, bench.rounds // 2))
    bench.row("", "import, checked and made anew, by C that appends 1000 a commit", found["product"], found["same statements"])
    found = bench.interleave("key rotate", {
        "product": lambda: bench.verb(count, "--ledger", large, "key", "rotate", "--to", fresh("key")), "one UPDATE": rewrite})
    bench.row("", f"key rotate of {count:,} keys, by one UPDATE of the same rows", found["product"], found["one UPDATE"], unit="keys/s")


def sealing(bench):
    found = bench.interleave("sealing media", {
        "product": lambda: bench.ours("seal", "--megabytes", 200, "--folder", bench.folder),
        "OpenSSL in C": lambda: bench.theirs("seal", bench.folder, 200),
    })
    bench.row("G11", "sealing in memory by bare AES-256-GCM", found["product"], found["OpenSSL in C"],
              of=lambda answer: answer["bytes_per_second"], unit="MB/s", scale=1e-6)
    bench.row("G11", "  by the processor's time", found["product"], found["OpenSSL in C"],
              of=lambda answer: answer["bytes_per_cpu_second"], target=0.8, unit="MB/s", scale=1e-6)
    bench.row("G11", "  durable media, digests and all, by the same in C", found["product"], found["OpenSSL in C"],
              of=lambda answer: answer["durable_bytes_per_second"], unit="MB/s", scale=1e-6)
    destroyed = [answer["destroy_key"] for answer in found["product"] if answer]
    if destroyed:
        few, many = ([entry[place]["p50_us"] for entry in destroyed] for place in (0, -1))
        bench.fact("G8", f"a key destroyed among {destroyed[0][0]['keys']} and among {destroyed[0][-1]['keys']}",
                   f"{statistics.median(few):.0f} and {statistics.median(many):.0f} µs", "no more among many",
                   statistics.median(many) <= 1.5 * statistics.median(few))


def deliveries(bench, pieces):
    bench.note_load("deliveries")
    print("… deliveries", file=sys.stderr, flush=True)
    if not shutil.which("curl"):
        return bench.missing.append({"what": "G11: deliveries beside curl", "why": "curl is not installed"})
    try:
        answer = bench.ours("deliver", "--pieces", pieces, "--rounds", max(3, bench.rounds), "--video-megabytes", 0, "--folder", bench.folder)
    except Missing as reason:
        return bench.missing.append({"what": "G11: deliveries", "why": str(reason)})
    bench.figures["deliveries"] = answer
    ratio, least, most = (answer["pieces"][name] for name in ("ratio_to_curl", "ratio_least", "ratio_most"))
    bench.fact("G11", f"{pieces} pieces of 1 MB delivered, by curl with plain files", f"ratio {ratio:.2f} ({least:.2f}–{most:.2f})",
               "0.9", ratio >= 0.9)


def checks(bench):
    bench.note_load("checks")
    print("… checks", file=sys.stderr, flush=True)
    if not shutil.which("vipsthumbnail"):
        return bench.missing.append({"what": "G12: vipsthumbnail", "why": "apt-get install libvips-tools"})
    picture = os.path.join(bench.folder, "twelve-megapixels.jpg")
    try:
        sys.path.insert(0, os.path.abspath(".runtime/python"))
        from PIL import Image
        import random
        maker = random.Random(7)
        small = Image.frombytes("RGB", (400, 300), bytes(maker.randrange(256) for _ in range(360_000)))
        small.resize((4000, 3000), Image.BICUBIC).save(picture, quality=90)
        answer = bench.ours("checks", picture, "--rounds", max(3, bench.rounds))
    except (ImportError, Missing) as reason:
        return bench.missing.append({"what": "G12: the check pipeline", "why": str(reason)})
    bench.figures["checks"] = answer
    if answer.get("ratio") is not None:
        bench.fact("G12", "a picture of 12 megapixels opened and fitted, by vipsthumbnail's time", f"ratio {answer['ratio']:.2f}", "1.1 at the most", answer["ratio"] <= 1.1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--product", default=".build/release/capture-ledger")
    parser.add_argument("--plain", default=".build/bench/plain")
    parser.add_argument("--schema", default="Schema")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.7, help="of one measurement of appends")
    parser.add_argument("--events", type=int, default=320_000, help="of the ledger that is read")
    parser.add_argument("--contention", type=int, default=2_500, help="appends of each of the four processes")
    parser.add_argument("--sessions", type=int, default=50_000, help="of the ledger that is rebuilt")
    parser.add_argument("--pieces", type=int, default=1000, help="delivered, of 1 MB each")
    parser.add_argument("--folder", default=".build", help="on the disk to measure")
    parser.add_argument("--out", default=".build/bench.json")
    parser.add_argument("--only", help="parts, with commas: appends, groups, contention, reads, rebuild, moving, sealing, deliveries, checks")
    arguments = parser.parse_args()
    for name in ("product", "plain", "schema"):
        setattr(arguments, name, os.path.abspath(getattr(arguments, name)))
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bench-", dir=os.path.abspath(arguments.folder)) as folder:
        bench = Bench(arguments, folder)
        facts = machine(bench)
        large, sample = os.path.join(folder, "large"), os.path.join(folder, "sample")
        for path, events in ((sample, 32_000), (large, arguments.events)):
            bench.ours("append", "--clients", 1, "--batch", 1000, "--events", events, "--rounds", 1, "--keep", path)
        sample, large = sample + "/bench.ledger", large + "/bench.ledger"
        # first of all: ext4 looks for room in vain for a minute where many files were removed, and every answer is a file
        parts = {
            "deliveries": lambda: deliveries(bench, arguments.pieces),
            "appends": lambda: appends(bench, sample), "groups": lambda: groups(bench, sample),
            "contention": lambda: contention(bench, sample, arguments.contention), "reads": lambda: reads(bench, large),
            "rebuild": lambda: rebuild_and_verify(bench, large, arguments.sessions),
            "moving": lambda: moving(bench, large, sample), "sealing": lambda: sealing(bench), "checks": lambda: checks(bench),
        }
        for name in arguments.only.split(",") if arguments.only else parts:
            parts[name]()
            facts["syncs_per_second"].append(bench.theirs("sync", folder, 0.3)["syncs_per_second"])
        bench.note_load("the end")
        facts["seconds"] = round(time.monotonic() - began)
    report(bench, facts, table(bench.rows), arguments.out)


if __name__ == "__main__":
    main()
