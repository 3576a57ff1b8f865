"""Measures the exported files, run by the TensorFlow Lite interpreter, on pictures made of what training never saw.

    evaluate.py detector MODEL.tflite FOLDER_OF_SHARDS
    evaluate.py glare|blur MODEL.tflite WHEELS COUNT
"""

import glob
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import numpy

import classifier
import crops
import layout
import scenes

KEEP_OVERLAP = 0.5  # of two boxes of one class that overlap more, the better stays


class Model:
    def __init__(self, path):
        from tensorflow import lite

        self.interpreter = lite.Interpreter(path, num_threads=1)
        self.interpreter.allocate_tensors()
        (self.given,), (self.out,) = self.interpreter.get_input_details(), self.interpreter.get_output_details()

    def __call__(self, picture):
        self.interpreter.set_tensor(self.given["index"], picture[None].astype(numpy.float32) / 255)
        self.interpreter.invoke()
        return self.interpreter.get_tensor(self.out["index"])[0]


def iou(box, others):
    low, high = numpy.maximum(box[:2], others[:, :2]), numpy.minimum(box[2:], others[:, 2:])
    common = numpy.prod(numpy.maximum(high - low, 0), 1)
    area = numpy.prod(box[2:] - box[:2]) + numpy.prod(others[:, 2:] - others[:, :2], 1)
    return common / (area - common + 1e-9)


def detections(answer, least=0.05):
    """[(class, score, box in pixels)], best first within a class."""
    found = []
    boxes = answer[:4].T * layout.SIZE
    boxes = numpy.concatenate([boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, :2] + boxes[:, 2:] / 2], 1)
    for index in range(len(layout.CLASSES)):
        scores = answer[4 + index]
        order = [i for i in numpy.argsort(-scores, kind="stable") if scores[i] >= least]
        while order:
            best, order = order[0], numpy.array(order[1:], int)
            found.append((index, float(scores[best]), boxes[best]))
            order = order[iou(boxes[best], boxes[order]) <= KEEP_OVERLAP] if len(order) else order
            order = list(order)
    return found


class Tally:
    """Of one class: (score, whether it lies on a box of its class) of all that was found, and what was there to find."""

    def __init__(self):
        self.rows, self.there, self.absent, self.alarms = [], 0, 0, []

    def add(self, found, real):
        free = numpy.ones(len(real), bool)
        self.there += len(real)
        if not len(real):
            self.absent += 1
            self.alarms.append(max((score for score, _ in found), default=0))
        for score, box in found:
            match = iou(box, real) * free if len(real) else numpy.zeros(1)
            hit = match.max() >= 0.5
            if hit:
                free[match.argmax()] = False
            self.rows.append((score, hit))

    def line(self, name, threshold):
        scores, hits = numpy.array([r[0] for r in self.rows]), numpy.array([r[1] for r in self.rows])
        taken = scores >= threshold
        alarms = sum(s >= threshold for s in self.alarms)
        return "%-15s %6d %10.2f %7.3f %10.3f %6d of %d" % (
            name, self.there, threshold, hits[taken].sum() / self.there, hits[taken].mean() if taken.any() else 1, alarms, self.absent)


def covered(fingers, zones):
    """Whether a finger's box covers two hundredths of a machine-readable zone's, which is the rule of the checks."""
    for x0, y0, x1, y1 in zones:
        for box in fingers:
            w, h = min(x1, box[2]) - max(x0, box[0]), min(y1, box[3]) - max(y0, box[1])
            if w > 0 and h > 0 and w * h >= 0.02 * (x1 - x0) * (y1 - y0):
                return True
    return False


def detector(path, folder):
    model, tallies, touches = Model(path), [Tally() for _ in layout.CLASSES], []
    finger, mrz = layout.CLASSES.index("finger"), layout.CLASSES.index("mrz")
    for shard in sorted(glob.glob(os.path.join(folder, "*.npz"))):
        data = numpy.load(shard)
        for picture, boxes in zip(data["pictures"], data["boxes"]):
            boxes, found = boxes[boxes[:, 0] >= 0], detections(model(picture))
            for index, tally in enumerate(tallies):
                tally.add([(s, box) for i, s, box in found if i == index], boxes[boxes[:, 0] == index, 1:])
            zones = boxes[boxes[:, 0] == mrz, 1:]
            if len(zones):
                seen = [(s, box) for i, s, box in found if i == finger]
                touches.append((covered(boxes[boxes[:, 0] == finger, 1:], zones), seen, zones, [(s, b) for i, s, b in found if i == mrz]))
    print("class            boxes  threshold  recall  precision  alarms in pictures without it")
    for name, tally in zip(layout.CLASSES, tallies):
        for threshold in (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6):
            print(tally.line(name, threshold))
    for threshold in (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5):
        said = [covered([b for s, b in seen if s >= threshold], [b for s, b in zones if s >= 0.4]) for _, seen, _, zones in touches]
        truth = [t for t, *_ in touches]
        both = list(zip(truth, said))
        print("finger over the zone at %.2f: found %d of %d, alarms %d of %d" % (
            threshold, both.count((True, True)), truth.count(True), both.count((False, True)), truth.count(False)))


def scores(kind, path, wheels, count):
    task, model = classifier.TASKS[kind], Model(path)
    x, y = crops.batch(scenes.Stock(wheels, "held_out", 77, 120, 40, 0), task, int(count))
    answers = numpy.array([model(picture)[1] for picture in x])
    for threshold in (0.3, 0.4, 0.5, 0.6, 0.7):
        said = answers >= threshold
        print("%s at %.2f: accuracy %.3f, %s found %.3f, %s taken for it %.3f" % (
            kind, threshold, (said == y).mean(), task.classes[1], said[y == 1].mean(), task.classes[0], said[y == 0].mean()))
    return x, y, answers


if __name__ == "__main__":
    if sys.argv[1] == "detector":
        detector(*sys.argv[2:])
    else:
        scores(*sys.argv[1:])
