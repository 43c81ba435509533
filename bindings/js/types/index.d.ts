/** A position in a source. */
export declare class Position {
  private constructor();
  /** The line, from 1. */
  readonly line: number;
  /** The column in characters as readers count them, from 1. */
  readonly column: number;
  /** The offset in a string of JavaScript, from 0. */
  readonly offset: number;
  /** The offset in bytes of UTF-8, from 0. */
  readonly byte: number;
  /** `line:column`. */
  toString(): string;
}

/** A part of a source: from `start` up to, and without, `end`. */
export declare class Range {
  private constructor();
  /** The name of the source. */
  readonly name: string;
  readonly start: Position;
  readonly end: Position;
  /** `name:line:column-line:column`. */
  toString(): string;
}

/** A suggested change. All of its edits belong together. */
export interface Fix {
  /** What the change does, such as "Use double quotes". */
  readonly title: string;
  readonly edits: readonly { readonly range: Range; readonly replacement: string }[];
}

/** One error or warning. */
export declare class Diagnostic {
  private constructor();
  /** The stable name of the problem, such as `invalid-expression`. */
  readonly code: string | null;
  readonly severity: "error" | "warning";
  /** A short summary. */
  readonly message: string;
  /** The explanation. Empty if there is none. */
  readonly note: string;
  readonly range: Range | null;
  /** The address of the block, attribute or item that it is about. */
  readonly address: string | null;
  readonly fix: Fix | null;
  /** Other locations. */
  readonly related: readonly { readonly message: string; readonly range: Range | null }[];
  /** Expressions and their values when the error occurred. Never sensitive values. */
  readonly evidence: readonly { readonly expression: string; readonly value: string }[];
  /** The text that the program `hcl` prints, with the source lines. */
  toString(): string;
}

/** Input that is wrong. `code`, `range` and `fix` are those of the first error. */
export declare class HclError extends Error {
  constructor(message: string, diagnostics?: readonly Diagnostic[], options?: ErrorOptions);
  readonly diagnostics: readonly Diagnostic[];
  readonly code: string | null;
  readonly range: Range | null;
  readonly fix: Fix | null;
}

/** A limit ended the work. */
export declare class LimitError extends HclError {}

/**
 * A bug of hclkit, or no more memory or stack. Documents and other objects from before can no longer be used; new calls can be made.
 */
export declare class CrashError extends HclError {}

/**
 * Limits on what untrusted input may use. There is no time limit, because WebAssembly has no clock: for that, run the work in a worker,
 * and end the worker.
 */
export interface Limits {
  /** The steps of an evaluation. 100 million by default. */
  steps?: number;
  /** The elements that an evaluation may create or visit. 8 million by default. */
  elements?: number;
  /** The text that an evaluation may create, in bytes. 256 MiB by default. */
  bytes?: number;
  /** The nesting of evaluations: at most 600, which is the default. */
  depth?: number;
  /** The levels of a value: at most 300, which is the default. */
  valueDepth?: number;
  /** The nesting of constructs in a source: at most 300, which is the default. */
  nesting?: number;
  /** The size of a source. 256 MiB by default. */
  sourceBytes?: number;
}

/** What a number becomes that a double cannot hold: `bigint` if it is whole, or else `Decimal`; or the text of its digits. */
export type Numbers = "bigint" | "text";

/** What is known of an unknown value. */
export interface Known {
  notNull?: boolean;
  /** What a string begins with. */
  prefix?: string;
  min?: number | bigint | Decimal | string | null;
  max?: number | bigint | Decimal | string | null;
  minLength?: number;
  maxLength?: number | null;
}

/** A value that is not known yet. */
export declare class Unknown {
  /** `type` is source such as `list(string)`; without it, not even the type is known. */
  constructor(type?: string, known?: Known);
  readonly type: string;
  readonly notNull: boolean;
  readonly prefix: string;
  readonly min: number | bigint | Decimal | string | null;
  readonly max: number | bigint | Decimal | string | null;
  readonly minLength: number;
  readonly maxLength: number | null;
}

/** A value with marks, such as a secret. Neither text nor JSON nor `console.log` shows it. */
export declare class Sensitive<T = Value> {
  constructor(value: T, marks?: readonly string[]);
  readonly marks: readonly string[];
  /** The value itself. */
  reveal(): T;
  /** `(sensitive)`. */
  toString(): string;
}

/** A number with more digits than a double holds, and a fraction. */
export declare class Decimal {
  constructor(text: string);
  readonly text: string;
  /** The nearest double. */
  valueOf(): number;
  toString(): string;
}

/** A value of an evaluation. Lists, sets and tuples are arrays, maps and objects are objects. */
export type Value =
  | null
  | string
  | number
  | boolean
  | bigint
  | Decimal
  | Unknown
  | Sensitive<any>
  | Value[]
  | { [name: string]: Value };

/** A value that can be given: also with `Set` and `Map`. Properties that are undefined are left out. */
export type Input =
  | null
  | string
  | number
  | boolean
  | bigint
  | Decimal
  | Unknown
  | Sensitive<any>
  | readonly Input[]
  | ReadonlySet<Input>
  | ReadonlyMap<string, Input>
  | { readonly [name: string]: Input | undefined };

/** Values by their names. */
export type Variables = { readonly [name: string]: Input | undefined };

/** A library of functions. Those that need files, the clock or randomness are errors. */
export type Library = "terraform" | "opentofu" | "packer" | "bake" | "cty" | "spec" | (string & {});

/** The type of a parameter, as source such as `list(string)`. */
export type Parameter = string | { type?: string; nullable?: boolean };

export interface FunctionOptions {
  description?: string;
  /** The parameters in their order. Arguments are converted as in HCL before the call. */
  parameters?: Record<string, Parameter>;
  /** The type of all further arguments. */
  variadic?: Parameter;
  /** The type of the result. Any by default. */
  result?: string;
  /** Whether results differ from call to call. */
  impure?: boolean;
}

/** A function for expressions. */
export declare class HclFunction {
  private constructor();
  readonly name: string;
}

/** Makes a function for expressions. What it throws is an error at the place of the call, and the `cause` of the `HclError`. */
export declare function defineFunction(name: string, callable: (...values: any[]) => Input): HclFunction;
export declare function defineFunction(
  name: string,
  options: FunctionOptions,
  callable: (...values: any[]) => Input,
): HclFunction;

type Callables = { readonly [name: string]: HclFunction | ((...values: any[]) => Input) };

/** A library, functions by their names, or a list of these. Functions without types take any values. */
export type Functions = Library | Callables | readonly (Library | HclFunction | ((...values: any[]) => Input) | Callables)[];

export interface EvaluateOptions {
  functions?: Functions;
  limits?: Limits;
  numbers?: Numbers;
}

/** An object with memory in WebAssembly. */
declare class Disposable {
  /** Frees the memory now. JavaScript does it at some time after the object is no longer used. */
  free(): void;
  /** `using document = parse(…)` frees it at the end of the block. */
  [Symbol.dispose](): void;
}

/** A part of the explanation of a value. */
export interface Explanation {
  /** The source text, without what is sensitive. */
  readonly text: string;
  readonly range: Range;
  /** The value as HCL, at most some hundred characters of it. `(sensitive)` if it is. */
  readonly value: string;
  /** That the expression was not selected, or which element of a loop it belongs to. */
  readonly note: string | null;
  readonly errors: readonly Diagnostic[];
  readonly parts: readonly Explanation[];
  /** The number of elements of a loop that are left out. */
  readonly omitted: number;
}

/** An expression or a template. */
export declare class Expression extends Disposable {
  private constructor();
  readonly text: string;
  readonly range: Range;
  /** The references that it makes, such as `var.name`, in source order. */
  readonly references: string[];
  /** The name, if the expression is a single one. */
  readonly keyword: string | null;
  evaluate(variables?: Variables | Context, options?: EvaluateOptions): Value;
  /** The value, and the source of its type. */
  evaluateTyped(variables?: Variables | Context, options?: EvaluateOptions): { value: Value; type: string };
  /** How the value is computed, as a tree. */
  explain(variables?: Variables | Context, options?: EvaluateOptions): Explanation;
  /** The same as text. */
  explainText(variables?: Variables | Context, options?: EvaluateOptions & { width?: number }): string;
  toString(): string;
}

/** Variables and functions for evaluation. */
export declare class Context extends Disposable {
  constructor(variables?: Variables, options?: EvaluateOptions);
  readonly functionNames: string[];
  evaluate(expression: string | Expression): Value;
  render(template: string | Expression): Value;
}

/** An attribute. */
export declare class Attribute {
  private constructor();
  readonly kind: "attribute";
  readonly name: string;
  readonly range: Range;
  readonly nameRange: Range;
  /** The source text of the expression. */
  readonly text: string;
  readonly expressionRange: Range;
  readonly expression: Expression;
}

/** A block. */
export declare class Block {
  private constructor();
  readonly kind: "block";
  readonly type: string;
  readonly labels: readonly string[];
  readonly range: Range;
  /** The type and the labels. */
  readonly definitionRange: Range;
  readonly labelRanges: readonly Range[];
  readonly body: Body;
}

/** The attributes and blocks of a file or a block, in source order. */
export declare class Body implements Iterable<Attribute | Block> {
  private constructor();
  readonly items: readonly (Attribute | Block)[];
  readonly attributes: Attribute[];
  /** The blocks, of one type if there is one. With labels, those that begin with them; `*` matches every label. */
  blocks(type?: string, ...labels: string[]): Block[];
  get(name: string): Attribute | undefined;
  [Symbol.iterator](): Iterator<Attribute | Block>;
}

/** A part of a document that a path selects. */
export interface Match {
  /** The path that selects only this part. */
  readonly address: string;
  readonly text: string;
  readonly range: Range;
  /** Whether it is an expression. */
  readonly expression: boolean;
}

export interface Token {
  readonly kind: string;
  readonly range: Range;
}

/** A node of the syntax tree. */
export interface Node {
  readonly kind: string;
  readonly range: Range;
  readonly parts: readonly Node[];
}

/** A parsed file. A file with errors is a document, too. */
export declare class Document extends Disposable {
  private constructor();
  readonly name: string;
  readonly text: string;
  readonly syntax: "native" | "json";
  readonly hasErrors: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** The attributes and blocks. If there are errors, those that could be read. */
  readonly body: Body;
  /** Throws `HclError` if there are errors. Returns the document. */
  check(): this;
  /** The text with all fixes of its diagnostics that do not overlap, and how many there were. */
  fixed(): { text: string; applied: number };
  /** Begins to edit: `document.edit().set("web.port", 8080).apply()` returns the new document. */
  edit(): Editor;
  /** What a path selects, such as `resource.*.count`. */
  select(path: string): Match[];
  /** Evaluates an expression whose variables are the contents of the document. */
  query(expression: string, options?: { limits?: Limits; numbers?: Numbers }): Value;
  tokens(): Token[];
  tree(): Node;
}

/** Source text of an expression, for edits. */
export declare class Raw {
  constructor(source: string);
  readonly source: string;
}

/** A new value in an edit: objects keep their order, and can contain source text. */
export type NewValue = Input | Raw | Expression | readonly NewValue[] | { readonly [name: string]: NewValue | undefined };

/** Edits of a document, which are made all at once. */
export declare class Editor {
  constructor(document: Document);
  /** Sets the value of what a path selects. If it selects nothing, adds the last name where the rest of it selects. */
  set(path: string, value: NewValue): this;
  /** Adds an attribute to a body, or an item to an object. */
  add(path: string, name: string, value: NewValue): this;
  remove(path: string): this;
  /** Adds source text at the end of bodies, objects, lists and calls. */
  append(path: string, source: string): this;
  /** Adds source text at the start of bodies, objects, lists and calls. */
  prepend(path: string, source: string): this;
  insertBefore(path: string, source: string): this;
  insertAfter(path: string, source: string): this;
  /** Renames attributes, block types, labels and items. References keep the old name; see the function `rename`. */
  rename(path: string, name: string): this;
  /** Moves what a path selects to the end of a body, an object or a list. */
  move(path: string, to: string): this;
  /** Makes all edits, or throws and makes none. Returns the new document. */
  apply(): Document;
}

export interface ParseOptions {
  /** The name of the file. It says the syntax, unless `syntax` does. */
  name?: string;
  syntax?: "native" | "json";
  limits?: Limits;
}

/** Parses a file. Never throws for errors in it: see `Document.diagnostics`. */
export declare function parse(text: string, options?: ParseOptions): Document;
export declare function parseExpression(text: string, options?: { name?: string }): Expression;
export declare function parseTemplate(text: string, options?: { name?: string }): Expression;

/** Evaluates an expression. */
export declare function evaluate(
  expression: string | Expression,
  variables?: Variables | Context,
  options?: EvaluateOptions & { name?: string },
): Value;

/** Evaluates a template. */
export declare function render(
  template: string | Expression,
  variables?: Variables | Context,
  options?: EvaluateOptions & { name?: string },
): Value;

export interface FormatOptions {
  /** The name of the file, which says the language. */
  name?: string;
  /** The language, such as `terraform`, in place of that of the name. */
  language?: string;
  /** Whether equals signs and comments are aligned. True by default. */
  align?: boolean;
  blankLines?: boolean;
  trailingCommas?: boolean;
  /** Puts meta-arguments first or last, as the language has them. */
  metaArguments?: boolean;
  sortAttributes?: boolean;
  /** Joins lists that fit on a line. */
  join?: boolean;
  width?: number;
  limits?: Limits;
}

/** Formats text as the program of its language does. Throws `HclError` if the text has errors. */
export declare function format(text: string, options?: FormatOptions): string;

export interface ToJsonOptions {
  name?: string;
  language?: string;
  /** Writes blocks without arrays where there is one. */
  compact?: boolean;
  /** Attributes that keep their source text, such as `variable.type`. */
  static?: readonly string[];
  limits?: Limits;
}

/** Text as plain data, as `hcl convert` writes it. */
export declare function toJson(text: string, options?: ToJsonOptions): any;
/** The same as text, with all digits of its numbers. With `pretty`, it has lines. */
export declare function toJsonText(text: string, options?: ToJsonOptions & { pretty?: boolean }): string;

export interface FromJsonOptions {
  name?: string;
  language?: string;
  /** Types of blocks, with their numbers of labels. */
  blocks?: readonly (readonly [type: string, labels: number])[];
  /** Names that are attributes, even if they look like blocks. */
  attributes?: readonly string[];
  static?: readonly string[];
  /** Whether strings are text, not templates. */
  literal?: boolean;
  limits?: Limits;
}

/** Plain data, or the text of JSON, as text in the native syntax. */
export declare function fromJson(data: object | string, options?: FromJsonOptions): string;

/** Renames a name in files that belong together. Returns the new text of those that change. */
export declare function rename(
  files: Record<string, string> | ReadonlyMap<string, string>,
  address: string,
  name: string,
  options?: { moved?: boolean },
): Record<string, string>;

/** The language of a file, by its name. */
export declare function languageOf(path: string): string | null;

/** A spec: what a language accepts, and the shape of its data. */
export declare class Spec extends Disposable {
  constructor(text: string, options?: { name?: string });
  decode(
    config: string | Document,
    options?: {
      name?: string;
      variables?: Variables;
      library?: Library;
      /** Whether `dynamic` blocks are expanded. */
      dynamic?: boolean;
      /** Whether variables without a value are unknown, not errors. */
      unknownVariables?: boolean;
      limits?: Limits;
      numbers?: Numbers;
    },
  ): Value;
  jsonSchema(options?: { title?: string; dynamic?: boolean }): any;
  /** Documentation of the language. */
  markdown(options?: { title?: string }): string;
}

/** What refers to what. */
export interface Graph {
  readonly nodes: readonly { readonly address: string; readonly role: string; readonly range: Range }[];
  /** Pairs of addresses: the first refers to the second. */
  readonly edges: readonly (readonly [from: string, to: string])[];
  toDot(): string;
  toMermaid(): string;
}

export interface ModuleOptions {
  /** The directory of the module among the files. The top by default. */
  directory?: string;
  language?: string;
  variables?: Variables;
  /** Paths of files with values of variables. */
  variableFiles?: readonly string[];
  /** Environment variables, such as `TF_VAR_name`. */
  environment?: Record<string, string>;
  /** The JSON of `terraform providers schema -json`. */
  schema?: string;
  workspace?: string;
  /** Whether variables without a value are unknown, not errors. */
  unknownVariables?: boolean;
  limits?: Limits;
  numbers?: Numbers;
}

/** How the value of an address is computed. */
export interface Derivation {
  readonly address: string;
  /** The value as HCL. `(sensitive)` if it is. */
  readonly value: string;
  readonly sensitive: boolean;
  /** Where it comes from, such as `set here`. */
  readonly cause: string;
  readonly range: Range | null;
  readonly explanation: Explanation | null;
  /** The addresses that it refers to. */
  readonly uses: readonly string[];
}

/** A module of Terraform or another language: the declarations of a directory, and the modules that it calls, from files in memory. */
export declare class Module extends Disposable {
  /** `files` are the texts of files by their paths, such as `{ "main.tf": "…", "net/main.tf": "…" }`. */
  constructor(files: Record<string, string> | ReadonlyMap<string, string>, options?: ModuleOptions);
  readonly language: string;
  /** The values of addresses, which can be patterns such as `output.*`; without any, all values. */
  evaluate(...addresses: string[]): { values: Map<string, Value>; diagnostics: readonly Diagnostic[] };
  /** The value of one address. Throws `HclError` if it has none. */
  get(address: string): Value;
  check(): readonly Diagnostic[];
  explain(...addresses: string[]): {
    /** The requested addresses, and then those that they refer to. */
    steps: readonly Derivation[];
    omitted: boolean;
    diagnostics: readonly Diagnostic[];
  };
  explainText(addresses: string | readonly string[], options?: { width?: number }): string;
  /** Why the value of an address is unknown. */
  reasons(address: string): string[];
  graph(): Graph;
}

/** Bake files of Docker Buildx, from files in memory: those that Bake reads by default, or else all of them in their order. */
export declare class Bake extends Disposable {
  constructor(
    files: Record<string, string> | ReadonlyMap<string, string>,
    options?: { variables?: Record<string, string>; overrides?: readonly string[]; limits?: Limits; numbers?: Numbers },
  );
  plan(...targets: string[]): {
    groups: Map<string, Record<string, Value>>;
    targets: Map<string, Record<string, Value>>;
    diagnostics: readonly Diagnostic[];
  };
  check(): readonly Diagnostic[];
  graph(): Graph;
}
