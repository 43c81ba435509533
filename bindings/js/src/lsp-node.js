// The worker in Node, which has no `onmessage` and `postMessage`.

import { parentPort } from "node:worker_threads";

globalThis.onmessage = undefined;
globalThis.postMessage = (message) => parentPort.postMessage(message);
await import("./lsp-worker.js");
parentPort.on("message", (data) => globalThis.onmessage({ data }));
