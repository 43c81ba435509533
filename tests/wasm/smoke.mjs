// Runs hclkit in WebAssembly: node smoke.mjs PROGRAM
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
assert.deepEqual(WebAssembly.Module.imports(module), [], "nothing is needed from the host");
const { push, run, output } = new WebAssembly.Instance(module).exports;

const call = (operation) => (text) => {
  for (const byte of new TextEncoder().encode(text)) push(byte);
  const bytes = Uint8Array.from({ length: run(operation) }, (_, at) => output(at));
  return new TextDecoder().decode(bytes);
};
const [parse, evaluate, decode, functions] = [0, 1, 2, 3].map(call);

// Parsing and rendering.
assert.equal(parse('a = 1\nb "c" {\n}\n'), "2 items\n");
const found = parse("port = 'eighty'\n");
assert.match(found, /error\[wrong-character\]/);
assert.match(found, /port = 'eighty'\n/);
assert.match(found, /\^/);

// Evaluation, with functions of every topic that works here.
for (const [expression, expected] of [
  ['upper("${name}-01")', '"WEB-01"'],
  ["[for x in range(3) : x * 1.5]", "[0, 1.5, 3]"],
  ['md5("hello")', '"5d41402abc4b2a76b9719d911017c592"'],
  ['uuidv5("dns", "www.terraform.io")', '"a5008fae-b28c-5ba5-96cd-82b4c53552d6"'],
  ['yamldecode("a: [1, yes]").a', "[1, true]"],
  ['regex("[0-9]+", "a12b")', '"12"'],
  ['textencodebase64("Hi", "UTF-16LE")', '"SABpAA=="'],
  ['substr(base64gzip("Hello"), 0, 12)', '"H4sIAAAAAAAA"'],
]) {
  assert.equal(evaluate(expression), expected, expression);
}

// Functions that do not work here are there, and say why they fail.
const names = functions("").split("\n");
for (const [name, call, why] of [
  ["bcrypt", 'bcrypt("x")', /feature `fs`/],
  ["uuid", "uuid()", /feature `fs`/],
  ["rsadecrypt", 'rsadecrypt("", "")', /feature `rsa`/],
  ["file", 'file("x")', /feature `fs`/],
  ["timestamp", "timestamp()", /no clock/],
]) {
  assert.ok(names.includes(name), name);
  assert.match(evaluate(call), why, call);
}

// Decoding by a spec.
const spec = 'object {\n  attr "size" {\n    type = number\n    required = true\n  }\n}\n---\n';
assert.equal(decode(spec + "size = 3 * 100\n"), '{"size":300}');
assert.match(decode(spec + 'size = "many"\n'), /config.hcl:1:8/);
assert.match(decode(spec), /required/);

// Nesting ends in a value, or in an error beyond the limit. The stack cannot grow here: 900 objects in each other, which are
// within the default limit, are too much for a debug build in Node.
for (const [open, inner, close] of [["(", "1", ")"], ["[", "", "]"], ["!", "true", ""], ["{a=", "1", "}"]]) {
  for (const depth of [100, 600, 100_000]) {
    const text = evaluate(open.repeat(depth) + inner + close.repeat(depth));
    assert.ok(text.length > 0, `${open} ${depth}`);
    if (depth === 100_000) assert.match(text, /nest/);
  }
}

console.log("hclkit works in WebAssembly");
