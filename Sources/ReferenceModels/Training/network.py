"""The detector's network: a small anchor-free one in the shape that `docs/checks.md` and the tensor layout K22 describe."""

import keras
import numpy
import tensorflow as tf
from keras import layers

from layout import BINS, CLASSES, SIZE, STRIDES


def anchors():
    """Centres of all cells in pixels, and the stride of each; 2100 at 320."""
    points, strides = [], []
    for stride in STRIDES:
        axis = (numpy.arange(SIZE // stride) + 0.5) * stride
        x, y = numpy.meshgrid(axis, axis)
        points.append(numpy.stack([x.ravel(), y.ravel()], 1))
        strides.append(numpy.full((x.size, 1), stride))
    return numpy.concatenate(points).astype("float32"), numpy.concatenate(strides).astype("float32")


def conv(x, channels, kernel=1, stride=1):
    if stride == 2:  # the padding is on both sides, as a camera picture has no preferred corner
        x, padding = layers.ZeroPadding2D(kernel // 2)(x), "valid"
    else:
        padding = "same"
    x = layers.Conv2D(channels, kernel, stride, padding, use_bias=False)(x)
    return layers.Activation("silu")(layers.BatchNormalization(momentum=0.97, epsilon=1e-3)(x))


def stage(x, channels, depth=1, shortcut=True):
    """Splits in two, sends one half through bottlenecks, and joins what every one of them said."""
    half = channels // 2
    parts = [conv(x, half), conv(x, half)]
    for _ in range(depth):
        y = conv(conv(parts[-1], half, 3), half, 3)
        parts.append(layers.Add()([parts[-1], y]) if shortcut else y)
    return conv(layers.Concatenate()(parts), channels)


def pooled(x, channels):
    """Looks at growing neighbourhoods of the coarsest map, so that a cell sees the whole picture."""
    parts = [conv(x, channels // 2)]
    for _ in range(3):
        parts.append(layers.MaxPooling2D(5, 1, "same")(parts[-1]))
    return conv(layers.Concatenate()(parts), channels)


def head(x, hidden, outputs, bias=0.0):
    x = conv(conv(x, hidden, 3), hidden, 3)
    x = layers.Conv2D(outputs, 1, bias_initializer=keras.initializers.Constant(bias), dtype="float32")(x)
    return layers.Reshape((-1, outputs), dtype="float32")(x)


def build():
    """NHWC pictures in 0…1; distances as distributions [B, N, 4·BINS] and class logits [B, N, classes]."""
    picture = keras.Input((SIZE, SIZE, 3))
    x = stage(conv(conv(picture, 16, 3, 2), 32, 3, 2), 32)
    fine = stage(conv(x, 64, 3, 2), 64, 2)
    middle = stage(conv(fine, 128, 3, 2), 128, 2)
    coarse = pooled(stage(conv(middle, 192, 3, 2), 192), 192)
    up, join = layers.UpSampling2D(2), layers.Concatenate()
    middle = stage(join([up(coarse), middle]), 128, shortcut=False)
    fine = stage(join([up(middle), fine]), 64, shortcut=False)
    middle = stage(join([conv(fine, 64, 3, 2), middle]), 128, shortcut=False)
    coarse = stage(join([conv(middle, 128, 3, 2), coarse]), 192, shortcut=False)
    maps = (fine, middle, coarse)
    along = layers.Concatenate(axis=1, dtype="float32")
    sides = along([head(x, 48, 4 * BINS, 1.0) for x in maps])
    classes = along([head(x, 48, len(CLASSES), -5.0) for x in maps])
    return keras.Model(picture, [sides, classes])


def corners(sides):
    """Boxes as x0, y0, x1, y1 in pixels of the input."""
    points, strides = anchors()
    shape = tf.shape(sides)
    share = tf.nn.softmax(tf.reshape(sides, (-1, shape[1], 4, BINS)))
    distance = tf.reduce_sum(share * tf.range(BINS, dtype=tf.float32), -1) * strides
    return tf.concat([points - distance[..., :2], points + distance[..., 2:]], -1)


def answer(sides, classes):
    """K22: [B, 4 + classes, N], centre and size in fractions of the input, scores already sigmoid."""
    box = corners(sides) / SIZE
    low, high = box[..., :2], box[..., 2:]
    joined = tf.concat([(low + high) / 2, high - low, tf.sigmoid(classes)], -1)
    return tf.transpose(joined, (0, 2, 1))
