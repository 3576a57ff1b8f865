"""What the runs of this folder share: both sides of a ratio by turns, the rows of a table, what is missing, and the machine.

Only ratios within one run mean anything: both sides of a ratio are measured in every round, one right after the other, and take
turns at being first. A figure is the median of its rounds; least and most show how restless the machine was."""
import json
import os
import platform
import resource
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

    def call(self, command, limit=600, env=None):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder, env=env)
        try:
            said, complained = process.communicate(timeout=limit)
        except BaseException as reason:
            # Who has a server of its own gets the time to end it.
            process.terminate()
            try:
                process.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
            if isinstance(reason, subprocess.TimeoutExpired):
                raise Missing(f"{' '.join(command[:4])} had not ended after {limit} seconds") from None
            raise
        if process.returncode != 0:
            raise Missing(f"{' '.join(command[:4])} ended with {process.returncode}: {(complained or said).strip()[-300:]}")
        return json.loads(said.strip().splitlines()[-1])

    def ours(self, *words):
        return self.call([self.product, "--json", "--log", "error", "bench", *map(str, words)])

    def verb(self, count, *words):
        """A verb of the product as one command, over `count` events (or keys): how many a second, its start included."""
        began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryFile() as complained:
            done = subprocess.run([self.product, "--log", "error", *map(str, words)], stdout=subprocess.DEVNULL, stderr=complained,
                                  stdin=subprocess.DEVNULL, cwd=self.folder)
            complained.seek(0)
            if done.returncode != 0:
                raise Missing(f"{' '.join(map(str, words))[:80]} ended with {done.returncode}: {complained.read().decode()[-300:]}")
        took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {"events_per_second": count / took, "cpu_us_per_event": used * 1e6 / count}

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
    mark = {True: "yes", False: "no", None: ""}[row.get("reached")]
    if "value" in row:
        return [row["goal"], row["what"], row["value"], "", "", str(row["target"] or ""), mark]
    number = (lambda value: f"{value:,.0f}") if row["ours"] >= 100 else (lambda value: f"{value:.1f}")
    target = "" if row["target"] is None else f"{'≤' if row['at_most'] else '≥'} {row['target']:g}"
    ratio = f"{row['ratio']:.2f} ({row['least']:.2f}–{row['most']:.2f})"
    if "cpu_ratio" in row:
        ratio += f", processor {row['cpu_ratio']:.2f}"
    return [row["goal"], row["what"], f"{number(row['ours'])} {row['unit']}", f"{number(row['reference'])} {row['unit']}", ratio, target, mark]


def markdown(heading, lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in [heading, ["---"] * len(heading)] + lines)


def table(rows):
    return markdown(["", "what", "product", "reference", "ratio (least–most)", "goal", "reached"], [words(row) for row in rows])


def report(bench, facts, text, out, **more):
    """Writes everything to the file `out`, prints the machine, the table `text` and, at the end, what is missing."""
    result = {"machine": facts, "rounds": bench.rounds, "rows": bench.rows, "missing": bench.missing, "loads": bench.loads,
              **more, "answers": bench.figures}
    with open(out, "w") as file:
        json.dump(result, file, indent=1, ensure_ascii=False)
    syncs = facts["syncs_per_second"]
    print(f"{facts['cores']} cores, {facts['processor']}; SQLite {facts['sqlite']}, {facts['openssl']}; "
          f"{min(syncs):,.0f} to {max(syncs):,.0f} syncs a second; load {bench.loads[0]['load'][0]} to "
          f"{max(entry['load'][0] for entry in bench.loads)}; {bench.rounds} rounds, {facts['seconds']} s")
    print(text)
    for entry in bench.missing:
        print(f"not measured: {entry['what']} ({entry['why']})")
    print(f"everything: {out}")
