// The entry point `hclkit/lsp` in browsers, and what bundlers make for them: the language server in a web worker.

import { serverOf } from "./lsp-server.js";

export async function startServer() {
  const response = await fetch(new URL("../lsp.wasm", import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  const program = new Uint8Array(await response.arrayBuffer());
  const worker = new Worker(new URL("./lsp-worker.js", import.meta.url), { type: "module" });
  return serverOf(worker, (listener) => worker.addEventListener("message", ({ data }) => listener(data)), program);
}
