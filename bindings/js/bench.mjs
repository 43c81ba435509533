// Measures parsing to objects against other packages, each in a process of its own: node bench.mjs DIRECTORY…
// Prints the time to the first result, with the import, and megabytes in a second over all files.

import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The most files that are read. */
const MOST = 400;

const require = createRequire(import.meta.url);
const PARSERS = {
  "hclkit/hcl2json": async () => (await import("hclkit/hcl2json")).parseSync,
  "hclkit, toJson": async () => {
    const { toJson } = await import("hclkit");
    return (name, text) => toJson(text, { name });
  },
  "hclkit, parse only": async () => {
    const { parse } = await import("hclkit");
    return (name, text) => parse(text, { name }).free();
  },
  "@cdktn/hcl2json 0.24": async () => require("@cdktn/hcl2json").parse,
  "@cdktf/hcl2json 0.21": async () => require("@cdktf/hcl2json").parse,
  "hcl2-parser 1.0": async () => {
    const { parseToObject } = require("hcl2-parser");
    return (_, text) => parseToObject(text);
  },
};

function* files(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && !["node_modules", "target", ".git"].includes(entry.name)) yield* files(path);
    else if (entry.isFile() && entry.name.endsWith(".tf")) yield path;
  }
}

/** Measures one parser. Each file is parsed until a second has passed for all of them. */
async function measure(name, paths) {
  const start = performance.now();
  const parse = await PARSERS[name]();
  await parse("main.tf", 'a "b" {\n  c = 1\n}\n');
  const first = performance.now() - start;
  const texts = [];
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    try {
      await parse(path, text);
      texts.push([path, text]);
    } catch {
      // Files with errors are left out.
    }
  }
  const bytes = texts.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
  let best = Infinity;
  for (const end = performance.now() + 3_000; performance.now() < end; ) {
    const round = performance.now();
    for (const [path, text] of texts) await parse(path, text);
    best = Math.min(best, performance.now() - round);
  }
  return { name, first, files: texts.length, bytes, rate: bytes / 1e3 / best };
}

if (process.argv[2] === "--one") {
  const { name, paths } = JSON.parse(readFileSync(0, "utf8"));
  process.stdout.write(JSON.stringify(await measure(name, paths)));
  process.exit(0);
}
const all = process.argv.slice(2).flatMap((directory) => [...files(directory)]);
const step = Math.max(1, Math.floor(all.length / MOST));
const paths = all.filter((_, at) => at % step === 0).slice(0, MOST);
for (const name of Object.keys(PARSERS)) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), "--one"], {
    input: JSON.stringify({ name, paths }),
  });
  if (status !== 0) throw new Error(String(stderr));
  const { first, files, bytes, rate } = JSON.parse(stdout);
  console.log(`${name}: first result after ${first.toFixed(0)} ms, ${rate.toFixed(2)} MB/s (${files} files, ${bytes} bytes)`);
}
