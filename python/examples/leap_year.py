"""A service that tells whether a year is a leap year: the example with which Klaudel et al. (2009) begin.

Two servers wait for requests. On a request a server starts a handler and passes it the year and the client's address.
The handler calls a function, which is a thread as well: started, and waited for. The function calculates, the handler
takes the result and answers, the server collects the handler. The same service in Rust is
`crates/kinfold/examples/leap_year.rs`, and as a net `models/leap_year.kin`.

    python leap_year.py
"""

from typing import Any, Iterator, Optional, Sequence, Tuple

from kinfold import Pid, State, Step, System


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


class LeapYear(System):
    """The service. Its local states are those of the paper: S servers, H handlers, F functions."""

    def __init__(self, servers: int, years: Sequence[int], addresses: Sequence[int]) -> None:
        self.servers, self.years, self.addresses = servers, years, addresses

    def initial(self) -> State:
        state = State()
        for number in range(1, self.servers + 1):
            server = Pid(number)
            state.activate(server)
            state.put("S", server)
        return state

    def relations(self) -> Tuple[str, ...]:
        """A thread waits for its own child; that is all that pids are compared for."""
        return ("parent",)

    def successors(self, state: State) -> Iterator[Step]:
        for (server,) in state.tokens("S"):
            # A server has one handler at a time.
            handler = child(state, "H", server)
            if handler is None:
                yield from self.accept(state, server)
            elif len(handler) == 1:
                after = state.copy()
                after.take("H", *handler)
                after.end(handler[0])
                yield Step("collect", after, server)
        for handler in state.tokens("H"):
            pid, data = handler[0], handler[1:]
            function = child(state, "F", pid)
            if function is None and data:
                after = state.copy()
                after.put("F", after.spawn(pid), data[0])
                yield Step("call", after, pid)
            elif function is not None and isinstance(function[1], bool):
                after = state.copy()
                after.take("F", *function)
                after.end(function[0])
                after.take("H", *handler)
                after.put("H", pid)
                yield Step("answer", after, pid)
        for pid, datum in state.tokens("F"):
            if not isinstance(datum, bool):
                after = state.copy()
                after.take("F", pid, datum)
                after.put("F", pid, is_leap(datum))
                yield Step("calculate", after, pid)

    def accept(self, state: State, server: Pid) -> Iterator[Step]:
        for year in self.years:
            for address in self.addresses:
                after = state.copy()
                after.put("H", after.spawn(server), year, address)
                yield Step("accept", after, server)


def child(state: State, place: str, parent: Pid) -> Optional[Tuple[Any, ...]]:
    """The token of the child of a thread at a place, if there is one."""
    return next((token for token in state.tokens(place) if parent.is_parent_of(token[0])), None)


if __name__ == "__main__":
    service = LeapYear(servers=2, years=[2000, 2009], addresses=[7])
    explored = service.explore()
    print(f"folded: {explored.states} states, {explored.edges} edges, {len(explored.deadlocks)} deadlocks")
    # With brotherhood, a session of server 1 and one of server 2 are not the same.
    print("with brotherhood:", service.explore(relations=["parent", "next_sibling"]).states, "states")
    # Without folding each session has new pids, and there is no end.
    full = service.explore(full=True, max_states=10_000)
    print(f"not folded: {full.states} states, complete: {full.complete}")
    print(f"\na session:\n{explored.run_to_action('collect')}")
