// The entry point `hclkit/format`: formatting and diagnostics, in a small program.

import * as glue from "#glue/format";
import { load } from "#program/format";

import { diagnostics } from "./errors.js";
import { program } from "./program.js";

export { CrashError, Diagnostic, HclError, LimitError, Position, Range } from "./errors.js";

const call = program(glue, load);

/** Formats text as the program of its language does. Throws `HclError` if the text has errors. */
export function format(text, options = {}) {
  return call((glue) => glue.format(String(text), JSON.stringify(options)));
}

/** The errors and warnings of text. */
export function check(text, options = {}) {
  return call((glue) => {
    const document = new glue.Document(String(text), JSON.stringify(options));
    const found = JSON.parse(document.diagnostics());
    document.free();
    return diagnostics(found);
  });
}
