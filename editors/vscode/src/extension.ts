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

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("kinfold.restart", restart),
    vscode.commands.registerCommand("kinfold.checkDocument", checkDocument),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("kinfold");
  const server: ServerOptions = {
    command: settings.get<string>("path", "kinfold"),
    args: ["lsp"],
    transport: TransportKind.stdio,
  };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "kin" }],
    initializationOptions: {
      checkOnSave: settings.get<boolean>("checkOnSave"),
      checkSeconds: settings.get<number>("checkSeconds"),
      checkMemory: settings.get<number>("checkMemory"),
      showsRuns: true,
    },
    middleware: { executeCommand: executed },
  };
  client = new LanguageClient("kinfold", "Kinfold", server, options);
  try {
    await client.start();
  } catch (error) {
    const said = await vscode.window.showErrorMessage(
      `The kinfold command cannot be started: ${error}. Set where it is.`,
      "Open Settings",
    );
    if (said !== undefined) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "kinfold.path");
    }
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
    await vscode.window.showTextDocument(uri, { selection, preserveFocus });
  }
}
