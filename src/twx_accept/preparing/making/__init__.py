"""Scripts that run under the ENGINE's Python, in a process of their own: nothing here imports `twx_accept`.

The engine's environment has torch, transformers and compressed-tensors; this project's own has none of them.
"""
