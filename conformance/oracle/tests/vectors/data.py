"""Deterministic small data: whole numbers and dyadic fractions, so that most sums are exact."""

import zlib

import numpy as np

from vector_io import Tensor


class Data:
    """Numbers for one operator; the operator's name is the seed."""

    def __init__(self, name):
        self.random = np.random.Generator(np.random.PCG64(zlib.crc32(name.encode())))

    def whole(self, type_name, sizes, low=-9, high=9):
        return Tensor(type_name, self.random.integers(low, high, sizes, endpoint=True))

    def parts(self, sizes, low=-4, high=4, of=8, type_name="FLOAT32"):
        """Multiples of 1/of."""
        return Tensor(type_name, self.random.integers(low * of, high * of, sizes, endpoint=True) / of)

    def distinct(self, type_name, sizes, start=0):
        """Every number once, in no order."""
        count = int(np.prod(sizes))
        return Tensor(type_name, (self.random.permutation(count) + start).reshape(sizes))

    def decimals(self, sizes, low=-2.0, high=2.0):
        """Reals with three decimals."""
        return Tensor("FLOAT32", np.round(self.random.uniform(low, high, sizes), 3))
