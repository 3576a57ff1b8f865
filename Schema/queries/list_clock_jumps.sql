-- list_clock_jumps: every clock_adjusted (type 101) of the ledger's stream
SELECT position, json_extract(facts, '$.to_ms') - json_extract(facts, '$.from_ms')
FROM event WHERE session_no = 0 AND type = 101 ORDER BY version;
