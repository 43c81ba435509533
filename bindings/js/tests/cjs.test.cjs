// The same package with require.

const assert = require("node:assert/strict");
const test = require("node:test");

const hcl = require("hclkit");
const small = require("hclkit/format");
const hcl2json = require("hclkit/hcl2json");

test("the entry points can be required, and share their classes", async () => {
  assert.equal(hcl.evaluate("1 + x", { x: 2 }), 3);
  assert.equal(small.format("a=1\n"), "a = 1\n");
  assert.deepEqual(await hcl2json.parse("main.tf", "a = 1\n"), { a: 1 });
  assert.equal(hcl.HclError, small.HclError);
  await assert.rejects(hcl2json.parse("main.tf", "a = "), hcl.HclError);
});

test("all that can be imported can be required", async () => {
  for (const name of ["hclkit", "hclkit/format", "hclkit/hcl2json"]) {
    const { default: _, "module.exports": __, ...imported } = await import(name);
    assert.deepEqual(Object.keys(require(name)).sort(), Object.keys(imported).sort(), name);
  }
});
