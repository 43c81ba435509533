// Reads the program from the file beside the package.

import { readFileSync } from "node:fs";

const file = new URL("../../format.wasm", import.meta.url);

export const load = () => new WebAssembly.Module(readFileSync(file));
