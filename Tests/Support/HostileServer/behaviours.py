"""What the server does wrong, by name. Each entry says how much of the request is read first: `peek` nothing, `head` its head,
`body` all of it; and whether the submission is taken in before the trouble begins, which is the worst case for a client that
then learns nothing."""

import gzip
import time

BEHAVIOURS = {}


def behaviour(name, reads="body", takes=True):
    def add(function):
        BEHAVIOURS[name] = (function, reads, takes)
        return function
    return add


def http(status, headers=(), body=b"", reason="Some Reason", version="HTTP/1.1", length=True):
    lines = [f"{version} {status} {reason}".encode()]
    lines += [field.encode("latin-1") for field in headers]
    if length:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


JSON = "Content-Type: application/json"


def good(x):
    """The honest answer's bytes and its body alone."""
    body = x.stored_answer()
    return http(200, [JSON], body), body


@behaviour("honest")
def honest(x, w):
    if x.method == "GET" and "/status/" in x.path:
        body = x.server.outcome(x.key)
        return x.send(http(200, [JSON], body) if body else http(404, [JSON], b'{"title":"No such submission"}'))
    if x.taken == "conflict":
        return x.send(http(422, [JSON], b'{"title":"This key was used with another body"}'))
    if x.method != "POST":
        return x.send(http(404, [], b""))
    headers = [JSON] + (["Idempotency-Replayed: true"] if x.taken == "repeat" else [])
    x.send(http(200, headers, x.stored_answer()))


# connections that break

@behaviour("reset-before-reading", reads="peek")
def _(x, w):
    x.note()
    x.connection.reset()


@behaviour("close-before-reading", reads="peek")
def _(x, w):
    x.note()
    x.connection.reset() if x.connection.is_tls else x.connection.close()


@behaviour("reset-during-headers", reads="peek")
def _(x, w):
    if x.is_unread:
        x.connection.receive(40)
    x.note()
    x.connection.reset()


@behaviour("reset-mid-body", reads="head")
def _(x, w):
    x.read_body(x.length // 2)
    x.note()
    x.connection.reset()


@behaviour("close-mid-body", reads="head")
def _(x, w):
    x.read_body(x.length // 2)
    x.note()
    x.connection.close()


@behaviour("half-close-at-once", reads="head", takes=False)
def _(x, w):
    x.connection.half_close()
    x.read_body()
    x.note()
    x.connection.is_gone(2)
    x.connection.close()


def _cut(name, ends):
    """The honest answer up to some point, and then an end of the connection."""
    def part(x):
        whole, body = good(x)
        head = len(whole) - len(body)
        return {
            "without-answer": b"", "after-status-line": whole[:whole.index(b"\r\n") + 2],
            "mid-headers": whole[:head - 12], "after-headers": whole[:head], "mid-answer": whole[:head + len(body) // 2],
        }[name]

    @behaviour(f"reset-{name}")
    def _(x, w):
        x.note()
        x.send(part(x))
        time.sleep(w.get("pause", 0.02))
        x.connection.reset()

    @behaviour(f"close-{name}")
    def _(x, w):
        x.note()
        x.send(part(x))
        x.connection.close()

    @behaviour(f"stall-{name}")
    def _(x, w):
        x.note()
        x.send(part(x))
        x.connection.is_gone(w.get("seconds", 5))
        x.connection.reset()


for _name in ("without-answer", "after-status-line", "mid-headers", "after-headers", "mid-answer"):
    _cut(_name, None)


@behaviour("never-reads", reads="peek")
def _(x, w):
    x.note()
    x.connection.is_gone(w.get("seconds", 3))
    x.connection.reset()


@behaviour("stall-before-body", reads="head")
def _(x, w):
    x.note()
    x.connection.is_gone(w.get("seconds", 3))
    x.connection.reset()


@behaviour("reads-slowly", reads="head")
def _(x, w):
    ends = time.monotonic() + w.get("seconds", 3)
    count = 0
    while count < x.length and time.monotonic() < ends and not x.server.stopping.is_set():
        count += 512
        x.read_body(count)
        if x.connection.is_gone(0.05):
            break
    x.connection.reset()


@behaviour("drip")
def _(x, w):
    """One byte after the other: in time when `pause` is short, never when it is long."""
    whole, _ = good(x)
    x.note()
    for index in range(len(whole)):
        x.send(whole[index:index + 1])
        if w.get("pause", 0.05) and x.connection.is_gone(w.get("pause", 0.05)):
            break


@behaviour("late-answer")
def _(x, w):
    x.note()
    x.connection.is_gone(w.get("seconds", 5))
    x.send(good(x)[0])


@behaviour("duplicates-fail")
def _(x, w):
    """Takes a submission in and breaks off; whatever repeats it meets a row that is there already."""
    if x.method == "GET":
        return honest(x, w)
    if x.taken == "effect":
        x.note()
        return x.connection.reset()
    x.send(http(500, [JSON], b'{"title":"duplicate key value violates unique constraint"}'))


# messages that are none

def raw(name, make, takes=True, ends="close", reads="body"):
    """Sends what `make` gives, then closes (`close`), says goodbye and closes (`goodbye`), resets, or goes on (`keep`)."""
    @behaviour(name, reads=reads, takes=takes)
    def _(x, w):
        x.send(make(x, w))
        ending = w.get("ends", ends)
        if ending == "close":
            x.connection.close()
        elif ending == "goodbye":
            x.connection.goodbye()
        elif ending == "reset":
            time.sleep(0.02)
            x.connection.reset()
        elif ending == "stall":
            x.connection.is_gone(5)
            x.connection.reset()


def answer(*fields, status="200 OK", version="HTTP/1.1", line=b"\r\n"):
    """A maker of the honest body under header fields of its own."""
    def make(x, w):
        body = good(x)[1]
        shown = [field.replace("LENGTH", str(len(body))) for field in fields]
        head = line.join([f"{version} {status}".encode()] + [field.encode("latin-1") for field in shown])
        return head + line + line + body
    return make


def chunk(data):
    return b"%x\r\n" % len(data) + data + b"\r\n"


def chunked(*parts, head=("Transfer-Encoding: chunked",)):
    def make(x, w):
        body = good(x)[1]
        half = len(body) // 2
        names = {
            "first": chunk(body[:half]), "second": chunk(body[half:]), "end": b"0\r\n\r\n", "all": body,
            "cut": chunk(body[half:])[:-9], "bad-size": b"zz\r\n" + body[half:] + b"\r\n",
            "negative-size": b"-5\r\n" + body[half:] + b"\r\n", "huge-size": b"ffffffffffffffffff\r\n" + body[half:],
            "no-line-end": b"%x\r\n" % len(body[half:]) + body[half:] + b"garbage\r\n",
            "trailers": b"0\r\nRetry-After: 77\r\nContent-Length: 3\r\n\r\n",
            "extension": b'%x;a="b"\r\n' % len(body) + body + b"\r\n",
        }
        fields = [field.replace("LENGTH", str(len(body))) for field in head]
        return http(200, [JSON, *fields], length=False) + b"".join(names[part] for part in parts)
    return make


raw("garbage", lambda x, w: b"\x00\xff\x13garbage that is no answer at all\r\n" * 30)
raw("http-0.9", lambda x, w: good(x)[1])
raw("http2-preface", lambda x, w: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
raw("http2-frames", lambda x, w: b"\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x80\x00\x04\x00\x01\x00\x00")
raw("http2-status-line", answer(JSON, "Content-Length: LENGTH", version="HTTP/2"))
raw("http1.7", answer(JSON, "Content-Length: LENGTH", version="HTTP/1.7"))
raw("http3-version", answer(JSON, "Content-Length: LENGTH", version="HTTP/3.9"))
raw("http1.0", answer(JSON, "Content-Length: LENGTH", version="HTTP/1.0"), ends="goodbye")
raw("icy", answer(JSON, "Content-Length: LENGTH", version="ICY"))
raw("smtp-banner", lambda x, w: b"220 mail.example ESMTP ready\r\n")
raw("huge-header", lambda x, w: answer(JSON, "X-Big: " + "b" * 200_000, "Content-Length: LENGTH")(x, w))
raw("many-headers", lambda x, w: answer(*[f"X-{n}: {n}" for n in range(10_000)], "Content-Length: LENGTH")(x, w))
raw("short-body", lambda x, w: http(200, [JSON, f"Content-Length: {len(good(x)[1]) + 50}"], good(x)[1], length=False))
raw("two-lengths-last-right", answer(JSON, "Content-Length: 10", "Content-Length: LENGTH"), ends="keep")
raw("two-lengths-last-short", answer(JSON, "Content-Length: LENGTH", "Content-Length: 10"), ends="keep")
raw("two-lengths-last-long", answer(JSON, "Content-Length: LENGTH", "Content-Length: 5000"))
raw("two-lengths-equal", answer(JSON, "Content-Length: LENGTH", "content-length: LENGTH"), ends="keep")
raw("two-lengths-masked", answer(JSON, "Content-Length: 10", "HTTP/1.1x: y", "Content-Length: LENGTH"), ends="keep")
raw("two-lengths-in-one-line", answer(JSON, "Content-Length: LENGTH, 10"), ends="keep")
raw("equal-lengths-in-one-line", answer(JSON, "Content-Length: LENGTH, LENGTH"), ends="keep")
raw("length-with-tail", answer(JSON, "Content-Length: LENGTHx"), ends="keep")
raw("length-with-plus", answer(JSON, "Content-Length: +LENGTH"), ends="keep")
raw("length-negative", answer(JSON, "Content-Length: -5"))
raw("length-of-words", answer(JSON, "Content-Length: many"), ends="goodbye")
raw("length-huge", answer(JSON, "Content-Length: 9223372036854775807"))
raw("length-beyond-numbers", answer(JSON, "Content-Length: 99999999999999999999999"), ends="goodbye")
raw("length-zero", answer(JSON, "Content-Length: 0"), ends="keep")
raw("no-length", answer(JSON), ends="goodbye")
raw("no-length-cut", lambda x, w: answer(JSON)(x, w)[:-20])
raw("length-and-chunked", chunked("first", "second", "end", head=("Transfer-Encoding: chunked", "Content-Length: LENGTH")),
    ends="keep")
raw("length-and-chunked-short", chunked("first", "second", "end", head=("Content-Length: 7", "Transfer-Encoding: chunked")),
    ends="keep")
raw("chunked", chunked("first", "second", "end"), ends="keep")
raw("chunked-with-extension", chunked("extension", "end"), ends="keep")
raw("chunked-with-trailers", chunked("first", "second", "trailers"), ends="keep")
raw("chunked-cut", chunked("first", "cut"))
raw("chunked-cut-before-end", chunked("first", "second"))
raw("chunked-bad-size", chunked("first", "bad-size", "end"))
raw("chunked-negative-size", chunked("first", "negative-size", "end"))
raw("chunked-huge-size", chunked("first", "huge-size"))
raw("chunked-bad-line-end", chunked("first", "no-line-end", "end"))
raw("chunked-twice", chunked("first", "second", "end", head=("Transfer-Encoding: chunked", "Transfer-Encoding: chunked")),
    ends="keep")
raw("transfer-gzip", answer(JSON, "Transfer-Encoding: gzip", "Content-Length: LENGTH"))
raw("transfer-unknown", answer(JSON, "Transfer-Encoding: rot13", "Content-Length: LENGTH"))
raw("gzip", lambda x, w: http(200, [JSON, "Content-Encoding: gzip"], gzip.compress(good(x)[1])), ends="keep")
raw("gzip-wrong", lambda x, w: http(200, [JSON, "Content-Encoding: gzip"], good(x)[1]), ends="keep")
raw("gzip-cut", lambda x, w: http(200, [JSON, "Content-Encoding: gzip"], gzip.compress(good(x)[1])[:-9]), ends="keep")
raw("gzip-bomb", lambda x, w: http(200, [JSON, "Content-Encoding: gzip"], gzip.compress(bytes(50 << 20), 1)), ends="keep")
raw("encoding-unknown", lambda x, w: http(200, [JSON, "Content-Encoding: zaphod"], good(x)[1]), ends="keep")
raw("too-long", lambda x, w: http(200, [JSON], b'{"outcome":"' + b"v" * (2 << 20) + b'"}'))
raw("status-099", lambda x, w: http("099", [JSON], good(x)[1]))
raw("status-000", lambda x, w: http("000", [JSON], good(x)[1]))
raw("status-1000", lambda x, w: http("1000", [JSON], good(x)[1]))
raw("status-20", lambda x, w: http("20", [JSON], good(x)[1]))
raw("status-words", lambda x, w: http("OK", [JSON], good(x)[1]))
raw("status-negative", lambda x, w: http("-200", [JSON], good(x)[1]))
raw("no-reason", answer(JSON, "Content-Length: LENGTH", status="200"), ends="keep")
raw("long-reason", lambda x, w: http(200, [JSON], good(x)[1], reason="r" * 20_000), ends="keep")
raw("nul-in-header", answer(JSON, "X-Nul: a\0b", "Content-Length: LENGTH"))
raw("nul-in-status-line", answer(JSON, "Content-Length: LENGTH", status="200 O\0K"))
raw("cr-only", answer(JSON, "Content-Length: LENGTH", line=b"\r"))
raw("lf-only", answer(JSON, "Content-Length: LENGTH", line=b"\n"), ends="keep")
raw("folded", answer("Content-Type:", " application/json", "X-Folded: a", "\tb", "Content-Length: LENGTH"), ends="keep")
raw("folded-length", lambda x, w: answer(JSON, "Content-Length:", " LENGTH")(x, w), ends="goodbye")
raw("no-colon", answer(JSON, "this is no header field", "Content-Length: LENGTH"), ends="keep")
raw("space-before-colon", answer(JSON, "Content-Length : 10", "Content-Length: LENGTH"), ends="keep")
raw("blank-lines-first", lambda x, w: b"\r\n\r\n" + good(x)[0])
raw("space-first", lambda x, w: b" " + good(x)[0])
