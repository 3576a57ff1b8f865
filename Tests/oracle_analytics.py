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
STARTED, RESUMED, REFUSED, CAPTURED, CHECKED, CONFIRMED = 1, 3, 4, 5, 6, 7
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
    return sessions, configurations, ids, position



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
        for event in events:
            self.apply(event)

    def apply(self, event):
        kind, piece = event["type"], PIECES.get(event["piece"])
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


def main():
    ledger = sys.argv[1]
    options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
    events, configurations, ids, position = read(ledger)
    sessions = [Session(number, list_, configurations, ids[number]) for number, list_ in events.items()]
    everything = sessions
    sessions = [s for s in sessions
                if options.get("--since-day", "") <= s.day and s.day < options.get("--end-day", "9999-99-99")]
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
        "ended": dict(outcomes), "running": running,
        "happened": [[what, where, when, session.id, session.context, piece, reason]
                     for session in everything for what, where, when, piece, reason in session.happened],
    }))


main()
