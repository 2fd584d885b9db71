"""What a call of `successors` costs in Python, against the same system in Rust.

    python overhead.py        from `python/overhead`, with kinfold installed and Rust at hand

Each system is explored in both languages, without audit, in turns; of five times the least counts. What is told is the
time of a call of `successors` alone, and the time for each call with all that the engine does for it. The counts must
agree, or nothing is printed.
"""

import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "examples"))

from leap_year import LeapYear  # noqa: E402

from kinfold import State, Step, System  # noqa: E402

TIMES = 5


class Countdown(System):
    """Counts down: as little as a step can do."""

    def __init__(self, start):
        self.start = start

    def initial(self):
        state = State()
        state.put("left", self.start)
        return state

    def relations(self):
        return ()

    def successors(self, state):
        steps = []
        for (left,) in state.tokens("left"):
            if left > 0:
                after = state.copy()
                after.take("left", left)
                after.put("left", left - 1)
                steps.append(Step("tick", after))
        return steps


def timed(system):
    """Classes, calls, and nanoseconds for each call: of everything, and in `successors` alone."""
    own, calls, spent = system.successors, 0, 0

    def successors(state):
        nonlocal calls, spent
        began = time.perf_counter_ns()
        steps = list(own(state))
        spent += time.perf_counter_ns() - began
        calls += 1
        return steps

    began = time.perf_counter_ns()
    states = system.explore(audit=0).states
    plain = time.perf_counter_ns() - began
    system.successors = successors
    system.explore(audit=0)
    return states, calls, plain // calls, spent // calls


def in_rust():
    program = HERE.parent / "target" / "release" / "overhead"
    done = subprocess.run([str(program)], stdout=subprocess.PIPE, universal_newlines=True, check=True)
    lines = (line.split() for line in done.stdout.splitlines())
    return {name: tuple(map(int, rest)) for name, *rest in lines}


def least(all):
    """The least of several times, in microseconds: of everything, and of the call alone."""
    return tuple(min(times[at] for times in all) / 1000 for at in (2, 3))


def main():
    build = ["cargo", "build", "--release", "--quiet", "--package", "kinfold-overhead"]
    subprocess.run(build, cwd=str(HERE), check=True)
    systems = {
        "countdown": lambda: Countdown(20_000),
        "leap_year": lambda: LeapYear(4, [2000, 2009], [7, 8]),
    }
    rust, python = {}, {}
    for _ in range(TIMES):
        found = in_rust()
        for name, make in systems.items():
            rust.setdefault(name, []).append(found[name])
            python.setdefault(name, []).append(timed(make()))
    print("| system | classes | a call in Rust | in Python | engine and call, Rust | Python | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in systems:
        counts = {times[:2] for times in rust[name] + python[name]}
        assert len(counts) == 1, f"{name}: not the same in both: {counts}"
        (rust_whole, rust_call), (python_whole, python_call) = least(rust[name]), least(python[name])
        print(
            f"| {name} | {rust[name][0][0]} | {rust_call:.2f} µs | {python_call:.2f} µs "
            f"| {rust_whole:.1f} µs | {python_whole:.1f} µs | {python_whole / rust_whole:.1f} |"
        )


if __name__ == "__main__":
    main()
