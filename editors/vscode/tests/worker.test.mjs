// The worker with the server in it, without a browser.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, test } from "node:test";
import vm from "node:vm";

const read = (path) => readFileSync(new URL(`../dist/${path}`, import.meta.url));

const skip = !existsSync(new URL("../dist/server.wasm", import.meta.url)) && "cargo xtask package --editors builds the server";

const channels = [];
class Channel extends MessageChannel {
  constructor() {
    super();
    channels.push(this);
  }
}
// They keep Node running.
after(() => channels.forEach((channel) => channel.port1.close()));

/** A worker that has these files, by their names, and a function that asks it. */
async function worker(files, program = read("server.wasm")) {
  const heard = [];
  const scope = vm.createContext({ TextEncoder, TextDecoder, WebAssembly, MessageChannel: Channel, Uint8Array, Array, postMessage: (message) => heard.push(message) });
  vm.runInContext(read("worker.js"), scope);
  const tell = (data) => scope.onmessage({ data });
  const content = (text) => text && new TextEncoder().encode(text);
  const put = (files) => tell(Object.entries(files).map(([name, text]) => [`vscode-vfs://github/o/r/${name}`, content(text)]));
  const until = async (is) => {
    for (let turn = 0; turn < 1000; turn += 1) {
      const found = heard.find(is);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.fail("no answer");
  };
  let last = 0;
  const ask = async (method, params) => {
    const id = (last += 1);
    await tell({ jsonrpc: "2.0", id, method, params });
    return until((message) => message.id === id && !message.method);
  };
  await tell({ program });
  await put(files);
  return { ask, tell, put, until };
}

const folder = "vscode-vfs://github/o/r";
const initialize = { processId: null, rootUri: folder, workspaceFolders: [{ uri: folder, name: "r" }], capabilities: { textDocument: { diagnostic: {} } } };
const open = (name, text) => ({
  jsonrpc: "2.0",
  method: "textDocument/didOpen",
  params: { textDocument: { uri: `${folder}/${name}`, languageId: "terraform", version: 1, text } },
});

test("files that the worker was given are those of the server", { skip }, async () => {
  const { ask, tell, put } = await worker({ "variables.tf": 'variable "name" {\n  default = "web"\n}\n' });
  assert.equal((await ask("initialize", initialize)).result.capabilities.hoverProvider, true);
  tell({ jsonrpc: "2.0", method: "initialized", params: {} });
  const text = 'output "name" {\n  value = upper(var.name)\n}\n';
  tell(open("main.tf", text));
  const textDocument = { uri: `${folder}/main.tf` };
  const hover = await ask("textDocument/hover", { textDocument, position: { line: 1, character: 21 } });
  assert.match(hover.result.contents.value, /"web"/);
  const found = async () => (await ask("textDocument/diagnostic", { textDocument })).result.items.map((item) => item.code);
  assert.equal((await found()).length, 0);
  // Without the other file, the variable is missing.
  put({ "variables.tf": undefined });
  tell({ jsonrpc: "2.0", method: "workspace/didChangeWatchedFiles", params: { changes: [{ uri: `${folder}/variables.tf`, type: 3 }] } });
  assert.equal((await found()).length, 1);
});

test("what is deeply nested is an error, and the server goes on", { skip }, async () => {
  const { ask, tell } = await worker({});
  await ask("initialize", initialize);
  const pairs = [["a.tf", "(", ")"], ["b.tf", "{a=", "}"], ["c.tf", "[", "]"], ["d.tf", '"${', '}"'], ["e.tf", "!", ""]];
  for (const [name, opening, closing] of pairs) {
    for (const depth of [100, 900, 100_000]) {
      tell(open(name, `locals {\n  x = ${opening.repeat(depth)}1${closing.repeat(depth)}\n}\n`));
      const textDocument = { uri: `${folder}/${name}` };
      const { result } = await ask("textDocument/diagnostic", { textDocument });
      assert.equal(result.items.some((item) => item.code === "nesting-too-deep"), depth > 100, `${name} ${depth}`);
      await ask("textDocument/formatting", { textDocument, options: { tabSize: 2, insertSpaces: true } });
      await ask("textDocument/hover", { textDocument, position: { line: 1, character: 2 } });
      tell({ jsonrpc: "2.0", method: "textDocument/didClose", params: { textDocument } });
    }
  }
  // Each local value needs the next one.
  const chain = Array.from({ length: 20_000 }, (_, at) => `  a${at} = local.a${at + 1}\n`);
  tell(open("f.tf", `locals {\n${chain.join("")}  a20000 = 1\n}\n`));
  const textDocument = { uri: `${folder}/f.tf` };
  assert.ok((await ask("textDocument/hover", { textDocument, position: { line: 1, character: 3 } })).result);
});

test("a request that is cancelled before its turn is not answered", { skip }, async () => {
  const { ask, tell } = await worker({});
  await ask("initialize", initialize);
  const request = ask("workspace/symbol", { query: "" });
  tell({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 2 } });
  assert.equal((await request).error.code, -32800);
});

test("a program that fails is reported, and requests are answered", async () => {
  // It has one function, `input`, which is `unreachable`.
  const code = "0061736d01000000 010401600000 03020100 07090105696e7075740000 0a05010300000b";
  const { ask, until } = await worker({ "main.tf": "" }, Buffer.from(code.replaceAll(" ", ""), "hex"));
  const { error } = await ask("initialize", initialize);
  assert.match(error.message, /unreachable/);
  assert.deepEqual((await until((message) => message.method === "hcl/failed")).params[0], error.message);
});

test("without a program, requests are answered with the reason", async () => {
  const { ask } = await worker({}, new Uint8Array(8));
  assert.match((await ask("initialize", initialize)).error.message, /CompileError/);
});
