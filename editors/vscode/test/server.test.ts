// The server as the extension starts it, spoken with by the library that VS Code's own client is made of. The command is
// taken from KINFOLD, or from the path.

import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  createMessageConnection,
  MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";

import { isVerdict, items, title, Verdict } from "../src/run";

const uri = "file:///abba.kin";

/** Two processes that take two locks in opposite orders. */
const text = [
  "model abba",
  "shared a = new mutex",
  "shared b = new mutex",
  "process main { spawn one()   a.lock()   b.lock()   b.unlock()   a.unlock() }",
  "process one { b.lock()   a.lock()   a.unlock()   b.unlock() }",
  "property no_leak: no_one_stuck",
  "",
].join("\n");

async function withServer(act: (connection: MessageConnection) => Promise<void>): Promise<number | null> {
  const server = spawn(process.env["KINFOLD"] ?? "kinfold", ["lsp", "--stdio"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    server.on("exit", resolve);
    server.on("error", reject);
  });
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.listen();
  const initializationOptions = { checkOnSave: false, checkSeconds: 30, checkMemory: 2048 };
  await connection.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {}, initializationOptions });
  await connection.sendNotification("initialized", {});
  await act(connection);
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  return ended;
}

test("a violation is listed step by step", async () => {
  const status = await withServer(async (connection) => {
    await connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "kin", version: 1, text },
    });
    await connection.sendRequest("workspace/executeCommand", { command: "kinfold.check", arguments: [uri] });
    const shown: unknown = await connection.sendRequest("workspace/executeCommand", {
      command: "kinfold.showRun",
      arguments: [uri, "no_leak"],
    });
    assert.ok(isVerdict(shown));
    assert.equal(shown.verdict, "fails");
    const listed = items(shown);
    const steps = listed.filter((item) => item.place !== null);
    assert.ok(steps.length > 2);
    assert.ok(steps.every((item) => /^\d+\. (main 1|one 1\.1), line [45]: ./.test(item.label)), JSON.stringify(steps));
    // What is the case in the end comes last.
    assert.match(listed.at(-1)?.label ?? "", /waits: mutex/);
    assert.match(title(shown), /^no_leak fails: .*stuck.*nobody can go on$/);
  });
  assert.equal(status, 0);
});

test("lenses name commands that the server executes", async () => {
  await withServer(async (connection) => {
    await connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "kin", version: 1, text },
    });
    const lenses = await connection.sendRequest<{ command: { command: string } }[]>("textDocument/codeLens", {
      textDocument: { uri },
    });
    assert.deepEqual(new Set(lenses.map((lens) => lens.command.command)), new Set(["kinfold.check"]));
  });
});

test("what is no verdict is not shown", () => {
  for (const other of [null, 3, {}, { steps: [] }, { property: "x" }]) {
    assert.ok(!isVerdict(other));
  }
  const unknown: Verdict = { property: "p", verdict: "unknown", why: "time", outcome: null, classes: 3, steps: [] };
  assert.equal(title(unknown), "p is not known: time");
});

test("the manifest and the grammar fit together", () => {
  const root = join(__dirname, "..", "..");
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const grammar = JSON.parse(readFileSync(join(root, manifest.contributes.grammars[0].path), "utf8"));
  assert.equal(grammar.scopeName, manifest.contributes.grammars[0].scopeName);
  const patterns = JSON.stringify(grammar).matchAll(/"(?:match|begin|end)":"((?:[^"\\]|\\.)*)"/g);
  for (const [, pattern] of patterns) {
    new RegExp(JSON.parse(`"${pattern}"`));
  }
});
