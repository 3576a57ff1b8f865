"""A ledger's raw files as the oracle reads them, and what it finds."""

import os
import shutil
import sqlite3

import oracle_format as form


class Verdict:
    def __init__(self):
        self.problems, self.notes, self.counts = [], [], {}

    def problem(self, code, message, position=None):
        self.problems.append({"code": code, "message": message} | ({"position": position} if position is not None else {}))

    def note(self, message):
        self.notes.append(message)

    def count(self, name, by=1):
        self.counts[name] = self.counts.get(name, 0) + by


class Ledger:
    """Copies of a ledger's databases, and its folders."""

    def __init__(self, folder, copies):
        self.folder = folder
        self.events = self._open("ledger.sqlite", copies)
        self.keys = self._open("keys/keys.sqlite", copies)
        self.types = {row["code"]: row["name"] for row in self.events.execute("SELECT * FROM code_name WHERE kind = 'type'")}
        self.pieces = {row["code"]: row["name"] for row in self.events.execute("SELECT * FROM code_name WHERE kind = 'piece'")}
        self.sessions = {row["session_no"]: row for row in self.events.execute("SELECT * FROM session")}
        self.session_keys, self.lookup_key = {}, None
        self.erased = set()  # session numbers
        self.unswept = set()  # session numbers whose erasure has begun and is not done
        self.captures = {}  # capture id -> its piece_captured event
        self.crops = {}  # crop id -> the piece_checked event that names it, and what it says of it
        self.purged = set()  # capture ids
        self.plain_digests = {}  # capture id -> SHA-256 of the original

    def _open(self, name, copies):
        source = os.path.join(self.folder, name)
        if not os.path.exists(source):
            raise FileNotFoundError(source)
        target = os.path.join(copies, os.path.basename(name))
        for suffix in ("", "-wal", "-journal"):  # without -shm SQLite reads the whole WAL anew
            if os.path.exists(source + suffix):
                shutil.copyfile(source + suffix, target + suffix)
        database = sqlite3.connect(target)
        database.row_factory = sqlite3.Row
        return database

    def session_id(self, number):
        row = self.sessions.get(number)
        return row["session_id"] if row else None

    def key_of(self, number):
        row = self.sessions.get(number)
        return self.session_keys.get(row["key_no"]) if row else None

    def files(self, folder):
        """(id, path) of everything in a folder of sealed objects, staging left out."""
        top = os.path.join(self.folder, folder)
        for shelf in sorted(os.listdir(top)) if os.path.isdir(top) else []:
            if shelf == "staging" or not os.path.isdir(os.path.join(top, shelf)):
                continue
            for name in sorted(os.listdir(os.path.join(top, shelf))):
                yield form.plain_id(name), os.path.join(top, shelf, name), shelf
