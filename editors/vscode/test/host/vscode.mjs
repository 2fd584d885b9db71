// VS Code as a user has it: a server with a folder and the extension, shown by a browser, and what a user does there.
// Nothing waits for a time: everything waits for what is to be seen.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { CHROME, CODE_SERVER, KINFOLD, PACKAGE, SCREENSHOTS } = process.env;
const { chromium } = createRequire(join(CODE_SERVER, "package.json"))("playwright-core");
const program = join(CODE_SERVER, "node_modules", "code-server");
const patience = 30_000;

const browserArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const calm = {
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "extensions.ignoreRecommendations": true,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "window.commandCenter": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What a condition gives once it is met. It is asked again and again. */
export async function until(what, condition, limit = patience) {
  const end = Date.now() + limit;
  for (;;) {
    const value = await condition();
    if (value) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`${what}: not seen in ${limit / 1000} seconds`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export class VsCode {
  /** Starts VS Code with a folder of these files, `{ name: text }`, and these settings. */
  static async start(files, settings = {}) {
    const code = new VsCode();
    code.home = mkdtempSync(join(tmpdir(), "kinfold-vscode-"));
    code.folder = join(code.home, "models");
    mkdirSync(code.folder);
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(code.folder, name), text);
    }
    mkdirSync(join(code.home, "data", "User"), { recursive: true });
    writeFileSync(join(code.home, "data", "User", "settings.json"), JSON.stringify({ ...calm, ...settings }));
    mkdirSync(join(code.home, "data", "Machine"));
    code.setPath(KINFOLD);
    writeFileSync(join(code.home, "config.yaml"), "");
    const folders = [
      ...["--config", join(code.home, "config.yaml")],
      ...["--user-data-dir", join(code.home, "data")],
      ...["--extensions-dir", join(code.home, "extensions")],
    ];
    const installed = spawnSync(process.execPath, [program, ...folders, "--install-extension", PACKAGE], { encoding: "utf8" });
    if (installed.status !== 0) {
      throw new Error(`the package cannot be installed: ${installed.stdout}${installed.stderr}`);
    }
    const port = await freePort();
    code.server = spawn(
      process.execPath,
      [
        ...[program, ...folders, "--bind-addr", `127.0.0.1:${port}`, "--auth", "none"],
        ...["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"],
      ],
      { stdio: "ignore", env: { ...process.env, XDG_CACHE_HOME: join(code.home, "cache") } },
    );
    const url = `http://127.0.0.1:${port}`;
    await until("the server", () => fetch(`${url}/healthz`).then((answer) => answer.ok, () => false));
    code.browser = await chromium.launch({ executablePath: CHROME, args: browserArguments });
    code.page = await code.browser.newPage({ viewport: { width: 1280, height: 800 } });
    code.page.setDefaultTimeout(patience);
    await code.page.goto(`${url}/?folder=${encodeURIComponent(code.folder)}`);
    await code.page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
    return code;
  }

  async stop() {
    await this.browser?.close();
    if (this.server) {
      const ended = new Promise((resolve) => this.server.on("exit", resolve));
      this.server.kill();
      await ended;
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Sets where the command is. */
  setPath(path) {
    writeFileSync(join(this.home, "data", "Machine", "settings.json"), JSON.stringify({ "kinfold.path": path }));
  }

  /** What is saved of a file. */
  saved(name) {
    return readFileSync(join(this.folder, name), "utf8");
  }

  async picture(name) {
    if (SCREENSHOTS) {
      await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
    }
  }

  /** The text of all elements of a kind, in the order of the page, without the spaces that do not break. */
  async texts(selector) {
    const all = await this.page.locator(selector).evaluateAll((found) => found.map((one) => one.textContent));
    return all.map((text) => text.replaceAll("\u00a0", " ").trim());
  }

  /** Waits for an element of a kind whose text matches, and gives that text. */
  async see(selector, pattern) {
    let seen;
    const matches = async () => (seen = await this.texts(selector)).find((text) => pattern.test(text));
    return until(`${pattern} at ${selector}`, matches).catch((error) => {
      throw new Error(`${error.message}, but ${JSON.stringify(seen)}`);
    });
  }

  /** Waits until there is no element of a kind whose text matches. */
  async seeNo(selector, pattern) {
    await until(`no ${pattern} at ${selector}`, async () => !(await this.texts(selector)).some((text) => pattern.test(text)));
  }

  /** Types into the box of quick input, which is opened by keys, and chooses the first row once it matches. */
  async quick(keys, typed, pattern) {
    const box = this.page.locator(".quick-input-widget input.input");
    await this.page.keyboard.press(keys);
    await box.waitFor();
    await box.fill(typed);
    const row = ".quick-input-list .monaco-list-row[data-index='0']";
    await this.see(row, pattern);
    await this.page.keyboard.press("Enter");
    await box.waitFor({ state: "hidden" });
  }

  /** Executes a command of the palette. */
  async command(title) {
    await this.quick("F1", `>${title}`, new RegExp(title.replaceAll(/[^\w ]/g, "."), "i"));
  }

  /** Opens a file of the folder, and waits until it has its colours. */
  async open(name) {
    await this.quick("Control+p", name, new RegExp(`^${name.replace(".", "\\.")}`));
    await this.see(".tab.active", new RegExp(name));
    await this.page.locator(".monaco-editor .view-lines").first().waitFor();
  }

  /** Puts the cursor to a line and a column, counted from 1. */
  async goTo(line, column) {
    await this.quick("Control+g", `:${line}:${column}`, new RegExp(`line ${line}`, "i"));
    await this.at(line, column);
  }

  /** Waits until the cursor is there. */
  async at(line, column) {
    await this.see("#status\\.editor\\.selection", new RegExp(`^Ln ${line}, Col ${column ?? ""}`));
  }

  /** Saves the file until what is saved matches: what is to be saved may be on its way. */
  async save(name, pattern) {
    const saved = async () => {
      await this.page.keyboard.press("Control+s");
      return pattern.test(this.saved(name)) && this.saved(name);
    };
    return until(`${pattern} in ${name}`, saved);
  }
}
