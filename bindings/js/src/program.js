// A WebAssembly program: started with the first call, and again after a crash.

import { CrashError, HclError, failure } from "./errors.js";

/**
 * Returns a function that runs calls of a program. `glue` is what wasm-bindgen made, and `load` returns the compiled program.
 *
 * What the program throws itself is a string. Anything else is a trap, or the end of the stack, after which its memory is in no
 * known state: it is made again as soon as no call is under way in it.
 */
export function program(glue, load) {
  let started = false;
  let calls = 0;
  let crash;

  function restart() {
    try {
      glue.__wbg_reset_state();
    } catch {
      started = false;
    }
    crash = undefined;
  }

  return function call(work, cause) {
    if (!started) {
      glue.initSync({ module: load() });
      started = true;
    }
    if (crash !== undefined) throw new CrashError(crash);
    calls += 1;
    try {
      const result = work(glue);
      // A function of the caller may have called the program, too.
      if (crash !== undefined) throw new CrashError(crash);
      return result;
    } catch (thrown) {
      if (typeof thrown === "string") throw failure(thrown, cause?.());
      if (thrown instanceof HclError) throw thrown;
      crash = thrown;
      throw new CrashError(thrown);
    } finally {
      calls -= 1;
      if (crash !== undefined && calls === 0) restart();
    }
  };
}

/**
 * An object of the program, which is freed with `free()`, at the end of a `using` declaration, or when JavaScript collects it.
 */
export class Held {
  #call;
  #object;

  constructor(call, object) {
    this.#call = call;
    this.#object = object;
  }

  /** Runs a call with the object. */
  with(work, cause) {
    const object = this.#object;
    if (!object) throw new HclError("this object was freed");
    return this.#call((glue) => {
      try {
        return work(object, glue);
      } catch (thrown) {
        // After a crash, the program is another one.
        if (thrown instanceof Error && /stale object/.test(thrown.message)) {
          throw new HclError("this object was lost in a crash");
        }
        throw thrown;
      }
    }, cause);
  }

  free() {
    const object = this.#object;
    this.#object = undefined;
    if (!object) return;
    try {
      this.#call(() => object.free());
    } catch {
      // The object of an earlier program is gone already.
    }
  }
}
