// What the page and the worker say to each other. All of it is plain data.

export interface Place {
  file: string;
  /** Offsets in the text. */
  start: number;
  end: number;
  line: number;
}

export interface Problem {
  severity: "error" | "warning";
  code: string | null;
  message: string;
  note: string;
  place: Place | null;
  fix: { title: string; edits: { place: Place; text: string }[] } | null;
}

export interface Explained {
  text: string;
  value: string;
  note: string | null;
  errors: string[];
  place: Place;
  parts: Explained[];
  omitted: number;
}

export interface Step {
  address: string;
  value: string;
  cause: string;
  place: Place | null;
  explanation: Explained | null;
}

export interface Item {
  kind: string;
  text: string;
  place: Place;
  parts: Item[];
}

/** A panel's result. */
export type Result =
  | { kind: "problems"; problems: Problem[] }
  | { kind: "values"; values: [address: string, value: string][]; problems: Problem[]; note: string }
  | { kind: "explain"; steps: Step[]; omitted: boolean }
  | { kind: "graph"; nodes: { address: string; role: string; place: Place }[]; edges: [number, number][] }
  | { kind: "format"; before: string; after: string }
  | { kind: "text"; text: string; language: "hcl" | "json" }
  | { kind: "matches"; matches: { address: string; text: string; place: Place }[] }
  | { kind: "tree"; items: Item[]; tokens: { kind: string; text: string; place: Place }[] }
  | { kind: "failed"; message: string; problems: Problem[] };

export interface Question {
  id: number;
  panel: string;
  files: Record<string, string>;
  active: string;
  input: string;
}

export interface Answer {
  id: number;
  result: Result;
}
