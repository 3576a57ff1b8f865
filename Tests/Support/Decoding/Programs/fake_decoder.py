"""A decoder that misbehaves: its first argument says how. The client's socket is descriptor 3."""

import os
import random
import signal
import struct
import sys
import time

MARK = 0x01444C43
READY, OPENED, IMAGE, END, REFUSED, WANTED = 16, 17, 18, 19, 20, 21


def head(kind, *values, payload=0, mark=MARK):
    return struct.pack("<II8qQ", mark, kind, *values, *[0] * (8 - len(values)), payload)


def send(data):
    view = memoryview(data)
    while view:
        view = view[os.write(3, view):]


def receive():
    data = b""
    while len(data) < 80:
        part = os.read(3, 80 - len(data))
        if not part:
            sys.exit(0)
        data += part
    return struct.unpack("<II8qQ", data)


def hang():
    while True:
        time.sleep(60)


def answer(mode, kind, values):
    """What it does instead of an honest answer to the request."""
    if mode == "hang":
        hang()
    if mode == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    if mode == "leave":
        sys.exit(0)
    if mode.startswith("signal-"):
        number = int(mode[7:])
        signal.signal(number, signal.SIG_DFL) if number not in (9, 19) else None
        os.kill(os.getpid(), number)
    if mode == "garbage":
        send(random.Random(1).randbytes(1 << 20))
    if mode == "half":
        send(head(OPENED, 40, 20)[:40])
        sys.exit(0)
    if mode == "drip":
        # one byte at a time, for ever: there is always progress
        for byte in head(OPENED, 40, 20):
            send(bytes([byte]))
            time.sleep(0.1)
    if mode == "unknown-kind":
        send(head(99))
    if mode == "unknown-refusal":
        send(head(REFUSED, 77, 1))
    if mode == "endless-length":
        send(head(OPENED, 40, 20, payload=1 << 62))
    if mode == "negative-length":
        send(head(OPENED, 40, 20, payload=(1 << 64) - 1))
    if mode == "huge-size":
        send(head(OPENED, 1 << 40, 1 << 40))
    if mode == "negative-size":
        send(head(OPENED, -40, -20))
    if mode == "no-size":
        send(head(OPENED, 0, 0))
    if mode == "flood":
        while True:
            send(head(WANTED, 0, 65536) * 64)
    if mode == "wants-outside":
        send(head(WANTED, 1 << 50, 65536))
    if mode == "wants-before":
        send(head(WANTED, -1, 10))
    if mode == "wants-too-much":
        send(head(WANTED, 0, 1 << 40))
    if mode == "child":
        # a grandchild that keeps the socket open and outlives it
        if os.fork() == 0:
            hang()
        sys.exit(0)
    if mode.startswith("image-"):
        if kind in (1, 4):
            send(head(OPENED, 40, 20, 1000))
            return
        width, height = (values[4], values[5]) if kind in (2, 3) else (values[1], values[2])
        count = 3 * width * height
        if mode == "image-endless":
            send(head(IMAGE, width, height, payload=1 << 60))
        if mode == "image-other-size":
            send(head(IMAGE, width + 1, height, payload=count) + b"x" * count)
        if mode == "image-short":
            send(head(IMAGE, width, height, payload=count) + b"x" * (count // 2))
            sys.exit(0)
        if mode == "image-slow":
            send(head(IMAGE, width, height, payload=count) + b"x" * (count // 2))
            hang()
        if mode == "image-no-jpeg":
            send(head(IMAGE, width, height, payload=1000) + b"x" * 1000)
        if mode == "image-end":
            send(head(END))


def main():
    mode = sys.argv[1]
    if mode == "start-leave":
        sys.exit(3)
    if mode == "start-hang":
        hang()
    if mode == "start-garbage":
        send(b"usage: something else\n" * 10)
        hang()
    if mode == "start-other-version":
        send(head(READY, 999, 0))
        hang()
    send(head(READY, 1, 0))
    while True:
        mark, kind, *rest = receive()
        answer(mode, kind, rest)


main()
