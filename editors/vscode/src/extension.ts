// The extension on the desktop: it starts `hcl lsp` for the folders of the window, and has commands that run `hcl`.

import { execFile } from "node:child_process";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type ServerOptions } from "vscode-languageclient/node";
import { command, options, run, stop } from "./common";
import { isNetworkPath, offered, refusal } from "./program";

/** A setting of the user or of the machine. What a folder says is not asked for, whether it is trusted or not. */
function own<T>(setting: string): T | undefined {
  return vscode.workspace.getConfiguration("hcl").inspect<T>(setting)?.globalValue;
}

function program(): string {
  const path = own<unknown>("server.path") ?? "";
  return typeof path === "string" ? path : JSON.stringify(path);
}

async function start(): Promise<LanguageClient | undefined> {
  const path = program();
  const refused = refusal(path);
  if (refused !== undefined) {
    void complain(refused);
    return undefined;
  }
  const more = own<string[]>("server.arguments") ?? [];
  // It does not run in the directory of a folder.
  const server: ServerOptions = { command: path, args: ["lsp", ...more], options: { cwd: dirname(path) } };
  const client = new LanguageClient("hcl", "HCL", server, options(["file", "untitled"]));
  try {
    await client.start();
    return client;
  } catch (error) {
    // The next start does not wait for an answer.
    void complain(`Cannot start ${path}: ${error instanceof Error ? error.message : String(error)}.`);
    return undefined;
  }
}

async function complain(why: string): Promise<void> {
  const settings = "Open the settings";
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const found = program() === "" ? offered(process.env["PATH"] ?? "", folders) : undefined;
  const use = found === undefined ? [] : [`Use ${found}`];
  const choice = await vscode.window.showErrorMessage(`${why} Install hcl, and set its path.`, ...use, settings);
  if (choice === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "hcl.server.path");
  } else if (choice !== undefined) {
    // The change starts the server.
    const global = vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration("hcl").update("server.path", found, global);
  }
}

/** Why a directory is not one to run the program in. The menus hide the commands in such folders, but keys may run them. */
function refusalOf(directory: string): string | undefined {
  if (!vscode.workspace.isTrusted) {
    return "The folder is not trusted.";
  }
  return isNetworkPath(directory) ? `Network paths are not read: ${directory}.` : undefined;
}

/** Runs `hcl` for the module of the active editor and shows what it prints. */
async function show(language: string, title: string, ...command: string[]): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.uri.scheme !== "file") {
    await vscode.window.showInformationMessage(`${title}: open a file on disk first.`);
    return;
  }
  const directory = dirname(editor.document.uri.fsPath);
  const path = program();
  const refused = refusalOf(directory) ?? refusal(path);
  if (refused !== undefined) {
    await vscode.window.showErrorMessage(`${title}: ${refused}`);
    return;
  }
  const text = await new Promise<string>((resolve) => {
    // The settings of the project count where the program runs.
    const settings = { cwd: directory, maxBuffer: 64 << 20, timeout: 60_000 };
    execFile(path, [...command, directory], settings, (error, output, errors) => {
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
