import type { Parser, Printer, SupportLanguage } from "prettier";

export declare const languages: SupportLanguage[];
export declare const parsers: { hcl: Parser; terraform: Parser };
export declare const printers: { hcl: Printer };
