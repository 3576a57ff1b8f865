"""UmaDB: its server, and its Python client over loopback. Both come from one wheel.

usage: umadb_server.py FOLDER durability | append BATCH SECONDS | clients N SECONDS | fill EVENTS | read | session LOADS"""
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from importlib.metadata import version

import umadb
import workload

PAYLOADS = workload.payloads()


class Server:
    """A server of its own for one measurement, on a port that is free."""

    def __init__(self, folder, name):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        path = os.path.join(folder, name)
        os.makedirs(path, exist_ok=True)
        self.output = open(os.path.join(folder, f"{name}.log"), "w+")
        program = [sys.executable, "-c", "import sys, umadb; umadb.run_server_from_args(sys.argv)"]
        self.process = subprocess.Popen(
            [*program, "--listen", self.url.removeprefix("http://"), "--db-path", path], stdout=self.output, stderr=subprocess.STDOUT)

    def client(self):
        end = time.monotonic() + 20
        while True:
            try:
                client = umadb.Client(self.url)
                client.head()
                return client
            except Exception:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.02)

    def settings(self):
        self.output.seek(0)
        lines = [line.strip() for line in self.output]
        return ", ".join(line.removeprefix("UmaDB ") for line in lines if "mode" in line or "zero-fill" in line or "cache" in line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        workload.end_undisturbed()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.output.close()


def prepare(commit):
    """The events, and the sessions with the version before their first."""
    events = [umadb.Event(event_type=workload.TYPES[number - 1], data=PAYLOADS[number - 1], tags=[str(session)], uuid=uuid.uuid4())
              for session, number in commit]
    tags = list(dict.fromkeys(str(session) for session, _ in commit))
    return Commit(events, umadb.Query(items=[umadb.QueryItem(tags=[tag]) for tag in tags]), commit[0][1] > 1)


class Commit:
    def __init__(self, events, boundary, continues):
        self.events, self.boundary, self.continues = events, boundary, continues

    def __len__(self):
        return len(self.events)


def appending(client):
    """Expected versions as UmaDB has them: nothing of these sessions may have come after the client's last event."""
    last = None

    def append(commit):
        nonlocal last
        last = client.append(commit.events, umadb.AppendCondition(commit.boundary, last if commit.continues else None))

    return append


def read_all(client):
    count, response = 0, client.read()
    while page := response.next_batch():
        count += len(page)
    return count


def sessions(client):
    return list(dict.fromkeys(found.event.tags[0] for found in client.read(limit=8 * 2000)))


def load(client, session):
    return len(client.read(umadb.Query(items=[umadb.QueryItem(tags=[session])])).collect_with_head()[0])


def main(folder, what, *numbers):
    workload.end_when_told()
    with Server(folder, "filled" if what in ("fill", "read", "session") else f"scratch-{os.getpid()}") as server:
        client = server.client()
        if what == "durability":
            return workload.durability(appending(client), prepare, version("umadb"), server.settings())
        if what == "append":
            return workload.one_client(appending(client), prepare, int(numbers[0]), float(numbers[1]), server.process.pid)
        if what == "clients":
            connect = lambda _: (appending(server.client()), prepare)
            return workload.many_clients(connect, int(numbers[0]), float(numbers[1]), server.process.pid)
        if what == "fill":
            append, source = appending(client), workload.commits(1000)
            for _ in range(int(numbers[0]) // 1000):
                append(prepare(next(source)))
            return {}  # its file is made 256 MiB long at once
        if what == "read":
            return workload.reading(lambda: read_all(client))
        return workload.loading(lambda session: load(client, session), sessions(client), int(numbers[0]))


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
