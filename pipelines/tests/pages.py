"""The settings of other programs that the pages show can be read by what reads them."""

import re
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

import yaml
from luaparser import ast

from runner import ROOT

BLOCK = re.compile(r"^```(yaml|toml|lua)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks():
    for page in sorted((ROOT / "docs").glob("*.md")):
        for kind, text in BLOCK.findall(page.read_text()):
            yield page.name, kind, text


class Pages(unittest.TestCase):
    def test_every_block_is_read(self):
        kinds = set()
        for page, kind, text in blocks():
            kinds.add(kind)
            with self.subTest(page=page, text=text):
                match kind:
                    case "yaml":
                        self.assertTrue(list(yaml.safe_load_all(text)))
                    case "toml":
                        self.assertTrue(tomllib.loads(text))
                    case "lua":
                        self.assertTrue(ast.parse(text).body.body)
        self.assertEqual(kinds, {"yaml", "toml", "lua"})

    def test_actions_workflows_and_hooks_have_their_schemas(self):
        shown = [text for page, kind, text in blocks() if page == "pipelines.md" and kind == "yaml"]
        [workflow] = [text for text in shown if "jobs:" in text]
        [hooks] = [text for text in shown if "hooks:" in text]
        action = (ROOT / "action.yml").read_text()
        with tempfile.TemporaryDirectory() as folder:
            for schema, text, fits in [
                ("vendor.github-workflows", workflow, True),
                ("vendor.github-workflows", workflow.replace("runs-on", "runs"), False),
                ("vendor.github-actions", action, True),
                ("vendor.github-actions", action.replace("composite", "composed"), False),
            ]:
                path = Path(folder) / "file.yml"
                path.write_text(text)
                done = subprocess.run(
                    [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)],
                    capture_output=True, text=True,
                )
                self.assertEqual(done.returncode == 0, fits, done.stdout)
            for command, text in [
                ("validate-manifest", (ROOT / ".pre-commit-hooks.yaml").read_text()),
                ("validate-config", hooks),
            ]:
                path = Path(folder) / "hooks.yaml"
                path.write_text(text)
                done = subprocess.run([sys.executable, "-m", "pre_commit", command, str(path)], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_workflow_gives_inputs_that_there_are(self):
        inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
        [workflow] = [yaml.safe_load(text) for page, _, text in blocks() if page == "pipelines.md" and "jobs:" in text]
        [step] = [step for step in workflow["jobs"]["check"]["steps"] if "kinfold" in step["uses"]]
        self.assertLessEqual(set(step["with"]), set(inputs))
        self.assertLessEqual({name for name, about in inputs.items() if about.get("required")}, set(step["with"]))
        page = (ROOT / "docs/pipelines.md").read_text()
        for name, about in inputs.items():
            row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
            default = about.get("default", "")
            self.assertIn(default, row.rsplit("|", 2)[1], name)
        hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
        for hook in hooks:
            self.assertIn(f"`{hook['id']}`", page)


if __name__ == "__main__":
    unittest.main()
