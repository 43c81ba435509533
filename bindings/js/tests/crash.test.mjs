// After a trap, a program is started again, the call throws, and objects from before are lost.

import assert from "node:assert/strict";
import test from "node:test";

const file = (name) => import(new URL(`./node_modules/hclkit/dist/esm/${name}`, import.meta.url));
const [{ Held, program }, { load }, glue] = await Promise.all(["program.js", "programs/format.node.js", "glue/format.js"].map(file));

const call = program(glue, load);
const document = (text) => new Held(call, call((glue) => new glue.Document(text, "{}")));

/** Reads memory that there is not. */
const trap = (glue) => {
  const broken = new glue.Document("a = 1\n", "{}");
  broken.__wbg_ptr = 0xfffffff0;
  return broken.text;
};

test("a trap is an exception, and the next call works", () => {
  const before = document("a = 1\n");
  assert.equal(before.with((one) => one.text), "a = 1\n");
  for (let turn = 0; turn < 3; turn += 1) {
    assert.throws(() => call(trap), { name: "CrashError" });
    assert.equal(call((glue) => glue.format("a=1", "{}")), "a = 1");
  }
  assert.throws(() => before.with((one) => one.text), /lost in a crash/);
  before.free();
  const after = document("b = 1\n");
  assert.equal(after.with((one) => one.text), "b = 1\n");
  after.free();
});

test("the end of the stack is such a trap", () => {
  const deep = (level) => (level === 0 ? call((glue) => glue.format("a=1", "{}")) : deep(level - 1));
  let levels = 100;
  try {
    for (;;) deep((levels *= 2));
  } catch (error) {
    assert.ok(error instanceof RangeError || error.name === "CrashError", String(error));
  }
  assert.equal(call((glue) => glue.format("a=1", "{}")), "a = 1");
});

test("a trap in a call within a call ends both", () => {
  let inner;
  const outer = () =>
    call((glue) => {
      try {
        call(trap);
      } catch (error) {
        inner = error;
      }
      return glue.format("a=1", "{}");
    });
  assert.throws(outer, { name: "CrashError" });
  assert.equal(inner.name, "CrashError");
  assert.equal(call((glue) => glue.format("a=1", "{}")), "a = 1");
});
