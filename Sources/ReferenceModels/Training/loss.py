"""What the detector is asked to do: which anchors answer for which box, and how far off they are."""

import tensorflow as tf

import layout
import network

CANDIDATES = 10  # anchors that answer for one box
POINTS, STEPS = (tf.constant(a) for a in network.anchors())


def overlap(a, b, generous=False):
    """IoU of boxes; with `generous` less the empty share of the smallest box about both (GIoU)."""
    low, high = tf.maximum(a[..., :2], b[..., :2]), tf.minimum(a[..., 2:], b[..., 2:])
    common = tf.reduce_prod(tf.maximum(high - low, 0), -1)

    def area(box):
        return tf.reduce_prod(tf.maximum(box[..., 2:] - box[..., :2], 0), -1)

    union = area(a) + area(b) - common + 1e-6
    result = common / union
    if generous:
        around = tf.reduce_prod(tf.maximum(a[..., 2:], b[..., 2:]) - tf.minimum(a[..., :2], b[..., :2]), -1) + 1e-6
        result -= (around - union) / around
    return result


def assign(boxes, names, scores, predicted):
    """For every anchor the number of its box, the quality asked of its score, and whether it answers for any.

    A box takes the anchors inside it whose present answer agrees best with it in class and place; an anchor wanted
    by several goes to the one it overlaps most.
    """
    real = tf.cast(names >= 0, tf.float32)[..., None]  # [B, M, 1]
    low, high = boxes[:, :, None, :2], boxes[:, :, None, 2:]
    inside = tf.reduce_all((POINTS[None, None] > low) & (POINTS[None, None] < high), -1)
    centre = (low + high) / 2
    near = tf.reduce_sum((POINTS[None, None] - centre) ** 2, -1)  # tiny boxes hold no anchor: then the nearest
    closest = near <= -tf.math.top_k(-near, 2)[0][..., -1:]
    inside = tf.cast(inside | closest, tf.float32) * real
    iou = tf.maximum(overlap(boxes[:, :, None], predicted[:, None]), 0) * inside
    believed = tf.gather(tf.transpose(scores, (0, 2, 1)), tf.maximum(names, 0), batch_dims=1)  # [B, M, N]
    fit = (tf.sqrt(believed) * iou**6 + 1e-9) * inside
    least = tf.math.top_k(fit, CANDIDATES)[0][..., -1:]
    taken = tf.cast(fit >= least, tf.float32) * inside
    best = tf.argmax(iou * taken + taken * 1e-3, 1)  # [B, N]
    mine = tf.one_hot(best, tf.shape(boxes)[1], axis=1) * taken
    top_fit = tf.reduce_max(fit * mine, -1, keepdims=True) + 1e-12
    top_iou = tf.maximum(tf.reduce_max(iou * mine, -1, keepdims=True), 0.05)
    quality = tf.reduce_sum(fit * mine / top_fit * top_iou, 1)
    return best, quality, tf.reduce_sum(mine, 1)


def loss(sides, classes, truth):
    """Of one batch; `truth` is [B, M, 5] of class and corners, class −1 for padding."""
    names, boxes = tf.cast(truth[..., 0], tf.int32), truth[..., 1:]
    predicted = network.corners(sides)
    best, quality, answers = assign(boxes, names, tf.stop_gradient(tf.sigmoid(classes)), tf.stop_gradient(predicted))
    best, quality = tf.stop_gradient(best), tf.stop_gradient(quality * answers)
    total = tf.maximum(tf.reduce_sum(quality), 1.0)
    wanted = tf.one_hot(tf.gather(names, best, batch_dims=1), len(layout.CLASSES)) * quality[..., None]
    class_loss = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(wanted, classes)) / total
    target = tf.gather(boxes, best, batch_dims=1)
    box_loss = tf.reduce_sum((1 - overlap(predicted, target, True)) * quality) / total
    # The distribution of each side should lie on the two whole numbers about the true distance.
    distance = tf.concat([POINTS - target[..., :2], target[..., 2:] - POINTS], -1) / STEPS
    distance = tf.clip_by_value(distance, 0, layout.BINS - 1.01)
    low = tf.floor(distance)
    share = tf.nn.log_softmax(tf.reshape(sides, (-1, tf.shape(sides)[1], 4, layout.BINS)))
    low_index = tf.cast(low, tf.int32)
    at_low = tf.gather(share, low_index, batch_dims=3)
    at_high = tf.gather(share, low_index + 1, batch_dims=3)
    side_loss = -tf.reduce_mean(at_low * (low + 1 - distance) + at_high * (distance - low), -1)
    side_loss = tf.reduce_sum(side_loss * quality) / total
    return 7.5 * box_loss + 1.5 * side_loss + 0.5 * class_loss, box_loss, class_loss
