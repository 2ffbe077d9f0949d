"""The mistakes by their names, and what several of them share."""

import numpy as np

MISTAKES = {}


def mistake(operator):
    """Registers a kernel under its name: `top_k1_odd_k` is the mistake `top-k1-odd-k`."""

    def register(kernel):
        MISTAKES[kernel.__name__.replace("_", "-")] = operator, kernel
        return kernel

    return register


def packed(array):
    """What a kernel reads that takes the buffer of a tensor as packed elements."""
    memory = np.frombuffer(array.base, array.dtype, len(array.base) // array.itemsize)
    return np.resize(memory, array.size).reshape(array.shape)
