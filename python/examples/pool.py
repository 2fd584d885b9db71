"""A pool of workers, as in `docs/systems.md`: a boss starts workers, at most two at a time, and lets its own ones go."""

from typing import Iterator, Tuple

from kinfold import Pid, State, Step, System


class Pool(System):
    def __init__(self, bosses: int) -> None:
        self.bosses = bosses

    def initial(self) -> State:
        state = State()
        for number in range(1, self.bosses + 1):
            state.activate(Pid(number))
            state.put("boss", Pid(number))
        return state

    def relations(self) -> Tuple[str, ...]:
        return ("parent",)

    def successors(self, state: State) -> Iterator[Step]:
        for (boss,) in state.tokens("boss"):
            own = [w for place in ("working", "done") for (w,) in state.tokens(place) if boss.is_parent_of(w)]
            if len(own) < 2:
                after = state.copy()
                after.put("working", after.spawn(boss))
                yield Step("start", after, boss)
            for worker in own:
                if state.count("done", worker):
                    after = state.copy()
                    after.take("done", worker)
                    after.end(worker)
                    yield Step("let go", after, boss)
        for (worker,) in state.tokens("working"):
            after = state.copy()
            after.take("working", worker)
            after.put("done", worker)
            yield Step("work", after, worker)


if __name__ == "__main__":
    for bosses in (1, 2, 3):
        print(bosses, Pool(bosses).explore())
