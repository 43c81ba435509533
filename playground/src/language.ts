// Colors for HCL: a lexer of lines. What names mean is the business of the server.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

interface Line {
  /** The name that ends a heredoc, if one is open. */
  heredoc: string | null;
  inComment: boolean;
}

export const hcl = StreamLanguage.define<Line>({
  name: "hcl",
  startState: () => ({ heredoc: null, inComment: false }),
  token(stream, line) {
    if (line.inComment) {
      line.inComment = !stream.skipTo("*/") || !stream.match("*/");
      if (line.inComment) stream.skipToEnd();
      return "comment";
    }
    if (line.heredoc !== null) {
      if (stream.sol() && stream.string.trim() === line.heredoc) line.heredoc = null;
      stream.skipToEnd();
      return "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^(#|\/\/).*/)) return "comment";
    if (stream.match("/*")) {
      line.inComment = true;
      return "comment";
    }
    const heredoc = stream.match(/^<<-?([\p{L}_][\p{L}\p{N}_-]*)/u);
    if (heredoc && heredoc !== true) {
      line.heredoc = heredoc[1] ?? "";
      return "string";
    }
    if (stream.match(/^"(?:[^"\\$%]|\\.|[$%](?!\{)|[$%]\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})*"?/)) return "string";
    if (stream.match(/^\d+(\.\d+)?([eE][-+]?\d+)?/)) return "number";
    if (stream.match(/^(true|false|null)\b/)) return "atom";
    if (stream.match(/^(for|in|if)\b/)) return "keyword";
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_-]*(?=\s*=[^=>])/u)) return "propertyName";
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_-]*(?=\s*\()/u)) return "function";
    if (stream.sol() || /^\s*$/.test(stream.string.slice(0, stream.start))) {
      if (stream.match(/^[\p{L}_][\p{L}\p{N}_-]*(?=\s*["{])/u)) return "typeName";
    }
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_-]*/u)) return "variableName";
    stream.next();
    return null;
  },
  tokenTable: { function: tags.function(tags.variableName) },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
});

/** The colors are those of the page, light and dark: see style.css. */
export const theme = EditorView.theme({
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--dim)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)",
  },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 18%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--background)" },
});

export const colors = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.comment, color: "var(--comment)" },
    { tag: tags.string, color: "var(--string)" },
    { tag: [tags.number, tags.atom], color: "var(--number)" },
    { tag: [tags.keyword, tags.typeName], color: "var(--keyword)" },
    { tag: tags.propertyName, color: "var(--property)" },
    { tag: tags.function(tags.variableName), color: "var(--function)" },
  ]),
);
