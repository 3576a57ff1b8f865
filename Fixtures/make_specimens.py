#!/usr/bin/env python3
"""Makes the pictures of `specimens/` and what is expected of each. Not run by the tests: the files are committed.

    apt-get install python3-venv ffmpeg fonts-ocr-b fonts-dejavu-core
    python3 -m venv venv && venv/bin/pip install -r Sources/ReferenceModels/Training/requirements.txt
    venv/bin/pip download --no-deps -d wheels scikit-image==0.26.0 matplotlib==3.11.2
    venv/bin/python Fixtures/make_specimens.py wheels Fixtures/specimens
    venv/bin/python Fixtures/make_specimens.py --large FILE    (12 megapixels, for timing; not committed)

Data page, back page and desk are drawn by `specimen.py`, which training does not use. The fingers and the other document come
from the drawing code that training uses too, from seeds that it does not.
"""

import json
import os
import subprocess
import sys

import numpy
from PIL import Image, ImageEnhance, ImageFilter

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(FOLDER, "..", "Sources", "ReferenceModels", "Training"))

import fingers
import make_fixtures
import pages
import pictures
import portraits
import specimen

CORNERS = [(205, 165), (1395, 180), (1405, 1020), (195, 1005)]


def touched(picture, tip, away, seed, width=150, length=760):
    """A finger on the picture, its tip at `tip`, coming from `away`."""
    scene = numpy.asarray(picture, numpy.float32).copy()
    rng = numpy.random.default_rng([2024, seed])
    fingers.draw(rng, scene, tip, away, width, length, portraits.SKIN[seed % len(portraits.SKIN)])
    return Image.fromarray(numpy.clip(scene, 0, 255).astype(numpy.uint8))


def passports():
    front, back = specimen.front(), specimen.back()
    clean = specimen.photograph(front, CORNERS, seed=41)
    yield "front-clean", "passport_front", None, "the data page, sharp, nothing on it", clean
    yield ("front-glare", "passport_front", "glare", "a lamp mirrored in the data page",
        specimen.photograph(front, CORNERS, seed=42, glare=(1000, 420)))
    yield ("front-blurred", "passport_front", "blurry_photo", "the data page out of focus",
        specimen.photograph(front, CORNERS, seed=43).filter(ImageFilter.GaussianBlur(7)))
    yield ("front-finger-on-mrz", "passport_front", "fingers", "a finger over the machine-readable lines",
        touched(clean, (760, 880), (0.15, 1.0), 1))
    yield ("front-finger-elsewhere", "passport_front", None, "a finger at the upper edge, on nothing that matters",
        touched(clean, (1330, 330), (1.0, -0.25), 2))
    sheet, _ = pages.letter(numpy.random.default_rng(2024))
    letter = Image.fromarray(sheet).resize((sheet.shape[1] * 2, sheet.shape[0] * 2), Image.BICUBIC)
    yield ("front-wrong-document", "passport_front", "no_document", "a letter",
        specimen.photograph(letter, [(480, 60), (1130, 75), (1115, 1140), (470, 1125)], seed=44))
    yield ("front-back-page", "passport_front", "no_document", "the page without photo and machine-readable lines, given as data page",
        specimen.photograph(back, CORNERS, seed=45))


def selfies(wheels):
    astronaut = Image.fromarray(pictures.load(wheels, "astronaut.png"))
    hopper = Image.fromarray(pictures.load(wheels, "grace_hopper.jpg"))
    cat = Image.fromarray(pictures.load(wheels, "chelsea.png"))
    portrait = astronaut.crop((20, 0, 404, 512))
    yield "selfie-clean", "selfie", None, "one face", portrait
    pair = Image.new("RGB", (896, 512), (128, 128, 128))
    pair.paste(portrait.resize((448, 597)).crop((0, 0, 448, 512)), (0, 0))
    pair.paste(hopper.resize((448, 531)).crop((0, 0, 448, 512)), (448, 0))
    yield "selfie-two-faces", "selfie", "several_faces", "two portraits side by side", pair
    yield "selfie-dark", "selfie", "too_dark", "one face in the dark", ImageEnhance.Brightness(portrait).enhance(0.16)
    yield "selfie-cat", "selfie", "not_a_selfie", "a cat", cat.crop((150, 0, 450, 300))


def large(path):
    """12 megapixels, as a phone takes them: the data page on a desk, stored on its side, with EXIF."""
    front = specimen.front().resize((2500, 1760), Image.LANCZOS)
    picture = specimen.photograph(front, [(510, 410), (3490, 450), (3510, 2550), (490, 2510)], (4032, 3024), 46)
    with open(path, "wb") as file:
        file.write(make_fixtures.oriented(picture, 6, quality=90))


def scan(folder):
    """passport-scan.mp4: a camera over the page, 0.9 s out of focus, 0.6 s with a lamp in it, then 1.8 s good, ten frames a second."""
    inputs = [("front-blurred", "0.9"), ("front-glare", "0.6"), ("front-clean", "1.8")]
    command = ["ffmpeg", "-y", "-v", "error"]
    for name, seconds in inputs:
        command += ["-loop", "1", "-r", "10", "-t", seconds, "-i", os.path.join(folder, name + ".jpg")]
    scaled = "".join("[%d]scale=640:480,setsar=1[v%d];" % (index, index) for index in range(len(inputs)))
    joined = "".join("[v%d]" % index for index in range(len(inputs)))
    command += [
        "-filter_complex", scaled + joined + "concat=n=%d:v=1,format=yuv420p" % len(inputs), "-r", "10", "-c:v", "libx264",
        "-preset", "veryslow", "-crf", "26", "-threads", "1", "-bitexact", "-fflags", "+bitexact", "-movflags", "+faststart",
        "-map_metadata", "-1", os.path.join(folder, "passport-scan.mp4")]
    subprocess.run(command, check=True)


def main(wheels, folder):
    os.makedirs(folder, exist_ok=True)
    expectations = []
    for name, piece, failure, shows, picture in [*passports(), *selfies(wheels)]:
        with open(os.path.join(folder, name + ".jpg"), "wb") as file:
            file.write(make_fixtures.jpeg(picture, quality=80))
        expectations.append({"file": name + ".jpg", "piece": piece, "failure": failure, "shows": shows})
    with open(os.path.join(folder, "expectations.json"), "w") as file:
        json.dump(expectations, file, indent=2)
        file.write("\n")
    scan(folder)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    if sys.argv[1] == "--large":
        large(sys.argv[2])
    else:
        main(*sys.argv[1:])
