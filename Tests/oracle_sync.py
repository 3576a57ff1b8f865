"""Deliveries, attempts and what the endpoint saw."""

import json
import re
import urllib.request

import oracle_format as form

OUTCOME_TYPES = {"piece_verified": 2, "piece_rejected": 3, "piece_delivery_parked": 4}


def check_deliveries(ledger, verdict):
    confirmed = {}
    for event in ledger.events.execute("SELECT * FROM event"):
        if ledger.types.get(event["type"]) == "piece_confirmed":
            confirmed[event["position"]] = event
    for row in ledger.events.execute("SELECT * FROM delivery"):
        verdict.count("deliveries")
        number, event = row["delivery_no"], confirmed.pop(row["delivery_no"], None)
        if event is None:
            verdict.problem("delivery_without_event", "no confirmed capture stands behind the delivery", number)
            continue
        facts = json.loads(event["facts"])
        if (row["session_no"], row["capture_id"], row["piece"], row["destination"]) != (
                event["session_no"], event["capture_id"], event["piece"], facts.get("destination")):
            verdict.problem("delivery_wrong", "the delivery names another capture than its event", number)
        if row["delivery_id"] != form.delivery_id(
                ledger.session_id(row["session_no"]) or b"", row["capture_id"], row["destination"]):
            verdict.problem("delivery_id_wrong", "the delivery's id is not derived from session, capture, destination", number)
        if row["status"] == 1 and row["session_no"] in ledger.erased:
            verdict.problem("erased_delivery_waiting", "a delivery of an erased session still waits", number)
        check_settlement(ledger, verdict, row)
    for position in confirmed:
        verdict.problem("delivery_missing", "a confirmed capture has no delivery", position)


def check_settlement(ledger, verdict, row):
    if row["status"] not in OUTCOME_TYPES.values():
        return
    event = ledger.events.execute("SELECT * FROM event WHERE position = ?", (row["settled_position"],)).fetchone()
    fits = event is not None and OUTCOME_TYPES.get(ledger.types.get(event["type"])) == row["status"]
    if not fits or form.plain_id(json.loads(event["facts"]).get("delivery")) != row["delivery_id"]:
        verdict.problem("settlement_wrong", "the delivery's status is not what its outcome's event says", row["delivery_no"])


def check_attempts(ledger, verdict):
    digests, numbers = set(), {}
    for row in ledger.events.execute("SELECT * FROM attempt ORDER BY delivery_no, number"):
        verdict.count("attempts")
        digests.add(form.sha256(form.canonical_row([row[c] for c in form.ATTEMPT_COLUMNS])).hex())
        numbers[row["delivery_no"]] = numbers.get(row["delivery_no"], 0) + 1
        if row["number"] != numbers[row["delivery_no"]]:
            verdict.problem("attempt_gap", f"attempt {row['number']} where {numbers[row['delivery_no']]} is next", row["delivery_no"])
        delivery = ledger.events.execute("SELECT * FROM delivery WHERE delivery_no = ?", (row["delivery_no"],)).fetchone()
        if delivery is None or (delivery["delivery_id"], delivery["destination"]) != (row["delivery_id"], row["destination"]):
            verdict.problem("attempt_dangling", "an attempt belongs to no delivery", row["delivery_no"])
    for event in ledger.events.execute("SELECT * FROM event"):
        if ledger.types.get(event["type"]) in OUTCOME_TYPES:
            named = json.loads(event["facts"]).get("evidence")
            if named is not None and named not in digests:
                verdict.problem("attempt_altered", "the attempt that the outcome names is missing or altered", event["position"])


def read_record(source):
    """The requests that reached the sandbox: from its control address, the answer kept in a file, or its record file."""
    if re.match(r"https?://", source):
        address = source if source.endswith("/requests") else source.rstrip("/") + "/requests"
        with urllib.request.urlopen(address, timeout=10) as answer:
            return json.load(answer)["requests"]
    with open(source, encoding="utf-8") as file:
        text = file.read()
    try:
        whole = json.loads(text) if text.strip() else {"requests": []}
        if "requests" in whole:
            return whole["requests"]
    except ValueError:
        pass
    requests = []
    for line in text.splitlines():
        entry = json.loads(line)
        if entry.get("event") == "reset":
            requests = []
        elif entry.get("event") == "request":
            requests.append(entry | entry.get("request", {}))
    return requests


def check_effects(ledger, verdict, requests):
    """Each delivered capture had exactly one effect, with its own key and the bytes that were captured."""
    effects, keys = {}, {}
    deliveries = ledger.events.execute("SELECT * FROM delivery").fetchall()
    for request in requests:
        subject = subject_of(ledger, request, deliveries)
        if subject is None:
            if request.get("effect"):
                verdict.problem("effect_unknown", f"the endpoint took in {label(request)}, which no delivery of the ledger is")
            continue
        if request.get("digest"):
            check_sent_bytes(ledger, verdict, subject, request)
        keys.setdefault(subject, set()).add(form.plain_id(request.get("key")))
        effects[subject] = effects.get(subject, 0) + bool(request.get("effect"))
    verdict.count("effects", sum(effects.values()))
    for row in deliveries:
        subject = (row["capture_id"], row["destination"])
        count = effects.get(subject, 0)
        if count > 1:
            verdict.problem("effect_repeated", f"capture {form.named(row['capture_id'])} took effect {count} times", row["delivery_no"])
        if row["status"] in (2, 3) and count == 0:
            verdict.problem("effect_missing", "the delivery has an outcome that the endpoint never gave", row["delivery_no"])
        for key in keys.get(subject, set()) - {row["delivery_id"]}:
            verdict.problem("key_wrong", f"sent with the key {form.named(key or b'')} and not its own", row["delivery_no"])


def subject_of(ledger, request, deliveries):
    capture = form.plain_id(request.get("capture_id"))
    if capture is None:  # a hologram's body names neither: known by its key, else by the digest of the decoded video
        for row in deliveries:
            if row["delivery_id"] == form.plain_id(request.get("key")):
                return row["capture_id"], row["destination"]
        for row in deliveries:
            event = ledger.captures.get(row["capture_id"])
            key = ledger.key_of(row["session_no"])
            if event and key and request.get("digest") and form.commitment(
                    key, bytes.fromhex(request["digest"])).hex() == event[1].get("commitment"):
                return row["capture_id"], row["destination"]
        return None
    for row in deliveries:
        if row["capture_id"] == capture:
            session = form.plain_id(request.get("session_id"))
            fits = ledger.session_id(row["session_no"]) == session and ledger.pieces.get(row["piece"]) == request.get("piece")
            return (row["capture_id"], row["destination"]) if fits else None
    return None


def check_sent_bytes(ledger, verdict, subject, request):
    event, facts = ledger.captures.get(subject[0], (None, None))
    key = ledger.key_of(event["session_no"]) if event else None
    if key and form.commitment(key, bytes.fromhex(request["digest"])).hex() != facts.get("commitment"):
        verdict.problem("sent_bytes_wrong", f"{label(request)} is not what was captured", event["position"])


def label(request):
    return "/".join(str(request.get(k)) for k in ("session_id", "piece", "capture_id")) if request.get("capture_id") else (
        f"a video {request.get('digest')}")
