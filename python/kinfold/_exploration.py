"""What exploring a model or a system has shown."""

import html
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from ._native import ModelExploration, ModelRun, State, SystemExploration
from ._trace import Trace

_MOST_NODES_INLINE = 100


class Edge(NamedTuple):
    """A step from one class of states to another."""

    source: int
    action: str
    target: int


def _needed(name: str, what: str) -> Any:
    """A library that is wanted only by those who ask for what it is for."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{what} need {name}: pip install {name}") from error


class Exploration:
    """What exploring has shown: counts, a representative of each class, edges, runs.

    Classes are numbered from 0 in the order in which they were found, the nearest to the start first. Without folding
    each class is one state.
    """

    def __init__(self, native: Union[ModelExploration, SystemExploration]) -> None:
        self._native = native
        counts = native.counts()
        self.model: str = counts["model"]
        """What was explored."""
        self.states: int = counts["states"]
        """The number of classes; of states, if nothing was folded."""
        self.edges: int = counts["edges"]
        """The number of edges between them."""
        self.expanded: int = counts["expanded"]
        """Of how many classes the successors are known."""
        self.depth: int = counts["depth"]
        """The most steps that are needed to reach one of them."""
        self.complete: bool = counts["complete"]
        """Whether these are all."""
        self.reason: Optional[str] = counts["reason"]
        """If not: ``states``, ``time``, ``memory`` or ``until``."""
        self.seconds: float = counts["seconds"]
        self.initial: Tuple[int, ...] = tuple(counts["initial"])
        """The classes of the initial states."""
        self.deadlocks: Tuple[int, ...] = tuple(counts["deadlocks"])
        """The classes without successors in which a thread is active."""
        self.terminated: Tuple[int, ...] = tuple(counts["terminated"])
        """The classes without successors in which all threads have ended."""
        self.relations: Tuple[str, ...] = tuple(counts["relations"])
        """The relations on pids up to which was folded."""
        self.form: str = counts["form"]
        """``full``, ``folded`` or ``symbolic``: what was stored."""
        self.concrete_states: Optional[int] = counts["concrete_states"]
        """How many states the classes stand for, where that is known: in models without threads."""
        self.actions: Dict[str, int] = counts["actions"]
        """How often each action was taken, in all modes."""
        self.most_tokens: Dict[str, int] = counts["most_tokens"]
        """The most tokens that were seen in each place."""
        self.unbounded: Optional[str] = counts["unbounded"]
        """A place that can hold any number of tokens, if one was found."""
        self._has_edges: bool = counts["has_edges"]

    def __len__(self) -> int:
        return self.states

    def __repr__(self) -> str:
        what = "states" if self.form == "full" else "classes"
        end = "complete" if self.complete else f"INCOMPLETE: {self.reason}"
        return f"<Exploration of {self.model}: {self.states} {what}, {self.edges} edges, {end}>"

    def state(self, number: int) -> State:
        """A state of the class of this number."""
        return self._native.state(number)

    def text(self, number: int) -> str:
        """A state of the class of this number, as people read it."""
        return self._native.text(number)

    def __iter__(self) -> Iterator[State]:
        return (self.state(number) for number in range(self.states))

    def depth_of(self, number: int) -> int:
        """How many steps from the start a class is."""
        return self._native.depth(number)

    def find(self, state: State) -> Optional[int]:
        """The number of the class of a state of a system, if it was found."""
        if not isinstance(self._native, SystemExploration):
            raise TypeError("only explorations of systems can be asked for the class of a state")
        return self._native.find(state)

    def edge_list(self) -> List[Edge]:
        """The edges, by their sources."""
        if not self._has_edges:
            raise ValueError("the edges were not kept: explore with edges=True")
        return [Edge(*edge) for edge in self._native.edges()]

    def run_to(self, number: int) -> Trace:
        """A shortest run to a state of this class."""
        return self._trace(self._native.run_to(number))

    def run_to_action(self, action: str) -> Optional[Trace]:
        """A shortest run that ends with this action; None if it was never taken."""
        run = self._native.run_to_action(action)
        return None if run is None else self._trace(run)

    @staticmethod
    def _trace(run: Union[ModelRun, Dict[str, Any]]) -> Trace:
        return Trace._of_system(run) if isinstance(run, dict) else Trace._of_model(run)

    def kind_of(self, number: int) -> Optional[str]:
        """``deadlock``, ``terminated``, ``unexplored``, or None for all others."""
        if not hasattr(self, "_kinds"):
            self._kinds: Dict[int, str] = {number: "deadlock" for number in self.deadlocks}
            self._kinds.update((number, "terminated") for number in self.terminated)
        return self._kinds.get(number) or (None if number < self.expanded else "unexplored")

    def write(self, format: str) -> str:
        """The graph as ``svg``, ``dot`` (Graphviz), ``aut`` (Aldebaran), ``json`` or ``html``."""
        return self._native.write(format)

    def svg(self) -> str:
        """A picture of the graph, of at most 500 classes."""
        return self.write("svg")

    def to_networkx(self) -> Any:
        """The graph as a ``networkx.MultiDiGraph``.

        Nodes are the numbers of classes, with ``text``, ``depth``, ``kind`` and ``initial``; edges have ``action``.
        """
        networkx = _needed("networkx", "graphs")
        graph = networkx.MultiDiGraph(name=self.model)
        initial = set(self.initial)
        for number in range(self.states):
            graph.add_node(
                number,
                text=self.text(number),
                depth=self.depth_of(number),
                kind=self.kind_of(number),
                initial=number in initial,
            )
        for source, action, target in self.edge_list():
            graph.add_edge(source, target, action=action)
        return graph

    def states_frame(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each class: its depth, kind, text, and the tokens in each place."""
        pandas = _needed("pandas", "tables")
        places = sorted(self.most_tokens)
        rows = []
        for number, state in enumerate(self):
            held = state.to_dict()
            row = {"depth": self.depth_of(number), "kind": self.kind_of(number), "text": self.text(number)}
            row.update((place, sum(held.get(place, {}).values())) for place in places)
            rows.append(row)
        frame = pandas.DataFrame(rows, columns=["depth", "kind", "text"] + places)
        frame.index.name = "class"
        return frame

    def edges_frame(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each edge: ``source``, ``action``, ``target``."""
        pandas = _needed("pandas", "tables")
        return pandas.DataFrame(self.edge_list(), columns=list(Edge._fields))

    def _summary(self) -> List[Tuple[str, Any]]:
        rows: List[Tuple[str, Any]] = [
            ("states" if self.form == "full" else "classes", self.states),
            ("edges", self.edges),
            ("deadlocks", len(self.deadlocks)),
            ("terminated", len(self.terminated)),
            ("depth", self.depth),
            ("complete", "yes" if self.complete else f"no: {self.reason}"),
        ]
        if self.concrete_states is not None:
            rows.insert(1, ("concrete states", self.concrete_states))
        return rows

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td style='text-align:right'>{value}</td></tr>"
            for name, value in self._summary()
        )
        picture = ""
        if self._has_edges and self.states <= _MOST_NODES_INLINE:
            picture = f"<div>{self.svg()}</div>"
        return f"<table><caption>{html.escape(self.model)}</caption>{cells}</table>{picture}"
