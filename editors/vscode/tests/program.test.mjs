// Which program the extension on the desktop starts, in folders that contain programs of its name.

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const skip = process.platform === "win32" && "the programs of this test are scripts";

const source = fileURLToPath(new URL("../src/program.ts", import.meta.url));
const built = buildSync({ entryPoints: [source], bundle: true, platform: "node", format: "esm", write: false });
const { isNetworkPath, offered, refusal } = await import(`data:text/javascript,${encodeURIComponent(built.outputFiles[0].text)}`);

const top = realpathSync(mkdtempSync(join(tmpdir(), "hcl-program-")));
const [here, path] = [process.cwd(), process.env.PATH];
after(() => {
  process.chdir(here);
  process.env.PATH = path;
  rmSync(top, { recursive: true });
});

/** What the program does as a server: it answers each request with nothing. */
const SERVE = `
let text = Buffer.alloc(0);
process.stdin.on("data", (data) => {
  text = Buffer.concat([text, data]);
  for (;;) {
    const head = text.indexOf("\\r\\n\\r\\n");
    const length = Number(/Content-Length: (\\d+)/.exec(text.subarray(0, Math.max(head, 0)))?.[1]);
    if (!(text.length >= head + 4 + length)) return;
    const { id, method } = JSON.parse(text.subarray(head + 4, head + 4 + length));
    text = text.subarray(head + 4 + length);
    if (method === "exit") process.exit(0);
    if (id === undefined) continue;
    const answer = JSON.stringify({ jsonrpc: "2.0", id, result: method === "initialize" ? { capabilities: {} } : null });
    process.stdout.write("Content-Length: " + answer.length + "\\r\\n\\r\\n" + answer);
  }
});
process.stdin.on("end", () => process.exit(0));`;

/** A program that leaves its directory and its arguments in a file. */
function program(path, mark) {
  mkdirSync(join(path, ".."), { recursive: true });
  const write = `require("fs").writeFileSync(${JSON.stringify(mark)}, [process.cwd(), ...process.argv.slice(2)].join("\\n"));`;
  writeFileSync(path, `#!${process.execPath}\n${write}\nif (process.argv[2] === "lsp") {${SERVE}\n}\n`);
  chmodSync(path, 0o755);
}

const folder = join(top, "folder");
const hostile = join(top, "hostile");
for (const name of ["hcl", "hcl.exe", "hcl.cmd", "hcl.bat", "bin/hcl", "node_modules/.bin/hcl", "-/hcl"]) {
  program(join(folder, name), hostile);
}
mkdirSync(join(folder, ".vscode"));
writeFileSync(join(folder, ".vscode/settings.json"), JSON.stringify({ "hcl.server.path": "./hcl" }));
writeFileSync(join(folder, "main.tf"), "");
const good = join(top, "tools/hcl");
const started = join(top, "started");
program(good, started);
mkdirSync(join(top, "links"));
symlinkSync(join(folder, "hcl"), join(top, "links/hcl"));
symlinkSync(join(folder, "bin"), join(top, "linked-bin"));

/** A name of VS Code that has no meaning here: a class whose instances, and whose members, are such names. */
function anything() {
  const made = class {};
  return new Proxy(made, {
    get: (target, name) => (name === "prototype" || typeof name === "symbol" ? target[name] : (target[name] ??= anything())),
    apply: () => anything(),
  });
}

/**
 * Runs the extension in the folder, with these settings of the user. The folder has settings of its own, and is trusted by default.
 * Returns the errors that were shown.
 */
async function activate(user, { choose = () => undefined, run, document = join(folder, "main.tf"), isTrusted = true } = {}) {
  const errors = [];
  const updates = [];
  const commands = new Map();
  const own = { "server.path": "./hcl", "server.arguments": ["--log", hostile], languages: [], specs: {}, schemas: [] };
  const settings = {
    get: (name) => own[name] ?? user[name],
    inspect: (name) => ({ key: `hcl.${name}`, defaultValue: "", globalValue: user[name], workspaceValue: own[name], workspaceFolderValue: own[name] }),
    update: async (...values) => void updates.push(values),
    has: () => true,
  };
  const vscode = anything();
  Object.assign(vscode.workspace, {
    workspaceFolders: [{ uri: { scheme: "file", fsPath: folder, toString: () => `file://${folder}` }, name: "folder", index: 0 }],
    isTrusted,
    getConfiguration: () => settings,
    onDidChangeConfiguration: () => ({ dispose() {} }),
    openTextDocument: async () => ({}),
    textDocuments: [],
    notebookDocuments: [],
  });
  Object.assign(vscode.window, {
    activeTextEditor: { document: { uri: { scheme: "file", fsPath: document } } },
    showTextDocument: async () => {},
    createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, dispose() {} }),
    showErrorMessage: async (message, ...choices) => {
      errors.push(message);
      return choose(choices);
    },
  });
  vscode.commands.registerCommand = (name, run) => (commands.set(name, run), { dispose() {} });
  vscode.commands.executeCommand = async () => {};
  vscode.EventEmitter = class {
    event = () => ({ dispose() {} });
    fire() {}
    dispose() {}
  };
  vscode.ConfigurationTarget = { Global: 1 };
  vscode.ViewColumn = { Beside: -2 };
  vscode.env = { language: "en", appName: "Code" };
  vscode.version = "1.91.0";

  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
  process.chdir(folder);
  let extension;
  try {
    const bundle = fileURLToPath(new URL("../dist/extension.js", import.meta.url));
    const require = createRequire(import.meta.url);
    delete require.cache[bundle];
    extension = require(bundle);
    await extension.activate({ subscriptions: [], asAbsolutePath: (own) => own });
    if (run) await commands.get(run)();
  } finally {
    // The server would keep Node running.
    await extension?.deactivate();
    Module._load = load;
  }
  return { errors, updates, commands: [...commands.keys()] };
}

const lines = (file) => readFileSync(file, "utf8").trimEnd().split("\n");

test("the server is started in its own directory, and commands in that of the module", { skip }, async () => {
  process.env.PATH = `${folder}${delimiter}/usr/bin${delimiter}/bin`;
  await activate({ "server.path": good, "server.arguments": ["--schema-cache", "/s"] });
  assert.deepEqual(lines(started), [join(top, "tools"), "lsp", "--schema-cache", "/s"]);
  for (const [run, command] of [["hcl.eval", "eval"], ["hcl.graph", "graph"]]) {
    await activate({ "server.path": good }, { run });
    assert.deepEqual(lines(started), [folder, command, folder]);
  }
  assert.ok(!existsSync(hostile));
});

test("no name leads to a program of the folder, whatever the path contains", { skip }, async () => {
  const names = [undefined, "", "hcl", "hcl.exe", "./hcl", "bin/hcl", "../folder/hcl", "-/hcl", "~/hcl", "//host/share/hcl", `/${folder}/hcl`, "\\\\host\\share\\hcl", "C:hcl", 7, ["./hcl"]];
  const entries = ["", ".", "bin", "./bin", folder, join(folder, "bin"), join(folder, "node_modules/.bin"), join(top, "tools/../folder"), join(top, "linked-bin"), join(top, "links"), `/${folder}`];
  for (const name of names) {
    for (const entry of [entries.join(delimiter), `${delimiter}${path}`]) {
      process.env.PATH = `${entry}${delimiter}/usr/bin${delimiter}/bin`;
      for (const run of [undefined, "hcl.eval", "hcl.graph", "hcl.restart"]) {
        // Whatever is offered is accepted.
        const { errors, updates } = await activate({ "server.path": name }, { run, choose: (choices) => choices[0] });
        assert.ok(errors.length > 0 && errors.every((error) => error.includes("hcl.server.path")), `${name}: ${errors}`);
        assert.ok(updates.every(([, value]) => !value.includes("folder")), `${name}: ${updates}`);
        assert.ok(!existsSync(hostile), `${name}, ${run}: ${entry}`);
      }
    }
  }
});

test("what is on the path is offered, and started after the user has chosen it", { skip }, async () => {
  process.env.PATH = [folder, "bin", join(top, "links"), join(top, "tools")].join(delimiter);
  rmSync(started, { force: true });
  const { updates } = await activate({}, { choose: (choices) => choices.find((own) => own === `Use ${good}`) });
  assert.deepEqual(updates.map(([name, value]) => [name, value]), [["server.path", good]]);
  assert.ok(!existsSync(started) && !existsSync(hostile));
  // In a folder around it, it is not.
  assert.equal(offered(process.env.PATH, [top]), undefined);
  assert.equal(offered(join(top, "tools"), [join(top, "too"), join(top, "tools/hcl/a")]), good);
});

test("commands do not run on network paths, and not in folders that are not trusted", { skip }, async () => {
  const refused = [
    [{ document: "//host/share/main.tf" }, /Network paths are not read/],
    [{ document: "\\\\host\\share/main.tf" }, /Network paths are not read/],
    [{ isTrusted: false }, /not trusted/],
  ];
  for (const [more, why] of refused) {
    for (const run of ["hcl.eval", "hcl.graph"]) {
      const { errors } = await activate({ "server.path": good }, { run, ...more });
      assert.match(errors.join(), why);
      assert.equal(lines(started)[1], "lsp");
    }
  }
});

test("a path of the program is absolute on its system, and on this machine", () => {
  const network = ["//host/share/hcl.exe", "\\\\host\\share\\hcl.exe", "/\\host\\share\\hcl.exe", "\\/host/hcl.exe", "\\\\?\\UNC\\host\\hcl.exe", "\\\\.\\pipe\\hcl", "//?/C:/hcl.exe"];
  for (const path of network) {
    assert.ok(isNetworkPath(path), path);
    for (const platform of ["linux", "win32"]) assert.match(refusal(path, platform), /network path/, path);
  }
  const relative = ["hcl", "hcl.exe", "./hcl", ".\\hcl", "C:hcl.exe", "\\hcl.exe", "~/hcl", "%PATH%\\hcl", "${workspaceFolder}/hcl", "file:///usr/bin/hcl", " /usr/bin/hcl"];
  for (const path of relative) {
    for (const platform of ["linux", "darwin", "win32"]) assert.match(refusal(path, platform), /absolute path/, path);
  }
  for (const path of ["C:\\Tools\\hcl.exe", "c:/Tools/hcl.exe"]) {
    assert.equal(refusal(path, "win32"), undefined);
    assert.match(refusal(path, "linux"), /absolute path/);
  }
  assert.equal(refusal("/usr/local/bin/hcl", "linux"), undefined);
  assert.match(refusal("/usr/local/bin/hcl", "win32"), /absolute path/);
  assert.match(refusal("", "linux"), /empty/);
});
