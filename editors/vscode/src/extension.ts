// The extension: starts the server, and shows runs as lists to go through. All else is asked of the server.

import * as vscode from "vscode";
import {
  ExecuteCommandSignature,
  LanguageClient,
  LanguageClientOptions,
  ServerOptions,
  TransportKind,
} from "vscode-languageclient/node";

import { isVerdict, items, Item, title, Verdict } from "./run";

/** A client that leaves it to us to say that there is no server. */
class Client extends LanguageClient {
  hasStarted = false;

  override error(message: string, data?: unknown, shown?: boolean | "force"): void {
    super.error(message, data, this.hasStarted ? shown : false);
  }
}

let client: Client | undefined;
let output: vscode.OutputChannel | undefined;
/** What is being done with the server: one thing at a time. */
let turn: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  output = vscode.window.createOutputChannel("Kinfold");
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand("kinfold.restart", restart),
    vscode.commands.registerCommand("kinfold.checkDocument", checkDocument),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("kinfold")) {
        void restart();
      }
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  turn = turn.then(stop);
  await turn;
}

async function restart(): Promise<void> {
  turn = turn.then(stop).then(start);
  await turn;
}

async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  // One that has not been started, or has gone, cannot be stopped, only put away.
  await old?.dispose().catch(() => undefined);
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("kinfold");
  const command = settings.get<string>("path", "kinfold");
  const server: ServerOptions = { command, args: ["lsp"], transport: TransportKind.stdio };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "kin" }],
    initializationOptions: {
      checkOnSave: settings.get<boolean>("checkOnSave"),
      checkSeconds: settings.get<number>("checkSeconds"),
      checkMemory: settings.get<number>("checkMemory"),
      showsRuns: true,
    },
    outputChannel: output,
    middleware: { executeCommand: executed },
  };
  client = new Client("kinfold", "Kinfold", server, options);
  try {
    await client.start();
    client.hasStarted = true;
  } catch (error) {
    void cannotStart(command, error);
  }
}

/** Says that there is no server, and leads to the setting. Whoever asked does not wait for the answer. */
async function cannotStart(command: string, error: unknown): Promise<void> {
  const why = (error instanceof Error ? error.message : String(error)).replace(/^Launching server .* failed\. /, "");
  const said = await vscode.window.showErrorMessage(
    `The command "${command}" cannot be started: ${why}. Set where kinfold is.`,
    "Open Settings",
  );
  if (said !== undefined) {
    // The command is on the machine where the text is, and so is the setting.
    const of = vscode.env.remoteName === undefined ? "openSettings" : "openRemoteSettings";
    await vscode.commands.executeCommand(`workbench.action.${of}`, { query: "kinfold.path" });
  }
}

/** Executes a command of the server, and shows the run that comes back. */
async function executed(
  command: string,
  args: unknown[],
  next: ExecuteCommandSignature,
): Promise<unknown> {
  const result: unknown = await next(command, args);
  if (command === "kinfold.showRun" && isVerdict(result)) {
    await showRun(result);
  }
  return result;
}

async function checkDocument(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === "kin") {
    await vscode.commands.executeCommand("kinfold.check", document.uri.toString());
  }
}

/** A list of the steps: whichever is looked at is shown in the text. */
async function showRun(verdict: Verdict): Promise<void> {
  const list = vscode.window.createQuickPick<Item & vscode.QuickPickItem>();
  list.title = title(verdict);
  list.placeholder = "Go through the steps";
  list.items = items(verdict);
  list.onDidChangeActive(async ([item]) => reveal(item, true));
  list.onDidAccept(async () => {
    await reveal(list.activeItems[0], false);
    list.hide();
  });
  list.onDidHide(() => list.dispose());
  list.show();
}

async function reveal(item: Item | undefined, preserveFocus: boolean): Promise<void> {
  if (item?.place) {
    const { start, end } = item.place.range;
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    const uri = vscode.Uri.parse(item.place.uri);
    const editor = await vscode.window.showTextDocument(uri, { selection, preserveFocus });
    // The list covers what is further up.
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenter);
  }
}
