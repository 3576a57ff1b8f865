"""The two small networks that look at a page crop, stretched to their input."""

import dataclasses

import keras
from keras import layers


@dataclasses.dataclass(frozen=True)
class Task:
    file: str
    role: str
    width: int
    height: int
    classes: tuple
    channels: tuple


TASKS = {
    "glare": Task("glare_model_fp16.tflite", "glare", 224, 160, ("clear", "glare"), (16, 24, 32, 48, 64)),
    "blur": Task("passport_blur_model.tflite", "passport_blur", 384, 272, ("sharp", "blurred"), (16, 24, 32, 48, 64)),
}


def build(task):
    """NHWC crops in 0…1; logits by class. The mean and the greatest answer of the last map decide."""
    crop = keras.Input((task.height, task.width, 3))
    x = crop
    for number, channels in enumerate(task.channels):
        x = layers.Conv2D(channels, 5 if number == 0 else 3, 2, "same", use_bias=False)(x)
        x = layers.ReLU(6.0)(layers.BatchNormalization(momentum=0.97)(x))
        if number > 1:
            y = layers.Conv2D(channels, 3, 1, "same", use_bias=False)(x)
            x = layers.Add()([x, layers.ReLU(6.0)(layers.BatchNormalization(momentum=0.97)(y))])
    x = layers.Concatenate()([layers.GlobalAveragePooling2D()(x), layers.GlobalMaxPooling2D()(x)])
    return keras.Model(crop, layers.Dense(len(task.classes))(x))
