"""Flat documents with the places of what is on them: a specimen data page, a page without data, and documents of other kinds.

Everything is invented: states, names, numbers. All colours, sizes and places follow the generator that is handed in.
"""

import cv2
import numpy
from PIL import Image, ImageDraw, ImageFont

import portraits

WIDTH, HEIGHT = 640, 450
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
OCRB = "/usr/share/fonts/opentype/ocr-b/OCRB.otf"
DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVu%s.ttf"
FAMILIES = ("Sans", "Sans-Bold", "Serif", "Serif-Bold", "SansMono")
_fonts = {}


def font(name, size):
    key = (name, int(size))
    if key not in _fonts:
        _fonts[key] = ImageFont.truetype(OCRB if name == "OCRB" else DEJAVU % name, key[1])
    return _fonts[key]


def word(rng, low=3, high=10):
    return "".join(rng.choice(list(LETTERS), rng.integers(low, high + 1)))


def ink(rng, dark=90):
    return tuple(int(v) for v in rng.integers(0, dark, 3))


def check_digit(text):
    def value(c):
        return 0 if c == "<" else int(c) if c.isdigit() else ord(c) - 55

    return str(sum(value(c) * (7, 3, 1)[i % 3] for i, c in enumerate(text)) % 10)


def machine_readable_lines(rng):
    """Two lines in the layout of TD3, with right check digits."""
    state = word(rng, 3, 3)
    names = word(rng, 4, 10) + "<<" + "<".join(word(rng, 3, 8) for _ in range(rng.integers(1, 4)))
    first = ("P<" + state + names).ljust(44, "<")[:44]
    number = (word(rng, 1, 2) + "%07d" % rng.integers(0, 10**7))[:9]
    born, ends = "%06d" % rng.integers(400101, 991231), "%06d" % rng.integers(270101, 361231)
    personal = ("%08d" % rng.integers(0, 10**8) if rng.random() < 0.4 else "").ljust(14, "<")
    second = number + check_digit(number) + state + born + check_digit(born) + rng.choice(list("MF<"))
    second += ends + check_digit(ends) + personal + check_digit(personal)
    return first, second + check_digit(second[0:10] + second[13:20] + second[21:43])


def paper(rng, width, height, lines=True):
    """Pale paper with fine waves, as security printing has."""
    base = rng.uniform(195, 246, 3) if rng.random() < 0.85 else rng.uniform(150, 215, 3)
    y, x = numpy.mgrid[0:height, 0:width].astype(numpy.float32)
    across = rng.normal(0, 14, 3) * (x / width - 0.5)[..., None] + rng.normal(0, 14, 3) * (y / height - 0.5)[..., None]
    sheet = base + across
    if lines:
        for _ in range(rng.integers(1, 4)):
            bent = y + rng.uniform(4, 24) * numpy.sin(x / rng.uniform(12, 70) + rng.uniform(0, 6))
            wave = numpy.sin((bent + x * rng.uniform(-0.4, 0.4)) * 6.283 / rng.uniform(5, 22))
            sheet = sheet + (wave > rng.uniform(0.3, 0.8))[..., None] * rng.uniform(-28, 4, 3)
    return Image.fromarray(numpy.clip(sheet, 0, 255).astype(numpy.uint8))


def signature(rng, draw, x, y, width, height):
    """A line that swings; returns its box."""
    count = rng.integers(5, 10)
    points = [(x + width * i / count, y + height * (0.5 + 0.45 * rng.uniform(-1, 1))) for i in range(count + 1)]
    dense, line = numpy.linspace(0, count, 60), numpy.array(points)
    smooth = [(numpy.interp(t, range(count + 1), line[:, 0]), numpy.interp(t, range(count + 1), line[:, 1])) for t in dense]
    loop = rng.uniform(0, 0.12) * width
    smooth = [(a + loop * numpy.sin(i / 3), b + loop * 0.5 * numpy.cos(i / 3)) for i, (a, b) in enumerate(smooth)]
    draw.line(smooth, (int(rng.integers(0, 60)), int(rng.integers(0, 60)), int(rng.integers(0, 150))), int(rng.integers(2, 4)))
    xs, ys = [p[0] for p in smooth], [p[1] for p in smooth]
    return (min(xs) - 2, min(ys) - 2, max(xs) + 2, max(ys) + 2)


def watermark(rng, page):
    layer = Image.new("L", page.size, 0)
    text = "SPECIMEN" if rng.random() < 0.6 else word(rng, 5, 9)
    size = int(rng.uniform(0.09, 0.16) * page.width)
    ImageDraw.Draw(layer).text((page.width / 2, page.height / 2), text, int(rng.uniform(40, 120)), font("Sans-Bold", size), anchor="mm")
    layer = layer.rotate(rng.uniform(-35, 35), Image.BILINEAR)
    page.paste(Image.new("RGB", page.size, tuple(int(v) for v in rng.integers(0, 220, 3))), (0, 0), layer)


def heading(rng, draw, width, band, words):
    colour = tuple(int(v) for v in (rng.integers(10, 130, 3) if band else ink(rng)))
    tall = int(rng.uniform(0.06, 0.11) * HEIGHT)
    if band:
        draw.rectangle((0, 0, width, tall), colour)
        colour = (248, 248, 242)
    style = rng.choice(FAMILIES)
    draw.text((int(rng.uniform(12, 60)), tall / 2), words[0], colour, font(style, tall * 0.55), anchor="lm")
    draw.text((width - int(rng.uniform(12, 60)), tall / 2), words[1], colour, font(style, tall * 0.42), anchor="rm")
    return tall


def fields(rng, draw, x, y, right, bottom):
    label, value = rng.choice(FAMILIES), rng.choice(FAMILIES)
    size, step = int(rng.integers(11, 16)), rng.uniform(30, 42)
    while y + step < bottom:
        at = x
        while at < right - 60:
            draw.text((at, y), word(rng).title() + " / " + word(rng).title(), (90, 98, 110), font(label, size * 0.6))
            draw.text((at, y + size * 0.7), word(rng, 1, 12), ink(rng, 60), font(value, size))
            at += rng.uniform(90, 260)
        y += step


def data_page(rng, portrait):
    """A passport's data page: (picture, {class: box})."""
    page = paper(rng, WIDTH, HEIGHT)
    draw = ImageDraw.Draw(page)
    top = heading(rng, draw, WIDTH, rng.random() < 0.5, (word(rng, 5, 9), rng.choice(["PASSPORT", "PASSPORT / PASSEPORT", "PASAPORTE", word(rng, 6, 9)])))
    tall = rng.uniform(190, 250)
    wide = tall * rng.uniform(0.72, 0.82)
    right_side = rng.random() < 0.12
    px = WIDTH - wide - rng.uniform(20, 45) if right_side else rng.uniform(16, 45)
    py = top + rng.uniform(10, 30)
    face = Image.fromarray(portrait).resize((int(wide), int(tall)), Image.BILINEAR)
    page.paste(face, (int(px), int(py)))
    if rng.random() < 0.4:
        draw.rectangle((px, py, px + wide, py + tall), None, ink(rng, 150), 1)
    boxes = {"page": (0, 0, WIDTH, HEIGHT), "photo": (px, py, px + wide, py + tall)}
    band_top = rng.uniform(338, 362)
    x0, x1 = (30, px - 15) if right_side else (px + wide + rng.uniform(14, 34), WIDTH - 10)
    fields(rng, draw, x0, top + rng.uniform(8, 24), x1, band_top - rng.uniform(30, 60))
    place = rng.random()
    if place < 0.9:
        width, height = rng.uniform(70, 170), rng.uniform(20, 48)
        if place < 0.25 and py + tall + height + 4 < band_top:
            sx, sy = px + rng.uniform(0, 20), py + tall + 4
        else:
            sx, sy = rng.uniform(x0, max(x0 + 1, x1 - width)), band_top - height - rng.uniform(2, 30)
        boxes["signature"] = signature(rng, draw, sx, sy, width, height)
    if rng.random() < 0.6:
        plain = tuple(int(v) for v in rng.uniform(228, 254, 3))
        draw.rectangle((0, band_top - 4, WIDTH, HEIGHT), plain)
    margin = rng.uniform(14, 40)
    step = (WIDTH - margin * 2) / 44 * rng.uniform(0.93, 1)
    rise = rng.uniform(30, 40)
    text_top = band_top + rng.uniform(2, 14)
    type_size = int(rng.uniform(1.5, 1.7) * step)
    black = ink(rng, 50)
    for number, line in enumerate(machine_readable_lines(rng)):
        for index, letter in enumerate(line):
            draw.text((margin + index * step, text_top + number * rise), letter, black, font("OCRB", type_size))
    boxes["mrz"] = (margin - 3, text_top - 2, margin + 44 * step + 3, text_top + rise + type_size + 2)
    if rng.random() < 0.3:
        small = cv2.resize(portrait, (int(wide * 0.35), int(tall * 0.35))).mean(2, keepdims=True) * 0.4 + 130
        page.paste(Image.fromarray(numpy.clip(small * numpy.ones(3), 0, 255).astype(numpy.uint8)), (int(x1 - wide * 0.4), int(py + tall * 0.3)))
    if rng.random() < 0.5:
        watermark(rng, page)
    return numpy.asarray(page), boxes


def plain_page(rng):
    """A page of the passport without photo and machine-readable lines: observations, visas, the cover's inside."""
    page = paper(rng, WIDTH, HEIGHT)
    draw = ImageDraw.Draw(page)
    top = 10
    if rng.random() < 0.7:
        top = heading(rng, draw, WIDTH, rng.random() < 0.6, (word(rng, 5, 9), rng.choice(["OBSERVATIONS", "VISAS", "NOTES", word(rng, 6, 12)])))
    if rng.random() < 0.6:
        fields(rng, draw, rng.uniform(20, 60), top + rng.uniform(14, 40), rng.uniform(250, 400), rng.uniform(150, 300))
    if rng.random() < 0.7:
        for y in numpy.arange(rng.uniform(170, 260), HEIGHT - 20, rng.uniform(24, 40)):
            draw.line((rng.uniform(25, 40), y, WIDTH - 35, y), (150, 158, 168), 1)
    if rng.random() < 0.3:
        x, y, size = rng.uniform(80, 400), rng.uniform(100, 280), rng.uniform(90, 150)
        draw.rounded_rectangle((x, y, x + size * 1.4, y + size * 0.8), 8, None, ink(rng, 160), 3)
        draw.text((x + 14, y + 12), word(rng, 5, 9), ink(rng, 160), font("Sans-Bold", 17))
        draw.text((x + 14, y + 40), "%02d %s %d" % (rng.integers(1, 28), word(rng, 3, 3), rng.integers(1990, 2030)), ink(rng, 160), font("Sans", 14))
    if rng.random() < 0.35:  # small print below is no machine-readable zone
        y = rng.uniform(300, 400)
        for _ in range(rng.integers(1, 4)):
            text = " ".join(word(rng, 2, 8) for _ in range(rng.integers(3, 9)))
            draw.text((rng.uniform(20, 60), y), text if rng.random() < 0.3 else text.capitalize(), ink(rng, 120), font(rng.choice(FAMILIES), rng.uniform(9, 16)))
            y += rng.uniform(15, 26)
    if rng.random() < 0.6:
        watermark(rng, page)
    return numpy.asarray(page), {"page": (0, 0, WIDTH, HEIGHT)}


def letter(rng):
    width, height = [(450, 636), (640, 450), (300, int(rng.uniform(450, 800)))][rng.choice(3, p=[0.5, 0.25, 0.25])]
    page = Image.new("RGB", (width, height), tuple(int(v) for v in rng.uniform(225, 255) + rng.uniform(-10, 0, 3)))
    draw = ImageDraw.Draw(page)
    style, size = rng.choice(FAMILIES), rng.uniform(8, 15)
    y = rng.uniform(20, 60)
    if rng.random() < 0.6:
        draw.text((30, y), word(rng, 4, 9) + " " + word(rng, 4, 9), ink(rng, 160), font("Sans-Bold", size * 1.8))
        y += size * 4
    while y < height - 40:
        if rng.random() < 0.86:
            draw.text((30, y), " ".join(word(rng, 2, 9).lower() for _ in range(rng.integers(2, 11))), (40, 40, 44), font(style, size))
        y += size * 1.45
    if rng.random() < 0.2:
        x, y = rng.uniform(40, width - 140), rng.uniform(60, height - 160)
        draw.rectangle((x, y, x + rng.uniform(60, 120), y + rng.uniform(50, 120)), tuple(int(v) for v in rng.integers(30, 230, 3)))
    return numpy.asarray(page), {"other_document": (0, 0, width, height)}


def card(rng, portrait):
    """Cards of the common size: of a bank, a library, a driver."""
    width, height = 540, 340
    pale = rng.random() < 0.5
    page = paper(rng, width, height, pale)
    if not pale:
        page = Image.fromarray((numpy.asarray(page) * rng.uniform(0.1, 1, 3)).astype(numpy.uint8))
    draw = ImageDraw.Draw(page)
    boxes = {"other_document": (0, 0, width, height)}
    colour = ink(rng) if pale else (238, 238, 236)
    draw.text((20, 16), word(rng, 4, 10) + " " + word(rng, 3, 8), colour, font("Sans-Bold", rng.uniform(20, 32)))
    if rng.random() < 0.55:
        tall = rng.uniform(130, 190)
        wide = tall * rng.uniform(0.72, 0.85)
        x, y = (rng.uniform(16, 30) if rng.random() < 0.7 else width - wide - 20), rng.uniform(64, 100)
        page.paste(Image.fromarray(portrait).resize((int(wide), int(tall)), Image.BILINEAR), (int(x), int(y)))
        boxes["photo"] = (x, y, x + wide, y + tall)
        left = x + wide + 20 if x < 100 else 24
        fields(rng, draw, left, 70, min(width - 10, left + 300), height - 40)
    else:
        draw.rounded_rectangle((46, 120, 116, 172), 8, (206, 176, 96))
        digits = "  ".join("%04d" % rng.integers(0, 10000) for _ in range(4))
        draw.text((44, 205), digits, colour, font("SansMono", 32))
        draw.text((44, 276), word(rng, 4, 8) + " " + word(rng, 4, 9), colour, font("Sans", 20))
    sheet = numpy.asarray(page)
    return sheet, boxes


def other_document(rng, portrait):
    """A letter, upright or wide, or a card."""
    return letter(rng) if rng.random() < 0.45 else card(rng, portrait)
