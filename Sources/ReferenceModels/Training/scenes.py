"""Whole pictures as a camera takes them: a document somewhere on something, hands, light, lens, sensor, JPEG."""

import cv2
import numpy

import fingers
import pages
import pictures
import portraits


class Stock:
    """What one split draws from: its photographs and a store of flat documents made ahead, so that a scene is quick."""

    def __init__(self, wheels, split, seed, fronts, plains, others):
        self.rng = rng = numpy.random.default_rng([seed, 0 if split == "train" else 1])
        name, self.head = pictures.SPLITS[split]["portrait"]
        self.portrait = pictures.load(wheels, name)
        self.backgrounds = [pictures.load(wheels, n) for n in pictures.SPLITS[split]["backgrounds"]]
        self.fronts = [pages.data_page(rng, self.face()) for _ in range(fronts)]
        self.plains = [pages.plain_page(rng) for _ in range(plains)]
        self.others = [pages.other_document(rng, self.face()) for _ in range(others)]

    def face(self):
        if self.rng.random() < 0.35:
            return portraits.photographed(self.rng, self.portrait, self.head)
        return portraits.drawn(self.rng)

    def background(self, width, height):
        rng = self.rng
        if rng.random() < 0.4:
            whole = self.backgrounds[rng.integers(len(self.backgrounds))]
            size = rng.uniform(0.35, 1) * min(whole.shape[0] / height, whole.shape[1] / width)
            w, h = int(width * size), int(height * size)
            x, y = rng.integers(0, whole.shape[1] - w + 1), rng.integers(0, whole.shape[0] - h + 1)
            cut = cv2.resize(whole[y : y + h, x : x + w], (width, height), interpolation=cv2.INTER_LINEAR).astype(numpy.float32)
            if rng.random() < 0.5:
                cut = cut[:, ::-1]
            if rng.random() < 0.4:
                cut = cv2.GaussianBlur(cut, (0, 0), rng.uniform(0.5, 5))
            return numpy.ascontiguousarray((cut - 128) * rng.uniform(0.4, 1.1) + 128 + rng.normal(0, 22, 3)).astype(numpy.float32)
        base = rng.uniform(20, 245, 3) if rng.random() < 0.4 else rng.uniform(40, 240) + rng.normal(0, 14, 3)
        y, x = numpy.mgrid[0:height, 0:width].astype(numpy.float32)
        scene = numpy.ones((height, width, 3), numpy.float32) * base.astype(numpy.float32)
        turn = rng.uniform(0, 3.14) if rng.random() < 0.4 else rng.choice([0, 1.5708])
        u, v = x * numpy.cos(turn) + y * numpy.sin(turn), -x * numpy.sin(turn) + y * numpy.cos(turn)
        kind = rng.random()
        if kind < 0.35:  # wood
            grain = rng.normal(0, 1, int(abs(v).max()) * 2 + 8).cumsum()
            grain -= numpy.interp(numpy.arange(grain.size), [0, grain.size], [grain[0], grain[-1]])
            bent = v + numpy.sin(u / rng.uniform(40, 160)) * rng.uniform(0, 6) + grain.size / 2
            scene += (grain[numpy.clip(bent.astype(int), 0, grain.size - 1)] * rng.uniform(0.8, 3.5))[..., None] * numpy.array((1, 0.9, 0.75))
        elif kind < 0.5:  # cloth
            scene += ((numpy.sin(u * rng.uniform(0.4, 2)) + numpy.sin(v * rng.uniform(0.4, 2))) * rng.uniform(2, 14))[..., None]
        elif kind < 0.65:  # tiles, checks and stripes
            p, q = rng.uniform(14, 90), rng.uniform(14, 90)
            scene += ((((u // p) + (v // q)) % 2)[..., None]) * rng.uniform(-70, 70, 3)
        spots = cv2.resize(rng.normal(0, 1, (int(rng.integers(2, 30)), int(rng.integers(2, 30)))).astype(numpy.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        scene += spots[..., None] * rng.uniform(0, 22)
        return scene.astype(numpy.float32)


def clutter(rng, scene):
    """Things that lie about: pens and cables as long as fingers and at times of their colour, mugs, phones, sheets."""
    height, width = scene.shape[:2]
    for _ in range(rng.choice([0, 1, 2, 3], p=[0.45, 0.25, 0.2, 0.1])):
        x, y, kind = rng.uniform(0, width), rng.uniform(0, height), rng.random()
        colour = [float(c) for c in (portraits.skin(rng) if rng.random() < 0.3 else rng.uniform(5, 250, 3))]
        if kind < 0.4:
            angle, length = rng.uniform(0, 6.28), rng.uniform(0.15, 0.6) * width
            end = (int(x + length * numpy.cos(angle)), int(y + length * numpy.sin(angle)))
            thick = int(rng.uniform(2, 26))
            cv2.line(scene, (int(x), int(y)), end, colour, thick, cv2.LINE_AA)
            cv2.line(scene, (int(x), int(y)), end, [c * 0.5 + 110 for c in colour], max(1, thick // 4), cv2.LINE_AA)
        elif kind < 0.65:
            size = (int(rng.uniform(10, 90)), int(rng.uniform(10, 90)))
            cv2.ellipse(scene, (int(x), int(y)), size, rng.uniform(0, 180), 0, 360, colour, -1 if rng.random() < 0.6 else 5, cv2.LINE_AA)
        else:
            shape = cv2.boxPoints(((x, y), (rng.uniform(30, 180), rng.uniform(30, 240)), rng.uniform(0, 180)))
            cv2.fillPoly(scene, [shape.astype(numpy.int32)], colour, cv2.LINE_AA)
            cv2.polylines(scene, [shape.astype(numpy.int32)], True, [c * 0.6 for c in colour], 2, cv2.LINE_AA)


def lay(rng, scene, sheet, boxes, share, flat=False, at=None):
    """Warps a document into the scene; returns boxes there as {name: (x0, y0, x1, y1)}, and the map of its points."""
    height, width = scene.shape[:2]
    tall, wide = sheet.shape[:2]
    scale = share * min(width / wide, height / tall)
    w, h = wide * scale, tall * scale
    angle = 0 if flat else numpy.radians(rng.choice([rng.normal(0, 5), rng.uniform(-20, 20)], p=[0.6, 0.4]))
    lean = 0.0 if flat else rng.uniform(0, 0.05)
    quad = numpy.array([(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]) + rng.normal(0, 1, (4, 2)) * lean * numpy.array((w, h))
    turn = numpy.array([[numpy.cos(angle), -numpy.sin(angle)], [numpy.sin(angle), numpy.cos(angle)]])
    quad = quad @ turn.T
    room = numpy.maximum(numpy.array((width, height)) - (quad.max(0) - quad.min(0)), 0)
    centre = numpy.array((width, height)) / 2 + (0 if flat else rng.uniform(-0.52, 0.52, 2) * room) - (quad.max(0) + quad.min(0)) / 2
    quad = (quad + (centre if at is None else at)).astype(numpy.float32)
    if scale < 0.7:
        sheet = cv2.resize(sheet, (max(8, int(wide * scale * 1.2)), max(8, int(tall * scale * 1.2))), interpolation=cv2.INTER_AREA)
    edges = numpy.array([(0, 0), (sheet.shape[1], 0), (sheet.shape[1], sheet.shape[0]), (0, sheet.shape[0])], numpy.float32)
    mapping = cv2.getPerspectiveTransform(edges, quad)
    laid = cv2.warpPerspective(sheet, mapping, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = numpy.zeros((height, width), numpy.uint8)
    cv2.fillPoly(mask, [numpy.round(quad * 16).astype(numpy.int32)], 255, cv2.LINE_AA, 4)
    if not flat and rng.random() < 0.7:
        reach = rng.uniform(0.005, 0.03) * w + 0.5
        shadow = cv2.warpAffine(mask, numpy.float32([[1, 0, rng.normal(0, reach)], [0, 1, abs(rng.normal(0, reach))]]), (width, height))
        scene *= 1 - cv2.GaussianBlur(shadow, (0, 0), reach)[..., None] / 255 * rng.uniform(0.1, 0.6)
    cover = mask[..., None].astype(numpy.float32) / 255
    scene *= 1 - cover
    scene += cover * laid
    whole = cv2.getPerspectiveTransform(numpy.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], numpy.float32), quad)
    placed = {}
    for name, (x0, y0, x1, y1) in boxes.items():
        points = cv2.perspectiveTransform(numpy.array([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]], numpy.float32), whole)[0]
        low, high = points.min(0), points.max(0)
        placed[name] = (max(low[0], 0), max(low[1], 0), min(high[0], width), min(high[1], height))
    return placed, quad


def light(rng, scene):
    """Uneven light, a shadow across, the colour of the lamp."""
    height, width = scene.shape[:2]
    y, x = numpy.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(numpy.float32)
    angle = rng.uniform(0, 6.28)
    along = x * numpy.cos(angle) + y * numpy.sin(angle)
    fall = rng.uniform(0.5, 1.15) * (1 + along * rng.uniform(0, 0.3))
    if rng.random() < 0.2:
        edge = (along - rng.uniform(-0.7, 0.7)) * rng.uniform(3, 30)
        fall = fall * (1 - rng.uniform(0.1, 0.45) / (1 + numpy.exp(-edge)))
    scene *= fall[..., None] * numpy.clip(1 + rng.normal(0, 0.06, 3), 0.8, 1.2).astype(numpy.float32)


def glare(rng, scene, box, strong=True):
    """A lamp or a window mirrored in the document, inside `box`."""
    height, width = scene.shape[:2]
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    y, x = numpy.mgrid[0:height, 0:width].astype(numpy.float32)
    for _ in range(rng.choice([1, 2, 3], p=[0.7, 0.2, 0.1])):
        cx, cy = rng.uniform(x0 + 0.08 * w, x1 - 0.08 * w), rng.uniform(y0 + 0.08 * h, y1 - 0.08 * h)
        turn = rng.uniform(0, 3.14)
        u, v = (x - cx) * numpy.cos(turn) + (y - cy) * numpy.sin(turn), -(x - cx) * numpy.sin(turn) + (y - cy) * numpy.cos(turn)
        kind = rng.random()
        size = w * (rng.uniform(0.07, 0.24) if strong else rng.uniform(0.05, 0.4))
        if kind < 0.6:
            spot = numpy.exp(-((u / size) ** 2 + (v / (size * rng.uniform(0.35, 1))) ** 2))
        elif kind < 0.8:  # a window
            edge = rng.uniform(1, 8)
            tall = size * rng.uniform(0.4, 1)
            spot = numpy.clip((size - abs(u)) / edge + 0.5, 0, 1) * numpy.clip((tall - abs(v)) / edge + 0.5, 0, 1)
        else:  # a tube
            spot = numpy.exp(-((v / (w * rng.uniform(0.03, 0.08))) ** 2)) * numpy.clip((w * rng.uniform(0.2, 0.7) - abs(u)) / (w * 0.1) + 0.5, 0, 1)
        power = rng.uniform(230, 420) if strong else rng.uniform(15, 70)
        scene += (spot * power)[..., None] * numpy.array((1, rng.uniform(0.95, 1), rng.uniform(0.86, 1)), numpy.float32)


def blur(scene, sigma=0.0, length=0.0, angle=0.0):
    """Out of focus by `sigma`, moved by `length` pixels."""
    if sigma > 0.15:
        scene = cv2.GaussianBlur(scene, (0, 0), sigma)
    if length > 1.2:
        side = int(length) // 2 * 2 + 3
        kernel = numpy.zeros((side, side), numpy.float32)
        half = numpy.array((numpy.cos(angle), numpy.sin(angle))) * (length - 1) / 2 * 16
        middle = side // 2 * 16
        cv2.line(kernel, tuple(int(middle - v) for v in half), tuple(int(middle + v) for v in half), 1.0, 1, cv2.LINE_AA, 4)
        scene = cv2.filter2D(scene, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)
    return scene


def sensor(rng, scene, noise=10):
    """Noise, clipping and JPEG."""
    height, width = scene.shape[:2]
    grain = rng.standard_normal((height, width, 3), numpy.float32) * rng.uniform(0, noise)
    picture = numpy.clip(scene + grain, 0, 255).astype(numpy.uint8)
    if rng.random() < 0.6:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 97))])
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return picture


def scene(stock, long_side=448):
    """One picture for the detector: (H × W × 3, [(class, x0, y0, x1, y1) in pixels])."""
    rng = stock.rng
    ratio = rng.choice([4 / 3, 3 / 4, 16 / 9, 9 / 16, 1.42, 1.0], p=[0.4, 0.22, 0.08, 0.08, 0.14, 0.08])
    width, height = (long_side, int(long_side / ratio)) if ratio >= 1 else (int(long_side * ratio), long_side)
    kind = rng.choice(["front", "plain", "other", "none", "flat"], p=[0.43, 0.15, 0.25, 0.07, 0.1])
    canvas = stock.background(width, height)
    clutter(rng, canvas)
    found = []
    page = (width * 0.2, height * 0.2, width * 0.8, height * 0.8)
    if kind != "none":
        shelf = {"front": stock.fronts, "flat": stock.fronts if rng.random() < 0.8 else stock.plains, "plain": stock.plains, "other": stock.others}[kind]
        sheet, boxes = shelf[rng.integers(len(shelf))]
        if kind == "flat":
            share = rng.uniform(0.93, 1.06)
        else:
            share = rng.uniform(0.62, 1.0) if rng.random() < 0.72 else rng.uniform(0.28, 0.62)
        placed, quad = lay(rng, canvas, sheet, boxes, share, kind == "flat")
        found = [(name, *box) for name, box in placed.items()]
        page = placed.get("page", page) if kind != "other" else placed["other_document"]
        if kind in ("front", "plain") and rng.random() < 0.14:  # the book lies open: the facing page above
            over, _ = stock.plains[rng.integers(len(stock.plains))]
            edge = (quad[1] - quad[0]) @ numpy.array([[0, -1], [1, 0]]) * (over.shape[0] / over.shape[1])
            corners = numpy.array([quad[0] + edge, quad[1] + edge, quad[1], quad[0]], numpy.float32)
            edges = numpy.array([(0, 0), (over.shape[1], 0), (over.shape[1], over.shape[0]), (0, over.shape[0])], numpy.float32)
            mapping = cv2.getPerspectiveTransform(edges, corners)
            mask = numpy.zeros((height, width), numpy.uint8)
            cv2.fillPoly(mask, [corners.astype(numpy.int32)], 255, cv2.LINE_AA)
            cover = mask[..., None].astype(numpy.float32) / 255
            laid = cv2.warpPerspective(over, mapping, (width, height))
            canvas *= 1 - cover
            canvas += cover * laid * rng.uniform(0.75, 1)
            cv2.line(canvas, tuple(int(v) for v in quad[0]), tuple(int(v) for v in quad[1]), (90, 84, 80), 2, cv2.LINE_AA)
            low, high = numpy.clip(corners.min(0), 0, (width, height)), numpy.clip(corners.max(0), 0, (width, height))
            if (high[1] - low[1]) > 0.35 * (corners.max(0) - corners.min(0))[1]:
                found.append(("page", low[0], low[1], high[0], high[1]))
    for _ in range(rng.choice([0, 1, 2], p=[0.5, 0.37, 0.13])):
        found += [("finger", *box) for box in fingers.hold(rng, canvas, page)]
    if kind != "none" and rng.random() < 0.15:
        glare(rng, canvas, page)
    light(rng, canvas)
    if rng.random() < 0.3:
        canvas = blur(canvas, rng.uniform(0, 2.4), rng.uniform(0, 8) if rng.random() < 0.4 else 0, rng.uniform(0, 3.14))
    # What is covered nearly whole, or out of the picture, is not there.
    kept = []
    nails = [f[1:] for f in found if f[0] == "finger"]
    for name, x0, y0, x1, y1 in found:
        if x1 - x0 < 6 or y1 - y0 < 4:
            continue
        if name in ("signature", "mrz", "photo"):
            hidden = sum(max(0, min(x1, b[2]) - max(x0, b[0])) * max(0, min(y1, b[3]) - max(y0, b[1])) for b in nails)
            if hidden > 0.75 * (x1 - x0) * (y1 - y0):
                continue
        kept.append((name, x0, y0, x1, y1))
    return sensor(rng, canvas), kept


def letterbox(picture, size, fill=114):
    """The picture in a square of `size`, and scale and pads (K21)."""
    height, width = picture.shape[:2]
    scale = min(size / width, size / height)
    w, h = round(width * scale), round(height * scale)
    left, top = (size - w) // 2, (size - h) // 2
    out = numpy.full((size, size, 3), fill, numpy.uint8)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    out[top : top + h, left : left + w] = cv2.resize(picture, (w, h), interpolation=way)
    return out, scale, left, top
