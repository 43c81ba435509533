// The extension in a browser: the server is WebAssembly in a worker. It cannot read files, so it gets all that concern it.

import * as vscode from "vscode";
import { FileChangeType, LanguageClient, type Middleware } from "vscode-languageclient/browser";
import { options, run, stop } from "./common";
import type { Content, Start } from "./worker";

/** The files that the server asks to watch. */
const ENDINGS = ["tf", "tofu", "hcl", "nomad", "tfvars", "json", "pkrvars", "hcldec"];
const PATTERN = `**/{*.{${ENDINGS.join(",")}},hcl.toml}`;
const NAME = new RegExp(`\\.(${ENDINGS.join("|")})$|^hcl\\.toml$`);

// Each file and each directory of a repository on the web may be a request.
const MOST_FILES = 5_000;
const MOST_DIRECTORIES = 1_000;
const MOST_BYTES = 16 << 20;
const AT_ONCE = 32;
const MOST_SEARCH = 2_000;
const MOST_RESTARTS = 4;

let client: LanguageClient | undefined;
let worker: Worker | undefined;
let restarts = 0;
/** The addresses of the files that the server has. */
const known = new Set<string>();

/** The files below a directory, for file systems that cannot be searched. */
async function walk(root: vscode.Uri): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  const directories = [root];
  for (let at = 0; at < Math.min(directories.length, MOST_DIRECTORIES) && found.length < MOST_FILES; at += 1) {
    const directory = directories[at] ?? root;
    const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(directory)).catch(() => []);
    for (const [name, type] of entries) {
      const uri = vscode.Uri.joinPath(directory, name);
      if (type === vscode.FileType.Directory && name !== "node_modules" && name !== ".git") {
        directories.push(uri);
      } else if (type & vscode.FileType.File && NAME.test(name)) {
        found.push(uri);
      }
    }
  }
  if (directories.length > MOST_DIRECTORIES) {
    void vscode.window.showWarningMessage(`HCL: ${root.path} has more than ${MOST_DIRECTORIES} directories. The others are not read.`);
  }
  return found;
}

async function find(folder: vscode.Uri): Promise<vscode.Uri[]> {
  const pattern = new vscode.RelativePattern(folder, PATTERN);
  const search = vscode.workspace.findFiles(pattern, "**/node_modules/**", MOST_FILES);
  // Where nothing can be searched, VS Code waits for something that can.
  const nothing = new Promise<vscode.Uri[]>((resolve) => setTimeout(resolve, MOST_SEARCH, []));
  const found = await Promise.race([Promise.resolve(search).catch(() => []), nothing]);
  return found.length > 0 ? found : walk(folder);
}

async function read(uri: vscode.Uri): Promise<Content> {
  const found = await Promise.resolve(vscode.workspace.fs.readFile(uri)).catch(() => undefined);
  const content = found && found.length <= MOST_BYTES ? found : undefined;
  const address = uri.toString();
  content ? known.add(address) : known.delete(address);
  return [address, content];
}

/** Gives the server these files. Those that are not there any more are removed. */
async function send(uris: readonly vscode.Uri[]): Promise<void> {
  for (let at = 0; at < uris.length; at += AT_ONCE) {
    const files = await Promise.all(uris.slice(at, at + AT_ONCE).map(read));
    worker?.postMessage(files);
  }
}

/** Directories are created, moved and deleted as a whole. Of the files in them, nobody says anything. */
async function sendMoved(uris: readonly vscode.Uri[]): Promise<void> {
  const gone = [...known].filter((address) => uris.some((uri) => address.startsWith(`${uri.toString()}/`)));
  const there = await Promise.all(uris.map(walk));
  const addresses = new Set([...gone, ...there.flat().map((uri) => uri.toString())]);
  await send([...addresses].map((address) => vscode.Uri.parse(address)));
  const changes = [...addresses].map((uri) => ({ uri, type: FileChangeType.Changed }));
  await client?.sendNotification("workspace/didChangeWatchedFiles", { changes });
}

async function sendFolders(folders: readonly vscode.WorkspaceFolder[]): Promise<void> {
  const place = { location: vscode.ProgressLocation.Window, title: "HCL: reading files" };
  await vscode.window.withProgress(place, async () => {
    for (const folder of folders) {
      const files = await find(folder.uri);
      if (files.length >= MOST_FILES) {
        void vscode.window.showWarningMessage(`HCL: ${folder.name} has more than ${MOST_FILES} files. The others are not read.`);
      }
      await send(files.slice(0, MOST_FILES));
    }
  });
}

async function start(context: vscode.ExtensionContext): Promise<LanguageClient> {
  const file = (name: string) => vscode.Uri.joinPath(context.extensionUri, "dist", name);
  worker?.terminate();
  client = undefined;
  known.clear();
  worker = new Worker(file("worker.js").toString(true));
  const program: Start = { program: await vscode.workspace.fs.readFile(file("server.wasm")) };
  worker.postMessage(program);
  await sendFolders(vscode.workspace.workspaceFolders ?? []);
  const middleware: Middleware = {
    workspace: {
      // The server hears of a change when it has the file.
      didChangeWatchedFile: async (event, next) => {
        await send([vscode.Uri.parse(event.uri)]);
        await next(event);
      },
      didChangeWorkspaceFolders: async (event, next) => {
        await sendFolders(event.added);
        await next(event);
      },
    },
  };
  const started = new LanguageClient("hcl", "HCL", { ...options(), middleware }, worker);
  started.onNotification("hcl/failed", async (reason: string) => {
    started.error(`The server has failed: ${reason}`);
    // What it cannot read would let it fail again and again.
    restarts += 1;
    if (restarts <= MOST_RESTARTS) {
      await vscode.commands.executeCommand("hcl.restart");
    }
  });
  await started.start();
  client = started;
  return started;
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.workspace.onDidCreateFiles((event) => sendMoved(event.files)),
    vscode.workspace.onDidDeleteFiles((event) => sendMoved(event.files)),
    vscode.workspace.onDidRenameFiles((event) => sendMoved(event.files.flatMap((own) => [own.oldUri, own.newUri]))),
  );
  await run(context, () => start(context));
}

export async function deactivate(): Promise<void> {
  await stop();
  worker?.terminate();
}
