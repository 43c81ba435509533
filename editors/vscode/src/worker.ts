// The worker of the extension in a browser. It gets the program first; then files, and messages of the protocol.

export interface Start {
  program: Uint8Array;
}

/** The address of a file and its content, unless it was removed. */
export type Content = [address: string, content: Uint8Array | undefined];

interface Message {
  id?: unknown;
  method?: string;
  params?: { id?: unknown };
}

/** What the program exports: editors/wasm/src/lib.rs. */
interface Server {
  memory: WebAssembly.Memory;
  input(length: number): number;
  output(): number;
  put(address: number): void;
  remove(): void;
  handle(): number;
  cancel(): void;
  is_busy(): number;
  idle(): number;
}

const waiting: (Content[] | Message)[] = [];
let server: Server | undefined;
/** Why there is no server any more. */
let failure: string | undefined;
// A turn for each step: between two of them, messages arrive, and may cancel others.
const turns = new MessageChannel();
turns.port1.onmessage = step;

onmessage = async ({ data }: MessageEvent<Start | Content[] | Message>) => {
  if ("program" in data) {
    try {
      const { instance } = await WebAssembly.instantiate(data.program as BufferSource);
      server = instance.exports as unknown as Server;
    } catch (error) {
      failure = String(error);
    }
  } else {
    if ("method" in data && data.method === "$/cancelRequest" && server) {
      give(server, JSON.stringify(data.params?.id));
      server.cancel();
    }
    waiting.push(data);
  }
  turns.port2.postMessage(0);
};

function give(server: Server, text: string, content = new Uint8Array()): number {
  const bytes = new TextEncoder().encode(text);
  const at = server.input(bytes.length + content.length);
  const memory = new Uint8Array(server.memory.buffer, at);
  memory.set(bytes);
  memory.set(content, bytes.length);
  return bytes.length;
}

function answer(server: Server, length: number): void {
  const text = new TextDecoder().decode(new Uint8Array(server.memory.buffer, server.output(), length));
  for (const line of text.split("\n").filter(Boolean)) {
    postMessage(JSON.parse(line));
  }
}

function step(): void {
  if (failure !== undefined) {
    for (const message of waiting.splice(0)) {
      if ("id" in message && message.method) {
        postMessage({ jsonrpc: "2.0", id: message.id, error: { code: -32603, message: failure } });
      }
    }
    return;
  }
  if (!server) {
    return;
  }
  const next = waiting.shift();
  try {
    if (Array.isArray(next)) {
      for (const [address, content] of next) {
        const length = give(server, address, content);
        content ? server.put(length) : server.remove();
      }
    } else if (next) {
      give(server, JSON.stringify(next));
      answer(server, server.handle());
    } else if (server.is_busy()) {
      answer(server, server.idle());
    } else {
      return;
    }
  } catch (error) {
    // After a panic, or without more stack, the state of the program is unknown.
    failure = String(error);
    postMessage({ jsonrpc: "2.0", method: "hcl/failed", params: [failure] });
    if (next) {
      waiting.unshift(next);
    }
  }
  turns.port2.postMessage(0);
}
