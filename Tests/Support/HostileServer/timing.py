"""What the server does at the wrong time or with a whole answer: answers before the answer, before the request was read, that say
something else, and that nobody asked for. Importing this adds them to `BEHAVIOURS`."""

import json
import time

from behaviours import JSON, answer, behaviour, good, honest, http, raw

# answers before the answer

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\nRetry-After: 500\r\n\r\n"
raw("continue", lambda x, w: CONTINUE + good(x)[0], ends="keep")
raw("continue-many", lambda x, w: CONTINUE * 200 + good(x)[0], ends="keep")
raw("hints", lambda x, w: HINTS * 3 + good(x)[0], ends="keep")
raw("processing", lambda x, w: b"HTTP/1.1 102 Processing\r\n\r\n" * 5 + good(x)[0], ends="keep")
raw("hints-then-reset", lambda x, w: HINTS, ends="reset")
raw("hints-then-close", lambda x, w: HINTS)
raw("continue-then-close", lambda x, w: CONTINUE)
raw("continue-with-length", lambda x, w: b"HTTP/1.1 100 Continue\r\nContent-Length: 10\r\n\r\n" + good(x)[0], ends="keep")
raw("continue-then-stall", lambda x, w: CONTINUE, ends="stall")
raw("informational-199", lambda x, w: http(199, ["X: y"], length=False) + good(x)[0], ends="keep")
raw("switching", lambda x, w: b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n" + good(x)[0])


@behaviour("continue-first", reads="head")
def _(x, w):
    x.connection.send(CONTINUE)
    x.read_body()
    x.take_in()
    x.send(good(x)[0])


@behaviour("continues-for-ever")
def _(x, w):
    x.note()
    while True:
        x.send(HINTS * 50)


# answers before the request was read

def early(name, make, after, first=0):
    """`first` bytes of the body are read before the answer."""
    @behaviour(name, reads="head", takes=False)
    def _(x, w):
        x.read_body(first)
        x.connection.send(make(x))
        if after == "read":
            time.sleep(0.05)
            x.read_body()
        elif after in ("stall", "half-close"):
            if after == "half-close":
                x.connection.half_close()
            x.note()
            x.connection.is_gone(3)
        x.note()
        if after == "read":
            x.connection.close()
        else:
            x.connection.reset()


def early_yes(x):
    """What a cache or a liar says before it has seen the body: the yes that would be right for this delivery."""
    return http(200, [JSON], x.server.early_answer(x))


early("early-refusal", lambda x: http(413, [JSON], b'{"title":"Too large"}'), "read")
early("early-refusal-then-reset", lambda x: http(413, ["Connection: close"], b""), "reset")
early("early-unauthorized", lambda x: http(401, [JSON], b"{}"), "read")
early("early-yes-then-stall", early_yes, "stall")
early("early-yes-then-reset", early_yes, "reset")
def early_yes_until_close(x):
    return http(200, [JSON, "Connection: close"], x.server.early_answer(x), length=False)


def early_yes_closing(x):
    return http(200, [JSON, "Connection: close"], x.server.early_answer(x))


early("early-yes-then-end", early_yes_closing, "half-close")
early("early-yes-until-end", early_yes_until_close, "half-close")
early("early-garbage", lambda x: b"\x01\x02\x03" * 200, "read", first=1_000)


# whole answers that say something else

@behaviour("status", takes=False)
def _(x, w):
    """Any status, header fields and body; `{key}` and `{other}` in a field stand for the key and the other port."""
    fields = [field.replace("{key}", x.key or "").replace("{other}", x.server.other_origin) for field in w.get("headers", [])]
    body = w.get("body", "").encode()
    status = w["status"]
    x.send(http(status, fields, body, length=status not in (204, 304)))
    if "close" in w:
        x.connection.goodbye()


@behaviour("accepted")
def _(x, w):
    """202, with the address that `location` says."""
    fields = [f.replace("{key}", x.key or "").replace("{other}", x.server.other_origin) for f in w.get("headers", [])]
    x.send(http(202, [JSON] + fields, w.get("body", "{}").replace("{key}", x.key or "").encode()))


BODIES = {
    "html": lambda x: b"<html><body>Please accept our terms to use this network.</body></html>",
    "empty": lambda x: b"",
    "blank": lambda x: b" \r\n\t ",
    "no-outcome": lambda x: b'{"status":"ok","capture_id":"CAPTURE"}',
    "outcome-unknown": lambda x: b'{"outcome":"perhaps","capture_id":"CAPTURE"}',
    "outcome-null": lambda x: b'{"outcome":null,"capture_id":"CAPTURE"}',
    "outcome-list": lambda x: b'{"outcome":["verified"],"capture_id":"CAPTURE"}',
    "outcome-capitals": lambda x: b'{"outcome":"VERIFIED","capture_id":"CAPTURE"}',
    "no-capture": lambda x: b'{"outcome":"verified"}',
    "other-capture": lambda x: b'{"outcome":"verified","capture_id":"00000000-0000-7000-8000-00000000dead"}',
    "capture-is-prefix": lambda x: b'{"outcome":"verified","capture_id":"CAPTURE0"}',
    "rejected-without-reason": lambda x: b'{"outcome":"rejected","capture_id":"CAPTURE"}',
    "drop-is-text": lambda x: b'{"outcome":"verified","capture_id":"CAPTURE","drop_pieces":"selfie"}',
    "nested-outcome": lambda x: b'{"data":{"outcome":"verified","capture_id":"CAPTURE"}}',
    "list": lambda x: b'[{"outcome":"verified","capture_id":"CAPTURE"}]',
    "null": lambda x: b"null",
    "text": lambda x: b'"verified"',
    "cut": lambda x: b'{"outcome":"verified","capture_id":"CAPTURE"',
    "trailing-garbage": lambda x: b'{"outcome":"verified","capture_id":"CAPTURE"}garbage',
    "two-documents": lambda x: b'{"outcome":"verified","capture_id":"CAPTURE"}{"outcome":"rejected"}',
    "deep": lambda x: b'{"outcome":"verified","capture_id":"CAPTURE","payload":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep-open": lambda x: b"[" * 900_000,
    "duplicate-keys": lambda x: b'{"outcome":"rejected","outcome":"verified","capture_id":"CAPTURE","reason":"x"}',
    "duplicate-captures": lambda x: b'{"outcome":"verified","capture_id":"0","capture_id":"CAPTURE"}',
    "escaped-duplicate": lambda x: b'{"outcome":"failed","\\u006futcome":"verified","capture_id":"CAPTURE","message":"m"}',
    "huge-number": lambda x: b'{"outcome":"verified","capture_id":"CAPTURE","payload":1e999}',
    "long-number": lambda x: b'{"outcome":"verified","capture_id":"CAPTURE","payload":' + b"9" * 500_000 + b"}",
    "bad-utf8": lambda x: b'{"outcome":"verified","capture_id":"CAPTURE","payload":"\xff\xfe\xc0\xaf"}',
    "lone-surrogate": lambda x: b'{"outcome":"verified","capture_id":"CAPTURE","payload":"\\ud800"}',
    "bom": lambda x: b'\xef\xbb\xbf{"outcome":"verified","capture_id":"CAPTURE"}',
    "utf16": lambda x: '{"outcome":"verified","capture_id":"CAPTURE"}'.replace("CAPTURE", x.capture or "").encode("utf-16"),
    "nul": lambda x: b'{"outcome":"verified","capture_id":"CAPTURE"}\0',
    "single-quotes": lambda x: b"{'outcome':'verified','capture_id':'CAPTURE'}",
    "comment": lambda x: b'{"outcome":"verified",/* yes */"capture_id":"CAPTURE"}',
    "surrounded-by-blanks": lambda x: b'\r\n {"outcome":"verified","capture_id":"CAPTURE","payload":{"of":"CAPTURE"}}\r\n\r\n',
    "rejected": lambda x: b'{"outcome":"rejected","capture_id":"CAPTURE","reason":"too dark"}',
    "failed": lambda x: b'{"outcome":"failed","capture_id":"CAPTURE","message":"later"}',
    "problem": lambda x: b'{"title":"Internal error","status":500}',
    "no-entries": lambda x: b'{"controlResults":[]}',
    "entries-are-none": lambda x: b'{"controlResults":{}}',
    "no-hologram": lambda x: b'{"controlResults":[{"entryType":"MRZ","entryScore":0.9}]}',
    "hologram-in-small-letters": lambda x: b'{"controlResults":[{"entryType":"hologram","entryScore":0.9}]}',
    "score-missing": lambda x: b'{"controlResults":[{"entryType":"HOLOGRAM"}]}',
    "score-null": lambda x: b'{"controlResults":[{"entryType":"HOLOGRAM","entryScore":null}]}',
    "score-text": lambda x: b'{"controlResults":[{"entryType":"HOLOGRAM","entryScore":"0.9"}]}',
    "score-true": lambda x: b'{"controlResults":[{"entryType":"HOLOGRAM","entryScore":true}]}',
    "score-nan": lambda x: b'{"controlResults":[{"entryType":"HOLOGRAM","entryScore":NaN}]}',
    "score-infinite": lambda x: b'{"controlResults":[{"entryType":"HOLOGRAM","entryScore":1e999}]}',
    "null-then-score": lambda x: b'{"controlResults":[{"entryType":"HOLOGRAM","entryScore":null},'
                                 b'{"entryType":"HOLOGRAM","entryScore":0.9}]}',
    "two-scores": lambda x: b'{"controlResults":[{"entryType":"HOLOGRAM","entryScore":0.25,"video_sha256":"VIDEO"},'
                            b'{"entryType":"HOLOGRAM","entryScore":0.75}]}',
    "unknown-entries": lambda x: b'{"controlResults":[7,null,{"entryType":"NEW","x":[1]},'
                                 b'{"entryType":"HOLOGRAM","entryScore":0.25,"more":{}}],"video_sha256":"VIDEO","v":2}',
}


@behaviour("body", takes=False)
def _(x, w):
    """A complete answer with one of the bodies above."""
    content = BODIES[w["is"]](x).replace(b"CAPTURE", (x.capture or "").encode()).replace(b"VIDEO", x.video.encode())
    kind = "text/html; charset=utf-8" if w["is"] == "html" else "application/json"
    x.send(http(w.get("status", 200), [w.get("type", "Content-Type: " + kind)], content))


@behaviour("rejected-later", takes=False)
def _(x, w):
    """What a status address says of a submission that was taken in and then found wanting."""
    stored = json.loads(x.server.outcome(x.key) or b"{}")
    body = {"outcome": "rejected", "capture_id": stored.get("capture_id"), "reason": "glare"}
    x.send(http(200, [JSON], json.dumps(body).encode()))


@behaviour("answer-of-another", takes=False)
def _(x, w):
    """The stored answer of the delivery with the key `of`, as from a cache that looks at the address alone."""
    x.send(http(200, [JSON, "Age: 12"], x.server.outcome(w["of"]) or b""))


# answers that nobody asked for

def extra(name, make):
    @behaviour(name)
    def _(x, w):
        """The honest answer and, at once or a little later, another message that the next request could take for its own."""
        whole = good(x)[0]
        more = make(x, w)
        if w.get("at-once"):
            return x.send(whole + more)
        x.send(whole)
        time.sleep(w.get("pause", 0.05))
        x.connection.send(more)


extra("then-the-same-again", lambda x, w: good(x)[0])
extra("then-a-timeout", lambda x, w: http(408, ["Connection: close"], b"<html>Request Timeout</html>"))
extra("then-a-refusal", lambda x, w: http(422, [JSON], b"{}"))
extra("then-a-hologram", lambda x, w: http(
    200, [JSON], b'{"controlResults":[{"entryType":"HOLOGRAM","entryScore":0.01}]}'))
extra("then-a-hint", lambda x, w: HINTS)
extra("then-garbage", lambda x, w: b"\0\1\2garbage\r\n\r\n")


@behaviour("then-silent-close")
def _(x, w):
    """An honest answer that promises to keep the connection, and a close right behind it."""
    x.send(good(x)[0])
    x.connection.goodbye()
