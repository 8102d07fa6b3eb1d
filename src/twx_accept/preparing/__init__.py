"""Makes the embedded suite's models on this machine: `twx-accept models prepare smollm2`.

`recipe` says what, `fetch` gets the source, `making` runs under the engine's Python, `engine` starts it, `folders`
checks what lies there, and `prepare` does it in order. Nothing here is needed to judge a build.
"""

from twx_accept.preparing.prepare import Prepared, prepare_suite_models
from twx_accept.preparing.recipe import Recipe, load_recipe

__all__ = ["Prepared", "Recipe", "load_recipe", "prepare_suite_models"]
