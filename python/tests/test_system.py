"""Systems that are Python classes."""

import subprocess
import sys

import pytest
from conftest import EXAMPLES, MODELS
from leap_year import LeapYear
from pool import Pool

from kinfold import KinfoldError, Model, Pid, State, Step, System, SystemBreach, canonical


@pytest.mark.parametrize("bosses", [1, 2, 3])
def test_the_pool_of_the_guide(bosses):
    explored = Pool(bosses).explore(audit=1000)
    each = 1 + 2 + 3  # no, one or two workers, each of them working or done
    assert explored.complete
    assert explored.states == [each, each * (each + 1) // 2, each * (each + 1) * (each + 2) // 6][bosses - 1]
    assert explored.deadlocks == () and explored.terminated == ()


@pytest.mark.parametrize("servers", [1, 2, 3])
@pytest.mark.parametrize("years, addresses", [([2009], [7]), ([2000, 2009], [7]), ([1900], [1, 2])])
def test_the_leap_year_service_has_as_many_classes_as_in_rust(servers, years, addresses):
    """The counts that `crates/kinfold/tests/library/leap_year.rs` holds the Rust system to."""
    service = LeapYear(servers, years, addresses)
    n = 2 + 3 * len(years) * len(addresses)
    explored = service.explore(audit=1000, seed=11)
    assert explored.complete
    assert explored.states == {1: n, 2: n * (n + 1) // 2, 3: n * (n + 1) * (n + 2) // 6}[servers]
    assert (explored.deadlocks, explored.terminated) == ((), ())
    brothers = service.explore(relations=["parent", "next_sibling"])
    assert brothers.states == n**servers


def test_the_leap_year_service_is_right():
    for year, leap in [(1900, False), (2000, True), (2008, True), (2009, False)]:
        explored = LeapYear(1, [year], [7]).explore()
        results = [token[1] for state in explored for token in state.tokens("F") if isinstance(token[1], bool)]
        assert results == [leap]


def test_the_example_runs():
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "leap_year.py")], stdout=subprocess.PIPE, universal_newlines=True, check=True
    )
    assert "folded: 36 states" in done.stdout and "with brotherhood: 64 states" in done.stdout
    assert "complete: False" in done.stdout and "`collect` of thread 1" in done.stdout


def test_no_folding():
    explored = Pool(1).explore(full=True, max_states=1000)
    assert (explored.states, explored.complete, explored.reason, explored.form) == (1000, False, "states", "full")


def test_runs():
    explored = Pool(1).explore()
    trace = explored.run_to_action("let go")
    assert [str(step) for step in trace] == ["`start` of thread 1", "`work` of thread 1.1", "`let go` of thread 1"]
    assert trace.last.eta == {Pid(1): 1}
    assert trace.steps[0].born == (Pid("1.1"),) and trace.steps[2].ended == (Pid("1.1"),)
    assert explored.run_to_action("sleep") is None
    for number in range(explored.states):
        trace = explored.run_to(number)
        assert len(trace) == explored.depth_of(number)
        assert explored.find(trace.last) == number
        assert canonical(trace.last, ["parent"]) == explored.state(number)
    assert trace.write("text") == str(trace)
    with pytest.raises(ValueError):
        trace.svg()


def test_graphs():
    explored = Pool(1).explore()
    assert explored.svg().startswith("<svg") and "Pool" in explored.write("dot")
    assert explored.write("aut").startswith("des (0, ")
    assert len(explored.edge_list()) == explored.edges
    assert {edge.action for edge in explored.edge_list()} == {"start", "work", "let go"} == set(explored.actions)
    assert explored.most_tokens == {"boss": 1, "working": 2, "done": 2}


class Queue(System):
    """The eldest goes first, which nobody declared."""

    observed = ()

    def initial(self):
        state = State()
        for number in (1, 2, 3):
            state.activate(Pid(number))
            state.put("waiting", Pid(number))
        return [state]

    def relations(self):
        return self.observed

    def successors(self, state):
        waiting = state.tokens("waiting")
        if waiting:
            (first,) = waiting[0]
            after = state.copy()
            after.take("waiting", first)
            after.end(first)
            return [Step("go", after, first)]
        return []


def test_the_audit_finds_who_looks_into_pids():
    with pytest.raises(SystemBreach) as caught:
        Queue().explore(audit=10, seed=1)
    assert caught.value.kind == "asymmetry" and "go" in str(caught.value)
    assert isinstance(caught.value, KinfoldError)
    # Up to all relations, the order of initial threads is kept, and there is nothing wrong with it.
    explored = Queue().explore(relations=["parent", "ancestor", "next_sibling", "elder_sibling"], audit=10, seed=1)
    assert (explored.states, len(explored.terminated)) == (4, 1)


def test_the_audit_is_on_unless_it_is_turned_off():
    with pytest.raises(SystemBreach):
        Queue().explore()
    assert Queue().explore(audit=0).states == 4


def test_all_relations_are_kept_unless_fewer_are_declared():
    class Safe(Queue):
        def relations(self):
            return System.relations(self)

    assert Safe().explore(audit=100).relations == ("parent", "ancestor", "next_sibling", "elder_sibling")


def test_fewer_relations_than_declared_are_refused():
    with pytest.raises(KinfoldError, match="parent"):
        Pool(1).explore(relations=[])


class Broken(Pool):
    def __init__(self, how):
        super().__init__(1)
        self.how = how

    def successors(self, state):
        after = state.copy()
        self.how(after)
        return [Step("break", after)]


@pytest.mark.parametrize(
    "how, what",
    [
        (lambda state: state.put("x", Pid("1.5")), "1.5"),
        (lambda state: state.put("x", Pid("9")), "9"),
        (lambda state: state.spawn(Pid(1)), "in no token"),
        (lambda state: state.activate(Pid(1), 7), "7"),
    ],
)
def test_rules_of_thread_creation(how, what):
    with pytest.raises(SystemBreach) as caught:
        Broken(how).explore()
    assert caught.value.kind == "step" and what in str(caught.value)


def test_an_initial_state_that_is_none():
    class Nowhere(System):
        def initial(self):
            state = State()
            state.activate(Pid(1))
            return state

        def successors(self, state):
            return []

    with pytest.raises(SystemBreach) as caught:
        Nowhere().explore()
    assert caught.value.kind == "initial" and caught.value.trace is None


def test_breaches_come_with_a_run():
    class Late(Pool):
        def successors(self, state):
            if state.tokens("done"):
                after = state.copy()
                after.put("x", Pid("7.7"))
                return [Step("break", after)]
            return Pool.successors(self, state)

    with pytest.raises(SystemBreach) as caught:
        Late(1).explore()
    assert caught.value.trace.actions == ("start", "work")


class Raising(Pool):
    """Raises in the n-th call."""

    def __init__(self, after, error):
        super().__init__(2)
        self.after, self.error = after, error

    def successors(self, state):
        self.after -= 1
        if self.after < 0:
            raise self.error
        return Pool.successors(self, state)


@pytest.mark.parametrize("after", [0, 1, 5, 20])
@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(3)])
def test_what_successors_raises_comes_out(after, error):
    system = Raising(after, error)
    with pytest.raises(type(error)) as caught:
        system.explore(audit=2)
    assert caught.value is error
    assert system.after == -1, "nothing is asked after that"


def test_what_a_generator_raises_comes_out():
    class Late(Pool):
        def successors(self, state):
            yield from Pool.successors(self, state)
            raise LookupError("at the end")

    with pytest.raises(LookupError, match="at the end"):
        Late(1).explore()


def test_what_is_raised_while_a_run_is_shown():
    system = Raising(10_000, ArithmeticError("later"))
    explored = system.explore()
    system.after = 1
    with pytest.raises(ArithmeticError, match="later"):
        explored.run_to(explored.states - 1)
    # And it can be asked again.
    system.after = 10_000
    assert len(explored.run_to(explored.states - 1)) == explored.depth


def test_initial_may_raise():
    class Bad(Pool):
        def initial(self):
            raise RuntimeError("no start")

    with pytest.raises(RuntimeError, match="no start"):
        Bad(1).explore()


@pytest.mark.parametrize("steps, what", [([1], "a Step"), (7, "not iterable"), (None, "not iterable")])
def test_what_is_no_step(steps, what):
    class Bad(Pool):
        def successors(self, state):
            return steps

    with pytest.raises(TypeError, match=what):
        Bad(1).explore()


def test_what_is_no_system():
    with pytest.raises(NotImplementedError, match="initial"):
        System().explore()


def test_a_system_that_changes_its_mind():
    class Moody(Pool):
        calls = 0

        def successors(self, state):
            self.calls += 1
            return Pool.successors(self, state) if self.calls < 100 else iter(())

    system = Moody(1)
    explored = system.explore(audit=0)
    system.calls = 100
    with pytest.raises(SystemBreach) as caught:
        explored.run_to(explored.states - 1)
    assert caught.value.kind == "changed"


def test_the_state_given_can_be_changed_without_harm():
    class Careless(Pool):
        def successors(self, state):
            steps = list(Pool.successors(self, state))
            for place in state.places:
                for token in state.tokens(place):
                    state.take(place, *token)
            return steps

    assert Careless(2).explore(audit=50).states == Pool(2).explore().states


def test_explorations_cannot_be_asked_by_their_system():
    class Curious(Pool):
        explored = None

        def successors(self, state):
            if self.explored is not None:
                self.explored.state(0)
            return Pool.successors(self, state)

    system = Curious(1)
    system.explored = system.explore()
    with pytest.raises(KinfoldError, match="already"):
        system.explored.run_to(2)


def test_snakes():
    pytest.importorskip("snakes.nets", reason="SNAKES is not installed")
    from snakes_pids import SnakesSystem, pool

    for bosses in (1, 2):
        snakes = SnakesSystem(pool(bosses, workers=2), ("parent",)).explore(audit=200)
        own = Pool(bosses).explore()
        assert (snakes.complete, snakes.states, snakes.edges) == (True, own.states, own.edges)
        assert snakes.run_to_action("let go").actions == ("start", "work", "let go")


def test_a_model_and_a_system_find_the_same():
    """The leap-year service as a net has one state more of a session: what the function gave is taken, then answered."""
    model = Model.load(MODELS / "leap_year.kin")
    service = LeapYear(2, [1999, 2000], [1, 2])
    n = 2 + 3 * 4
    assert service.explore().states == n * (n + 1) // 2
    assert model.explore().states == (n + 4) * (n + 5) // 2
