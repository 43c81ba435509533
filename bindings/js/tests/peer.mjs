// Asks one of the packages that hclkit/hcl2json replaces, which cannot be loaded both in one process.
// node peer.mjs PACKAGE METHOD < QUESTIONS > ANSWERS, both JSON: an answer is ["value", …] or ["error", message].

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [, , name, method] = process.argv;
const peer = createRequire(import.meta.url)(name);
const answers = [];
for (const [file, text] of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    answers.push(["value", await peer[method](file, text)]);
  } catch (error) {
    answers.push(["error", error.message]);
  }
}
writeFileSync(1, JSON.stringify(answers));
process.exit(0);
