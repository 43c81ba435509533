// What the manifest promises is there.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"));
const manifest = read("package.json");
const source = readFileSync(new URL("../src/extension.ts", import.meta.url), "utf8");

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
  const registered = [...source.matchAll(/command\("(hcl\.\w+)"/g)].map((own) => own[1]).sort();
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
