#!/usr/bin/env python3
"""Computes the figures of docs/analytics.md from the raw events of a ledger, and from nothing else.

usage: oracle_analytics.py LEDGER [--since-day D] [--end-day D]     one JSON object on standard output

Written from docs/storage-format.md, docs/events.md and docs/analytics.md; it shares no code with the product and does not look at
analytics.sqlite."""

import collections
import datetime
import json
import sqlite3
import sys

PIECES = {1: "passport_front", 2: "passport_back", 3: "selfie", 4: "hologram"}
EXITS = {11: "before_any_capture", 12: "after_refusal", 13: "after_rejection", 14: "while_capturing", 15: "while_waiting"}
STARTED, RESUMED, REFUSED, CAPTURED, CHECKED, CONFIRMED, RETAKEN, REQUEUED = 1, 3, 4, 5, 6, 7, 8, 12
RECORDING, UNRECORDED, GUIDANCE = 14, 15, 16
VERIFIED, REJECTED, PARKED, DROPPED, COMPLETED, EXITED, EXPIRED, CANCELLED, ERASED = 9, 10, 11, 13, 18, 19, 20, 21, 24
ENDS = {COMPLETED: "completed", EXPIRED: "expired", CANCELLED: "cancelled"}


def read(ledger):
    """Sessions in the order in which they began, each a list of its events."""
    database = sqlite3.connect(f"file:{ledger}/ledger.sqlite?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    configurations = {
        row["digest"].hex(): json.loads(row["json"]) for row in database.execute("SELECT digest, json FROM configuration")
    }
    sessions = collections.OrderedDict()
    for row in database.execute("SELECT * FROM event ORDER BY position"):
        if row["session_no"] == 0:
            continue
        event = dict(row)
        event["facts"] = json.loads(row["facts"])
        sessions.setdefault(row["session_no"], []).append(event)
    ids = {row[0]: row[1].hex() for row in database.execute("SELECT session_no, session_id FROM session")}
    position = database.execute("SELECT coalesce(max(position), 0) FROM event").fetchone()[0]
    attempts = [dict(row) for row in database.execute(
        "SELECT destination, started_at_ms, finished_at_ms, certainty, status, explanation FROM attempt ORDER BY attempt_no")]
    return sessions, configurations, ids, position, attempts



def uuid(hexadecimal):
    return "-".join([hexadecimal[:8], hexadecimal[8:12], hexadecimal[12:16], hexadecimal[16:20], hexadecimal[20:]])


def day(milliseconds):
    return datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc).strftime("%Y-%m-%d")


class Session:
    def __init__(self, number, events, configurations, identifier):
        self.number, self.id = number, uuid(identifier)
        settings = configurations[events[0]["facts"]["configuration"]]
        self.context = settings.get("analytics_context") or ""
        self.pieces = settings["pieces"]
        self.day = day(events[0]["recorded_at_ms"])
        self.reached = collections.defaultdict(set)       # piece -> steps
        self.captures = collections.Counter()
        self.refusals = []                                # (origin, piece, reason, capture or position)
        self.outcome, self.happened = None, []            # (what, position, time, piece, reason)
        self.taken, self.first, self.ended_at = {}, {}, None    # capture -> what became of it; (step, piece) -> time
        self.findings, self.recordings, self.hints, self.is_recording = [], [], [], False
        self.is_erased, self.started_at = False, events[0]["recorded_at_ms"]
        for event in events:
            self.apply(event)

    def apply(self, event):
        kind, piece = event["type"], PIECES.get(event["piece"])
        self.follow(event, kind, piece, event["recorded_at_ms"], event["facts"])
        late = event["facts"].get("late", False)

        def note(what, reason=None):
            self.happened.append((what, event["position"], event["recorded_at_ms"], piece, reason))

        if kind == STARTED:
            note("started")
        elif kind == CAPTURED:
            self.reached[piece].add("captured")
            self.captures[piece] += 1
            note("captured")
        elif kind == REFUSED:
            self.refusals.append(("intake", piece, event["reason"], event["position"]))
            note("refused", event["reason"])
        elif kind == CHECKED and not late and event["outcome"] == 5:
            self.reached[piece].add("checked")
            note("passed_checks")
        elif kind == CHECKED and not late and event["outcome"] == 6:
            self.refusals.append(("checks", piece, event["reason"], event["capture_id"]))
            note("failed_checks", event["reason"])
        elif kind == CONFIRMED:
            self.reached[piece].add("confirmed")
            note("confirmed")
        elif kind == VERIFIED and not late:
            self.reached[piece].add("verified")
            note("verified")
        elif kind == REJECTED and not late:
            self.refusals.append(("verifier", piece, event["reason"], event["capture_id"]))
            note("rejected", event["reason"])
        elif kind == PARKED and not late:
            self.refusals.append(("delivery", piece, event["reason"], event["capture_id"]))
            note("parked", event["reason"])
        elif kind == DROPPED:
            for name in event["facts"]["pieces"]:
                self.reached[name].add("dropped")
        elif kind in ENDS:
            self.outcome = ENDS[kind]
            note(ENDS[kind])
        elif kind == EXITED:
            self.outcome = "exited: " + EXITS[event["outcome"]]
            note("exited")
        elif kind == RESUMED:
            self.outcome = None
        elif kind == ERASED:
            self.outcome = self.outcome or "erased"
            note("erased")

    def follow(self, event, kind, piece, now, facts):
        """What times, deliveries, checks and recordings are made of."""
        counts = not facts.get("late", False)
        capture = self.taken.get(event["capture_id"])
        if kind == CAPTURED:
            if facts.get("supersedes"):
                self.taken[bytes.fromhex(facts["supersedes"].replace("-", ""))]["gone"] = True
            self.taken[event["capture_id"]] = {"piece": piece, "at": now}
            self.first.setdefault(("captured", piece), now)
            if piece == "hologram":
                self.end_recording("captured")
        elif kind == CHECKED:
            for finding in facts.get("findings", []):
                self.findings.append((piece, finding, finding.get("policy_version") or facts.get("policy_version")))
            if counts and capture:
                capture["checked"], capture["passed"] = now, event["outcome"] == 5
        elif kind == CONFIRMED and capture:
            capture["confirmed"], capture["destination"] = now, facts["destination"]
        elif kind == RETAKEN and capture:
            capture["gone"] = True
        elif kind in (VERIFIED, REJECTED, PARKED) and counts and capture:
            name = {VERIFIED: "verified", REJECTED: "rejected", PARKED: "parked"}[kind]
            capture["answer"], capture["answered"], capture["requests"] = name, now, facts["attempts"]
            if kind == VERIFIED:
                self.first.setdefault(("verified", piece), now)
        elif kind == REQUEUED and capture:
            for key in ("answer", "answered", "requests"):
                capture.pop(key, None)
        elif kind == COMPLETED:
            self.ended_at = now
        elif kind == ERASED:
            self.is_erased, self.is_recording = True, False
        elif kind == RECORDING:
            self.recordings.append({"targets": 0, "by": None})
            self.is_recording = True
        elif kind == UNRECORDED:
            self.end_recording(event["reason"])
        elif kind == GUIDANCE:
            for seen in facts["observations"]:
                self.observe(seen)

    def end_recording(self, why):
        if self.is_recording:
            self.recordings[-1]["by"] = why
        self.is_recording = False

    def observe(self, seen):
        piece, hint = ("hologram", seen["kind"]) if seen["kind"] != "live_scan" else (seen["piece"], seen["hint"])
        recording = self.recordings[-1] if self.is_recording else None
        if piece == "hologram":
            self.hints.append((str(recording["targets"]) if recording else None, hint))
        if recording and seen["kind"] == "flash_circle_completed":
            index = seen["circle_index"]
            passed = index + 1 if 0 <= index < 1000 else recording["targets"] + 1
            recording["targets"] = max(recording["targets"], passed)

    def times(self):
        """(step, piece, milliseconds)"""
        for piece in self.pieces:
            if ("captured", piece) in self.first:
                began = self.first["captured", piece]
                yield "to_first_capture", piece, began - self.started_at
                if ("verified", piece) in self.first:
                    yield "to_verified", piece, self.first["verified", piece] - began
        for capture in self.taken.values():
            if "checked" in capture:
                yield "capture_to_check", capture["piece"], capture["checked"] - capture["at"]
            if "confirmed" in capture:
                yield "capture_to_confirm", capture["piece"], capture["confirmed"] - capture["at"]
                if capture.get("answer") in ("verified", "rejected"):
                    yield "confirm_to_answer", capture["piece"], capture["answered"] - capture["confirmed"]
        if self.outcome == "completed":
            yield "session", None, self.ended_at - self.started_at

    def standing(self, capture):
        if "answer" in capture:
            return capture["answer"]
        is_over = self.is_erased or self.outcome in ("cancelled", "expired")
        return "withdrawn" if is_over or capture.get("gone") or capture.get("passed") is False else "waiting"

    def any(self, step):
        return any(step in steps for steps in self.reached.values())


def steps(names, counts):
    before = {"captured": names[0], "checked": "captured", "confirmed": "captured", "verified": "confirmed",
              "completed": "verified"}
    whole = counts[names[0]]
    rows = []
    for name in names:
        row = {"step": name, "sessions": counts[name], "of": whole, "rate": rate(counts[name], whole), "lost": None,
               "lost_rate": None}
        if name in before:
            row["lost"] = counts[before[name]] - counts[name]
            row["lost_rate"] = rate(row["lost"], counts[before[name]])
        rows.append(row)
    return rows


def rate(part, whole):
    return part / whole if whole else None


def funnel(sessions, extra):
    names = ["started", "captured", "checked", "confirmed", "verified", "completed"]
    counts = collections.Counter(started=len(sessions))
    for name in names[1:5]:
        counts[name] = sum(session.any(name) for session in sessions)
    counts["completed"] = sum(session.outcome == "completed" for session in sessions)
    return [{**extra, **row} for row in steps(names, counts)]


def pieces(sessions):
    rows = []
    for piece in sorted(set(piece for session in sessions for piece in session.pieces)):
        asked = [session for session in sessions if piece in session.pieces]
        names = ["asked", "captured", "checked", "confirmed", "verified", "completed"]
        counts = collections.Counter(asked=len(asked))
        for name in names[1:5]:
            counts[name] = sum(name in session.reached[piece] for session in asked)
        counts["completed"] = sum(s.outcome == "completed" and "verified" in s.reached[piece] for s in asked)
        rows += [{"piece": piece, **row} for row in steps(names, counts)]
        dropped = sum("dropped" in session.reached[piece] for session in asked)
        rows.append({"piece": piece, "step": "dropped", "sessions": dropped, "of": len(asked),
                     "rate": rate(dropped, len(asked)), "lost": None, "lost_rate": None})
    return rows


def refusals(sessions):
    captures, intake = collections.Counter(), collections.Counter()
    found = collections.defaultdict(list)
    for session in sessions:
        captures.update(session.captures)
        for origin, piece, reason, what in session.refusals:
            intake[piece] += origin == "intake"
            found[origin, piece, reason].append((session.number, what))
    rows = []
    for (origin, piece, reason), all_of_them in sorted(found.items()):
        whole = captures[piece] + (intake[piece] if origin == "intake" else 0)
        rows.append({"origin": origin, "piece": piece, "reason": reason, "refusals": len(all_of_them),
                     "sessions": len(set(number for number, _ in all_of_them)), "of": whole,
                     "rate": rate(len(set(all_of_them)), whole)})
    return rows


def attempts(sessions):
    found = collections.defaultdict(lambda: [0, 0])
    whole = collections.Counter()
    for session in sessions:
        for piece, count in session.captures.items():
            found[piece, count][0] += 1
            found[piece, count][1] += "verified" in session.reached[piece]
            whole[piece] += 1
    return [{"piece": piece, "attempts": str(count), "sessions": number, "of": whole[piece],
             "rate": rate(number, whole[piece]), "verified": verified, "verified_rate": rate(verified, number)}
            for (piece, count), (number, verified) in sorted(found.items())]


def percentiles(times):
    """The values themselves, by nearest rank."""
    times = sorted(max(0, time) for time in times)
    return {f"p{share}_ms": times[max(1, -(-len(times) * share // 100)) - 1] for share in (50, 90, 99)}


def step_times(sessions):
    found = collections.defaultdict(list)
    for session in sessions:
        for step, piece, time in session.times():
            found[step, piece].append(time)
    return [{"step": step, "piece": piece, "times": len(times), **percentiles(times)}
            for (step, piece), times in found.items()]


def deliveries(sessions):
    found, whole = collections.defaultdict(lambda: [0, 0]), collections.Counter()
    for session in sessions:
        for capture in session.taken.values():
            if "confirmed" in capture:
                row = found[capture["destination"], session.standing(capture)]
                row[0] += 1
                row[1] += capture.get("requests", 0)
                whole[capture["destination"]] += 1
    return [{"destination": destination, "answer": answer, "captures": captures, "of": whole[destination],
             "rate": rate(captures, whole[destination]), "requests": requests}
            for (destination, answer), (captures, requests) in found.items()]


def requests(attempts):
    """Of the delivery log: how long requests took, and what went wrong with them."""
    by_destination = collections.defaultdict(list)
    for attempt in attempts:
        by_destination[attempt["destination"]].append(attempt)
    latency, errors = [], []
    for destination, all_of_them in by_destination.items():
        failed = [a for a in all_of_them if a["certainty"] != "answered" or not 200 <= a["status"] <= 299]
        latency.append({"destination": destination, "requests": len(all_of_them), "failed": len(failed),
                        "failed_rate": rate(len(failed), len(all_of_them)),
                        **percentiles(a["finished_at_ms"] - a["started_at_ms"] for a in all_of_them)})
        kinds = collections.Counter((a["explanation"], a["status"]) for a in failed)
        errors += [{"destination": destination, "explanation": explanation, "status": str(status) if status else None,
                    "requests": count, "of": len(all_of_them), "rate": rate(count, len(all_of_them))}
                   for (explanation, status), count in kinds.items()]
    return latency, errors


def checks(sessions):
    found = collections.defaultdict(lambda: [0, 0])
    for session in sessions:
        for piece, finding, policy in session.findings:
            if finding.get("passed") is not None and finding.get("direction"):
                key = (piece, finding["metric"], policy, finding["direction"], finding.get("threshold") or 0)
                found[key][0] += not finding["passed"]
                found[key][1] += 1
    return [{"piece": piece, "metric": metric, "policy_version": policy, "direction": direction, "threshold": threshold,
             "failed": failed, "of": judged, "rate": rate(failed, judged)}
            for (piece, metric, policy, direction, threshold), (failed, judged) in found.items()]


def tilt(sessions):
    recordings = [recording for session in sessions for recording in session.recordings]
    rows = []
    for targets in range(max((r["targets"] for r in recordings), default=-1) + 1):
        reached = [r for r in recordings if r["targets"] >= targets]
        here = sum(r["targets"] == targets and r["by"] not in (None, "captured") for r in reached)
        rows.append({"targets": str(targets), "recordings": len(reached), "of": len(recordings),
                     "rate": rate(len(reached), len(recordings)), "ended_here": here,
                     "ended_here_rate": rate(here, len(reached))})
    return rows


def guidance(sessions):
    times, seen = collections.Counter(), collections.defaultdict(set)
    for session in sessions:
        for key in session.hints:
            times[key] += 1
            seen[key].add(session.number)
    return [{"targets": targets, "hint": hint, "observations": count, "sessions": len(seen[targets, hint])}
            for (targets, hint), count in times.items()]


def main():
    ledger = sys.argv[1]
    options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
    events, configurations, ids, position, log = read(ledger)
    sessions = [Session(number, list_, configurations, ids[number]) for number, list_ in events.items()]
    everything = sessions

    def is_wanted(name):
        return options.get("--since-day", "") <= name < options.get("--end-day", "9999-99-99")

    sessions = [s for s in sessions if is_wanted(s.day)]
    latency, errors = requests([a for a in log if is_wanted(day(a["started_at_ms"]))])
    outcomes = collections.Counter(session.outcome for session in sessions)
    running = outcomes.pop(None, 0)
    print(json.dumps({
        "position": position,
        "funnel": funnel(sessions, {}),
        "by_context": [row for name in sorted(set(s.context for s in sessions))
                       for row in funnel([s for s in sessions if s.context == name], {"context": name or None})],
        "by_day": [row for name in sorted(set(s.day for s in sessions))
                   for row in funnel([s for s in sessions if s.day == name], {"day": name})],
        "pieces": pieces(sessions), "refusals": refusals(sessions), "attempts": attempts(sessions),
        "steps": step_times(sessions), "deliveries": deliveries(sessions), "requests": latency, "errors": errors,
        "checks": checks(sessions), "hologram_tilt": tilt(sessions), "hologram_guidance": guidance(sessions),
        "ended": dict(outcomes), "running": running,
        "happened": [[what, where, when, session.id, session.context, piece, reason]
                     for session in everything for what, where, when, piece, reason in session.happened],
    }))


main()
