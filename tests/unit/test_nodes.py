"""Flags of an engine on several nodes, held against each other."""

from typing import Any

import pytest

from twx_accept import nodes

TWO = {"nnodes": 2, "node_rank": 0, "master_addr": "10.0.0.1", "tensor_parallel_size": 8, "pipeline_parallel_size": 2}


@pytest.mark.parametrize(
    ("flags", "cards"),
    [
        ({}, 1),
        ({"tensor_parallel_size": 8}, 8),
        ({"tensor_parallel_size": 8}, None),
        (TWO, 8),
        ({**TWO, "distributed_executor_backend": "mp", "master_port": 29501}, 8),
        ({"tensor_parallel_size": 8, "pipeline_parallel_size": 2, "distributed_executor_backend": "ray"}, 8),
        ({"tensor_parallel_size": 4, "data_parallel_size": 4, "data_parallel_size_local": 2}, 8),
        ({"tensor_parallel_size": 8, "data_parallel_size": 2, "data_parallel_rank": 0}, 8),
        ({"tensor_parallel_size": 8, "data_parallel_size": 2, "data_parallel_backend": "ray"}, 8),
        ({"nnodes": 1, "tensor_parallel_size": 2}, 2),
    ],
)
def test_flags_that_fit_are_let_through(flags: dict[str, Any], cards: int | None) -> None:
    """One node, nodes of the engine's own, Ray, and copies on other nodes each have flags that go together."""
    assert nodes.problems(flags, cards) == []


@pytest.mark.parametrize(
    ("flags", "cards", "told"),
    [
        ({"tensor_parallel_size": 8}, 4, "tensor_parallel_size 8 needs 8 cards on this node, which gives the engine 4"),
        ({**TWO, "pipeline_parallel_size": 4}, 8, "needs 16 cards on this node"),
        ({"tensor_parallel_size": 8, "data_parallel_size": 2}, 8, "needs 16 cards"),
        ({}, 0, "one worker needs 1 cards"),
        ({"nnodes": 2, "tensor_parallel_size": 16}, None, "nnodes = 2 needs master_addr"),
        ({**TWO, "master_addr": ""}, None, "needs master_addr"),
        ({**TWO, "master_addr": "127.0.0.1"}, None, "no other node reaches this one"),
        ({**TWO, "master_addr": "localhost"}, None, "no other node reaches this one"),
        ({**TWO, "node_rank": 1}, None, "node_rank is 1: this node starts the API server, which is rank 0"),
        ({**TWO, "nnodes": 3}, None, "nnodes = 3 does not divide the 16 cards"),
        ({**TWO, "distributed_executor_backend": "ray"}, None, "Ray knows the nodes; remove nnodes"),
        ({**TWO, "data_parallel_backend": "ray"}, None, "needs data_parallel_backend = 'mp', not 'ray'"),
        ({"node_rank": 0}, None, "node_rank is set and nnodes is not: set nnodes, or remove it"),
        ({"master_addr": "10.0.0.1"}, None, "master_addr is set and nnodes is not"),
        ({"master_port": 1, "distributed_executor_backend": "ray"}, None, "Ray places the workers itself: remove it"),
        ({"nnodes": 0}, None, "nnodes is 0; give a whole number from 1"),
        ({"nnodes": True}, None, "nnodes is True; give a whole number"),
        ({"nnodes": "2"}, None, "nnodes is '2'; give a whole number"),
        ({**TWO, "node_rank": -1}, None, "node_rank is -1; give a whole number from 0"),
        ({"tensor_parallel_size": 2.0}, 8, "tensor_parallel_size is 2.0"),
    ],
)
def test_flags_that_contradict_each_other_are_told(flags: dict[str, Any], cards: int | None, told: str) -> None:
    """Each contradiction is one sentence with its cure."""
    (problem,) = nodes.problems(flags, cards)
    assert told in problem


def test_only_an_engine_beyond_this_node_needs_a_network() -> None:
    """Several nodes and Ray do; many cards of one node do not."""
    assert nodes.spans(TWO)
    assert nodes.spans({"distributed_executor_backend": "ray"})
    assert not nodes.spans({"tensor_parallel_size": 8, "nnodes": 1})


def test_ray_alone_knows_how_many_cards_it_takes_here() -> None:
    """Where Ray places workers, the number on this node is not known beforehand."""
    assert nodes.cards_here({"tensor_parallel_size": 8, "distributed_executor_backend": "ray"}) is None
    assert nodes.cards_here(TWO) == 8
