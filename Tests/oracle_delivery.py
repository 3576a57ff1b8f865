"""What delivery remembers beside its queue (migration 0002): the clock's jumps and what moved with them, and people's pauses."""

import json

BY_PERSON = "by_operator"


def check_delivery_state(ledger, verdict):
    tables = {name for (name,) in ledger.events.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "clock_anchor" not in tables:  # a ledger that was not brought forward
        return
    stream = [
        (event["position"], ledger.types.get(event["type"]), json.loads(event["facts"]), event["reason"])
        for event in ledger.events.execute("SELECT * FROM event WHERE session_no = 0 ORDER BY position")]
    jumps = [(at, facts["to_ms"] - facts["from_ms"]) for at, kind, facts, _ in stream if kind == "clock_adjusted"]
    check_clock(ledger, verdict, jumps)
    check_deadlines(ledger, verdict, jumps)
    check_session_pauses(ledger, verdict, stream)
    check_destination_pauses(ledger, verdict, stream)


def check_clock(ledger, verdict, jumps):
    anchor = ledger.events.execute("SELECT * FROM clock_anchor").fetchone()
    recorded = sum(by for _, by in jumps)
    verdict.count("clock_jumps", len(jumps))
    if (anchor["jumps_ms"] if anchor else 0) != recorded:
        verdict.problem("clock_anchor_wrong", f"the anchor counts other jumps than the {recorded} ms that are on record")


def check_deadlines(ledger, verdict, jumps):
    rows = ledger.events.execute(
        "SELECT f.session_no, f.expires_at_ms, e.position, e.facts, e.type FROM flow AS f "
        "JOIN event AS e ON e.session_no = f.session_no AND e.version = 1")
    for row in rows:
        deadline = json.loads(row["facts"]).get("deadline_at_ms")
        if ledger.types.get(row["type"]) != "session_started":
            continue
        expected = None if deadline is None else deadline + sum(by for at, by in jumps if at > row["position"])
        if row["expires_at_ms"] != expected:
            verdict.problem(
                "deadline_wrong", f"the session's row expires at {row['expires_at_ms']} and not at {expected}", row["position"])


def check_session_pauses(ledger, verdict, stream):
    numbers = {row["session_id"]: number for number, row in ledger.sessions.items()}
    paused = {}
    for at, kind, facts, _ in stream:
        if kind in ("session_deliveries_paused", "session_deliveries_resumed"):
            number = numbers.get(bytes.fromhex(facts["session"].replace("-", "")))
            if kind.endswith("paused"):
                paused[number] = at
            else:
                paused.pop(number, None)
    stored = {row["session_no"]: row["position"] for row in ledger.events.execute("SELECT * FROM session_pause")}
    verdict.count("session_pauses", len(stored))
    if stored != paused:
        verdict.problem("session_pause_wrong", "the sessions that are paused are not those that the stream says")


def check_destination_pauses(ledger, verdict, stream):
    last = {}
    for _, kind, facts, reason in stream:
        if kind in ("destination_paused", "destination_resumed") and reason == BY_PERSON:
            last[facts["destination"]] = kind
    for row in ledger.events.execute("SELECT * FROM destination_state"):
        # a pause of the first schema has no event
        said = last.get(row["destination"])
        if said is not None and (row["paused_reason"] == BY_PERSON) != (said == "destination_paused"):
            verdict.problem("destination_pause_wrong", f"{row['destination']} is not as a person left it")
