"""The notebooks run, and end without an error."""

import re

import pytest
from conftest import EXAMPLES, ROOT

DOCS = ROOT / "docs" / "python.md"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_run(path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(str(path), as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(EXAMPLES)}}
    )
    client.execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    kinds = {kind for output in outputs if "data" in output for kind in output["data"]}
    # Charts of runs and graphs are shown inline.
    assert {"image/svg+xml", "text/html"} <= kinds


def test_there_is_a_notebook():
    assert list(EXAMPLES.glob("*.ipynb"))


def test_the_examples_of_the_documentation_run(monkeypatch):
    """The blocks of `docs/python.md`, one after the other, as one program."""
    monkeypatch.chdir(ROOT)
    page = DOCS.read_text(encoding="utf-8")
    blocks = list(re.finditer(r"```python\n(.*?)```", page, re.DOTALL))
    assert len(blocks) > 5
    names = {"__name__": "docs"}
    for block in blocks:
        # So that what fails is told by its line of the page.
        before = "\n" * page.count("\n", 0, block.start(1))
        exec(compile(before + block.group(1), str(DOCS), "exec"), names)
