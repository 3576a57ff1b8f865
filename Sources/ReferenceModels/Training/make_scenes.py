"""Makes the detector's pictures ahead: shards of 500 in FOLDER, each from its own seed.

    make_scenes.py WHEELS FOLDER train|held_out SHARDS [FIRST]
"""

import os
import sys

import numpy

import layout
import scenes

SHARD, MOST = 500, 16


def shard(stock, count=SHARD):
    """Pictures (uint8) and their boxes, padded to MOST rows of class, x0, y0, x1, y1; class −1 is padding."""
    pictures = numpy.empty((count, layout.SIZE, layout.SIZE, 3), numpy.uint8)
    boxes = numpy.full((count, MOST, 5), -1, numpy.float32)
    for number in range(count):
        picture, found = scenes.scene(stock)
        pictures[number], scale, left, top = scenes.letterbox(picture, layout.SIZE)
        for row, (name, *box) in enumerate(found[:MOST]):
            box = numpy.array(box) * scale + (left, top, left, top)
            boxes[number, row] = (layout.CLASSES.index(name), *box)
    return pictures, boxes


def main(wheels, folder, split, shards, first=0):
    os.makedirs(folder, exist_ok=True)
    stock = None
    for number in range(int(first), int(first) + int(shards)):
        path = os.path.join(folder, "%04d.npz" % number)
        if os.path.exists(path):
            continue
        if stock is None or number % 8 == 0:  # new documents now and then
            stock = scenes.Stock(wheels, split, 1000 + number, 200, 80, 180)
        pictures, boxes = shard(stock)
        with open(path + ".part", "wb") as file:
            numpy.savez(file, pictures=pictures, boxes=boxes)
        os.rename(path + ".part", path)


if __name__ == "__main__":
    main(*sys.argv[1:])
