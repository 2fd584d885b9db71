"""Systems that are Python classes."""

from typing import Iterable, Optional, Union

from . import _native
from ._exploration import Exploration
from ._native import State, Step

ALL = ("parent", "ancestor", "next_sibling", "elder_sibling")


class System:
    """A system of threads, given by its states and steps. To be subclassed.

    To a system a pid is a black box: it may compare pids by ``==`` and by the relations that it declares, and by
    nothing else. States that differ only in who is who must have the same steps, up to who is who. Every step that is
    explored is held to the rules by which threads come and go, and some states are audited for the rest.
    """

    def initial(self) -> Union[State, Iterable[State]]:
        """The state it starts in, or those in which it may start."""
        raise NotImplementedError("a System says in `initial` where it starts")

    def successors(self, state: State) -> Iterable[Step]:
        """All steps from a state, one for each way to take it; the same ones whenever asked."""
        raise NotImplementedError("a System says in `successors` what its steps are")

    def relations(self) -> Union[str, Iterable[str]]:
        """The relations on pids that the steps depend on. Fewer fold more; all of them, the default, are always safe."""
        return ALL

    def explore(
        self,
        *,
        relations: Union[None, str, Iterable[str]] = None,
        full: bool = False,
        max_states: Optional[int] = None,
        seconds: Optional[float] = None,
        memory: Optional[int] = None,
        until: Optional[str] = None,
        audit: int = 100,
        seed: int = 0,
    ) -> Exploration:
        """Explores the system, folded up to who is who.

        ``relations`` may be more than the system declares; less is refused. ``audit`` is the number of states whose
        steps are compared with those of some equivalent states, drawn from ``seed``. The other arguments are those of
        :meth:`Model.explore`; ``until`` is an action. What a method raises comes out of this one. Raises
        :class:`SystemBreach` if the system does what it may not.
        """
        native = _native.explore_system(
            self,
            title=type(self).__name__,
            relations=relations,
            full=full,
            max_states=max_states,
            seconds=seconds,
            memory=memory,
            until=until,
            audit=audit,
            seed=seed,
        )
        return Exploration(native)
