#!/usr/bin/env python3
"""Counts the instructions of fixed work and compares them with what is committed: `make check-instructions`.

Wall time on a shared machine says little; how many instructions the same work takes says the same everywhere. valgrind's callgrind
counts them by the object they are in. Ours and Swift's count as `own`, SQLite's as `sqlite`: neither picks its code by the processor.
What does, or depends on what else is loaded (libc's copying, libcrypto, the loader), is left out. What surrounds the work, such as
making a ledger, is counted in a run of its own and taken away."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# What is done, and how much of it; the history is what the reading kinds read.
HISTORY = 1280
WORK = {"append": 1280, "commit": 256, "replay": HISTORY, "values": HISTORY, "rebuild": HISTORY, "seal": 2560}
READS = {"replay", "values", "rebuild"}
OWN = ("fixed-work", "libswiftCore", "libswiftSynchronization", "libswift_Concurrency")
SLACK = 0.03
# So few more are no finding, however small a budget is.
LEAST = 10
BUDGETS = "Tests/Bench/budgets.json"


def by_object(path):
    """Self costs of a callgrind file, summed by object."""
    names, totals, current, is_call = {}, {}, None, False
    with open(path) as file:
        for line in file:
            found = re.match(r"(c?)ob=\((\d+)\)(?: (.*))?$", line.rstrip("\n"))
            if found:
                is_callee, number, name = found.groups()
                if name:
                    names[number] = os.path.basename(name)
                if not is_callee:
                    current = number
            elif line.startswith("calls="):
                is_call = True
            elif line[0] in "+-*0123456789":
                if not is_call:
                    totals[current] = totals.get(current, 0) + int(line.split()[1])
                is_call = False
    return {names.get(number, "?"): total for number, total in totals.items()}


def count(program, work, events, folder, history):
    place = history if work in READS else os.path.join(folder, f"{work}-{events}")
    out = os.path.join(folder, "callgrind.out")
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, work, str(events), place],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if work not in READS:
        shutil.rmtree(place, ignore_errors=True)
    if done.returncode != 0:
        sys.exit(f"check-instructions: {work} could not be counted: {done.stdout[-600:]}")
    totals = by_object(out)
    return {
        "own": sum(total for name, total in totals.items() if name.startswith(OWN)),
        "sqlite": sum(total for name, total in totals.items() if name.startswith("libsqlite3")),
        "all": sum(totals.values()),
    }


def measure(program, folder):
    history = os.path.join(folder, "history")
    subprocess.run([program, "history", str(HISTORY), history], check=True)
    figures = {}
    for work, events in WORK.items():
        # The first of them settles what a first reading leaves behind.
        around, with_work = count(program, work, 0, folder, history), count(program, work, events, folder, history)
        figures[work] = {key: round((with_work[key] - around[key]) / events) for key in with_work}
    return figures


def first_line(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip().splitlines()[0] if done.stdout.strip() else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=".build/release/fixed-work")
    parser.add_argument("--accept", action="store_true", help="write what was counted as the new budgets")
    arguments = parser.parse_args()
    if not shutil.which("valgrind"):
        print("check-instructions: valgrind is not installed, so nothing was counted: apt-get install valgrind")
        return
    if os.uname().machine != "x86_64":
        print(f"check-instructions: budgets are for x86_64, not for {os.uname().machine}: nothing was counted")
        return
    with tempfile.TemporaryDirectory(prefix="instructions-") as folder:
        # This valgrind cannot read all that a debugger needs, and needs none of it.
        program = os.path.join(folder, "fixed-work")
        subprocess.run(["strip", "--strip-debug", "-o", program, arguments.program], check=True)
        figures = measure(program, folder)
    built = {"swift": re.sub(r".*Swift version (\S+).*", r"\1", first_line(["swift", "--version"])),
             "sqlite": first_line(["pkg-config", "--modversion", "sqlite3"])}
    if arguments.accept:
        with open(BUDGETS, "w") as file:
            json.dump({"built_with": built, "slack": SLACK, "instructions_per_event": {
                work: {key: figure[key] for key in ("own", "sqlite")} for work, figure in figures.items()}}, file, indent=2)
            file.write("\n")
    with open(BUDGETS) as file:
        budgets = json.load(file)
    same = budgets["built_with"] == built
    over, under = [], []
    print(f"{'instructions an event':24}{'own':>10}{'budget':>10}{'':>8}{'sqlite':>10}{'budget':>10}{'':>8}{'all':>10}")
    for work, figure in figures.items():
        line = f"{work:24}"
        for key in ("own", "sqlite"):
            budget = budgets["instructions_per_event"][work][key]
            change = figure[key] / budget - 1 if budget else 0.0
            line += f"{figure[key]:>10,}{budget:>10,}{change:>+8.1%}"
            if change > budgets["slack"] and figure[key] - budget > LEAST:
                over.append(f"{work}: {key} takes {figure[key]:,} instructions an event, {change:+.1%} on its budget of {budget:,}")
            elif change < -budgets["slack"]:
                under.append(f"{work}: {key} takes {-change:.1%} less than its budget")
        print(line + f"{figure['all']:>10,}")
    for line in under:
        print(f"check-instructions: {line}: `make bench-budgets` keeps it that way")
    if not over:
        return
    print("\n".join(f"check-instructions: {line}" for line in over), file=sys.stderr)
    if not same:
        print(f"check-instructions: not a failure: the budgets are of {budgets['built_with']}, this is {built}", file=sys.stderr)
        return
    sys.exit("check-instructions: look at what became dearer (docs/performance.md says how to profile it). Where it is worth its price, "
             "take the new figures with `make bench-budgets` and say why in the commit.")


if __name__ == "__main__":
    main()
