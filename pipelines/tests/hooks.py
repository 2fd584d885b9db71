"""The hooks, run by the real pre-commit in a repository of their own: what is wrong is not committed."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import models
from runner import ROOT

KINFOLD = os.environ["KINFOLD"]


class Hooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        top = Path(cls.folder.name)
        cls.environment = {
            **os.environ,
            "PRE_COMMIT_HOME": str(top / "cache"),
            "PATH": f"{top / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "GIT_CONFIG_GLOBAL": str(top / "gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        (top / "bin").mkdir()
        (top / "bin/kinfold").symlink_to(KINFOLD)
        (top / "gitconfig").write_text("[user]\nname = A\nemail = a@example.org\n[init]\ndefaultBranch = main\n")
        # What pre-commit clones: the hooks as they are now, whether or not they are committed.
        cls.source = top / "source"
        cls.source.mkdir()
        cls.git(cls.source, "init", "--quiet")
        for name in [".pre-commit-hooks.yaml", "pipelines/hook", "pipelines/build"]:
            (cls.source / name).parent.mkdir(exist_ok=True)
            (cls.source / name).write_bytes((ROOT / name).read_bytes())
            (cls.source / name).chmod((ROOT / name).stat().st_mode)
        cls.git(cls.source, "add", ".")
        cls.git(cls.source, "commit", "--quiet", "--message", "hooks")
        cls.revision = cls.git(cls.source, "rev-parse", "HEAD").stdout.strip()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def git(cls, where, *arguments, fine=True, **more):
        done = subprocess.run(
            ["git", *arguments],
            cwd=where,
            env={**cls.environment, **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        assert not fine or done.returncode == 0, done.stdout
        return done

    def repository(self, name, hook, arguments=None):
        where = Path(self.folder.name) / name
        where.mkdir()
        self.git(where, "init", "--quiet")
        given = "" if arguments is None else f"\n        args: {arguments}"
        (where / ".pre-commit-config.yaml").write_text(
            f"repos:\n  - repo: {self.source}\n    rev: {self.revision}\n    hooks:\n      - id: {hook}{given}\n"
        )
        subprocess.run(
            [sys.executable, "-m", "pre_commit", "install"],
            cwd=where, env=self.environment, check=True, stdout=subprocess.DEVNULL,
        )
        self.git(where, "add", ".")
        self.git(where, "commit", "--quiet", "--message", "settings")
        return where

    def commit(self, where, text, name="model.kin", **more):
        """Whether a model is committed, and what is said."""
        (where / name).write_text(text)
        self.git(where, "add", name)
        done = self.git(where, "commit", "--message", "a model", fine=False, **more)
        return done.returncode == 0, done.stdout

    def test_only_sound_models_are_committed(self):
        # Once with the command that is named, as by those who build it themselves, once with the one on the path.
        for hook, more in [("kinfold-check", {"KINFOLD": KINFOLD}), ("kinfold-check-system", {})]:
            where = self.repository(hook, hook)
            committed, said = self.commit(where, models.DEADLOCK, **more)
            self.assertFalse(committed, said)
            self.assertIn("FAILS    free", said)
            self.assertIn("exit code: 11", said)
            committed, said = self.commit(where, models.WRONG, **more)
            self.assertFalse(committed, said)
            self.assertIn("E0201", said)
            committed, said = self.commit(where, models.SOUND, "with blank.kin", **more)
            self.assertFalse(committed, "the wrong model is still there")
            committed, said = self.commit(where, models.SOUND, **more)
            self.assertTrue(committed, said)
            self.assertIn("Passed", said)

    def test_what_is_not_a_model_is_not_looked_at(self):
        where = self.repository("other", "kinfold-check")
        committed, said = self.commit(where, models.DEADLOCK, "notes.txt", KINFOLD="/no/such/command")
        self.assertTrue(committed, said)
        self.assertIn("no files to check", said)

    def test_what_is_unknown_is_refused_unless_it_may_pass(self):
        limits = '[--engine, explicit, --max-states, "1"'
        for name, arguments, passes in [("strict", f"{limits}]", False), ("lenient", f"{limits}, --unknown-passes]", True)]:
            where = self.repository(name, "kinfold-check", arguments)
            committed, said = self.commit(where, models.SOUND, KINFOLD=KINFOLD)
            self.assertEqual(committed, passes, said)

    def test_layout_is_mended_and_then_committed(self):
        for hook, more in [("kinfold-fmt", {"KINFOLD": KINFOLD}), ("kinfold-fmt-system", {})]:
            where = self.repository(hook, hook)
            committed, said = self.commit(where, models.SOUND.replace("place busy", "place   busy"), **more)
            self.assertFalse(committed, said)
            self.assertIn("files were modified by this hook", said)
            self.assertEqual((where / "model.kin").read_text(), models.SOUND)
            committed, said = self.commit(where, models.SOUND + " ", **more)
            self.assertFalse(committed, said)
            committed, said = self.commit(where, models.SOUND, **more)
            self.assertTrue(committed, said)

    def test_the_command_is_built_where_none_is_named(self):
        where = self.repository("built", "kinfold-check")
        tools = Path(self.folder.name) / "tools"
        tools.mkdir()
        cargo = tools / "cargo"
        cargo.write_text(
            f'#!/bin/sh\ntest -f .pre-commit-hooks.yaml || exit 9\necho built >>{tools}/times\n'
            f'mkdir -p "$CARGO_TARGET_DIR/release" && cp {KINFOLD} "$CARGO_TARGET_DIR/release/kinfold"\n'
        )
        cargo.chmod(0o755)
        path = {"PATH": f"{tools}:{self.environment['PATH']}", "KINFOLD": ""}
        committed, said = self.commit(where, models.DEADLOCK, **path)
        self.assertFalse(committed, said)
        self.assertIn("FAILS    free", said)
        committed, said = self.commit(where, models.SOUND, **path)
        self.assertTrue(committed, said)
        self.assertEqual((tools / "times").read_text(), "built\nbuilt\n", "cargo says what is fresh")


if __name__ == "__main__":
    unittest.main()
