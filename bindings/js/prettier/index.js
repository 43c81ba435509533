// Formats HCL with Prettier, as `hcl fmt` does: the name of a file says the language. Prettier's own options for the layout have no
// effect, because the formatters of these languages have none.

import { HclError, format } from "hclkit/format";
import { doc } from "prettier";

const { hardline, join, literalline } = doc.builders;

export const languages = [
  {
    name: "Terraform",
    aliases: ["terraform", "tf", "opentofu", "tofu"],
    extensions: [".tf", ".tofu", ".tfvars", ".tftest.hcl", ".tofutest.hcl", ".tfmock.hcl", ".tfquery.hcl"],
    parsers: ["terraform"],
    vscodeLanguageIds: ["terraform", "terraform-vars"],
    linguistLanguageId: 183,
  },
  {
    name: "HCL",
    aliases: ["hcl"],
    extensions: [".hcl", ".nomad"],
    parsers: ["hcl"],
    vscodeLanguageIds: ["hcl"],
  },
];

/** A parser that formats at once: Prettier has nothing to lay out. */
function parser(language) {
  return {
    astFormat: "hcl",
    locStart: () => 0,
    locEnd: (root) => root.text.length,
    parse(text, { filepath = "", parentParser }) {
      const name = parentParser ? "" : filepath.replaceAll("\\", "/");
      // In Markdown, and without a name, the parser says the language.
      const options = name === "" ? { language } : { name };
      try {
        return { type: "root", text, formatted: format(text, options), isPart: Boolean(parentParser) };
      } catch (error) {
        if (!(error instanceof HclError)) throw error;
        const { start, end } = error.range ?? {};
        const at = (position) => position && { line: position.line, column: position.column };
        throw Object.assign(new SyntaxError(error.message, { cause: error }), start && { loc: { start: at(start), end: at(end) } });
      }
    },
  };
}

export const parsers = { hcl: parser("hcl"), terraform: parser("terraform") };

export const printers = {
  hcl: {
    print(path) {
      const { formatted, isPart } = path.node;
      // Blanks at the end of lines of heredocs stay, except in Markdown, which has its own indentation.
      return isPart ? join(hardline, formatted.trimEnd().split("\n")) : join(literalline, formatted.split("\n"));
    },
  },
};
