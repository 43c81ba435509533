// Lets glue of wasm-bindgen encode texts as a whole: node encode.mjs FILE. What it makes copies ASCII character by character, which takes
// several times as long.

import { readFileSync, writeFileSync } from "node:fs";

const SLOW = `    for (; offset < len; offset++) {
        const code = arg.charCodeAt(offset);
        if (code > 0x7F) break;
        mem[ptr + offset] = code;
    }
    if (offset !== len) {
        if (offset !== 0) {
            arg = arg.slice(offset);
        }
`;
const FAST = `    const { read, written } = cachedTextEncoder.encodeInto(arg, mem.subarray(ptr, ptr + len));
    offset = written;
    if (read !== len) {
        arg = arg.slice(read);
`;

const [, , file] = process.argv;
const glue = readFileSync(file, "utf8");
if (!glue.includes(SLOW)) throw new Error(`${file} does not encode texts as wasm-bindgen did when this was written: change encode.mjs`);
writeFileSync(file, glue.replace(SLOW, FAST));
