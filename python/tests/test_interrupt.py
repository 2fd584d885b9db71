"""Ctrl-C, and other threads of Python while an engine works."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import EXAMPLES, MODELS

from kinfold import Model
from pool import Pool

# Big enough that nobody waits for its end.
LARGE = {"k": 5, "m": 4}

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")


def interrupted(program):
    """Runs a program, sends it SIGINT when it says that it begins, and gives what it prints after that."""
    whole = f"import sys; sys.path.insert(0, {str(EXAMPLES)!r})\nfrom kinfold import Model\n{program}"
    child = subprocess.Popen([sys.executable, "-u", "-c", whole], stdout=subprocess.PIPE, universal_newlines=True)
    try:
        assert child.stdout.readline() == "begin\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        # Far less than it would take to its end, also on a machine that is busy.
        rest, _ = child.communicate(timeout=60)
        return rest
    finally:
        child.kill()
        child.wait()


MODEL = """
model = Model.load(PATH, set=LARGE)
print("begin")
try:
    model.CALL
    print("done")
except KeyboardInterrupt:
    print("interrupted", model.explore(max_states=10).states)
"""

SYSTEM = """
from leap_year import LeapYear
print("begin")
try:
    LeapYear(9, range(10), range(10)).explore({arguments})
    print("done")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("call", ["explore()", "explore(full=True)", "explore(threads=2)", 'check("bounded")'])
def test_ctrl_c_ends_models(call):
    program = MODEL.replace("PATH", repr(str(MODELS / "server.kin"))).replace("LARGE", repr(LARGE))
    assert interrupted(program.replace("CALL", call)) == "interrupted 10\n"


@pytest.mark.parametrize("arguments", ["", "full=True", "audit=100000"])
def test_ctrl_c_ends_systems(arguments):
    assert interrupted(SYSTEM.format(arguments=arguments)) == "interrupted\n"


CLOSURE = """
from kinfold.ddd import Forest
forest, n = Forest(), 24
start = forest.sequence([(x, 0) for x in range(2 * n)])
# Pairs that are equal and far from each other: the diagram doubles with each of them.
steps = [forest.chain([(x, 0, 0, 1), (n + x, 0, 0, 1)]) for x in range(n)]
everything = forest.sum(steps).star()
print("begin")
try:
    everything(start)
    print("done")
except KeyboardInterrupt:
    print("interrupted", forest.sum(steps)(start).count)
"""

DEFINED = """
from kinfold.ddd import Forest, Inductive
import time
class Slow(Inductive):
    def on_arc(self, forest, variable, value):
        time.sleep(0.02)
        return forest.prefix(variable, value, forest.inductive(self))
forest = Forest()
print("begin")
try:
    forest.inductive(Slow())(forest.sequence([(x, 0) for x in range(100_000)]))
    print("done")
except KeyboardInterrupt:
    print("interrupted", forest.one.count)
"""


@pytest.mark.parametrize("program, after", [(CLOSURE, 24), (DEFINED, 1)], ids=["rust", "python"])
def test_ctrl_c_ends_applications(program, after):
    assert interrupted(program) == f"interrupted {after}\n"


def test_other_threads_run_while_a_model_is_explored():
    """The engine holds no lock of the interpreter: a thread that counts is not held up."""
    model = Model.load(MODELS / "server.kin", set=LARGE)
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        explored = model.explore(seconds=1.0)
        during = counted[0] - before
    finally:
        done.set()
        thread.join()
    assert explored.reason == "time"
    assert during > 20


def test_two_threads_explore_at_once():
    found = {}

    def explore(name):
        found[name] = (Model.load(MODELS / "server.kin", set={"m": 2}).explore().states, Pool(2).explore().states)

    threads = [threading.Thread(target=explore, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: (232, 21) for number in range(4)}


def test_limits_of_time():
    explored = Model.load(MODELS / "server.kin", set=LARGE).explore(seconds=0.2)
    assert (explored.complete, explored.reason) == (False, "time")
