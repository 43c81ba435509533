// Values: each part is written once, after its own parts. crate/src/value.rs describes the form.

import { HclError } from "./errors.js";

/** How deeply values can be nested. */
const MOST_LEVELS = 300;

/** A value that is not known yet. */
export class Unknown {
  /** `type` is source such as `list(string)`; what else is known is in `known`. */
  constructor(type = "any", known = {}) {
    this.type = type;
    this.notNull = known.notNull ?? false;
    this.prefix = known.prefix ?? "";
    this.min = known.min ?? null;
    this.max = known.max ?? null;
    this.minLength = known.minLength ?? 0;
    this.maxLength = known.maxLength ?? null;
    Object.freeze(this);
  }

  /** It is neither true nor false, and has no text. */
  [Symbol.toPrimitive]() {
    throw new TypeError("the value is unknown");
  }

  toJSON() {
    throw new TypeError("an unknown value cannot be written as JSON");
  }
}

/** A value with marks, such as a secret. It is shown nowhere by accident. */
export class Sensitive {
  #value;

  constructor(value, marks = ["sensitive"]) {
    const inner = value instanceof Sensitive;
    this.#value = inner ? value.#value : value;
    this.marks = Object.freeze([...new Set([...marks, ...(inner ? value.marks : [])])].sort());
    Object.freeze(this);
  }

  /** The value itself. */
  reveal() {
    return this.#value;
  }

  toString() {
    return `(${this.marks.join(", ")})`;
  }

  [Symbol.toPrimitive]() {
    throw new TypeError("a sensitive value is not shown; use reveal()");
  }

  [Symbol.for("nodejs.util.inspect.custom")]() {
    return this.toString();
  }

  toJSON() {
    throw new TypeError("a sensitive value is not written as JSON; use reveal()");
  }
}

/** A number that neither a double nor a `bigint` holds. `text` has its digits. */
export class Decimal {
  constructor(text) {
    this.text = String(text);
    if (!/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(this.text)) throw new HclError(`${text} is not a number`);
    Object.freeze(this);
  }

  /** The nearest double. */
  valueOf() {
    return Number(this.text);
  }

  toString() {
    return this.text;
  }
}

/** Source text of an expression, for edits. */
export class Raw {
  constructor(source) {
    this.source = String(source);
    Object.freeze(this);
  }
}

/** Reads values. `numbers` says what a number becomes that a double cannot hold: `"bigint"` or `"text"`. */
export function decode(json, numbers = "bigint") {
  if (numbers !== "bigint" && numbers !== "text") throw new HclError('numbers must be "bigint" or "text"');
  const { nodes, roots } = JSON.parse(json);
  const values = new Array(nodes.length);
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at];
    values[at] = Array.isArray(node) ? decodePart(node, values, numbers) : node;
  }
  return roots.map((at) => values[at]);
}

function decodePart(node, values, numbers) {
  switch (node[0]) {
    case "s":
    case "e":
      return node.slice(1).map((at) => values[at]);
    case "o": {
      const object = {};
      for (let at = 1; at < node.length; at += 2) define(object, node[at], values[node[at + 1]]);
      return object;
    }
    case "n":
      return number(node[1], numbers);
    case "u": {
      const bound = (digits) => (digits === undefined ? null : plainNumber(digits, numbers));
      return new Unknown(node[1], { ...node[2], min: bound(node[2].min), max: bound(node[2].max) });
    }
    default:
      return new Sensitive(values[node[1]], node[2]);
  }
}

/** Sets an own property, whatever its name. */
function define(object, name, value) {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  } else {
    object[name] = value;
  }
}

function number(digits, numbers) {
  if (digits === "Infinity" || digits === "+Inf") return Infinity;
  if (digits === "-Infinity" || digits === "-Inf") return -Infinity;
  if (numbers === "text") return digits;
  return /^-?\d+$/.test(digits) ? BigInt(digits) : new Decimal(digits);
}

function plainNumber(digits, numbers) {
  const near = Number(digits);
  return Number.isSafeInteger(near) || String(near) === digits ? near : number(digits, numbers);
}

/** Writes values, as the roots of one table. */
export class Encoder {
  #nodes = [];
  #roots = [];
  /** The nodes of objects; `undefined` while one is being written. */
  #met = new Map();

  /** Adds a root. Returns its number. */
  add(value) {
    this.#roots.push(this.#value(value, 0));
    return this.#roots.length - 1;
  }

  toString() {
    return JSON.stringify({ nodes: this.#nodes, roots: this.#roots });
  }

  #push(node) {
    this.#nodes.push(node);
    return this.#nodes.length - 1;
  }

  #value(value, level) {
    switch (typeof value) {
      case "string":
      case "boolean":
        return this.#push(value);
      case "number":
        return this.#push(Number.isFinite(value) ? value : ["n", infinity(value)]);
      case "bigint":
        return this.#push(["n", String(value)]);
      case "object":
        return value === null ? this.#push(null) : this.#object(value, level);
      default:
        throw new TypeError(`${typeof value} cannot be converted to an HCL value`);
    }
  }

  #object(object, level) {
    if (level > MOST_LEVELS) throw new TypeError("the value is nested too deeply");
    if (this.#met.has(object)) {
      const known = this.#met.get(object);
      if (known === undefined) throw new TypeError("the value contains itself");
      return known;
    }
    this.#met.set(object, undefined);
    const node = this.#push(this.#parts(object, level + 1));
    this.#met.set(object, node);
    return node;
  }

  #parts(object, level) {
    const part = (value) => this.#value(value, level);
    if (Array.isArray(object)) return ["s", ...Array.from(object, part)];
    if (object instanceof Set) return ["e", ...Array.from(object, part)];
    if (object instanceof Map) return properties(object, part);
    if (object instanceof Sensitive) return ["m", part(object.reveal()), object.marks];
    if (object instanceof Unknown) return ["u", object.type, known(object)];
    if (object instanceof Decimal) return ["n", object.text];
    const prototype = Object.getPrototypeOf(object);
    // Objects of another realm have another prototype of the same name.
    if (prototype === null || prototype === Object.prototype || prototype.constructor?.name === "Object") {
      return properties(Object.entries(object), part);
    }
    throw new TypeError(`${prototype.constructor?.name ?? "this object"} cannot be converted to an HCL value`);
  }
}

function infinity(value) {
  if (Number.isNaN(value)) throw new TypeError("NaN cannot be converted to an HCL value");
  return value > 0 ? "Infinity" : "-Infinity";
}

function known({ notNull, prefix, min, max, minLength, maxLength }) {
  const text = (bound) => (bound === null ? undefined : String(bound));
  return { notNull, prefix, min: text(min), max: text(max), minLength, maxLength };
}

/** Properties that are undefined are left out. */
function properties(entries, part) {
  const node = ["o"];
  for (const [name, value] of entries) {
    if (typeof name !== "string") throw new TypeError("the keys of a map must be strings to be converted to an HCL value");
    if (value !== undefined) node.push(name, part(value));
  }
  return node;
}

/** Writes one value. */
export function encode(value) {
  const encoder = new Encoder();
  encoder.add(value);
  return encoder.toString();
}
