// What the panels show.

import { element } from "./dom";
import { drawn } from "./graph";
import type { Explained, Item, Place, Problem, Result } from "./protocol";

export interface Actions {
  /** Shows a place in the editor. */
  go(place: Place): void;
  /** Makes the edits of a fix. */
  fix(edits: { place: Place; text: string }[]): void;
  /** Replaces the text of the file. */
  replace(text: string): void;
}

export function shown(result: Result, actions: Actions): Node[] {
  switch (result.kind) {
    case "problems":
      return problems(result.problems, actions, "No problems.");
    case "values":
      return [
        element("p", { class: "note" }, result.note),
        element("table", {}, ...result.values.map(([address, value]) => element("tr", {}, element("th", { scope: "row" }, address), element("td", {}, element("pre", {}, value))))),
        ...problems(result.problems.filter((one) => one.severity === "error"), actions, ""),
      ];
    case "explain":
      return [
        ...result.steps.map((step) =>
          element(
            "section",
            { class: "step" },
            element("h3", {}, element("code", {}, step.address), " = ", element("code", { class: "value" }, step.value)),
            element("p", { class: "note" }, step.place ? link(step.place, step.cause, actions) : step.cause),
            step.explanation && explanation(step.explanation, actions, 0),
          ),
        ),
        ...(result.omitted ? [element("p", { class: "note" }, "More steps are left out.")] : []),
        ...(result.steps.length === 0 ? [element("p", { class: "note" }, "Write the address of a value above, such as output.greeting.")] : []),
      ];
    case "graph":
      return result.nodes.length === 0 ? [element("p", { class: "note" }, "Nothing is declared.")] : [drawn(result, actions.go)];
    case "format":
      return formatted(result.before, result.after, actions);
    case "text":
      return [element("pre", { class: "result" }, result.text)];
    case "matches":
      return result.matches.length === 0
        ? [element("p", { class: "note" }, "Nothing matches.")]
        : [element("ul", { class: "matches" }, ...result.matches.map((one) => element("li", {}, link(one.place, one.address, actions), element("pre", {}, one.text))))];
    case "tree":
      return [
        element("details", { open: true }, element("summary", {}, "Tree"), ...result.items.map((item) => node(item, actions, 0))),
        element(
          "details",
          {},
          element("summary", {}, `Tokens: ${result.tokens.length}`),
          element("ol", { class: "tokens" }, ...result.tokens.map((token) => element("li", {}, link(token.place, token.kind, actions), " ", element("code", {}, JSON.stringify(token.text))))),
        ),
      ];
    case "failed":
      return [element("p", { class: "error", role: "alert" }, result.message), ...problems(result.problems, actions, "")];
  }
}

function link(place: Place, text: string, actions: Actions): HTMLElement {
  return element("button", { type: "button", class: "link", title: `${place.file}:${place.line}`, click: () => actions.go(place) }, text);
}

function problems(all: Problem[], actions: Actions, none: string): Node[] {
  if (all.length === 0) return none ? [element("p", { class: "note" }, none)] : [];
  const one = ({ severity, code, message, note, place, fix }: Problem) =>
    element(
      "li",
      { class: severity },
      element("strong", {}, severity),
      " ",
      place ? link(place, `${place.file}:${place.line}`, actions) : null,
      element("p", {}, message, code ? element("code", { class: "code" }, code) : null),
      note && element("p", { class: "note" }, note),
      fix && element("button", { type: "button", class: "fix", click: () => actions.fix(fix.edits) }, `Fix: ${fix.title}`),
    );
  return [element("ul", { class: "problems" }, ...all.map(one))];
}

function explanation(one: Explained, actions: Actions, level: number): HTMLElement {
  const text = one.text.replace(/\s+/g, " ");
  const line = [
    link(one.place, text.length > 70 ? `${text.slice(0, 70)}…` : text, actions),
    one.errors.length > 0 ? element("span", { class: "error" }, ` ${one.errors[0]}`) : element("code", { class: "value" }, ` → ${one.value}`),
    one.note && element("span", { class: "note" }, ` (${one.note})`),
  ];
  if (one.parts.length === 0) return element("div", { class: "leaf" }, ...line);
  return element(
    "details",
    { open: level < 3 },
    element("summary", {}, ...line),
    ...one.parts.map((part) => explanation(part, actions, level + 1)),
    one.omitted > 0 && element("div", { class: "note" }, `${one.omitted} more`),
  );
}

function node(item: Item, actions: Actions, level: number): HTMLElement {
  const line = [link(item.place, item.kind, actions), " ", element("code", {}, item.text.split("\n")[0] ?? "")];
  if (item.parts.length === 0) return element("div", { class: "leaf" }, ...line);
  return element("details", { open: level < 2 }, element("summary", {}, ...line), ...item.parts.map((part) => node(part, actions, level + 1)));
}

/** The lines that formatting changes, with a button that makes the change. */
function formatted(before: string, after: string, actions: Actions): Node[] {
  if (before === after) return [element("p", { class: "note" }, "The file is formatted.")];
  return [
    element("p", {}, element("button", { type: "button", class: "fix", click: () => actions.replace(after) }, "Apply")),
    element("pre", { class: "diff" }, ...differences(before.split("\n"), after.split("\n")).map(([sign, line]) => element("span", { class: sign === "+" ? "added" : sign === "-" ? "removed" : "same" }, `${sign} ${line}\n`))),
  ];
}

/** The lines of two texts, those that only one has with a sign. Formatting moves none, so that a window of some lines is enough. */
export function differences(before: string[], after: string[]): [sign: "+" | "-" | " ", line: string][] {
  const WINDOW = 30;
  const found: [sign: "+" | "-" | " ", line: string][] = [];
  let [one, other] = [0, 0];
  while (one < before.length || other < after.length) {
    if (before[one] === after[other] && one < before.length) {
      found.push([" ", before[one++] ?? ""]);
      other += 1;
      continue;
    }
    const [skip, add] = nextEqual(before, after, one, other, WINDOW);
    for (; skip > one; one += 1) found.push(["-", before[one] ?? ""]);
    for (; add > other; other += 1) found.push(["+", after[other] ?? ""]);
  }
  return found;
}

/** The next lines of both that are equal, with the fewest lines before them. */
function nextEqual(before: string[], after: string[], one: number, other: number, window: number): [number, number] {
  for (let sum = 1; sum <= 2 * window; sum += 1) {
    for (let skip = Math.max(0, sum - window); skip <= Math.min(sum, window); skip += 1) {
      const [at, to] = [one + skip, other + sum - skip];
      if (at < before.length && to < after.length && before[at] === after[to]) return [at, to];
    }
  }
  return [Math.min(one + window, before.length), Math.min(other + window, after.length)];
}
