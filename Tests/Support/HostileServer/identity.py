"""Who a submission is, from its body alone: never from its key, its headers or its address."""

import base64
import hashlib
import json


def digest(data):
    return hashlib.sha256(data).hexdigest()


def _metadata(body):
    """The JSON of the part named metadata."""
    line, _, rest = body.partition(b"\r\n")
    if not line.startswith(b"--") or len(line) < 3:
        return None
    for part in rest.split(b"\r\n" + line):
        head, blank, content = part.partition(b"\r\n\r\n")
        if blank and b'name="metadata"' in head:
            return json.loads(content)
    return None


def read(body):
    """{"identity": …, "capture": …} of a whole body; nothing when it is neither kind."""
    try:
        if body.startswith(b"{"):
            document = json.loads(body)
            video = base64.b64decode(document["video"], validate=True)
            if set(document) != {"video", "rotate", "cardType", "transactionId"} or not video:
                return None
            return {"identity": "hologram " + digest(video), "capture": None}
        metadata = _metadata(body)
        if metadata is None or not body.endswith(b"--\r\n"):
            return None
        named = [metadata[member] for member in ("session_id", "piece", "capture_id")]
        return {"identity": "capture " + " ".join(named), "capture": named[2]}
    except (ValueError, KeyError, TypeError):
        return None
