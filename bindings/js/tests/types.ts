// What TypeScript must accept, and what not. It is checked with `strict`, and never run.

import {
  Bake, Body, Context, Decimal, Diagnostic, Document, Expression, HclError, Limits, Module, Raw, Sensitive, Spec, Unknown, Value,
  defineFunction, evaluate, format, fromJson, languageOf, parse, parseExpression, rename, render, toJson,
} from "hclkit";
import * as small from "hclkit/format";
import * as hcl2json from "hclkit/hcl2json";
import { startServer } from "hclkit/lsp";

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const check = <_ extends true>() => {};

const document: Document = parse("a = 1\n", { name: "main.tf", syntax: "native", limits: { nesting: 10 } });
check<Equal<typeof document.syntax, "native" | "json">>();
check<Equal<typeof document.body, Body>>();
for (const item of document.body) {
  if (item.kind === "block") check<Equal<typeof item.labels, readonly string[]>>();
  else check<Equal<typeof item.expression, Expression>>();
}
const diagnostics: readonly Diagnostic[] = document.diagnostics;
const severity: "error" | "warning" = diagnostics[0].severity;
const title: string | undefined = diagnostics[0].fix?.title;
const edited: Document = document.edit().set("a", [1, new Raw("b.c"), { d: 2n }]).remove("b").apply();
const limits: Limits = { steps: 1 };

const value: Value = evaluate("a", { a: new Set([1]), b: new Map([["c", null]]), c: undefined }, { functions: "terraform", numbers: "text", limits });
if (value instanceof Sensitive) check<Equal<ReturnType<typeof value.reveal>, any>>();
if (value instanceof Unknown) check<Equal<typeof value.type, string>>();
if (value instanceof Decimal) check<Equal<typeof value.text, string>>();
const area = defineFunction("area", { parameters: { a: "number", b: { type: "number", nullable: true } } }, (a: number, b: number) => a * b);
render("${f(1)}", new Context({}, { functions: ["terraform", area, { f: (x: number) => x }] }));
const typed: { value: Value; type: string } = parseExpression("1").evaluateTyped();
const files: Record<string, string> = rename({ "main.tf": "" }, "var.a", "b", { moved: true });
const module: Module = new Module(files, { variables: { a: 1 }, directory: "x" });
check<Equal<ReturnType<typeof module.evaluate>["values"], Map<string, Value>>>();
const [first]: readonly (readonly [string, string])[] = module.graph().edges;
const text: string = format("a=1", { name: "main.tf" }) + fromJson({}) + small.format("a=1") + String(languageOf("a.tf"));
const data: any = toJson("a = 1");
const decoded: Value = new Spec("").decode(document, { variables: {} });
const targets = new Bake(new Map([["docker-bake.hcl", ""]])).plan("a").targets.get("a");
{
  using inner = parse("");
  inner.check();
}
try {
  document.check();
} catch (error) {
  if (error instanceof HclError) check<Equal<typeof error.code, string | null>>();
}
const parsed: Promise<Record<string, any>> = hcl2json.parse("main.tf", "");
hcl2json.getExpressionAst("main.tf", "a").then((tree) => {
  if (tree && hcl2json.TFExpressionSyntaxTree.isForExpression(tree)) check<Equal<typeof tree.meta.keyVar, string>>();
});
startServer().then((server) => server.setFiles({ "file:///a.tf": "" }));

// @ts-expect-error There is no such option.
parse("", { nmae: "x" });
// @ts-expect-error A document is made by parse.
new Document();
// @ts-expect-error Dates are no values.
evaluate("a", { a: new Date() });
// @ts-expect-error The result of a function is a value.
defineFunction("f", () => Symbol("x"));
// @ts-expect-error A limit is a number.
evaluate("a", {}, { limits: { steps: "1" } });
// @ts-expect-error The small program has no tables of languages.
small.format("", { metaArguments: true });
// @ts-expect-error Diagnostics do not change.
diagnostics[0].message = "x";

export { severity, title, edited, typed, first, text, data, decoded, targets, parsed };
