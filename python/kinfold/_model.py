"""Models: nets and processes in ``.kin``, PNML documents, Go programs."""

import os
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

from . import _native
from ._errors import Diagnostic
from ._exploration import Exploration
from ._report import Report

Relations = Union[str, Iterable[str]]


def _go(
    entry: Optional[str], leaks: bool, assume: Union[str, Iterable[str]]
) -> Tuple[Optional[str], bool, List[str]]:
    return entry, leaks, [assume] if isinstance(assume, str) else list(assume)


class Model:
    """A model that has been read, and is right. Made by :meth:`load` and :meth:`parse`."""

    def __init__(self, native: "_native.Model") -> None:
        self._native = native

    @staticmethod
    def load(
        path: "Union[str, os.PathLike[str]]",
        *,
        set: Optional[Dict[str, Any]] = None,
        format: Optional[str] = None,
        entry: Optional[str] = None,
        leaks: bool = False,
        assume: Union[str, Iterable[str]] = (),
    ) -> "Model":
        """Reads a model from a file: ``.kin``, ``.pnml`` or ``.go`` by its name, unless ``format`` says which.

        ``set`` gives constants of the model other values. Of a Go program, ``entry`` is the function it starts with,
        ``leaks`` looks at goroutines that are left behind when ``main`` returns, and the functions in ``assume`` are
        taken to do nothing. Raises :class:`ModelError` with the diagnostics if the text is wrong, and :class:`OSError`
        if the file cannot be read.
        """
        return Model(_native.Model.load(os.fspath(path), set, format, _go(entry, leaks, assume)))

    @staticmethod
    def parse(
        text: str,
        *,
        set: Optional[Dict[str, Any]] = None,
        format: str = "kin",
        name: str = "<text>",
        entry: Optional[str] = None,
        leaks: bool = False,
        assume: Union[str, Iterable[str]] = (),
    ) -> "Model":
        """Reads a model from a text as :meth:`load` does; ``name`` is what it is called in messages."""
        return Model(_native.Model.parse(text, set, format, name, _go(entry, leaks, assume)))

    @property
    def name(self) -> str:
        return self._native.name

    @property
    def file(self) -> str:
        return self._native.file

    @property
    def source(self) -> str:
        """The text."""
        return self._native.source

    @property
    def kind(self) -> str:
        """``net``, ``processes``, ``pnml`` or ``go``."""
        return self._native.kind

    @property
    def has_threads(self) -> bool:
        return self._native.has_threads

    @property
    def places(self) -> List[str]:
        return self._native.places

    @property
    def transitions(self) -> List[str]:
        return self._native.transitions

    @property
    def constants(self) -> Dict[str, Any]:
        return self._native.constants

    @property
    def properties(self) -> Dict[str, str]:
        """What each property says, by name."""
        return self._native.properties

    @property
    def relations(self) -> Tuple[str, ...]:
        """The relations on pids that the model observes."""
        return tuple(self._native.relations)

    @property
    def diagnostics(self) -> Tuple[Diagnostic, ...]:
        """What was remarked about the text, though it is right."""
        return tuple(self._native.diagnostics)

    def __repr__(self) -> str:
        return repr(self._native)

    def __reduce__(self) -> Any:
        form = self.kind if self.kind in ("pnml", "go") else "kin"
        constants = {} if form == "pnml" else self.constants
        return (_parsed, (self.source, constants, form, self.file))

    def explore(
        self,
        *,
        relations: Optional[Relations] = None,
        full: bool = False,
        precise: bool = False,
        max_states: Optional[int] = None,
        seconds: Optional[float] = None,
        memory: Optional[int] = None,
        threads: int = 1,
        edges: bool = True,
        until: Optional[str] = None,
    ) -> Exploration:
        """Explores the states of the model, folded up to who is who.

        ``relations`` are kept apart beside those that the model observes. With ``full`` nothing is folded; with
        ``precise`` states are folded up to the relations everywhere, also where they cannot be observed any more.
        ``max_states``, ``seconds`` and ``memory`` (bytes of the whole process; four fifths of what is free, unless
        given) are limits: ``complete`` says whether one of them came first. ``until`` stops as soon as a transition
        has fired. Without ``edges`` the graph takes less memory. Other Python threads run in the meantime, and Ctrl-C
        ends it. Raises :class:`ModelFault` if the model goes wrong.
        """
        native = self._native.explore_native(
            relations=relations,
            full=full,
            precise=precise,
            max_states=max_states,
            seconds=seconds,
            memory=memory,
            threads=threads,
            edges=edges,
            until=until,
        )
        return Exploration(native)

    def check(
        self,
        *properties: str,
        formula: Optional[str] = None,
        fair: Union[str, Iterable[str]] = (),
        relations: Optional[Relations] = None,
        full: bool = False,
        precise: bool = False,
        max_states: Optional[int] = None,
        seconds: Optional[float] = None,
        memory: Optional[int] = None,
        threads: int = 1,
    ) -> Report:
        """Checks the properties of these names, or all; of a model without properties, those that every model has.

        ``formula`` is a property that is not in the model, as it would stand behind ``property NAME:``; it is asked
        alone. ``fair`` is what is assumed of runs, as for ``kinfold check --fair``. The limits are those of
        :meth:`explore`; a verdict that is not known then is ``unknown``.
        """
        if formula is not None and properties:
            raise ValueError("a formula is asked alone: check the named properties in another call")
        native = self._native.check_native(
            properties=list(properties) if properties else None,
            formula=formula,
            fair=[fair] if isinstance(fair, str) else list(fair),
            relations=relations,
            full=full,
            precise=precise,
            max_states=max_states,
            seconds=seconds,
            memory=memory,
            threads=threads,
        )
        return Report._of(native)


def _parsed(text: str, constants: Dict[str, Any], form: str, name: str) -> Model:
    return Model.parse(text, set=constants, format=form, name=name)
