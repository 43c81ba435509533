// The entry points `hclkit` and `hclkit/format`. The same file runs in Node, Deno and Bun.

import assert from "node:assert/strict";
import test from "node:test";

import * as hcl from "hclkit";
import * as small from "hclkit/format";

const { parse, evaluate, render, Unknown, Sensitive, Decimal, Raw, HclError, LimitError } = hcl;

const thrown = (work) => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};

test("documents have items with their ranges", () => {
  const document = parse('name = "é"\nweb "a" {\n  port = 8000 + offset # public\n}\n', { name: "main.hcl" });
  assert.equal(document.hasErrors, false);
  assert.deepEqual(document.body.items.map((item) => item.kind), ["attribute", "block"]);
  const [block] = document.body.blocks("web", "a");
  assert.deepEqual([block.type, block.labels], ["web", ["a"]]);
  assert.equal(String(block.range), "main.hcl:2:1-4:2");
  const port = block.body.get("port");
  assert.equal(port.text, "8000 + offset");
  assert.deepEqual(port.expression.references, ["offset"]);
  assert.equal(port.expression.evaluate({ offset: 80 }), 8080);
  const { offset, byte } = port.expressionRange.start;
  assert.equal(document.text.slice(offset, port.expressionRange.end.offset), "8000 + offset");
  assert.equal(byte, offset + 1, "é has two bytes");
  assert.equal(document.body.get("nothing"), undefined);
  assert.equal([...document.body].length, 2);
});

test("the JSON syntax has the same items", () => {
  const document = parse('{"web": {"a": {"port": "${8000 + offset}"}}}', { name: "main.hcl.json" });
  assert.equal(document.syntax, "json");
  assert.deepEqual(document.diagnostics, []);
  assert.equal(document.query("web.a.port", {}) instanceof Unknown, true);
});

test("diagnostics have a code, a range and a fix", () => {
  const document = parse("port = 'eighty'\n", { name: "web.hcl" });
  const [one] = document.diagnostics;
  assert.equal(one.code, "wrong-character");
  assert.equal(one.severity, "error");
  assert.equal(String(one.range), "web.hcl:1:8-1:9");
  assert.equal(one.fix.title, "Use double quotes");
  assert.match(String(one), /port = 'eighty'/);
  assert.equal(document.fixed().text, 'port = "eighty"\n');
  const error = thrown(() => document.check());
  assert.ok(error instanceof HclError);
  assert.deepEqual([error.code, error.fix.title], ["wrong-character", "Use double quotes"]);
});

test("offsets are those of strings of JavaScript", () => {
  const text = 'a = "𝒳é"\nb = c d\n';
  const [one] = parse(text).diagnostics;
  assert.equal(text.slice(one.range.start.offset, one.range.start.offset + 1), "d");
});

test("values cross with their types", () => {
  const values = evaluate("[1, 1.5, 12345678901234567890, 1 / 3, true, null, \"é\", [], {}, { a = [1] }]");
  assert.deepEqual(values.slice(0, 3), [1, 1.5, 12345678901234567890n]);
  assert.ok(values[3] instanceof Decimal);
  assert.equal(Number(values[3]), 1 / 3);
  assert.deepEqual(values.slice(4), [true, null, "é", [], {}, { a: [1] }]);
  assert.equal(evaluate("0.1"), 0.1);
  assert.equal(evaluate("9007199254740993"), 9007199254740993n);
  assert.equal(evaluate("9007199254740993", {}, { numbers: "text" }), "9007199254740993");
  assert.throws(() => evaluate("1", {}, { numbers: "double" }), HclError);
  const shared = { a: 1 };
  for (const value of [0, -1, 1.5e-9, 1e-7, 0.1, 2n ** 80n, "x", "", true, null, [], [[1]], { a: { b: null } }, [shared, shared], Infinity]) {
    assert.deepEqual(evaluate("x", { x: value }), value);
  }
  assert.deepEqual(evaluate("x", { x: new Set(["b", "a"]) }), ["a", "b"]);
  assert.deepEqual(evaluate("x", { x: new Map([["k", 1]]) }), { k: 1 });
  assert.deepEqual(evaluate("x", { x: { a: undefined, b: 1 } }), { b: 1 });
  assert.equal(String(evaluate("x", { x: new Decimal("0.1234567890123456789") })), "0.1234567890123456789");
});

test("what is no value is an error", () => {
  const loop = [];
  loop.push(loop);
  let deep = [];
  for (let at = 0; at < 1000; at += 1) deep = [deep];
  for (const value of [loop, deep, NaN, () => 1, Symbol("a"), new Date(), undefined, new Map([[1, 2]]), [undefined]]) {
    assert.throws(() => evaluate("x", { x: [value] }), TypeError);
  }
  assert.throws(() => evaluate("x", { x: 10n ** 400n + 1n }), HclError);
});

test("names such as __proto__ are names", () => {
  const value = evaluate('{ "__proto__" = { a = 1 }, "constructor" = 2 }');
  assert.deepEqual(Object.keys(value).sort(), ["__proto__", "constructor"]);
  assert.equal({}.a, undefined);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
});

test("values that share parts do not explode", () => {
  let value = [1];
  for (let at = 0; at < 100; at += 1) value = [value, value];
  assert.equal(evaluate("length(x)", { x: value }, { functions: "terraform" }), 2);
  const back = evaluate("x", { x: value });
  assert.equal(back[0], back[1], "one array");
});

test("unknown values", () => {
  const value = evaluate('"a-${x}"', { x: new Unknown("string") });
  assert.ok(value instanceof Unknown);
  assert.deepEqual([value.type, value.prefix, value.notNull], ["string", "a-", true]);
  const number = evaluate("x", { x: new Unknown("number", { min: 1, max: 5, notNull: true }) });
  assert.deepEqual([number.min, number.max], [1, 5]);
  assert.throws(() => `${value}`, TypeError);
  assert.throws(() => JSON.stringify(value), TypeError);
  assert.throws(() => new hcl.Context({ x: new Unknown("strng") }), HclError);
});

test("sensitive values are not shown", () => {
  const value = evaluate('"a-${x}"', { x: new Sensitive("hunter2") });
  assert.ok(value instanceof Sensitive);
  assert.equal(value.reveal(), "a-hunter2");
  assert.deepEqual(value.marks, ["sensitive"]);
  assert.equal(value.toString(), "(sensitive)");
  assert.throws(() => `${value}`, TypeError);
  assert.throws(() => JSON.stringify({ value }), TypeError);
  const error = thrown(() => evaluate("x + 1", { x: new Sensitive("hunter2") }));
  assert.doesNotMatch(`${error.message} ${error.diagnostics}`, /hunter2/);
  const explained = hcl.parseExpression('upper("a-${x}")').explain({ x: new Sensitive("hunter2") }, { functions: "terraform" });
  assert.doesNotMatch(JSON.stringify(explained), /hunter2/i);
});

test("functions of JavaScript", () => {
  const area = hcl.defineFunction("area", { parameters: { width: "number", height: "number" }, result: "number" }, (a, b) => a * b);
  assert.equal(evaluate('upper("${area("6", 7)}m")', {}, { functions: ["terraform", area] }), "42M");
  assert.deepEqual(evaluate("all(1, [2])", {}, { functions: { all: (...values) => values } }), [1, [2]]);
  assert.equal(evaluate("f(null)", {}, { functions: { f: (value) => value === null } }), true);
  assert.throws(() => evaluate('area("x", 1)', {}, { functions: [area] }), /number/);
  assert.throws(() => evaluate("area(1)", {}, { functions: [area] }), HclError);
  const boom = new RangeError("boom");
  const error = thrown(() => evaluate("f()", {}, { functions: { f: () => { throw boom; } } }));
  assert.ok(error instanceof HclError);
  assert.equal(error.cause, boom);
  assert.match(error.message, /boom/);
  // A call within a call.
  assert.equal(evaluate("f(1)", {}, { functions: { f: (x) => evaluate("x + 1", { x }) } }), 2);
  assert.equal(evaluate('try(f(), "else")', {}, { functions: ["terraform", { f: () => { throw boom; } }] }), "else");
  assert.throws(() => evaluate("f()", {}, { functions: { f: () => new Date() } }), /Date/);
  assert.throws(() => evaluate("f()", {}, { functions: { f: 1 } }), TypeError);
});

test("contexts, templates, types and explanations", () => {
  const context = new hcl.Context({ name: "web" }, { functions: "terraform" });
  assert.equal(context.evaluate('upper("${name}-01")'), "WEB-01");
  assert.equal(context.render("Hello, ${name}!"), "Hello, web!");
  assert.ok(context.functionNames.includes("upper"));
  assert.equal(render("%{ for n in names ~}${n} %{ endfor ~}", { names: ["a", "b"] }), "a b ");
  const expression = hcl.parseExpression("size > limit ? \"big\" : \"small\"");
  assert.deepEqual(expression.evaluateTyped({ size: 3, limit: 5 }), { value: "small", type: "string" });
  const explained = expression.explain({ size: 3, limit: 5 });
  assert.equal(explained.value, '"small"');
  assert.deepEqual([explained.parts[0].text, explained.parts[0].value], ["size > limit", "false"]);
  assert.match(expression.explainText({ size: 3, limit: 5 }), /size > limit/);
  assert.equal(hcl.parseExpression("abc").keyword, "abc");
});

test("limits", () => {
  const long = "[for a in range(1000): [for b in range(1000): [for c in range(1000): a]]]";
  const error = thrown(() => evaluate(long, {}, { functions: "terraform", limits: { steps: 10_000 } }));
  assert.ok(error instanceof LimitError, String(error));
  assert.throws(() => evaluate(long, {}, { functions: "terraform" }), LimitError);
  assert.throws(() => evaluate("1", {}, { limits: { step: 1 } }), /step/);
});

/** Each is deeper than the stack would be without a limit. */
const bombs = [
  "(".repeat(100_000),
  `a = ${"[".repeat(100_000)}`,
  `a = ${"(".repeat(290)}1${")".repeat(290)}\n`,
  `a = ${"[".repeat(290)}${"]".repeat(290)}\n`,
  `a = ${"!".repeat(290)}true\n`,
  `a = ${"{a=".repeat(290)}1${"}".repeat(290)}\n`,
  `a = ${'"${'.repeat(290)}1${'}"'.repeat(290)}\n`,
  `a = ${"x[".repeat(290)}0${"]".repeat(290)}\n`,
  `${"b {\n".repeat(290)}${"}\n".repeat(290)}`,
  `a = ${"1 + ".repeat(50_000)}1\n`,
  `a = x${".y".repeat(50_000)}\n`,
  `a = ${"x ? 1 : ".repeat(290)}1\n`,
  `a = ${"f(".repeat(290)}1${")".repeat(290)}\n`,
];

test("nesting ends in a value or an error, and never in a crash", () => {
  for (const text of bombs) {
    const what = `${text.slice(0, 20)}…`;
    for (const work of [
      () => parse(text).diagnostics,
      () => parse(text).body,
      () => parse(text).tree(),
      () => parse(text).body.get("a")?.expression.evaluate({ x: true }),
      () => parse(text).body.get("a")?.expression.explain({ x: true }),
      () => parse(text).query("a"),
      () => parse(text).edit().set("z", 1).apply(),
      () => hcl.format(text),
      () => hcl.format(text, { name: "main.tf" }),
      () => hcl.toJson(text),
      () => hcl.fromJson(`${'{"a":'.repeat(290)}1${"}".repeat(290)}`),
      () => hcl.fromJson(`${"[".repeat(10_000)}`),
      () => new hcl.Module({ "main.tf": text }).check(),
      () => small.format(text),
      () => small.check(text),
    ]) {
      try {
        work();
      } catch (error) {
        assert.ok(error instanceof HclError && error.name !== "CrashError", `${what}: ${work}: ${error}`);
      }
    }
  }
});

test("formatting", () => {
  const text = 'a=1\nlonger = "${b}" # c\n';
  assert.equal(hcl.format(text), 'a      = 1\nlonger = "${b}" # c\n');
  assert.equal(hcl.format(text, { name: "main.tf" }), "a      = 1\nlonger = b # c\n");
  assert.equal(hcl.format(text, { language: "terraform" }), hcl.format(text, { name: "main.tf" }));
  assert.throws(() => hcl.format("a = "), HclError);
  assert.throws(() => hcl.format("a = 1", { language: "toml" }), /toml/);
  assert.throws(() => hcl.format("{}", { name: "a.json" }), HclError);
  assert.throws(() => hcl.format("a = 1", { aligned: false }), /aligned/);
});

test("the small program formats as the large one does", () => {
  const text = 'resource "a"   "b" {\n  x="${y}"\n  # hcl-fmt: skip\n  z=1\n  list=[1,\n2]\n}\n';
  for (const name of ["main.tf", "a.tfvars", "a.pkr.hcl", "job.nomad", "docker-bake.hcl", "a.hcl", "terragrunt.hcl", "x.tftest.hcl", "dir/MAIN.TF", ".tf", ""]) {
    assert.equal(small.format(text, { name }), hcl.format(text, { name }), name);
  }
  for (const language of ["terraform", "opentofu", "packer", "nomad", "hcl"]) {
    assert.equal(small.format(text, { language }), hcl.format(text, { language }), language);
  }
  for (const style of [{ align: false }, { blankLines: true }, { trailingCommas: true }, { join: true, width: 40 }]) {
    assert.equal(small.format(text, style), hcl.format(text, style), JSON.stringify(style));
  }
  assert.throws(() => small.format(text, { metaArguments: true }), HclError);
  const wrong = "port = 'eighty'\n";
  assert.deepEqual(JSON.stringify(small.check(wrong)), JSON.stringify(parse(wrong).diagnostics));
  assert.equal(thrown(() => small.format("a = ")).code, thrown(() => hcl.format("a = ")).code);
});

test("edits keep comments, and are made all at once", () => {
  const document = parse("web {\n  port = 80 # public\n}\n");
  const edited = document.edit().set("web.port", 8080).add("web", "tags", { b: [1, new Raw("var.x")], a: "é" }).apply();
  assert.equal(edited.text, 'web {\n  port = 8080 # public\n  tags = { b = [1, var.x], a = "é" }\n}\n');
  assert.equal(document.text, "web {\n  port = 80 # public\n}\n");
  assert.throws(() => document.edit().set("web.port", 1).remove("nothing").apply(), /matches nothing/);
  assert.throws(() => parse("a = ").edit(), HclError);
  const all = document.edit().rename("web", "site").append(".", "x = 1").insertBefore("web.port", "y = 2").apply();
  assert.match(all.text, /^site \{\n {2}y += 2\n/);
  assert.equal(parse("a = 1\nb {}\n").edit().move("a", "b").apply().text, "b {\n  a = 1\n}\n");
});

test("queries and renaming", () => {
  const document = parse('r "a" {\n  n = 1\n}\nr "b" {\n  n = 2\n}\n', { name: "x.hcl" });
  assert.deepEqual(document.select("r.*.n").map((one) => [one.address, one.text, String(one.range)]), [
    ["r.a.n", "1", "x.hcl:2:3-2:8"],
    ["r.b.n", "2", "x.hcl:5:3-5:8"],
  ]);
  assert.throws(() => document.select("r["), HclError);
  const files = { "main.tf": 'variable "a" {}\n', "other.tf": "locals {\n  b = var.a\n}\n" };
  assert.deepEqual(hcl.rename(files, "var.a", "z"), {
    "main.tf": 'variable "z" {}\n',
    "other.tf": "locals {\n  b = var.z\n}\n",
  });
  assert.deepEqual(hcl.rename(files, "var.nothing", "z"), {});
  assert.throws(() => hcl.rename(files, "var.a", "not a name"), HclError);
});

test("conversion in both directions", () => {
  const text = 'name = "shop"\nlisten "http" {\n  port = 8000 + offset\n}\n';
  const data = { name: "shop", listen: { http: [{ port: "${8000 + offset}" }] } };
  assert.deepEqual(hcl.toJson(text), data);
  assert.deepEqual(hcl.toJson(text, { compact: true }).listen, { http: { port: "${8000 + offset}" } });
  assert.equal(hcl.fromJson(data, { blocks: [["listen", 1]] }), 'name = "shop"\n\nlisten "http" {\n  port = 8000 + offset\n}\n');
  assert.match(hcl.toJsonText("a = 0.12345678901234567890123"), /0\.12345678901234567890123/);
  assert.match(hcl.fromJson('{"a": 0.12345678901234567890123}'), /0\.12345678901234567890123/);
  assert.equal(hcl.fromJson({ a: [2n ** 70n, { b: new Decimal("0.12345678901234567890123") }], c: undefined }), "a = [1180591620717411303424, { b = 0.12345678901234567890123 }]\n");
  const loop = {};
  loop.loop = loop;
  assert.throws(() => hcl.fromJson(loop), TypeError);
  assert.throws(() => hcl.fromJson({ a: new Sensitive("hunter2") }), HclError);
  assert.equal(hcl.languageOf("x/main.tf"), "terraform");
  assert.equal(hcl.languageOf("x.txt"), null);
});

test("specs", () => {
  const spec = new hcl.Spec('object {\n  attr "size" {\n    type     = number\n    required = true\n  }\n}\n');
  assert.deepEqual(spec.decode("size = 3 * disks\n", { variables: { disks: 2 } }), { size: 6 });
  const error = thrown(() => spec.decode('size = "many"\n', { name: "c.hcl" }));
  assert.equal(String(error.range.start), "1:8");
  assert.equal(spec.jsonSchema({ title: "Disks" }).title, "Disks");
  assert.match(spec.markdown(), /size/);
  assert.throws(() => new hcl.Spec("objct {}"), HclError);
});

const shop = {
  "main.tf": 'variable "region" {\n  type = string\n}\nvariable "secret" {\n  sensitive = true\n  default = "hunter2"\n}\nlocals {\n  name = "shop-${var.region}"\n}\nmodule "net" {\n  source = "./net"\n  name = local.name\n}\noutput "net" {\n  value = module.net.id\n}\noutput "secret" {\n  value = var.secret\n  sensitive = true\n}\n',
  "net/main.tf": 'variable "name" {}\noutput "id" {\n  value = upper(var.name)\n}\n',
};

test("modules from a map of files", () => {
  const module = new hcl.Module(shop, { variables: { region: "eu" } });
  assert.equal(module.language, "terraform");
  assert.equal(module.get("output.net"), "SHOP-EU");
  assert.equal(module.get("output.secret").reveal(), "hunter2");
  assert.deepEqual([...module.evaluate("local.*").values], [["local.name", "shop-eu"]]);
  assert.deepEqual(module.check(), []);
  const { steps } = module.explain("output.net");
  assert.equal(steps[0].address, "output.net");
  assert.ok(steps.some((step) => step.address === "var.region" && /--var|set with/.test(step.cause)));
  assert.doesNotMatch(JSON.stringify(module.explain()), /hunter2/);
  assert.match(module.explainText("output.net"), /SHOP-EU/);
  const graph = module.graph();
  assert.ok(graph.edges.some(([from, to]) => from === "local.name" && to === "var.region"));
  assert.match(graph.toDot(), /digraph/);
  assert.throws(() => module.get("output.nothing"), HclError);
  const fewer = new hcl.Module(shop, { unknownVariables: true });
  assert.ok(fewer.get("output.net") instanceof Unknown);
  assert.ok(fewer.reasons("output.net").length > 0);
  assert.throws(() => new hcl.Module({ "a.txt": "" }), HclError);
  const broken = new hcl.Module({ "main.tf": "locals {\n  a = local.b\n}\n" });
  assert.ok(broken.check().some((one) => one.range.name === "main.tf"));
  const named = new hcl.Module({ ...shop, "eu.tfvars": 'region = "us"\n' }, { variableFiles: ["eu.tfvars"] });
  assert.equal(named.get("local.name"), "shop-us");
  const environment = new hcl.Module(shop, { environment: { TF_VAR_region: "asia" } });
  assert.equal(environment.get("local.name"), "shop-asia");
});

test("Bake", () => {
  const text = 'variable "TAG" {\n  default = "latest"\n}\ntarget "app" {\n  tags = ["app:${TAG}"]\n}\n';
  const bake = new hcl.Bake({ "docker-bake.hcl": text }, { variables: { TAG: "v1" } });
  assert.deepEqual(bake.plan("app").targets.get("app").tags, ["app:v1"]);
  assert.deepEqual(bake.check(), []);
});

test("freed objects are errors", () => {
  const document = parse("a = 1\n");
  document.free();
  document.free();
  assert.throws(() => document.text, /freed/);
  if (Symbol.dispose) {
    const other = parse("a = 1\n");
    other[Symbol.dispose]();
    assert.throws(() => other.text, /freed/);
  }
});

test("a loop of 100,000 parses is flat", () => {
  const text = 'b "c" {\n  a = [1, "two", three]\n  d = e\n}\n'.repeat(20);
  const memory = () => {
    globalThis.gc?.();
    globalThis.Bun?.gc(true);
    return globalThis.process?.memoryUsage().rss ?? 0;
  };
  const round = (times) => {
    for (let at = 0; at < times; at += 1) {
      const document = parse(text);
      assert.equal(document.hasErrors, false);
      document.free();
    }
  };
  round(10_000);
  const before = memory();
  round(100_000);
  const grown = memory() - before;
  assert.ok(grown < 50 << 20, `${grown} bytes`);
});
