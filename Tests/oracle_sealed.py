"""Keys, private halves, media and evidence: all that opens does, and nothing erased does."""

import json
import os

import oracle_format as form


def check_keys(ledger, verdict, master, tombstones):
    kek = form.wrapping_key(master) if master else None
    states, opened, failed = {}, 0, 0
    for row in ledger.keys.execute("SELECT * FROM session_key ORDER BY key_no"):
        states[row["key_no"]] = row["state"]
        if row["state"] == 2:
            if row["wrapped"] is not None:
                verdict.problem("destroyed_key_present", f"key {row['key_no']} is destroyed and its wrapped bytes are still there")
        elif kek:
            try:
                ledger.session_keys[row["key_no"]] = form.unwrap(kek, row["wrapped"], form.session_key_aad(row["key_no"]))
                opened += 1
            except form.Unreadable as fault:
                failed += 1
                verdict.problem("key_unreadable", f"key {row['key_no']}: {fault}")
    if kek and failed and not opened:
        verdict.problems = [p for p in verdict.problems if p["code"] != "key_unreadable"]
        verdict.problem("wrong_master_key", "no session key opens: this is the master key of another ledger")
    for row in ledger.keys.execute("SELECT * FROM ledger_key WHERE name = 'lookup'"):
        if kek and opened:
            try:
                ledger.lookup_key = form.unwrap(kek, row["wrapped"], form.ledger_key_aad("lookup"))
            except form.Unreadable as fault:
                verdict.problem("key_unreadable", f"the look-up key: {fault}")
    ledger.unswept = {
        row["session_no"] for row in ledger.events.execute("SELECT session_no FROM erasure WHERE swept_at_ms IS NULL")}
    begun = {row["session_no"] for row in ledger.events.execute("SELECT * FROM erasure WHERE key_destroyed_at_ms IS NOT NULL")}
    for number, session in ledger.sessions.items():
        if number == 0:
            continue
        name, state = form.named(session["session_id"]), states.get(session["key_no"])
        gone = number in ledger.erased or number in begun or session["key_no"] in tombstones
        if state is None:
            verdict.problem("key_missing", f"session {name} has key {session['key_no']}, which the key database does not list")
        elif gone and state != 2:
            leftover(
                ledger, verdict, number, "erased_key_alive", f"session {name} is erased and its key {session['key_no']} still opens")
        elif state == 2 and not gone:
            verdict.problem("key_lost", f"session {name} was never erased and its key {session['key_no']} is destroyed")
        if state == 2:
            ledger.erased.add(number)


def leftover(ledger, verdict, number, code, message, position=None):
    """Something of an erased session is still there: a problem, unless its erasure was interrupted and is finished on opening."""
    if number in ledger.unswept:
        verdict.note(message)
    else:
        verdict.problem(code, message, position)


def check_private_halves(ledger, verdict):
    for event in ledger.events.execute("SELECT * FROM event WHERE private IS NOT NULL ORDER BY position"):
        number = event["session_no"]
        key = ledger.key_of(number)
        if number in ledger.erased:
            if key is not None:
                leftover(ledger, verdict, number, "erased_opens", "a private half of an erased session opens", event["position"])
        elif number == 0:
            verdict.problem("private_without_key", "the ledger's own stream has a private half", event["position"])
        elif key is not None:
            open_or_complain(
                ledger, verdict, "private_unreadable", key, b"capture-ledger private v1", event["event_id"], number,
                event["private"], event["position"])
    for work in ledger.events.execute(
            "SELECT d.delivery_no, d.delivery_id, d.session_no, w.frozen FROM delivery_work AS w JOIN delivery AS d"
            " ON d.delivery_no = w.delivery_no WHERE w.frozen IS NOT NULL"):
        key = ledger.key_of(work["session_no"])
        if key is not None:
            open_or_complain(
                ledger, verdict, "frozen_unreadable", key, b"capture-ledger frozen v1", work["delivery_id"],
                work["session_no"], work["frozen"], work["delivery_no"])


def open_or_complain(ledger, verdict, code, key, purpose, object_id, session_no, sealed, position):
    try:
        form.open_small(key, purpose, object_id, ledger.session_id(session_no), sealed)
        verdict.count("private_opened")
    except form.Unreadable as fault:
        verdict.problem(code, str(fault), position)


def check_media(ledger, verdict, no_orphans):
    present, named = set(), ledger.captures | ledger.crops
    for capture, path, shelf in ledger.files("media"):
        if capture not in named:
            orphan(verdict, no_orphans, f"{path} is named by no event")
            continue
        present.add(capture)
        event, facts = named[capture]
        position = event["position"]
        if shelf != capture.hex()[-2:]:
            verdict.problem("media_misplaced", f"{path} lies on another capture's shelf", position)
        if event["session_no"] in ledger.erased:
            leftover(ledger, verdict, event["session_no"], "erased_media_present", f"{path} belongs to an erased session", position)
            continue
        verdict.count("media")
        if event["capture_id"] in ledger.purged:
            verdict.problem("purged_media_present", f"{path} was destroyed, says the log, and is still there", position)
        if form.sealed_digest(path).hex() != facts.get("sealed_digest"):
            verdict.problem("media_altered", f"{path} has another digest than the log names", position)
        if facts.get("sealed_bytes") != os.path.getsize(path):
            verdict.problem("media_altered", f"{path} has another size than the log names", position)
        open_media(ledger, verdict, capture, path, event, facts)
    for capture, (event, _) in named.items():
        if capture not in present and event["capture_id"] not in ledger.purged and event["session_no"] not in ledger.erased:
            verdict.problem("media_missing", f"the media {form.named(capture)} is gone and no event says why", event["position"])
    staging = os.path.join(ledger.folder, "media", "staging")
    for name in sorted(os.listdir(staging)) if os.path.isdir(staging) else []:
        orphan(verdict, no_orphans, f"{os.path.join(staging, name)} was never finished")


def open_media(ledger, verdict, capture, path, event, facts):
    number, position = event["session_no"], event["position"]
    key = ledger.key_of(number)
    if key is None:
        return
    try:
        size, digest = form.open_stream(key, b"capture-ledger media v1", capture, path)
    except form.Unreadable as fault:
        verdict.problem("media_unreadable", f"{path}: {fault}", position)
        return
    verdict.count("media_opened")
    if capture in ledger.captures:
        ledger.plain_digests[capture] = digest
    if size != facts.get("bytes"):
        verdict.problem("media_size_wrong", f"{path} holds {size} bytes where the log names {facts.get('bytes')}", position)
    if form.commitment(key, digest).hex() != facts.get("commitment"):
        verdict.problem("commitment_wrong", f"{path} is not what the log commits to", position)
    if ledger.lookup_key and capture in ledger.captures:
        wanted = form.lookup_digest(ledger.lookup_key, 4, digest)
        if ledger.events.execute(
                "SELECT 1 FROM private_lookup WHERE kind = 4 AND digest = ? AND session_no = ?", (wanted, number)).fetchone() is None:
            verdict.problem("lookup_missing", f"capture {form.named(capture)} cannot be found by its media", position)


def orphan(verdict, no_orphans, message):
    verdict.count("orphans")
    if no_orphans:
        verdict.problem("orphan", message)
    else:
        verdict.note(message)


def check_evidence(ledger, verdict, no_orphans):
    rows = {
        row["evidence_id"]: row for row in ledger.events.execute(
            "SELECT a.evidence_id, a.evidence_digest, a.delivery_no, d.session_no FROM attempt AS a LEFT JOIN delivery AS d"
            " ON d.delivery_no = a.delivery_no WHERE a.evidence_id IS NOT NULL")}
    present = set()
    for evidence, path, _ in ledger.files("evidence"):
        row = rows.get(evidence)
        if row is None:
            orphan(verdict, no_orphans, f"{path} is named by no attempt")
            continue
        present.add(evidence)
        key = ledger.key_of(row["session_no"])
        if row["session_no"] in ledger.erased:
            leftover(ledger, verdict, row["session_no"], "erased_evidence_present", f"{path} belongs to an erased session", row["delivery_no"])
        elif key is not None:
            try:
                _, digest = form.open_stream(key, b"capture-ledger evidence v1", evidence, path)
                verdict.count("evidence_opened")
                if digest != row["evidence_digest"]:
                    verdict.problem("evidence_altered", f"{path} is not the answer that the attempt names", row["delivery_no"])
            except form.Unreadable as fault:
                verdict.problem("evidence_unreadable", f"{path}: {fault}", row["delivery_no"])
    for evidence, row in rows.items():
        if evidence not in present and row["session_no"] not in ledger.erased:
            verdict.problem("evidence_missing", f"the answer {form.named(evidence)} is gone", row["delivery_no"])


def check_erased(ledger, verdict, expected):
    for number in ledger.erased:
        verdict.count("erased")
        name = form.named(ledger.session_id(number) or b"")
        (left,) = ledger.events.execute("SELECT count(*) FROM private_lookup WHERE session_no = ?", (number,)).fetchone()
        if left:
            leftover(ledger, verdict, number, "erased_lookup_present", f"session {name} is erased and can still be found in {left} ways")
        (frozen,) = ledger.events.execute(
            "SELECT count(*) FROM delivery_work AS w JOIN delivery AS d ON d.delivery_no = w.delivery_no"
            " WHERE d.session_no = ? AND w.frozen IS NOT NULL", (number,)).fetchone()
        if frozen:
            leftover(ledger, verdict, number, "erased_frozen_present", f"session {name} is erased and metadata of {frozen} requests is kept")
    known = {row["session_id"]: number for number, row in ledger.sessions.items()}
    for text in expected:
        number = known.get(form.plain_id(text))
        if number is None:
            verdict.problem("session_missing", f"session {text} was to be erased and is not listed at all")
        elif number not in ledger.erased:
            verdict.problem("not_erased", f"session {text} was to be erased and its key is alive")
