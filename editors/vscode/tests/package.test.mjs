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

test("a folder that is not trusted cannot choose the program", () => {
  const restricted = manifest.capabilities.untrustedWorkspaces;
  assert.equal(restricted.supported, "limited");
  assert.deepEqual(restricted.restrictedConfigurations, ["hcl.server.path", "hcl.server.arguments"]);
});

test("the languages of the client are those of the manifest", () => {
  for (const { id } of manifest.contributes.languages) {
    assert.ok(source.includes(`"${id}"`), id);
  }
});
