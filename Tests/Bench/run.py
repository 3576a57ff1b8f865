#!/usr/bin/env python3
"""Runs the product and its references by turns and prints how they compare. `make bench` builds both and calls this.

Only ratios within one run mean anything: both sides of a ratio are measured in every round, one right after the other, and take
turns at being first. A figure is the median of its rounds; least and most show how restless the machine was."""
import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


class Missing(Exception):
    """A reference, or a verb, that this machine or this build does not have."""


class Bench:
    def __init__(self, arguments, folder):
        self.product, self.plain, self.schema = arguments.product, arguments.plain, arguments.schema
        self.rounds, self.seconds, self.folder = arguments.rounds, arguments.seconds, folder
        self.figures, self.rows, self.missing, self.loads = {}, [], [], []

    def call(self, command, limit=600):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit, text=True, cwd=self.folder)
        if done.returncode != 0:
            raise Missing(f"{' '.join(command[:4])} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[:300]}")
        return json.loads(done.stdout.strip().splitlines()[-1])

    def ours(self, *words):
        return self.call([self.product, "--json", "--log", "error", "bench", *map(str, words)])

    def theirs(self, *words):
        return self.call([self.plain, self.schema, *map(str, words)])

    def note_load(self, what):
        self.loads.append({"before": what, "load": [round(value, 2) for value in os.getloadavg()]})

    def interleave(self, name, runs, rounds=None):
        """Calls every run once a round, each round beginning with another one. Returns the answers of each run, in order."""
        self.note_load(name)
        print(f"… {name}", file=sys.stderr, flush=True)
        answers = {key: [] for key in runs}
        keys = list(runs)
        for number in range(rounds or self.rounds):
            for key in keys[number % len(keys):] + keys[:number % len(keys)]:
                try:
                    answers[key].append(runs[key]())
                except Missing as reason:
                    answers[key].append(None)
                    if not any(entry["what"] == f"{name}: {key}" for entry in self.missing):
                        self.missing.append({"what": f"{name}: {key}", "why": str(reason)})
        self.figures[name] = answers
        return answers

    def row(self, goal, what, ours, theirs, of=lambda answer: answer["events_per_second"], target=None, unit="events/s",
            at_most=False, scale=1.0, cpu=True):
        """Adds a line: the medians of both sides and of the rounds' ratios."""
        pairs = [(of(a) * scale, of(b) * scale) for a, b in zip(ours, theirs) if a and b]
        if not pairs:
            return self.rows.append({"goal": goal, "what": what, "missing": True})
        ratios = sorted(a / b for a, b in pairs if b)
        middle = statistics.median(ratios)
        row = {
            "goal": goal, "what": what, "unit": unit, "ours": statistics.median(a for a, _ in pairs),
            "reference": statistics.median(b for _, b in pairs), "ratio": middle, "least": ratios[0], "most": ratios[-1],
            "rounds": len(ratios), "target": target, "at_most": at_most,
        }
        used = [(a["cpu_us_per_event"], b["cpu_us_per_event"]) for a, b in zip(ours, theirs)
                if a and b and "cpu_us_per_event" in a and "cpu_us_per_event" in b]
        if used and cpu:
            row["cpu_ratio"] = statistics.median(b / a for a, b in used)
            row["cpu_us_per_event"] = [statistics.median(a for a, _ in used), statistics.median(b for _, b in used)]
        if target is not None:
            row["reached"] = middle <= target if at_most else middle >= target
        self.rows.append(row)

    def fact(self, goal, what, value, target=None, reached=None):
        self.rows.append({"goal": goal, "what": what, "value": value, "target": target, "reached": reached})


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
    bench.missing.append({"what": "G2: message-db with 32 clients", "why": "needs PostgreSQL with message-db, which is not set up here"})


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
        answer = bench.ours("deliver", "--pieces", pieces, "--rounds", max(2, bench.rounds // 2), "--video-megabytes", 0, "--folder", bench.folder)
    except Missing as reason:
        return bench.missing.append({"what": "G11: deliveries", "why": str(reason)})
    bench.figures["deliveries"] = answer
    ratio = answer["pieces"]["ratio_to_curl"]
    bench.fact("G11", f"{pieces} pieces of 1 MB delivered, by curl with plain files", f"ratio {ratio:.2f}", "0.9", ratio >= 0.9)


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


def machine(bench):
    model = platform.processor()
    try:
        with open("/proc/cpuinfo") as file:
            model = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    facts = {"cores": os.cpu_count(), "processor": model, "kernel": platform.release(), "machine": platform.machine()}
    facts.update(bench.theirs("version"))
    facts["syncs_per_second"] = [bench.theirs("sync", bench.folder, 0.5)["syncs_per_second"]]
    return facts


def words(row):
    if row.get("missing"):
        return [row["goal"], row["what"], "", "", "not measured", "", ""]
    if "value" in row:
        mark = {True: "yes", False: "no", None: ""}[row["reached"]]
        return [row["goal"], row["what"], row["value"], "", "", str(row["target"] or ""), mark]
    number = (lambda value: f"{value:,.0f}") if row["ours"] >= 100 else (lambda value: f"{value:.1f}")
    mark = {True: "yes", False: "no", None: ""}[row.get("reached")]
    target = "" if row["target"] is None else f"{'≤' if row['at_most'] else '≥'} {row['target']:g}"
    ratio = f"{row['ratio']:.2f} ({row['least']:.2f}–{row['most']:.2f})"
    if "cpu_ratio" in row:
        ratio += f", processor {row['cpu_ratio']:.2f}"
    return [row["goal"], row["what"], f"{number(row['ours'])} {row['unit']}", f"{number(row['reference'])} {row['unit']}", ratio, target, mark]


def table(rows):
    heading = ["", "what", "product", "reference", "ratio (least–most)", "goal", "reached"]
    return "\n".join("| " + " | ".join(line) + " |" for line in [heading, ["---"] * len(heading)] + [words(row) for row in rows])


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
    parser.add_argument("--pieces", type=int, default=200, help="delivered, of 1 MB each")
    parser.add_argument("--folder", default=".build", help="on the disk to measure")
    parser.add_argument("--out", default=".build/bench.json")
    parser.add_argument("--only", help="parts, with commas: appends, groups, contention, reads, rebuild, sealing, deliveries, checks")
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
        parts = {
            "appends": lambda: appends(bench, sample), "groups": lambda: groups(bench, sample),
            "contention": lambda: contention(bench, sample, arguments.contention), "reads": lambda: reads(bench, large),
            "rebuild": lambda: rebuild_and_verify(bench, large, arguments.sessions), "sealing": lambda: sealing(bench),
            "deliveries": lambda: deliveries(bench, arguments.pieces), "checks": lambda: checks(bench),
        }
        for name in arguments.only.split(",") if arguments.only else parts:
            parts[name]()
            facts["syncs_per_second"].append(bench.theirs("sync", folder, 0.3)["syncs_per_second"])
        bench.note_load("the end")
        facts["seconds"] = round(time.monotonic() - began)
    result = {"machine": facts, "rounds": arguments.rounds, "rows": bench.rows, "missing": bench.missing, "loads": bench.loads,
              "answers": bench.figures}
    with open(arguments.out, "w") as file:
        json.dump(result, file, indent=1, ensure_ascii=False)
    syncs = facts["syncs_per_second"]
    print(f"{facts['cores']} cores, {facts['processor']}; SQLite {facts['sqlite']}, {facts['openssl']}; "
          f"{min(syncs):,.0f} to {max(syncs):,.0f} syncs a second; load {bench.loads[0]['load'][0]} to "
          f"{max(entry['load'][0] for entry in bench.loads)}; {arguments.rounds} rounds, {facts['seconds']} s")
    print(table(bench.rows))
    for entry in bench.missing:
        print(f"not measured: {entry['what']} ({entry['why']})")
    print(f"everything: {arguments.out}")


if __name__ == "__main__":
    main()
