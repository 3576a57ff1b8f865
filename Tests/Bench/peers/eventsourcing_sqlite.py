"""Python's `eventsourcing` with its SQLite recorder: what an application of it stores through, without its aggregates.

usage: eventsourcing_sqlite.py FOLDER durability | append BATCH SECONDS | clients N SECONDS | fill EVENTS | read | session LOADS"""
import json
import os
import sys
from importlib.metadata import version

import workload
from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

PAYLOADS = workload.payloads()


def recorder(folder, name):
    path = os.path.join(folder, f"{name}.sqlite")
    made = SQLiteApplicationRecorder(SQLiteDatastore(path, lock_timeout=60, pool_size=64, pool_timeout=60))
    made.create_table()
    return made


def prepare(commit):
    return [StoredEvent(originator_id=session, originator_version=number, topic=workload.TYPES[number - 1], state=PAYLOADS[number - 1])
            for session, number in commit]


def settings(store):
    with store.datastore.transaction(commit=False) as cursor:
        found = []
        for name in ("journal_mode", "synchronous"):
            cursor.execute(f"PRAGMA {name}")
            found.append(cursor.fetchone()[0])
    return f"journal_mode {found[0]}, synchronous {['OFF', 'NORMAL', 'FULL', 'EXTRA'][found[1]]}"


def read_all(store):
    count = start = 0
    while page := store.select_notifications(start + 1, 1000):
        count, start = count + len(page), page[-1].id
    return count


def sessions(store):
    return list(dict.fromkeys(event.originator_id for event in store.select_notifications(1, 8 * 2000)))


def main(folder, what, *numbers):
    store = recorder(folder, "filled" if what in ("fill", "read", "session") else f"scratch-{os.getpid()}")
    if what == "durability":
        return workload.durability(store.insert_events, prepare, version("eventsourcing"), settings(store))
    if what == "append":
        return workload.one_client(store.insert_events, prepare, int(numbers[0]), float(numbers[1]))
    if what == "clients":
        return workload.many_clients(lambda _: (store.insert_events, prepare), int(numbers[0]), float(numbers[1]))
    if what == "fill":
        source = workload.commits(1000)
        for _ in range(int(numbers[0]) // 1000):
            store.insert_events(prepare(next(source)))
        return {"bytes": sum(entry.stat().st_size for entry in os.scandir(folder) if entry.name.startswith("filled"))}
    if what == "read":
        return workload.reading(lambda: read_all(store))
    return workload.loading(lambda session: len(store.select_events(session)), sessions(store), int(numbers[0]))


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
