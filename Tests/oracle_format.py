"""The bytes of a ledger, as docs/storage-format.md gives them. Shares no code with the product."""

import hashlib
import hmac
import os
import struct
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, ".runtime", "python"))

from cryptography.exceptions import InvalidTag  # noqa: E402
from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: E402

EVENT_COLUMNS = (
    "position", "session_id", "version", "event_id", "type", "schema_version", "recorded_at_ms", "occurred_at_ms", "flags",
    "command_id", "correlation_id", "causation_position", "actor", "piece", "capture_id", "source", "outcome", "reason",
    "duration_ms", "facts", "private",
)
ATTEMPT_COLUMNS = (
    "delivery_id", "number", "fence", "destination", "kind", "started_at_ms", "finished_at_ms", "certainty", "curl_code",
    "status", "bytes_sent", "bytes_received", "explanation", "action", "retry_after_ms", "next_attempt_at_ms",
    "table_version", "evidence_id", "evidence_digest",
)
STREAM_MAGIC = b"CLSTRM1\n"
CHUNK = 65536
TAG = 16


class Unreadable(Exception):
    """Sealed bytes that do not open, and why."""


def sha256(*parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.digest()


def hmac256(key, *parts):
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


def hkdf(ikm, info, salt=b""):
    """RFC 5869 with SHA-256 and one block of output, which is the 32 bytes wanted."""
    return hmac256(hmac256(salt or bytes(32), ikm), info, b"\x01")


def canonical_value(value):
    if value is None:
        return b"\x00"
    if isinstance(value, int):
        return b"\x01" + struct.pack(">q", value)
    if isinstance(value, str):
        data = value.encode()
        return b"\x02" + struct.pack(">I", len(data)) + data
    if isinstance(value, bytes):
        return b"\x03" + struct.pack(">I", len(value)) + value
    raise TypeError(f"a column holds {type(value).__name__}, which no row of a ledger does")


def canonical_row(values):
    return b"".join(canonical_value(value) for value in values)


def leaf(event_bytes):
    return sha256(b"\x00", event_bytes)


def chain_start(ledger_id):
    return sha256(b"capture-ledger chain v1", ledger_id)


def chain_next(previous, first, last, committed_at_ms, leaves):
    return sha256(b"\x02", previous, struct.pack(">QQq", first, last, committed_at_ms), *leaves)


def tree_root(hashes):
    """RFC 6962 root of a power of two of hashes."""
    while len(hashes) > 1:
        hashes = [sha256(b"\x01", hashes[i], hashes[i + 1]) for i in range(0, len(hashes), 2)]
    return hashes[0]


def read_master_key(path):
    with open(path, "rb") as file:
        text = file.read()
    try:
        key = bytes.fromhex(text.decode("ascii").strip())
    except (UnicodeDecodeError, ValueError):
        key = b""
    if len(key) != 32:
        raise Unreadable(f"{path} is not a master key: 64 hex digits and a line feed")
    return key


def wrapping_key(master):
    return hkdf(master, b"capture-ledger wrap v1")


def unwrap(kek, wrapped, aad):
    if wrapped is None or len(wrapped) != 61 or wrapped[:1] != b"\x01":
        raise Unreadable("a wrapped key is 61 bytes and begins with 01")
    try:
        return AESGCM(kek).decrypt(wrapped[1:13], wrapped[13:], aad)
    except InvalidTag:
        raise Unreadable("the key does not open under this master key") from None


def wrap(kek, key, aad):
    nonce = os.urandom(12)
    return b"\x01" + nonce + AESGCM(kek).encrypt(nonce, key, aad)


def session_key_aad(key_no):
    return b"session" + struct.pack(">Q", key_no)


def ledger_key_aad(name):
    return b"ledger" + name.encode()


def open_small(session_key, purpose, object_id, session_id, sealed):
    if len(sealed) < 1 + TAG or sealed[:1] != b"\x01":
        raise Unreadable("a sealed object begins with 01 and ends with a tag")
    key = hkdf(session_key, purpose + object_id)
    try:
        return AESGCM(key).decrypt(bytes(12), sealed[1:], session_id)
    except InvalidTag:
        raise Unreadable("the sealed object does not open with its session's key") from None


def seal_small(session_key, purpose, object_id, session_id, plain):
    return b"\x01" + AESGCM(hkdf(session_key, purpose + object_id)).encrypt(bytes(12), plain, session_id)


def chunk_nonce(index, last):
    return bytes(7) + struct.pack(">I", index) + (b"\x01" if last else b"\x00")


def sealed_digest(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.digest()


def open_stream(session_key, purpose, object_id, path):
    """Opens a sealed file chunk by chunk; gives the number of its plain bytes and their SHA-256."""
    with open(path, "rb") as file:
        header = file.read(24)
        if len(header) != 24 or header[:8] != STREAM_MAGIC:
            raise Unreadable("the file does not begin with the header of a sealed stream")
        cipher = AESGCM(hkdf(session_key, purpose + object_id, salt=header[8:]))
        digest, size, index = hashlib.sha256(), 0, 0
        block = file.read(CHUNK + TAG)
        while True:
            following = file.read(CHUNK + TAG)
            last = not following
            if last and index and len(block) <= TAG:
                raise Unreadable("the last chunk of a non-empty stream is empty")
            try:
                plain = cipher.decrypt(chunk_nonce(index, last), block, header)
            except (InvalidTag, ValueError):
                raise Unreadable(f"chunk {index} does not open: altered, cut off or of another session") from None
            digest.update(plain)
            size += len(plain)
            if last:
                return size, digest.digest()
            block, index = following, index + 1


def seal_stream(session_key, purpose, object_id, plain):
    header = STREAM_MAGIC + os.urandom(16)
    cipher = AESGCM(hkdf(session_key, purpose + object_id, salt=header[8:]))
    chunks = [plain[i:i + CHUNK] for i in range(0, len(plain), CHUNK)] or [b""]
    return header + b"".join(
        cipher.encrypt(chunk_nonce(i, i == len(chunks) - 1), chunk, header) for i, chunk in enumerate(chunks))


def commitment(session_key, plain_digest):
    return hmac256(hkdf(session_key, b"capture-ledger commitment v1"), plain_digest)


def lookup_digest(lookup_key, kind, value):
    return hmac256(lookup_key, bytes([kind]), value)[:16]


def delivery_id(session_id, capture_id, destination):
    raw = bytearray(sha256(b"capture-ledger delivery v1", session_id, capture_id, destination.encode())[:16])
    raw[6] = raw[6] & 0x0F | 0x80
    raw[8] = raw[8] & 0x3F | 0x80
    return bytes(raw)


def is_version_7(raw):
    return raw is not None and len(raw) == 16 and raw[6] >> 4 == 7 and raw[8] >> 6 == 2


def plain_id(text):
    """The 16 bytes of an identifier in text, with or without hyphens; None for anything else."""
    try:
        raw = bytes.fromhex(text.replace("-", ""))
    except (ValueError, AttributeError):
        return None
    return raw if len(raw) == 16 else None


def named(raw):
    """An identifier as people write it."""
    text = raw.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:])) if len(text) == 32 else text
