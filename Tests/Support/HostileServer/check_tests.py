"""The checker itself: what it must notice, it notices. usage: python3 check_tests.py"""

import base64
import hashlib
import json
import unittest

import check

SESSION = "00000005-0000-7000-8000-000000000001"


def multipart(capture, media=b"picture", declared=None, boundary="b0"):
    metadata = {
        "schema": 1, "session_id": SESSION, "piece": "selfie", "capture_id": capture, "attempt": 1, "source": "camera",
        "media": {"type": "image/jpeg", "bytes": len(media), "sha256": declared or hashlib.sha256(media).hexdigest()}}
    return (
        f'--{boundary}\r\nContent-Disposition: form-data; name="metadata"\r\nContent-Type: application/json\r\n\r\n'
        f'{json.dumps(metadata)}\r\n--{boundary}\r\nContent-Disposition: form-data; name="media"; filename="x.jpg"\r\n'
        "Content-Type: image/jpeg\r\n\r\n").encode() + media + f"\r\n--{boundary}--\r\n".encode()


def request(key, body, taken="effect", length=None, extra=(), without=()):
    fields = [
        "Host: a", f"Idempotency-Key: {key}", f"Content-Length: {len(body) if length is None else length}",
        "Content-Type: multipart/form-data; boundary=b0", "traceparent: 00-1-2-01", *extra]
    fields = [field for field in fields if field.split(":")[0] not in without]
    head = "POST /verifier HTTP/1.1\r\n" + "\r\n".join(fields) + "\r\n\r\n"
    return {"raw": base64.b64encode(head.encode() + body).decode(), "taken": taken, "behaviour": "honest"}


def video(content):
    text = base64.b64encode(content).decode()
    return json.dumps({"video": text, "rotate": 0, "cardType": "NEW-ID", "transactionId": "t"}).encode()


class Checker(unittest.TestCase):
    def problems(self, *lines):
        return check.judge(list(lines))["problems"]

    def notices(self, text, *lines):
        problems = self.problems(*lines)
        self.assertTrue(any(text in problem for problem in problems), problems)

    def test_a_sound_record_is_sound(self):
        body = multipart("c1")
        self.assertEqual(self.problems(
            request("k1", body[:90], "no", length=len(body)), request("k1", body), request("k1", body, "repeat"),
            request("k2", multipart("c2")), request("k3", video(b"v")), request("k4", video(b"w"))), [])

    def test_two_effects(self):
        body = multipart("c1")
        self.notices("2 effects", request("k1", body), request("k1", body))
        self.notices("2 effects", request("k1", video(b"v")), request("k2", video(b"v")))

    def test_two_keys(self):
        self.notices("2 keys", request("k1", multipart("c1")), request("k2", multipart("c1"), "no"))

    def test_two_bodies(self):
        other = multipart("c1", boundary="b1")
        self.notices("2 bodies", request("k1", multipart("c1")), request("k1", other, "no"))
        self.notices("key was used", request("k1", multipart("c1")), request("k1", other, "conflict"))

    def test_a_part_that_is_no_beginning(self):
        body = multipart("c1")
        self.notices("not its beginning", request("k1", b"x" + body[:40], "no", length=len(body)), request("k1", body))
        self.notices("declared lengths", request("k1", body[:40], "no", length=9_999), request("k1", body))
        self.notices("taken in", request("k1", body[:40], length=len(body)))

    def test_fields(self):
        body = multipart("c1")
        self.notices("0 fields idempotency-key", request("k1", body, without=["Idempotency-Key"]))
        self.notices("2 fields idempotency-key", request("k1", body, extra=["Idempotency-Key: k2"]))
        self.notices("no traceparent", request("k1", body, without=["traceparent"]))
        self.notices("100-continue", request("k1", body, extra=["Expect: 100-continue"]))
        self.notices("declared length", request("k1", body, extra=["Transfer-Encoding: chunked"]))

    def test_bodies(self):
        self.notices("another digest", request("k1", multipart("c1", declared="0" * 64)))
        self.notices("malformed", request("k1", b"{"))
        self.notices("neither", request("k1", multipart("c1") + b"more"))


if __name__ == "__main__":
    unittest.main()
