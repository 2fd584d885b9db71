"""The package is typed, and what its stubs say is there is there."""

import ast
import subprocess
import sys

import pytest
from conftest import EXAMPLES

import kinfold
from kinfold import _native

FOLDER = __import__("pathlib").Path(kinfold.__file__).parent


def test_it_is_marked_as_typed():
    assert (FOLDER / "py.typed").exists()


def test_the_stubs_name_what_there_is():
    """Every class, method and function of the stubs is in the module, and the other way round."""
    tree = ast.parse((FOLDER / "_native.pyi").read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    public = {name for name in dir(_native) if not name.startswith("_")}
    assert public == functions | {name for name in classes if not name.startswith("_")}

    def members(name):
        node = classes[name]
        own = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        return own.union(*(members(base.id) for base in node.bases if isinstance(base, ast.Name)))

    for name in classes:
        if name.startswith("_"):
            continue
        there = {one for one in vars(getattr(_native, name)) if not one.startswith("__")}
        assert there == {one for one in members(name) if not one.startswith("__")}, name


def test_what_is_exported_is_there():
    for name in kinfold.__all__:
        assert hasattr(kinfold, name)


@pytest.mark.skipif(sys.version_info < (3, 8), reason="the last mypy for Python 3.7 does not follow what newer ones do")
def test_the_types_are_right():
    pytest.importorskip("mypy")
    examples = [str(EXAMPLES / "leap_year.py"), str(EXAMPLES / "pool.py")]
    # By its name: as a folder, it would make all that is installed beside it part of what is checked.
    for what in (["-p", "kinfold"], examples):
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--no-incremental"] + what,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
        )
        assert done.returncode == 0, done.stdout
