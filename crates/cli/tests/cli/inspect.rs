//! `hcl dump`, `hcl explain`, `hcl completions`, help.

use crate::program::Folder;
use snapbox::str;

const SOURCE: &str = "service \"web\" { # the first\n  port = 1 + \"${x}\"\n}\n";

#[test]
fn tokens() {
    Folder::with(&[]).hcl_reading(&["dump", "tokens"], SOURCE).success().stdout_eq(str![[r##"
1:1-1:8        Identifier  "service"
1:9-1:14       String  "\"web\""
1:15-1:16      OpenBrace  "{"
1:17-1:28      LineComment  "# the first"
1:28-2:1       Newline  "\n"
2:3-2:7        Identifier  "port"
2:8-2:9        Equal  "="
2:10-2:11      Number  "1"
2:12-2:13      Plus  "+"
2:14-2:15      OpenQuote  "\""
2:15-2:17      OpenInterpolation  "${"
2:17-2:18      Identifier  "x"
2:18-2:19      CloseSequence  "}"
2:19-2:20      CloseQuote  "\""
2:20-3:1       Newline  "\n"
3:1-3:2        CloseBrace  "}"
3:2-4:1        Newline  "\n"
4:1-4:1        Eof

"##]]);
}

#[test]
fn tree() {
    let folder = Folder::with(&[("main.hcl", SOURCE)]);
    folder.hcl(&["dump", "tree", "main.hcl"]).success().stdout_eq(str![[r#"
1:1-4:1        Root
1:1-4:1          Body
1:1-3:2            Block  "service \"web\" { # the first\n  port = 1 + \"${x}\"\n}"
1:9-1:14             String  "\"web\""
1:15-3:2             Body
2:3-2:20               Attribute  "port = 1 + \"${x}\""
2:10-2:20                Binary  "1 + \"${x}\""
2:10-2:11                  Number  "1"
2:14-2:20                  QuotedTemplate  "\"${x}\""
2:15-2:19                    Interpolation  "${x}"
2:17-2:18                      Variable  "x"

"#]]);
}

#[test]
fn json() {
    let folder = Folder::with(&[]);
    folder.hcl_reading(&["dump", "tokens", "--output", "json", "-"], "a=1").success().stdout_eq(str![[r#"
[
  {
    "kind": "Identifier",
    "range": {
      "start": {
        "line": 1,
        "column": 1,
        "byte": 0
      },
      "end": {
        "line": 1,
        "column": 2,
        "byte": 1
      }
    },
    "text": "a"
  },
  {
    "kind": "Equal",
    "range": {
      "start": {
        "line": 1,
        "column": 2,
        "byte": 1
      },
      "end": {
        "line": 1,
        "column": 3,
        "byte": 2
      }
    },
    "text": "="
  },
  {
    "kind": "Number",
    "range": {
      "start": {
        "line": 1,
        "column": 3,
        "byte": 2
      },
      "end": {
        "line": 1,
        "column": 4,
        "byte": 3
      }
    },
    "text": "1"
  },
  {
    "kind": "Eof",
    "range": {
      "start": {
        "line": 1,
        "column": 4,
        "byte": 3
      },
      "end": {
        "line": 1,
        "column": 4,
        "byte": 3
      }
    },
    "text": ""
  }
]

"#]]);
    folder
        .hcl_reading(&["dump", "tree", "--output", "json", "--as", "expression", "-"], "-x")
        .success()
        .stdout_eq(str![[r#"
[
  {
    "kind": "Root",
    "id": 0,
    "range": {
      "start": {
        "line": 1,
        "column": 1,
        "byte": 0
      },
      "end": {
        "line": 1,
        "column": 3,
        "byte": 2
      }
    }
  },
  {
    "kind": "Unary",
    "id": 2,
    "parent": 0,
    "range": {
      "start": {
        "line": 1,
        "column": 1,
        "byte": 0
      },
      "end": {
        "line": 1,
        "column": 3,
        "byte": 2
      }
    }
  },
  {
    "kind": "Variable",
    "id": 1,
    "parent": 2,
    "range": {
      "start": {
        "line": 1,
        "column": 2,
        "byte": 1
      },
      "end": {
        "line": 1,
        "column": 3,
        "byte": 2
      }
    },
    "text": "x"
  }
]

"#]]);
}

#[test]
fn each_entry() {
    let folder = Folder::with(&[]);
    for (entry, text) in
        [("config", "a = 1\n"), ("expression", "a"), ("template", "a ${b}"), ("traversal", "a.b")]
    {
        folder.hcl_reading(&["dump", "tree", "--as", entry], text).success();
    }
}

#[test]
fn files_with_errors_are_dumped_and_reported() {
    Folder::with(&[])
        .hcl_reading(&["dump", "tree"], "a = \n")
        .code(1)
        .stdout_eq(str![[r#"
1:1-2:1        Root
1:1-2:1          Body
1:1-1:4            Attribute  "a ="
1:5-1:5              Missing

"#]])
        .stderr_eq(str![[r#"
error[invalid-expression]: Invalid expression
 --> <stdin>:1:5
  |
1 | a = 
  |     ^
  |
  = note: Expected an expression before the end of the line.

"#]]);
    Folder::with(&[]).hcl(&["dump", "tree", "none.hcl"]).code(2).stderr_eq(str![[r#"
error: cannot read none.hcl: No such file or directory (os error 2)

"#]]);
}

#[test]
fn long_chains_are_readable() {
    let chain = format!("{}1", "1+".repeat(20_000));
    let folder = Folder::with(&[]);
    let output = folder.command(&["dump", "tree", "--as", "expression"]).stdin(chain).output().unwrap();
    assert!(output.status.success());
    assert!(output.stdout.len() < 8_000_000, "{}", output.stdout.len());
}

#[test]
fn codes_are_explained_with_an_example() {
    let folder = Folder::with(&[]);
    folder.hcl(&["explain", "missing-separator"]).success().stdout_eq(str![[r#"
missing-separator: Missing item separator

Tuple elements and function arguments must be separated by commas, object items by commas or line breaks.

error[missing-separator]: Missing item separator
 --> example:1:13
  |
1 | ports = [80 81]
  |             ^^
  |
  = note: Tuple elements must be separated by commas.
help: Add a comma
  |
1 | ports = [80, 81]
  |            +

To accept it at one place in hcl check, write `# hcl-check: allow missing-separator REASON` above; everywhere, use --allow missing-separator.

"#]]);
    folder.hcl(&["explain", "invalid-count"]).success().stdout_eq(str![[r#"
invalid-count: Invalid count argument

`count` must be a whole number that is not negative and not sensitive.

error[invalid-count]: Invalid count argument
 --> main.tf:2:11
  |
2 |   count = -1
  |           ^^
  |
  = note: The value is -1. A whole number that is not negative is required.

To accept it at one place in hcl check, write `# hcl-check: allow invalid-count REASON` above; everywhere, use --allow invalid-count.

"#]]);
    folder.hcl(&["explain", "missing-seperator"]).code(2).stderr_eq(str![[r#"
error: unknown code `missing-seperator`; did you mean `missing-separator`?

"#]]);
    folder.hcl(&["explain", "nonsense"]).code(2).stderr_eq(str![[r#"
error: unknown code `nonsense`; run `hcl explain` to list all codes

"#]]);
    let explained = |code: &str| folder.command(&["explain", code]).output().unwrap().stdout;
    assert_eq!(explained("error[missing-separator]"), explained("missing-separator"));
    let list = folder.command(&["explain"]).output().unwrap();
    assert_eq!(String::from_utf8(list.stdout).unwrap().lines().count(), hclkit::Code::ALL.len());
}

#[test]
fn completions_for_each_shell() {
    let folder = Folder::with(&[]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = folder.command(&["completions", shell]).output().unwrap();
        assert!(String::from_utf8(output.stdout).unwrap().contains("max-nesting"), "{shell}");
    }
}

#[test]
fn manual_pages_for_each_command() {
    let folder = Folder::with(&[]);
    let page = folder.hcl(&["man"]).success().get_output().stdout.clone();
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains("\n.SH SUBCOMMANDS\n") && page.contains("\nhcl\\-check(1)\n"), "{page}");
    folder.hcl(&["man", "share/man1"]).success().stdout_eq("").stderr_eq("");
    assert_eq!(folder.read("share/man1/hcl.1"), page);
    let help = String::from_utf8(folder.hcl(&["--help"]).get_output().stdout.clone()).unwrap();
    let commands = help.split("Options:\n").next().unwrap();
    let indented =
        commands.lines().filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names: Vec<&str> = indented.map(|line| line.split(' ').next().unwrap()).collect();
    assert!(names.len() > 12, "{names:?}");
    for name in names {
        let page = folder.read(&format!("share/man1/hcl-{name}.1"));
        assert!(page.contains(".SH EXAMPLES\n.nf\n") && page.ends_with("hcl(1)\n"), "{page}");
    }
    assert!(folder.read("share/man1/hcldec.1").contains("spec"));
    folder.write("file", "");
    let failed = folder.hcl(&["man", "file"]).code(2);
    failed.stderr_eq("error: cannot write file: File exists (os error 17)\n");
    let misspelled = folder.hcl(&["man", "chekc"]).code(2);
    misspelled.stderr_eq(
        "error: there is no command `chekc`; did you mean `check`? For a directory with this name, write ./chekc\n",
    );
    assert!(!folder.path("chekc").exists());
    folder.hcl(&["man", "./chekc"]).success();
    folder.hcl(&["man", "chekc"]).success();
}

#[test]
fn help_has_examples() {
    let folder = Folder::with(&[]);
    for command in ["check", "eval", "console", "convert", "dump", "explain", "lsp", "completions", "man"] {
        let output = folder.command(&[command, "--help"]).output().unwrap();
        assert!(String::from_utf8(output.stdout).unwrap().contains("Examples:"), "{command}");
    }
    folder.hcl(&["--help"]).success().stdout_eq(str![[r#"
Check, format, evaluate, convert and inspect HCL 2 files, such as those of Terraform, Packer and
Nomad

Usage: hcl [OPTIONS] <COMMAND>

To begin with:
  check       Find errors in files, and fix those that have an obvious fix
  fmt         Format HCL files
  eval        Evaluate a module, an expression, the attributes of a file, or a
              template

Understand:
  explain     Explain an error code
  refs        Find the declaration of a name and the references to it, also in
              callers of the module
  graph       Show the references between the names of a module or of Bake
              files, or between units of Terragrunt
  docs        Document the inputs, outputs and resources of modules
  diff        Show what a change does: instances, values, outputs and versions
              of two versions of a module
  test        Apply rules to configuration, and run tests of rules, modules and
              policies

Change:
  edit        Change values, names and blocks in HCL files, and keep comments
              and layout
  rename      Rename a variable, a local value, a resource or another name in
              all files of a directory
  split       Split a Terraform module into the files that the style guide
              recommends
  convert     Convert between the native syntax, the JSON syntax and YAML
  merge       Merge three versions of a file by blocks and attributes, as a
              merge driver of Git

Get parts and values:
  query       Print the parts of HCL files that a path selects, or evaluate an
              expression on each file
  console     Evaluate expressions interactively
  tables      Write blocks, references, module calls and more as tables for
              query engines

Languages of your own:
  decode      Decode configuration files into a value, according to a spec file
  schema      Generate a JSON Schema or a reference from a spec file, or a JSON
              Schema of the variables of a module
  dump        Show the tokens or the syntax tree of a file

Other programs:
  lsp         Serve an editor with the language server protocol
  mcp         Serve agents with the Model Context Protocol
  completions Print shell completions
  man         Write manual pages

Options:
      --color <WHEN>
          When to use colors; `auto` respects `NO_COLOR`

          Possible values:
          - auto:   Only if the output is a terminal
          - always
          - never
          
          [default: auto]

      --no-color
          Disable colors; same as --color never

  -q, --quiet
          Do not print what was written, warnings and summaries

      --stdin-name <NAME>
          The file name to use for standard input, in messages and to choose the syntax and
          formatting

      --max-size <SIZE>
          Maximum size of an input file, in bytes or with the suffix KiB, MiB or GiB
          
          [default: 256MiB]

      --max-nesting <N>
          Maximum nesting depth of expressions, templates and blocks
          
          [default: 1000]

      --max-steps <N>
          Maximum number of subexpressions to evaluate; names and constants do not count
          
          [default: 100000000]

      --max-elements <N>
          Maximum number of collection elements to create or visit in an evaluation
          
          [default: 8388608]

      --max-bytes <BYTES>
          Maximum number of bytes of text to create in an evaluation or to write
          
          [default: 268435456]

      --timeout <SECONDS>
          Maximum duration of an evaluation, in seconds

  -h, --help
          Print help (see a summary with '-h')

  -V, --version
          Print version

Examples:
  hcl check                          find errors in the files and modules below this directory
  hcl fmt --write main.tf            format a file
  hcl eval infra 'output.*'          evaluate the outputs of a module
  hcl query 'resource.*.*' infra     print all resources

`hcl COMMAND --help` has examples of each command, and `hcl --help` the limits of all. The guide:
https://github.com/hclkit/hclkit/tree/main/docs/book/src

Exit codes: 0 on success, 1 if errors were found, nothing was found or files would change, 2 on
invalid usage, unreadable input, or if a limit ended some of the work.

"#]]);
    folder
        .hcl(&["--version"])
        .success()
        .stdout_eq(concat!("hcl ", env!("CARGO_PKG_VERSION"), "\n").to_owned());
}

#[test]
fn dump_reads_partial_traversals() {
    let folder = Folder::with(&[]);
    let dump = ["dump", "tree", "--as", "partial-traversal"];
    folder.hcl_reading(&dump, "a[*].b").success().stdout_eq(str![[r#"
1:1-1:7        Root
1:1-1:7          Traversal  "a[*].b"
1:1-1:2            Name  "a"
1:2-1:5            SplatStep  "[*]"
1:5-1:7            AttrStep  ".b"

"#]]);
    folder.hcl_reading(&["dump", "tree", "--as", "traversal"], "a[*].b").code(1);
}

#[test]
fn unfinished_text_is_in_the_tree() {
    Folder::with(&[]).hcl_reading(&["dump", "tree"], "a {\n  server.\n  b = 1\n}\n").code(1).stdout_eq(str![
        [r#"
1:1-5:1        Root
1:1-5:1          Body
1:1-4:2            Block  "a {\n  server.\n  b = 1\n}"
1:3-4:2              Body
2:3-2:10               Unfinished  "server."
2:3-2:10                 GetAttr  "server."
2:3-2:9                    Variable  "server"
3:3-3:8                Attribute  "b = 1"
3:7-3:8                  Number  "1"

"#]
    ]);
}

#[test]
fn tables_show_blocks_in_their_order() {
    let text = "resource \"a_b\" \"c\" {\n  zone = var.region\n  name = \"x-${var.n}\"\n  tags = { Z = 1, A = \"t\" }\n}\n";
    let folder = Folder::with(&[("a.tf", text)]);
    folder.hcl(&["query", "-o", "csv", "resource", "a.tf"]).success().stdout_eq(str![[r#"
file,line,address,value
a.tf,1,resource.a_b.c,"{""zone"":""${var.region}"",""name"":""x-${var.n}"",""tags"":{""Z"":1,""A"":""t""}}"

"#]]);
    folder.hcl(&["query", "-o", "yaml", "resource", "a.tf"]).success().stdout_eq(str![[r#"
- zone: "${var.region}"
  name: "x-${var.n}"
  tags:
    Z: 1
    A: t

"#]]);
}

#[test]
fn addresses_are_no_paths() {
    let folder = Folder::with(&[("a.tf", "variable \"x\" {}\n")]);
    folder.hcl(&["query", "var.x", "a.tf"]).code(1).stderr_eq(str![[r#"
error: `var.x` matches nothing; did you mean `variable.x`? To find where a name is used, use hcl refs var.x

"#]]);
    folder.hcl(&["edit", "local.x = 1", "a.tf"]).code(1).stderr_eq(str![[r#"
error: local.x = 1 matches nothing; did you mean `locals.x = 1`?

"#]]);
    folder.hcl(&["query", "aws_vpc.x.cidr", "a.tf"]).code(1).stderr_eq(str![[r#"
error: `aws_vpc.x.cidr` matches nothing; did you mean `resource.aws_vpc.x.cidr`? To find where a name is used, use hcl refs aws_vpc.x.cidr

"#]]);
    folder.hcl(&["query", "variable.y", "a.tf"]).code(1).stderr_eq(str![[r#"
error: `variable.y` matches nothing

"#]]);
    folder.write("list.tf", "module \"a\" {\n  source = \"./a\"\n}\n");
    folder.hcl(&["query", "module.*[verison == \"1\"]", "list.tf"]).code(1).stderr_eq(str![[r#"
error: `module.*[verison == "1"]` matches nothing: the predicate is not true for the match of `module.*`

"#]]);
    // There is no such element, however large the number.
    folder.write("list.hcl", "a = [1, 2]\n");
    for index in ["2", "-3", "99999999999999999999", "-99999999999999999999"] {
        let path = format!("a[{index}]");
        let found = folder.hcl(&["query", &path, "list.hcl"]).code(1);
        assert_eq!(
            String::from_utf8_lossy(&found.get_output().stderr),
            format!("error: `{path}` matches nothing\n")
        );
    }
    // What an address is, depends on the language of the file.
    folder.write("a.hcl", "a = 1\n");
    folder.hcl(&["query", "var.x", "a.hcl"]).code(1).stderr_eq(str![[r#"
error: `var.x` matches nothing

"#]]);
    folder.write("b.pkr.hcl", "variable \"x\" {}\n");
    folder.hcl(&["query", "data.a.b", "b.pkr.hcl"]).code(1).stderr_eq(str![[r#"
error: `data.a.b` matches nothing

"#]]);
    folder.hcl(&["query", "var.x[0]", "a.hcl", "b.pkr.hcl"]).code(1).stderr_eq(str![[r#"
error: `var.x[0]` matches nothing; did you mean `variable.x[0]`? To find where a name is used, use hcl refs var.x[0]

"#]]);
}
