"""Canonical forms, isomorphism and automorphism groups of small coloured relational structures.

A structure has atoms, numbered from 0, each with a colour, and a multiset of labelled tuples of atoms. Two structures are
isomorphic when a bijection of atoms keeps colours and turns the tuples of one into those of the other::

    >>> from kinfold import canon
    >>> path = canon.Structure([0, 0, 0])
    >>> path.tuple(1, 0, 1)
    >>> path.tuple(1, 1, 2)
    >>> other = canon.Structure([0, 0, 0])
    >>> other.tuple(1, 2, 0)
    >>> other.tuple(1, 1, 2)
    >>> canon.isomorphic(path, other)
    [1, 2, 0]
    >>> canon.canonical(path).key == canon.canonical(other).key
    True
"""

from dataclasses import dataclass
from typing import Any, Dict, Hashable, List, Optional, Tuple

from ._native import Structure, isomorphic

__all__ = ["Canonical", "Structure", "canonical", "from_networkx", "isomorphic"]


@dataclass(frozen=True)
class Canonical:
    """The canonical form of a structure, and its automorphism group."""

    form: Structure
    """The structure with its atoms in canonical order."""
    position: Tuple[int, ...]
    """Where each atom is in that order."""
    orbits: Tuple[int, ...]
    """For each atom, the least atom that an automorphism takes it to."""
    generators: Tuple[Tuple[int, ...], ...]
    """Automorphisms that generate the group, each as the images of all atoms."""
    group_order: int
    """The number of automorphisms."""

    @property
    def key(self) -> Hashable:
        """Equal for two structures exactly if they are isomorphic. Not to be kept from one version to the next."""
        return (tuple(self.form.colours), tuple(self.form.tuples))


def canonical(structure: Structure) -> Canonical:
    """The canonical form of a structure.

    Small structures take microseconds. In the worst case the time is exponential, and cannot be interrupted.
    """
    found = structure.labelled()
    return Canonical(
        form=found["form"],
        position=tuple(found["position"]),
        orbits=tuple(found["orbits"]),
        generators=tuple(tuple(images) for images in found["generators"]),
        group_order=found["group_order"],
    )


def from_networkx(
    graph: Any, *, colour: Optional[str] = None, label: Optional[str] = None
) -> Tuple[Structure, List[Any]]:
    """The structure of a networkx graph, and the node that each of its atoms is.

    ``colour`` and ``label`` name attributes of nodes and edges that are to be kept: whatever can be compared by ``==``
    and has a ``repr`` that tells it from others. An undirected edge counts in both directions.
    """
    nodes = list(graph.nodes)
    numbers = {node: number for number, node in enumerate(nodes)}
    colours = _ranks([graph.nodes[node].get(colour) if colour else None for node in nodes])
    structure = Structure([colours[repr(graph.nodes[node].get(colour) if colour else None)] for node in nodes])
    edges = list(graph.edges(data=True))
    labels = _ranks([data.get(label) if label else None for _, _, data in edges])
    for source, target, data in edges:
        number = labels[repr(data.get(label) if label else None)]
        structure.tuple(number, numbers[source], numbers[target])
        if not graph.is_directed() and source != target:
            structure.tuple(number, numbers[target], numbers[source])
    return structure, nodes


def _ranks(values: List[Any]) -> Dict[str, int]:
    return {text: rank for rank, text in enumerate(sorted({repr(value) for value in values}))}
