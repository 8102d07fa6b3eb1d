"""Where the weights come from: one block of random numbers, and for each piece of each tensor its own place in it.

Drawing a terabyte of normal numbers takes an hour; copying takes as long as the disk. Any two tensors are cut from
other places of the block, so no two are alike. Rounding to 8 bits looks at one number at a time, so rounding the block
once rounds every tensor.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twx_accept.uniform import below

STANDARD_DEVIATION = 0.02
"""Of every weight but those of the norms: what models begin their training with, and finite through any depth."""

PIECE = 2**22
BLOCK = 2**24
"""Numbers in a piece, and places where one can begin."""

ONE = np.uint16(0x3F80)
"""1.0 in bfloat16."""

_SPREAD = (4 * (256**2 - 1) / 12) ** 0.5
_MIDDLE = 510
_TOP = np.float32(_MIDDLE * STANDARD_DEVIATION / _SPREAD)
"""The largest weight: the sum of four bytes ends there."""

_LARGEST_FP8 = 448.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """How linear layers are stored; ``top`` is the code of the largest weight. In 16 bits there is no scale."""

    dtype: str
    top: float | None

    @property
    def scale(self) -> np.float32 | None:
        """What a stored code is multiplied with to give the weight."""
        return None if self.top is None else _scale(self.top)


STORED: Mapping[str, Storage] = MappingProxyType(
    {
        "bf16": Storage(dtype="BF16", top=None),
        "int8": Storage(dtype="I8", top=127.0),
        "fp8": Storage(dtype="F8_E4M3", top=_LARGEST_FP8),
    }
)


class Numbers:
    """The block of a seed, in bfloat16 and as linear layers store it."""

    def __init__(self, seed: int, storage: Storage, damage: float) -> None:
        """Draw it.

        Args:
            seed: 0 or more; one seed is one model, whatever its storage.
            storage: of the linear layers.
            damage: the share of the linear layers' weights whose sign is turned, 0 to 1.
        """
        self._seed = seed
        self._plain = _draw(seed)
        hurt = _damaged(self._plain, seed, damage)
        self._stored: NDArray[Any] = hurt if storage.top is None else _codes(storage.dtype, storage.top)[hurt]

    def plain(self, name: str, count: int) -> Iterator[NDArray[Any]]:
        """``count`` numbers of a tensor in bfloat16, piece by piece."""
        return self._cut(self._plain, name, count)

    def stored(self, name: str, count: int) -> Iterator[NDArray[Any]]:
        """``count`` numbers of a linear layer as they are stored; the same places as those of ``plain``."""
        return self._cut(self._stored, name, count)

    def _cut(self, block: NDArray[Any], name: str, count: int) -> Iterator[NDArray[Any]]:
        for piece, first in enumerate(range(0, count, PIECE)):
            place = below(BLOCK, (f"{self._seed}|{name}|{piece}|{again}".encode() for again in range(1000)))
            yield block[place : place + min(PIECE, count - first)]


def filled(value: Any, count: int) -> Iterator[NDArray[Any]]:
    """One number, ``count`` times."""
    yield np.full(count, value)


def _scale(top: float) -> np.float32:
    return np.float32(_TOP / np.float32(top))


def _draw(seed: int) -> NDArray[np.uint16]:
    """The sum of four random bytes is nearly normal, and comes from the raw generator, whose stream never changes."""
    count = BLOCK + PIECE
    raw = np.random.PCG64(seed).random_raw(count // 2).astype("<u8")
    sums = raw.view(np.uint8).reshape(count, 4).sum(axis=1, dtype=np.int16) - np.int16(_MIDDLE)
    values = sums.astype(np.float32) * np.float32(STANDARD_DEVIATION / _SPREAD)
    bits = values.view(np.uint32)
    nearest: NDArray[np.uint16] = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return nearest


def _damaged(block: NDArray[np.uint16], seed: int, share: float) -> NDArray[np.uint16]:
    """The block with the signs of that share of its numbers turned, drawn from a stream of its own."""
    if not share:
        return block
    raw = np.random.PCG64([seed, 1]).random_raw(len(block) // 4).astype("<u8").view("<u2")
    turned: NDArray[np.uint16] = np.where(raw < share * 2**16, block ^ np.uint16(0x8000), block)
    return turned


def _codes(dtype: str, top: float) -> NDArray[Any]:
    """The nearest code for each of the 65,536 numbers of bfloat16; those larger than the largest get its code."""
    bits = np.arange(2**16, dtype=np.uint32) << 16
    values = np.clip(np.nan_to_num(bits.view(np.float32), nan=0.0).astype(np.float64), -_TOP, _TOP)
    scaled: NDArray[np.float64] = np.clip(values / _scale(top), -top, top)
    if dtype == "I8":
        whole: NDArray[np.int8] = np.rint(scaled).astype(np.int8)
        return whole
    known = _fp8()
    nearest = np.searchsorted((known[1:] + known[:-1]) / 2, np.abs(scaled)).astype(np.uint8)
    signed: NDArray[np.uint8] = np.where(scaled < 0, nearest | np.uint8(0x80), nearest)
    return signed


def _fp8() -> NDArray[np.float64]:
    """The values of E4M3 from 0 to 448, by their codes 0 to 126 (127 is no number)."""
    codes = np.arange(127)
    exponent, fraction = codes >> 3, codes & 7
    return np.where(exponent == 0, fraction * 2.0**-9, (8 + fraction) * 2.0 ** (exponent - 10.0))
