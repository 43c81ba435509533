import type { Diagnostic, FormatOptions as Style, ParseOptions } from "./index.js";

export { CrashError, Diagnostic, Fix, HclError, LimitError, Limits, ParseOptions, Position, Range } from "./index.js";

/** The options of `hclkit`'s `format`, without those that need the tables of languages. */
export type FormatOptions = Omit<Style, "metaArguments" | "sortAttributes">;

/** Formats text as the program of its language does. Throws `HclError` if the text has errors. */
export declare function format(text: string, options?: FormatOptions): string;

/** The errors and warnings of text. */
export declare function check(text: string, options?: ParseOptions): Diagnostic[];
