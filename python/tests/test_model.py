"""Models: reading, exploring, checking."""

import pickle
import re

import pytest
from conftest import MODELS

import kinfold
from kinfold import KinfoldError, Model, ModelError, ModelFault

NET = """
model chain
flow link
start link
transition pass { end p: link   spawn q from p: link }
"""


def expectations():
    """The counts that models state in their headers: file, constants, options, counts."""
    found = []
    for path in sorted(MODELS.glob("*.kin")):
        for line in path.read_text(encoding="utf-8").splitlines():
            match = re.match(r"// expect(?: ([^:]*))?: (.*)", line)
            if match is None:
                continue
            options = (match.group(1) or "").split()
            counts = dict(pair.rsplit(" ", 1) for pair in match.group(2).split(", ") if re.search(r" \d+$", pair))
            found.append(pytest.param(path, options, counts, id=" ".join([path.stem] + options)))
    return found


@pytest.mark.parametrize("path, options, counts", expectations())
def test_counts_are_those_of_the_headers(path, options, counts):
    constants = dict(one.split("=") for one in options if "=" in one and not one.startswith("relations="))
    relations = [one.split("=")[1].split(",") for one in options if one.startswith("relations=")]
    model = Model.load(path, set=constants)
    explored = model.explore(
        full="full" in options, precise="precise" in options, relations=relations[0] if relations else None
    )
    assert explored.complete
    checked = 0
    found = {
        "states": explored.states,
        "edges": explored.edges,
        "deadlocks": len(explored.deadlocks),
        "terminated": len(explored.terminated),
    }
    for name, count in counts.items():
        if name in found:
            assert found[name] == int(count), name
            checked += 1
    assert checked > 0


def test_there_are_expectations():
    assert len(expectations()) > 50


def test_a_text_is_read_and_explored():
    model = Model.parse(NET)
    assert (model.name, model.kind, model.has_threads) == ("chain", "net", True)
    assert (model.places, model.transitions) == (["link"], ["pass"])
    explored = model.explore()
    assert (explored.states, explored.edges, explored.complete) == (1, 1, True)
    assert explored.edge_list() == [(0, "pass", 0)]
    assert explored.actions == {"pass": 1}
    assert "chain" in repr(explored) and "chain" in repr(model)
    full = model.explore(full=True, max_states=10)
    assert (full.states, full.complete, full.reason) == (10, False, "states")


def test_mistakes_come_with_their_places():
    with pytest.raises(ModelError) as caught:
        Model.parse("model m\nplace p = 1\ntransition t { take q }\n", name="m.kin")
    (one,) = caught.value.diagnostics
    assert (one.severity, one.file, one.line, one.column) == ("error", "m.kin", 3, 21)
    assert re.match(r"E\d{4}$", one.code) and "q" in one.message
    assert one.help is not None and "p" in one.help
    assert isinstance(caught.value, KinfoldError)
    # The message is what the command prints, with the line.
    assert "1 error in m.kin" in str(caught.value) and "take q" in str(caught.value)


def test_all_mistakes_are_reported():
    with pytest.raises(ModelError) as caught:
        Model.parse("model m\nplace p = 1\ntransition t { take q }\ntransition u { take r }\n")
    assert [one.line for one in caught.value.diagnostics] == [3, 4]


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "bad.kin"
    path.write_bytes(b"model m\nplace \xff = 1\n")
    with pytest.raises(ModelError) as caught:
        Model.load(path)
    assert caught.value.diagnostics[0].line == 2


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        Model.load(tmp_path / "nowhere.kin")
    assert caught.value.filename.endswith("nowhere.kin")


def test_constants():
    model = Model.load(MODELS / "server.kin", set={"m": 2})
    assert model.constants == {"k": 2, "m": 2}
    assert model.explore().states == 232
    with pytest.raises(ModelError) as caught:
        Model.load(MODELS / "server.kin", set={"n": 2})
    assert "n" in caught.value.diagnostics[0].message


def test_pnml():
    model = Model.load(MODELS / "pnml" / "philosophers.pnml")
    assert model.kind == "pnml"
    explored = model.explore()
    assert explored.complete and explored.concrete_states >= explored.states
    with pytest.raises(ModelError):
        Model.parse("<pnml", format="pnml")
    with pytest.raises(KinfoldError):
        model.check(formula="true")


def test_concrete_states_are_counted():
    explored = Model.load(MODELS / "peterson.kin").explore()
    assert (explored.form, explored.states, explored.concrete_states) == ("symbolic", 12, 55)


def test_names_that_are_not_there():
    model = Model.load(MODELS / "server.kin")
    with pytest.raises(ValueError, match='did you mean "accept"'):
        model.explore(until="acept")
    with pytest.raises(ValueError, match="there is no property"):
        model.check("nonsense")
    with pytest.raises(ValueError, match="not a relation"):
        model.explore(relations=["uncle"])
    with pytest.raises(ValueError, match="format"):
        Model.parse(NET, format="xml")
    with pytest.raises(ValueError, match="seconds"):
        model.explore(seconds=-1)
    with pytest.raises(IndexError):
        model.explore().state(22)
    with pytest.raises(IndexError):
        model.explore().state(-23)


def test_fewer_relations_are_refused():
    with pytest.raises(KinfoldError, match="parent"):
        Model.load(MODELS / "server.kin").explore(relations=[])


def test_runs_are_concrete():
    explored = Model.load(MODELS / "server.kin").explore()
    trace = explored.run_to_action("reap")
    assert trace.actions == ("init", "accept", "compute", "call", "function", "result", "reap")
    assert [str(pid) for step in trace for pid in step.born] == ["1.1", "1.2", "1.1.1", "1.1.1.1"]
    assert trace.steps[0].ended == (kinfold.Pid(1),)
    assert "parent" in explored.relations
    assert trace.write("svg").startswith("<svg") and "sequenceDiagram" in trace.write("mermaid")
    assert "reap" in str(trace)
    for number in range(explored.states):
        assert len(explored.run_to(number)) == explored.depth_of(number)
    assert explored.run_to_action("init").last == explored.run_to_action("init").steps[-1].state
    with pytest.raises(ValueError, match="did you mean"):
        explored.run_to_action("reep")


def test_what_never_fires_has_no_run():
    text = NET + "flow other\ntransition idle { end p: other }\n"
    assert Model.parse(text).explore().run_to_action("idle") is None


def test_until_stops_there():
    explored = Model.load(MODELS / "server.kin").explore(until="function")
    assert (explored.complete, explored.reason) == (False, "until")


def test_edges_can_be_left_out():
    explored = Model.load(MODELS / "server.kin").explore(edges=False)
    assert (explored.states, explored.edges) == (22, 37)
    with pytest.raises(ValueError, match="edges=True"):
        explored.edge_list()


def test_threads_find_the_same():
    one, two = (Model.load(MODELS / "server.kin", set={"m": 3}).explore(threads=n) for n in (1, 2))
    assert (one.states, one.edges, one.edge_list()) == (two.states, two.edges, two.edge_list())


def test_what_grows_without_bound_is_said():
    explored = Model.load(MODELS / "mailbox.kin").explore(max_states=20_000)
    assert not explored.complete


def test_verdicts():
    report = Model.load(MODELS / "server.kin").check()
    assert report.holds is True
    assert [one.name for one in report] == ["bounded", "no_deadlock", "served"]
    assert all(one.holds and one.trace is None for one in report)
    assert "bounded: holds" in str(report)
    assert len(report) == 3 and report["served"].text.startswith("forall")
    with pytest.raises(KeyError):
        report["nothing"]
    with pytest.raises(TypeError):
        bool(report)


def test_a_property_that_fails_has_a_run():
    report = Model.load(MODELS / "processes" / "abba.kin").check()
    assert report.holds is False
    verdict = report["no_one_stuck"]
    assert verdict.verdict == "fails" and "stuck" in verdict.why
    assert verdict.trace.steps[-1].acts[0].statement
    assert verdict.trace.svg().startswith("<svg")
    assert all(step.state != verdict.trace.initial for step in verdict.trace)


def test_a_run_that_goes_on_for_ever():
    text = "model m\nplace p = 1\nplace q\ntransition t { take p  put p }\ntransition u { take p  put q }\n"
    verdict = Model.parse(text + "property ends: eventually count(q) == 1\n").check()["ends"]
    assert verdict.verdict == "fails"
    assert verdict.trace.loop is not None and verdict.trace.loop.to <= len(verdict.trace)


def test_a_formula_is_asked_of_a_model():
    model = Model.load(MODELS / "server.kin")
    assert model.check(formula="always count(listening) <= 2").holds is True
    report = model.check(formula="always count(ready) == 0")
    assert report.holds is False and report["formula"].trace.actions[-1] == "accept"
    with pytest.raises(ModelError) as caught:
        model.check(formula="always count(redy) == 0")
    (one,) = caught.value.diagnostics
    assert (one.line, one.column, one.file) == (1, 14, "<formula>")
    with pytest.raises(ValueError):
        model.check("bounded", formula="true")


def test_limits_leave_verdicts_open():
    verdict = Model.load(MODELS / "server.kin", set={"m": 3, "k": 3}).check("bounded", max_states=10)["bounded"]
    assert (verdict.verdict, verdict.holds) == ("unknown", None) and verdict.why


FAULTY = "model m\nplace p: 0..=3\nplace q = 1\ntransition t { take q  put p(3) }\ntransition u { take p(x)  put p(x + 1) }\n"


def test_a_model_that_goes_wrong():
    model = Model.parse(FAULTY)
    with pytest.raises(ModelFault) as caught:
        model.explore()
    assert caught.value.trace.actions == ("t",)
    report = model.check()
    assert report.holds is False
    assert report.fault is not None and not report.fault.is_assertion
    assert report.fault.trace.actions == ("t",)


def test_models_and_traces_can_be_kept():
    model = pickle.loads(pickle.dumps(Model.load(MODELS / "server.kin", set={"m": 2})))
    assert model.explore().states == 232
    trace = model.explore().run_to_action("reap")
    again = pickle.loads(pickle.dumps(trace))
    assert again == trace and str(again) == str(trace)
    report = model.check()
    assert pickle.loads(pickle.dumps(report)) == report


def test_go_programs_are_read_as_the_command_reads_them(tmp_path):
    program = tmp_path / "ask_test.go"
    program.write_text(
        'package ask\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {}\n\n'
        "func wait() { <-make(chan int) }\n\n"
        "func TestTwo(t *testing.T) {\n\twait()\n\tfor i := 0; i < 2; i++ {\n\t\tgo func() { println(i) }()\n\t}\n}\n"
    )
    with pytest.raises(ModelError, match="there are several tests"):
        Model.load(program)
    assert Model.load(program, entry="TestOne").check().holds
    blocked = Model.load(program, entry="TestTwo")
    assert not blocked.check().holds
    (warning,) = blocked.diagnostics  # nobody says whether rounds share their variable
    assert warning.code == "G0501"
    (tmp_path / "go.mod").write_text("module ask\n\ngo 1.22\n")
    free = Model.load(program, entry="TestTwo", assume="wait")
    assert free.check().holds and not free.diagnostics
