"""Graphs for networkx, tables for pandas, pictures for notebooks."""

import subprocess
import sys
import xml.etree.ElementTree

import pytest
from conftest import MODELS
from pool import Pool

from kinfold import Model
from kinfold.ddd import Forest


@pytest.fixture(params=["model", "system"])
def explored(request):
    return Model.load(MODELS / "fork_join.kin").explore() if request.param == "model" else Pool(2).explore()


def test_networkx(explored):
    networkx = pytest.importorskip("networkx")
    graph = explored.to_networkx()
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (explored.states, explored.edges)
    depths = networkx.single_source_shortest_path_length(graph, explored.initial[0])
    assert {number: data["depth"] for number, data in graph.nodes(data=True)} == depths
    ends = {number for number in graph if graph.out_degree(number) == 0}
    assert ends == set(explored.deadlocks) | set(explored.terminated)
    kinds = {number for number, data in graph.nodes(data=True) if data["kind"] == "terminated"}
    assert kinds == set(explored.terminated)
    assert [number for number, data in graph.nodes(data=True) if data["initial"]] == list(explored.initial)
    edges = {(source, data["action"], target) for source, target, data in graph.edges(data=True)}
    assert edges == set(explored.edge_list())


def test_pandas(explored):
    pytest.importorskip("pandas")
    states, edges = explored.states_frame(), explored.edges_frame()
    assert (len(states), len(edges)) == (explored.states, explored.edges)
    assert states["depth"].max() == explored.depth
    for place, most in explored.most_tokens.items():
        assert states[place].max() == most, place
    assert set(edges["action"]) == {action for action, times in explored.actions.items() if times}


def test_verdicts_as_a_table():
    pytest.importorskip("pandas")
    frame = Model.load(MODELS / "server.kin").check().to_pandas()
    assert list(frame["verdict"]) == ["holds"] * 3


@pytest.mark.parametrize("library, call", [("networkx", "to_networkx"), ("pandas", "states_frame")])
def test_without_the_library(library, call):
    program = f"""
import sys
sys.modules[{library!r}] = None
from kinfold import Model
explored = Model.parse("model m\\nplace p = 1\\ntransition t {{ take p }}\\n").explore()
try:
    explored.{call}()
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, universal_newlines=True, check=True)
    assert f"pip install {library}" in done.stdout


def test_what_is_not_asked_for_is_not_imported():
    program = "import sys, kinfold, kinfold.canon, kinfold.ddd; print('pandas' in sys.modules, 'networkx' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, universal_newlines=True, check=True)
    assert done.stdout == "False False\n"


def svg(text):
    """A picture that is well-formed."""
    root = xml.etree.ElementTree.fromstring(text)
    assert root.tag.endswith("svg")
    return root


def test_pictures(explored):
    svg(explored.svg())
    assert "<svg" in explored._repr_html_() and "<table>" in explored._repr_html_()
    svg(explored.state(0)._repr_svg_())


def test_large_graphs_are_not_drawn():
    explored = Model.load(MODELS / "server.kin", set={"k": 3, "m": 2}).explore()
    assert explored.states > 500
    assert "<svg" not in explored._repr_html_() and "<table>" in explored._repr_html_()
    with pytest.raises(ValueError, match="500"):
        explored.svg()
    assert explored.write("dot").startswith("digraph")


def test_charts():
    report = Model.load(MODELS / "processes" / "abba.kin").check()
    bundle = report["no_one_stuck"].trace._repr_mimebundle_()
    svg(bundle["image/svg+xml"])
    assert "fails" in report._repr_html_()
    assert "<pre>" in Pool(1).explore().run_to_action("let go")._repr_mimebundle_()["text/html"]


def test_diagrams():
    svg(Forest().sequence([(0, 1), (1, 2)])._repr_svg_())
