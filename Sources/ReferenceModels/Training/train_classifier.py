"""Trains one classifier on one core: COUNT crops made ahead, seen PASSES times.

    train_classifier.py glare|blur WHEELS OUT.weights.h5 COUNT PASSES
"""

import os
import sys
import time

os.environ.update(TF_CPP_MIN_LOG_LEVEL="2", TF_NUM_INTRAOP_THREADS="1", TF_NUM_INTEROP_THREADS="1")
import keras
import numpy
import tensorflow as tf

import classifier
import crops
import scenes

BATCH, SEED, PEAK = 32, 11, 3e-3


def main(kind, wheels, out, count, passes):
    count, passes, task = int(count), int(passes), classifier.TASKS[kind]
    keras.utils.set_random_seed(SEED)
    began, rng = time.process_time(), numpy.random.default_rng(SEED)
    parts = [crops.batch(scenes.Stock(wheels, "train", 5000 + n, 160, 60, 0), task, 400) for n in range(count // 400)]
    x, y = (numpy.concatenate(p) for p in zip(*parts))
    print("%d crops, %.0f s of CPU" % (len(x), time.process_time() - began), flush=True)
    model = classifier.build(task)
    optimizer = keras.optimizers.AdamW(PEAK, weight_decay=1e-3, global_clipnorm=5.0)
    measure = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(pictures, labels):
        with tf.GradientTape() as tape:
            total = measure(labels, model(pictures, training=True))
        optimizer.apply_gradients(zip(tape.gradient(total, model.trainable_variables), model.trainable_variables))
        return total

    steps, number = passes * (len(x) // BATCH), 0
    for turn in range(passes):
        total, order = 0.0, rng.permutation(len(x))
        for start in range(0, len(x) - BATCH + 1, BATCH):
            chosen = order[start : start + BATCH]
            pictures = x[chosen].astype(numpy.float32) / 255
            pictures = numpy.clip(pictures * rng.uniform(0.85, 1.1, (BATCH, 1, 1, 1)) if kind == "blur" else pictures, 0, 1)
            if rng.random() < 0.5:
                pictures = pictures[:, :, ::-1]
            if rng.random() < 0.5:
                pictures = pictures[:, ::-1]
            number += 1
            optimizer.learning_rate.assign(PEAK * min(1, number / 30) * max(0.02, 1 - number / steps))
            total += float(step(tf.constant(numpy.ascontiguousarray(pictures, numpy.float32)), tf.constant(y[chosen])))
        print("pass %d, loss %.4f, %.0f s of CPU" % (turn + 1, total / (len(x) // BATCH), time.process_time() - began), flush=True)
    model.save_weights(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
