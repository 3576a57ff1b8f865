"""What needs no key: positions, versions, commits, the chain, the tree, receipts, configurations."""

import json

import oracle_format as form

TRIGGERS = {
    "event_insert_appends", "event_is_never_changed", "event_is_never_deleted", "commit_insert_appends",
    "commit_is_never_changed", "commit_is_never_deleted", "session_is_never_changed", "session_is_never_deleted", "session_insert_appends",
    "attempt_insert_appends", "attempt_is_never_changed", "attempt_is_never_deleted",
}


def check_databases(ledger, verdict):
    for name, database in (("ledger.sqlite", ledger.events), ("keys/keys.sqlite", ledger.keys)):
        for (line,) in database.execute("PRAGMA integrity_check(5)"):
            if line != "ok":
                verdict.problem("database_damaged", f"{name}: {line}")
    present = {name for (name,) in ledger.events.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    for name in sorted(TRIGGERS - present):
        verdict.problem("trigger_missing", f"the trigger {name} is gone: rows can be changed")


def check_log(ledger, verdict):
    """Positions, versions, identifiers, commits, chain and tiles in one pass; remembers what later checks ask about."""
    ledger_row = ledger.events.execute("SELECT * FROM ledger").fetchone()
    if ledger_row is None:
        verdict.problem("ledger_row_missing", "the table ledger is empty: the chain has no beginning")
        return
    commits = ledger.events.execute("SELECT * FROM event_commit ORDER BY last_position")
    commit, covered, chain, batch, leaves = commits.fetchone(), 0, form.chain_start(ledger_row["ledger_id"]), [], []
    expected, versions, event_ids, recorded = 1, {}, set(), None
    for event in ledger.events.execute("SELECT * FROM event ORDER BY position"):
        position = event["position"]
        if position != expected:
            verdict.problem("position_gap", f"position {expected} is missing; the next one is {position}", expected)
        expected = position + 1
        check_event(ledger, verdict, event, versions, event_ids)
        if recorded is not None and event["recorded_at_ms"] < recorded:
            verdict.problem("time_went_back", f"recorded at {event['recorded_at_ms']} after {recorded}", position)
        recorded = event["recorded_at_ms"]

        values = [ledger.session_id(event["session_no"]) if c == "session_id" else event[c] for c in form.EVENT_COLUMNS]
        leaf = form.leaf(form.canonical_row(values))
        leaves.append(leaf)
        while commit is not None and commit["last_position"] < position:  # a commit whose events are gone
            covered = commit["last_position"]
            chain, commit, batch = close_commit(verdict, chain, commit, batch), commits.fetchone(), []
        if commit is None or position < commit["first_position"]:
            verdict.problem("event_outside_commits", "no commit covers the event", position)
            continue
        if not batch and commit["first_position"] != covered + 1:
            verdict.problem("commit_gap", f"a commit begins at {commit['first_position']} and not at {covered + 1}", position)
        batch.append(leaf)
        if position == commit["last_position"]:
            covered = position
            chain, commit, batch = close_commit(verdict, chain, commit, batch), commits.fetchone(), []
    while commit is not None:
        verdict.problem("commit_without_events", "the events of a commit are missing", commit["last_position"])
        commit = commits.fetchone()
    verdict.count("events", len(leaves))
    check_tiles(ledger, verdict, leaves)


def close_commit(verdict, chain, commit, batch):
    """The chain after a commit: as recomputed, and a problem when it is not the stored one."""
    verdict.count("commits")
    first, last = commit["first_position"], commit["last_position"]
    if len(batch) != last - first + 1:
        verdict.problem("commit_without_events", f"a commit names {last - first + 1} events and {len(batch)} are there", last)
    if form.chain_next(chain, first, last, commit["committed_at_ms"], batch) != commit["chain"]:
        verdict.problem("chain_broken", f"the chain over positions {first} to {last} is another: a stored byte differs", last)
    return commit["chain"]


def check_event(ledger, verdict, event, versions, event_ids):
    position, number = event["position"], event["session_no"]
    if number not in ledger.sessions:
        verdict.problem("session_missing", f"the event's session {number} is not listed", position)
    versions[number] = versions.get(number, 0) + 1
    if event["version"] != versions[number]:
        verdict.problem("version_gap", f"version {event['version']} where {versions[number]} is next", position)
        versions[number] = event["version"]
    if event["event_id"] in event_ids:
        verdict.problem("event_id_repeated", f"event id {form.named(event['event_id'])} is there twice", position)
    event_ids.add(event["event_id"])
    if not form.is_version_7(event["event_id"]):
        verdict.problem("identifier_malformed", "the event id is not a version 7 identifier", position)
    if event["causation_position"] is not None and not 0 < event["causation_position"] < position:
        verdict.problem("causation_dangling", f"caused by position {event['causation_position']}", position)
    try:
        facts = json.loads(event["facts"])
    except ValueError:
        verdict.problem("facts_unreadable", "the facts are not JSON", position)
        return
    kind = ledger.types.get(event["type"])
    if kind == "piece_captured":
        if event["capture_id"] in ledger.captures:
            verdict.problem("capture_repeated", f"capture {form.named(event['capture_id'])} was captured twice", position)
        ledger.captures[event["capture_id"]] = (event, facts)
    elif kind == "piece_checked" and "crop" in facts:
        ledger.crops[form.plain_id(facts["crop"]["id"])] = (event, facts["crop"])
    elif kind == "media_purged":
        ledger.purged.add(event["capture_id"])
    elif kind == "session_erased":
        ledger.erased.add(number)


def check_tiles(ledger, verdict, leaves):
    for tile in ledger.events.execute("SELECT * FROM tree_tile ORDER BY level, tile_no"):
        span = 256 ** tile["level"]
        for index in range(len(tile["hashes"]) // 32):
            start = (tile["tile_no"] * 256 + index) * span
            stored = tile["hashes"][index * 32:index * 32 + 32]
            if start + span > len(leaves) or form.tree_root(leaves[start:start + span]) != stored:
                verdict.problem(
                    "tile_wrong", f"entry {index} of tile {tile['tile_no']}, level {tile['level']}, is not the root of its leaves",
                    start + 1)


def check_sessions(ledger, verdict):
    flows = {row["session_no"]: row for row in ledger.events.execute("SELECT * FROM flow")}
    last = {
        row["session_no"]: row for row in ledger.events.execute(
            "SELECT session_no, max(version) AS version, max(position) AS position FROM event GROUP BY session_no")}
    completed = [code for code, name in ledger.types.items() if name == "session_completed"]
    for number, session in ledger.sessions.items():
        if number == 0:
            continue
        verdict.count("sessions")
        if not form.is_version_7(session["session_id"]):
            verdict.problem("identifier_malformed", f"session {number} has no version 7 identifier")
        flow, newest = flows.get(number), last.get(number)
        if newest is None:
            verdict.problem("session_without_events", f"session {form.named(session['session_id'])} has no event")
        elif flow is None:
            verdict.problem("flow_missing", f"session {form.named(session['session_id'])} has no row in flow")
        elif (flow["version"], flow["last_position"]) != (newest["version"], newest["position"]):
            verdict.problem("flow_behind", f"flow stands at version {flow['version']} of {newest['version']}", newest["position"])
        for code in completed:
            (times,) = ledger.events.execute(
                "SELECT count(*) FROM event WHERE session_no = ? AND type = ?", (number, code)).fetchone()
            if times > 1:
                verdict.problem("completed_twice", f"session {form.named(session['session_id'])} completed {times} times")
            if flow is not None and times and flow["status"] not in ("completed", "erased"):
                verdict.problem("flow_wrong", f"a completed session stands as {flow['status']}", flow["last_position"])
    for number in flows.keys() - ledger.sessions.keys():
        verdict.problem("flow_without_session", f"flow has a row of session {number}, which is not listed")


def check_receipts(ledger, verdict):
    for row in ledger.events.execute("SELECT * FROM receipt"):
        verdict.count("receipts")
        if row["event_count"] == 0:
            continue
        first, last = row["first_position"], row["first_position"] + row["event_count"] - 1
        events = ledger.events.execute(
            "SELECT session_no, command_id FROM event WHERE position BETWEEN ? AND ?", (first, last)).fetchall()
        if len(events) != row["event_count"]:
            verdict.problem("receipt_dangling", f"a receipt names positions {first} to {last}, which are not all there", first)
        elif any((e["session_no"], e["command_id"]) != (row["session_no"], row["command_id"]) for e in events):
            verdict.problem("receipt_wrong", f"a receipt names positions {first} to {last} of another command", first)


def check_configurations(ledger, verdict):
    known = {row["digest"].hex() for row in ledger.events.execute("SELECT digest FROM configuration")}
    for row in ledger.events.execute("SELECT digest, json FROM configuration"):
        if form.sha256(row["json"].encode()) != row["digest"]:
            verdict.problem("configuration_altered", f"the configuration {row['digest'].hex()} has another digest")
    started = [code for code, name in ledger.types.items() if name == "session_started"]
    for code in started:
        for event in ledger.events.execute("SELECT position, facts FROM event WHERE type = ?", (code,)):
            if json.loads(event["facts"]).get("configuration") not in known:
                verdict.problem("configuration_missing", "the session's configuration is not stored", event["position"])
