"""Decision diagrams against sets of Python."""

import gc
import itertools
import random
import weakref
from dataclasses import dataclass

import pytest

from kinfold import KinfoldError, ddd
from kinfold.ddd import Forest, Inductive

VALUES = range(3)
LENGTH = 3


def drawn(rng):
    words = list(itertools.product(VALUES, repeat=LENGTH))
    return set(rng.sample(words, rng.randint(0, len(words))))


def made(forest, words):
    found = forest.zero
    for word in words:
        found = found | forest.sequence(list(enumerate(word)))
    return found


def words_of(diagram):
    return {tuple(value for _, value in sequence) for sequence in diagram.sequences()}


@pytest.mark.parametrize("seed", range(30))
def test_sets(seed):
    rng, forest = random.Random(seed), Forest()
    one, other = drawn(rng), drawn(rng)
    d, e = made(forest, one), made(forest, other)
    for found, expected in [(d | e, one | other), (d & e, one & other), (d - e, one - other)]:
        assert words_of(found) == expected and found.count == len(expected), seed
        assert bool(found) == bool(expected) and (found == made(forest, expected)), seed
        assert hash(found) == hash(made(forest, expected))
    assert (d * e).count == len(one) * len(other)
    for word in itertools.product(VALUES, repeat=LENGTH):
        assert (list(enumerate(word)) in d) == (word in one), seed


@pytest.mark.parametrize("seed", range(30))
def test_closures(seed):
    """Random guarded shifts, against a search word by word."""
    rng, forest = random.Random(seed), Forest()
    moves = []
    for _ in range(rng.randint(1, 4)):
        variables = sorted(rng.sample(range(LENGTH), rng.randint(1, LENGTH)))
        moves.append([(x, rng.randint(0, 1), rng.randint(1, 2), rng.choice((-1, 0, 1))) for x in variables])

    def step(word):
        for move in moves:
            if all(least <= word[x] <= greatest for x, least, greatest, _ in move):
                after = list(word)
                for x, _, _, by in move:
                    after[x] += by
                yield tuple(after)

    start = (rng.randint(0, 2),) * LENGTH
    reached, todo = {start}, [start]
    while todo:
        for after in step(todo.pop()):
            if after not in reached:
                reached.add(after)
                todo.append(after)
    maps = forest.sum([forest.chain(move) for move in moves])
    found = maps.star()(made(forest, [start]))
    assert words_of(found) == reached, seed
    assert words_of(maps(found)) == {after for word in reached for after in step(word)}, seed


def test_maps_are_put_together():
    forest = Forest()
    start = forest.sequence([(0, 0), (1, 0)])
    up = [forest.chain([(x, 0, 5, 1)]) for x in (0, 1)]
    assert words_of((up[0] + up[1])(start)) == {(1, 0), (0, 1)}
    assert words_of((up[0] @ up[1])(start)) == {(1, 1)}
    assert forest.identity(start) == start
    assert words_of(forest.prefix(7, 3, up[0])(start)) == {(3, 1, 0)}
    assert up[0] == forest.chain([(0, 0, 5, 1)]) and up[0] != up[1]


def test_what_cannot_be_represented():
    forest = Forest()
    odd = forest.sequence([(0, 1)]) | forest.sequence([(1, 1)])
    assert odd == forest.top and not odd.is_well_defined
    assert forest.zero.root == "zero" and forest.one.root == "one" and forest.top.root == "top"
    variable, children = forest.sequence([(4, 2)]).root
    assert variable == 4 and children == {2: forest.one}
    with pytest.raises(KinfoldError):
        forest.sequence([(2**32 - 1, 0)])
    with pytest.raises(OverflowError):
        forest.sequence([(0, 2**31)])


def test_large_sets_are_counted_exactly():
    forest = Forest()
    words = forest.one
    for variable in range(50):
        words = forest.arcs(variable, [(value, words) for value in range(10)])
    assert words.count == 10**50 and words.nodes == 51
    assert len(words.sequences(most=7)) == 7
    assert words.svg().startswith("<svg") and "digraph" in words.dot()
    assert forest.statistics["nodes"] == 50


def test_forests_are_kept_apart():
    one, other = Forest(), Forest()
    with pytest.raises(ValueError, match="another forest"):
        one.one | other.one
    with pytest.raises(ValueError, match="another forest"):
        one.identity(other.one)
    with pytest.raises(ValueError, match="another forest"):
        one.sum([other.identity])
    assert one.one != other.one


def test_the_example_of_the_documentation():
    import doctest

    assert doctest.testmod(ddd).failed == 0 and doctest.testmod(ddd).attempted > 5


@dataclass(frozen=True)
class Mapped(Inductive):
    """Replaces each value of a variable by several others, as a table says."""

    variable: int
    table: tuple

    def on_arc(self, forest, variable, value):
        return forest.sum([forest.prefix(variable, other) for other in self.table[value]])

    def skips(self, variable):
        return variable != self.variable


@pytest.mark.parametrize("seed", range(30))
def test_maps_that_are_defined_in_python(seed):
    rng, forest = random.Random(seed), Forest()
    words, variable = drawn(rng), rng.randrange(LENGTH)
    table = tuple(tuple(sorted(rng.sample(VALUES, rng.randint(0, 3)))) for _ in VALUES)
    hom = forest.inductive(Mapped(variable, table))
    assert hom == forest.inductive(Mapped(variable, table))
    expected = {
        word[:variable] + (other,) + word[variable + 1 :] for word in words for other in table[word[variable]]
    }
    assert words_of(hom(made(forest, words))) == expected, seed
    reached, before = set(words), None
    while reached != before:
        before = set(reached)
        reached |= {w[:variable] + (o,) + w[variable + 1 :] for w in reached for o in table[w[variable]]}
    assert words_of((hom + forest.identity).star()(made(forest, words))) == reached, seed


class Sum(Inductive):
    """Replaces every value by the one that another map, applied in the midst, leaves."""

    def on_arc(self, forest, variable, value):
        # An application inside of an application.
        shifted = forest.chain([(0, -1000, 1000, 1)])(forest.sequence([(0, value)]))
        ((_, after),) = shifted.sequences()[0]
        return forest.prefix(variable, after, forest.inductive(self))


def test_applications_inside_of_applications():
    forest = Forest()
    hom = forest.inductive(Sum())
    assert hom(forest.sequence([(0, 1), (1, 5)])) == forest.sequence([(0, 2), (1, 6)])


def test_long_sequences():
    """Longer than the stack of the caller is deep."""
    forest = Forest()
    length = 1000
    hom = forest.inductive(Sum())
    found = hom(forest.sequence([(x, x) for x in range(length)]))
    assert found == forest.sequence([(x, x + 1) for x in range(length)])


@pytest.mark.parametrize("method", ["on_one", "on_arc", "skips", "__eq__"])
def test_what_methods_raise_comes_out(method):
    class Bad(Sum):
        def __hash__(self):
            return 7

    def fail(*_):
        raise LookupError("by intent")

    setattr(Bad, method, fail)
    forest = Forest()
    with pytest.raises(LookupError, match="by intent"):
        forest.inductive(Bad())
        forest.inductive(Bad())(forest.sequence([(0, 1), (1, 5)]))
    # Nothing is left of it.
    assert forest.inductive(Sum())(forest.sequence([(0, 1)])) == forest.sequence([(0, 2)])


@pytest.mark.parametrize("given", [None, 3, "hom"])
def test_what_methods_must_give(given):
    class Bad(Inductive):
        def on_arc(self, forest, variable, value):
            return given

    forest = Forest()
    with pytest.raises(TypeError, match="to give a Hom"):
        forest.inductive(Bad())(forest.sequence([(0, 1)]))
    with pytest.raises(NotImplementedError):
        forest.inductive(Inductive())(forest.sequence([(0, 1)]))
    with pytest.raises(TypeError, match="unhashable"):
        forest.inductive([])


def test_forests_are_given_back():
    """A forest does not keep itself alive by what is defined in it."""
    definition = Sum()
    gone = weakref.ref(definition)
    forest = Forest()
    hom = forest.inductive(definition)
    hom(forest.sequence([(0, 1)]))
    del definition, hom, forest
    gc.collect()
    assert gone() is None
