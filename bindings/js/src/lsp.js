// The entry point `hclkit/lsp`: the language server, in a worker.

const isNode = typeof process === "object" && process.versions?.node !== undefined && typeof process.getBuiltinModule === "function";

/** Starts a worker, and gives it the program. */
async function start() {
  const program = new URL("../lsp.wasm", import.meta.url);
  if (isNode) {
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    const { readFile } = process.getBuiltinModule("node:fs/promises");
    const worker = new Worker(new URL("./lsp-node.js", import.meta.url));
    const hear = (listener) => worker.on("message", listener);
    return { worker, hear, bytes: new Uint8Array(await readFile(program)) };
  }
  const worker = new Worker(new URL("./lsp-worker.js", import.meta.url), { type: "module" });
  const hear = (listener) => worker.addEventListener("message", ({ data }) => listener(data));
  const response = await fetch(program);
  if (!response.ok) throw new Error(`${program}: ${response.status} ${response.statusText}`);
  return { worker, hear, bytes: new Uint8Array(await response.arrayBuffer()) };
}

/** Starts the language server. See the types for what it takes. */
export async function startServer() {
  const { worker, hear, bytes } = await start();
  const listeners = new Set();
  hear((message) => listeners.forEach((listener) => listener(message)));
  worker.postMessage({ program: bytes });
  const content = (text) => (typeof text === "string" ? new TextEncoder().encode(text) : (text ?? undefined));
  return {
    send: (message) => worker.postMessage(message),
    subscribe: (listener) => void listeners.add(listener),
    unsubscribe: (listener) => void listeners.delete(listener),
    setFiles: (files) => worker.postMessage(Object.entries(files).map(([uri, text]) => [uri, content(text)])),
    terminate: () => worker.terminate(),
  };
}
