"""Writes damaged media, the same for the same seed. usage: damage.py FIXTURES FOLDER COUNT SEED

A file's name says what was done to it and to what: 007-bits-portrait.heic."""

import os
import random
import struct
import sys
import zlib

ORIGINALS = [
    "jpeg/baseline.jpg", "jpeg/progressive.jpg", "jpeg/grey.jpg", "jpeg/cmyk.jpg", "jpeg/restart-intervals.jpg",
    "orientation/corners-6.jpg", "selfie.jpg", "passport-front.jpg", "formats/portrait.png", "formats/orientation-6.png",
    "formats/portrait.webp", "formats/lossless.webp", "formats/portrait.heic", "formats/tiny.heic", "documents/one-page.pdf",
    "documents/linearized.pdf", "documents/one-page-object-streams.pdf", "hologram.mp4", "videos/rotated-90.mov",
    "videos/fragmented.mp4", "damaged/bomb-64250x64250.jpg", "damaged/bomb-object-streams.pdf",
]


def truncated(data, other, choice):
    return data[: choice.randrange(len(data))]


def bits(data, other, choice):
    changed = bytearray(data)
    for _ in range(choice.choice([1, 2, 8, 64])):
        changed[choice.randrange(len(changed))] ^= 1 << choice.randrange(8)
    return bytes(changed)


def header_bits(data, other, choice):
    changed = bytearray(data)
    for _ in range(choice.choice([1, 3])):
        changed[choice.randrange(min(len(changed), 300))] = choice.choice([0, 1, 127, 128, 255])
    return bytes(changed)


def holes(data, other, choice):
    changed = bytearray(data)
    start = choice.randrange(len(changed))
    end = min(len(changed), start + choice.choice([4, 64, 4096]))
    changed[start:end] = bytes(end - start)
    return bytes(changed)


def shuffled(data, other, choice):
    size = choice.choice([16, 512, 4096])
    blocks = [data[i:i + size] for i in range(0, len(data), size)]
    tail = blocks[1:]
    choice.shuffle(tail)
    return b"".join(blocks[:1] + tail)


def doubled(data, other, choice):
    cut = choice.randrange(len(data))
    return data[:cut] + data[max(0, cut - 1000):]


def polyglot(data, other, choice):
    """The beginning of one format and the rest of another; or both, one behind the other."""
    cut = choice.choice([4, 12, 32, 200, len(data)])
    return data[:cut] + (other if choice.random() < 0.5 else other[cut:])


def wrong_type(data, other, choice):
    return choice.choice([b"GIF89a", b"BM", b"II*\0", b"%!PS-Adobe", b"<svg>", b"\x7fELF", b"PK\3\4", b"\0\0\0\x0cjP  "]) + data


def large_numbers(data, other, choice):
    """Four bytes somewhere near the front become a length that nobody has."""
    changed = bytearray(data)
    place = choice.randrange(min(len(changed) - 4, 2000))
    changed[place:place + 4] = struct.pack(">I", choice.choice([0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x10000]))
    return bytes(changed)


def bomb(data, other, choice):
    """A PNG that claims many pixels, and one whose few pixels unpack to far more than they need."""
    width, height = choice.choice([(30_000, 3_000), (9_999, 9_999), (65_535, 65_535), (16, 16), (1, 30_000)])
    row = b"\0" * (1 + 3 * min(width, 9_999))
    packer = zlib.compressobj(9)
    body = b"".join(packer.compress(row) for _ in range(choice.choice([1, 400, 3000]))) + packer.flush()

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, choice.choice([0, 1]))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


KINDS = [truncated, bits, bits, header_bits, header_bits, holes, shuffled, doubled, polyglot, wrong_type, large_numbers, bomb]


def main(fixtures, folder, count, seed):
    choice = random.Random(seed)
    contents = {}
    for name in ORIGINALS:
        with open(os.path.join(fixtures, name), "rb") as file:
            contents[name] = file.read()
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        name = ORIGINALS[choice.randrange(len(ORIGINALS))]
        data = kind(contents[name], contents[choice.choice(ORIGINALS)], choice)
        target = f"{number:03}-{kind.__name__}-{os.path.basename(name)}"
        with open(os.path.join(folder, target), "wb") as file:
            file.write(data)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
