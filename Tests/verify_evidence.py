#!/usr/bin/env python3
"""Checks an evidence archive by itself, written from docs/evidence.md and docs/storage-format.md alone.

usage: verify_evidence.py FILE [--key NAME+HASH+KEY]

Prints one JSON object: `ok`, `problems` (sentences) and what was looked at; ends with 1 when something is wrong. It reads the archive
with the standard library's tarfile, recomputes digests, leaf hashes and Merkle paths with hashlib, and commitments with hmac. With the
package `cryptography` it also checks signatures and opens private halves again; without it says so in `skipped`.
"""

import argparse
import base64
import hashlib
import hmac
import json
import sys
import tarfile
import uuid

try:
    from cryptography.exceptions import InvalidSignature, InvalidTag
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
except ImportError:
    AESGCM = None

EVENT = ["position", "session_id", "version", "event_id", "type", "schema_version", "recorded_at_ms", "occurred_at_ms", "flags",
         "command_id", "correlation_id", "causation_position", "actor", "piece", "capture_id", "source", "outcome", "reason",
         "duration_ms", "facts", "private"]
ATTEMPT = ["delivery_id", "number", "fence", "destination", "kind", "started_at_ms", "finished_at_ms", "certainty", "curl_code",
           "status", "bytes_sent", "bytes_received", "explanation", "action", "retry_after_ms", "next_attempt_at_ms",
           "table_version", "evidence_id", "evidence_digest"]
PLAIN = ["position", "version", "schema_version", "recorded_at_ms", "occurred_at_ms", "flags", "command_id", "correlation_id",
         "causation_position", "actor", "reason", "duration_ms"]


class Archive:
    def __init__(self, path):
        self.problems, self.skipped, self.counts = [], [], {}
        self.tar = tarfile.open(path, "r:")
        self.files = {}
        for member in self.tar.getmembers():
            if not member.isreg() or member.name in self.files or member.name.startswith("/") or ".." in member.name.split("/"):
                self.wrong(f"{member.name} is no plain file, or comes twice")
                continue
            self.files[member.name] = member
        self.digests = {name: self.digest(name) for name in self.files}

    def wrong(self, sentence):
        self.problems.append(sentence)

    def digest(self, name):
        found, file = hashlib.sha256(), self.tar.extractfile(self.files[name])
        while part := file.read(1 << 18):
            found.update(part)
        return found.hexdigest()

    def read(self, name):
        if name not in self.files:
            self.wrong(f"{name} is not here")
            return b""
        return self.tar.extractfile(self.files[name]).read()

    def lines(self, name):
        return [json.loads(line) for line in self.read(name).splitlines()]


def row(data, names):
    """The columns of canonical bytes, by name."""
    values, offset = {}, 0
    for name in names:
        tag, offset = data[offset], offset + 1
        if tag == 0:
            values[name] = None
        elif tag == 1:
            values[name] = int.from_bytes(data[offset:offset + 8], "big", signed=True)
            offset += 8
        elif tag in (2, 3):
            length = int.from_bytes(data[offset:offset + 4], "big")
            content = data[offset + 4:offset + 4 + length]
            if len(content) != length:
                raise ValueError("cut short")
            values[name] = content.decode() if tag == 2 else content
            offset += 4 + length
        else:
            raise ValueError("unknown tag")
    if offset != len(data):
        raise ValueError("something follows the columns")
    return values


def root_from_path(leaf, index, size, path):
    """RFC 9162 §2.1.3.2; None when the path has another length than the tree asks for."""
    node, last, found = index, size - 1, leaf
    if not 0 <= index < size:
        return None
    for sibling in path:
        if last == 0:
            return None
        if node & 1 or node == last:
            found = hashlib.sha256(b"\x01" + sibling + found).digest()
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = hashlib.sha256(b"\x01" + found + sibling).digest()
        node, last = node >> 1, last >> 1
    return found if last == 0 else None


def note(text):
    """(signed text, [(name, key id, signature)]) of a signed note."""
    signed, _, rest = text.rpartition("\n\n")
    signatures = []
    for line in rest.splitlines():
        dash, name, code = line.split(" ")
        if dash != "\u2014":
            raise ValueError("no signature line")
        raw = base64.b64decode(code, validate=True)
        signatures.append((name, raw[:4], raw[4:]))
    return signed + "\n", signatures


def is_signed(text, name, key):
    signed, signatures = note(text)
    key_id = hashlib.sha256(name.encode() + b"\n\x01" + key).digest()[:4]
    own = [s for s in signatures if s[0] == name and s[1] == key_id]
    try:
        for _, _, signature in own:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, signed.encode())
    except InvalidSignature:
        return False
    return bool(own)


def check_listing(archive):
    listed = [line.split("  ", 1) for line in archive.read("SHA256SUMS").decode().splitlines()]
    names = {name for _, name in listed}
    for digest, name in listed:
        if archive.digests.get(name) != digest:
            archive.wrong(f"{name} is not the file that the listing names")
    for name in archive.files.keys() - names - {"SHA256SUMS", "manifest.json", "manifest.note"}:
        archive.wrong(f"{name} is not in the listing")
    manifest = json.loads(archive.read("manifest.json"))
    rest = {key: value for key, value in manifest.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if hashlib.sha256(text.encode()).hexdigest() != manifest["digest"]:
        archive.wrong("the manifest's own digest is wrong")
    if manifest["listing_sha256"] != archive.digests.get("SHA256SUMS") or manifest["entries"] != len(listed):
        archive.wrong("the manifest is of another listing")
    if manifest["format"] != "capture-ledger evidence v1":
        archive.wrong("the manifest's format is another")
    return manifest


def check_events(archive, session):
    """The leaf of each event by position, and what the events say of media and outcomes."""
    leaves, media, outcomes, opened, version = {}, {}, [], 0, 0
    state = {"erased": False, "purged": set(), "configuration": None, "findings": []}
    for event in archive.lines("events.jsonl"):
        data = base64.b64decode(event["row"], validate=True)
        stored = row(data, EVENT)
        position = stored["position"]
        leaf = hashlib.sha256(b"\0" + data).digest()
        leaves[position] = leaf
        facts = json.loads(stored["facts"])
        same = all(event.get(name) == stored[name] for name in PLAIN) and event["facts"] == facts
        for name in ("session_id", "event_id", "capture_id"):
            same = same and event.get(name) == (stored[name] and str(uuid.UUID(bytes=stored[name])))
        if not same or event["leaf"] != leaf.hex() or event["type_code"] != stored["type"]:
            archive.wrong(f"position {position}: what is shown is not what is stored")
        if event["session_id"] == session["session_id"]:
            version += 1
            if stored["version"] != version:
                archive.wrong(f"position {position}: version {stored['version']} where {version} was due")
        elif event["session_id"] != session["ledger_id"] or facts.get("session") != session["session_id"]:
            archive.wrong(f"position {position}: an event of another session")
        opened += check_private(archive, event, stored, position)
        if event["type"] == "piece_captured":
            media[event["capture_id"]] = (facts["commitment"], facts["bytes"], event["capture_id"])
        if event["type"] == "piece_checked":
            if "crop" in facts:
                media[facts["crop"]["id"]] = (facts["crop"]["commitment"], facts["crop"]["bytes"], event["capture_id"])
            state["findings"] += [(position, finding) for finding in facts.get("findings", [])]
        if "evidence" in facts:
            outcomes.append((position, facts["evidence"]))
        if event["type"] == "session_erased":
            state["erased"] = True
        if event["type"] == "media_purged":
            state["purged"].add(event["capture_id"])
        if event["type"] == "session_started":
            state["configuration"] = facts["configuration"]
    archive.counts.update(events=len(leaves), opened_private_halves=opened)
    return leaves, media, outcomes, state, version


def check_private(archive, event, stored, position):
    half = event.get("private")
    if (half is None) != (stored["private"] is None):
        archive.wrong(f"position {position}: a private half is shown where none is stored, or none where one is")
    if not half or half["state"] != "open":
        return 0
    if AESGCM is None:
        archive.skipped.append(f"private half of position {position}")
        return 0
    try:
        plain = AESGCM(bytes.fromhex(half["key"])).decrypt(bytes(12), stored["private"][1:], stored["session_id"])
    except InvalidTag:
        archive.wrong(f"position {position}: the stored private half does not open")
        return 0
    shown = base64.b64decode(half["content_base64"]) if "content_base64" in half else half["content"]
    if (plain if isinstance(shown, bytes) else json.loads(plain)) != shown:
        archive.wrong(f"position {position}: the private half that is shown is another")
    return 1


def check_media(archive, session, media, state, redacted):
    count = 0
    key = bytes.fromhex(session.get("commitment_key", ""))
    left = {line["entry"] for line in archive.lines("left-out.jsonl")}
    for name in archive.files:
        folder, _, rest = name.partition("/")
        if folder not in ("media", "crops"):
            continue
        if redacted:
            archive.wrong(f"{name} is media in a redacted archive")
        commitment, size, _ = media.get(rest[:36], (None, None, None))
        found = hmac.new(key, bytes.fromhex(archive.digests[name]), hashlib.sha256).hexdigest()
        if found != commitment or archive.files[name].size != size:
            archive.wrong(f"{name} is not what the session took in")
        count += 1
    if not redacted and not state["erased"]:
        here = {name.partition("/")[2][:36] for name in archive.files.keys() | left}
        for identifier, (_, _, capture) in media.items():
            if identifier not in here and capture not in state["purged"]:
                archive.wrong(f"media {identifier} is not here, and nothing says why")
    archive.counts["media"] = count
    return left


def check_deliveries(archive, outcomes, state, left, redacted):
    rows, answers, requests = set(), {}, {}
    for delivery in archive.lines("deliveries.jsonl"):
        for attempt in delivery["attempts"]:
            data = base64.b64decode(attempt["row"], validate=True)
            stored, digest = row(data, ATTEMPT), hashlib.sha256(data).hexdigest()
            rows.add(digest)
            if attempt["digest"] != digest or str(uuid.UUID(bytes=stored["delivery_id"])) != delivery["delivery_id"]:
                archive.wrong(f"a request of delivery {delivery['delivery_id']} is another than is stored")
            for name in ATTEMPT:
                value = stored[name]
                if isinstance(value, bytes):
                    value = str(uuid.UUID(bytes=value)) if len(value) == 16 else value.hex()
                if attempt.get(name) != value:
                    archive.wrong(f"{name} of a request of delivery {delivery['delivery_id']} is another than is stored")
            if stored["evidence_id"]:
                answers[str(uuid.UUID(bytes=stored["evidence_id"]))] = stored["evidence_digest"].hex()
        if "request" in delivery:
            requests[delivery["delivery_id"]] = delivery["request"]["frozen_sha256"]
    for position, digest in outcomes:
        if digest not in rows:
            archive.wrong(f"position {position}: the request that the outcome rests on is not here")
    for identifier, digest in answers.items():
        name = "answers/" + identifier
        if name in archive.files:
            if archive.digests[name] != digest:
                archive.wrong(f"{name} is another answer than the row names")
        elif not redacted and not state["erased"] and name not in left:
            archive.wrong(f"{name} is not here")
    for name in archive.files:
        folder, _, rest = name.partition("/")
        if folder == "answers" and rest not in answers:
            archive.wrong(f"{name} answers no request")
        if folder == "requests" and frozen(json.loads(archive.read(name))) != requests.get(rest[:36]):
            archive.wrong(f"{name} is not the request that was frozen")
        if folder in ("answers", "requests") and redacted:
            archive.wrong(f"{name} is in a redacted archive")
    archive.counts.update(attempts=len(rows), answers=len(answers))


def frozen(request):
    data = bytes([1, 2 if request["media_form"] == "base64" else 1]) + request["media_bytes"].to_bytes(8, "big")
    for part in (request["content_type"].encode(), bytes.fromhex(request["media_sha256"]),
                 base64.b64decode(request["head_base64"]), base64.b64decode(request["tail_base64"])):
        data += len(part).to_bytes(4, "big") + part
    return hashlib.sha256(data).hexdigest()


def check_proof(archive, leaves, manifest, trusted):
    text = archive.read("proof/checkpoint.txt").decode()
    signed, _ = note(text)
    origin, size, root = signed.split("\n")[:3]
    size, root = int(size), base64.b64decode(root, validate=True)
    if origin.split("/")[1] != manifest["ledger_id"]:
        archive.wrong("the checkpoint is of another ledger")
    proofs = {proof["position"]: proof for proof in archive.lines("proof/inclusion.jsonl")}
    proven = 0
    for position, leaf in leaves.items():
        proof = proofs.get(position)
        path = [bytes.fromhex(node) for node in proof["path"]] if proof else []
        if proof and root_from_path(leaf, position - 1, size, path) == root:
            proven += 1
        else:
            archive.wrong(f"position {position}: not under the root of the checkpoint")
    archive.counts.update(proven_events=proven, tree_size=size)
    if AESGCM is None:
        archive.skipped.append("signatures")
        return
    keys = [(key["generation"], bytes.fromhex(key["public_key"]), bytes.fromhex(key.get("endorsement", "")))
            for key in archive.lines("proof/signing-keys.jsonl")]
    for (_, older, _), (generation, key, endorsement) in zip(keys, keys[1:]):
        said = b"capture-ledger signing key v1\n" + uuid.UUID(manifest["ledger_id"]).bytes + generation.to_bytes(4, "big") + key
        try:
            Ed25519PublicKey.from_public_bytes(older).verify(endorsement, said)
        except InvalidSignature:
            archive.wrong(f"key {generation} is not signed by the one before it")
    signers = [key for _, key, _ in keys if is_signed(text, origin, key)]
    if not signers:
        archive.wrong("the checkpoint is signed by none of the keys")
        return
    seal = archive.read("manifest.note").decode()
    said = f"capture-ledger evidence v1\n{manifest['digest']}\n"
    if note(seal)[0] != said or not is_signed(seal, origin, signers[-1]):
        archive.wrong("the manifest is not signed by the key of the checkpoint")
    if trusted and base64.b64decode(trusted.split("+", 2)[2])[1:] not in [key for _, key, _ in keys]:
        archive.wrong("the checkpoint is not signed by the key that was given")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--key")
    options = parser.parse_args()
    archive = None
    try:
        archive = Archive(options.file)
        manifest = check_listing(archive)
        session = json.loads(archive.read("session.json"))
        redacted = session["redacted"]
        leaves, media, outcomes, state, version = check_events(archive, session)
        for name in ("ledger_id", "session_id", "redacted"):
            if session[name] != manifest[name]:
                archive.wrong(f"the manifest's {name} is another")
        if manifest["events"] != len(leaves) or manifest["version"] != version:
            archive.wrong("the manifest speaks of more or fewer events")
        if state["configuration"] != archive.digests.get("configuration.json"):
            archive.wrong("the configuration is another")
        told = [line for line in archive.lines("findings.jsonl") if "metric" in line]
        kept = [{key: value for key, value in line.items() if key not in ("position", "piece", "capture_id")} for line in told]
        if kept != [finding for _, finding in state["findings"]]:
            archive.wrong("the findings are not those of the events")
        if redacted and ("commitment_key" in session or archive.counts["opened_private_halves"]):
            archive.wrong("a redacted archive holds a key or a private half")
        left = check_media(archive, session, media, state, redacted)
        check_deliveries(archive, outcomes, state, left, redacted)
        check_proof(archive, leaves, manifest, options.key)
    except (ValueError, KeyError, IndexError, TypeError, tarfile.TarError, OSError) as error:
        archive = archive or type("None", (), {"problems": [], "skipped": [], "counts": {}})()
        archive.problems.append(f"it cannot be read: {type(error).__name__}")
    print(json.dumps({"ok": not archive.problems, "problems": archive.problems, "skipped": archive.skipped, **archive.counts}))
    sys.exit(1 if archive.problems else 0)


main()
