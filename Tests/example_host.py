#!/usr/bin/env python3
"""Kills the example host at random moments and starts it again, then counts from the outside.

Every session completes once, every callback came (again only in another process), every effect happened once: at the branch by its own
record, at the endpoint by the sandbox's, in the ledger by the oracle, which shares no code with the product.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent


def lines(path):
    if not path.exists():
        return []
    found = []
    for text in path.read_text().splitlines():
        try:
            found.append(json.loads(text))
        except ValueError:
            pass  # the line that a kill cut off
    return found


class Run:
    def __init__(self, options, folder, address):
        self.options, self.folder = options, folder
        self.bookings = 0
        self.environment = dict(
            os.environ, XDG_CONFIG_HOME=str(folder / "config"), CAPTURE_LEDGER_VERIFIER_URL=address)

    def start(self):
        names = [f"booking-{number}" for number in range(1, self.bookings + 1)]
        return subprocess.Popen(
            [self.options.kiosk, str(self.folder), str(ROOT / "Fixtures"), *names], env=self.environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)

    def finish(self, process):
        _, errors = process.communicate(timeout=300)
        if process.returncode != 0:
            sys.exit(f"the host ended with {process.returncode}: {errors.decode(errors='replace')}")

    def play(self, kills, chance):
        killed = 0
        self.bookings = 2
        while killed < kills:
            process = self.start()
            try:
                process.wait(timeout=chance.uniform(0.0, 1.2))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                killed += 1
                continue
            self.finish(process)
            self.bookings += 2
        self.finish(self.start())


def problems(run, record):
    tool, ledger = run.options.tool, run.folder / "my.ledger"
    found = []
    listed = json.loads(subprocess.run(
        [tool, "--ledger", str(ledger), "--json", "session", "list", "--limit", "1000"], check=True,
        capture_output=True, env=run.environment).stdout)["sessions"]
    sessions = {session["id"]: session["status"] for session in listed}
    if len(sessions) != run.bookings:
        found.append(f"{len(sessions)} sessions for {run.bookings} bookings")
    found += [f"session {name} is {status}" for name, status in sessions.items() if status != "completed"]

    told = collections.Counter()
    for line in lines(run.folder / "told.jsonl"):
        told[line["session"], line["process"]] += 1
    found += [f"process {process} told {name} {count} times" for (name, process), count in told.items() if count > 1]
    heard = {name for name, _ in told}
    found += [f"nobody was told of {name}" for name in sessions if name not in heard]

    branch = collections.Counter(line["key"] for line in lines(run.folder / "branch.jsonl"))
    found += [f"the branch has {count} submissions of {key}" for key, count in branch.items() if count != 1]
    if len(branch) != 2 * len(sessions):
        found.append(f"the branch has {len(branch)} submissions for {len(sessions)} guests with two pages each")

    effects = record["effects"]
    found += [f"the endpoint has {count} effects of {key}" for key, count in effects.items() if count != 1]
    if len(effects) != len(sessions) or record["keys"] != len(sessions):
        found.append(f"{len(effects)} effects under {record['keys']} keys for {len(sessions)} selfies")

    judged = subprocess.run([sys.executable, str(ROOT / "Tests/oracle.py"), str(ledger)], capture_output=True, env=run.environment)
    if judged.returncode != 0:
        found.append("the oracle: " + (judged.stdout + judged.stderr).decode(errors="replace")[-2000:])
    repeats = sum(1 for name in heard if sum(1 for other, _ in told if other == name) > 1)
    print(f"{len(sessions)} sessions completed; {repeats} told again by a later process; "
          f"{len(branch)} submissions at the branch, {len(effects)} at the endpoint, each once")
    return found


def core_problems(run):
    """A program that links the core alone: what it needs, how soon it is there, and what it takes while it waits."""
    program, found = run.options.onlooker, []
    needed = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    found += [f"the core links {name}" for name in ("libcurl", "libvips", "libmicrohttpd") if name in needed]
    starts, resident = [], 0
    for _ in range(5):
        began = time.monotonic()
        process = subprocess.Popen(
            [program, str(run.folder / "my.ledger")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=run.environment)
        if process.stdout.readline() != b"open\n":
            return found + ["the program with the core alone does not open the ledger"]
        starts.append((time.monotonic() - began) * 1000)
        # its cursor is durable: only the first one sees every event
        while len(starts) == 1 and process.stdout.readline().split()[-1:] != [b"session_completed"]:
            pass
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        resident = max(resident, next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")))
        process.stdin.close()
        for _ in process.stdout:
            pass
        process.wait()
    start = sorted(starts)[2]
    print(f"with the core alone: open after {start:.0f} ms (median of 5), {resident / 1024:.1f} MiB resident")
    if start >= 50:
        found.append(f"a program with the core alone needs {start:.0f} ms to open a ledger, more than 50")
    if resident >= 40 * 1024:
        found.append(f"a program with the core alone takes {resident / 1024:.1f} MiB, more than 40")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiosk", required=True)
    parser.add_argument("--onlooker", required=True, help="a program that links the core alone")
    parser.add_argument("--tool", required=True, help="capture-ledger, for its sandbox and to list sessions")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("CAPTURE_LEDGER_SEED", time.time_ns() % 1_000_000)))
    options = parser.parse_args()
    print(f"example host: {options.kills} kills, seed {options.seed}", flush=True)
    sandbox = subprocess.Popen([options.tool, "sandbox"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        addresses = json.loads(sandbox.stdout.readline())
        with tempfile.TemporaryDirectory(prefix="example-host-") as name:
            run = Run(options, pathlib.Path(name), addresses["verifier_url"])
            run.play(options.kills, random.Random(options.seed))
            with urllib.request.urlopen(addresses["control_url"] + "/requests") as answer:
                record = json.load(answer)
            found = problems(run, record) + core_problems(run)
    finally:
        sandbox.terminate()
        sandbox.wait()
    for problem in found:
        print("PROBLEM: " + problem)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
