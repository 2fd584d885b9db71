"""Reports are what their readers expect: SARIF by its schema, JUnit by a library that reads such reports."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import jsonschema
import junitparser

import models
from runner import ROOT

KINFOLD = os.environ["KINFOLD"]
ALL = {
    "asserted.kin": models.ASSERTION,
    "faulty.kin": models.FAULTY,
    "sound.kin": models.SOUND,
    "with blank & sign.kin": models.DEADLOCK,
    "wrong.kin": models.WRONG,
}


class Reports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name, text in ALL.items():
            (self.folder / name).write_text(text)

    def check(self, *arguments, where=None):
        """The status of a check, its SARIF and its test suites."""
        files = ["--sarif", str(self.folder / "report.sarif"), "--junit", str(self.folder / "report.xml")]
        done = subprocess.run(
            [KINFOLD, "check", *files, *arguments], cwd=where or self.folder, capture_output=True, text=True, timeout=300
        )
        sarif = json.loads((self.folder / "report.sarif").read_text())
        found = junitparser.JUnitXml.fromfile(str(self.folder / "report.xml"))
        # A report on one model is its suite.
        suites = [found] if isinstance(found, junitparser.TestSuite) else list(found)
        return done.returncode, sarif, suites

    def assert_counted(self, suite):
        """A suite counts what is in it."""
        kinds = [type(result) for case in suite for result in case.result]
        self.assertEqual(suite.tests, len(list(suite)))
        self.assertEqual(suite.failures, kinds.count(junitparser.Failure))
        self.assertEqual(suite.errors, kinds.count(junitparser.Error))
        self.assertEqual(suite.skipped, kinds.count(junitparser.Skipped))

    def test_all_kinds_of_outcomes(self):
        status, sarif, suites = self.check(*sorted(ALL))
        self.assertEqual(status, 150)
        validate(sarif)
        rules = [result["ruleId"] for result in sarif["runs"][0]["results"]]
        self.assertEqual(rules, ["assertion", "undecided", "fault", "deadlock", "E0201"])
        for suite in suites:
            self.assert_counted(suite)
        totals = {suite.name: (suite.failures, suite.errors, suite.skipped) for suite in suites}
        self.assertEqual(totals, {
            "asserted.kin: asserted": (1, 0, 0),
            "faulty.kin: faulty": (0, 1, 1),
            "sound.kin: sound": (0, 0, 0),
            "with blank & sign.kin: deadlock": (1, 0, 0),
            "wrong.kin": (0, 1, 0),
        })
        [deadlock] = [suite for suite in suites if "deadlock" in suite.name]
        [case] = deadlock
        self.assertIn("deadlock: nothing can fire", case.result[0].text)

    def test_one_model(self):
        for name, status in [("sound.kin", 0), ("with blank & sign.kin", 11), ("wrong.kin", 150), ("faulty.kin", 150)]:
            found, sarif, suites = self.check(name)
            self.assertEqual(found, status, name)
            validate(sarif)
            self.assertEqual(len(suites), 1)
            self.assert_counted(suites[0])
            self.assertEqual(suites[0].failures + suites[0].errors > 0, status != 0, name)

    def test_the_models_of_the_project(self):
        cases = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "models/cases").glob("*.kin"))
        status, sarif, suites = self.check("--time", "10", *cases, where=ROOT)
        self.assertEqual(status, 11)
        validate(sarif)
        self.assertEqual(len(suites), len(cases))
        for suite in suites:
            self.assert_counted(suite)
        for result in sarif["runs"][0]["results"]:
            for location in result["locations"]:
                self.assertIn(location["physicalLocation"]["artifactLocation"]["uri"], cases)

    def test_the_schema_refuses(self):
        _, sarif, _ = self.check("with blank & sign.kin")
        del sarif["runs"][0]["results"][0]["message"]
        with self.assertRaises(jsonschema.ValidationError):
            validate(sarif)


def validate(sarif):
    schema = json.loads(Path(os.environ["SARIF_SCHEMA"]).read_text())
    jsonschema.validators.validator_for(schema)(schema).validate(sarif)


if __name__ == "__main__":
    unittest.main()
