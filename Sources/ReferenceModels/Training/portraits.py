"""Drawn portraits of nobody, each from a seed: what stands in the photo of a specimen page."""

import cv2
import numpy

SKIN = numpy.array([(247, 214, 190), (236, 188, 160), (224, 172, 140), (198, 140, 104), (160, 106, 76), (120, 78, 54), (84, 54, 40)], float)


def skin(rng):
    """A colour between two neighbours of the scale, a little off."""
    at = rng.uniform(0, len(SKIN) - 1.001)
    low, share = int(at), at % 1
    return numpy.clip(SKIN[low] * (1 - share) + SKIN[low + 1] * share + rng.normal(0, 6, 3), 25, 252)


def drawn(rng, width=175, height=225):
    w, h, k = 350, 450, 1
    background = rng.uniform(170, 245, 3) if rng.random() < 0.7 else rng.uniform(90, 200, 3)
    face = numpy.empty((h, w, 3), numpy.uint8)
    face[:] = background
    tone, hair = skin(rng), rng.choice([(30, 24, 20), (86, 58, 40), (150, 110, 60), (190, 190, 186), (110, 44, 24)])
    cloth = rng.uniform(15, 235, 3)
    cx, cy = w / 2 + rng.normal(0, 8), 215 + rng.normal(0, 12)
    rx, ry = rng.uniform(72, 98), rng.uniform(110, 145)

    def ellipse(x, y, a, b, colour, angle=0, start=0, end=360, width=-1):
        cv2.ellipse(face, (int(x), int(y)), (int(a), int(b)), angle, start, end, [float(c) for c in colour], width, cv2.LINE_AA)

    long = rng.random() < 0.45
    if long:
        ellipse(cx, cy + 10, rx * 1.35, ry * 1.35, hair)
        cv2.rectangle(face, (int(cx - rx * 1.3), int(cy)), (int(cx + rx * 1.3), int(cy + ry * 1.5)), [int(c) for c in hair], -1)
    ellipse(w / 2, h + 30, 165, 120, cloth)
    cv2.rectangle(face, (int(cx - 38), int(cy + ry * 0.7)), (int(cx + 38), 400), [float(c) for c in tone * 0.86], -1)
    ellipse(cx, cy - ry * 0.22, rx * 1.12, ry * 0.98, hair)
    ellipse(cx, cy, rx, ry, tone)
    ellipse(cx, cy - ry * 0.55, rx * 0.95, ry * rng.uniform(0.3, 0.5), hair, 0, 180, 360)
    for side in (-1, 1):
        ellipse(cx + side * rx, cy, 12, 24, tone * 0.92)
        x, y = cx + side * rx * 0.42, cy - ry * 0.08
        ellipse(x, y, 16, 8, (246, 246, 244))
        ellipse(x, y, 7, 7, rng.choice([(60, 90, 120), (70, 50, 34), (62, 88, 70)]))
        ellipse(x, y, 3, 3, (12, 12, 12))
        ellipse(x, y - 18, 22, 8, numpy.array(hair) * 0.8, 0, 200, 340, 5)
        if rng.random() < 0.1:
            ellipse(x, y, 26, 20, (30, 30, 34), width=3)
    cv2.line(face, (int(cx), int(cy)), (int(cx - 6), int(cy + ry * 0.3)), [float(c) for c in tone * 0.8], 4, cv2.LINE_AA)
    ellipse(cx, cy + ry * 0.55, rx * 0.34, 10, tone * numpy.array((0.85, 0.6, 0.62)))
    light = 1 + rng.uniform(-0.25, 0.25) * (numpy.linspace(-1, 1, w)[None, :, None])
    shaded = cv2.GaussianBlur(face, (0, 0), rng.uniform(1, 3)) * light + rng.normal(0, 4, (h, w, 1))
    if rng.random() < 0.25:
        shaded = shaded.mean(2, keepdims=True) * numpy.ones(3)
    return cv2.resize(numpy.clip(shaded, 0, 255).astype(numpy.uint8), (width, height), interpolation=cv2.INTER_AREA)


def photographed(rng, picture, head, width=175, height=225):
    """A true portrait cut out of `picture` about `head` = (centre x, centre y, height of the head), in other colours."""
    x, y, size = head
    tall = size * rng.uniform(1.5, 2.1)
    wide = tall * width / height
    left, top = x - wide / 2 + rng.normal(0, 0.04) * wide, y - tall * rng.uniform(0.42, 0.5)
    move = numpy.array([[width / wide, 0, -left * width / wide], [0, height / tall, -top * height / tall]])
    cut = cv2.warpAffine(picture, move, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE).astype(float)
    if rng.random() < 0.5:
        cut = cut[:, ::-1]
    if rng.random() < 0.3:
        cut = cut.mean(2, keepdims=True) * numpy.ones(3)
    return numpy.clip((cut - 128) * rng.uniform(0.75, 1.2) + 128 + rng.uniform(-25, 25) + rng.normal(0, 8, 3), 0, 255).astype(numpy.uint8)
