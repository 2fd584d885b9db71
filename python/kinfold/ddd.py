"""Data Decision Diagrams: large sets of sequences of assignments, and maps between them.

Variables are numbers, and so are values. All diagrams and maps of a :class:`Forest` share what is equal. Sets are put
together by ``|``, ``&``, ``-`` and ``*`` (each followed by each); maps by ``+`` (both), ``@`` (one after the other) and
``star()`` (any number of times), and applied by calling them::

    >>> from kinfold.ddd import Forest
    >>> forest = Forest()
    >>> start = forest.sequence([(0, 0), (1, 0), (2, 0)])
    >>> flip = [forest.chain([(bit, 0, 0, 1)]) for bit in (0, 1)]
    >>> count = forest.chain([(0, 1, 1, 0), (1, 1, 1, 0), (2, 0, 6, 1)])
    >>> reachable = forest.sum(flip + [count]).star()(start)
    >>> reachable.count
    11
    >>> [(0, 1), (1, 1), (2, 7)] in reachable
    True
"""

from ._native import Ddd, Forest, Hom

__all__ = ["Ddd", "Forest", "Hom", "Inductive"]


class Inductive:
    """A homomorphism that is defined by what it does on one assignment. To be subclassed, and given to
    :meth:`Forest.inductive`.

    Equal objects are one homomorphism: whatever decides the result must take part in ``==`` and ``hash``, as it does in
    ``@dataclass(frozen=True)``, and the result must depend on nothing else.
    """

    def on_one(self, forest: Forest) -> Ddd:
        """What becomes of the empty sequence."""
        return forest.one

    def on_arc(self, forest: Forest, variable: int, value: int) -> Hom:
        """The map that is applied to whatever follows an assignment; the assignment itself is dropped."""
        raise NotImplementedError("an Inductive says in `on_arc` what it does on an assignment")

    def skips(self, variable: int) -> bool:
        """Whether it leaves assignments of this variable as they are, and goes on behind them."""
        return False
