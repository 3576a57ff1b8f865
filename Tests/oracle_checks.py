"""What the checks decided, against what was sent and what waits."""

import json

PASSED, NOT_JUDGED = 5, "scanner_not_ready"


def check_judgements(ledger, verdict):
    configurations = {
        row["digest"].hex(): json.loads(row["json"]) for row in ledger.events.execute("SELECT digest, json FROM configuration")}
    modes, judged = {}, {}
    for event in ledger.events.execute("SELECT * FROM event ORDER BY position"):
        kind = ledger.types.get(event["type"])
        if kind not in ("session_started", "piece_checked"):
            continue
        facts = json.loads(event["facts"])
        if kind == "session_started":
            modes[event["session_no"]] = configurations.get(facts.get("configuration"), {}).get("checks")
        elif not facts.get("late") and event["reason"] != NOT_JUDGED:
            if event["capture_id"] in judged:
                verdict.problem("judged_twice", "a capture was judged a second time", event["position"])
            judged[event["capture_id"]] = event["outcome"] == PASSED
            verdict.count("judgements")
            if "crop" in facts and event["outcome"] != PASSED:
                verdict.problem("crop_of_a_failure", "a crop was kept of a capture that failed", event["position"])
    for row in ledger.events.execute("SELECT * FROM delivery"):
        mode, passed = modes.get(row["session_no"]), judged.get(row["capture_id"], False)
        (attempts,) = ledger.events.execute(
            "SELECT count(*) FROM attempt WHERE delivery_no = ?", (row["delivery_no"],)).fetchone()
        if mode in ("required", "deferred") and not passed and attempts:
            verdict.problem("sent_unchecked", "a capture was sent that had not passed its checks", row["delivery_no"])
        waits = mode == "deferred" and row["capture_id"] not in judged
        if row["status"] == 1 and waits != (row["blocked"] == "checks"):
            verdict.problem("block_wrong", f"a delivery waits for {row['blocked']}, against its judgement", row["delivery_no"])
