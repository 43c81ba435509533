// The worker that does the work: hclkit on the files of the page. The page ends it if an answer takes too long.

import * as hcl from "hclkit";

import type { Answer, Explained, Item, Place, Problem, Question, Result } from "./protocol";

/** How many nodes of a tree, and how many tokens, are shown. */
const MOST_NODES = 5_000;
/** How many characters of a value are shown. */
const MOST_VALUE = 20_000;

const place = (range: hcl.Range): Place => ({ file: range.name, start: range.start.offset, end: range.end.offset, line: range.start.line });

function problem(one: hcl.Diagnostic): Problem {
  const fix = one.fix && { title: one.fix.title, edits: one.fix.edits.map((edit) => ({ place: place(edit.range), text: edit.replacement })) };
  return { severity: one.severity, code: one.code, message: one.message, note: one.note, place: one.range && place(one.range), fix };
}

const isBake = (files: Record<string, string>) => Object.keys(files).some((name) => /^docker-bake(\.override)?\.(hcl|json)$/.test(name));

/** The module of the files, or nothing if they are of a language without modules. */
function module(files: Record<string, string>): hcl.Module | undefined {
  const values = Object.keys(files).filter((name) => /^[^/]*\.(tfvars|pkrvars\.hcl)$/.test(name));
  try {
    return new hcl.Module(files, { unknownVariables: true, variableFiles: values });
  } catch (error) {
    if (error instanceof hcl.HclError && error.diagnostics.length === 0) return undefined;
    throw error;
  }
}

/** A value as text for people. */
function shown(value: hcl.Value, indent = ""): string {
  if (value instanceof hcl.Sensitive) return "(sensitive)";
  if (value instanceof hcl.Unknown) return `(unknown ${value.type})`;
  if (value instanceof hcl.Decimal || typeof value === "bigint") return String(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "";
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => shown(one, inner))
    : Object.entries(value).map(([name, one]) => `${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)} = ${shown(one, inner)}`);
  const [open, close, comma] = Array.isArray(value) ? ["[", "]", ","] : ["{", "}", ""];
  const line = `${open}${Array.isArray(value) ? "" : " "}${parts.join(", ")}${Array.isArray(value) ? "" : " "}${close}`;
  if (parts.length === 0) return open + close;
  return line.length < 70 && !line.includes("\n") ? line : `${open}\n${parts.map((part) => `${inner}${part}${comma}\n`).join("")}${indent}${close}`;
}

const short = (text: string) => (text.length > MOST_VALUE ? `${text.slice(0, MOST_VALUE)}…` : text);

function problems({ files }: Question): Result {
  // The checks of modules find more than errors of syntax, and repeat these.
  const all = new Map<string, Problem>();
  const add = (found: readonly hcl.Diagnostic[]) => found.forEach((one) => all.set(JSON.stringify([one.range, one.code, one.note]), problem(one)));
  for (const [name, text] of Object.entries(files)) {
    const document = hcl.parse(text, { name });
    add(document.diagnostics);
    document.free();
  }
  if (isBake(files)) add(new hcl.Bake(files).check());
  else {
    const found = module(files);
    if (found) add(found.check());
    found?.free();
  }
  return { kind: "problems", problems: [...all.values()] };
}

function values({ files, active }: Question): Result {
  const text = (entries: Iterable<[string, hcl.Value]>) => [...entries].map(([address, value]) => [address, short(shown(value))] as [string, string]);
  if (isBake(files)) {
    const { targets, groups, diagnostics } = new hcl.Bake(files).plan();
    const all = [...[...groups].map(([name, one]) => [`group.${name}`, one] as [string, hcl.Value]), ...[...targets].map(([name, one]) => [`target.${name}`, one] as [string, hcl.Value])];
    return { kind: "values", values: text(all), problems: diagnostics.map(problem), note: "The plan of Bake's default targets." };
  }
  const found = module(files);
  if (found) {
    const { values, diagnostics } = found.evaluate();
    found.free();
    return { kind: "values", values: text(values), problems: diagnostics.map(problem), note: "Variables without a value are unknown." };
  }
  const data = hcl.toJson(files[active] ?? "", { name: active }) as Record<string, hcl.Value>;
  return { kind: "values", values: text(Object.entries(data)), problems: [], note: "This language has no modules: the content of the file, not evaluated." };
}

function explained(one: hcl.Explanation): Explained {
  return {
    text: one.text,
    value: one.value,
    note: one.note,
    errors: one.errors.map((error) => error.note || error.message),
    place: place(one.range),
    parts: one.parts.map(explained),
    omitted: one.omitted,
  };
}

function explain({ files, input }: Question): Result {
  const found = module(files);
  if (!found) throw new hcl.HclError("Only modules, such as those of Terraform, can be explained.");
  const { steps, omitted } = found.explain(...input.split(/\s+/).filter(Boolean));
  found.free();
  return {
    kind: "explain",
    omitted,
    steps: steps.slice(0, 200).map(({ address, value, cause, range, explanation }) => ({
      address,
      value,
      cause,
      place: range && place(range),
      explanation: explanation && explained(explanation),
    })),
  };
}

function graph({ files }: Question): Result {
  const found = isBake(files) ? new hcl.Bake(files) : module(files);
  if (!found) throw new hcl.HclError("Only modules and Bake files have a graph.");
  const { nodes, edges } = found.graph();
  const numbers = new Map(nodes.map((node, at) => [node.address, at]));
  return {
    kind: "graph",
    nodes: nodes.map(({ address, role, range }) => ({ address, role, place: place(range) })),
    edges: edges.map(([from, to]) => [numbers.get(from) ?? 0, numbers.get(to) ?? 0]),
  };
}

function format({ files, active }: Question): Result {
  const before = files[active] ?? "";
  return { kind: "format", before, after: hcl.format(before, { name: active }) };
}

function json({ files, active }: Question): Result {
  const text = files[active] ?? "";
  if (active.endsWith(".json")) return { kind: "text", language: "hcl", text: hcl.fromJson(text, { name: active }) };
  return { kind: "text", language: "json", text: JSON.stringify(hcl.toJson(text, { name: active }), null, 2) };
}

function query({ files, active, input }: Question): Result {
  const document = hcl.parse(files[active] ?? "", { name: active });
  const matches = input.trim() ? document.select(input.trim()) : [];
  document.free();
  return { kind: "matches", matches: matches.map(({ address, text, range }) => ({ address, text, place: place(range) })) };
}

function decode({ files, active, input }: Question): Result {
  const spec = new hcl.Spec(input, { name: "spec.hcldec" });
  const value = spec.decode(files[active] ?? "", { name: active, library: "terraform" });
  spec.free();
  return { kind: "text", language: "hcl", text: shown(value) };
}

function tree({ files, active }: Question): Result {
  const text = files[active] ?? "";
  const document = hcl.parse(text, { name: active });
  let count = 0;
  const item = (node: hcl.Node): Item => {
    count += 1;
    const parts = count < MOST_NODES ? node.parts.map(item) : [];
    return { kind: node.kind, text: text.slice(node.range.start.offset, node.range.end.offset).slice(0, 60), place: place(node.range), parts };
  };
  const tokens = document.tokens().slice(0, MOST_NODES).map(({ kind, range }) => ({
    kind,
    text: text.slice(range.start.offset, range.end.offset).slice(0, 60),
    place: place(range),
  }));
  const root = item(document.tree());
  document.free();
  return { kind: "tree", items: [root], tokens };
}

const PANELS: Record<string, (question: Question) => Result> = { problems, values, explain, graph, format, json, query, decode, tree };

onmessage = ({ data }: MessageEvent<Question>) => {
  let result: Result;
  try {
    result = PANELS[data.panel]?.(data) ?? { kind: "failed", message: "There is no such panel.", problems: [] };
  } catch (error) {
    const found = error instanceof hcl.HclError ? error.diagnostics.map(problem) : [];
    result = { kind: "failed", message: error instanceof Error ? error.message : String(error), problems: found };
  }
  postMessage({ id: data.id, result } satisfies Answer);
};
postMessage({ id: 0, result: { kind: "failed", message: "ready", problems: [] } } satisfies Answer);
