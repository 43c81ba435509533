// The program `hclkit`, and the language server as a thread of Node.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

import { startServer } from "hclkit/lsp";

const program = fileURLToPath(new URL("./node_modules/hclkit/dist/esm/cli.js", import.meta.url));

function run(args, input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { input, encoding: "utf8" });
  return [status, stdout, stderr];
}

function inDirectory(files, work) {
  const directory = mkdtempSync(join(tmpdir(), "hclkit-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  try {
    work(directory, (name) => readFileSync(join(directory, name), "utf8"));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test("check", () => {
  inDirectory({ "a.tf": "a = 1\n", "b.tf": "b = \n", "c.txt": "=" }, (directory) => {
    const [status, out] = run(["check", directory]);
    assert.equal(status, 1);
    assert.match(out, /b\.tf:1:5/);
    assert.equal(run(["check", join(directory, "a.tf")])[0], 0);
    assert.equal(run(["check", join(directory, "nothing.tf")])[0], 2);
  });
});

test("fmt", () => {
  inDirectory({ "a.tf": "a=1\n", "b.tf": "b = 1\n", "c.tf": "c = \n", "d.tf.json": "{}" }, (directory, read) => {
    const [status, out] = run(["fmt", "--check", directory]);
    assert.deepEqual([status, out], [1, `${join(directory, "a.tf")}\n`]);
    assert.equal(read("a.tf"), "a=1\n");
    const [code, , complaints] = run(["fmt", directory]);
    assert.equal(code, 1);
    assert.match(complaints, /c\.tf/);
    assert.deepEqual([read("a.tf"), read("c.tf")], ["a = 1\n", "c = \n"]);
    writeFileSync(join(directory, "e.tf"), Buffer.from([0x61, 0x3d, 0xff]));
    assert.equal(run(["fmt", join(directory, "e.tf")])[0], 2);
  });
  assert.deepEqual(run(["fmt", "-"], "a=1\n"), [0, "a = 1\n", ""]);
});

test("convert and query", () => {
  assert.deepEqual(run(["convert"], "a = 1\n"), [0, '{\n  "a": 1\n}\n', ""]);
  assert.deepEqual(run(["convert", "--to", "hcl"], '{"a": 1}'), [0, "a = 1\n", ""]);
  assert.deepEqual(run(["query", "b.a"], "b {\n  a = x.y\n}\n"), [0, "x.y\n", ""]);
  assert.deepEqual(run(["query", "--value", "b[0].a + 1"], "b {\n  a = 1\n}\n"), [0, "2\n", ""]);
  assert.deepEqual(run(["query", "--value", "{ a = a, b = [] }"], "a = 123456789012345678901234567890.5\n"), [0, '{\n  "a": 123456789012345678901234567890.5,\n  "b": []\n}\n', ""]);
  assert.match(run(["query", "--value", "a"], "a = var.x\n")[2], /unknown/);
  assert.match(run(["convert"], "a = 123456789012345678901234567890.5\n")[1], /123456789012345678901234567890\.5/);
  assert.equal(run(["query", "c"], "b {}\n")[0], 1);
  assert.equal(run(["query", "b["], "b {}\n")[0], 1);
});

test("arguments", () => {
  assert.equal(run([])[0], 2);
  assert.equal(run(["frobnicate"])[0], 2);
  assert.equal(run(["fmt", "--frobnicate"])[0], 2);
  assert.match(run(["--help"])[1], /Usage/);
  assert.match(run(["--version"])[1], /^hclkit \d/);
});

test("the language server answers", async () => {
  const server = await startServer();
  const messages = [];
  let wake = () => {};
  server.subscribe((message) => {
    messages.push(message);
    wake();
  });
  const until = async (is) => {
    for (;;) {
      const found = messages.find(is);
      if (found) return found;
      await new Promise((resolve) => (wake = resolve));
    }
  };
  server.setFiles({ "file:///p/variables.tf": 'variable "name" {\n  default = "web"\n}\n' });
  const uri = "file:///p/main.tf";
  server.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { processId: null, rootUri: "file:///p", workspaceFolders: [{ uri: "file:///p", name: "p" }], capabilities: {} } });
  assert.equal((await until((message) => message.id === 1)).result.capabilities.hoverProvider, true);
  server.send({ jsonrpc: "2.0", method: "initialized", params: {} });
  server.send({ jsonrpc: "2.0", method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "terraform", version: 1, text: "locals {\n  a = var.nmae\n}\n" } } });
  const published = await until((message) => message.method === "textDocument/publishDiagnostics" && message.params.diagnostics.length > 0);
  assert.equal(published.params.diagnostics[0].range.start.line, 1);
  server.terminate();
});
