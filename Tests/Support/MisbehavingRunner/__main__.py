"""A model runner of docs/model-runners.md without a model, which breaks in the way that its first argument names.

Its model takes [1, 2, 2, 3] and has two outputs: the input doubled as [1, 12], and its sum as [1]. A second argument is a file to which it
adds a line with its process number when it starts.
"""

import mmap
import os
import signal
import struct
import sys
import time

HOW = sys.argv[1]
MEMORY = None
SHIFT = 0  # of the numbers of answers


def read(count):
    data = b""
    while len(data) < count:
        more = os.read(0, count - len(data))
        if not more:
            sys.exit(0)
        data += more
    return data


def write(data):
    while data:
        data = data[os.write(1, data):]


def answer(kind, number, body=b"", length=None):
    write(struct.pack("<IIQ", kind, number + SHIFT, len(body) if length is None else length) + body)


def shape(*sides):
    return struct.pack(f"<{len(sides) + 1}I", len(sides), *sides)


def numbers(body, at):
    count, = struct.unpack_from("<I", body, at)
    return list(struct.unpack_from(f"<{count}I", body, at + 4)), at + 4 + 4 * count


def misbehave(stage, number):
    """When it is time for it."""
    global SHIFT
    if HOW == f"hangs-at-{stage}":
        time.sleep(3600)
    if HOW == f"exits-at-{stage}":
        os._exit(7)
    if HOW == f"crashes-at-{stage}":
        os.kill(os.getpid(), signal.SIGSEGV)
        time.sleep(60)
    if HOW == f"garbage-at-{stage}":
        write(b"Traceback (most recent call last):\n" * 100)
    if HOW == f"huge-at-{stage}":
        answer(2, number, length=1 << 60)
    if HOW == f"short-at-{stage}":
        answer(2, number, b"\x01")
        time.sleep(3600)
    if HOW == f"other-number-at-{stage}":
        SHIFT = 7
    if HOW == f"wrong-kind-at-{stage}":
        answer(99, number, b"")
    if HOW == f"closes-at-{stage}":
        os.close(0)
        os.close(1)
        time.sleep(3600)


def serve(kind, number, body):
    global MEMORY
    if kind == 1:
        misbehave("hello", number)
        version, size = struct.unpack("<IQ", body)
        shares = "shared" in HOW
        if shares:
            MEMORY = mmap.mmap(3, size)
            if HOW == "shared-shrinks":
                try:
                    os.ftruncate(3, 4096)
                    os._exit(9)
                except PermissionError:
                    pass
        answer(2, number, struct.pack("<II", 2 if HOW == "other-version" else version, shares))
    elif kind == 3:
        misbehave("load", number)
        if not os.path.exists(body.decode()):
            return answer(9, number, struct.pack("<I", 1) + b"there is no such model")
        if HOW == "refuses-load":
            return answer(9, number, struct.pack("<I", 1) + b"no \x1b[31mroom\n")
        if HOW == "vast-shape":
            return answer(4, number, struct.pack("<I", 2) + shape(1 << 31 - 1, 1 << 31 - 1, 7))
        answer(4, number, struct.pack("<I", 2) + shape(1, 2, 2, 3))
    elif kind in (5, 7):
        misbehave("run", number)
        wanted, at = numbers(body, 0)
        sides, at = numbers(body, at)
        if kind == 7:
            start, = struct.unpack_from("<Q", body, at)
            values = struct.unpack_from("<12f", MEMORY, start)
        else:
            values = struct.unpack_from("<12f", body, at)
        if HOW == "refuses-run":
            return answer(9, number, struct.pack("<I", 3) + b"not today")
        if HOW == "nonsense-refusal":
            return answer(9, number, b"\xff")
        results = [(shape(1, 12), [2 * value for value in values]), (shape(1), [sum(values)])]
        reply, free = struct.pack("<I", len(wanted)), 32 << 20
        if HOW == "one-output-less":
            wanted, reply = wanted[1:], struct.pack("<I", len(wanted) - 1)
        for index in wanted:
            sides, result = results[index]
            data = struct.pack(f"<{len(result)}f", *result)
            if HOW == "few-numbers":
                data = data[:-4]
            if kind == 5:
                reply += sides + data
            else:
                MEMORY[free:free + len(data)] = data
                reply += sides + struct.pack("<Q", (64 << 20) - 4 if HOW == "shared-outside" else free)
                free += len(data)
        answer(6 if kind == 5 else 8, number, reply + (b"more" if HOW == "more-behind" else b""))


if len(sys.argv) > 2:
    with open(sys.argv[2], "a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
while True:
    kind, number, length = struct.unpack("<IIQ", read(16))
    serve(kind, number, read(length))
