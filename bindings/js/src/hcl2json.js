// The entry point `hclkit/hcl2json`: what `@cdktf/hcl2json` exports.

import * as glue from "#glue/hcl2json";
import { load } from "#program/hcl2json";

import { program } from "./program.js";
import { referencesIn } from "./references.js";
import * as TFExpressionSyntaxTree from "./syntax-tree.js";

export { CrashError, Diagnostic, HclError, LimitError, Position, Range } from "./errors.js";
export { TFExpressionSyntaxTree };

const call = program(glue, load);

/** Text in the native syntax as plain data. */
export async function parse(filename, contents) {
  return parseSync(filename, contents);
}

/** The same at once. */
export function parseSync(filename, contents) {
  return JSON.parse(call((glue) => glue.hcl2json(String(contents), String(filename))));
}

/** All files `*.tf` and `*.tf.json` of a directory as plain data. */
export async function convertFiles(workingDirectory) {
  const [{ readFile, readdir }, { join }] = await Promise.all([import("node:fs/promises"), import("node:path")]);
  const entries = await readdir(workingDirectory, { withFileTypes: true });
  const names = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name).sort();
  const read = (name) => readFile(join(workingDirectory, name), "utf8");
  const native = await Promise.all(names.filter((name) => name.endsWith(".tf")).map(read));
  const json = await Promise.all(names.filter((name) => name.endsWith(".tf.json")).map(read));
  if (native.length === 0 && json.length === 0) {
    console.error(`${workingDirectory} has no files of Terraform (*.tf, *.tf.json).`);
    return {};
  }
  const all = await parse("hcl2json.tf", native.map((text) => `${text}\n`).join(""));
  return json.reduce((merged, text) => merge(merged, JSON.parse(text)), all);
}

/** Objects are merged, lists joined; of other values, the later one remains. */
function merge(one, other) {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (!isObject(one) || !isObject(other)) return other;
  const merged = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const both = Object.hasOwn(one, name) ? merge(one[name], value) : value;
    Object.defineProperty(merged, name, { value: both, configurable: true, enumerable: true, writable: true });
  }
  return merged;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The syntax tree of an expression. */
export async function getExpressionAst(filename, expression) {
  return JSON.parse(call((glue) => glue.hcl2json_ast(String(expression), String(filename))));
}

/** The references in the text of an attribute, which is put in quotes if it has none. */
export async function getReferencesInExpression(filename, expression) {
  const isQuoted = /^("|<<.*\n)/.test(expression);
  const { wrap, wrapOffset } = wrapTerraformExpression(isQuoted ? expression : `"${expression}"`);
  return referencesIn(await getExpressionAst(filename, wrap), wrapOffset + (isQuoted ? 0 : 1));
}

/** Makes the text of an attribute an expression, and says how many characters come before it. */
export function wrapTerraformExpression(input) {
  const text = withEscapedQuotes(input);
  if (!Number.isNaN(Number(text)) || /^(true|false)$|^[[{]/.test(text)) return { wrap: text, wrapOffset: 0 };
  if (text.startsWith("<<")) return { wrap: text.endsWith("\n") ? text : `${text}\n`, wrapOffset: 0 };
  if (!text.startsWith('"')) return { wrap: `"${text}"`, wrapOffset: 1 };
  // A string in quotes has one line.
  const heredoc = "<<EOE\n";
  return text.includes("\n")
    ? { wrap: `${heredoc}${text.slice(1, -1)}\nEOE\n`, wrapOffset: heredoc.length - 1 }
    : { wrap: text, wrapOffset: 0 };
}

/** Escapes the quotes in a string of one line that has no interpolations. */
function withEscapedQuotes(text) {
  const [, open, inner, close] = /^(\s*")(.*)("\s*)$/.exec(text) ?? [];
  const isPlain = inner !== undefined && !/(^|[^$])\$\{/.test(inner);
  return isPlain ? open + inner.replaceAll('"', '\\"') + close : text;
}
