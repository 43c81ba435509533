// What the extension does on the desktop and in a browser alike.

import * as vscode from "vscode";
import type { BaseLanguageClient, LanguageClientOptions } from "vscode-languageclient";

const LANGUAGES = ["terraform", "terraform-vars", "hcl"];

/** The options of a client for documents with these schemes, or with any. */
export function options(schemes?: string[]): LanguageClientOptions {
  const settings = vscode.workspace.getConfiguration("hcl");
  return {
    documentSelector: LANGUAGES.flatMap((language) =>
      schemes ? schemes.map((scheme) => ({ scheme, language })) : [{ language }],
    ),
    // Copies: a worker cannot get the objects of VS Code.
    initializationOptions: {
      languages: [...(settings.get<string[]>("languages") ?? [])],
      specs: { ...settings.get<Record<string, string>>("specs") },
      schemas: [...(settings.get<string[]>("schemas") ?? [])],
    },
    outputChannelName: "HCL",
  };
}

export function command(context: vscode.ExtensionContext, name: string, run: () => unknown): void {
  context.subscriptions.push(vscode.commands.registerCommand(name, run));
}

let client: BaseLanguageClient | undefined;

/** Starts a client, and another one when the settings change or somebody asks for it. */
export async function run(
  context: vscode.ExtensionContext,
  start: () => Promise<BaseLanguageClient | undefined>,
): Promise<void> {
  // One restart after the other: settings may change meanwhile.
  let last: Promise<void> = Promise.resolve();
  const restart = () => {
    last = last
      .catch(() => undefined)
      .then(async () => {
        await stop();
        client = await start();
      });
    return last;
  };
  command(context, "hcl.restart", restart);
  // The hover of the server has the explanation.
  command(context, "hcl.explain", () => vscode.commands.executeCommand("editor.action.showHover"));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("hcl") && !change.affectsConfiguration("hcl.trace")) {
        await restart();
      }
    }),
  );
  await restart();
}

export async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  // A server that has failed does not answer.
  await running?.dispose().catch(() => undefined);
}
