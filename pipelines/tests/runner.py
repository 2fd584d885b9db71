"""Runs the steps of a composite action as the runner of GitHub does: the `run` steps really, with the inputs in the
environment; of the `uses` steps it is noted what they would be given, and they have the outputs that a test says."""

import os
import re
import subprocess
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]

TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|([A-Za-z_][\w.-]*)|(==|!=|&&|\|\||[!()]))")


class Expression:
    """What stands in `${{ }}`: the part of the language that the action uses. Strings are compared without case."""

    def __init__(self, text, values, failed):
        self.values, self.failed = values, failed
        self.tokens, at = [], 0
        text = text.strip()
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise ValueError(f"`{text[at:]}` is no expression")
            self.tokens.append(match)
            at = match.end()

    def next(self, *operators):
        if self.tokens and self.tokens[0][3] in operators:
            return self.tokens.pop(0)[3]
        return None

    def value(self):
        value = self.either()
        if self.tokens:
            raise ValueError(f"`{self.tokens[0][0]}` is left over")
        return value

    def either(self):
        value = self.both()
        while self.next("||"):
            other = self.both()
            value = value or other
        return value

    def both(self):
        value = self.compared()
        while self.next("&&"):
            other = self.compared()
            value = value and other
        return value

    def compared(self):
        value = self.operand()
        operator = self.next("==", "!=")
        if operator:
            same = str(value).lower() == str(self.operand()).lower()
            value = same == (operator == "==")
        return value

    def operand(self):
        if self.next("!"):
            return not self.operand()
        if self.next("("):
            value = self.either()
            assert self.next(")")
            return value
        text, name, _ = self.tokens.pop(0).groups()
        if text is not None:
            return text[1:-1].replace("''", "'")
        if self.next("("):
            assert self.next(")")
            return {"always": True, "success": not self.failed, "failure": self.failed}[name]
        context, _, rest = name.partition(".")
        if context not in ("inputs", "steps", "runner", "github"):
            raise ValueError(f"there is no context `{context}`")
        # What is not there is empty, as on GitHub. An input that is not declared is a mistake of the action.
        if context == "inputs":
            return self.values[name]
        return self.values.get(name, "")


def filled(text, values, failed=False):
    """A text with its expressions evaluated."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda one: str(Expression(one[1], values, failed).value()), str(text))


class Done:
    """What became of a run of the action."""

    def __init__(self):
        self.failed = False
        self.printed = ""
        self.used = {}
        self.steps = []
        self.outputs = {}
        self.summary = ""


def outputs_in(path):
    pairs = (line.partition("=") for line in path.read_text().splitlines())
    return {name: value for name, _, value in pairs}


def run(workspace, temporary, given, of_uses=None, environment=None):
    """Runs the action in a folder with these inputs."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    unknown = set(given) - set(action["inputs"])
    assert not unknown, f"there are no inputs {unknown}"
    values = {"runner.temp": str(temporary), "runner.os": "Linux", "runner.arch": "X64"}
    for name, about in action["inputs"].items():
        values[f"inputs.{name}"] = str(given.get(name, about.get("default", "")))
    done = Done()
    summary = temporary / "summary"
    summary.touch()
    for number, step in enumerate(action["runs"]["steps"]):
        condition = str(step.get("if", "success()"))
        condition = condition.removeprefix("${{").removesuffix("}}")
        if not re.search(r"\b(always|failure|success)\(\)", condition):
            condition = f"success() && ({condition})"
        if not Expression(condition, values, done.failed).value():
            continue
        done.steps.append(step["name"])
        outputs = {}
        if "uses" in step:
            done.used[step["uses"]] = {name: filled(value, values) for name, value in step["with"].items()}
            outputs = (of_uses or {}).get(step["uses"], {})
        else:
            assert "${{" not in step["run"], "inputs must not become part of a script"
            assert step["shell"] == "bash"
            said = temporary / f"output{number}"
            said.touch()
            given_to = {name: filled(value, values) for name, value in step.get("env", {}).items()}
            files = {"GITHUB_OUTPUT": said, "GITHUB_STEP_SUMMARY": summary, "GITHUB_ACTION_PATH": ROOT, "RUNNER_TEMP": temporary}
            script = temporary / f"step{number}.sh"
            script.write_text(step["run"])
            # As the runner starts `shell: bash`.
            ended = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
                cwd=workspace,
                env={**os.environ, **(environment or {}), **given_to, **{name: str(path) for name, path in files.items()}},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=600,
            )
            done.printed += ended.stdout
            done.failed |= ended.returncode != 0
            outputs = outputs_in(said)
        for name, value in outputs.items():
            values[f"steps.{step.get('id')}.outputs.{name}"] = value
    done.outputs = {name: filled(about["value"], values) for name, about in action["outputs"].items()}
    done.summary = summary.read_text()
    return done
