// Compares the sizes of the programs with sizes.txt: node sizes.mjs [--write]. Compilers differ by some percent.

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** The most bytes with gzip. */
const MOST = { format: 350_000 };
const ALLOWED = 0.03;

const file = new URL("sizes.txt", import.meta.url);
const sizes = Object.fromEntries(
  ["format", "full", "hcl2json", "lsp"].map((name) => [name, gzipSync(readFileSync(new URL(`../dist/${name}.wasm`, import.meta.url)), { level: 9 }).length]),
);
const text = Object.entries(sizes).map(([name, size]) => `${name} ${size}\n`).join("");
if (process.argv[2] === "--write") writeFileSync(file, text);
const expected = Object.fromEntries(readFileSync(file, "utf8").trim().split("\n").map((line) => line.split(" ")));
let failed = false;
for (const [name, size] of Object.entries(sizes)) {
  const change = size / Number(expected[name]) - 1;
  if (Math.abs(change) > ALLOWED || size > (MOST[name] ?? Infinity)) {
    console.error(`${name}.wasm: ${size} bytes with gzip, ${expected[name]} in sizes.txt`);
    failed = true;
  }
}
if (failed) {
  console.error("If that is intended, run: node tests/sizes.mjs --write");
  process.exit(1);
}
