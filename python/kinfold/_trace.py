"""Runs of models and of systems."""

import html
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, Optional, Tuple

from ._native import ModelRun, Pid, State


@dataclass(frozen=True)
class Act:
    """What a process does in a step."""

    process: str
    thread: Pid
    file: Optional[str]
    line: int
    column: int
    statement: str


@dataclass(frozen=True)
class TraceStep:
    """A step of a run."""

    action: str
    """The transition of a model, or the action of a system."""
    text: str
    """The step as people read it."""
    state: State
    """Where it leads."""
    thread: Optional[Pid] = None
    """The thread that acts, if it is a step of a system and one does."""
    binding: Dict[str, Any] = field(default_factory=dict)
    """The values of the variables of the transition."""
    born: Tuple[Pid, ...] = ()
    """The threads that it creates."""
    ended: Tuple[Pid, ...] = ()
    """The threads that it ends."""
    acts: Tuple[Act, ...] = ()
    """Who acts, and by which statement, where the model has processes."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Loop:
    """How a run goes on for ever: from its last state it goes on as from an earlier one."""

    to: int
    """The number of steps after which that state comes."""
    replaced: Dict[Pid, Pid]
    """For each thread of the last state, as which thread of the earlier one it goes on."""


@dataclass(frozen=True)
class Trace:
    """A concrete run, with real pids, from an initial state."""

    initial: State
    steps: Tuple[TraceStep, ...]
    loop: Optional[Loop] = None
    """How it goes on for ever, if it does."""
    _text: str = field(default="", repr=False, compare=False)
    _run: Optional[ModelRun] = field(default=None, repr=False, compare=False)

    @staticmethod
    def _of_model(run: ModelRun) -> "Trace":
        def step(fields: Dict[str, Any]) -> TraceStep:
            acts = tuple(Act(**act) for act in fields.pop("acts"))
            born, ended = tuple(fields.pop("born")), tuple(fields.pop("ended"))
            return TraceStep(acts=acts, born=born, ended=ended, **fields)

        back = run.back()
        loop = None if back is None else Loop(*back)
        steps = tuple(step(fields) for fields in run.steps())
        return Trace(run.initial(), steps, loop, _run=run)

    @staticmethod
    def _of_system(run: Dict[str, Any]) -> "Trace":
        def step(fields: Dict[str, Any]) -> TraceStep:
            born, ended = tuple(fields.pop("born")), tuple(fields.pop("ended"))
            return TraceStep(born=born, ended=ended, **fields)

        return Trace(run["initial"], tuple(step(fields) for fields in run["steps"]), _text=run["text"])

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[TraceStep]:
        return iter(self.steps)

    @property
    def last(self) -> State:
        """The state in which it ends."""
        return self.steps[-1].state if self.steps else self.initial

    @property
    def actions(self) -> Tuple[str, ...]:
        """The names of the actions, one for each step."""
        return tuple(step.action for step in self.steps)

    def __str__(self) -> str:
        return self._text if self._run is None else self._run.write("text").rstrip()

    def write(self, format: str) -> str:
        """The run as ``text``, ``json``, ``itf``, ``svg``, ``mermaid``, ``shiviz`` or ``html``; of a system as ``text``."""
        if self._run is not None:
            return self._run.write(format)
        if format == "text":
            return self._text
        raise ValueError(f"a run of a system can be written as text only, not as {format!r}")

    def svg(self) -> str:
        """A sequence chart of a run of a model."""
        return self.write("svg")

    def __reduce__(self) -> Any:
        # What charts are drawn from is not kept: a model that is read again gives it again.
        return (Trace, (self.initial, self.steps, self.loop, str(self)))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        bundle = {"text/plain": str(self)}
        if self._run is not None:
            bundle["image/svg+xml"] = self.svg()
        else:
            bundle["text/html"] = f"<pre>{html.escape(str(self))}</pre>"
        return bundle
