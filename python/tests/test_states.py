"""Pids, states, equivalence."""

import copy
import pickle
import random

import pytest

from kinfold import Object, Pid, State, Step, canonical, equivalent


def test_pids():
    one, child = Pid(1), Pid("1.2")
    assert str(child) == "1.2" and repr(child) == 'Pid("1.2")' and one != child
    assert Pid("1") == one and hash(Pid("1")) == hash(one) and one != "1"
    assert one.is_parent_of(child) and one.is_ancestor_of(Pid("1.2.3")) and not child.is_parent_of(one)
    assert Pid("1.1").stands_in("next_sibling", child) and Pid("1.1").stands_in("elder_sibling", Pid("1.3"))
    assert not Pid("1.1").stands_in("next_sibling", Pid("1.3"))
    assert pickle.loads(pickle.dumps(child)) == child
    with pytest.raises(TypeError):
        one < child  # noqa: B015
    with pytest.raises(ValueError):
        Pid("1.0")
    with pytest.raises(ValueError):
        Pid(0)
    with pytest.raises(ValueError, match="relation"):
        one.stands_in("uncle", child)


def test_tokens_come_and_go():
    state = State()
    state.put("p", 1, True, "red", None, Pid(1), Object("lock", 3), count=2)
    token = (1, True, "red", None, Pid(1), Object("lock", 3))
    assert state.tokens("p") == [token, token] and state.count("p", *token) == 2
    assert state.places == ["p"] and state.tokens("q") == []
    assert state.to_dict() == {"p": {token: 2}}
    assert type(state.tokens("p")[0][1]) is bool
    state.take("p", *token)
    assert state.count("p", *token) == 1
    with pytest.raises(ValueError, match="1 times"):
        state.take("p", *token, count=2)
    state.take("p", *token)
    assert state == State() and state.places == []


@pytest.mark.parametrize("value, error", [(1.5, TypeError), (2**63, OverflowError), ([], TypeError), (b"x", TypeError)])
def test_what_cannot_be_in_tokens(value, error):
    with pytest.raises(error):
        State().put("p", value)


def test_numbers_up_to_their_limits():
    state = State()
    for number in (-(2**63), 2**63 - 1):
        state.put("p", number)
    assert state.tokens("p") == [(-(2**63),), (2**63 - 1,)]
    with pytest.raises(OverflowError):
        state.put("p", -(2**63), count=2**32 - 1)


def test_threads_come_and_go():
    state = State()
    state.activate(Pid(1))
    assert [state.spawn(Pid(1)) for _ in range(2)] == [Pid("1.1"), Pid("1.2")]
    state.end(Pid("1.1"))
    assert state.eta == {Pid(1): 2, Pid("1.2"): 0} and state.active == [Pid(1), Pid("1.2")]
    assert state.is_active(Pid("1.2")) and not state.is_active(Pid("1.1"))
    with pytest.raises(ValueError):
        state.spawn(Pid("1.1"))
    with pytest.raises(ValueError):
        state.end(Pid("1.1"))


def test_copies_change_apart():
    state = State()
    state.put("p", 1)
    others = [state.copy(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    step = Step("t", state)
    state.put("p", 2)
    for other in others + [step.state]:
        assert other.tokens("p") == [(1,)]


def test_steps():
    state = State()
    step = Step("go", state, Pid(1))
    assert (step.action, step.state, step.thread) == ("go", state, Pid(1))
    assert Step("go", state).thread is None
    with pytest.raises(TypeError):
        Step("go", 1)


def read(text):
    return State.from_json(text)


ONE = '{"tokens": {"S": [["1"], ["2"]], "H": [["1.1"]]}, "eta": {"1": 1, "2": 0, "1.1": 0}}'
TWO = '{"tokens": {"S": [["1"], ["2"]], "H": [["2.4"]]}, "eta": {"1": 3, "2": 4, "2.4": 0}}'


def test_states_can_be_compared_up_to_who_is_who():
    one, two = read(ONE), read(TWO)
    who = equivalent(one, two, ["parent"])
    assert who[Pid(1)] == Pid(2) and who[Pid("1.1")] == Pid("2.4")
    assert equivalent(one, two, ["parent", "next_sibling"]) is None
    assert equivalent(one, two) is None
    assert canonical(one, "parent") == canonical(two, "parent")
    assert canonical(one) != canonical(two)


def test_states_without_a_class():
    with pytest.raises(ValueError, match="1.2"):
        canonical(read_unchecked())
    with pytest.raises(ValueError):
        State.from_json("{")


def read_unchecked():
    state = State()
    state.activate(Pid(1), 1)
    state.put("p", Pid(1))
    state.put("p", Pid("1.2"))
    return state


@pytest.mark.parametrize("seed", range(20))
def test_renamed_states_are_equivalent(seed):
    """Initial threads in another order, which `parent` does not see."""
    rng = random.Random(seed)
    threads = rng.randint(2, 5)
    data = [[rng.randrange(3) for _ in range(rng.randint(1, 3))] for _ in range(threads)]
    order = list(range(threads))
    rng.shuffle(order)

    def state(names):
        made = State()
        for number, values in enumerate(data):
            pid = Pid(names[number] + 1)
            made.activate(pid, 1)
            made.put("p", pid, Pid(f"{pid}.1"))
            for value in values:
                made.put("q", value, pid)
        return made

    one, other = state(range(threads)), state(order)
    assert equivalent(one, other, ["parent"]) is not None, seed
    other.put("q", 7, Pid(1))
    assert equivalent(one, other, ["parent"]) is None, seed


def test_pictures():
    assert read(ONE).svg(["parent"]).startswith("<svg") and read(ONE)._repr_svg_().startswith("<svg")
    assert "S(1)" in str(read(ONE)) and "S(1)" in repr(read(ONE))
