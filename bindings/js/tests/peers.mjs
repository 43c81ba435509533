// Compares hclkit/hcl2json with the packages that it replaces, over files: node peers.mjs DIRECTORY…
// Answers must be equal but for the faults of the packages that are listed here.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

import * as hcl from "hclkit";
import * as own from "hclkit/hcl2json";

const PEERS = ["@cdktf/hcl2json", "@cdktn/hcl2json"];
const EXTENSIONS = new Set([".tf", ".hcl", ".tfvars", ".nomad", ".tofu"]);

/** What differs, and why. Each tells the question, our answer and theirs. */
const FAULTS = {
  "blocks beside an argument of the same name are lost": (_, ours) => ours[0] === "error" && /cannot be converted/.test(ours[1]),
  "blocks with labels after blocks without are refused without a place": (_, ours, theirs) =>
    theirs[0] === "error" && /Unable to convert Block|cannot have blocks with and without labels/.test(theirs[1]),
  "references in the body of a for expression or directive are lost": ([, text], ours, theirs) =>
    /\bfor\b/.test(text) && ours[0] === "value" && theirs[0] === "value" &&
    theirs[1].every((one) => ours[1]?.some((other) => other.startPosition === one.startPosition)) && theirs[1].length < ours[1].length,
  "an operator of literals is evaluated, and fails": (_, ours, theirs) =>
    theirs[0] === "error" && /Invalid operand|Operation failed/.test(theirs[1]),
};

function* files(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && !["node_modules", "target", ".git", "dist"].includes(entry.name)) yield* files(path);
    else if (entry.isFile() && EXTENSIONS.has(extname(entry.name))) yield path;
  }
}

function ask(peer, method, questions) {
  const script = fileURLToPath(new URL("peer.mjs", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, peer, method], {
    input: JSON.stringify(questions),
    maxBuffer: 1 << 30,
  });
  assert.equal(status, 0, String(stderr));
  return JSON.parse(stdout);
}

async function answer(method, questions) {
  const answers = [];
  for (const [file, text] of questions) {
    try {
      answers.push(["value", JSON.parse(JSON.stringify(await own[method](file, text)))]);
    } catch (error) {
      assert.equal(error.name, "HclError", `${file}: ${error.stack}`);
      answers.push(["error", error.message]);
    }
  }
  return answers;
}

function isEqual(ours, theirs) {
  if (ours[0] !== theirs[0]) return false;
  if (ours[0] === "error") return true;
  try {
    assert.deepEqual(ours[1], theirs[1]);
    return true;
  } catch {
    return false;
  }
}

/** Compares answers. Returns how many differ for no reason that is known. */
async function compare(method, questions) {
  const ours = await answer(method, questions);
  let wrong = 0;
  for (const peer of PEERS) {
    const theirs = ask(peer, method, questions);
    const counts = { equal: 0 };
    questions.forEach((question, at) => {
      const fault = isEqual(ours[at], theirs[at])
        ? "equal"
        : Object.keys(FAULTS).find((name) => FAULTS[name](question, ours[at], theirs[at]));
      if (fault) {
        counts[fault] = (counts[fault] ?? 0) + 1;
        return;
      }
      wrong += 1;
      if (wrong <= 20) {
        const short = (answer) => JSON.stringify(answer).slice(0, 1500);
        console.error(`${peer} ${method} ${question[0]}\n${question[1]?.slice(0, 300)}\n  ours:   ${short(ours[at])}\n  theirs: ${short(theirs[at])}`);
      }
    });
    console.log(`${peer} ${method}: ${questions.length} asked, ${Object.entries(counts).map(([name, count]) => `${count} ${name}`).join("; ")}`);
  }
  return wrong;
}

/** The source texts of all expressions in a file. */
function expressions(name, text) {
  const document = hcl.parse(text, { name });
  const found = [];
  const visit = (body) => {
    for (const item of body) {
      if (item.kind === "block") visit(item.body);
      else found.push(item.text);
    }
  };
  if (!document.hasErrors) visit(document.body);
  document.free();
  return found;
}

const texts = process.argv.slice(2).flatMap((directory) => [...files(directory)]).map((path) => [path, readFileSync(path, "utf8")]);
// Larger ones take the packages a second each.
const some = texts.filter(([, text]) => text.length < 200_000);
const sources = [...new Set(some.flatMap(([name, text]) => expressions(name, text)))].filter((text) => text.length < 2_000);
const questions = sources.filter((_, at) => at % Math.ceil(sources.length / 5_000) === 0).map((text) => ["expression.tf", text]);
// The strings that `parse` returns, such as "${var.name}-1".
const strings = new Set();
const visit = (value) => {
  if (typeof value === "string" && value.length < 2_000 && strings.size < 5_000) strings.add(value);
  else if (value && typeof value === "object") Object.values(value).forEach(visit);
};
for (const [kind, value] of await answer("parse", some)) if (kind === "value") visit(value);
// Questions about each construct.
const constructs = JSON.parse(readFileSync(new URL("questions.json", import.meta.url), "utf8"));
let wrong = 0;
for (const [method, texts] of Object.entries(constructs)) {
  const isWrap = method === "wrapTerraformExpression";
  wrong += await compare(method, texts.map((text) => (isWrap ? [text] : ["x.tf", text])));
}
wrong += await compare("parse", some);
wrong += await compare("getExpressionAst", questions);
wrong += await compare("getReferencesInExpression", [...strings].map((text) => ["expression.tf", text]));
console.log(`${wrong} wrong`);
process.exit(wrong > 0 ? 1 : 0);
