"""Judges a record of the hostile server, from nothing but the bytes that it received.

usage: python3 check.py RECORD [--expect-deliveries N]

Prints JSON: what it counted and every problem. Exit 0 when there is none. Everything is recomputed from the raw bytes; of what
the server says about a request only `taken` is believed, and a request that was taken in must be whole.
"""

import argparse
import base64
import hashlib
import json
import re
import sys

BOUNDARY = re.compile(rb"^--([0-9A-Za-z'()+_,./:=? -]{1,70})\r\n")


def parse(raw):
    """(method, path, header fields, body)"""
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    method, path, _ = (lines[0] + "  ").split(" ", 2)
    fields = [(line.split(":", 1)[0].strip().lower(), line.split(":", 1)[1].strip()) for line in lines[1:] if ":" in line]
    return method, path, fields, body


def who(body):
    """The submission that a whole body is: its session, piece and capture, or the digest of its video. None: neither."""
    if found := BOUNDARY.match(body):
        if not body.endswith(b"\r\n--" + found.group(1) + b"--\r\n"):
            return None
        start = body.index(b"\r\n\r\n") + 4
        metadata = json.loads(body[start:body.index(b"\r\n--" + found.group(1), start)])
        media = body.index(b"\r\n\r\n", start) + 4
        bytes_sent = body[media:-len(found.group(1)) - 8]
        if metadata["media"]["bytes"] != len(bytes_sent):
            raise ValueError("the media has another length than the metadata says")
        if metadata["media"]["sha256"] != hashlib.sha256(bytes_sent).hexdigest():
            raise ValueError("the media has another digest than the metadata says")
        return f"{metadata['session_id']} {metadata['piece']} {metadata['capture_id']}"
    document = json.loads(body)
    return "video " + hashlib.sha256(base64.b64decode(document["video"], validate=True)).hexdigest()


def judge(lines):
    problems = []
    effects, bodies, keys_of, lengths, first_whole = {}, {}, {}, {}, {}
    requests = partial = 0
    for number, line in enumerate(lines, 1):
        raw = base64.b64decode(line["raw"])
        method, path, fields, body = parse(raw)
        names = [name for name, _ in fields]
        values = dict(fields)

        def problem(text):
            problems.append(f"line {number} ({line['behaviour']}): {text}")

        if "traceparent" not in names and b"\r\n\r\n" in raw:
            problem("no traceparent")
        if values.get("expect"):
            problem("it asks for 100-continue, after which a client may repeat by itself")
        if method == "GET":
            if body:
                problem("a question with a body")
            continue
        requests += 1
        for name in ("idempotency-key", "content-length", "content-type", "host"):
            if names.count(name) != 1:
                problem(f"{names.count(name)} fields {name}")
        key = values.get("idempotency-key")
        if "transfer-encoding" in names:
            problem("a body without a declared length")
        lengths.setdefault(key, set()).add(values.get("content-length"))
        if len(body) < int(values.get("content-length", "0")):
            partial += 1
            if line["taken"] != "no":
                problem("a part of a body was taken in")
            first_whole.setdefault(key, []).append((number, body))
            continue
        try:
            identity = who(body)
        except (ValueError, KeyError) as error:
            problem(f"the body is malformed: {error}")
            continue
        if identity is None:
            problem("the body is neither a capture nor a video")
            continue
        bodies.setdefault(key, {})[hashlib.sha256(body).hexdigest()] = body
        keys_of.setdefault(identity, set()).add(key)
        if line["taken"] == "effect":
            effects[identity] = effects.get(identity, 0) + 1
        if line["taken"] == "conflict":
            problem("the key was used with another body before")
    for identity, count in effects.items():
        if count != 1:
            problems.append(f"{count} effects of one submission: {identity}")
    for identity, keys in keys_of.items():
        if len(keys) != 1:
            problems.append(f"{len(keys)} keys for one submission: {identity}")
    for key, digests in bodies.items():
        if len(digests) != 1:
            problems.append(f"{len(digests)} bodies under one key: {key}")
    for key, values in lengths.items():
        if len(values) != 1:
            problems.append(f"{len(values)} declared lengths under one key: {key}")
    for key, parts in first_whole.items():
        for number, part in parts:
            for body in bodies.get(key, {}).values():
                if not body.startswith(part):
                    problems.append(f"line {number}: what arrived of a body is not its beginning")
    return {
        "requests": requests, "partial": partial, "keys": len(lengths), "submissions": len(keys_of), "effects": len(effects),
        "problems": problems}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("record")
    parser.add_argument("--expect-deliveries", type=int)
    options = parser.parse_args()
    with open(options.record, encoding="utf-8") as file:
        verdict = judge([json.loads(line) for line in file if line.strip()])
    if options.expect_deliveries is not None and verdict["keys"] != options.expect_deliveries:
        verdict["problems"].append(f"{verdict['keys']} keys for {options.expect_deliveries} deliveries")
    print(json.dumps(verdict))
    return 1 if verdict["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
