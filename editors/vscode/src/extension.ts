// The extension on the desktop: it starts `hcl lsp` for the folders of the window, and has commands that run `hcl`.

import { execFile } from "node:child_process";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type ServerOptions } from "vscode-languageclient/node";
import { command, options, run, stop } from "./common";

/** The program. In a folder that is not trusted, VS Code leaves the settings of the folder out. */
function program(): string {
  return vscode.workspace.getConfiguration("hcl").get<string>("server.path") || "hcl";
}

async function start(): Promise<LanguageClient | undefined> {
  const more = vscode.workspace.getConfiguration("hcl").get<string[]>("server.arguments") ?? [];
  const server: ServerOptions = { command: program(), args: ["lsp", ...more] };
  const client = new LanguageClient("hcl", "HCL", server, options(["file", "untitled"]));
  try {
    await client.start();
    return client;
  } catch (error) {
    // The next start does not wait for an answer.
    void complain(error);
    return undefined;
  }
}

async function complain(error: unknown): Promise<void> {
  const settings = "Open the settings";
  const message = `Cannot start ${program()}: ${error instanceof Error ? error.message : String(error)}. Install hcl, or set its path.`;
  const choice = await vscode.window.showErrorMessage(message, settings);
  if (choice === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "hcl.server.path");
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
  command(context, "hcl.eval", () => show("hcl", "Values", "eval"));
  command(context, "hcl.graph", () => show("plaintext", "Graph", "graph"));
  // The menus leave these commands out in a browser, where there are no programs.
  await vscode.commands.executeCommand("setContext", "hcl.hasProgram", true);
  await run(context, start);
}

export async function deactivate(): Promise<void> {
  await stop();
}
