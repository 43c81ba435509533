// The playground in a browser: node tests/page.mjs [DIRECTORY for screenshots]. CHROMIUM is the browser.
// Each panel is used, results are compared with hclkit in Node, and nothing is requested after loading.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

import * as hcl from "hclkit";
import { chromium } from "playwright-core";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const screenshots = process.argv[2];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

const server = createServer(async ({ url }, response) => {
  const path = new URL(url, "http://localhost").pathname.replace(/^\/playground\//, "/");
  if (path === "/guide.html") {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end('<!doctype html><link rel="icon" href="data:,"><pre><code class="language-hcl">a = "é"\n</code></pre><script src="/guide.js"></script>');
    return;
  }
  if (path === "/guide.js") {
    response.setHeader("content-type", "text/javascript").end(await readFile(new URL("../../docs/book/theme/playground.js", import.meta.url)));
    return;
  }
  try {
    const file = await readFile(join(dist, path === "/" ? "index.html" : path));
    response.setHeader("content-type", TYPES[extname(path)] ?? "text/html").end(file);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const failures = [];

async function page({ ended, ...others } = {}, hash = "") {
  const options = { ended };
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...others });
  const made = await context.newPage();
  made.on("pageerror", (error) => failures.push(String(error)));
  made.on("console", (message) => message.type() === "error" && failures.push(message.text()));
  const start = performance.now();
  await made.goto(address + hash);
  await made.waitForSelector("body[data-ready]");
  made.interactive = performance.now() - start;
  await made.waitForSelector("body[data-server][data-engine]");
  // A worker that was ended is loaded again.
  const isAllowed = (url) => options.ended && /\/(engine-|full-)[\w-]+\.(js|wasm)$/.test(url);
  context.on("request", (request) => isAllowed(request.url()) || failures.push(`a request after loading: ${request.url()}`));
  return made;
}

const panel = async (made, name) => {
  await made.click(`#panels [data-tab=${name}]`);
  await made.waitForSelector("body:not([data-busy])");
  return made.locator("#panel");
};
const example = async (made, name) => {
  await made.selectOption("#examples", name);
  await made.waitForSelector("body:not([data-busy])");
};
const files = async (made) => (await decodeState(made)).files;

/** The state that a link of the page holds. */
async function decodeState(made) {
  await made.evaluate(() => history.replaceState(null, "", "#"));
  await made.click("#share");
  await made.waitForFunction(() => location.hash.startsWith("#v1="));
  const hash = await made.evaluate(() => location.hash);
  return stateOf(hash);
}

async function stateOf(hash) {
  const bytes = Buffer.from(hash.slice("#v1=".length), "base64url");
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

const checks = {
  async "it is interactive within a second, and has no errors"(made) {
    console.log(`interactive after ${made.interactive.toFixed(0)} ms`);
    assert.ok(made.interactive < 1_000 || process.env.SLOW, `${made.interactive} ms`);
    assert.equal(await made.title(), "hclkit playground");
  },

  async "values are those of the module"(made) {
    await example(made, "Terraform module");
    const shown = await (await panel(made, "values")).locator("tr").allTextContents();
    const { values } = new hcl.Module(await files(made), { unknownVariables: true }).evaluate();
    assert.equal(shown.length, values.size);
    assert.ok(shown.some((row) => row.startsWith("output.greeting") && row.includes(values.get("output.greeting"))));
    assert.ok(shown.some((row) => row.startsWith("output.token") && row.includes("(sensitive)")));
    assert.doesNotMatch(await made.locator("#panel").textContent(), /s3cr3t/);
  },

  async "an explanation is a tree that leads to the source"(made) {
    const shown = await panel(made, "explain");
    await made.fill("#input input", "output.greeting");
    await shown.locator("h3", { hasText: "output.greeting" }).first().waitFor();
    const { steps } = new hcl.Module(await files(made), { unknownVariables: true }).explain("output.greeting");
    assert.equal(await shown.locator(".step").count(), steps.length);
    await shown.locator("details summary").first().click();
    await shown.locator(".step .link").first().click();
    assert.match(await made.locator(".cm-content").evaluate((it) => it.getRootNode().activeElement?.className ?? ""), /cm-content/);
  },

  async "the graph is drawn, zooms, and leads to the source"(made) {
    const shown = await panel(made, "graph");
    const graph = new hcl.Module(await files(made), { unknownVariables: true }).graph();
    assert.equal(await shown.locator("g.node").count(), graph.nodes.length);
    assert.equal(await shown.locator("path.edge").count(), graph.edges.length);
    const before = await shown.locator("svg").getAttribute("viewBox");
    await shown.getByLabel("Zoom in").click();
    assert.notEqual(await shown.locator("svg").getAttribute("viewBox"), before);
    await shown.getByLabel("Show all").click();
    await shown.locator("g.node", { hasText: "module.network.output.subnets" }).or(shown.locator("g.node").last()).first().click();
    assert.equal(await made.locator("#files [aria-selected=true]").count(), 1);
  },

  async "formatting shows what changes, and makes it"(made) {
    await example(made, "Nomad");
    await made.locator(".cm-content").click();
    await made.keyboard.press("Control+a");
    await made.keyboard.insertText('job "a" {\ncount=1\n}\n');
    const shown = await panel(made, "format");
    assert.deepEqual(await shown.locator(".added").allTextContents(), ["+   count = 1\n"]);
    await shown.getByRole("button", { name: "Apply" }).click();
    await shown.getByText("The file is formatted.").waitFor();
    assert.equal(Object.values(await files(made))[0], 'job "a" {\n  count = 1\n}\n');
  },

  async "JSON, a query, and the tree"(made) {
    await example(made, "Nomad");
    const [[name, text]] = Object.entries(await files(made));
    assert.equal(await (await panel(made, "json")).textContent(), JSON.stringify(hcl.toJson(text, { name }), null, 2));
    const query = await panel(made, "query");
    await made.fill("#input input", "job.*.group.*.count");
    await query.locator("li pre").first().waitFor();
    assert.deepEqual(await query.locator("li pre").allTextContents(), hcl.parse(text, { name }).select("job.*.group.*.count").map((one) => one.text));
    const tree = await panel(made, "tree");
    assert.match(await tree.textContent(), new RegExp(`Tokens: ${hcl.parse(text).tokens().length}`));
  },

  async "a spec decodes the file"(made) {
    await example(made, "A language of one's own");
    const shown = await panel(made, "decode");
    assert.match(await shown.textContent(), /port = 8443/);
    await made.fill("#input textarea", "objct {}");
    await shown.locator(".error").first().waitFor();
  },

  async "Bake and Packer have values"(made) {
    await example(made, "Bake");
    assert.match(await (await panel(made, "values")).textContent(), /example\/app:latest/);
    await example(made, "Packer");
    assert.match(await (await panel(made, "values")).textContent(), /debian-12/);
  },

  async "fixes are made by a click"(made) {
    await example(made, "Broken files");
    const shown = await panel(made, "problems");
    const count = await shown.locator("li").count();
    assert.ok(count > 0);
    await shown.getByRole("button", { name: /Fix: Use double quotes/ }).click();
    await made.waitForFunction(() => !/Use double quotes/.test(document.querySelector("#panel").textContent));
    assert.match((await files(made))["main.tf"], /"shop"/);
    // The server underlines the rest.
    await made.locator(".cm-lintRange").first().waitFor({ timeout: 10_000 });
  },

  async "tabs have keys"(made) {
    await made.focus("#panels [aria-selected=true]");
    const before = await made.locator("#panels [aria-selected=true]").textContent();
    await made.keyboard.press("ArrowRight");
    assert.notEqual(await made.locator("#panels [aria-selected=true]").textContent(), before);
    assert.equal(await made.evaluate(() => document.activeElement.getAttribute("role")), "tab");
  },

  async "a keystroke in 1,000 lines has its problems soon"(made) {
    await example(made, "Nomad");
    await panel(made, "problems");
    await made.locator(".cm-content").click();
    await made.keyboard.press("Control+a");
    await made.keyboard.insertText(Array.from({ length: 1_000 }, (_, at) => `a${at} = [${at}, "x"]\n`).join(""));
    await made.waitForSelector("body:not([data-busy])");
    const times = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const start = made.evaluate(
        () =>
          new Promise((resolve) => {
            const panel = document.querySelector("#panel");
            document.addEventListener("keydown", () => {
              const start = performance.now();
              new MutationObserver((_, observer) => {
                if (!/error/.test(panel.textContent)) return;
                observer.disconnect();
                resolve(performance.now() - start);
              }).observe(panel, { childList: true, subtree: true });
            }, { once: true, capture: true });
          }),
      );
      await made.waitForTimeout(100);
      await made.keyboard.press("=");
      times.push(await start);
      await made.keyboard.press("Backspace");
      await made.getByText("No problems.").waitFor();
    }
    const best = Math.min(...times);
    console.log(`problems after a keystroke in 1,000 lines: ${best.toFixed(1)} ms at best of ${times.map((it) => it.toFixed(0)).join(", ")}`);
  },

  async "hostile files never freeze the page"(made) {
    const bombs = [
      `a = ${"(".repeat(50_000)}`,
      `a = ${"[".repeat(290)}${"]".repeat(290)}`,
      `locals {\n  a = [for x in range(100000) : [for y in range(100000) : "${"x".repeat(50)}"]]\n}\n`,
      `locals {\n  a0 = "xxxxxxxxxx"\n${Array.from({ length: 40 }, (_, at) => `  a${at + 1} = "\${local.a${at}}\${local.a${at}}"\n`).join("")}}\n`,
    ];
    for (const bomb of bombs) {
      const stream = new Blob([JSON.stringify({ files: { "main.tf": bomb }, active: "main.tf", panel: "values", inputs: {} })]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      const hash = `#v1=${Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url")}`;
      const other = await page({ ended: true }, hash);
      for (const name of ["values", "problems", "format", "json", "tree", "graph"]) {
        const start = performance.now();
        await other.click(`#panels [data-tab=${name}]`);
        const taken = performance.now() - start;
        assert.ok(taken < 5_000, `${name}: ${taken} ms for a click`);
        await other.waitForSelector("body:not([data-busy])", { timeout: 20_000 });
      }
      await other.context().close();
    }
  },

  async "blocks of the guide open in the playground"() {
    const guide = await (await browser.newContext()).newPage();
    await guide.goto(`${address}guide.html`);
    await guide.locator("a[href]").click();
    await guide.waitForSelector("body[data-ready]");
    assert.deepEqual((await decodeState(guide)).files, { "main.tf": 'a = "é"\n' });
    await guide.context().close();
  },

  async "links of today open tomorrow"(made) {
    for (const [name, hash] of Object.entries(JSON.parse(await readFile(new URL("links.json", import.meta.url), "utf8")))) {
      const other = await page({}, hash);
      const state = await stateOf(hash);
      assert.deepEqual((await decodeState(other)).files, state.files, name);
      await other.context().close();
    }
    const other = await page({}, "#v1=AAAA");
    assert.match(await other.locator("#status").textContent(), /cannot be read/);
    await other.context().close();
    void made;
  },
};

const made = await page();
let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    await check(made);
    assert.deepEqual(failures.splice(0), []);
    console.log(`ok - ${name}`);
  } catch (error) {
    failed += 1;
    failures.length = 0;
    console.log(`not ok - ${name}\n${error.stack}`);
  }
}
if (screenshots) {
  for (const [name, options, width] of [["light", { colorScheme: "light" }, 1280], ["dark", { colorScheme: "dark" }, 1280], ["narrow", { colorScheme: "light" }, 400]]) {
    const other = await page({ ...options, viewport: { width, height: 800 } });
    for (const id of ["values", "graph", "explain", "problems", "format"]) {
      if (id === "problems") await example(other, "Broken files");
      await panel(other, id);
      if (id === "problems") await other.waitForTimeout(1_000);
      await other.screenshot({ path: join(screenshots, `${name}-${id}.png`) });
    }
    await other.context().close();
  }
}
await browser.close();
server.close();
process.exit(failed > 0 ? 1 : 0);
