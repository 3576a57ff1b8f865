"""A server that does everything wrong that a delivery can meet, on loopback.

usage: python3 HostileServer FOLDER

Prints one line of JSON with its ports, then answers one line of JSON to each line of JSON on its standard input:

    {"do":"rule","key":K,"behaviour":B,"times":N,"with":{…}}   the next N requests of that key do B (N 0: all)
    {"do":"heal","key":K}                                      no rule any more for that key
    {"do":"requests","key":K}                                  what it saw of it
    {"do":"mentions","text":T}                                 of all requests so far, which hold that text
    {"do":"stop"}

Its end comes with `stop` or with the end of its input. FOLDER/record.jsonl gets a line for every request that it saw, whole or
in part. A submission is taken in once a key, and the same key is answered the same again, as a real verifier does; below
`/naive` keys are ignored. Effects are for others to count, from the bodies.
"""

import base64
import json
import os
import select
import socket
import sys
import threading
import time

import certificates
import identity
import timing  # noqa: F401
from behaviours import BEHAVIOURS
from wire import Connection, Exchange, Gone


class Rule:
    def __init__(self, command):
        self.behaviour = command["behaviour"]
        self.times = command.get("times", 1)
        self.options = command.get("with", {})
        if self.behaviour not in BEHAVIOURS:
            raise KeyError(self.behaviour)


class Server:
    def __init__(self, folder):
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.record = open(os.path.join(folder, "record.jsonl"), "w", encoding="utf-8")
        self.rules, self.stored, self.seen, self.raw = {}, {}, {}, []
        self.connections = 0
        self.ports = {}
        self.threads = []
        contexts = certificates.contexts(folder)
        for name in ["plain", "other", *contexts, "tls-stalls", "tls-resets", "tls-speaks-plain"]:
            self.listen(name, contexts.get(name))
        self.refuse()
        self.other_origin = f"http://127.0.0.1:{self.ports['other']}"

    # connections

    def listen(self, name, context):
        listener = socket.socket()
        # little room, so that what a server does not read stays with the client
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        listener.bind(("127.0.0.1", 0))
        listener.listen(256)
        self.ports[name] = listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(listener, name, context), daemon=True).start()

    def refuse(self):
        """A port that nobody listens on, and one whose queue of connections is full: the handshake of TCP never ends there."""
        self.held = [socket.socket() for _ in range(4)]
        for name, sock in (("closed", self.held[0]), ("full", self.held[1])):
            sock.bind(("127.0.0.1", 0))
            self.ports[name] = sock.getsockname()[1]
        self.held[1].listen(0)
        for sock in self.held[2:]:
            sock.setblocking(False)
            sock.connect_ex(("127.0.0.1", self.ports["full"]))

    def accept(self, listener, name, context):
        while not self.stopping.is_set():
            try:
                sock, _ = listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self.serve, args=(sock, name, context), daemon=True)
            thread.start()

    def serve(self, sock, name, context):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self.lock:
            self.connections += 1
            number = self.connections
        connection = Connection(self, sock, number, name)
        try:
            if name == "tls-stalls":
                connection.is_gone(5)
                return connection.reset()
            if name == "tls-resets":
                sock.recv(64)
                return connection.reset()
            if name == "tls-speaks-plain":
                sock.recv(64)
                sock.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                return connection.close()
            if context:
                sock.settimeout(10)
                connection = Connection(self, context.wrap_socket(sock, server_side=True), number, name)
            while connection.is_open and not self.stopping.is_set():
                self.one(connection)
        except (Gone, OSError, ValueError):
            pass
        finally:
            connection.close()

    def one(self, connection):
        x = Exchange(connection)
        try:
            x.peek()
            connection.requests += 1
            rule = self.rule(x.key)
            with self.lock:
                self.seen.setdefault(x.key, []).append(x.seen)
                x.seen.update({
                    "connection": connection.number, "request": connection.requests, "method": x.method, "path": x.path,
                    "whole": False, "taken": "no", "digest": None})
            function, reads, takes = BEHAVIOURS[rule.behaviour if rule else "honest"]
            x.behaviour = rule.behaviour if rule else "honest"
            options = rule.options if rule else {}
            if reads != "peek" and x.is_unread:
                x.read_head()
            if reads == "body":
                x.read_body()
                self.describe(x)
                if options.get("takes", takes):
                    x.take_in()
            function(x, options)
        finally:
            x.note()

    # rules and submissions

    def rule(self, key):
        with self.lock:
            rule = self.rules.get(key)
            if rule is None:
                return None
            if rule.times == 1:
                del self.rules[key]
            elif rule.times > 1:
                rule.times -= 1
            return rule

    def describe(self, x):
        """What its body says, for answers that name it."""
        named = identity.read(x.body) if x.is_whole and x.body else None
        x.identity = named["identity"] if named else None
        x.capture = named["capture"] if named else None
        x.video = x.identity.split(" ")[1] if x.identity and x.capture is None else ""

    def take_in(self, x):
        self.describe(x)
        if x.identity is None:
            return "no"
        body = identity.digest(x.body)
        with self.lock:
            known = self.stored.get(x.key)
            if known is None or x.path.startswith("/naive"):
                self.stored[x.key] = (body, self.fresh_answer(x))
                return "effect"
            return "repeat" if known[0] == body else "conflict"

    def fresh_answer(self, x):
        if x.capture is None:
            return json.dumps({
                "controlResults": [{"entryType": "HOLOGRAM", "entryScore": 0.93}], "video_sha256": x.video}).encode()
        return json.dumps({"outcome": "verified", "capture_id": x.capture, "payload": {"of": x.identity}}).encode()

    def answer(self, x):
        """The first answer of its key, or what the first would be."""
        with self.lock:
            known = self.stored.get(x.key)
        self.describe(x)
        return known[1] if known else self.fresh_answer(x) if x.identity else b"{}"

    def early_answer(self, x):
        """A yes without the body: the capture stands in the file name that nobody needs, so look into what was sent so far."""
        connection = x.connection
        while len(connection.buffer) < min(x.length, 700):
            connection.buffer += connection.receive()
        start = connection.buffer.find(b'"capture_id":"') + 14
        capture = connection.buffer[start:start + 36].decode("latin-1")
        return json.dumps({"outcome": "verified", "capture_id": capture, "payload": {"early": True}}).encode()

    def outcome(self, key):
        with self.lock:
            known = self.stored.get(key)
        return known[1] if known else None

    def note(self, x):
        named = identity.read(x.body) if x.is_whole and x.body else None
        line = {
            "connection": x.connection.number, "request": x.connection.requests, "port": x.connection.port,
            "began": x.began, "method": x.method, "path": x.path, "key": x.key,
            "traceparent": x.headers.get("traceparent"), "expect": x.headers.get("expect"), "whole": x.is_whole,
            "identity": named["identity"] if named else None,
            "digest": identity.digest(x.body) if x.is_whole else None, "length": x.length, "taken": x.taken,
            "behaviour": x.behaviour, "raw": base64.b64encode(x.head + x.body).decode(),
        }
        with self.lock:
            if not self.record.closed:
                self.record.write(json.dumps(line) + "\n")
                self.record.flush()
            self.raw.append(x.head + x.body)
            x.seen.update({k: line[k] for k in ("whole", "taken", "digest")})

    # control

    def obey(self, command):
        match command["do"]:
            case "rule":
                rule = Rule(command)
                with self.lock:
                    self.rules[command["key"]] = rule
                return {"ok": True}
            case "heal":
                with self.lock:
                    self.rules.pop(command["key"], None)
                return {"ok": True}
            case "requests":
                with self.lock:
                    return {"ok": True, "requests": list(self.seen.get(command["key"], []))}
            case "mentions":
                text = command["text"].encode()
                with self.lock:
                    return {"ok": True, "numbers": [n for n, raw in enumerate(self.raw, 1) if text in raw], "of": len(self.raw)}
            case "stop":
                self.stopping.set()
                return {"ok": True}
        raise KeyError(command["do"])


def main():
    folder = sys.argv[1]
    server = Server(folder)
    print(json.dumps({"ports": server.ports}), flush=True)
    for line in sys.stdin:
        try:
            answer = server.obey(json.loads(line))
        except (KeyError, ValueError) as error:
            answer = {"ok": False, "error": repr(error)}
        if server.stopping.is_set():
            time.sleep(0.15)
            with server.lock:
                server.record.close()
        print(json.dumps(answer), flush=True)
        if server.stopping.is_set():
            break
    os._exit(0)


if __name__ == "__main__":
    main()
