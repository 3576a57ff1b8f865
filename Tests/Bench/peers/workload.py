"""What every peer is given: sessions of eight events with 400 bytes of JSON each, and how it is timed.

A client sends its next commit when the one before is acknowledged. Making events is not counted where one client is measured."""
import json
import mmap
import os
import random
import signal
import statistics
import struct
import sys
import threading
import time
import uuid

TYPES = ["session_started", "interaction_recorded", "piece_captured", "piece_confirmed",
         "interaction_recorded", "interaction_recorded", "piece_captured", "piece_confirmed"]
PAYLOAD_BYTES = 400


def payloads():
    """The payloads of one session, each of PAYLOAD_BYTES bytes."""
    made = []
    maker = random.Random(7)
    for version, name in enumerate(TYPES, 1):
        facts = {"type": name, "version": version, "piece": "passport_front", "source": "camera", "media": {
            "type": "image/jpeg", "bytes": 812_345, "width": 3024, "height": 4032}, "filler": ""}
        facts["filler"] = f"{maker.getrandbits(4096):x}"[:PAYLOAD_BYTES - len(json.dumps(facts))]
        made.append(json.dumps(facts).encode())
    return made


def identifier(number):
    """A session's id that sorts by time, as UUIDs of version 7 do."""
    return uuid.UUID(int=(time.time_ns() // 1_000_000 << 80) | (7 << 76) | (2 << 62) | number)


def commits(batch, client=0):
    """Batches of (session, version): one event after the other, a whole session, or many whole sessions."""
    number = client << 40
    while True:
        if batch < len(TYPES):
            session = identifier(number := number + 1)
            for version in range(1, len(TYPES) + 1):
                yield [(session, version)]
        else:
            sessions = [identifier(number := number + 1) for _ in range(batch // len(TYPES))]
            yield [(session, version) for session in sessions for version in range(1, len(TYPES) + 1)]


def server_seconds(pid):
    """What a server, and those of its children that have ended, used of the processor; 0 without one. See proc_pid_stat(5)."""
    if pid is None:
        return 0
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def one_client(append, prepare, batch, seconds, server=None):
    """Calls `append(prepare(commit))` again and again; a short start is not counted, as the product's."""
    source = commits(batch)
    end = time.perf_counter() + 0.1
    while time.perf_counter() < end:
        append(prepare(next(source)))
    spent = used = events = count = 0
    before = server_seconds(server)
    while spent < seconds:
        made = prepare(next(source))
        began, worked = time.perf_counter(), time.process_time()
        append(made)
        spent += time.perf_counter() - began
        used += time.process_time() - worked
        events, count = events + len(made), count + 1
    used += server_seconds(server) - before
    return {"events": events, "commits": count, "events_per_second": round(events / spent, 1),
            "cpu_us_per_event": round(used * 1e6 / events, 2)}


def many_clients(connect, clients, seconds, server=None):
    """Each client, a thread, appends one event a commit. `connect(number)` gives its (append, prepare)."""
    counts, waits, failures, times = [0] * clients, [[] for _ in range(clients)], [], {}
    used = lambda: time.process_time() + server_seconds(server)
    ready = threading.Barrier(clients, action=lambda: times.update(began=time.perf_counter(), used=used()))

    def work(number):
        try:
            append, prepare = connect(number)
            made = [prepare(commit) for commit, _ in zip(commits(1, number + 1), range(int(seconds * 40_000 / clients) + 8))]
        except Exception as failure:
            failures.append(failure)
            made = []
        ready.wait()
        try:
            for commit in made:
                began = time.perf_counter()
                if began >= times["began"] + seconds:
                    return
                append(commit)
                waits[number].append(time.perf_counter() - began)
                counts[number] += 1
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took, spent = time.perf_counter() - times["began"], used() - times["used"]
    if failures:
        raise SystemExit(f"{len(failures)} of {clients} clients failed: {failures[0]}")
    every = sorted(wait for some in waits for wait in some)
    return {"clients": clients, "events": len(every), "events_per_second": round(sum(counts) / took, 1),
            "cpu_us_per_event": round(spent * 1e6 / max(1, len(every)), 2),
            "ack_p50_us": round(quantile(every, 0.5) * 1e6), "ack_p99_us": round(quantile(every, 0.99) * 1e6)}


def quantile(ordered, fraction):
    return ordered[min(len(ordered) - 1, int(fraction * len(ordered)))] if ordered else 0


def reading(read_all):
    """`read_all()` makes a value of every event and says how many there were."""
    began = time.perf_counter()
    count = read_all()
    return {"events": count, "events_per_second": round(count / (time.perf_counter() - began), 1)}


def loading(load, sessions, loads):
    """Loads sessions at random, one after the other."""
    waits = []
    for session in random.Random(7).choices(sessions, k=loads):
        began = time.perf_counter()
        found = load(session)
        waits.append(time.perf_counter() - began)
        if found != len(TYPES):
            raise SystemExit(f"a session has {found} events")
    waits.sort()
    return {"loads": loads, "p50_us": round(statistics.median(waits) * 1e6, 1), "p99_us": round(quantile(waits, 0.99) * 1e6, 1)}


def syncs():
    """How many syncs syncs.c counted so far."""
    path = os.environ.get("PEER_SYNCS")
    if not path:
        return 0
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ) as memory:
        return struct.unpack("<Q", memory)[0]


def durability(append, prepare, version, settings, count=200):
    """Syncs of so many commits, of an event each, beside what the peer says it is and is set to."""
    source = commits(1)
    append(prepare(next(source)))
    before = syncs()
    for _ in range(count):
        append(prepare(next(source)))
    return {"version": version, "settings": settings, "syncs_per_commit": round((syncs() - before) / count, 2)}


def end_when_told():
    """A request to end is an exception, so that what has a server of its own ends it on the way out."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def end_undisturbed():
    """Called where a server is ended: nothing may come between."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
