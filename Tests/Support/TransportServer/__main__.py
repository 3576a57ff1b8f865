"""An endpoint that behaves, behind TLS that is right or wrong in one way; a token endpoint; a proxy.

usage: python3 Tests/Support/TransportServer FOLDER

Certificates are minted into FOLDER. The first line of output names the ports; then every line of input is a command, answered by
one line: {"do":"set", …} changes what is accepted, {"do":"requests"} tells what came. Signatures are judged here, over the bytes
that arrived, by code that shares nothing with the product's.
"""

import base64
import copy
import gzip
import hashlib
import hmac
import http.server
import json
import os
import shutil
import socket
import ssl
import sys
import threading
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "HostileServer"))

import certificates
import identity

LOCK = threading.Lock()
STATE = {
    # bearer tokens that are good; nothing: every request is
    "accepted": None,
    "expires_in": 3600, "token_status": 200, "token_delay": 0, "token_prefix": "token", "client": None, "tokens": 0,
    "proxy_credential": None, "date_offset": 0, "secrets": [],
}
FRESH = copy.deepcopy(STATE)
REQUESTS = []
CONNECTS = []


def judge(headers, pieces):
    """Which of the known secrets signed what came (Standard Webhooks)."""
    text = headers.get("webhook-signature")
    if text is None:
        return None
    head = f'{headers["webhook-id"]}.{headers["webhook-timestamp"]}.'.encode()
    found = []
    for secret in STATE["secrets"]:
        code = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), head, hashlib.sha256)
        for piece in pieces:
            code.update(piece)
        found.append("v1," + base64.b64encode(code.digest()).decode() in text.split(" "))
    return {"valid": found, "count": len(text.split(" "))}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def date_time_string(self, timestamp=None):
        return super().date_time_string((timestamp or time.time()) + STATE["date_offset"])

    def body(self):
        left, pieces = int(self.headers.get("Content-Length", 0)), []
        while left > 0:
            piece = self.rfile.read(min(left, 1 << 20))
            if not piece:
                break
            pieces.append(piece)
            left -= len(piece)
        return pieces

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except (OSError, ValueError):
            self.close_connection = True

    def do_GET(self):
        pieces = self.body()
        whole = b"".join(pieces) if sum(map(len, pieces)) < 32 << 20 else b""
        began = time.time()
        with LOCK:
            REQUESTS.append({
                "method": self.command, "path": self.path, "port": self.server.label,
                "headers": {name.lower(): value for name, value in self.headers.items()},
                "bytes": sum(map(len, pieces)), "signature": judge(self.headers, pieces), "at": began,
                "client": self.client_address[1]})
        path = urllib.parse.urlsplit(self.path).path
        if path == "/token":
            return self.token(whole)
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if STATE["accepted"] is not None and bearer not in STATE["accepted"]:
            return self.answer(401)
        if path == "/redirect":
            return self.answer(302, Location="http://10.0.0.1/inside")
        if path == "/bomb":
            return self.answer(200, gzip.compress(bytes(64 << 20), 1), Content_Encoding="gzip")
        if path == "/gzip":
            return self.answer(200, gzip.compress(b'{"a":1}'), Content_Encoding="gzip")
        if path == "/hang":
            time.sleep(2)
        if path.startswith("/status/"):
            return self.answer(int(path.removeprefix("/status/")))
        who = identity.read(whole) or {}
        self.answer(
            200, json.dumps({"outcome": "verified", "capture_id": who.get("capture"), "payload": {"of": "nobody"}}).encode(),
            Content_Type="application/json")

    do_POST = do_HEAD = do_GET

    def token(self, body):
        form = {name: values[0] for name, values in urllib.parse.parse_qs(body.decode()).items()}
        asked = self.headers.get("Authorization", "")
        if asked.startswith("Basic "):
            user, _, secret = base64.b64decode(asked[6:]).decode().partition(":")
            form["client_id"], form["client_secret"] = urllib.parse.unquote_plus(user), urllib.parse.unquote_plus(secret)
        with LOCK:
            REQUESTS[-1]["form"] = form
            STATE["tokens"] += 1
            number = STATE["tokens"]
        time.sleep(STATE["token_delay"])
        if STATE["token_status"] != 200:
            return self.answer(STATE["token_status"], b'{"error":"invalid_client"}')
        if STATE["client"] and [form.get("client_id"), form.get("client_secret")] != STATE["client"]:
            return self.answer(401, b'{"error":"invalid_client"}')
        self.answer(
            200,
            json.dumps({
                "access_token": f'{STATE["token_prefix"]}-{number}', "token_type": "Bearer",
                "expires_in": STATE["expires_in"]}).encode(),
            Content_Type="application/json")


class Proxy(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_CONNECT(self):
        credential = self.headers.get("Proxy-Authorization")
        with LOCK:
            CONNECTS.append({"target": self.path, "credential": credential, "agent": self.headers.get("User-Agent")})
        wanted = STATE["proxy_credential"]
        if wanted is not None and credential != "Basic " + base64.b64encode(wanted.encode()).decode():
            self.send_response(407)
            self.send_header("Proxy-Authenticate", "Basic realm=\"proxy\"")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        # whatever the name, it stands for a port of this program
        other = socket.create_connection(("127.0.0.1", int(self.path.rpartition(":")[2])))
        self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        back = threading.Thread(target=pump, args=(other, self.connection), daemon=True)
        back.start()
        pump(self.connection, other)
        self.close_connection = True

    do_GET = do_POST = lambda self: self.send_error(400)


def pump(source, target):
    try:
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def end_gently(connection):
    """Ends a connection whose handshake failed the way a careful server does. A plain close would answer what the client has sent
    already with a reset, and a reset outruns the alert that says what was wrong (RFC 9112, section 9.6)."""
    try:
        connection.settimeout(5)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65_536):
            pass
    except OSError:
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, label, handler, context=None, host="127.0.0.1"):
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, 0), handler)
        self.label, self.context = label, context
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def finish_request(self, request, client_address):
        # on the connection's own thread: a handshake that hangs holds up nobody else
        if self.context:
            other = request.dup()
            try:
                request = self.context.wrap_socket(request, server_side=True)
            except (OSError, ValueError):
                end_gently(other)
                return
            finally:
                other.close()
        super().finish_request(request, client_address)

    def handle_error(self, *_):
        pass


def contexts(folder):
    made = certificates.contexts(folder)
    import cryptography.hazmat.primitives.serialization as serialization

    ours = certificates.mint("Client Authority", authority=True)
    certificates.write(folder, "client-authority", ours)
    certificates.write(folder, "client", certificates.mint("kiosk", ours, host="kiosk.example", ends=12))
    certificates.write(folder, "client-expired", certificates.mint("kiosk", ours, host="kiosk.example", begins=-9, ends=-1))
    for name, newest in [("tls-client-12", ssl.TLSVersion.TLSv1_2), ("tls-client-13", ssl.TLSVersion.TLSv1_3)]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.path.join(folder, "tls.pem"))
        context.maximum_version = newest
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(os.path.join(folder, "client-authority.pem"))
        made[name] = context
    made["tls-12"] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made["tls-12"].load_cert_chain(os.path.join(folder, "tls.pem"))
    made["tls-12"].maximum_version = ssl.TLSVersion.TLSv1_2
    # its own certificate's key, as curl wants it pinned
    from cryptography import x509

    with open(os.path.join(folder, "tls.pem"), "rb") as file:
        key = x509.load_pem_x509_certificate(file.read()).public_key()
    der = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return made, "sha256//" + base64.b64encode(hashlib.sha256(der).digest()).decode()


def main():
    folder = sys.argv[1]
    made, pin = contexts(folder)
    servers = [Server(label, Handler, context) for label, context in made.items()]
    servers += [Server("plain", Handler), Server("proxy", Proxy), Server("plain-6", Handler, host="::1")]
    print(json.dumps({"ports": {server.label: server.server_address[1] for server in servers}, "pin": pin}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        with LOCK:
            if command["do"] == "set":
                STATE.update(command["state"])
                answer = {}
            elif command["do"] == "reset":
                STATE.update(copy.deepcopy(FRESH))
                REQUESTS.clear()
                CONNECTS.clear()
                answer = {}
            else:
                answer = {"requests": REQUESTS, "connects": CONNECTS}
            text = json.dumps({"ok": True} | answer)
        print(text, flush=True)
    # whoever started it has ended
    shutil.rmtree(folder, ignore_errors=True)


main()
