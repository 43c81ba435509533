// Functions for expressions that are functions of JavaScript.

import { HclError } from "./errors.js";
import { decode, encode } from "./values.js";

/** A function for expressions, with the types of its parameters and its result. */
export class HclFunction {
  constructor(name, options, callable) {
    if (typeof callable !== "function") throw new TypeError(`${name} is not a function`);
    this.name = name;
    this.callable = callable;
    const parameter = ([name, type]) => {
      const optional = typeof type === "string" ? { type } : type;
      return { name, type: optional.type ?? "any", nullable: optional.nullable ?? (optional.type ?? "any") === "any" };
    };
    this.definition = {
      name,
      description: options.description ?? "",
      parameters: Object.entries(options.parameters ?? {}).map(parameter),
      variadic: options.variadic === undefined ? null : parameter(["rest", options.variadic]),
      result: options.result ?? "any",
      impure: options.impure ?? false,
    };
    Object.freeze(this);
  }
}

/** Makes a function for expressions. Without types, it takes any arguments. */
export function defineFunction(name, options, callable) {
  if (callable === undefined) return new HclFunction(name, { variadic: "any" }, options);
  return new HclFunction(name, options, callable);
}

/** The library and the functions that a caller gives in one of several forms. */
export function functionsOf(functions, numbers) {
  let library = null;
  const own = [];
  const add = (one, name) => {
    if (typeof one === "string") {
      if (library !== null) throw new HclError("only one library of functions can be used");
      library = one;
    } else if (one instanceof HclFunction) {
      if (name !== undefined && name !== one.name) throw new HclError(`the function ${one.name} has another name than its key ${name}`);
      own.push(one);
    } else if (typeof one === "function") {
      own.push(defineFunction(name ?? one.name, one));
    } else if (one && typeof one === "object") {
      for (const [name, inner] of Object.entries(one)) add(inner, name);
    } else {
      throw new TypeError(`${name ?? one} is not a function`);
    }
  };
  if (Array.isArray(functions)) functions.forEach((one) => add(one));
  else if (functions !== undefined && functions !== null) add(functions);
  return { library, definitions: own.map((one) => one.definition), callables: own.map((one) => bridge(one, numbers)) };
}

/** What the last call of a function threw. It is the cause of the error of the evaluation. */
let thrown;

export function forget() {
  thrown = undefined;
}

export function lastThrown() {
  const last = thrown;
  thrown = undefined;
  return last;
}

/** The function as the program calls it: with JSON, for JSON. */
function bridge({ callable }, numbers) {
  return (json) => {
    try {
      return encode(callable(...decode(json, numbers)) ?? null);
    } catch (error) {
      thrown = error;
      throw error instanceof Error ? `{"message":${JSON.stringify(`${error.name}: ${error.message}`)}}` : String(error);
    }
  };
}
