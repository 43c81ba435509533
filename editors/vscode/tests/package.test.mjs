// What the manifest promises is there.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const read = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"));
const manifest = read("package.json");
const text = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const source = readdirSync(new URL("../src", import.meta.url)).map((name) => text(`src/${name}`)).join("\n");

test("files of the manifest exist", () => {
  const { languages, grammars, snippets } = manifest.contributes;
  const paths = [...languages.map((own) => own.configuration), ...grammars.map((own) => own.path), ...snippets.map((own) => own.path)];
  for (const path of paths) {
    assert.ok(existsSync(new URL(`../${path}`, import.meta.url)), path);
    read(path);
  }
});

test("commands are registered, and all registered ones are listed", () => {
  const listed = manifest.contributes.commands.map((own) => own.command).sort();
  const registered = [...source.matchAll(/command\(context, "(hcl\.\w+)"/g)].map((own) => own[1]).sort();
  assert.deepEqual(registered, listed);
});

test("settings are read, and the README describes each", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  for (const name of Object.keys(manifest.contributes.configuration.properties)) {
    assert.ok(readme.includes(`\`${name}\``), name);
    if (!name.startsWith("hcl.trace.")) {
      assert.ok(source.includes(`("${name.replace("hcl.", "")}")`), name);
    }
  }
});

test("a browser has only the commands that need no program", () => {
  const command = /command\(context, "(hcl\.\w+)"/g;
  const native = [...text("src/extension.ts").matchAll(command)].map((own) => own[1]);
  const hidden = manifest.contributes.menus.commandPalette.filter((own) => own.when.includes("hcl.hasProgram"));
  assert.deepEqual(native.sort(), hidden.map((own) => own.command).sort());
  assert.deepEqual([...text("src/browser.ts").matchAll(command)], []);
});

test("a browser reads the files that the server watches", () => {
  const endings = text("src/browser.ts").match(/ENDINGS = (\[.*\]);/)[1];
  const server = text("../../crates/lsp/src/server.rs").match(/let watchers = .*;/)[0];
  const watched = [...server.matchAll(/\*\.(?:\{([\w,]+)\}|(\w+))"/g)].flatMap((own) => (own[1] ?? own[2]).split(","));
  assert.deepEqual(JSON.parse(endings).sort(), watched.sort());
});

/** What each setting names: a new one must be added here, and is then restricted as its kind must be. */
const NAMED = {
  "hcl.server.path": "program",
  "hcl.server.arguments": "program",
  "hcl.languages": "files",
  "hcl.specs": "files",
  "hcl.schemas": "files",
  "hcl.trace.server": "nothing",
};

test("a folder chooses no program, and one that is not trusted names no files", () => {
  const settings = manifest.contributes.configuration.properties;
  assert.deepEqual(Object.keys(settings).sort(), Object.keys(NAMED).sort());
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, "limited");
  const named = (is) => Object.keys(NAMED).filter((name) => is(NAMED[name])).sort();
  assert.deepEqual([...restrictedConfigurations].sort(), named((kind) => kind !== "nothing"));
  for (const name of named((kind) => kind === "program")) {
    // Only the user, for this machine. What starts programs reads nothing else.
    assert.equal(settings[name].scope, "machine", name);
    const read = [...source.matchAll(/(\w+)(?:<[^(]*>)?\("([\w.]+)"\)/g)].filter((own) => `hcl.${own[2]}` === name);
    assert.deepEqual(read.map((own) => own[1]), Array(read.length).fill("own"), name);
    assert.ok(read.length > 0, name);
  }
  for (const name of named((kind) => kind === "files")) {
    assert.equal(settings[name].scope, "machine-overridable", name);
  }
  // What may be a path or a command is no setting that names nothing: it has a fixed list of values.
  for (const name of named((kind) => kind === "nothing")) {
    assert.ok(Array.isArray(settings[name].enum) || ["boolean", "number"].includes(settings[name].type), name);
  }
  assert.equal(settings["hcl.server.path"].default, "");
});

test("programs are started by the path that was checked, without a shell", () => {
  const native = text("src/extension.ts");
  const started = [...native.matchAll(/\b(?:exec|execFile|spawn|fork)(?:Sync)?\(([^,]*),/g)].map((own) => own[1]);
  assert.deepEqual(started, ["path"]);
  assert.deepEqual([...native.matchAll(/command: (\w+), args/g)].map((own) => own[1]), ["path"]);
  for (const name of readdirSync(new URL("../src", import.meta.url))) {
    assert.ok(!/shell: true|createTerminal|ShellExecution|ProcessExecution/.test(text(`src/${name}`)), name);
    assert.equal(text(`src/${name}`).includes("child_process"), name === "extension.ts", name);
  }
});

test("the languages of the client are those of the manifest", () => {
  for (const { id } of manifest.contributes.languages) {
    assert.ok(source.includes(`"${id}"`), id);
  }
});
