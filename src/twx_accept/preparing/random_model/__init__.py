"""Models of any size whose weights are random, made on the host where they are served: `twx-accept models make-random`.

They say nothing about compression. They show that a node, its flags and a suite work at the size of the real thing,
with nothing to fetch. `shape` says how large, `numbers` where the weights come from, `shards` writes them, `vocabulary`
has the tokenizer, and `making` does it in order.
"""

from twx_accept.preparing.random_model.making import Made, make_random
from twx_accept.preparing.random_model.numbers import STORED, Storage
from twx_accept.preparing.random_model.shape import TEMPLATES, Shape, Wishes, shape_of

__all__ = ["STORED", "TEMPLATES", "Made", "Shape", "Storage", "Wishes", "make_random", "shape_of"]
