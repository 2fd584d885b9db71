// What a user of VS Code sees and does, in VS Code.

import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { after, before, test } from "node:test";

import { until, VsCode } from "./vscode.mjs";

const mistakes = `model mistakes

shared gate = new mutex

process main {
    spawn helper()
    with gat.lock() {}
}

process helper { with gate.lock() {} }
`;

const abba = `// Two processes that take two locks in different order.

model abba

shared a = new mutex
shared b = new mutex

process main {
    spawn other()
    with a.lock() { with b.lock() {} }
}

// Takes them the other way round.
process other { with b.lock() { with a.lock() {} } }

property no_leak: no_one_stuck
property alone: always count(other) <= 1
`;

const crooked = `model crooked
shared jobs=new channel[0..3](capacity:1)
process main {
  spawn worker( )
  for job in 0..3 { jobs.send(job) }
    jobs.close()
}
process worker {
   for job in jobs { assert job<3 }
}
`;

/** Each has its own that changes it. */
const files = {
  "abba.kin": abba,
  "crooked.kin": crooked,
  "mistakes.kin": mistakes,
  "renamed.kin": abba,
  "touched.kin": abba,
  "typed.kin": crooked,
};

const lens = ".codelens-decoration";
const problem = ".markers-panel .monaco-list-row";
const row = ".quick-input-list .monaco-list-row";

let code;

before(async () => {
  code = await VsCode.start(files, { "files.autoSave": "off" });
});

after(() => code?.stop());

/** A test with a picture of its end. */
function seen(title, act) {
  test(title, async () => {
    try {
      await act();
    } finally {
      await code?.picture(title.replaceAll(/\W+/g, "_"));
      await code?.page.keyboard.press("Escape");
    }
  });
}

seen("a mistake is underlined, listed with its code, and fixed", async () => {
  await code.open("mistakes.kin");
  await code.page.locator(".squiggly-error").first().waitFor();
  await code.command("Problems: Focus on Problems View");
  await code.see(problem, /there is nothing named `gat`.*kinfold.*E1008.*Ln 7, Col 10/);
  await code.goTo(7, 11);
  await code.page.keyboard.press("Control+.");
  await code.see(".action-widget .monaco-list-row", /gate/);
  await code.picture("quick_fix");
  await code.page.keyboard.press("Enter");
  await code.seeNo(problem, /E1008/);
  assert.equal(await code.save("mistakes.kin", /with gate\.lock\(\) \{\}\n\}/), mistakes.replace("gat.", "gate."));
});

seen("a property that fails is listed, with its run", async () => {
  await code.open("abba.kin");
  await code.command("Problems: Focus on Problems View");
  await code.see(problem, /`no_leak` fails.*main 1, other 1\.1 are stuck.*kinfold check.*Ln 16, Col 10/);
  for (const step of [/Ln 9, .*step 1: main 1, line 9: spawn other/, /Ln 10, .*step 2: main 1/, /Ln 14, .*step 3: other/]) {
    await code.see(problem, step);
  }
});

seen("verdicts stand above properties, and show run goes through the steps", async () => {
  await code.open("abba.kin");
  await code.see(lens, /check all/);
  await code.see(lens, /✗ fails.*show run/);
  await code.see(lens, /✓ holds/);
  await code.page.locator(lens).getByText("show run").click();
  await code.see(".quick-input-title", /no_leak fails/);
  await code.see(row, /^1\. main 1, line 9: spawn other\(\)/);
  await code.see(row, /^3\. other 1\.1, line 14/);
  await code.see(row, /^main 1 at line 10: with b.lock\(\) waits/);
  await code.at(9);
  await code.page.keyboard.press("ArrowDown");
  await code.at(10);
  await code.picture("show_run");
  await code.page.keyboard.press("ArrowDown");
  await code.at(14);
  await code.page.keyboard.press("Enter");
  await code.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  await code.at(14);
});

seen("verdicts are gone when the text changes, and there again when it is checked", async () => {
  await code.open("touched.kin");
  await code.see(lens, /✗ fails/);
  await code.goTo(6, 21);
  await code.page.keyboard.type(" ");
  await code.seeNo(lens, /✗ fails/);
  await code.page.locator(lens).getByText(/^check$/).first().click();
  await code.see(lens, /✗ fails/);
});

seen("names have hovers", async () => {
  await code.open("abba.kin");
  await code.goTo(9, 13);
  await code.command("Show or Focus Hover");
  await code.see(".monaco-hover:not(.hidden)", /process other\(?\)?.*Takes them the other way round/s);
});

seen("names lead to their definitions, and to the prelude", async () => {
  await code.open("abba.kin");
  await code.goTo(10, 26);
  await code.page.keyboard.press("F12");
  await code.at(6, 8);
  await code.goTo(10, 13);
  await code.page.keyboard.press("F12");
  await code.see(".tab.active", /prelude/);
  await code.see(".view-line", /^object mutex/);
  await code.page.keyboard.press("Control+Home");
  await code.at(1, 1);
  assert.deepEqual((await code.texts(lens)).filter((text) => /check/.test(text)), []);
  await code.seeNo(problem, /prelude/);
});

seen("names are renamed everywhere", async () => {
  await code.open("renamed.kin");
  await code.goTo(14, 12);
  await code.page.keyboard.press("F2");
  const box = code.page.locator(".rename-box input");
  await box.waitFor();
  assert.equal(await box.inputValue(), "other");
  await box.fill("second");
  await code.page.keyboard.press("Enter");
  assert.equal(await code.save("renamed.kin", /spawn second/), abba.replaceAll(/\bother(?=\(|\)| \{)/g, "second"));
});

seen("the outline has what is declared", async () => {
  await code.open("abba.kin");
  await code.page.keyboard.press("Control+Shift+o");
  for (const name of ["abba", "a", "b", "main", "other", "no_leak", "alone"]) {
    await code.see(`${row} .label-name`, new RegExp(`^${name}$`));
  }
  await code.page.keyboard.press("Escape");
  await code.quick("Control+Shift+o", "@no_l", /no_leak/);
  await code.at(16);
});

seen("what can stand there is proposed", async () => {
  await code.open("typed.kin");
  await code.goTo(6, 17);
  await code.page.keyboard.press("Enter");
  await code.page.keyboard.type("jobs.");
  const proposed = ".suggest-widget.visible .monaco-list-row";
  await code.see(proposed, /^send/);
  await code.see(proposed, /^close/);
  await code.page.keyboard.type("cl");
  await code.seeNo(proposed, /^send/);
  await code.see(proposed, /^close/);
  await code.page.keyboard.press("Tab");
  await code.see(".view-line", /^ *jobs\.close/);
});

seen("a text is laid out as by the command", async () => {
  const right = spawnSync(process.env.KINFOLD, ["fmt", "-"], { input: crooked, encoding: "utf8" });
  assert.equal(right.status, 0, right.stderr);
  await code.open("crooked.kin");
  await code.see(lens, /no_one_stuck|check all/);
  await code.command("Format Document");
  assert.equal(await code.save("crooked.kin", /capacity: 1/), right.stdout);
});

seen("what is live is told beside the text", async () => {
  await code.open("crooked.kin");
  await until("a hint", async () => (await code.texts(".view-line span")).some((text) => /^\s*live: /.test(text)));
});

seen("names have the colours of what they stand for", async () => {
  await code.open("abba.kin");
  const colour = (line, name) =>
    code.page.evaluate(
      ([line, name]) => {
        const lines = [...document.querySelectorAll(".monaco-editor .view-line")];
        const own = lines.find((one) => one.textContent.replaceAll("\u00a0", " ").startsWith(line));
        const spans = [...(own?.querySelectorAll("span span") ?? [])];
        const part = spans.find((one) => one.textContent.replaceAll("\u00a0", " ").trim() === name);
        return part && getComputedStyle(part).color;
      },
      [line, name],
    );
  // Where it is declared the grammar sees it, too; where it is used only the server knows.
  const used = await until("a colour", () => colour("property alone", "other"));
  const plain = await colour("property alone", "alone");
  await until("another colour", async () => (await colour("property alone", "other")) !== plain);
  assert.ok(used);
});

seen("the server is started again", async () => {
  await code.open("abba.kin");
  await code.see(lens, /✗ fails/);
  await code.command("Kinfold: Restart the Server");
  await code.see(lens, /✗ fails/);
});

seen("a command that is not there is told, with a way to the setting, and all is well once that is right", async () => {
  await code.open("abba.kin");
  code.setPath("/nowhere/kinfold");
  const message = code.page.locator(".notification-toast", { hasText: "cannot be started" });
  await message.waitFor();
  assert.equal((await code.texts(".notification-toast")).length, 1);
  await code.seeNo(lens, /./);
  await code.picture("message");
  await message.getByText("Open Settings").click();
  await code.see(".settings-editor .setting-item-contents", /Kinfold: Path/);
  await code.picture("setting");
  code.setPath(process.env.KINFOLD);
  await code.open("abba.kin");
  await code.see(lens, /✗ fails/);
});
