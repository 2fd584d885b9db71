"""Kinfold verifies systems that create processes while they run.

It folds together the states that differ only in who is who. A model is read from a ``.kin`` or PNML text, or is a Python
class::

    model = kinfold.Model.load("server.kin")
    print(model.check())
    print(model.explore())

See ``docs/python.md``.
"""

from ._errors import Diagnostic, KinfoldError, ModelError, ModelFault, SystemBreach
from ._exploration import Edge, Exploration
from ._model import Model
from ._native import Object, Pid, State, Step, __version__, canonical, equivalent
from ._report import Coverage, Fault, Report, Unbounded, Verdict
from ._system import System
from ._trace import Act, Loop, Trace, TraceStep

__all__ = [
    "Act",
    "Coverage",
    "Diagnostic",
    "Edge",
    "Exploration",
    "Fault",
    "KinfoldError",
    "Loop",
    "Model",
    "ModelError",
    "ModelFault",
    "Object",
    "Pid",
    "Report",
    "State",
    "Step",
    "System",
    "SystemBreach",
    "Trace",
    "TraceStep",
    "Unbounded",
    "Verdict",
    "__version__",
    "canonical",
    "equivalent",
]
