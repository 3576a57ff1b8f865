"""What the detector's tensors mean; what needs no more than this stays free of TensorFlow."""

CLASSES = ("page", "photo", "signature", "mrz", "finger", "other_document")
SIZE = 320
STRIDES = (8, 16, 32)
BINS = 16  # a side's distance from its anchor, in strides, is the mean of a distribution over this many whole numbers
