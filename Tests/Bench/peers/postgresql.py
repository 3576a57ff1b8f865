"""PostgreSQL with a plain INSERT: a table of events whose versions are unique in a session. PostgreSQL's own pgbench is the client.

The cluster is thrown away afterwards, listens on a socket alone, and keeps the settings that PostgreSQL comes with. It does not run as
root: as root, this runs it as the user of Debian's package.

usage: postgresql.py FOLDER durability | append BATCH SECONDS | clients N SECONDS | fill EVENTS | read | session LOADS"""
import glob
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import workload

TABLE = """CREATE TABLE {name} (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, session uuid NOT NULL, version integer NOT NULL,
    event_id uuid NOT NULL DEFAULT gen_random_uuid(), type text NOT NULL, recorded_at timestamptz NOT NULL DEFAULT now(),
    payload text NOT NULL, UNIQUE (session, version))"""
SESSION = "lpad(to_hex(:client_id::bigint * 1099511627776 + {number}), 32, '0')::uuid"
INSERT = "INSERT INTO {name} (session, version, type, payload) "
ONE = """\\set version :version % 8 + 1
\\set number :number + case when :version = 1 then 1 else 0 end
""" + INSERT + "VALUES (" + SESSION.format(number=":number::bigint") + ", :version::integer, :type, :p1);\n"
MANY = """\\set number :number + {sessions}
""" + INSERT + "SELECT " + SESSION.format(number=":number::bigint - {sessions} + 1 + (i - 1) / 8") + """, (i - 1) % 8 + 1, :type, p
FROM unnest({arrays}) WITH ORDINALITY AS given (p, i);
"""
LOAD = """\\set wanted random(1, :sessions)
SELECT position, version, event_id, type, recorded_at, payload FROM {name}
WHERE session = """ + SESSION.format(number=":wanted::bigint").replace(":client_id", "0") + """ ORDER BY version;
"""


def program(name):
    places = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), key=lambda path: int(re.search(r"/(\d+)/bin/", path).group(1)))
    return places[-1] if places else shutil.which(name)


class Cluster:
    """Made once in the folder, and running for one measurement."""

    def __init__(self, folder):
        self.data, self.folder = os.path.join(folder, "data"), folder
        self.identity = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        # The path of a socket has 107 bytes at the most.
        self.socket = folder if len(os.fsencode(folder)) < 80 else tempfile.mkdtemp(prefix="bench-")
        if self.identity:
            for path in {folder, self.socket}:
                shutil.chown(path, "postgres", "postgres")
        if not os.path.exists(self.data):
            self.quietly([program("initdb"), "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C",
                          "--pgdata", self.data])
        self.process = subprocess.Popen(
            [program("postgres"), "-D", self.data, "-k", self.socket, "-c", "listen_addresses="], cwd=folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.identity)
        end = time.monotonic() + 30
        while self.sql("SELECT 1", may_fail=True) != "1":
            if time.monotonic() > end or self.process.poll() is not None:
                self.close()
                raise SystemExit("postgres did not start")
            time.sleep(0.02)

    def quietly(self, command):
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **self.identity)
        if done.returncode != 0:
            raise SystemExit(f"{os.path.basename(command[0])}: {done.stdout.strip()[-300:]}")

    def connection(self):
        return ["-h", self.socket, "-U", "postgres"]

    def sql(self, text, may_fail=False, out=subprocess.PIPE):
        done = subprocess.run([program("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *self.connection(), "-c", text, "postgres"],
                              stdout=out, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0 and not may_fail:
            raise SystemExit(f"psql: {done.stderr.strip()[-300:]}")
        return (done.stdout or "").strip()

    def table(self, name):
        self.sql(f"DROP TABLE IF EXISTS {name}")
        self.sql(TABLE.format(name=name))

    def pgbench(self, script, *options, clients=1, is_logged=False):
        """What pgbench says: transactions a second, how many there were, the seconds of the processor for all of them, and the
        latencies in seconds when they are logged."""
        with tempfile.TemporaryDirectory() as place:
            path = os.path.join(place, "script.sql")
            with open(path, "w") as file:
                file.write(script)
            command = [program("pgbench"), "-n", "-M", "prepared", *self.connection(), "-c", str(clients), "-j", str(min(clients, os.cpu_count())),
                       "-f", path, *(["-l", f"--log-prefix={place}/log"] if is_logged else []), *map(str, options), "postgres"]
            before = self.used()
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            # The server counts what its processes used when they have ended.
            while self.sql("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'") != "1":
                time.sleep(0.01)
            used = self.used() - before
            if done.returncode != 0:
                raise SystemExit(f"pgbench: {done.stderr.strip()[-300:]}")
            waits = []
            for log in glob.glob(f"{place}/log*"):
                with open(log) as file:
                    waits += [int(line.split()[2]) / 1e6 for line in file]
        return (float(re.search(r"tps = ([\d.]+)", done.stdout).group(1)),
                int(re.search(r"actually processed: (\d+)", done.stdout).group(1)), used, sorted(waits))

    def used(self):
        own = resource.getrusage(resource.RUSAGE_CHILDREN)
        return own.ru_utime + own.ru_stime + workload.server_seconds(self.process.pid)

    def settings(self):
        return ", ".join(f"{name} {self.sql(f'SHOW {name}')}" for name in ("fsync", "synchronous_commit", "wal_sync_method", "full_page_writes"))

    def close(self):
        workload.end_undisturbed()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(60)
        if self.socket != self.folder:
            shutil.rmtree(self.socket, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def script(batch, name):
    """The script of a batch, and the payloads it is given as parameters."""
    payloads = [payload.decode() for payload in workload.payloads()]
    given = ["-D", "number=0", "-D", "type=piece_captured"]
    if batch == 1:
        return ONE.format(name=name), [*given, "-D", "version=0", "-D", f"p1={payloads[0]}"]
    if batch == 8:
        arrays = "ARRAY[" + ", ".join(f":p{i}" for i in range(1, 9)) + "]::text[]"
        return MANY.format(name=name, sessions=1, arrays=arrays), given + [
            word for i, payload in enumerate(payloads, 1) for word in ("-D", f"p{i}={payload}")]
    # An argument is 128 KiB at most, so the payloads of a large batch come in eight arrays.
    count = batch // 8
    quoted = ",".join('"' + payload.replace('"', '\\"') + '"' for payload in (payloads * count)[:count])
    return (MANY.format(name=name, sessions=count, arrays=" || ".join(f":a{i}::text[]" for i in range(8))),
            given + [word for i in range(8) for word in ("-D", f"a{i}={{{quoted}}}")])


def main(folder, what, *numbers):
    workload.end_when_told()
    with Cluster(folder) as cluster:
        if what == "durability":
            cluster.table("scratch")
            text, given = script(1, "scratch")
            before = workload.syncs()
            _, count, _, _ = cluster.pgbench(text, *given, "-t", 200)
            return {"version": cluster.sql("SHOW server_version").split()[0], "settings": cluster.settings(),
                    "syncs_per_commit": round((workload.syncs() - before) / count, 2)}
        if what in ("append", "clients"):
            cluster.table("scratch")
            batch, clients = (int(numbers[0]), 1) if what == "append" else (1, int(numbers[0]))
            text, given = script(batch, "scratch")
            # A short start is not counted, as the product's; pgbench counts whole seconds.
            cluster.pgbench(text, *given, "-t", 16)
            cluster.table("scratch")
            rate, count, used, waits = cluster.pgbench(
                text, *given, "-T", max(1, round(float(numbers[1]))), clients=clients, is_logged=what == "clients")
            answer = {"events": count * batch, "commits": count, "events_per_second": round(rate * batch, 1),
                      "cpu_us_per_event": round(used * 1e6 / (count * batch), 2)}
            if waits:
                answer.update(ack_p50_us=round(workload.quantile(waits, 0.5) * 1e6), ack_p99_us=round(workload.quantile(waits, 0.99) * 1e6))
            return answer
        if what == "fill":
            cluster.table("filled")
            text, given = script(1000, "filled")
            cluster.pgbench(text, *given, "-t", int(numbers[0]) // 1000)
            cluster.sql("VACUUM ANALYZE filled")
            return {"bytes": int(cluster.sql("SELECT pg_total_relation_size('filled')"))}
        events = int(cluster.sql("SELECT count(*) FROM filled"))
        if what == "read":
            return workload.reading(lambda: cluster.sql(
                "COPY (SELECT position, session, version, event_id, type, recorded_at, payload FROM filled ORDER BY position) TO STDOUT",
                out=subprocess.DEVNULL) or events)
        _, count, _, waits = cluster.pgbench(LOAD.format(name="filled"), "-D", f"sessions={events // 8}", "-t", int(numbers[0]), is_logged=True)
        return {"loads": count, "p50_us": round(workload.quantile(waits, 0.5) * 1e6, 1), "p99_us": round(workload.quantile(waits, 0.99) * 1e6, 1)}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
