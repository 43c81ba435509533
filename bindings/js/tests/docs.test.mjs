// The code of the README and of the guide: each block is a module that must run.

import { readFileSync, writeFileSync } from "node:fs";
import test from "node:test";

const PAGES = process.env.PAGES?.split(":") ?? [];

for (const page of PAGES) {
  const text = readFileSync(page, "utf8");
  const blocks = [...text.matchAll(/^```js\n(.*?)^```$/gms)];
  if (blocks.length === 0) throw new Error(`${page} has no code`);
  for (const [at, { 1: code, index }] of blocks.entries()) {
    const line = text.slice(0, index).split("\n").length;
    test(`${page}:${line}`, async () => {
      const file = new URL(`./block-${PAGES.indexOf(page)}-${at}.mjs`, import.meta.url);
      writeFileSync(file, code);
      await import(file);
    });
  }
}
