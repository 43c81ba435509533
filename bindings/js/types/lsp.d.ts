/** The language server in a worker. `send`, `subscribe` and `unsubscribe` take messages of the protocol. */
export interface Server {
  /** Sends a message: an object, with `jsonrpc: "2.0"`. */
  send(message: object): void;
  /** Calls a listener with each message of the server. */
  subscribe(listener: (message: any) => void): void;
  unsubscribe(listener: (message: any) => void): void;
  /** Adds and replaces files by their addresses. A file without content is removed. */
  setFiles(files: Record<string, string | Uint8Array | undefined>): void;
  /** Ends the worker. */
  terminate(): void;
}

/** Starts the language server: in browsers and bundles a web worker, in Node a thread. */
export declare function startServer(): Promise<Server>;
