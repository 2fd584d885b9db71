"""What checking a model has shown."""

import html
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, Optional, Tuple

from ._native import Pid
from ._trace import Trace

_COLOURS = {"holds": "#1a7f37", "fails": "#cf222e", "unknown": "#9a6700", "refused": "#57606a"}


@dataclass(frozen=True)
class Verdict:
    """What was found of a property."""

    name: str
    text: str
    """What it says, as written."""
    verdict: str
    """``holds``, ``fails``, ``unknown`` (a limit was reached) or ``refused`` (it cannot be decided)."""
    vacuous: bool
    """Whether it holds only since what it speaks of never happens."""
    why: Optional[str]
    """Who is stuck, who races, which limit was reached, why it is refused."""
    states: int
    """The classes that were explored for it."""
    followed: Optional[Tuple[str, Pid]]
    """The variable for the thread followed, and who it is in the trace."""
    trace: Optional[Trace]
    """A run that shows it, where one can."""

    @property
    def holds(self) -> Optional[bool]:
        """Whether it holds; None if that is not known."""
        return {"holds": True, "fails": False}.get(self.verdict)

    def __str__(self) -> str:
        return f"{self.name}: {self.verdict}" + (f" ({self.why})" if self.why else "")


@dataclass(frozen=True)
class Fault:
    """How a model goes wrong by itself."""

    message: str
    is_assertion: bool
    """Whether an assertion fails; otherwise a value is out of range or the like."""
    trace: Optional[Trace]


@dataclass(frozen=True)
class Coverage:
    """What never happened, as far as was seen."""

    states: int
    complete: bool
    never_fired: Tuple[str, ...]
    never_marked: Tuple[str, ...]
    never_executed: Tuple[str, ...]
    """Statements of processes."""
    growing: Tuple[str, ...]
    """What was still rising when a limit was reached."""


@dataclass(frozen=True)
class Unbounded:
    """That a place can hold any number of tokens."""

    place: str
    repeat_from: int
    """The steps of the trace after this one can be repeated for ever."""
    trace: Optional[Trace]


@dataclass(frozen=True)
class Report:
    """What checking a model has shown."""

    model: str
    verdicts: Tuple[Verdict, ...]
    fault: Optional[Fault]
    """How the model goes wrong by itself, if it does."""
    coverage: Optional[Coverage]
    unbounded: Optional[Unbounded]
    relations: Tuple[str, ...]
    fairness: Tuple[str, ...]
    reductions: Tuple[str, ...]
    unshown: Optional[str]
    """Why a run that would show something is missing, if one is."""
    seconds: float = field(compare=False)

    @staticmethod
    def _of(fields: Dict[str, Any]) -> "Report":
        def shown(one: Optional[Dict[str, Any]]) -> Any:
            if one is not None:
                run = one.pop("run")
                one["trace"] = None if run is None else Trace._of_model(run)
            return one

        fault, coverage = shown(fields["fault"]), fields["coverage"]
        if coverage is not None:
            coverage = {name: tuple(v) if isinstance(v, list) else v for name, v in coverage.items()}
        unbounded = shown(fields["unbounded"])
        return Report(
            model=fields["model"],
            verdicts=tuple(Verdict(**shown(one)) for one in fields["verdicts"]),
            fault=None if fault is None else Fault(**fault),
            coverage=None if coverage is None else Coverage(**coverage),
            unbounded=None if unbounded is None else Unbounded(**unbounded),
            relations=tuple(fields["relations"]),
            fairness=tuple(fields["fairness"]),
            reductions=tuple(fields["reductions"]),
            unshown=fields["unshown"],
            seconds=fields["seconds"],
        )

    @property
    def holds(self) -> Optional[bool]:
        """Whether all properties hold and the model does not go wrong; None if that is not known."""
        if self.fault is not None or any(one.verdict == "fails" for one in self.verdicts):
            return False
        return True if all(one.verdict == "holds" for one in self.verdicts) else None

    def __getitem__(self, name: str) -> Verdict:
        for one in self.verdicts:
            if one.name == name:
                return one
        known = ", ".join(one.name for one in self.verdicts)
        raise KeyError(f"no property named {name!r} was checked; there are: {known}")

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def __len__(self) -> int:
        return len(self.verdicts)

    def __bool__(self) -> bool:
        raise TypeError("a report is neither true nor false: ask report.holds, which may be None")

    def __str__(self) -> str:
        lines = [str(one) for one in self.verdicts]
        if self.fault is not None:
            lines.append(self.fault.message)
        return "\n".join([self.model] + ["  " + line for line in lines])

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each property."""
        from ._exploration import _needed

        pandas = _needed("pandas", "tables")
        columns = ["name", "verdict", "why", "states", "steps"]
        rows = [
            (one.name, one.verdict, one.why, one.states, None if one.trace is None else len(one.trace))
            for one in self.verdicts
        ]
        return pandas.DataFrame(rows, columns=columns)

    def _repr_html_(self) -> str:
        def row(one: Verdict) -> str:
            word = f"<b style='color:{_COLOURS[one.verdict]}'>{one.verdict}</b>"
            cells = (html.escape(one.name), word, html.escape(one.text), html.escape(one.why or ""))
            return "<tr>" + "".join(f"<td style='text-align:left'>{cell}</td>" for cell in cells) + "</tr>"

        fault = "" if self.fault is None else f"<p>{html.escape(self.fault.message)}</p>"
        rows = "".join(row(one) for one in self.verdicts)
        return f"<table><caption>{html.escape(self.model)}</caption>{rows}</table>{fault}"
