// The plugin for Prettier: the same text as `format`, in files and in Markdown.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { format } from "hclkit";
import * as prettier from "prettier";
import * as plugin from "prettier-plugin-hclkit";

const pretty = (text, options) => prettier.format(text, { plugins: [plugin], ...options });
const text = 'a=1\nlonger = "${b}"\nc = <<EOT\n  keep   \n\tthis\nEOT\n\n\n\nd "e" {\n}\n';

test("files are formatted as their programs do, and only once", async () => {
  for (const filepath of ["main.tf", "a.tfvars", "x.tftest.hcl", "a.pkr.hcl", "terragrunt.hcl", "a.hcl", "job.nomad", "C:\\dir\\main.tf"]) {
    const name = filepath.replaceAll("\\", "/");
    const formatted = await pretty(text, { filepath });
    assert.equal(formatted, format(text, { name }), filepath);
    assert.equal(await pretty(formatted, { filepath }), formatted, filepath);
  }
  assert.equal(await pretty("", { filepath: "main.tf" }), "");
  assert.equal(await pretty("a=1\r\nb   =2\r\n", { filepath: "main.tf", endOfLine: "crlf" }), "a = 1\r\nb = 2\r\n");
});

test("blocks in Markdown", async () => {
  const markdown = "# T\n\n```terraform\na=\"${b}\"\n```\n\n- x\n\n  ```hcl\n  a=\"${b}\"\n  ccc=2\n  ```\n\n```hcl\na = = 1\n```\n";
  const formatted = await pretty(markdown, { filepath: "README.md" });
  assert.equal(formatted, "# T\n\n```terraform\na = b\n```\n\n- x\n\n  ```hcl\n  a   = \"${b}\"\n  ccc = 2\n  ```\n\n```hcl\na = = 1\n```\n");
  assert.equal(await pretty(formatted, { filepath: "README.md" }), formatted);
});

test("errors have a place", async () => {
  await assert.rejects(pretty("a = 1\nb = = 2\n", { filepath: "main.tf" }), (error) => error instanceof SyntaxError && error.loc.start.line === 2);
});

// CORPUS names directories, separated by colons.
const corpus = (process.env.CORPUS ?? "").split(":").filter(Boolean);
test("files of directories", { skip: corpus.length === 0 && "CORPUS is not set" }, async (context) => {
  let count = 0;
  for (const directory of corpus) {
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      const filepath = `${entry.parentPath ?? entry.path}/${entry.name}`;
      if (!entry.isFile() || !/\.(tf|tfvars|hcl|nomad)$/.test(filepath) || /\/(node_modules|target)\//.test(filepath)) continue;
      const text = readFileSync(filepath, "utf8");
      let expected;
      try {
        expected = format(text, { name: filepath });
      } catch {
        await assert.rejects(pretty(text, { filepath }), SyntaxError, filepath);
        continue;
      }
      // Prettier itself takes the mark of the order of bytes away, and makes all line ends equal.
      const formatted = await pretty(text, { filepath, endOfLine: "auto" });
      const plain = (text) => text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
      assert.equal(plain(formatted), plain(expected), filepath);
      assert.equal(await pretty(formatted, { filepath, endOfLine: "auto" }), formatted, filepath);
      count += 1;
    }
  }
  context.diagnostic(`${count} files`);
});
