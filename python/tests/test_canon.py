"""Canonical forms against the definition, by trying all bijections."""

import itertools
import math
import random

import pytest

from kinfold import canon
from kinfold.canon import Structure, canonical, isomorphic


def drawn(rng, atoms, tuples):
    colours = [rng.randrange(2) for _ in range(atoms)]
    return colours, [
        (rng.randrange(2),) + tuple(rng.randrange(atoms) for _ in range(rng.randint(1, 3))) for _ in range(tuples)
    ]


def made(colours, tuples):
    structure = Structure(colours)
    for one in tuples:
        structure.tuple(*one)
    return structure


def renamed(colours, tuples, images):
    new = [0] * len(colours)
    for atom, colour in enumerate(colours):
        new[images[atom]] = colour
    return new, sorted((one[0],) + tuple(images[atom] for atom in one[1:]) for one in tuples)


def bijections(one, other):
    """All bijections that show isomorphism."""
    target = (other[0], sorted(other[1]))
    return [images for images in itertools.permutations(range(len(one[0]))) if renamed(*one, images) == target]


@pytest.mark.parametrize("seed", range(150))
def test_against_all_bijections(seed):
    rng = random.Random(seed)
    atoms = rng.randint(1, 5)
    one = drawn(rng, atoms, rng.randint(0, 5))
    images = list(range(atoms))
    rng.shuffle(images)
    colours, tuples = renamed(*one, images)
    rng.shuffle(tuples)
    same = (colours, tuples)
    other = drawn(rng, atoms, len(tuples))
    for second in (same, other):
        expected = bijections(one, second)
        found = isomorphic(made(*one), made(*second))
        assert (found is not None) == bool(expected), seed
        assert found is None or tuple(found) in expected, seed
        equal = canonical(made(*one)).key == canonical(made(*second)).key
        assert equal == bool(expected), seed
    group = bijections(one, one)
    form = canonical(made(*one))
    assert form.group_order == len(group), seed
    assert all(tuple(generator) in group for generator in form.generators), seed
    assert form.orbits == tuple(min(images[atom] for images in group) for atom in range(atoms)), seed
    colours, tuples = renamed(*one, form.position)
    assert (form.form.colours, form.form.tuples) == (colours, tuples), seed


def test_large_groups_are_exact():
    form = canonical(Structure([0] * 100))
    assert form.group_order == math.factorial(100) and set(form.orbits) == {0}


def test_mistakes():
    structure = Structure([0, 1])
    with pytest.raises(IndexError, match="no atom 2"):
        structure.tuple(0, 1, 2)
    with pytest.raises(ValueError):
        structure.tuple(0)
    with pytest.raises(OverflowError):
        structure.tuple(-1, 0)
    with pytest.raises(ValueError):
        structure.relabelled([0, 0])
    assert structure.atom(5) == 2 and len(structure) == 3 and structure.tuples == []
    assert "3 atoms" in repr(structure)


def test_networkx():
    networkx = pytest.importorskip("networkx")
    structure, nodes = canon.from_networkx(networkx.petersen_graph())
    assert canonical(structure).group_order == 120 and len(nodes) == 10
    one = networkx.DiGraph([("a", "b"), ("b", "c")])
    other = networkx.DiGraph([("x", "y"), ("z", "x")])
    assert isomorphic(canon.from_networkx(one)[0], canon.from_networkx(other)[0]) is not None
    one.nodes["a"]["mark"] = other.nodes["y"]["mark"] = 1
    keys = [canonical(canon.from_networkx(graph, colour="mark")[0]).key for graph in (one, other)]
    assert keys[0] != keys[1]


def test_the_example_of_the_documentation():
    import doctest

    assert doctest.testmod(canon).failed == 0 and doctest.testmod(canon).attempted > 5
