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

KEEP_OVERLAP = 0.45  # of two boxes of one class that overlap more, the better stays


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


def detector(path, folder):
    model, rows, truths = Model(path), [[] for _ in layout.CLASSES], numpy.zeros(len(layout.CLASSES))
    absent = numpy.zeros(len(layout.CLASSES))
    wrong = [[] for _ in layout.CLASSES]  # best score of a class in a picture that shows none of it
    for shard in sorted(glob.glob(os.path.join(folder, "*.npz"))):
        data = numpy.load(shard)
        for picture, boxes in zip(data["pictures"], data["boxes"]):
            boxes, found = boxes[boxes[:, 0] >= 0], detections(model(picture))
            for index in range(len(layout.CLASSES)):
                real = boxes[boxes[:, 0] == index, 1:]
                free = numpy.ones(len(real), bool)
                truths[index] += len(real)
                scores = [s for i, s, _ in found if i == index]
                if not len(real):
                    absent[index] += 1
                    wrong[index].append(max(scores, default=0))
                for _, score, box in (f for f in found if f[0] == index):
                    match = iou(box, real) * free if len(real) else numpy.zeros(1)
                    hit = match.max() >= 0.5
                    if hit:
                        free[match.argmax()] = False
                    rows[index].append((score, hit))
    print("class            boxes  threshold  recall  precision  false alarms in pictures without it")
    for index, name in enumerate(layout.CLASSES):
        scores, hits = numpy.array([r[0] for r in rows[index]]), numpy.array([r[1] for r in rows[index]])
        for threshold in (0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6):
            taken = scores >= threshold
            alarms = sum(s >= threshold for s in wrong[index])
            print("%-15s %6d %10.2f %7.3f %10.3f %8d of %d" % (
                name, truths[index], threshold, hits[taken].sum() / truths[index], hits[taken].mean() if taken.any() else 1, alarms, absent[index]))


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
