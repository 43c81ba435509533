// The entry point `hclkit/hcl2json`: values and errors. tests/peers.mjs asks the packages that it replaces.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import * as hcl from "hclkit/hcl2json";

const parse = (text) => hcl.parseSync("main.tf", text);

test("expressions stay source, literals become values", () => {
  assert.deepEqual(
    parse('a = [1, 1.50, -2, true, !true, null, "x\\n", "${y}", "b${y}c", "$${z}", y.z, 1 + 2]\nb = { c = 1, "d" = y, (e) = 2 }\n'),
    {
      a: [1, 1.5, -2, true, false, null, "x\n", "${y}", "b${y}c", "$${z}", "${y.z}", "${1 + 2}"],
      b: { c: 1, d: "${y}", "${(e)}": 2 },
    },
  );
});

test("blocks are arrays below their labels", () => {
  assert.deepEqual(parse('b "c" "d" {\n  x = 1\n}\nb "c" "e" {}\nb "c" "d" {}\n'), { b: { c: { d: [{ x: 1 }, {}], e: [{}] } } });
  assert.deepEqual(Object.keys(parse('__proto__ = 1\nconstructor = 2\n')), ["__proto__", "constructor"]);
});

test("errors have ranges", async () => {
  const error = await hcl.parse("main.tf", "a = 1\nb = \n").catch((error) => error);
  assert.ok(error instanceof hcl.HclError);
  assert.equal(String(error.range), "main.tf:2:5-3:1");
  assert.match(error.message, /^main\.tf:2:5: /);
});

test("blocks and arguments of one name are an error, so that nothing is lost", () => {
  for (const text of ["b {}\nb = 1\n", "b = 1\nb {}\n", 'b {}\nb "c" {}\n', 'b "c" {}\nb {}\n', 'b "c" "d" {}\nb "c" {}\n']) {
    assert.throws(() => parse(text), hcl.HclError, text);
  }
});

test("trees and references", async () => {
  const tree = await hcl.getExpressionAst("main.tf", "a.b + f(c)");
  assert.ok(hcl.TFExpressionSyntaxTree.isBinaryOpExpression(tree));
  assert.equal(hcl.TFExpressionSyntaxTree.getChildWithValue(tree, "f(c)").meta.name, "f");
  assert.deepEqual(await hcl.getReferencesInExpression("main.tf", "x ${a.b} ${[for c in d.e : c.f]}"), [
    { value: "a.b", startPosition: 4, endPosition: 7 },
    { value: "d.e", startPosition: 21, endPosition: 24 },
  ]);
  assert.deepEqual(hcl.wrapTerraformExpression("foo"), { wrap: '"foo"', wrapOffset: 1 });
});

test("chains and nesting end in a value or an error", async () => {
  const bombs = ["(".repeat(100_000), `${"1 + ".repeat(50_000)}1`, `x${".y".repeat(50_000)}`, `${"[".repeat(290)}${"]".repeat(290)}`, `${"x[".repeat(290)}0${"]".repeat(290)}`, `${'"${'.repeat(290)}1${'}"'.repeat(290)}`, `{ x${".y".repeat(50_000)} = 1 }`];
  for (const text of bombs) {
    for (const work of [
      () => parse(`a = ${text}\n`),
      () => hcl.getExpressionAst("main.tf", text),
      () => hcl.getReferencesInExpression("main.tf", text),
    ]) {
      try {
        await work();
      } catch (error) {
        assert.match(error.name, /^(Hcl|Limit)Error$/, `${text.slice(0, 20)}…: ${work}: ${error}`);
      }
    }
  }
});

test("directories", async () => {
  const directory = mkdtempSync(join(tmpdir(), "hclkit-"));
  writeFileSync(join(directory, "main.tf"), 'a "b" {\n  x = 1\n}\n');
  writeFileSync(join(directory, "other.tf"), "c = 1");
  writeFileSync(join(directory, "more.tf.json"), '{"a": {"b": [{"y": 2}]}, "d": 3}');
  assert.deepEqual(await hcl.convertFiles(directory), { a: { b: [{ x: 1 }, { y: 2 }] }, c: 1, d: 3 });
  rmSync(directory, { recursive: true });
});
