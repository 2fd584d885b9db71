"""models.py PARSER.so: every model of the project that compiles is parsed without an error, and the queries fit the grammar.

Models are those in files, and those that the pages show, but for those that are to have a mistake.
"""

import ctypes
import re
import sys
import unittest
from pathlib import Path

from tree_sitter import Language, Parser, Query, QueryCursor

GRAMMAR = Path(__file__).resolve().parents[1]
ROOT = GRAMMAR.parents[1]
BLOCK = re.compile(r"^```kin([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def language(path):
    function = ctypes.CDLL(str(Path(path).resolve())).tree_sitter_kinfold
    function.restype = ctypes.c_void_p
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return Language(new(function(), b"tree_sitter.Language", None))


LANGUAGE = language(sys.argv.pop(1))


def parse(text):
    return Parser(LANGUAGE).parse(text.encode()).root_node


def mistakes(node):
    """Where the text is not understood."""
    if node.is_error or node.is_missing:
        yield node.start_point.row + 1
    elif node.has_error:
        for child in node.children:
            yield from mistakes(child)


def models():
    for path in sorted([*ROOT.glob("models/**/*.kin"), ROOT / "crates/lang/src/prelude.kin"]):
        yield str(path.relative_to(ROOT)), path.read_text()
    for page in sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"]):
        for info, text in BLOCK.findall(page.read_text()):
            # What is shown with a mistake may be no model at all.
            if "error=" not in info:
                yield f"{page.name}{info}: {text.split(chr(10))[0]}", text


class Grammar(unittest.TestCase):
    def test_every_model_is_understood(self):
        count, wrong = 0, []
        for name, text in models():
            count += 1
            lines = sorted(set(mistakes(parse(text))))
            if lines:
                shown = text.split("\n")[lines[0] - 1].strip()
                wrong.append(f"{name}: lines {lines[:4]}: {shown}")
        self.assertEqual(wrong, [], f"\n{len(wrong)} of {count}:\n" + "\n".join(wrong))
        self.assertGreater(count, 250)

    def test_what_is_no_model_is_not(self):
        for text in ["model", "model m\nflow a(", "model m\ntransition t { move p a -> b }", "process p { loop }", "model m\nproperty p: always"]:
            self.assertTrue(parse(text).has_error, text)

    def test_queries_fit_the_grammar(self):
        text = (ROOT / "models/processes/worker_pool.kin").read_text()
        for path in sorted([*(GRAMMAR / "queries").glob("*.scm"), *(ROOT / "editors/zed/languages/kin").glob("*.scm")]):
            with self.subTest(path.name):
                found = QueryCursor(Query(LANGUAGE, path.read_text())).captures(parse(text))
                self.assertTrue(found, path.name)

    def test_words_are_coloured_by_what_they_are(self):
        query = Query(LANGUAGE, (GRAMMAR / "queries/highlights.scm").read_text())
        text = "model m\nshared all = new waitgroup\nprocess main { let take = 1   all.add()   spawn worker(take) }\n" \
            "process worker(n: 0..=3) { all.done() }\nproperty p: always count(worker) < 3  // few\n"
        captures = QueryCursor(query).captures(parse(text))
        named = {name: {node.text.decode() for node in nodes} for name, nodes in captures.items()}
        self.assertIn("always", named["keyword"])
        self.assertNotIn("take", named["keyword"])
        self.assertNotIn("all", named["keyword"])
        self.assertEqual(named["function"], {"main", "worker", "p"})
        self.assertEqual(named["type"], {"waitgroup"})
        self.assertEqual(named["comment"], {"// few"})
        self.assertIn("count", named["function.builtin"])
        self.assertEqual(named["function.method.call"], {"add", "done"})


if __name__ == "__main__":
    unittest.main()
