#!/usr/bin/env python3
"""Reads a file in Prometheus' text form (0.0.4) strictly and prints its samples as one JSON object.

usage: exposition.py FILE

Written from the description of the format alone; it shares no code with the product. What a lenient reader would pass over is an
error here: a sample without HELP and TYPE before it, a metric in two places, the same sample twice, a label that is escaped
wrongly, a counter whose name or value cannot be one, a missing line end, a time stamp (which node_exporter refuses).
"""

import json
import re
import sys

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*\Z")
LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*\Z")
NUMBER = re.compile(r"[+-]?(\d+(\.\d+)?([eE][+-]?\d+)?|Inf|NaN)\Z")


class Wrong(Exception):
    pass


def labels_of(text):
    """(labels, rest) of what follows the opening brace."""
    labels = {}
    while True:
        if text.startswith("}"):
            return labels, text[1:]
        name, equals, text = text.partition("=")
        if not equals or not LABEL.match(name) or name in labels or name.startswith("__") or not text.startswith('"'):
            raise Wrong(f"label {name!r}")
        value, at = "", 1
        while True:
            if at >= len(text):
                raise Wrong("a label's value without an end")
            char = text[at]
            if char == '"':
                break
            if char == "\\":
                at += 1
                if at >= len(text) or text[at] not in '\\"n':
                    raise Wrong("an escape that is none")
                char = "\n" if text[at] == "n" else text[at]
            value += char
            at += 1
        labels[name] = value
        text = text[at + 1:]
        if text.startswith(","):
            text = text[1:]
            if text.startswith("}"):
                raise Wrong("a comma before the end")
        elif not text.startswith("}"):
            raise Wrong("no comma between labels")


def samples_of(text):
    if not text.endswith("\n"):
        raise Wrong("the last line has no end")
    kinds, helps, closed, current, seen, samples = {}, {}, set(), None, set(), []
    for number, line in enumerate(text[:-1].split("\n"), 1):
        try:
            if line.startswith("# HELP "):
                name, _, words = line[7:].partition(" ")
                if not NAME.match(name) or name in helps or not words:
                    raise Wrong("HELP twice, without a name or without words")
                if re.search(r"\\(?![\\n])", words.replace("\\\\", "")):
                    raise Wrong("an escape in HELP that is none")
                helps[name] = words
                closed.add(current)
                current = name
                if name in closed:
                    raise Wrong("a metric in two places")
            elif line.startswith("# TYPE "):
                name, _, kind = line[7:].partition(" ")
                if name != current or name in kinds or kind not in ("counter", "gauge"):
                    raise Wrong("TYPE out of place")
                kinds[name] = kind
            elif line.startswith("#") or not line.strip():
                raise Wrong("a line of another kind")
            else:
                found = re.match(r"[a-zA-Z_:][a-zA-Z0-9_:]*", line)
                if not found:
                    raise Wrong("no name")
                name, rest = found.group(), line[found.end():]
                labels = {}
                if rest.startswith("{"):
                    labels, rest = labels_of(rest[1:])
                if not rest.startswith(" ") or not NUMBER.match(rest[1:]):
                    raise Wrong(f"no number: {rest!r}")
                if name != current or name not in kinds:
                    raise Wrong("a sample without its HELP and TYPE before it")
                key = (name, tuple(sorted(labels.items())))
                if key in seen:
                    raise Wrong("the same sample twice")
                seen.add(key)
                value = float(rest[1:])
                if kinds[name] == "counter" and not value >= 0:
                    raise Wrong("a counter below zero")
                if name.endswith("_total") != (kinds[name] == "counter"):
                    raise Wrong("only counters end in _total, and all do")
                samples.append({"name": name, "kind": kinds[name], "labels": labels, "value": value})
        except Wrong as wrong:
            raise Wrong(f"line {number}: {wrong}") from None
    if set(helps) != set(kinds) or set(helps) != {sample["name"] for sample in samples}:
        raise Wrong("HELP or TYPE of a metric without samples")
    return samples


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        text = file.read()
    try:
        print(json.dumps({"samples": samples_of(text)}))
    except Wrong as wrong:
        print(json.dumps({"error": str(wrong)}))
        sys.exit(1)


if __name__ == "__main__":
    main()
