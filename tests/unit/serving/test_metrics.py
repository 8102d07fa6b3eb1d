"""Reading ``/metrics``."""

from twx_accept.serving import metrics

ONE = 'vllm:cache_config_info{engine="0",block_size="128",kv_cache_size_tokens="46592",num_gpu_blocks="364"} 1.0\n'


def test_the_capacity_is_what_the_engine_says() -> None:
    """The capacity is its own figure, and the labels are kept."""
    labels, tokens = metrics.cache("# HELP x\n" + ONE)
    assert (labels["block_size"], tokens) == ("128", 46592)


def test_data_parallel_engines_add_up() -> None:
    """Each engine has a cache of its own."""
    assert metrics.cache(ONE + ONE.replace('engine="0"', 'engine="1"'))[1] == 2 * 46592


def test_blocks_are_never_multiplied() -> None:
    """An engine that does not say its tokens, or in no plain number, has no capacity, whatever blocks it names."""
    for tokens in ("None", "", "-1", "\u00b2", "\u0664\u0662", "9" * 19, "9" * 5000):
        assert metrics.cache(ONE.replace("46592", tokens))[1] is None
    assert metrics.cache("") == ({}, None)


def test_corrupted_requests_are_counted_over_engines() -> None:
    """The count is summed, by its new or its old name, and is unknown where there is none."""
    text = 'vllm:corrupted_requests_total{engine="0"} 1.0\nvllm:corrupted_requests_total{engine="1"} 2.0\n'
    assert metrics.corrupted(text + 'vllm:corrupted_requests_created{engine="0"} 1.7e+09\n') == 3
    assert metrics.corrupted(text.replace("_total", "")) == 3
    assert metrics.corrupted("") is None


def test_lines_that_are_no_samples_are_passed_over() -> None:
    """Comments, broken lines and odd values do no harm; quotes within labels are read."""
    text = '# TYPE a gauge\na{b="c\na{b="x \\"y\\" {z}"} 2 1700000000\na oops\n}{\na 3\n'
    assert [(dict(sample.labels), sample.value) for sample in metrics.samples(text, "a")] == [
        ({"b": 'x "y" {z}'}, 2.0),
        ({}, 3.0),
    ]
