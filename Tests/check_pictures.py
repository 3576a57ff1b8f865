#!/usr/bin/env python3
"""Looks at pictures as docs/checks.md says, without any of the product's code, and prints what it found as one JSON line each.

usage: check_pictures.py --models DIR... [--tensors DIR] -- PICTURE...

Pillow opens and scales, numpy counts, LiteRT's Python interpreter runs the models. With --tensors the letterboxed pixels of each
picture are written as raw bytes. The test that compares is Tests/CheckPipelineTests/IndependentTests.swift. Do not make this
agree with the product by reading its code: if the two differ, one of them or the page is wrong.
"""

import argparse
import glob
import json
import math
import os

import numpy
from ai_edge_litert.interpreter import Interpreter
from PIL import Image, ImageOps

SCORES = {"page": 0.5, "photo": 0.4, "signature": 0.3, "mrz": 0.4, "finger": 0.25, "other_document": 0.5}
OVERLAP = 0.5


class Model:
    def __init__(self, about, path):
        self.about = about
        self.interpreter = Interpreter(path, num_threads=1)
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]["index"]
        self.outputs = [detail["index"] for detail in self.interpreter.get_output_details()]
        self.size = (self.about["input"]["width"], self.about["input"]["height"])

    def run(self, pixels):
        numbers = pixels.astype(numpy.float64) * self.about["input"]["scale"] + self.about["input"]["offset"]
        self.interpreter.set_tensor(self.input, numbers.astype(numpy.float32)[None])
        self.interpreter.invoke()
        return [self.interpreter.get_tensor(index).copy() for index in self.outputs]


def letterbox(image, side):
    """The square, and how to come back from it: scale of each axis and padding on the left and above."""
    scale = min(side / image.width, side / image.height)
    width, height = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    left, top = round((side - width) / 2 - 0.1), round((side - height) / 2 - 0.1)
    square = Image.new("RGB", (side, side), (114, 114, 114))
    square.paste(image.resize((width, height), Image.LANCZOS), (left, top))
    return numpy.asarray(square), (image.width / width, image.height / height, left, top)


def iou(a, b):
    across = min(a[2], b[2]) - max(a[0], b[0])
    down = min(a[3], b[3]) - max(a[1], b[1])
    common = max(0, across) * max(0, down)
    union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common
    return common / union if union > 0 else 0


def without_doubles(boxes, limit):
    """boxes: (score, name, corners), best first."""
    kept = []
    for box in sorted(boxes, key=lambda box: -box[0]):
        if all(box[1] != other[1] or iou(box[2], other[2]) <= limit for other in kept):
            kept.append(box)
    return kept


def detect(model, image, square, back):
    output = model.run(square)[0][0]
    names = model.about["class_names"]
    if output.shape[0] == 4 + len(names):
        output = output.T
    side = model.size[0]
    unit = side if model.about["output"]["boxes_normalized"] else 1
    found = []
    for row in output:
        best = int(numpy.argmax(row[4:]))
        score = float(row[4 + best])
        if score < 0.1:
            continue
        x, y, width, height = (float(number) * unit for number in row[:4])
        corners = [x - width / 2, y - height / 2, x + width / 2, y + height / 2]
        corners = [min(side, max(0, number)) for number in corners]
        scale_x, scale_y, left, top = back
        place = [
            min(limit, max(0, (number - before) * scale))
            for number, before, scale, limit in zip(
                corners, (left, top) * 2, (scale_x, scale_y) * 2, (image.width, image.height) * 2)
        ]
        found.append((score, names[best], place))
    return [box for box in without_doubles(found, OVERLAP) if box[0] >= SCORES[box[1]]]


def score(model, name, image, box):
    crop = image.crop([round(number) for number in box]).resize(model.size, Image.LANCZOS)
    return float(model.run(numpy.asarray(crop))[0].ravel()[model.about["class_names"].index(name)])


def anchors():
    for stride, each in ((8, 2), (16, 6)):
        cells = 128 // stride
        for row in range(cells):
            for column in range(cells):
                for _ in range(each):
                    yield (column + 0.5) * stride, (row + 0.5) * stride


ANCHORS = list(anchors())


def faces(model, image):
    """Of the whole picture alone: boxes in its pixels."""
    square, (scale_x, scale_y, left, top) = letterbox(image, 128)
    boxes, logits = sorted(model.run(square), key=lambda output: -output.size)
    found = []
    for row, logit, (x, y) in zip(boxes[0], logits[0].ravel(), ANCHORS):
        value = 1 / (1 + math.exp(-min(80.0, max(-80.0, float(logit)))))
        if value < 0.5:
            continue
        centre_x, centre_y, width, height = row[0] + x, row[1] + y, row[2], row[3]
        found.append((value, "face", [
            float((centre_x - width / 2 - left) * scale_x), float((centre_y - height / 2 - top) * scale_y),
            float((centre_x + width / 2 - left) * scale_x), float((centre_y + height / 2 - top) * scale_y)]))
    return without_doubles(found, 0.3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", required=True, nargs="+")
    parser.add_argument("--tensors")
    parser.add_argument("pictures", nargs="+", metavar="PICTURE")
    arguments = parser.parse_args()
    models = {}
    for descriptor in sorted(file for folder in arguments.models for file in glob.glob(folder + "/*.json")):
        about = json.load(open(descriptor))
        found = [folder + "/" + about["model"] for folder in arguments.models]
        path = next((path for path in found if os.path.exists(path)), None)
        if path is not None:
            models[about["role"]] = Model(about, path)
    for path in arguments.pictures:
        image = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
        result = {"picture": path, "width": image.width, "height": image.height}
        if "passport_detector" in models:
            model = models["passport_detector"]
            square, back = letterbox(image, model.size[0])
            if arguments.tensors:
                with open(os.path.join(arguments.tensors, os.path.basename(path) + ".rgb"), "wb") as file:
                    file.write(square.tobytes())
            boxes = detect(model, image, square, back)
            result["boxes"] = [{"name": box[1], "score": box[0], "corners": box[2]} for box in boxes]
            page = next((box[2] for box in boxes if box[1] == "page"), None)
            if page is not None:
                result["glare"] = score(models["glare"], "glare", image, page)
                result["blur"] = score(models["passport_blur"], "blurred", image, page)
        if "face_detector" in models:
            found = faces(models["face_detector"], image)
            result["faces"] = [{"score": box[0], "corners": box[2]} for box in found]
        print(json.dumps(result))


if __name__ == "__main__":
    main()
