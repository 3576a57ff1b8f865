"""One connection and one request on it, over raw sockets, so that nothing repairs what a behaviour does wrong."""

import os
import re
import select
import socket
import ssl
import struct
import time

import identity


class Gone(Exception):
    """The client went away, or the server ends."""


class Connection:
    def __init__(self, server, sock, number, port):
        self.server, self.sock, self.number, self.port = server, sock, number, port
        self.is_tls = isinstance(sock, ssl.SSLSocket)
        self.buffer = b""
        self.requests = 0
        self.is_open = True
        sock.settimeout(20)

    def receive(self, limit=65_536):
        try:
            data = self.sock.recv(limit)
        except (OSError, ValueError):
            data = b""
        if not data:
            raise Gone
        return data

    def send(self, data):
        try:
            self.sock.sendall(data)
        except (OSError, ValueError):
            raise Gone from None

    def close(self):
        """Closes as a program that ended its answer; over TLS without the goodbye that would make it honest."""
        self.is_open = False
        try:
            # what was not read yet would turn the close into a reset
            self.sock.settimeout(0)
            while not self.is_tls and self.sock.recv(1 << 20):
                pass
        except (OSError, ValueError):
            pass
        self._shut()

    def reset(self):
        self.is_open = False
        try:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass
        self._shut()

    def goodbye(self):
        """Over TLS the close that says that the answer was whole."""
        self.is_open = False
        if self.is_tls:
            try:
                self.sock.settimeout(0.2)
                self.sock.unwrap()
            except (OSError, ValueError):
                pass
        self._shut()

    def _shut(self):
        try:
            self.sock.close()
        except OSError:
            pass

    def half_close(self):
        try:
            os_socket = socket.socket(fileno=os.dup(self.sock.fileno()))
            os_socket.shutdown(socket.SHUT_WR)
            os_socket.close()
        except OSError:
            pass

    def is_gone(self, seconds):
        """Waits until the client closed its side, without reading anything, but no longer."""
        poll = select.poll()
        try:
            poll.register(self.sock.fileno(), select.POLLRDHUP | select.POLLHUP | select.POLLERR)
        except (OSError, ValueError):
            return True
        ends = time.monotonic() + seconds
        while time.monotonic() < ends and not self.server.stopping.is_set():
            if poll.poll(20):
                return True
        return False


class Exchange:
    """One request as far as it was read, and what is done about it."""

    def __init__(self, connection):
        self.connection, self.server = connection, connection.server
        self.head, self.body = b"", b""
        self.method, self.path, self.headers = "", "", {}
        self.is_unread = False
        self.taken = "no"
        self.behaviour = "honest"
        self.identity, self.capture, self.video = None, None, ""
        self.seen = {}
        self._noted = False
        self.began = time.time()

    # reading

    def peek(self):
        """The head without taking it from the socket; over TLS there is no such thing and it is taken."""
        connection = self.connection
        if connection.is_tls or connection.buffer:
            return self.read_head()
        ends = time.monotonic() + 20
        while time.monotonic() < ends:
            try:
                data = connection.sock.recv(262_144, socket.MSG_PEEK)
            except OSError:
                raise Gone from None
            if not data:
                raise Gone
            if b"\r\n\r\n" in data:
                self.head = data[:data.index(b"\r\n\r\n") + 4]
                self.is_unread = True
                return self._parse()
            time.sleep(0.001)
        raise Gone

    def read_head(self):
        connection = self.connection
        while b"\r\n\r\n" not in connection.buffer:
            connection.buffer += connection.receive()
        end = connection.buffer.index(b"\r\n\r\n") + 4
        self.head, connection.buffer = connection.buffer[:end], connection.buffer[end:]
        self.is_unread = False
        self._parse()

    def _parse(self):
        lines = self.head.decode("latin-1").split("\r\n")
        self.method, self.path = (lines[0].split(" ") + ["", ""])[:2]
        self.headers = {}
        for line in lines[1:]:
            if ":" in line:
                field, value = line.split(":", 1)
                self.headers.setdefault(field.strip().lower(), value.strip())

    @property
    def length(self):
        text = self.headers.get("content-length", "0")
        return int(text) if text.isdigit() else 0

    @property
    def key(self):
        found = re.search(r"/status/([0-9a-f-]{36})", self.path)
        return self.headers.get("idempotency-key") or (found.group(1) if found else None)

    def read_body(self, limit=None):
        """All of the body, or its first `limit` bytes."""
        if self.is_unread:
            self.read_head()
        connection = self.connection
        wanted = self.length if limit is None else min(limit, self.length)
        while len(self.body) < wanted:
            if not connection.buffer:
                connection.buffer = connection.receive()
            take = wanted - len(self.body)
            self.body, connection.buffer = self.body + connection.buffer[:take], connection.buffer[take:]

    @property
    def is_whole(self):
        return not self.is_unread and bool(self.head) and len(self.body) == self.length

    # taking in

    def take_in(self):
        """What a real verifier does with a whole submission: once a key, unless it is one that never looks at keys."""
        if self.method == "POST" and self.is_whole and self.taken == "no":
            self.taken = self.server.take_in(self)

    def note(self):
        """Into the record, once, before anybody is told."""
        if not self._noted and self.head:
            self._noted = True
            self.server.note(self)

    # answering

    def send(self, data):
        self.note()
        self.connection.send(data)

    def stored_answer(self):
        return self.server.answer(self)
