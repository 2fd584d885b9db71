"""The action does with its inputs what it says."""

import json
import os
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

import models
import runner

KINFOLD = os.environ["KINFOLD"]


class Action(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.workspace = Path(folder.name) / "work"
        self.temporary = Path(folder.name) / "temp"
        for path in (self.workspace / "models/deep er", self.temporary):
            path.mkdir(parents=True)
        self.write("models/sound.kin", models.SOUND)

    def write(self, name, text):
        (self.workspace / name).write_text(text)

    def run_action(self, given, **more):
        given = {"kinfold": KINFOLD, "models": "models/**/*.kin", **given}
        return runner.run(self.workspace, self.temporary, given, **more)

    def test_a_sound_model_passes(self):
        done = self.run_action({})
        self.assertFalse(done.failed, done.printed)
        self.assertEqual(done.outputs, {"status": "0", "verdict": "holds", "junit": "kinfold.xml", "sarif": "kinfold.sarif"})
        self.assertEqual(json.loads((self.workspace / "kinfold.sarif").read_text())["runs"][0]["results"], [])
        self.assertEqual(done.used, {})
        self.assertEqual(done.summary.count("\n"), 1)
        self.assertIn("1 holds", done.summary)

    def test_a_deadlock_fails_the_job_after_the_reports_are_kept(self):
        self.write("models/deep er/locks.kin", models.DEADLOCK)
        done = self.run_action({"upload-sarif": "true", "artifact": "reports"})
        self.assertTrue(done.failed, done.printed)
        self.assertEqual((done.outputs["status"], done.outputs["verdict"]), ("11", "fails"))
        self.assertIn("::error file=models/deep er/locks.kin,line=", done.printed)
        self.assertEqual(done.steps[-3:], ["Give the findings to code scanning", "Keep the reports", "Verdict"])
        self.assertEqual(done.used["github/codeql-action/upload-sarif@v3"]["sarif_file"], "kinfold.sarif")
        self.assertEqual(done.used["actions/upload-artifact@v4"]["path"].split(), ["kinfold.xml", "kinfold.sarif"])
        [finding] = json.loads((self.workspace / "kinfold.sarif").read_text())["runs"][0]["results"]
        place = finding["locations"][0]["physicalLocation"]["artifactLocation"]
        self.assertEqual(place["uri"], "models/deep%20er/locks.kin")
        suites = ElementTree.parse(self.workspace / "kinfold.xml").getroot()
        self.assertEqual([suite.get("failures") for suite in suites], ["1", "0"])

    def test_a_model_that_is_wrong_is_an_error(self):
        self.write("models/wrong.kin", models.WRONG)
        done = self.run_action({"models": "models/wrong.kin\n\nmodels/sound.kin\n"})
        self.assertTrue(done.failed)
        self.assertEqual((done.outputs["status"], done.outputs["verdict"]), ("150", "error"))

    def test_what_is_unknown_fails_unless_it_may_pass(self):
        for unknown, failed in [("fail", True), ("pass", False)]:
            done = self.run_action({"unknown": unknown, "arguments": "--max-states\n1\n--engine\nexplicit\n"})
            self.assertEqual(done.failed, failed, done.printed)
            self.assertEqual(done.outputs["verdict"], "unknown")
        self.write("models/locks.kin", models.DEADLOCK)
        self.assertTrue(self.run_action({"unknown": "pass"}).failed, "what fails never passes")

    def test_a_pattern_without_a_file_is_an_error(self):
        done = self.run_action({"models": "models/sound.kin\nmodels/*.kim"})
        self.assertTrue(done.failed)
        self.assertIn("there is no file `models/*.kim`", done.printed)
        self.assertNotIn("Verdict", done.steps)

    def test_reports_can_be_left_out(self):
        done = self.run_action({"junit": "", "sarif": ""})
        self.assertFalse(done.failed, done.printed)
        self.assertEqual((done.outputs["junit"], done.outputs["sarif"]), ("", ""))
        self.assertEqual(sorted(os.listdir(self.workspace)), ["models"])

    def test_inputs_are_looked_at_all_at_once(self):
        wrong = {
            "models": " \n",
            "time": "soon",
            "unknown": "perhaps",
            "junit": "a\nb=c",
            "sarif": "",
            "upload-sarif": "true",
            "arguments": "--json\n--sarif=x\n--time\n3",
            "kinfold": "no-such-command",
        }
        done = self.run_action(wrong)
        self.assertTrue(done.failed)
        self.assertEqual(done.steps, ["Look at the inputs"])
        for said in ["`models` is empty", "`time` must be", "`unknown` must be", "`junit` must be one line", "no file for",
                     "`--json` is not for", "`--sarif=x` is not for", "`--time` is not for", "no command `no-such-command`"]:
            self.assertIn(said, done.printed)
        self.assertEqual(done.printed.count("::error title=Kinfold::"), 9, done.printed)

    def test_inputs_are_no_scripts(self):
        given = "models/sound.kin\n$(touch stolen)\n`touch stolen`; touch stolen"
        self.run_action({"models": given})
        self.run_action({"arguments": "$(touch stolen)", "time": "1; touch stolen"})
        self.assertFalse((self.workspace / "stolen").exists())

    def test_the_command_is_built_only_if_none_is_named_and_none_is_kept(self):
        # In the place of cargo, something that makes the command out of one that is there.
        tools = self.temporary / "tools"
        tools.mkdir()
        cargo = tools / "cargo"
        cargo.write_text(f'#!/bin/sh\nmkdir -p "$CARGO_TARGET_DIR/release" && cp {KINFOLD} "$CARGO_TARGET_DIR/release/kinfold"\n')
        cargo.chmod(0o755)
        path = {"PATH": f"{tools}:{os.environ['PATH']}"}
        done = self.run_action({"kinfold": ""}, environment=path)
        self.assertFalse(done.failed, done.printed)
        self.assertIn("Build the command", done.steps)
        key = done.used["actions/cache@v4"]["key"]
        self.assertRegex(key, "^kinfold-Linux-X64-[0-9a-f]{40}$")
        self.assertEqual(done.used["actions/cache@v4"]["path"], f"{self.temporary}/kinfold/bin")
        kept = self.run_action({"kinfold": ""}, of_uses={"actions/cache@v4": {"cache-hit": "true"}})
        self.assertFalse(kept.failed, kept.printed)
        self.assertNotIn("Build the command", kept.steps)
        self.assertEqual(kept.used["actions/cache@v4"]["key"], key)


if __name__ == "__main__":
    unittest.main()
