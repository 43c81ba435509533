// Runs the tests of Renovate's managers for Terraform and Terragrunt with hclkit/hcl2json in place of @cdktf/hcl2json:
// node renovate.mjs PACKAGE [REPOSITORY]. PACKAGE is the file that npm publishes, REPOSITORY a copy of Renovate's. A test that passes
// with the one must pass with the other. Exits with 77 if Renovate or its packages cannot be had.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

const VERSION = "44.39.2";
const COMMIT = "a473e73b3e89999af1b8c35da26c87574d96b724";
const [, , file, repository = "https://github.com/renovatebot/renovate"] = process.argv;
if (!file) throw new Error("say which package to test: node renovate.mjs PACKAGE [REPOSITORY]");

/** What is tested, and where it imports the package. */
const MANAGERS = ["terraform", "terragrunt"];
const IMPORTING = "lib/modules/manager/terraform/hcl/index.ts";
/** What the tests need beside Renovate's dependencies. */
const TOOLS = [
  "callsite", "common-tags", "emojibase-data", "expect-more-jest", "graphql", "jest-extended", "memfs", "nock", "tmp-promise", "vitest",
  "vitest-mock-extended", "yazl",
];
/** What Renovate runs on. */
const NODE = "24.22.3";

const folder = mkdtempSync(join(tmpdir(), "renovate-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

function run(program, args, options) {
  // What npm sets for a script of our package is not for theirs.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "test", LOG_LEVEL: "fatal", TZ: "UTC" };
  return spawnSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"], env, ...options });
}

function need(what, program, args) {
  if (run(program, args).status === 0) return;
  console.error(`${what} cannot be had: Renovate's tests are not run.`);
  process.exit(77);
}

need("A directory of Git", "git", ["init", "--quiet"]);
need(`Renovate ${VERSION}`, "git", ["fetch", "--quiet", "--depth=1", repository, `refs/tags/${VERSION}`]);
need(`Commit ${COMMIT} of Renovate`, "git", ["-c", "advice.detachedHead=false", "checkout", "--quiet", COMMIT]);

const theirs = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const isOld = Number(process.versions.node.split(".")[0]) < Number(NODE.split(".")[0]);
const binary = `node-${platform() === "win32" ? "win" : platform()}-${arch()}`;
const dependencies = {
  ...theirs.dependencies,
  ...Object.fromEntries(TOOLS.map((name) => [name, theirs.devDependencies[name]])),
  hclkit: `file:${resolve(file)}`,
  ...(isOld && { [binary]: NODE }),
};
writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
const quiet = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
need("The packages of Renovate", "npm", ["install", ...quiet]);
const node = isOld ? join(folder, "node_modules", binary, "bin/node") : process.execPath;
need("The generated sources of Renovate", node, ["tools/generate-imports.mjs"]);

/** Runs the tests: the names of those that pass, and messages of those that fail. */
function test() {
  const report = join(folder, "report.json");
  const reporting = ["--reporter=json", `--outputFile=${report}`, "--coverage=false", "--testTimeout=120000"];
  run(node, ["node_modules/vitest/vitest.mjs", "run", ...reporting, ...MANAGERS.map((name) => `lib/modules/manager/${name}/`)]);
  const passed = new Set();
  const failed = new Map();
  for (const { name, message, assertionResults } of JSON.parse(readFileSync(report, "utf8")).testResults) {
    const path = relative(folder, name);
    if (assertionResults.length === 0) failed.set(path, message);
    for (const one of assertionResults) {
      if (one.status === "passed") passed.add(`${path}: ${one.fullName}`);
      else failed.set(`${path}: ${one.fullName}`, one.failureMessages.join("\n"));
    }
  }
  return { passed, failed };
}

const before = test();
const path = join(folder, IMPORTING);
const source = readFileSync(path, "utf8");
const replaced = source.replace("'@cdktf/hcl2json'", "'hclkit/hcl2json'");
if (replaced === source) throw new Error(`${IMPORTING} does not import @cdktf/hcl2json`);
writeFileSync(path, replaced);
rmSync(join(folder, "node_modules/@cdktf"), { recursive: true });
const after = test();

for (const name of before.failed.keys()) console.log(`fails with @cdktf/hcl2json, too: ${name}`);
const broken = [...before.passed].filter((name) => !after.passed.has(name));
for (const name of broken) console.error(`fails with hclkit/hcl2json: ${name}\n${after.failed.get(name) ?? "is not run"}`);
console.log(`Renovate ${VERSION}: ${before.passed.size} tests pass with @cdktf/hcl2json, ${after.passed.size} with hclkit/hcl2json`);
if (before.passed.size === 0) throw new Error("no test of Renovate ran");
process.exit(broken.length > 0 ? 1 : 0);
