"""Trains the detector on the shards of FOLDER, on one core; goes on where it stopped when OUT exists.

    train_detector.py FOLDER OUT STEPS

OUT.weights.h5 is what training goes on with, OUT.mean.weights.h5 the running mean of the weights, which is exported.
"""

import glob
import json
import os
import sys
import time

os.environ.update(TF_CPP_MIN_LOG_LEVEL="2", TF_NUM_INTRAOP_THREADS="1", TF_NUM_INTEROP_THREADS="1")
import keras
import numpy
import tensorflow as tf

import loss
import network

BATCH, WARM, SEED, PEAK, MEAN = 16, 100, 5, 2e-3, 0.99


def batches(folder, rng):
    """Passes over all shards that are there, each time in another order and other light. Mirrored writing is no page."""
    while True:
        for path in rng.permutation(sorted(glob.glob(os.path.join(folder, "*.npz")))):
            shard = numpy.load(path)
            pictures, boxes = shard["pictures"], shard["boxes"]
            order = rng.permutation(len(pictures))
            for start in range(0, len(order) - BATCH + 1, BATCH):
                chosen = order[start : start + BATCH]
                x = pictures[chosen].astype(numpy.float32) / 255
                gain = rng.uniform(0.75, 1.25, (BATCH, 1, 1, 1)) * rng.uniform(0.92, 1.08, (BATCH, 1, 1, 3))
                x = numpy.clip((x - 0.5) * rng.uniform(0.8, 1.2, (BATCH, 1, 1, 1)) + 0.5, 0, 1) * gain
                yield numpy.clip(x, 0, 1).astype(numpy.float32), boxes[chosen]


def main(folder, out, steps):
    steps = int(steps)
    keras.utils.set_random_seed(SEED)
    model, mean = network.build(), network.build()
    first = 0
    if os.path.exists(out + ".json"):
        first = json.load(open(out + ".json"))["steps"]
        model.load_weights(out + ".weights.h5")
        mean.load_weights(out + ".mean.weights.h5")
    else:
        mean.set_weights(model.get_weights())
    optimizer = keras.optimizers.AdamW(PEAK, weight_decay=5e-4, global_clipnorm=10.0)

    @tf.function
    def step(x, truth, keep):
        with tf.GradientTape() as tape:
            sides, classes = model(x, training=True)
            total, box, name = loss.loss(sides, classes, truth)
        optimizer.apply_gradients(zip(tape.gradient(total, model.trainable_variables), model.trainable_variables))
        for old, new in zip(mean.weights, model.weights):
            old.assign(keep * old + (1 - keep) * new)
        return total, box, name

    source = batches(folder, numpy.random.default_rng([SEED, first]))
    began, seen = time.process_time(), numpy.zeros(3)
    for number in range(first, steps):
        optimizer.learning_rate.assign(PEAK * min(1, (number - first + 1) / WARM) * max(0.03, 1 - number / steps))
        keep = tf.constant(min(MEAN, number / (number + 20)), tf.float32)
        seen += [float(v) for v in step(*map(tf.constant, next(source)), keep)]
        if (number + 1) % 50 == 0 or number + 1 == steps:
            spent = time.process_time() - began
            print("step %d, %.0f s of CPU, loss %.3f, box %.3f, class %.3f" % (number + 1, spent, *seen / 50), flush=True)
            seen[:] = 0
        if (number + 1) % 100 == 0 or number + 1 == steps:
            model.save_weights(out + ".weights.h5")
            mean.save_weights(out + ".mean.weights.h5")
            with open(out + ".json", "w") as file:
                json.dump({"steps": number + 1}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
