// Errors, and where they are.

/** A position in a source. */
export class Position {
  constructor(line, column, offset, byte) {
    this.line = line;
    this.column = column;
    this.offset = offset;
    this.byte = byte;
  }

  toString() {
    return `${this.line}:${this.column}`;
  }
}

/** A part of a source: from `start` up to, and without, `end`. */
export class Range {
  constructor(name, start, end) {
    this.name = name;
    this.start = start;
    this.end = end;
  }

  toString() {
    return `${this.name}${this.name && ":"}${this.start}-${this.end}`;
  }
}

/** The range that the program writes as an array. */
export function range(json) {
  return json && new Range(json[0], new Position(...json[1]), new Position(...json[2]));
}

/** One error or warning. */
export class Diagnostic {
  constructor(json) {
    this.code = json.code;
    this.severity = json.severity;
    this.message = json.message;
    this.note = json.note;
    this.range = range(json.range);
    this.address = json.address;
    this.fix = json.fix && {
      title: json.fix.title,
      edits: json.fix.edits.map(([where, replacement]) => ({ range: range(where), replacement })),
    };
    this.related = json.related.map((one) => ({ message: one.message, range: range(one.range) }));
    this.evidence = json.evidence.map(([expression, value]) => ({ expression, value }));
    Object.defineProperty(this, "rendered", { value: json.text });
  }

  /** The text that the program `hcl` prints; with `hclkit/format`, a line. */
  toString() {
    const where = this.range ? `${this.range.name}${this.range.name && ":"}${this.range.start}: ` : "";
    return this.rendered ?? `${where}${this.severity}: ${this.message}${this.note && `: ${this.note}`}\n`;
  }
}

/** Input that is wrong. */
export class HclError extends Error {
  constructor(message, diagnostics = [], options) {
    super(message, options);
    this.name = "HclError";
    this.diagnostics = diagnostics;
    const first = diagnostics.find((one) => one.severity === "error") ?? diagnostics[0];
    this.code = first?.code ?? null;
    this.range = first?.range ?? null;
    this.fix = first?.fix ?? null;
  }
}

/** A limit that ended the work. */
export class LimitError extends HclError {
  constructor(message, diagnostics, options) {
    super(message, diagnostics, options);
    this.name = "LimitError";
  }
}

/** A bug of hclkit, or no more memory or stack. Documents and other objects from before can no longer be used. */
export class CrashError extends HclError {
  constructor(cause) {
    super(`internal error: ${cause}`, [], { cause });
    this.name = "CrashError";
  }
}

/** The exception for what the program throws: JSON. */
export function failure(text, cause) {
  const { message, diagnostics, limit, unreported } = JSON.parse(text);
  const found = diagnostics.map((one) => new Diagnostic(one));
  const error = new (limit ? LimitError : HclError)(place(found) + message, found, cause && { cause });
  error.unreported = unreported;
  return error;
}

function place(diagnostics) {
  const first = diagnostics.find((one) => one.severity === "error") ?? diagnostics[0];
  return first?.range ? `${first.range.name}${first.range.name && ":"}${first.range.start}: ` : "";
}

/** The list that the program writes as JSON. */
export function diagnostics(json) {
  return json.map((one) => new Diagnostic(one));
}
