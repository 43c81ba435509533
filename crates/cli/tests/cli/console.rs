//! `hcl console` in a pipe: its output, its variables, and its exit codes. Terminals are not tested here.

use crate::program::Folder;
use snapbox::str;

#[test]
fn each_entry_is_answered() {
    let input = "1 + 1\n# nothing\n\n[1,\n 2]\nx = { port = 80 }\nx.tls.on = true\nx\n:type x\n<<EOT\none\ntwo\nEOT\n";
    Folder::with(&[]).hcl_reading(&["console"], input).success().stderr_eq(str![]).stdout_eq(str![[r#"
2
[1, 2]
{ port = 80, tls = { on = true } }
object({port=number, tls=object({on=bool})})
<<EOT
one
two
EOT

"#]]);
}

#[test]
fn errors_do_not_end_the_session() {
    let input = "x = 1\nx + y\n\n:nothing\n:type\n1 +\nz = (1 + \"a\")\nz =\ntrue = 1\nx\n[1\n";
    Folder::with(&[]).hcl_reading(&["console"], input).code(1).stdout_eq("1\n".to_owned()).stderr_eq(str![[r#"
error[unknown-variable]: Unknown variable
 --> <stdin>:2:5
  |
2 | x + y
  |     ^
  |
  = note: There is no variable named `y`.
error: unknown command :nothing; use :help to list all commands
error: :type requires an expression: :type EXPR
error[missing-expression]: Missing expression
 --> <stdin>:6:4
  |
6 | 1 +
  |    ^
  |
  = note: Expected an expression, found the end of the text.
error[invalid-operand]: Invalid operand
 --> <stdin>:7:10
  |
7 | (1 + "a")
  |      ^^^
  |
  = note: Invalid value for the right operand of `+`: a number is required.
error: `z =` requires an expression: z = EXPR
error: `true` is a keyword and cannot be used as a variable name
error[unclosed-bracket]: Unclosed bracket
  --> <stdin>:11:1
   |
11 | [1
   | ^
   |
   = note: This `[` is not closed before the end of the file. The missing bracket may also belong to a nested pair.

"#]]);
}

#[test]
fn commands() {
    let folder = Folder::with(&[("v.tfvars", "region = \"eu\"\nsizes = [1, 2]\n")]);
    let args = ["console", "--var-file", "v.tfvars", "--var", "secret=sensitive(\"x\")"];
    folder
        .hcl_reading(&args, ":vars\n:type sizes\n:doc join\n:doc try\n:explain region == \"eu\"\n:help\n")
        .success()
        .stdout_eq(str![[r#"
region = "eu"
secret = (sensitive)
sizes  = [1, 2]
tuple([number, number])
join(separator: string, lists: list(string)...) → string

Joins the elements of one or more lists into a string, with a separator between them.

  separator  The separator to insert between the elements.
  lists      One or more lists of strings.

  join(", ", ["foo", "bar"])
  → "foo, bar"
try(expressions...)

Returns the value of the first expression that evaluates without errors.

  try(tonumber("x"), 0)
  → 0
region == "eu"  → true
└─ region       → "eu"
EXPR              evaluate an expression
NAME = EXPR       set a variable, or with NAME.NAME an attribute of an object
:type EXPR        show the type of a value
:explain EXPR     show how a value is computed, by subexpression
:doc [FUNCTION]   show the documentation of a function, or list all functions
:vars             list the variables
:help             show this help
:quit             exit the console (also Ctrl-D)

Input continues on the next line while a bracket or a heredoc is open. The tab key completes names.
Ctrl-C stops an evaluation or discards the input.

"#]]);
    folder.hcl_reading(&args, ":doc joni\n:doc zzzzzz\n").code(1).stderr_eq(str![[r#"
error: unknown function `joni`; did you mean `join`?
error: unknown function `zzzzzz`; use :doc to list all functions

"#]]);
    folder.hcl_reading(&["console", "--functions", "spec"], ":doc\n").success().stdout_eq(str![[r#"
abs         Returns the absolute value of a number.
coalesce    Returns the first argument that is not null, converted to the common type of all arguments.
concat      Concatenates lists and tuples. The result is a list if all arguments are lists, and a tuple otherwise.
hasindex    Returns whether a list, map or tuple has an element with the given key.
int         Returns the whole part of a number, rounding toward zero.
jsondecode  Decodes a JSON string.
jsonencode  Encodes a value as a JSON string.
length      Returns the number of elements in a collection.
lower       Converts a string to lowercase.
max         Returns the greatest of the given numbers.
min         Returns the smallest of the given numbers.
reverse     Reverses the order of the elements of a list.
strlen      Returns the number of characters in a string.
substr      Extracts a substring by offset and length.
upper       Converts a string to uppercase.

"#]]);
    folder.hcl_reading(&["console", "--functions", "none"], ":doc\n:vars\n").success().stdout_eq(str![[r#"
No functions are available. Use --functions to choose a library.
No variables are set. Use NAME = EXPR to set one.

"#]]);
}

#[test]
fn the_session_ends_with_the_input_or_a_command() {
    let folder = Folder::with(&[]);
    for end in [":quit", ":q", "quit", "exit"] {
        folder.hcl_reading(&["console"], &format!("1\n{end}\n2\n")).success().stdout_eq("1\n".to_owned());
    }
    for (word, command) in [("help", ":help"), ("help", ":h")] {
        let told = folder.hcl_reading(&["console"], word).success().get_output().stdout.clone();
        assert!(told.starts_with(b"EXPR "));
        folder.hcl_reading(&["console"], command).success().stdout_eq(String::from_utf8(told).unwrap());
    }
    folder.hcl_reading(&["console"], "quit = 1\nquit\n").success().stdout_eq("1\n".to_owned());
    folder.hcl_reading(&["console"], "").success().stdout_eq(str![]);
    folder.hcl_reading(&["console", "--var", "x=y"], "1\n").code(1).stdout_eq(str![]);
    folder.hcl_reading(&["console", "--var-file", "none.tfvars"], "1\n").code(2).stdout_eq(str![]);
}

#[test]
fn invalid_utf8_ends_the_session() {
    let folder = Folder::with(&[]);
    let input = b"1\n[2,\n\"caf\xe9\"]\n3\n".to_vec();
    folder.command(&["console"]).stdin(input).assert().code(2).stdout_eq("1\n").stderr_eq(str![[r#"
error: cannot read standard input: line 3 is not valid UTF-8

"#]]);
}

#[test]
fn long_entries_and_long_sessions_take_linear_time() {
    let folder = Folder::with(&[]);
    let lines: Vec<String> = (0..20_000).map(|at| format!("EOT{at} ${{x}}\nname\n")).collect();
    let heredoc = format!("x = 1\ny = <<EOT\n{}EOT\nlength(y)\n", lines.concat());
    let attributes: Vec<String> = (0..20_000).map(|at| format!("z.y{at} = {at}\n")).collect();
    let input = format!("{heredoc}{}length(z)\nz.y19999\n", attributes.concat());
    // In quadratic time this takes minutes.
    let start = std::time::Instant::now();
    folder.hcl_reading(&["console"], &input).success().stdout_eq("308890\n20000\n19999\n".to_owned());
    assert!(start.elapsed() < std::time::Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn excerpts_are_not_cut_without_a_terminal() {
    let long = "x".repeat(600);
    let run = Folder::with(&[]).hcl_reading(&["console"], &format!("\"{long}${{foo}}{long}\"\n")).code(1);
    let text = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(text.contains(&format!("1 | \"{long}${{foo}}{long}\"\n")), "{text}");
}
