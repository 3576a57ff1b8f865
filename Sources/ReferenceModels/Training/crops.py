"""Page crops for the two classifiers, made as the pipeline makes them: out of a camera picture, stretched to the input.

Both classes come from the same scenes; only the glare, or the blur, differs. Between sharp and blurred lies a band that is
not asked about: there the answer is a matter of taste.
"""

import cv2
import numpy

import fingers
import scenes

# Share of the page's width: a letter of the machine-readable lines is about 0.013 of it wide.
SHARP_SIGMA, BLURRED_SIGMA = 0.0011, 0.0034
SHARP_MOVE, BLURRED_MOVE = 0.003, 0.0095


def crop(stock, task, label):
    """One crop of `task` (uint8) whose class is `label`, 0 or 1."""
    rng = stock.rng
    width = int(rng.uniform(1.02, 1.4) * task.width)
    height = int(width / rng.uniform(1.2, 1.45))
    canvas = stock.background(width, height)
    if rng.random() < 0.5:
        scenes.clutter(rng, canvas)
    shelf = stock.plains if rng.random() < 0.25 else stock.fronts
    sheet, boxes = shelf[rng.integers(len(shelf))]
    flat = rng.random() < 0.15
    placed, quad = scenes.lay(rng, canvas, sheet, boxes, 1.0 if flat else rng.uniform(0.72, 0.98), flat)
    page = placed["page"]
    if rng.random() < 0.2:
        fingers.hold(rng, canvas, page)
    wide = page[2] - page[0]
    scenes.light(rng, canvas)
    glared = label == 1 if task.role == "glare" else rng.random() < 0.15
    if glared:
        scenes.glare(rng, canvas, page)
    elif rng.random() < 0.25:
        scenes.glare(rng, canvas, page, strong=False)
    if task.role == "passport_blur":
        canvas = soften(rng, canvas, wide, label == 1)
    elif rng.random() < 0.3:
        canvas = soften(rng, canvas, wide, rng.random() < 0.5)
    canvas = scenes.sensor(rng, canvas, 9)
    # The detector's box is never quite right.
    x0, y0, x1, y1 = page
    slack = rng.normal(0, 0.015, 4) * (wide, y1 - y0, wide, y1 - y0)
    x0, y0 = max(0, int(x0 + slack[0])), max(0, int(y0 + slack[1]))
    x1, y1 = min(canvas.shape[1], int(x1 + slack[2])), min(canvas.shape[0], int(y1 + slack[3]))
    return cv2.resize(canvas[y0:y1, x0:x1], (task.width, task.height), interpolation=cv2.INTER_AREA)


def soften(rng, canvas, wide, much):
    turn = rng.uniform(0, 3.14)
    if much:
        if rng.random() < 0.6:
            return scenes.blur(canvas, BLURRED_SIGMA * wide * rng.uniform(1, 3.2))
        return scenes.blur(canvas, rng.uniform(0, 0.4), BLURRED_MOVE * wide * rng.uniform(1, 3), turn)
    if rng.random() < 0.3:
        return scenes.blur(canvas, 0, SHARP_MOVE * wide * rng.uniform(0, 1), turn)
    return scenes.blur(canvas, SHARP_SIGMA * wide * rng.uniform(0, 1))


def batch(stock, task, count):
    labels = numpy.arange(count) % 2
    return numpy.stack([crop(stock, task, label) for label in labels]), labels.astype(numpy.int32)
