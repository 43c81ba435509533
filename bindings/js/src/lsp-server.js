// A language server in a worker: messages in both directions.

const content = (text) => (typeof text === "string" ? new TextEncoder().encode(text) : (text ?? undefined));

/** Gives a worker the program. `hear` calls a listener with each of its messages. */
export function serverOf(worker, hear, program) {
  const listeners = new Set();
  hear((message) => listeners.forEach((listener) => listener(message)));
  worker.postMessage({ program });
  return {
    send: (message) => worker.postMessage(message),
    subscribe: (listener) => void listeners.add(listener),
    unsubscribe: (listener) => void listeners.delete(listener),
    setFiles: (files) => worker.postMessage(Object.entries(files).map(([uri, text]) => [uri, content(text)])),
    terminate: () => worker.terminate(),
  };
}
