"""What can go wrong, as exceptions with plain data."""

from dataclasses import dataclass
from typing import Any, Optional, Sequence, Tuple

from ._trace import Trace


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong with a text, or could be better."""

    severity: str
    """``error`` or ``warning``."""
    code: str
    """Its code, such as ``E0203``; ``kinfold explain CODE`` says more."""
    message: str
    file: str
    line: Optional[int]
    """From 1; None where it is not in the text."""
    column: Optional[int]
    help: Optional[str]
    """A way out."""

    def __str__(self) -> str:
        place = "" if self.line is None else f":{self.line}:{self.column}"
        help = "" if self.help is None else f"; {self.help}"
        return f"{self.file}{place}: {self.message} [{self.code}]{help}"


class KinfoldError(Exception):
    """What was asked has no answer; the message says why."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics: Tuple[Diagnostic, ...] = tuple(diagnostics)


class ModelError(KinfoldError):
    """The text of a model, or of a formula, is wrong. ``diagnostics`` has each mistake."""


class ModelFault(KinfoldError):
    """The model goes wrong while it runs: an assertion fails, or a value is out of range."""

    def __init__(self, message: str, run: Any = None) -> None:
        super().__init__(message)
        self.trace: Optional[Trace] = None if run is None else Trace._of_model(run)
        """How it comes about."""


class SystemBreach(KinfoldError):
    """A system does what no system may do: it breaks a rule of thread creation, or looks into pids."""

    def __init__(self, message: str, kind: str = "", run: Any = None) -> None:
        super().__init__(message)
        self.kind: str = kind
        """``initial``, ``step``, ``asymmetry`` or ``changed``."""
        self.trace: Optional[Trace] = None if run is None else Trace._of_system(run)
        """A shortest run to where it does, if the system can be followed that far."""
