#!/usr/bin/env python3
"""Says what every byte of a SQLite file is for, and whether flipped bytes change what can be read.

usage: oracle_pages.py map FILE [TABLE]            one line a page that belongs to the table, or to anything: its number and its kind
       oracle_pages.py judge FILE FLIPS LEDGER     FLIPS holds lines `OFFSET VALUE`; one JSON object on standard output
       oracle_pages.py judge FILE FLIPS KEYS

`judge` puts each value in its place, alone, reads everything that is promised, and takes it back. `changed` lists the offsets after
which anything read otherwise, `inside` those that lie in a cell, a pointer to one or the content of an overflow page, `kinds` counts
what the others are for. Written from sqlite.org/fileformat.html; it shares no code with the product."""

import collections
import hashlib
import json
import os
import shutil
import sqlite3
import struct
import sys
import tempfile

# What is promised, by the tables that hold it; docs/proof.md says what is not.
PROMISED = {
    "LEDGER": [
        "SELECT * FROM event ORDER BY position", "SELECT * FROM event_commit ORDER BY last_position",
        "SELECT * FROM session ORDER BY session_no", "SELECT digest, json FROM configuration ORDER BY digest",
        "SELECT ledger_id, epoch FROM ledger", "SELECT level, tile_no, hashes FROM tree_tile ORDER BY level, tile_no",
        "SELECT generation, public_key, endorsement FROM signing_key ORDER BY generation",
        "SELECT * FROM checkpoint ORDER BY tree_size", "SELECT position FROM event ORDER BY session_no, version",
        "SELECT session_no FROM session ORDER BY session_id", "SELECT version, name, sha256, reader, writer FROM migration",
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name",
    ],
    "KEYS": [
        "SELECT key_no, state, wrapped FROM session_key ORDER BY key_no", "SELECT name, wrapped FROM ledger_key ORDER BY name",
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name", "PRAGMA user_version",
    ],
}
# Of these every column is; a byte of their rows can never be harmless.
WHOLE = {
    "LEDGER": {"event", "event_commit", "session", "checkpoint", "sqlite_schema"},
    "KEYS": {"session_key", "ledger_key", "sqlite_schema"},
}
INSIDE = {"row", "pointer to a row"}


def varint(image, at):
    value = 0
    for count in range(8):
        byte = image[at + count]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count + 1
    return value << 8 | image[at + 8], at + 9


class Pages:
    """A sound file, cut into what its bytes are for."""

    def __init__(self, path, table=None, whole=None):
        self.whole = whole
        with open(path, "rb") as file:
            self.image = file.read()
        size = struct.unpack_from(">H", self.image, 16)[0]
        self.size = 65536 if size == 1 else size
        self.usable = self.size - self.image[20]
        self.kinds = {}     # page -> what it is
        self.bytes = {}     # offset -> what it is for
        self.types = set()  # offsets of the types in the records of tables
        database = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
        roots = [] if table else [("sqlite_schema", 1)]
        roots += database.execute(
            "SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0 AND (?1 IS NULL OR name = ?1) ORDER BY rootpage", (table,))
        self.numbers = {}   # table -> which of its columns is the row's number, by which the tree is ordered
        for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"):
            keys = [(column, kind) for column, _, kind, _, _, key in database.execute(f"PRAGMA table_info({name})") if key]
            if len(keys) == 1 and keys[0][1].upper() == "INTEGER":
                self.numbers[name] = keys[0][0]
        for name, root in roots:
            self.tree(name, root)
        database.close()
        if not table:
            self.freelist()
            self.mark(0, 100, "header of the file")
            for page in range(1, len(self.image) // self.size + 1):
                if page not in self.kinds:
                    raise SystemExit(f"page {page} belongs to nothing")

    def around(self, offset):
        page = offset // self.size + 1
        before, after = self.image[max(offset - 12, 0):offset], self.image[offset + 1:offset + 12]
        return f"{self.kinds.get(page)}, page {page}, {before.hex()} [{self.image[offset]:02x}] {after.hex()}"

    def named(self, kind, name):
        return kind if self.whole is None or name in self.whole else f"{kind} of {name}"

    def mark(self, start, end, kind):
        for offset in range(start, end):
            if self.bytes.setdefault(offset, kind) != kind:
                raise SystemExit(f"byte {offset} is for two things: {self.bytes[offset]}, {kind}")

    def tree(self, name, page):
        base = (page - 1) * self.size
        head = base + 100 if page == 1 else base
        kind, freeblock, count, content, _ = struct.unpack_from(">BHHHB", self.image, head)
        content = content or 65536
        is_interior, is_table = kind in (2, 5), kind in (5, 13)
        if kind not in (2, 5, 10, 13):
            raise SystemExit(f"page {page} is no page of a tree")
        self.kinds[page] = f"{name}: {'interior' if is_interior else 'leaf'} of a {'table' if is_table else 'index'}"
        pointers = head + (12 if is_interior else 8)
        self.mark(head, pointers, "header of a page")
        self.mark(pointers, pointers + 2 * count, self.named("pointer to a row", name))
        for index in range(count):
            self.cell(name, base, base + struct.unpack_from(">H", self.image, pointers + 2 * index)[0], is_interior, is_table)
        while freeblock:
            following, length = struct.unpack_from(">HH", self.image, base + freeblock)
            self.mark(base + freeblock, base + freeblock + length, "free block")
            freeblock = following
        self.mark(pointers + 2 * count, base + content, "free space")
        for offset in range(base + content, base + self.usable):
            self.bytes.setdefault(offset, "fragment")
        if is_interior:
            self.tree(name, struct.unpack_from(">I", self.image, head + 8)[0])

    def cell(self, name, base, start, is_interior, is_table):
        at = start
        if is_interior:
            self.tree(name, struct.unpack_from(">I", self.image, at)[0])
            at += 4
        if is_interior and is_table:
            _, at = varint(self.image, at)
            self.mark(start, at, self.named("row", name))
            return
        payload, at = varint(self.image, at)
        number = at
        if is_table:
            _, at = varint(self.image, at)
            if name not in self.numbers:
                # the number of a row that no column is: its neighbours' order is all that it is for
                self.mark(number, at, "number of a row")
        most = self.usable - 35 if is_table else (self.usable - 12) * 64 // 255 - 23
        least = (self.usable - 12) * 32 // 255 - 23
        here = least + (payload - least) % (self.usable - 4)
        local = payload if payload <= most else here if here <= most else least
        end = at + local + (4 if local < payload else 0)
        place = min(self.place(name, at), end) if is_table else end
        if is_table:
            length, first = varint(self.image, at)
            self.types.update(range(first, min(at + length, end)))
        self.mark(start, number, self.named("row", name))
        self.mark(at if name not in self.numbers else number, place, self.named("row", name))
        self.mark(place, min(place + 1, end), "place of a row's number")
        self.mark(place + 1, end, self.named("row", name))
        # a cell takes four bytes at least: what is above that is a fragment nobody may use
        self.mark(end, max(end, start + 4), "fragment")
        if local < payload:
            self.overflow(name, struct.unpack_from(">I", self.image, at + local)[0], payload - local)

    def place(self, name, record):
        """Where the record keeps a NULL in the place of the row's number, which stands before the record: nobody reads that NULL."""
        if name not in self.numbers:
            return 1 << 62
        _, at = varint(self.image, record)
        for _ in range(self.numbers[name]):
            _, at = varint(self.image, at)
        return at

    def overflow(self, name, page, left):
        while left:
            base = (page - 1) * self.size
            self.kinds[page] = f"{name}: overflow"
            here = min(left, self.usable - 4)
            self.mark(base, base + 4 + here, self.named("row", name))
            self.mark(base + 4 + here, base + self.usable, "free space")
            page, left = struct.unpack_from(">I", self.image, base)[0], left - here

    def freelist(self):
        trunk = struct.unpack_from(">I", self.image, 32)[0]
        while trunk:
            base = (trunk - 1) * self.size
            following, count = struct.unpack_from(">II", self.image, base)
            for page in [trunk, *struct.unpack_from(f">{count}I", self.image, base + 8)]:
                self.kinds[page] = "free page"
                self.mark((page - 1) * self.size, page * self.size, "free page")
            trunk = following


def typed(content):
    return ("text", content)


def read(path, queries):
    """A digest of everything that is promised, types included; what went wrong where it cannot be read."""
    database = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    database.text_factory = typed
    digest = hashlib.sha256()
    try:
        for query in queries:
            for row in database.execute(query):
                digest.update(repr(row).encode())
    except sqlite3.Error as error:
        return f"unreadable: {error}"
    finally:
        database.close()
    return digest.hexdigest()


def judge(path, flips, what):
    queries, pages = PROMISED[what], Pages(path, whole=WHOLE[what])
    folder = tempfile.mkdtemp()
    changed, inside, kinds, details = [], [], collections.Counter(), []
    try:
        copy = os.path.join(folder, "copy.sqlite")
        shutil.copyfile(path, copy)
        before = read(copy, queries)
        with open(copy, "r+b", buffering=0) as file, open(flips) as lines:
            for line in lines:
                offset, value = map(int, line.split())
                os.pwrite(file.fileno(), bytes([value]), offset)
                if read(copy, queries) != before:
                    changed.append(offset)
                os.pwrite(file.fileno(), pages.image[offset:offset + 1], offset)
                kind = pages.bytes[offset]
                if kind == "row" and offset in pages.types and pages.image[offset] == 0 and value in (10, 11):
                    kind = "NULL in another way"    # the reserved types are read as NULL
                if kind in INSIDE:
                    inside.append(offset)
                kinds[kind] += 1
                if offset in changed[-1:] or offset in inside[-1:]:
                    details.append(f"{offset}: {pages.around(offset)} became {value:02x}, {kind}")
        if before.startswith("unreadable") or read(copy, queries) != before:
            raise SystemExit("the file itself cannot be read")
    finally:
        shutil.rmtree(folder)
    return {"changed": changed, "inside": inside, "kinds": dict(sorted(kinds.items())), "details": details[:20]}


def main(arguments):
    if len(arguments) in (2, 3) and arguments[0] == "map":
        for page, kind in sorted(Pages(*arguments[1:]).kinds.items()):
            print(page, kind)
    elif len(arguments) == 4 and arguments[0] == "judge" and arguments[3] in PROMISED:
        print(json.dumps(judge(*arguments[1:])))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
