#!/usr/bin/env python3
"""A model runner in a process of its own: TensorFlow Lite's Python interpreter behind the protocol of docs/model-runners.md.

One process serves one model. It reads requests from standard input, writes answers to standard output, and ends with its input.
Needs numpy and ai-edge-litert; `make setup` in the source tree puts both into .runtime/python (PYTHONPATH).
"""

import mmap
import os
import struct
import sys

import numpy
from ai_edge_litert.interpreter import Interpreter

VERSION = 1
HELLO, READY, LOAD, LOADED, RUN, RESULT, RUN_SHARED, RESULT_SHARED, ERROR = range(1, 10)
NOT_READY, WRONG_SHAPE, FAILED = 1, 2, 3
SHARED_MEMORY = 3  # the descriptor


class Refusal(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Peer:
    """The other end. Anything that prints goes to standard error, so that nothing but answers gets into the pipe."""

    def __init__(self):
        self.source = os.fdopen(os.dup(0), "rb", buffering=0)
        self.target = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)

    def read(self, count):
        """None at the end."""
        buffer = bytearray(count)
        view, done = memoryview(buffer), 0
        while done < count:
            more = self.source.readinto(view[done:])
            if not more:
                return None
            done += more
        return buffer

    def answer(self, kind, number, *parts):
        views = [memoryview(part).cast("B") for part in parts]
        header = struct.pack("<IIQ", kind, number, sum(view.nbytes for view in views))
        for view in [memoryview(header), *views]:
            while view.nbytes:
                view = view[self.target.write(view):]


class Body:
    def __init__(self, data):
        self.data, self.position = data, 0

    def number(self, form="<I"):
        value, = struct.unpack_from(form, self.data, self.position)
        self.position += struct.calcsize(form)
        return value

    def numbers(self):
        return [self.number() for _ in range(self.number())]

    def rest(self):
        return memoryview(self.data)[self.position:]


def shape_bytes(shape):
    return struct.pack(f"<{len(shape) + 1}I", len(shape), *map(int, shape))


class Runner:
    def __init__(self):
        self.interpreter = self.memory = None

    def hello(self, body):
        if body.number() != VERSION:
            raise Refusal(FAILED, "this runner speaks version 1")
        size = body.number("<Q")
        if size:
            self.memory = numpy.frombuffer(mmap.mmap(SHARED_MEMORY, size), numpy.uint8)
        return [struct.pack("<II", VERSION, 1 if size else 0)]

    def load(self, body):
        try:
            self.interpreter = Interpreter(bytes(body.rest()).decode(), num_threads=1)
            self.interpreter.allocate_tensors()
        except Exception as problem:
            raise Refusal(NOT_READY, str(problem))
        self.inputs = self.interpreter.get_input_details()
        self.outputs = self.interpreter.get_output_details()
        return [struct.pack("<I", len(self.outputs)), shape_bytes(self.inputs[0]["shape"])]

    def invoke(self, shape, values):
        details = self.inputs[0]
        if shape != list(details["shape"]) or values.size != numpy.prod(shape):
            raise Refusal(WRONG_SHAPE, f"the model takes {list(details['shape'])}")
        self.interpreter.set_tensor(details["index"], values.reshape(shape))
        self.interpreter.invoke()

    def output(self, number):
        if number >= len(self.outputs):
            raise Refusal(WRONG_SHAPE, f"there is no output {number}")
        return numpy.ascontiguousarray(self.interpreter.get_tensor(self.outputs[number]["index"]), numpy.float32)

    def run(self, body):
        wanted, shape = body.numbers(), body.numbers()
        self.invoke(shape, numpy.frombuffer(body.rest(), numpy.float32))
        parts = [struct.pack("<I", len(wanted))]
        for number in wanted:
            values = self.output(number)
            parts += [shape_bytes(values.shape), values.reshape(-1)]
        return parts

    def run_shared(self, body):
        wanted, shape, start = body.numbers(), body.numbers(), body.number("<Q")
        length = 4 * int(numpy.prod(shape))
        self.invoke(shape, self.memory[start:start + length].view(numpy.float32))
        parts, free = [struct.pack("<I", len(wanted))], self.memory.size // 2
        for number in wanted:
            values = self.output(number)
            self.memory[free:free + values.nbytes] = values.reshape(-1).view(numpy.uint8)
            parts += [shape_bytes(values.shape), struct.pack("<Q", free)]
            free += values.nbytes
        return parts


def main():
    peer, runner = Peer(), Runner()
    served = {
        HELLO: (runner.hello, READY), LOAD: (runner.load, LOADED), RUN: (runner.run, RESULT),
        RUN_SHARED: (runner.run_shared, RESULT_SHARED),
    }
    while header := peer.read(16):
        kind, number, length = struct.unpack("<IIQ", header)
        body = peer.read(length)
        if body is None:
            break
        try:
            serve, answer = served[kind]
            peer.answer(answer, number, *serve(Body(body)))
        except Refusal as refusal:
            peer.answer(ERROR, number, struct.pack("<I", refusal.code), str(refusal).encode()[:200])
        except Exception as problem:
            peer.answer(ERROR, number, struct.pack("<I", FAILED), str(problem).encode()[:200])


if __name__ == "__main__":
    sys.exit(main())
