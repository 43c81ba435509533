// JSON with all digits of numbers, which `JSON.stringify` writes only in newer versions of JavaScript.

import { HclError } from "./errors.js";
import { Decimal, Sensitive, Unknown } from "./values.js";

/** Plain data, and values without unknown and sensitive ones, as JSON. `step` is the indentation of a level. */
export function stringify(value, step = "") {
  const inside = new Set();
  const write = (value, indent) => {
    if (typeof value === "bigint" || value instanceof Decimal) return String(value);
    if (value instanceof Unknown) throw new HclError("the value is unknown, and JSON has no such values");
    if (value instanceof Sensitive) throw new HclError("the value is sensitive, and is not written");
    const plain = typeof value?.toJSON === "function" ? value.toJSON() : value;
    if (plain === null || typeof plain !== "object") return JSON.stringify(plain);
    if (inside.has(plain)) throw new TypeError("the data contains itself");
    inside.add(plain);
    const next = indent + step;
    const parts = Array.isArray(plain)
      ? plain.map((one) => write(one, next) ?? "null")
      : Object.entries(plain).flatMap(([name, one]) => {
          const text = write(one, next);
          return text === undefined ? [] : [`${JSON.stringify(name)}:${step && " "}${text}`];
        });
    inside.delete(plain);
    const [open, close] = Array.isArray(plain) ? "[]" : "{}";
    if (parts.length === 0 || step === "") return open + parts.join(",") + close;
    return `${open}\n${next}${parts.join(`,\n${next}`)}\n${indent}${close}`;
  };
  return write(value, "");
}
