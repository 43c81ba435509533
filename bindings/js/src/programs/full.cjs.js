// The same for CommonJS.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const file = join(__dirname, "../../full.wasm");

export const load = () => new WebAssembly.Module(readFileSync(file));
