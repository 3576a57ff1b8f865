"""A witness as c2sp.org/tlog-witness has it, over plain http on a loopback address.

usage: python3 Tests/Support/WitnessServer FOLDER

The first line of output names the port; then every line of input is a command, answered by one line: {"do":"trust","key":KEY} takes
a log in, {"do":"set","status":N} makes every request fail with that status (0: none), {"do":"sizes"} tells what was cosigned,
{"do":"forget"} and {"do":"pretend","origin":O,"size":N} change what it remembers, {"do":"requests"} tells what came, {"do":"key"} its own key, and
{"do":"sign","how":H} has it sign right, over another text, with a changed byte, under another key, or not at all: "right", "text",
"byte", "key", "none". Notes and proofs
are judged by Tests/verify_proofs.py.
"""

import base64
import http.server
import json
import os
import sys
import threading
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

import verify_proofs as proofs

LOCK = threading.Lock()
KEYS, SEEN, REQUESTS = {}, {}, []
STATUS = [0]
SIGNER, OTHER = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
HOW = ["right"]
NAME = "witness.example/w1"


def key_id(signer):
    return proofs.sha256(NAME.encode() + b"\n\x04" + signer.public_key().public_bytes_raw())[:4]


def cosign(text):
    if HOW[0] == "none":
        return ""
    now = int(time.time())
    signed = text.replace("\n", "\n\n", 1) if HOW[0] == "text" else text
    message = f"cosignature/v1\ntime {now}\n{signed}".encode()
    signer = OTHER if HOW[0] == "key" else SIGNER
    data = bytearray(key_id(signer) + now.to_bytes(8, "big") + signer.sign(message))
    if HOW[0] == "byte":
        data[4 + now % (len(data) - 4)] ^= 0x10
    # a line of a kind that nobody here knows goes before it
    unknown = base64.b64encode(b"\x01\x02\x03\x04" + b"\x06" * 2420).decode()
    return f"\u2014 other.example/w {unknown}\n\u2014 {NAME} {base64.b64encode(bytes(data)).decode()}\n"


def add(body):
    """(status, content type, answer)"""
    head, gap, text = body.partition("\n\n")
    lines = head.split("\n")
    if not gap or not lines[0].startswith("old ") or len(lines) > 64:
        return 400, "text/plain", "malformed\n"
    old, path = int(lines[0][4:]), [proofs.plain64(line) for line in lines[1:]]
    note = proofs.Note(text)
    if note.origin not in KEYS:
        return 404, "text/plain", "unknown log\n"
    if not any(note.is_signed_by(key.name, key.public) for key in KEYS[note.origin]):
        return 403, "text/plain", "not signed\n"
    if old > note.size:
        return 400, "text/plain", "old is larger\n"
    size, root = SEEN.get(note.origin, (0, proofs.sha256(b"")))
    if old != size:
        return 409, "text/x.tlog.size", f"{size}\n"
    try:
        proofs.check_consistency(size, root, note.size, note.root, path)
    except proofs.Wrong:
        return 422, "text/plain", "inconsistent\n"
    SEEN[note.origin] = (note.size, note.root)
    return 200, "text/plain", cosign(note.text)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        with LOCK:
            REQUESTS.append({"path": self.path, "authorization": self.headers.get("authorization"), "body": body})
            if self.path != "/log/add-checkpoint":
                status, kind, answer = 404, "text/plain", "no such thing\n"
            elif STATUS[0]:
                status, kind, answer = STATUS[0], "text/plain", "as told\n"
            else:
                try:
                    status, kind, answer = add(body)
                except (ValueError, proofs.Wrong) as wrong:
                    status, kind, answer = 400, "text/plain", f"{wrong}\n"
        data = answer.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def obey(command):
    with LOCK:
        match command["do"]:
            case "trust":
                key = proofs.Key(command["key"])
                KEYS.setdefault(key.name, []).append(key)
            case "set":
                STATUS[0] = command["status"]
            case "key":
                public = base64.b64encode(b"\x04" + SIGNER.public_key().public_bytes_raw()).decode()
                return {"ok": True, "key": f"{NAME}+{key_id(SIGNER).hex()}+{public}"}
            case "sign":
                HOW[0] = command["how"]
            case "forget":
                SEEN.clear()
            case "pretend":
                SEEN[command["origin"]] = (command["size"], b"\0" * 32)
            case "sizes":
                return {"ok": True, "sizes": {origin: size for origin, (size, _) in SEEN.items()}}
            case "requests":
                return {"ok": True, "requests": REQUESTS}
    return {"ok": True}


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"ports": {"http": server.server_address[1]}}), flush=True)
    for line in sys.stdin:
        try:
            answer = obey(json.loads(line))
        except (ValueError, KeyError, proofs.Wrong) as wrong:
            answer = {"ok": False, "why": str(wrong)}
        print(json.dumps(answer), flush=True)


main()
