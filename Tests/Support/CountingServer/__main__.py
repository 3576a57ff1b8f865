"""Counts the connections that are made to it, and keeps what is posted; over plain http on a loopback address.

usage: python3 Tests/Support/CountingServer FOLDER

The first line of output names the port; then every line of input is a command, answered by one line: {"do":"count"} tells how many
connections were made, also those over which nothing came, and {"do":"bodies","path":P} what was posted to that path, in order. Every
request is answered with 200 and an empty object.
"""

import http.server
import json
import sys
import threading

LOCK = threading.Lock()
CONNECTIONS, BODIES = [0], []


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        with LOCK:
            BODIES.append((self.path, body))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def get_request(self):
        accepted = super().get_request()
        with LOCK:
            CONNECTIONS[0] += 1
        return accepted


def obey(command):
    with LOCK:
        match command["do"]:
            case "count":
                return {"ok": True, "connections": CONNECTIONS[0]}
            case "bodies":
                return {"ok": True, "bodies": [json.loads(body) for path, body in BODIES if path == command["path"]]}
    return {"ok": False, "why": "no such command"}


def main():
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"ports": {"http": server.server_address[1]}}), flush=True)
    for line in sys.stdin:
        print(json.dumps(obey(json.loads(line))), flush=True)


main()
