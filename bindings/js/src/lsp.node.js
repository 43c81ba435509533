// The entry point `hclkit/lsp` in Node: the language server in a thread.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";

import { serverOf } from "./lsp-server.js";

export async function startServer() {
  const program = await readFile(new URL("../lsp.wasm", import.meta.url));
  const worker = new Worker(new URL("./lsp-node.js", import.meta.url));
  return serverOf(worker, (listener) => worker.on("message", listener), new Uint8Array(program));
}
