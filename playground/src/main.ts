// The page: files, panels, and the worker between them.

import "./style.css";

import { byId, element, tabs } from "./dom";
import { Editor } from "./editor";
import { examples } from "./examples";
import { shown } from "./panels";
import type { Answer, Place, Question, Result } from "./protocol";
import { type State, decode, encode } from "./share";

const PANELS: [id: string, title: string][] = [
  ["problems", "Problems"],
  ["values", "Values"],
  ["explain", "Explain"],
  ["graph", "Graph"],
  ["format", "Format"],
  ["json", "JSON"],
  ["query", "Query"],
  ["decode", "Decode"],
  ["tree", "Tree"],
];
/** What panels ask for. */
const INPUTS: Record<string, { label: string; lines: number }> = {
  explain: { label: "Address", lines: 1 },
  query: { label: "Path", lines: 1 },
  decode: { label: "Spec", lines: 12 },
};
/** How long an answer may take, in milliseconds. */
const MOST_TIME = 5_000;

let state: State = structuredClone(Object.values(examples)[0] as State);

const status = (text: string) => {
  byId("status").textContent = text;
};

/** The worker, which is made again after an answer that took too long. */
class Engine {
  private next = 0;
  private waiting: { question: Question; timer: number } | undefined;
  private later: Question | undefined;
  /** A worker hears nothing before it has its program. */
  private ready = false;
  private worker = this.start();

  private start(): Worker {
    const worker = new Worker(new URL("./engine.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.id === 0) {
        this.ready = true;
        document.body.dataset.engine = "true";
        this.nextQuestion();
      }
      else if (data.id === this.waiting?.question.id) this.done(data.result);
    };
    return worker;
  }

  /** Asks for the active panel. Of questions during an answer, only the last one is asked. */
  ask(): void {
    const { files, active, panel, inputs } = state;
    const question = { id: ++this.next, panel, files: { ...files }, active, input: inputs[panel] ?? "" };
    document.body.dataset.busy = "true";
    if (this.waiting || !this.ready) this.later = question;
    else this.send(question);
  }

  private nextQuestion(): void {
    const later = this.later;
    this.later = undefined;
    if (later) this.send(later);
    else delete document.body.dataset.busy;
  }

  private send(question: Question): void {
    const timer = window.setTimeout(() => {
      this.worker.terminate();
      this.ready = false;
      this.worker = this.start();
      this.done({ kind: "failed", message: `Stopped after ${MOST_TIME / 1_000} seconds.`, problems: [] });
    }, MOST_TIME);
    this.waiting = { question, timer };
    this.worker.postMessage(question);
  }

  private done(result: Result): void {
    const waiting = this.waiting;
    this.waiting = undefined;
    window.clearTimeout(waiting?.timer);
    if (waiting?.question.panel === state.panel) show(result);
    if (this.ready) this.nextQuestion();
  }
}

function show(result: Result): void {
  const panel = byId("panel");
  const top = panel.scrollTop;
  panel.replaceChildren(...shown(result, { go, fix, replace: (text) => editor.replace(text) }));
  panel.scrollTop = top;
  panel.dataset.panel = state.panel;
}

function go(place: Place): void {
  if (place.file in state.files) {
    choose(place.file);
    editor.select(place.start, place.end);
  } else if (place.file === "spec.hcldec") {
    const spec = document.querySelector<HTMLTextAreaElement>("#input textarea");
    spec?.focus();
    spec?.setSelectionRange(place.start, place.end);
  }
}

function fix(edits: { place: Place; text: string }[]): void {
  for (const file of new Set(edits.map((edit) => edit.place.file))) {
    let text = state.files[file];
    if (text === undefined) continue;
    const own = edits.filter((edit) => edit.place.file === file).sort((one, other) => other.place.start - one.place.start);
    for (const { place, text: replacement } of own) text = text.slice(0, place.start) + replacement + text.slice(place.end);
    choose(file);
    editor.replace(text);
  }
}

/** Shows a file in the editor. */
function choose(name: string): void {
  if (name === state.active && byId("files").childElementCount > 0) return;
  state.active = name;
  editor.open(name, state.files[name] ?? "");
  drawFiles();
  engine.ask();
}

function drawFiles(): void {
  const names = Object.keys(state.files);
  tabs(byId("files"), names.map((name) => [name, name]), state.active, choose);
  const remove = () => {
    if (names.length < 2) return status("The last file stays.");
    const { [state.active]: _, ...others } = state.files;
    editor.setFiles({ [state.active]: undefined });
    state.files = others;
    open({ ...state, active: Object.keys(others)[0] ?? "" });
  };
  const add = () => {
    const field = element("input", { "aria-label": "Name of the new file", placeholder: "name.tf" });
    const done = () => {
      const name = field.value.trim();
      field.remove();
      if (!name || name in state.files) return;
      state.files[name] = "";
      editor.setFiles({ [name]: "" });
      choose(name);
    };
    field.addEventListener("keydown", ({ key }) => {
      if (key === "Enter") done();
      if (key === "Escape") field.remove();
    });
    field.addEventListener("blur", done);
    byId("files").append(field);
    field.focus();
  };
  byId("files").append(
    element("button", { type: "button", class: "small", "aria-label": "Add a file", title: "Add a file", click: add }, "+"),
    element("button", { type: "button", class: "small", "aria-label": `Remove ${state.active}`, title: `Remove ${state.active}`, click: remove }, "×"),
  );
}

function choosePanel(panel: string): void {
  state.panel = panel;
  tabs(byId("panels"), PANELS, panel, choosePanel);
  const box = byId("input");
  const input = INPUTS[panel];
  box.hidden = !input;
  if (input) {
    const field = input.lines > 1 ? element("textarea", { rows: String(input.lines), spellcheck: "false" }) : element("input", { spellcheck: "false", autocomplete: "off" });
    field.value = state.inputs[panel] ?? "";
    field.addEventListener("input", () => {
      state.inputs[panel] = field.value;
      engine.ask();
    });
    box.replaceChildren(element("label", {}, input.label, field));
  }
  byId("panel").replaceChildren();
  byId("panel").setAttribute("aria-label", PANELS.find(([id]) => id === panel)?.[1] ?? panel);
  engine.ask();
}

/** Shows other files. */
function open(next: State): void {
  const gone = Object.keys(state.files).filter((name) => !(name in next.files));
  editor.setFiles({ ...Object.fromEntries(gone.map((name) => [name, undefined])), ...next.files });
  state = structuredClone(next);
  if (!PANELS.some(([id]) => id === state.panel)) state.panel = "problems";
  editor.open(state.active, state.files[state.active] ?? "");
  drawFiles();
  choosePanel(state.panel);
}

async function fromLink(): Promise<boolean> {
  if (location.hash.length < 2) return false;
  try {
    open(await decode(location.hash));
    return true;
  } catch (error) {
    status(`The link cannot be read: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

const root = byId("editor").attachShadow({ mode: "open" });
const style = new CSSStyleSheet();
style.replaceSync(".cm-editor { height: 100%; } .cm-editor.cm-focused { outline: none; } .cm-scroller { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; }");
root.adoptedStyleSheets = [style];
let waiting = 0;
const editor = new Editor(
  root,
  (text) => {
    state.files[state.active] = text;
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => engine.ask(), 10);
  },
  choose,
);
const engine = new Engine();

const select = byId<HTMLSelectElement>("examples");
select.append(...Object.keys(examples).map((name) => element("option", { value: name }, name)));
select.addEventListener("change", () => {
  const next = examples[select.value];
  if (next) open(next);
});
byId("format").addEventListener("click", () => choosePanel("format"));
byId("share").addEventListener("click", async () => {
  const hash = await encode(state);
  history.replaceState(null, "", hash);
  const copied = await navigator.clipboard?.writeText(location.href).then(
    () => true,
    () => false,
  );
  status(copied ? "The link is in the clipboard." : "The link is in the address bar.");
});
window.addEventListener("hashchange", () => void fromLink());

if (!(await fromLink())) open(state);
document.body.dataset.ready = "true";
await editor.connect(state.files);
document.body.dataset.server = "true";
