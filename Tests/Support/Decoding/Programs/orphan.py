"""Starts a decoder from a process that is then killed, the decoder stopped meanwhile; prints how long the decoder outlived it, in
milliseconds, or "alive". usage: orphan.py DECODER"""

import os
import select
import signal
import socket
import sys
import time


def client(program, report):
    ours, theirs = socket.socketpair()
    line, held = os.pipe()
    media = os.memfd_create("media")
    decoder = os.fork()
    if decoder == 0:
        moved = [os.dup2(number, 50 + index) for index, number in enumerate((theirs.fileno(), line, media))]
        for index, number in enumerate(moved):
            os.dup2(number, 3 + index)
        os.execv(program, [program, "picture", "1"])
    ours.recv(80)
    os.kill(decoder, signal.SIGSTOP)
    os.write(report, f"{decoder}\n".encode())
    signal.pause()


def main(program):
    read, write = os.pipe()
    parent = os.fork()
    if parent == 0:
        client(program, write)
    decoder = int(os.read(read, 100))
    handle = os.pidfd_open(decoder)
    began = time.monotonic()
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    ready, _, _ = select.select([handle], [], [], 5)
    print(round(1000 * (time.monotonic() - began)) if ready else "alive")


main(sys.argv[1])
