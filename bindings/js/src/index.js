// The entry point `hclkit`.

import * as glue from "#glue/full";
import { load } from "#program/full";

import { HclError, diagnostics, range } from "./errors.js";
import { HclFunction, defineFunction, forget, functionsOf, lastThrown } from "./functions.js";
import { stringify } from "./json.js";
import { Held, program } from "./program.js";
import { Decimal, Encoder, Raw, Sensitive, Unknown, decode, encode } from "./values.js";

export { CrashError, Diagnostic, HclError, LimitError, Position, Range } from "./errors.js";
export { Decimal, HclFunction, Raw, Sensitive, Unknown, defineFunction };

const call = program(glue, load);

/** The JSON of options. Those that are undefined are left out. */
const options = (all) => JSON.stringify(all);

/** The private part of an object, for this file only. */
let heldOf;

/** An object of the program that is freed. */
class Disposable {
  #held;

  static {
    heldOf = (object) => object.#held;
  }

  constructor(held) {
    this.#held = held;
  }

  /** Frees the memory now. JavaScript does it at some time after the object is no longer used. */
  free() {
    this.#held.free();
  }
}
if (Symbol.dispose) Disposable.prototype[Symbol.dispose] = Disposable.prototype.free;

/** A parsed file. */
export class Document extends Disposable {
  #name;
  #diagnostics;
  #items;

  /** Use `parse`. */
  constructor(held, name) {
    super(held);
    this.#name = name;
  }

  get name() {
    return this.#name;
  }

  get text() {
    return heldOf(this).with((document) => document.text);
  }

  get syntax() {
    return heldOf(this).with((document) => document.is_json) ? "json" : "native";
  }

  get hasErrors() {
    return heldOf(this).with((document) => document.has_errors);
  }

  get diagnostics() {
    this.#diagnostics ??= diagnostics(JSON.parse(heldOf(this).with((document) => document.diagnostics())));
    return this.#diagnostics;
  }

  get body() {
    if (!this.#items) {
      const count = { attributes: 0 };
      const items = JSON.parse(heldOf(this).with((document) => document.items()));
      this.#items = new Body(items.map((item) => itemOf(this, item, count)));
    }
    return this.#items;
  }

  /** Throws the errors, if there are any. Returns the document. */
  check() {
    const errors = this.diagnostics.filter((one) => one.severity === "error");
    if (errors.length > 0) {
      const first = errors[0];
      throw new HclError(`${first.range ?? ""}: ${first.message}${first.note && `: ${first.note}`}`, this.diagnostics);
    }
    return this;
  }

  /** The text with all fixes of its diagnostics. */
  fixed() {
    const [text, applied] = JSON.parse(heldOf(this).with((document) => document.fixed()));
    return { text, applied };
  }

  edit() {
    return new Editor(this);
  }

  select(path) {
    const found = JSON.parse(heldOf(this).with((document) => document.select(String(path))));
    return found.map((one) => ({ ...one, range: range(one.range) }));
  }

  query(expression, { limits = {}, numbers } = {}) {
    return decode(heldOf(this).with((document) => document.query(String(expression), options(limits))), numbers)[0];
  }

  tokens() {
    const tokens = JSON.parse(heldOf(this).with((document) => document.tokens()));
    return tokens.map(([kind, where]) => ({ kind, range: range(where) }));
  }

  tree() {
    return rootOf(JSON.parse(heldOf(this).with((document) => document.tree())));
  }
}

/** The first of nodes that are written each before its parts, which can be nested deeply. */
function rootOf(nodes) {
  const open = [];
  let root;
  for (const [kind, where, count] of nodes) {
    const node = { kind, range: range(where), parts: [] };
    root ??= node;
    open.at(-1)?.node.parts.push(node);
    open.push({ node, count });
    while (open.length > 0 && open.at(-1).node.parts.length === open.at(-1).count) open.pop();
  }
  return root;
}

/** The attributes and blocks of a file or a block, in source order. */
export class Body {
  constructor(items) {
    this.items = items;
  }

  get attributes() {
    return this.items.filter((item) => item.kind === "attribute");
  }

  /** The blocks, of one type if there is one. With labels, those that begin with them; `"*"` matches every label. */
  blocks(type, ...labels) {
    const matches = (block) => labels.every((label, at) => label === "*" ? at < block.labels.length : block.labels[at] === label);
    return this.items.filter((item) => item.kind === "block" && (type === undefined || item.type === type) && matches(item));
  }

  /** The attribute with a name. */
  get(name) {
    return this.attributes.find((attribute) => attribute.name === name);
  }

  [Symbol.iterator]() {
    return this.items[Symbol.iterator]();
  }
}

/** An attribute. */
export class Attribute {
  #document;
  #number;
  #expression;

  constructor(document, number, json) {
    this.#document = document;
    this.#number = number;
    this.kind = "attribute";
    this.name = json.name;
    this.range = range(json.range);
    this.nameRange = range(json.nameRange);
    this.text = json.text;
    this.expressionRange = range(json.expressionRange);
  }

  get expression() {
    this.#expression ??= new Expression(
      new Held(call, heldOf(this.#document).with((document) => document.expression(this.#number))),
    );
    return this.#expression;
  }
}

/** A block. */
export class Block {
  constructor(json, body) {
    this.kind = "block";
    this.type = json.type;
    this.labels = json.labels;
    this.range = range(json.range);
    this.definitionRange = range(json.definitionRange);
    this.labelRanges = json.labelRanges.map(range);
    this.body = body;
  }
}

function itemOf(document, json, count) {
  if (json.kind === "attribute") return new Attribute(document, count.attributes++, json);
  return new Block(json, new Body(json.items.map((item) => itemOf(document, item, count))));
}

/** An expression or a template. */
export class Expression extends Disposable {
  get text() {
    return heldOf(this).with((expression) => expression.text);
  }

  get range() {
    return range(JSON.parse(heldOf(this).with((expression) => expression.range())));
  }

  get references() {
    return JSON.parse(heldOf(this).with((expression) => expression.references()));
  }

  get keyword() {
    return heldOf(this).with((expression) => expression.keyword()) ?? null;
  }

  evaluate(variables, options) {
    return inContext(variables, options, (context) =>
      decode(evaluation(context, (inner) => heldOf(this).with((expression) => expression.evaluate(inner), lastThrown)), context.numbers)[0],
    );
  }

  /** The value, and the source of its type. */
  evaluateTyped(variables, options) {
    return inContext(variables, options, (context) => {
      const [value, type] = evaluation(context, (inner) =>
        heldOf(this).with((expression) => expression.evaluate_typed(inner), lastThrown),
      );
      return { value: decode(value, context.numbers)[0], type };
    });
  }

  /** How the value is computed, as a tree. */
  explain(variables, options) {
    return inContext(variables, options, (context) =>
      explanationOf(JSON.parse(evaluation(context, (inner) => heldOf(this).with((expression) => expression.explain(inner))))),
    );
  }

  /** The same as text. */
  explainText(variables, { width = 100, ...options } = {}) {
    return inContext(variables, options, (context) =>
      evaluation(context, (inner) => heldOf(this).with((expression) => expression.explain_text(inner, width))),
    );
  }

  toString() {
    return this.text;
  }
}

/** Runs an evaluation with the object of a context. */
function evaluation(context, work) {
  forget();
  return heldOf(context).with((inner) => work(inner));
}

function explanationOf(json) {
  return {
    ...json,
    range: range(json.range),
    errors: diagnostics(json.errors),
    parts: json.parts.map(explanationOf),
  };
}

/** Variables and functions for evaluation. */
export class Context extends Disposable {
  constructor(variables = {}, { functions, limits = {}, numbers = "bigint" } = {}) {
    const { library, definitions, callables } = functionsOf(functions, numbers);
    const [values, json] = [encode(variables), options({ library, functions: definitions, limits })];
    super(new Held(call, call((glue) => new glue.Context(values, json, callables))));
    this.numbers = numbers;
  }

  get functionNames() {
    return JSON.parse(heldOf(this).with((context) => context.function_names()));
  }

  evaluate(expression) {
    return evaluate(expression, this);
  }

  render(template) {
    return render(template, this);
  }
}

function inContext(variables, options, work) {
  if (variables instanceof Context) {
    if (options?.functions || options?.limits) throw new HclError("a context has its own functions and limits");
    return work(variables);
  }
  const context = new Context(variables ?? {}, options);
  try {
    return work(context);
  } finally {
    context.free();
  }
}

function read(text, { name = "" } = {}, template) {
  return new Expression(new Held(call, call((glue) => new glue.Expression(String(text), name, template))));
}

function evaluated(text, variables, options, template) {
  if (text instanceof Expression) return text.evaluate(variables, options);
  const expression = read(text, options, template);
  try {
    return expression.evaluate(variables, options);
  } finally {
    expression.free();
  }
}

/** Parses a file. A file with errors is a document, too. */
export function parse(text, { name = "", syntax, limits } = {}) {
  return new Document(
    new Held(call, call((glue) => new glue.Document(String(text), options({ name, syntax, limits })))),
    name,
  );
}

export function parseExpression(text, options) {
  return read(text, options, false);
}

export function parseTemplate(text, options) {
  return read(text, options, true);
}

export function evaluate(expression, variables, options) {
  return evaluated(expression, variables, options, false);
}

export function render(template, variables, options) {
  return evaluated(template, variables, options, true);
}

export function format(text, style = {}) {
  return call((glue) => glue.format(String(text), options(style)));
}

/** Text as plain data: the JSON of `hcl convert`. */
export function toJson(text, convert = {}) {
  return JSON.parse(toJsonText(text, convert));
}

/** The same as text, with all digits of its numbers. */
export function toJsonText(text, convert = {}) {
  return call((glue) => glue.to_json(String(text), options(convert)));
}

/** Plain data, or the text of JSON, as text in the native syntax. */
export function fromJson(data, convert = {}) {
  const json = typeof data === "string" ? data : stringify(data);
  return call((glue) => glue.to_native(json, options(convert)));
}

/** Renames a name in files that belong together. Returns the new text of those that change. */
export function rename(files, address, name, { moved = false } = {}) {
  return JSON.parse(call((glue) => glue.rename_in(options(texts(files)), String(address), String(name), moved)));
}

/** The language of a file, by its name. */
export function languageOf(path) {
  return call((glue) => glue.language_of_path(String(path))) ?? null;
}

function texts(files) {
  return files instanceof Map ? Object.fromEntries(files) : files;
}

/** Edits of a document, which are made all at once. */
export class Editor {
  #document;
  #orders = [];
  #values = new Encoder();

  constructor(document) {
    this.#document = document.check();
  }

  #add(name, ...parts) {
    this.#orders.push({ [name]: parts.length === 1 ? parts[0] : parts });
    return this;
  }

  /** A value whose objects keep their order. */
  #new(value, level = 0) {
    if (level > 300) throw new TypeError("the value is nested too deeply, or contains itself");
    if (value instanceof Raw) return { raw: value.source };
    if (value instanceof Expression) return { raw: value.text };
    if (Array.isArray(value)) return { tuple: value.map((one) => this.#new(one, level + 1)) };
    const isPlain = value !== null && typeof value === "object" && [null, Object.prototype].includes(Object.getPrototypeOf(value));
    if (isPlain) {
      const items = Object.entries(value).filter(([, one]) => one !== undefined);
      return { object: items.map(([name, one]) => [name, this.#new(one, level + 1)]) };
    }
    return { value: this.#values.add(value) };
  }

  /** Sets the value of what a path selects. If it selects nothing, adds the last name where the rest of it selects. */
  set(path, value) {
    return this.#add("set", String(path), this.#new(value));
  }

  /** Adds an attribute to a body, or an item to an object. */
  add(path, name, value) {
    return this.#add("add", String(path), String(name), this.#new(value));
  }

  remove(path) {
    return this.#add("remove", String(path));
  }

  append(path, source) {
    return this.#add("append", String(path), String(source));
  }

  prepend(path, source) {
    return this.#add("prepend", String(path), String(source));
  }

  insertBefore(path, source) {
    return this.#add("before", String(path), String(source));
  }

  insertAfter(path, source) {
    return this.#add("after", String(path), String(source));
  }

  /** Renames attributes, block types, labels and items. References keep the old name; see `rename`. */
  rename(path, name) {
    return this.#add("rename", String(path), String(name));
  }

  move(path, to) {
    return this.#add("move", String(path), String(to));
  }

  /** Makes all edits, or none, and returns the new document. */
  apply() {
    const [orders, values] = [options(this.#orders), this.#values.toString()];
    const edited = heldOf(this.#document).with((document) => document.edited(orders, values));
    return new Document(new Held(call, edited), this.#document.name);
  }
}

/** A spec: what a language accepts, and the shape of its data. */
export class Spec extends Disposable {
  constructor(text, { name = "" } = {}) {
    super(new Held(call, call((glue) => new glue.Spec(String(text), name))));
  }

  decode(config, { name = "", variables = {}, numbers, ...rest } = {}) {
    const values = encode(variables);
    const own = config instanceof Document ? undefined : parse(config, { name, limits: rest.limits });
    try {
      const json = heldOf(own ?? config).with((document) =>
        heldOf(this).with((spec) => spec.decode(document, values, options(rest))),
      );
      return decode(json, numbers)[0];
    } finally {
      own?.free();
    }
  }

  jsonSchema({ title = "", dynamic = false } = {}) {
    return JSON.parse(heldOf(this).with((spec) => spec.json_schema(title, dynamic)));
  }

  markdown({ title = "" } = {}) {
    return heldOf(this).with((spec) => spec.markdown(title));
  }
}

/** What refers to what. */
function graphOf(json) {
  const { nodes, edges, dot, mermaid } = JSON.parse(json);
  return {
    nodes: nodes.map((node) => ({ ...node, range: range(node.range) })),
    edges: edges.map(([from, to]) => [nodes[from].address, nodes[to].address]),
    toDot: () => dot,
    toMermaid: () => mermaid,
  };
}

/** A module: the declarations of a directory, and the modules that it calls, from files in memory. */
export class Module extends Disposable {
  #numbers;

  constructor(files, { variables = {}, numbers, ...rest } = {}) {
    const [json, values] = [options(texts(files)), encode(variables)];
    super(new Held(call, call((glue) => new glue.Module(json, values, options(rest)))));
    this.#numbers = numbers;
  }

  get language() {
    return heldOf(this).with((module) => module.language);
  }

  /** The values of addresses, which can be patterns; without any, all values. */
  evaluate(...addresses) {
    const found = JSON.parse(heldOf(this).with((module) => module.evaluate(options(addresses))));
    const values = decode(found.values, this.#numbers);
    return {
      values: new Map(found.addresses.map((address, at) => [address, values[at]])),
      diagnostics: diagnostics(found.diagnostics),
    };
  }

  /** The value of one address. Throws if it has none. */
  get(address) {
    const { values, diagnostics } = this.evaluate(address);
    if (values.has(address)) return values.get(address);
    const first = diagnostics.find((one) => one.severity === "error");
    throw new HclError(first ? `${first.message}${first.note && `: ${first.note}`}` : `there is no ${address}`, diagnostics);
  }

  check() {
    return diagnostics(JSON.parse(heldOf(this).with((module) => module.check())));
  }

  /** How values are computed, as trees. */
  explain(...addresses) {
    const found = JSON.parse(heldOf(this).with((module) => module.explain(options(addresses))));
    return {
      steps: found.all.map((one) => ({
        ...one,
        range: range(one.range),
        explanation: one.explanation && explanationOf(one.explanation),
      })),
      omitted: found.omitted,
      diagnostics: diagnostics(found.diagnostics),
    };
  }

  /** The same as text. */
  explainText(addresses, { width = 100 } = {}) {
    return heldOf(this).with((module) => module.explain_text(options([addresses].flat()), width));
  }

  /** Why the value of an address is unknown. */
  reasons(address) {
    return JSON.parse(heldOf(this).with((module) => module.reasons(String(address))));
  }

  graph() {
    return graphOf(heldOf(this).with((module) => module.graph()));
  }
}

/**
 * Bake files of Docker Buildx, from files in memory: those that Bake reads by default, or else all of them in their order.
 */
export class Bake extends Disposable {
  #numbers;

  constructor(files, { numbers, ...rest } = {}) {
    const json = options(files instanceof Map ? [...files] : Object.entries(files));
    super(new Held(call, call((glue) => new glue.Bake(json, options(rest)))));
    this.#numbers = numbers;
  }

  /** The groups and targets of a plan. */
  plan(...targets) {
    const found = JSON.parse(heldOf(this).with((bake) => bake.plan(options(targets))));
    const values = decode(found.values, this.#numbers);
    let at = 0;
    const named = (all) => new Map(all.map(([name, names]) => [name, Object.fromEntries(names.map((one) => [one, values[at++]]))]));
    return { groups: named(found.groups), targets: named(found.targets), diagnostics: diagnostics(found.diagnostics) };
  }

  check() {
    return diagnostics(JSON.parse(heldOf(this).with((bake) => bake.check())));
  }

  graph() {
    return graphOf(heldOf(this).with((bake) => bake.graph()));
  }
}
