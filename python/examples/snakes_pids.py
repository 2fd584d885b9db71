"""A net of SNAKES with process identifiers, explored up to who is who.

SNAKES (Pommereau 2015) explores nets whose tokens are Python objects and whose arcs are Python expressions, marking by
marking. Where transitions create processes there is no end to that, since every process has a new identifier. The plugin
``pids`` of SNAKES keeps in a place ``nextpids`` how many children each process has created, as the papers do; it is for
Python 2. Here a net keeps its pids in the same way, with the `Pid` of Kinfold, and `SnakesSystem` has it folded. It works
for every net of SNAKES whose other tokens are pids, integers, truth values, strings, or tuples of these.

    pip install SNAKES
    python snakes_pids.py
"""

from typing import Any, Iterator, Tuple

from snakes.nets import Expression, MultiArc, PetriNet, Place, Transition, Tuple as TupleArc, Variable
from snakes.nets import Marking, MultiSet

from kinfold import Pid, State, Step, System

NEXT_PIDS = "nextpids"


def child(pid: Pid, count: int) -> Pid:
    """The next child of a process that has created so many."""
    return Pid(f"{pid}.{count + 1}")


class SnakesSystem(System):
    """A net of SNAKES that has its processes in `nextpids`: each as a token `(pid, number of children)`."""

    def __init__(self, net: PetriNet, relations: Tuple[str, ...]) -> None:
        self.net, self.observed = net, relations
        self.start = net.get_marking()

    def relations(self) -> Tuple[str, ...]:
        return self.observed

    def initial(self) -> State:
        return self.state(self.start)

    def successors(self, state: State) -> Iterator[Step]:
        marking = self.marking(state)
        for transition in self.net.transition():
            self.net.set_marking(marking)
            for mode in transition.modes():
                self.net.set_marking(marking)
                transition.fire(mode)
                yield Step(transition.name, self.state(self.net.get_marking()))

    def state(self, marking: Marking) -> State:
        state = State()
        for place, tokens in marking.items():
            for token in tokens.items():
                if place == NEXT_PIDS:
                    state.activate(*token)
                else:
                    state.put(place, *(token if isinstance(token, tuple) else (token,)), count=1)
        return state

    def marking(self, state: State) -> Marking:
        held = {NEXT_PIDS: MultiSet(list(state.eta.items()))}
        for place in state.places:
            held[place] = MultiSet([token[0] if len(token) == 1 else token for token in state.tokens(place)])
        return Marking(held)


def pool(bosses: int, workers: int) -> PetriNet:
    """Bosses start workers, at most so many at a time; a worker works and is done; a boss lets its own workers go."""
    net = PetriNet("pool")
    net.globals["child"] = child
    first = [Pid(number) for number in range(1, bosses + 1)]
    net.add_place(Place(NEXT_PIDS, [(pid, 0) for pid in first]))
    # A boss, and how many workers it has.
    net.add_place(Place("boss", [(pid, 0) for pid in first]))
    net.add_place(Place("working"))
    net.add_place(Place("done"))

    net.add_transition(Transition("start", Expression(f"n < {workers}")))
    net.add_input("boss", "start", TupleArc([Variable("b"), Variable("n")]))
    net.add_input(NEXT_PIDS, "start", TupleArc([Variable("b"), Variable("c")]))
    net.add_output("boss", "start", Expression("(b, n + 1)"))
    net.add_output("working", "start", Expression("child(b, c)"))
    net.add_output(NEXT_PIDS, "start", MultiArc([Expression("(b, c + 1)"), Expression("(child(b, c), 0)")]))

    net.add_transition(Transition("work"))
    net.add_input("working", "work", Variable("w"))
    net.add_output("done", "work", Variable("w"))

    net.add_transition(Transition("let go", Expression("b.is_parent_of(w)")))
    net.add_input("done", "let go", Variable("w"))
    net.add_input("boss", "let go", TupleArc([Variable("b"), Variable("n")]))
    net.add_input(NEXT_PIDS, "let go", TupleArc([Variable("w"), Variable("c")]))
    net.add_output("boss", "let go", Expression("(b, n - 1)"))
    return net


if __name__ == "__main__":
    for bosses in (1, 2, 3):
        explored = SnakesSystem(pool(bosses, workers=2), ("parent",)).explore()
        print(f"{bosses} bosses: {explored.states} classes, {explored.edges} edges")
    print(explored.run_to_action("let go"))
