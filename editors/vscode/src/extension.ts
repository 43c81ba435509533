// The extension: it starts `hcl lsp` for the folders of the window, and has commands that run `hcl`.

import { execFile } from "node:child_process";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

const LANGUAGES = ["terraform", "terraform-vars", "hcl"];

/** The program. In a folder that is not trusted, VS Code leaves the settings of the folder out. */
function program(): string {
  return vscode.workspace.getConfiguration("hcl").get<string>("server.path") || "hcl";
}

function options(): LanguageClientOptions {
  const settings = vscode.workspace.getConfiguration("hcl");
  return {
    documentSelector: LANGUAGES.flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    initializationOptions: {
      languages: settings.get<string[]>("languages") ?? [],
      specs: settings.get<Record<string, string>>("specs") ?? {},
      schemas: settings.get<string[]>("schemas") ?? [],
    },
    outputChannelName: "HCL",
  };
}

async function start(): Promise<void> {
  const more = vscode.workspace.getConfiguration("hcl").get<string[]>("server.arguments") ?? [];
  const server: ServerOptions = { command: program(), args: ["lsp", ...more] };
  client = new LanguageClient("hcl", "HCL", server, options());
  try {
    await client.start();
  } catch (error) {
    const settings = "Open the settings";
    const message = `Cannot start ${program()}: ${error instanceof Error ? error.message : String(error)}. Install hcl, or set its path.`;
    const choice = await vscode.window.showErrorMessage(message, settings);
    if (choice === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "hcl.server.path");
    }
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  if (running?.isRunning()) {
    await running.stop();
  }
}

/** Runs `hcl` for the module of the active editor and shows what it prints. */
async function show(language: string, title: string, ...command: string[]): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.uri.scheme !== "file") {
    await vscode.window.showInformationMessage(`${title}: open a file on disk first.`);
    return;
  }
  const directory = dirname(editor.document.uri.fsPath);
  const text = await new Promise<string>((resolve) => {
    const settings = { cwd: directory, maxBuffer: 64 << 20, timeout: 60_000 };
    execFile(program(), [...command, directory], settings, (error, output, errors) => {
      resolve(output || errors || (error ? error.message : "There is nothing to show."));
    });
  });
  const document = await vscode.workspace.openTextDocument({ language, content: text });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = (name: string, run: () => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  command("hcl.restart", async () => {
    await stop();
    await start();
  });
  command("hcl.eval", () => show("hcl", "Values", "eval"));
  // The hover of the server has the explanation.
  command("hcl.explain", () => vscode.commands.executeCommand("editor.action.showHover"));
  command("hcl.graph", () => show("plaintext", "Graph", "graph"));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("hcl") && !change.affectsConfiguration("hcl.trace")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}
