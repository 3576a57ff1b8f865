"""Writes a trained network as a `.tflite` file with float16 weights and its descriptor, and compares both on random input.

    export.py detector WEIGHTS.h5 FOLDER
    export.py glare|blur WEIGHTS.h5 FOLDER
"""

import hashlib
import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import numpy
import tensorflow as tf
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

import classifier
import layout
import network

LICENCE = "Apache-2.0"


def detector():
    model = network.build()

    def run(x):
        return network.answer(*model(x, training=False))

    descriptor = {
        "model": "passport_multi_class_detection.tflite", "role": "passport_detector",
        "input": {"width": layout.SIZE, "height": layout.SIZE, "scale": 1 / 255, "offset": 0},
        "output": {"layout": "yolov8", "boxes_normalized": True}, "class_names": list(layout.CLASSES),
    }
    return model, run, descriptor


def scores(kind):
    task = classifier.TASKS[kind]
    model = classifier.build(task)
    descriptor = {
        "model": task.file, "role": task.role,
        "input": {"width": task.width, "height": task.height, "scale": 1 / 255, "offset": 0},
        "output": {"layout": "scores"}, "class_names": list(task.classes),
    }
    return model, lambda x: tf.nn.softmax(model(x, training=False)), descriptor


def convert(model, run, descriptor, folder):
    shape = (1, descriptor["input"]["height"], descriptor["input"]["width"], 3)
    function = tf.function(run, input_signature=[tf.TensorSpec(shape, tf.float32)]).get_concrete_function()
    frozen = convert_variables_to_constants_v2(function)
    converter = tf.lite.TFLiteConverter.from_concrete_functions([frozen], model)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.target_spec.supported_types = [tf.float16]
    data = converter.convert()
    path = os.path.join(folder, descriptor["model"])
    with open(path, "wb") as file:
        file.write(data)
    full = {**descriptor, "licence": LICENCE, "sha256": hashlib.sha256(data).hexdigest()}
    with open(os.path.splitext(path)[0] + ".json", "w") as file:
        json.dump(full, file, indent=2)
        file.write("\n")
    return path, function, shape


def compare(path, function, shape):
    interpreter = tf.lite.Interpreter(path, num_threads=1)
    interpreter.allocate_tensors()
    (given,), (out,) = interpreter.get_input_details(), interpreter.get_output_details()
    assert list(given["shape"]) == list(shape) and given["dtype"] == numpy.float32 and out["dtype"] == numpy.float32
    worst, rng = 0.0, numpy.random.default_rng(3)
    for _ in range(5):
        x = rng.uniform(0, 1, shape).astype(numpy.float32)
        answers = []
        for _ in range(2):
            interpreter.set_tensor(given["index"], x)
            interpreter.invoke()
            answers.append(interpreter.get_tensor(out["index"]))
        assert (answers[0] == answers[1]).all(), "two runs differ"
        worst = max(worst, float(abs(answers[0] - function(tf.constant(x))[0].numpy()).max()))
    print("%s: %d bytes, output %s, worst difference to the network %.5f" % (path, os.path.getsize(path), list(out["shape"]), worst))


def main(kind, weights, folder):
    model, run, descriptor = detector() if kind == "detector" else scores(kind)
    model.load_weights(weights)
    path, function, shape = convert(model, run, descriptor, folder)
    compare(path, function, shape)


if __name__ == "__main__":
    main(*sys.argv[1:])
