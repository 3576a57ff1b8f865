"""Draws the specimen passport: an invented state, an invented person, the sample data of ICAO 9303. Used by make_fixtures.py."""

import math
import random

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans%s.ttf"
OCRB = "/usr/share/fonts/opentype/ocr-b/OCRB.otf"
PAGE = (1250, 880)  # 125 x 88 mm, ten dots a millimetre
MRZ = ("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10")


def font(size, style=""):
    return ImageFont.truetype(DEJAVU % style, size)


def guilloche(size, colours, seed):
    """Fine wavy lines on pale paper."""
    width, height = size
    page = Image.new("RGB", size, (236, 240, 232))
    draw = ImageDraw.Draw(page)
    numbers = random.Random(seed)
    for number in range(46):
        colour = colours[number % len(colours)]
        phase, period, rise = numbers.random() * 6, 140 + numbers.random() * 120, 14 + numbers.random() * 26
        base = height * number / 45
        draw.line([(x, base + rise * math.sin(x / period * 6.283 + phase)) for x in range(0, width + 6, 6)], colour, 1)
    return page


def person(size):
    """A drawn portrait of nobody."""
    width, height = size
    face = Image.new("RGB", (350, 450), (205, 212, 218))
    draw = ImageDraw.Draw(face)
    draw.ellipse((62, 40, 288, 350), (86, 58, 40))
    draw.rectangle((62, 190, 288, 400), (86, 58, 40))
    draw.rounded_rectangle((20, 372, 330, 520), 90, (44, 66, 104))
    draw.polygon([(140, 330), (210, 330), (226, 398), (175, 430), (124, 398)], (222, 178, 150))
    draw.ellipse((92, 82, 258, 350), (236, 194, 166))
    draw.pieslice((84, 52, 266, 240), 180, 360, (86, 58, 40))
    for left in (122, 196):
        draw.ellipse((left, 196, left + 34, 214), (250, 250, 250))
        draw.ellipse((left + 10, 196, left + 26, 213), (62, 88, 70))
        draw.ellipse((left + 15, 200, left + 21, 208), (18, 18, 18))
        draw.arc((left - 5, 172, left + 40, 200), 200, 340, (70, 46, 32), 5)
    draw.line([(174, 206), (166, 256), (184, 258)], (196, 148, 122), 4)
    draw.chord((140, 284, 212, 312), 0, 180, (186, 92, 92))
    draw.line([(138, 298), (214, 298)], (150, 70, 72), 3)
    return face.filter(ImageFilter.GaussianBlur(1.2)).resize(size, Image.LANCZOS)


def watermark(page, text, size, alpha):
    layer = Image.new("L", page.size, 0)
    draw = ImageDraw.Draw(layer)
    draw.text((page.width / 2, page.height / 2), text, alpha, font(size, "-Bold"), anchor="mm")
    layer = layer.rotate(22, Image.BICUBIC)
    page.paste(Image.new("RGB", page.size, (178, 34, 52)), (0, 0), layer)


def field(draw, x, y, label, value):
    draw.text((x, y), label, (90, 104, 120), font(15))
    draw.text((x, y + 19), value, (20, 24, 32), font(27, "-Bold"))


def front():
    page = guilloche(PAGE, [(190, 210, 222), (214, 222, 200), (226, 206, 214)], 1)
    draw = ImageDraw.Draw(page)
    draw.rectangle((0, 0, PAGE[0], 74), (38, 70, 108))
    draw.text((40, 37), "UTOPIA", (250, 250, 244), font(38, "-Bold"), anchor="lm")
    draw.text((1210, 37), "PASSPORT / PASSEPORT", (250, 250, 244), font(30), anchor="rm")
    page.paste(person((350, 450)), (60, 130))
    draw.rectangle((60, 130, 410, 580), None, (120, 130, 140), 2)
    rows = [
        [("Type / Type", "P"), ("Code / Code", "UTO"), ("Passport No. / Passeport n°", "L898902C3")],
        [("Surname / Nom", "ERIKSSON")],
        [("Given names / Prénoms", "ANNA MARIA")],
        [("Nationality / Nationalité", "UTOPIAN"), ("Sex / Sexe", "F")],
        [("Date of birth / Date de naissance", "12 AUG 1974"), ("Place of birth / Lieu", "ZENITH")],
        [("Date of expiry / Date d'expiration", "15 APR 2012"), ("Personal No.", "ZE184226B")],
    ]
    for number, row in enumerate(rows):
        for (label, value), x in zip(row, (450, 620, 800) if len(row) == 3 else (450, 850)):
            field(draw, x, 104 + number * 78, label, value)
    draw.line([(450 + x, 608 + 16 * math.sin(x / 17) * math.cos(x / 41)) for x in range(0, 260, 3)], (30, 44, 120), 4)
    draw.rectangle((0, 680, PAGE[0], PAGE[1]), (246, 246, 240))
    mrz = ImageFont.truetype(OCRB, 44)
    for number, line in enumerate(MRZ):
        for index, character in enumerate(line):
            draw.text((54 + index * 26.2, 716 + number * 76), character, (12, 12, 12), mrz)
    watermark(page, "SPECIMEN", 190, 92)
    return page


def back():
    page = guilloche(PAGE, [(222, 206, 190), (206, 216, 224)], 2)
    draw = ImageDraw.Draw(page)
    draw.rectangle((0, 0, PAGE[0], 74), (38, 70, 108))
    draw.text((40, 37), "UTOPIA", (250, 250, 244), font(38, "-Bold"), anchor="lm")
    draw.text((1210, 37), "OBSERVATIONS", (250, 250, 244), font(30), anchor="rm")
    field(draw, 70, 130, "Residence / Domicile", "1 SAMPLE STREET, ZENITH")
    field(draw, 70, 220, "Authority / Autorité", "UTOPIAN PASSPORT OFFICE")
    field(draw, 70, 310, "Date of issue / Date de délivrance", "16 APR 2007")
    for y in range(440, 800, 60):
        draw.line((70, y, 1180, y), (150, 160, 170), 2)
    draw.text((70, 405), "This page is a drawing. It belongs to no state and to nobody.", (60, 70, 80), font(26))
    watermark(page, "SPECIMEN", 190, 92)
    return page


def coefficients(source, target):
    """The eight numbers PIL's PERSPECTIVE wants, mapping target corners back to source corners."""
    rows = []
    for (x, y), (u, v) in zip(target, source):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    return numpy.linalg.solve(numpy.array(rows, float), numpy.array(source, float).reshape(8))


def desk(size, seed):
    width, height = size
    numbers = numpy.random.default_rng(seed)
    grain = numbers.normal(0, 7, (height, 1)).cumsum(0)
    grain = (grain - grain.mean()) * 0.12
    base = numpy.array([[[116, 88, 64]]], float) + grain[:, :, None] + numbers.normal(0, 3, (height, width, 1))
    return Image.fromarray(numpy.clip(base, 0, 255).astype("uint8"))


def photograph(page, corners, size=(1600, 1200), seed=7, glare=None):
    """The page on a desk as a camera would see it; `corners` are the page's, clockwise from top left."""
    scene = desk(size, seed)
    edges = [(0, 0), (page.width, 0), (page.width, page.height), (0, page.height)]
    mapping = coefficients(edges, corners)
    mask = Image.new("L", page.size, 255).transform(size, Image.PERSPECTIVE, mapping, Image.BICUBIC)
    shadow = mask.filter(ImageFilter.GaussianBlur(14)).point(lambda value: value * 0.5)
    scene.paste(Image.new("RGB", size, (20, 16, 12)), (10, 14), shadow)
    scene.paste(page.transform(size, Image.PERSPECTIVE, mapping, Image.BICUBIC), (0, 0), mask)
    pixels = numpy.asarray(scene, float)
    across = numpy.linspace(1.06, 0.9, size[0])[None, :, None]
    pixels = pixels * across
    if glare:
        y, x = numpy.mgrid[0 : size[1], 0 : size[0]]
        spot = numpy.exp(-(((x - glare[0]) / 190.0) ** 2 + ((y - glare[1]) / 120.0) ** 2))
        pixels = pixels + 330 * spot[:, :, None]
    pixels = pixels + numpy.random.default_rng(seed + 1).normal(0, 2.2, pixels.shape)
    return Image.fromarray(numpy.clip(pixels, 0, 255).astype("uint8")).filter(ImageFilter.GaussianBlur(0.6))


def hologram_frames(count, size=(640, 360)):
    """A specimen card tilted to and fro under a camera that pans; a patch of it changes colour with the angle."""
    card = front().resize((625, 440), Image.LANCZOS)
    scene_base = desk(size, 11)
    v, u = numpy.mgrid[0:110, 0:110] / 110.0
    ring = numpy.hypot(u - 0.5, v - 0.5)
    star = (numpy.sin(ring * 46) * numpy.cos(numpy.arctan2(v - 0.5, u - 0.5) * 8) > -0.2) & (ring < 0.48)
    for number in range(count):
        angle = math.sin(number / count * 2 * math.pi)
        hue = ((u + v) * 1.4 + angle * 1.1 + ring * 2) % 1.0
        shine = numpy.clip(0.35 + 0.65 * abs(angle) + 0.2 * numpy.cos(u * 9 + angle * 8), 0, 1)
        patch = numpy.stack([hue * 255, numpy.full_like(hue, 190), 255 * shine], -1).astype("uint8")
        patch = Image.fromarray(patch, "HSV").convert("RGB")
        frame_card = card.copy()
        frame_card.paste(patch, (215, 215), Image.fromarray((star * 205).astype("uint8")))
        tilt, pan = 20 * angle, 26 * math.cos(number / count * 2 * math.pi)
        corners = [
            (92 + pan + tilt, 26 + tilt * 0.6), (548 + pan - tilt, 26 - tilt * 0.4),
            (556 + pan + tilt * 0.4, 338 + tilt * 0.3), (84 + pan - tilt * 0.4, 338 - tilt * 0.3),
        ]
        edges = [(0, 0), (card.width, 0), (card.width, card.height), (0, card.height)]
        mapping = coefficients(edges, corners)
        mask = Image.new("L", card.size, 255).transform(size, Image.PERSPECTIVE, mapping, Image.BICUBIC)
        scene = scene_base.copy()
        scene.paste(frame_card.transform(size, Image.PERSPECTIVE, mapping, Image.BICUBIC), (0, 0), mask)
        yield scene
