#!/usr/bin/env python3
"""Checks what a ledger gives out as proof, without the product's code: written from docs/proof.md and docs/storage-format.md.

usage: verify_proofs.py note FILE --key KEY            a checkpoint's signature; prints what it says
       verify_proofs.py proofs FILE [--key KEY] [--note FILE] [--mutate SEED]
                                                       JSON lines of audit prove: every one must hold; with --key those that carry a
                                                       checkpoint, or FILE's, are held against it; with --mutate every proof is
                                                       spoilt in one place as well, and must not hold then
       verify_proofs.py ledger DIR [--key KEY] [--note FILE…]
                                                       recomputes the whole tree from ledger.sqlite: tiles, roots of checkpoints,
                                                       signatures, endorsements

KEY is NAME+HASH+KEY, or a file that holds it. Standard library and python3-cryptography. Exit 0 when all holds, 1 when something
does not, 2 when it cannot be read.
"""

import argparse
import base64
import hashlib
import json
import os
import random
import shutil
import sqlite3
import struct
import sys
import tempfile
import uuid

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Wrong(Exception):
    """Something does not hold."""


def sha256(data):
    return hashlib.sha256(data).digest()


# the tree: RFC 6962 section 2.1, checked as in RFC 9162 sections 2.1.3.2 and 2.1.4.2


def node(left, right):
    return sha256(b"\x01" + left + right)


def root_of(leaves):
    """Of a list, by the definition and nothing cleverer."""
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return node(root_of(leaves[:half]), root_of(leaves[half:]))


class RunningRoots:
    """Roots at every size while leaves go by: the full subtrees that a prefix is made of."""

    def __init__(self):
        self.size, self.peaks = 0, []

    def add(self, leaf):
        size, hash_ = self.size, leaf
        while size & 1:
            hash_ = node(self.peaks.pop(), hash_)
            size >>= 1
        self.peaks.append(hash_)
        self.size += 1

    def root(self):
        if not self.peaks:
            return sha256(b"")
        hash_ = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            hash_ = node(peak, hash_)
        return hash_


def root_from_inclusion(leaf, index, size, path):
    if not 0 <= index < size:
        raise Wrong("the index is not in the tree")
    fn, sn, r = index, size - 1, leaf
    for p in path:
        if sn == 0:
            raise Wrong("the path is too long")
        if fn & 1 or fn == sn:
            r = node(p, r)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = node(r, p)
        fn, sn = fn >> 1, sn >> 1
    if sn != 0:
        raise Wrong("the path is too short")
    return r


def check_consistency(first, first_root, second, second_root, path):
    if not 0 <= first <= second:
        raise Wrong("the sizes are not in order")
    if first == second or first == 0:
        if path:
            raise Wrong("nothing needs no path")
        if first_root != (second_root if first else sha256(b"")):
            raise Wrong("the roots differ")
        return
    path = list(path)
    if first & (first - 1) == 0:
        path.insert(0, first_root)
    if not path:
        raise Wrong("the path is too short")
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = path[0]
    for c in path[1:]:
        if sn == 0:
            raise Wrong("the path is too long")
        if fn & 1 or fn == sn:
            fr, sr = node(c, fr), node(c, sr)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node(sr, c)
        fn, sn = fn >> 1, sn >> 1
    if sn != 0 or fr != first_root or sr != second_root:
        raise Wrong("the later tree does not begin with the earlier one")


# notes: c2sp.org/signed-note and c2sp.org/tlog-checkpoint


def plain64(text):
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise Wrong("base64 that nobody writes")
    return data


class Key:
    def __init__(self, text):
        if os.path.exists(text):
            with open(text, encoding="utf-8") as file:
                text = file.read()
        self.name, hash_, key = text.strip().split("+", 2)
        data = plain64(key)
        if len(data) != 33 or data[0] != 1:
            raise Wrong("not an Ed25519 key")
        self.public = data[1:]
        self.id = key_id(self.name, self.public)
        if self.id.hex() != hash_:
            raise Wrong("the hash in the key is not the key's")


def key_id(name, public):
    return sha256(name.encode() + b"\n\x01" + public)[:4]


def signed_by(public, signature, message):
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        return True
    except InvalidSignature:
        return False


class Note:
    def __init__(self, text):
        if any(ord(c) < 0x20 and c != "\n" for c in text) or not text.endswith("\n"):
            raise Wrong("not a note")
        body, gap, tail = text.rpartition("\n\n")
        if not gap:
            raise Wrong("a note has an empty line")
        self.text = body + "\n"
        self.signatures = []
        for line in tail.splitlines():
            dash, name, signature = line.split(" ")
            if dash != "\u2014":
                raise Wrong("not a signature")
            data = plain64(signature)
            self.signatures.append((name, data[:4], data[4:]))
        lines = self.text.split("\n")
        if len(lines) < 4 or lines[-1] or not all(lines[:-1]) or str(int(lines[1])) != lines[1]:
            raise Wrong("not a checkpoint")
        self.origin, self.size, self.root, self.extensions = lines[0], int(lines[1]), plain64(lines[2]), lines[3:-1]
        if len(self.root) != 32:
            raise Wrong("a root has 32 bytes")

    def is_signed_by(self, name, public):
        own = [s for n, i, s in self.signatures if (n, i) == (name, key_id(name, public))]
        return bool(own) and all(signed_by(public, s, self.text.encode()) for s in own)

    def check(self, key):
        if not self.is_signed_by(key.name, key.public):
            raise Wrong("the checkpoint is not signed by that key")


# proofs as audit prove prints them


def hashes(values):
    result = [bytes.fromhex(v) for v in values]
    if any(len(h) != 32 for h in result):
        raise Wrong("a hash has 32 bytes")
    return result


def check_proof(proof, key=None, note=None):
    path = hashes(proof["path"])
    if proof["format"] == "capture-ledger inclusion proof v1":
        leaf, root = hashes([proof["leaf"], proof["root"]])
        if "event" in proof:
            event = bytes.fromhex(proof["event"])
            if sha256(b"\x00" + event) != leaf:
                raise Wrong("the leaf is not the event's")
            if event[:9] != b"\x01" + struct.pack(">q", proof["position"]):
                raise Wrong("the event stands at another position")
        if root_from_inclusion(leaf, proof["position"] - 1, proof["tree_size"], path) != root:
            raise Wrong("the path leads elsewhere")
        text = note if note is not None else proof.get("checkpoint")
        if key is not None and text is not None:
            checkpoint = Note(text)
            checkpoint.check(key)
            if (checkpoint.size, checkpoint.root) != (proof["tree_size"], root):
                raise Wrong("the proof is of another tree than the checkpoint")
    elif proof["format"] == "capture-ledger consistency proof v1":
        earlier, later = hashes([proof["from_root"], proof["to_root"]])
        check_consistency(proof["from_size"], earlier, proof["to_size"], later, path)
    else:
        raise Wrong("another format")


def spoil(proof, chance):
    """The same proof with one thing wrong."""
    spoilt = json.loads(json.dumps(proof))
    fields = [f for f in ("leaf", "root", "from_root", "to_root", "event") if f in spoilt]
    # a size by itself is no claim: it is bound to its root by a checkpoint, and without one a neighbouring size may fit the path
    numbers = [f for f in ("position", "tree_size") if f in spoilt and (f == "position" or "checkpoint" in spoilt)]
    ways = ["bit"] * len(fields) + ["number"] * len(numbers)
    if spoilt["path"]:
        ways += ["path bit", "path bit", "shorter", "swapped"]
    ways += ["longer"]
    way = chance.choice(ways)
    if way == "bit":
        field = chance.choice(fields)
        spoilt[field] = flip(spoilt[field], chance)
    elif way == "number":
        # any other number: within the log, where the path may fit by its length, as without
        field = chance.choice(numbers)
        low, high = (1, spoilt.get("tree_size", 1)) if field == "position" else (0, spoilt[field] + 3)
        choices = [n for n in range(max(low, spoilt[field] - 300), min(high, spoilt[field] + 300) + 1) if n != spoilt[field]]
        if not choices:
            return spoil(proof, chance)
        spoilt[field] = chance.choice(choices)
    elif way == "path bit":
        place = chance.randrange(len(spoilt["path"]))
        spoilt["path"][place] = flip(spoilt["path"][place], chance)
    elif way == "shorter":
        del spoilt["path"][chance.randrange(len(spoilt["path"]))]
    elif way == "longer":
        spoilt["path"].insert(chance.randrange(len(spoilt["path"]) + 1), chance.randbytes(32).hex())
    elif way == "swapped":
        place = chance.randrange(len(spoilt["path"]))
        spoilt["path"].insert(0, spoilt["path"].pop(place))
        if spoilt == proof:
            return spoil(proof, chance)
    return spoilt


def flip(text, chance):
    data = bytearray.fromhex(text)
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return data.hex()


# the whole ledger


def encode(row):
    out = bytearray()
    for value in row:
        if value is None:
            out += b"\x00"
        elif isinstance(value, int):
            out += b"\x01" + struct.pack(">q", value)
        else:
            data, tag = (value.encode(), b"\x02") if isinstance(value, str) else (value, b"\x03")
            out += tag + struct.pack(">I", len(data)) + data
    return bytes(out)


EVENTS = """
SELECT e.position, s.session_id, e.version, e.event_id, e.type, e.schema_version, e.recorded_at_ms, e.occurred_at_ms, e.flags,
    e.command_id, e.correlation_id, e.causation_position, e.actor, e.piece, e.capture_id, e.source, e.outcome, e.reason,
    e.duration_ms, e.facts, e.private
FROM event AS e JOIN session AS s USING (session_no) ORDER BY e.position
"""


def check_ledger(folder, key=None, notes=()):
    problems = []
    with tempfile.TemporaryDirectory() as copies:
        for name in ("ledger.sqlite", "ledger.sqlite-wal"):
            if os.path.exists(os.path.join(folder, name)):
                shutil.copy(os.path.join(folder, name), copies)
        db = sqlite3.connect(os.path.join(copies, "ledger.sqlite"))
        (ledger_id,) = db.execute("SELECT ledger_id FROM ledger").fetchone()
        keys = db.execute("SELECT generation, public_key, endorsement FROM signing_key ORDER BY generation").fetchall()
        events = {}
        for facts, in db.execute("SELECT facts FROM event WHERE type = 112 ORDER BY position"):
            added = json.loads(facts)
            events[added["generation"]] = (bytes.fromhex(added["public_key"]), added.get("endorsement"))
        for index, (generation, public, endorsement) in enumerate(keys):
            if generation != index + 1:
                problems.append(f"key {generation} is not the next one")
            if index:
                message = b"capture-ledger signing key v1\n" + ledger_id + struct.pack(">I", generation) + public
                if not signed_by(keys[index - 1][1], endorsement, message):
                    problems.append(f"key {generation} is not endorsed")
            if events.get(generation) != (public, endorsement.hex() if endorsement else None):
                problems.append(f"key {generation} is not the one of its event")
        if key is not None and key.public not in [k[1] for k in keys]:
            problems.append("the key that was given is none of the ledger's")
        wanted = {}
        stored = db.execute("SELECT tree_size, root, generation, signed_at_ms, note FROM checkpoint").fetchall()
        public = {generation: data for generation, data, _ in keys}
        for size, root, generation, signed_at, text in stored:
            note = Note(text)
            if (note.size, note.root) != (size, root) or f"time {signed_at}" not in note.extensions:
                problems.append(f"the checkpoint of {size} events is not its note")
            if note.origin.split("/")[:2] != ["capture-ledger", str(uuid.UUID(bytes=ledger_id))]:
                problems.append(f"the checkpoint of {size} events is another ledger's")
            if generation not in public or not note.is_signed_by(note.origin, public[generation]):
                problems.append(f"the checkpoint of {size} events is not signed")
            wanted.setdefault(size, []).append(root)
        for text in notes:
            note = Note(text)
            if key is not None:
                note.check(key)
            wanted.setdefault(note.size, []).append(note.root)
        tree, leaves = RunningRoots(), []
        levels = [[]]
        for row in db.execute(EVENTS):
            if row[0] != tree.size + 1:
                problems.append(f"position {tree.size + 1} is missing")
                break
            leaf = sha256(b"\x00" + encode(row))
            tree.add(leaf)
            leaves.append(leaf)
            if len(leaves) == 256:
                levels[0].append(root_of(leaves))
                leaves = []
            for root in wanted.pop(tree.size, []):
                if root != tree.root():
                    problems.append(f"the first {tree.size} events are not what was signed")
        for size in wanted:
            problems.append(f"{size} events were signed and the log has {tree.size}")
        while len(levels[-1]) >= 256:
            below = levels[-1]
            levels.append([root_of(below[i : i + 256]) for i in range(0, len(below) - 255, 256)])
        tiles = 0
        for level, number, blob in db.execute("SELECT level, tile_no, hashes FROM tree_tile"):
            tiles += 1
            have = levels[level - 1][number * 256 : number * 256 + len(blob) // 32] if level <= len(levels) else []
            if b"".join(have) != blob:
                problems.append(f"tile {number} of level {level} is not made of the events")
    return {
        "ok": not problems, "events": tree.size, "root": tree.root().hex(), "checkpoints": len(stored), "tiles": tiles,
        "keys": len(keys), "problems": problems,
    }


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["note", "proofs", "ledger"])
    parser.add_argument("path")
    parser.add_argument("--key")
    parser.add_argument("--note", action="append", default=[])
    parser.add_argument("--mutate", type=int)
    options = parser.parse_args()
    try:
        key = Key(options.key) if options.key else None
        notes = [read(path) for path in options.note]
        if options.what == "note":
            note = Note(read(options.path))
            if key is None:
                raise Wrong("a note is worth nothing without a key")
            note.check(key)
            answer = {"ok": True, "origin": note.origin, "tree_size": note.size, "root": note.root.hex()}
        elif options.what == "ledger":
            answer = check_ledger(options.path, key, notes)
        else:
            answer = check_proofs(options, key, notes[0] if notes else None)
    except (Wrong, ValueError, KeyError) as wrong:
        answer = {"ok": False, "problems": [str(wrong)]}
    except (OSError, sqlite3.Error) as error:
        print(json.dumps({"ok": False, "problems": [str(error)]}))
        return 2
    print(json.dumps(answer))
    return 0 if answer["ok"] else 1


def check_proofs(options, key, note):
    checked, refused, problems = 0, 0, []
    chance = random.Random(options.mutate)
    with open(options.path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            proof = json.loads(line)
            try:
                check_proof(proof, key, note)
                checked += 1
            except (Wrong, ValueError, KeyError) as wrong:
                problems.append(f"line {number}: {wrong}")
            if options.mutate is None:
                continue
            spoilt = spoil(proof, chance)
            try:
                check_proof(spoilt, key, note)
                problems.append(f"line {number}: spoilt, and it still holds: {json.dumps(spoilt)}")
            except (Wrong, ValueError, KeyError, struct.error):
                refused += 1
    return {"ok": not problems, "checked": checked, "refused": refused, "problems": problems[:20]}


if __name__ == "__main__":
    sys.exit(main())
