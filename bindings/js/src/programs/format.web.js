// Fetches the program where there are no files: browsers, workers, and what bundlers make for them.

const response = await fetch(new URL("../../format.wasm", import.meta.url));
if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
const compiled = await WebAssembly.compile(await response.arrayBuffer());

export const load = () => compiled;
