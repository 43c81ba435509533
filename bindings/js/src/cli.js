#!/usr/bin/env node
// The program `hclkit`, for those who have only Node: check, fmt, convert and query.
// Exit codes are those of `hcl`: 0, 1 for problems in files, 2 if a file or an argument cannot be used.

import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

import { HclError, LimitError, format, fromJson, languageOf, parse, toJsonText } from "./index.js";
import { stringify } from "./json.js";

const USAGE = `Usage: hclkit <command> [options] [paths]

Commands:
  check [paths]            Reports errors of syntax
  fmt [paths]              Formats files; --check only lists those that are not formatted, --stdout prints
  convert [path]           Converts the native syntax to JSON, and JSON (--to hcl) to the native syntax
  query <path> [paths]     Prints what a path selects, such as 'resource.*.count'; --value evaluates an expression

Options:
  --language <name>        The language, such as terraform, in place of that of the name of a file
  --check, --stdout        See fmt
  --to <json|hcl>          See convert
  --value                  See query
  -h, --help  -V, --version

Paths are files and directories. Without any, or with -, standard input is read; fmt and check then read the
current directory.
`;

/** Something that ends the program with code 2. */
class Unusable extends Error {}

const OPTIONS = {
  language: { type: "string" },
  check: { type: "boolean", default: false },
  stdout: { type: "boolean", default: false },
  to: { type: "string" },
  value: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", short: "V", default: false },
};

const complain = (text) => process.stderr.write(`hclkit: ${text}\n`);

/** The files of paths, each with its name and text. */
function* inputs(paths, all) {
  for (const path of paths) {
    if (path === "-") {
      yield { name: "", text: textOf(0, "standard input") };
    } else if (statOf(path).isDirectory()) {
      for (const name of readdirSync(path, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))) {
        const inner = join(path, name.name);
        if (name.isDirectory() && !name.name.startsWith(".") && name.name !== "node_modules") yield* inputs([inner], all);
        else if (name.isFile() && isOwn(name.name, all)) yield { name: inner, text: textOf(inner, inner) };
      }
    } else {
      yield { name: path, text: textOf(path, path) };
    }
  }
}

function statOf(path) {
  try {
    return statSync(path);
  } catch (error) {
    throw new Unusable(`${path}: ${error.code === "ENOENT" ? "there is no such file" : error.message}`);
  }
}

function textOf(path, name) {
  const bytes = readFileSync(path);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Unusable(`${name}: the file is not UTF-8`);
  }
}

/** Whether a file in a directory is one of a known language, or of HCL. */
function isOwn(name, json) {
  if (name.endsWith(".json")) return json && languageOf(name) !== null;
  return languageOf(name) !== null || name.endsWith(".hcl");
}

/** Writes a file completely or not at all. */
function replace(path, text) {
  const beside = join(dirname(path), `.hclkit-${process.pid}.tmp`);
  try {
    writeFileSync(beside, text, { mode: statSync(path).mode, flag: "wx" });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new Unusable(`${path}: ${error.message}`);
  }
}

/** Runs work on a file. Reports what is wrong with it, and returns the exit code. */
function each(files, work) {
  let code = 0;
  for (const file of files) {
    try {
      code = Math.max(code, work(file) ?? 0);
    } catch (error) {
      if (!(error instanceof HclError)) throw error;
      code = Math.max(code, error instanceof LimitError ? 2 : 1);
      if (error.diagnostics.length > 0) error.diagnostics.forEach((one) => process.stderr.write(String(one)));
      else complain(`${file.name || "standard input"}: ${error.message}`);
    }
  }
  return code;
}

const commands = {
  check(paths) {
    return each(inputs(paths.length ? paths : ["."], true), ({ name, text }) => {
      const document = parse(text, { name });
      document.diagnostics.forEach((one) => process.stdout.write(String(one)));
      const failed = document.hasErrors;
      document.free();
      return failed ? 1 : 0;
    });
  },

  fmt(paths, { language, check, stdout }) {
    return each(inputs(paths.length ? paths : ["."], false), ({ name, text }) => {
      const formatted = format(text, { name, ...(language && { language }) });
      if (stdout || name === "") process.stdout.write(formatted);
      else if (formatted !== text) {
        process.stdout.write(`${name}\n`);
        if (!check) replace(name, formatted);
      }
      return check && formatted !== text ? 1 : 0;
    });
  },

  convert(paths, { language, to }) {
    if (to !== undefined && to !== "json" && to !== "hcl") throw new Unusable("--to must be json or hcl");
    if (paths.length > 1) throw new Unusable("convert takes one file");
    return each(inputs(paths.length ? paths : ["-"], true), ({ name, text }) => {
      const options = { name, ...(language && { language }) };
      const native = (to ?? (name.endsWith(".json") ? "hcl" : "json")) === "hcl";
      process.stdout.write(native ? fromJson(text, options) : `${toJsonText(text, { ...options, pretty: true })}\n`);
    });
  },

  query([path, ...paths], { value }) {
    if (path === undefined) throw new Unusable("query needs a path");
    let matches = 0;
    const code = each(inputs(paths.length ? paths : ["-"], true), ({ name, text }) => {
      const document = parse(text, { name }).check();
      if (value) {
        matches += 1;
        process.stdout.write(`${stringify(document.query(path), "  ")}\n`);
      } else {
        const found = document.select(path);
        matches += found.length;
        found.forEach((one) => process.stdout.write(`${one.text}\n`));
      }
      document.free();
    });
    if (matches === 0 && code === 0) complain(`${path} matches nothing`);
    return matches === 0 ? Math.max(code, 1) : code;
  },
};

function main(args) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [name, ...rest] = positionals;
  if (values.version) {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    process.stdout.write(`hclkit ${version}\n`);
    return 0;
  }
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (!Object.hasOwn(commands, name ?? "")) throw new Unusable(name ? `there is no command ${name}; see hclkit --help` : "a command is missing; see hclkit --help");
  return commands[name](rest, values);
}

// A reader that stops reading, such as `head`, is no error.
process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 2));
try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  // Wrong arguments, and what the system says about files, have a code.
  if (!(error instanceof Unusable) && typeof error.code !== "string") throw error;
  complain(error.message);
  process.exitCode = 2;
}
