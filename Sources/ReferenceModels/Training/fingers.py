"""Drawn fingers: a bent tube with the light of a round body, a nail or the pad of the tip, creases and grain."""

import cv2
import numpy

import portraits


def outline(rng, tip, away, length, width, bend):
    """Points along the middle from the tip on, and half the width at each."""
    count = 24
    t = numpy.linspace(0, 1, count)
    angle = numpy.arctan2(away[1], away[0]) + bend * t**1.5
    step = length / (count - 1)
    x = tip[0] + numpy.concatenate([[0], numpy.cumsum(numpy.cos(angle[:-1]) * step)])
    y = tip[1] + numpy.concatenate([[0], numpy.cumsum(numpy.sin(angle[:-1]) * step)])
    swell = 1 + 0.06 * numpy.cos((t - rng.uniform(0.3, 0.45)) * 9) + rng.uniform(0, 0.3) * t
    along = t * length / (width * 0.55)
    cap = numpy.sqrt(numpy.clip(1 - numpy.clip(1 - along, 0, 1) ** 2, 0.0, 1))
    half = width / 2 * swell * numpy.clip(cap, 0.25, 1)
    return numpy.stack([x, y], 1), half, angle


def draw(rng, scene, tip, away, width, length, tone=None):
    """Paints one finger on `scene` (float32 RGB), its tip at `tip`, leading `away`; returns its visible box, or None."""
    height, wide = scene.shape[:2]
    middle, half, angle = outline(rng, tip, away, length, width, rng.normal(0, 0.45))
    normal = numpy.stack([-numpy.sin(angle), numpy.cos(angle)], 1)
    ring = numpy.concatenate([middle + normal * half[:, None], (middle - normal * half[:, None])[::-1]])
    mask = numpy.zeros((height, wide), numpy.uint8)
    cv2.fillPoly(mask, [numpy.round(ring * 16).astype(numpy.int32)], 255, cv2.LINE_AA, 4)
    ys, xs = numpy.where(mask > 100)
    if len(xs) == 0:
        return None
    box = (xs.min(), ys.min(), xs.max() + 1, ys.max() + 1)
    # The light: brightest where the depth under the outline is greatest, from one side.
    depth = cv2.distanceTransform((mask > 100).astype(numpy.uint8), cv2.DIST_L2, 3)
    round_ = numpy.sqrt(numpy.clip(1 - (1 - numpy.clip(depth / (width * 0.5), 0, 1)) ** 2, 0, 1))
    gy, gx = cv2.Sobel(round_, cv2.CV_32F, 0, 1, ksize=3), cv2.Sobel(round_, cv2.CV_32F, 1, 0, ksize=3)
    sun = rng.uniform(0, 6.283)
    slope = cv2.GaussianBlur(gx * numpy.cos(sun) + gy * numpy.sin(sun), (0, 0), max(0.6, width / 14))
    shade = rng.uniform(0.5, 0.75) + (1 - rng.uniform(0.5, 0.75)) * round_ + slope * rng.uniform(0, 0.5)
    tone = portraits.skin(rng) if tone is None else tone
    skin = shade[..., None] * (tone + rng.normal(0, 5, 3))
    noise = cv2.resize(rng.normal(0, 1, (height // 3 + 1, wide // 3 + 1)).astype(numpy.float32), (wide, height))
    skin = skin + noise[..., None] * rng.uniform(0, 7)
    # Creases across the joints.
    for at in (rng.uniform(0.32, 0.45), rng.uniform(0.6, 0.75)):
        i = int(at * 23)
        for shift in rng.uniform(-0.05, 0.05, rng.integers(0, 4)) * length:
            centre = middle[i] + shift * numpy.array((numpy.cos(angle[i]), numpy.sin(angle[i])))
            reach = normal[i] * half[i] * rng.uniform(0.5, 0.9)
            a, b = centre - reach, centre + reach
            crease = numpy.zeros((height, wide), numpy.uint8)
            cv2.line(crease, tuple(int(v) for v in a), tuple(int(v) for v in b), 255, max(1, int(width / 22)), cv2.LINE_AA)
            skin = skin * (1 - crease[..., None] / 255 * rng.uniform(0.1, 0.35))
    if rng.random() < 0.65:  # the back of the finger: a nail
        direction = numpy.array((numpy.cos(angle[2]), numpy.sin(angle[2])))
        centre = numpy.array(tip) + direction * width * rng.uniform(0.5, 0.68)
        nail = numpy.zeros((height, wide), numpy.uint8)
        axes = (max(1, int(width * rng.uniform(0.32, 0.45))), max(1, int(width * rng.uniform(0.24, 0.36))))
        cv2.ellipse(nail, tuple(int(v) for v in centre), axes, float(numpy.degrees(angle[2])), 0, 360, 255, -1, cv2.LINE_AA)
        share = cv2.GaussianBlur(nail, (0, 0), max(0.5, width / 40))[..., None] / 255
        painted = rng.random() < 0.12
        colour = rng.uniform(20, 230, 3) if painted else tone * 0.6 + numpy.array((245, 205, 195)) * 0.4 + rng.normal(0, 8, 3)
        skin = skin * (1 - share) + share * colour * (0.75 + 0.3 * round_[..., None])
        shine = numpy.zeros((height, wide), numpy.uint8)
        spot = centre + normal[2] * width * rng.uniform(-0.12, 0.12)
        cv2.ellipse(shine, tuple(int(v) for v in spot), (max(1, axes[0] // 2), max(1, axes[1] // 5)), float(numpy.degrees(angle[2])), 0, 360, 255, -1)
        skin = skin + cv2.GaussianBlur(shine, (0, 0), max(0.6, width / 25))[..., None] * rng.uniform(0.05, 0.3)
    shadow = cv2.GaussianBlur(mask, (0, 0), max(1, width * rng.uniform(0.06, 0.25)))
    move = numpy.float32([[1, 0, rng.normal(0, 0.12) * width], [0, 1, rng.normal(0, 0.12) * width]])
    shadow = cv2.warpAffine(shadow, move, (wide, height))[..., None] / 255
    scene *= 1 - shadow * rng.uniform(0.1, 0.55)
    cover = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.4, 1.0))[..., None].astype(numpy.float32) / 255
    scene *= 1 - cover
    scene += cover * numpy.clip(skin, 0, 255)
    return box if len(xs) > 0.2 * width * width else None  # a sliver at the picture's edge is no finger


def hold(rng, scene, page):
    """Fingers of a hand that holds or touches the page whose box is `page`; the boxes of the visible fingers."""
    height, wide = scene.shape[:2]
    x0, y0, x1, y1 = page
    scale = max(x1 - x0, (y1 - y0) * 1.42)
    tone = portraits.skin(rng)
    count = rng.choice([1, 2, 3, 4], p=[0.6, 0.2, 0.12, 0.08])
    width = scale * rng.uniform(0.075, 0.15)
    side = rng.choice(["left", "right", "bottom", "top"], p=[0.32, 0.32, 0.28, 0.08])
    inside = rng.uniform(0.02, 0.4) if side in ("left", "right") else rng.uniform(0.05, 0.55)
    if side in ("left", "right"):
        x = x0 + inside * (x1 - x0) if side == "left" else x1 - inside * (x1 - x0)
        tip, away = [x, rng.uniform(y0 + 0.15 * (y1 - y0), y1)], (-1 if side == "left" else 1, rng.uniform(-0.5, 0.8))
    else:
        y = y0 + inside * (y1 - y0) if side == "top" else y1 - inside * (y1 - y0)
        tip, away = [rng.uniform(x0, x1), y], (rng.uniform(-0.6, 0.6), -1 if side == "top" else 1)
    out = []
    across = numpy.array((-away[1], away[0])) / numpy.hypot(*away)
    length = width * rng.uniform(2.6, 6)
    if count > 1 or rng.random() < 0.65:  # the hand the fingers belong to, where it is in the picture
        unit = numpy.array(away) / numpy.hypot(*away)
        centre = numpy.array(tip) + across * width * 1.05 * (count - 1) / 2 + unit * (length * 0.9 + width * 1.6)
        palm = numpy.zeros((height, wide), numpy.uint8)
        axes = (max(2, int(width * rng.uniform(1.8, 2.6))), max(2, int(width * (0.9 + 0.6 * count))))
        turn = float(numpy.degrees(numpy.arctan2(unit[1], unit[0])))
        cv2.ellipse(palm, tuple(int(v) for v in centre), axes, turn, 0, 360, 255, -1)
        wrist = centre + unit * scale * 1.5
        cv2.line(palm, tuple(int(v) for v in centre), tuple(int(v) for v in wrist), 255, max(2, int(width * 2.4)))
        cover = cv2.GaussianBlur(palm, (0, 0), max(1, width / 12))[..., None].astype(numpy.float32) / 255
        depth = cv2.distanceTransform((palm > 100).astype(numpy.uint8), cv2.DIST_L2, 3)[..., None]
        scene *= 1 - cover
        scene += cover * tone * (0.6 + 0.35 * numpy.clip(depth / (width * 1.5), 0, 1))
    for number in range(count):
        start = numpy.array(tip) + across * width * number * rng.uniform(0.95, 1.15)
        start = start + numpy.array(away) * rng.uniform(-0.5, 0.5) * width * (number > 0)
        lead = (away[0] + rng.normal(0, 0.08), away[1] + rng.normal(0, 0.08))
        box = draw(rng, scene, tuple(start), lead, width * rng.uniform(0.85, 1.1), length * rng.uniform(0.85, 1.1), tone)
        if box is not None:
            out.append(box)
    return out
