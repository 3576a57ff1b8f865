"""The free photographs, taken out of two Python packages and checked by digest, and which of them training may see."""

import glob
import hashlib
import os
import zipfile

import cv2
import numpy

SCIKIT, MATPLOTLIB = ("scikit_image-0.26.0", "skimage/data/"), ("matplotlib-3.11.2", "matplotlib/mpl-data/sample_data/")
# name: (package, digest, licence)
PICTURES = {
    "astronaut.png": (SCIKIT, "88431cd9653ccd539741b555fb0a46b61558b301d4110412b5bc28b5e3ea6cb5", "public domain, NASA"),
    "brick.png": (SCIKIT, "7966caf324f6ba843118d98f7a07746d22f6a343430add0233eca5f6eaaa8fcf", "CC0"),
    "camera.png": (SCIKIT, "b0793d2adda0fa6ae899c03989482bff9a42d3d5690fc7e3648f2795d730c23a", "CC0"),
    "coffee.png": (SCIKIT, "cc02f8ca188b167c775a7101b5d767d1e71792cf762c33d6fa15a4599b5a8de7", "CC0"),
    "hubble_deep_field.jpg": (SCIKIT, "3a19c5dd8a927a9334bb1229a6d63711b1c0c767fb27e2286e7c84a3e2c2f5f4", "public domain, NASA"),
    "rocket.jpg": (SCIKIT, "c2dd0de7c538df8d111e479619b129464d0269d0ae5fd18ca91d33a7fdfea95c", "public domain, SpaceX"),
    "chelsea.png": (SCIKIT, "596aa1e7cb875eb79f437e310381d26b338a81c2da23439704a73c4651e8c4bb", "CC0"),
    "grass.png": (SCIKIT, "b6b6022426b38936c43a4ac09635cd78af074e90f42ffa8227ac8b7452d39f89", "CC0"),
    "gravel.png": (SCIKIT, "c48615b451bf1e606fbd72c0aa9f8cc0f068ab7111ef7d93bb9b0f2586440c12", "CC0"),
    "grace_hopper.jpg": (MATPLOTLIB, "a8ca6d734765703b09728ab47fe59f473d93ae3967fc24c7c0288c3c7adb7130", "public domain, US Navy"),
}
# portrait: centre of the head and its height, in pixels of the picture
SPLITS = {
    "train": {
        "portrait": ("astronaut.png", (224, 120, 165)),
        "backgrounds": ("brick.png", "camera.png", "coffee.png", "hubble_deep_field.jpg", "rocket.jpg"),
    },
    "held_out": {
        "portrait": ("grace_hopper.jpg", (262, 190, 260)),
        "backgrounds": ("chelsea.png", "grass.png", "gravel.png"),
    },
}


def load(wheels, name):
    """RGB, H × W × 3."""
    (wheel, folder), digest, _ = PICTURES[name]
    (path,) = glob.glob(os.path.join(wheels, wheel + "-*.whl"))
    data = zipfile.ZipFile(path).read(folder + name)
    assert hashlib.sha256(data).hexdigest() == digest, name
    return cv2.cvtColor(cv2.imdecode(numpy.frombuffer(data, numpy.uint8), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
