// The program dprint with the plugin formats files as hclkit does, and only once: node dprint.mjs PROGRAM PLUGIN DIRECTORY…

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

import { HclError, format } from "hclkit";

const [program, plugin, ...directories] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "hclkit-"));
const run = (...args) => spawnSync(resolve(program), args, { cwd: directory, encoding: "utf8", env: { ...process.env, DPRINT_CACHE_DIR: join(directory, ".cache") } });

function* files(at) {
  for (const entry of readdirSync(at, { withFileTypes: true })) {
    const path = join(at, entry.name);
    if (entry.isDirectory() && !["node_modules", "target", ".git"].includes(entry.name)) yield* files(path);
    else if (entry.isFile() && /\.(tf|tfvars|hcl|nomad|tofu)$/.test(entry.name)) yield path;
  }
}

cpSync(plugin, join(directory, "plugin.wasm"));
writeFileSync(join(directory, "dprint.json"), '{"plugins":["./plugin.wasm"]}');
const expected = new Map();
let number = 0;
for (const path of directories.flatMap((one) => [...files(one)])) {
  const text = readFileSync(path, "utf8");
  const inside = String((number += 1));
  mkdirSync(join(directory, inside));
  const copy = join(inside, basename(path));
  try {
    expected.set(copy, format(text, { name: copy }));
    writeFileSync(join(directory, copy), text);
  } catch (error) {
    // Files with errors are not formatted.
    assert.ok(error instanceof HclError);
  }
}
// They take no plugin's name from the text.
writeFileSync(join(directory, "main.tf"), "a =\n");
assert.match(run("check", "main.tf").stderr, /1:4|main\.tf/);
rmSync(join(directory, "main.tf"));

for (const turn of [1, 2]) {
  const { status, stderr } = run("fmt");
  assert.equal(status, 0, stderr);
  for (const [path, text] of expected) assert.equal(readFileSync(join(directory, path), "utf8"), text, `${path}, turn ${turn}`);
}
assert.equal(run("check").status, 0);
writeFileSync(join(directory, "dprint.json"), '{"plugins":["./plugin.wasm"],"hcl":{"frobnicate":true}}');
assert.match(run("check").stderr, /frobnicate/);
console.log(`dprint formats ${expected.size} files as hclkit does`);
rmSync(directory, { recursive: true });
