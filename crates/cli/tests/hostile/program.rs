//! Promises for every command line and every file: the programs do not panic, stay within 256 MB of memory, end within
//! the limits, and print no invisible characters on standard error. The fuzzer calls this, and so does `cargo test`.

#[path = "../cli/colors.rs"]
mod colors;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use arbitrary::{Result, Unstructured};
use colors::without_colors;
use hclkit::Limits;
use hclkit::syntax::is_visible;
use hclkit_cli::{Host, hcl, hcldec};
use peak_alloc::PeakAlloc;
use tempfile::TempDir;

use crate::output::Shared;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// How many bytes a run may have allocated at any time.
const MOST_MEMORY: usize = 256 << 20;

/// The files that the texts of an input become, in this order.
const FILES: [&str; 9] =
    ["a.hcl", "s.hcldec", "v.json", "d/b.tf", "d/c.tf.json", "t.tftpl", ".gitignore", "y.yaml", "hcl.toml"];

/// The commands that evaluate expressions.
const EVALUATING: [&[&str]; 4] = [&["check"], &["eval"], &["console"], &["decode"]];

/// Their options.
const SCOPE: &[&str] = &[
    "--var=",
    "--vars=",
    "--vars=v.json",
    "--vars=v=a.hcl",
    "--vars=d/c.tf.json",
    "--unknown-vars",
    "--functions=none",
    "--functions=spec",
    "--functions=cty",
    "--functions=packer",
    "--allow-fs=.",
    "--allow-fs=d",
    "--allow-env",
    "--compact",
    "--color=always",
    "--max-size=100",
];

/// The commands with their options. After an equals sign at the end, the fuzzer adds text.
const COMMANDS: [(&[&str], &[&str]); 19] = [
    (
        &["check"],
        &[
            "--fix",
            "--write",
            "--deny=warnings",
            "--allow=unclosed-block",
            "--summary",
            "--report=json",
            "--report=sarif",
            "--report=github",
            "--report=junit",
            "--spec=s.hcldec",
            "--spec=a.hcl",
            "--merge",
            "--dynamic",
            "--no-ignore",
            "--hidden",
            "--follow",
            "--include=",
            "--exclude=",
            "--max-nesting=3",
        ],
    ),
    (
        &["convert"],
        &[
            "--out=out.json",
            "--shape=compact",
            "--static=",
            "--ordered=",
            "--language=terraform",
            "--merge",
            "-oyaml",
        ],
    ),
    (
        &["eval"],
        &[
            "-fa.hcl",
            "-fd/c.tf.json",
            "-f-",
            "--attr=",
            "--template",
            "--output=json",
            "--output=raw",
            "--output=typed",
            "--out=out.txt",
            "-oyaml",
            "-ocsv",
            "-C.",
            "--show-sensitive",
            "--partial",
            "--impure",
            "--explain",
            "--report=json",
            "--report=github",
        ],
    ),
    (&["console"], &["--show-sensitive", "--no-history"]),
    (
        &["decode", "--spec=s.hcldec"],
        &[
            "--output=yaml",
            "--output=hcl",
            "--with-type",
            "--keep-nulls",
            "--var-refs",
            "--dynamic",
            "--report=sarif",
            "--out=out.json",
        ],
    ),
    (&["schema"], &["--output=markdown", "--title=", "--dynamic"]),
    (
        &["dump", "tokens"],
        &["--output=json", "--as=expression", "--as=template", "--as=traversal", "--as=partial-traversal"],
    ),
    (&["dump", "tree"], &["--output=json", "--as=expression", "--as=template"]),
    (
        &["tables"],
        &[
            "--table=attributes",
            "--table=values",
            "--output=csv",
            "--repo-from=*",
            "--variable-values",
            "--threads=2",
        ],
    ),
    (
        &["fmt"],
        &[
            "--check",
            "--diff",
            "--write=false",
            "--list=false",
            "--recursive",
            "--language=terraform",
            "--language=",
            "--include=*",
            "--max-nesting=3",
            "--max-size=100",
        ],
    ),
    (
        &["edit"],
        &[
            "..*=1",
            "--delete=",
            "--append=",
            "--prepend=",
            "--before=",
            "--after=",
            "--rename=",
            "--move=",
            "--sort=",
            "--sort=*",
            "--delete=..*",
            "--create",
            "--skip",
            "--script=a.hcl",
            "--script=s.hcldec",
            "--write",
        ],
    ),
    (&["query"], &["--json", "--ndjson", "--raw", "--count", "--expr", "--exit-code", "--include=*"]),
    (&["rename"], &["--write", "--no-moved", "--recursive", "--include=*"]),
    (&["refs"], &["--json", "--ndjson", "--recursive", "--include=*"]),
    (&["split"], &["--write", "--include=*"]),
    (
        &["convert", "y.yaml"],
        &["--literal", "--compact", "--to=hcl", "--spec=s.hcldec", "--blocks=", "--attributes="],
    ),
    (&["explain"], &["--help"]),
    (
        &["diff"],
        &[
            "--explain",
            "--affected",
            "--no-lints",
            "--output=json",
            "--output=markdown",
            "--output=html",
            "--out=out.json",
        ],
    ),
    (&["completions"], &["--version"]),
];

const HCLDEC: &[&str] = &[
    "--spec=s.hcldec",
    "--spec=a.hcl",
    "--vars=v.json",
    "--vars=",
    "--diags=json",
    "--diags=",
    "--var-refs",
    "--with-type",
    "--keep-nulls",
    "--out=out.json",
    "--version",
    "--help",
];

/// Arguments in place of a file.
const PATHS: [&str; 11] = [
    "a.hcl",
    ".",
    "d",
    "-",
    "d/b.tf",
    "d/c.tf.json",
    "s.hcldec",
    "t.tftpl",
    "none.hcl",
    ".gitignore",
    "y.yaml",
];

/// Each command with each of its options.
#[cfg(test)]
pub(crate) fn options() -> impl Iterator<Item = (&'static [&'static str], &'static str)> {
    let own = COMMANDS.iter().copied();
    let all = own.chain(EVALUATING.iter().map(|command| (*command, SCOPE)));
    all.flat_map(|(command, options)| options.iter().map(move |option| (command, *option)))
}

/// The command line of a program.
struct Call {
    is_hcldec: bool,
    line: Vec<OsString>,
    /// How much evaluation may take, if less than by default.
    limits: Limits,
}

impl Call {
    /// Turns bytes into decisions; `text` provides the text that a decision requires.
    fn new(u: &mut Unstructured<'_>, text: &str) -> Result<Self> {
        let is_hcldec = u.ratio(1, 8)?;
        let mut words = vec![if is_hcldec { "hcldec" } else { "hcl" }.to_owned()];
        let (command, options) = *u.choose(&COMMANDS)?;
        let options = if is_hcldec {
            vec![HCLDEC]
        } else {
            words.extend(command.iter().map(|&word| word.to_owned()));
            if EVALUATING.iter().any(|evaluating| evaluating[0] == command[0]) {
                vec![options, SCOPE]
            } else {
                vec![options]
            }
        };
        for _ in 0..u.int_in_range(0..=6)? {
            let group = *u.choose(&options)?;
            let option = (*u.choose(group)?).to_owned();
            let value = if option.ends_with('=') { harmless(text) } else { String::new() };
            words.push(format!("{option}{value}"));
        }
        if u.ratio(1, 20)? {
            // An invalid option, which the error shows.
            words.push(format!("-{}", harmless(text)));
        }
        words.push("--".to_owned());
        if !is_hcldec && command[0] == "eval" {
            words.push(text.to_owned());
        } else if !is_hcldec && ["query", "rename", "refs"].contains(&command[0]) {
            // A path, an expression or an address, and for some a new name.
            words.push(text.lines().next().unwrap_or_default().to_owned());
            if command[0] == "rename" {
                words.push(text.lines().nth(1).unwrap_or("renamed").to_owned());
            }
            for _ in 0..u.int_in_range(0..=2)? {
                words.push((*u.choose(&PATHS)?).to_owned());
            }
        } else if !is_hcldec && command[0] == "schema" {
            words.push("s.hcldec".to_owned());
        } else if u.ratio(1, 10)? {
            words.push(harmless(text));
        } else {
            for _ in 0..u.int_in_range(0..=3)? {
                words.push((*u.choose(&PATHS)?).to_owned());
            }
        }
        // All other limits have their defaults.
        let limits = Limits::new().with_steps(20_000).with_elements(200_000).with_bytes(16 << 20);
        Ok(Self { is_hcldec, line: words.into_iter().map(OsString::from).collect(), limits })
    }
}

/// Text that is not a path out of the directory, neither by itself nor as the value of an option.
fn harmless(text: &str) -> String {
    let text: String = text.chars().filter(|&sign| sign != '/').take(200).collect();
    text.replace("..", "")
        .replace("watch", "")
        .replace("max-", "")
        .trim_start_matches(['-', 'o', 'f', 'w'])
        .to_owned()
}

/// The first line of the input determines the decisions. The rest contains the texts of files, an expression or the
/// entries of the console, and standard input, separated by lines `---`.
pub(crate) fn check(input: &[u8]) {
    let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
    let (decisions, texts) = (&input[..end], input.get(end + 1..).unwrap_or_default());
    let texts = split(texts);
    let folder = folder();
    empty(folder);
    fs::create_dir(folder.join("d")).expect("the folder is empty");
    let text = |at: usize| texts.get(at).copied().unwrap_or_default();
    for (at, name) in FILES.iter().enumerate() {
        // The text of standard input and that of the arguments come first, as all commands use them.
        fs::write(folder.join(name), text(at + 1)).expect("it can be written");
    }
    let first = String::from_utf8_lossy(text(0)).into_owned();
    let Ok(call) = Call::new(&mut Unstructured::new(decisions), &first) else { return };
    run(&call, text(0));
}

/// Runs a program and checks its promises.
fn run(call: &Call, input: &[u8]) {
    let (output, errors) = (Shared::default(), Shared::default());
    let host = Host::given(input.to_vec(), output, errors.clone()).within(call.limits.clone());
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let program = if call.is_hcldec { hcldec } else { hcl };
    let code = program(call.line.clone(), &host);
    let peak = MEMORY.peak_usage().saturating_sub(before);
    let errors = errors.text();
    let shown = String::from_utf8_lossy(&errors);
    // `fmt --check` exits like the tool whose formatter it is.
    let most = if call.line.iter().any(|argument| argument == "fmt") { 3 } else { 2 };
    assert!(code <= most, "{:?} ends with {code}", call.line);
    assert!(!shown.contains("internal error"), "{:?}: {shown}", call.line);
    assert!(peak <= MOST_MEMORY, "{:?} takes {peak} bytes", call.line);
    let shown = without_colors(&shown);
    let raw = shown.chars().find(|&sign| !is_visible(sign) && !['\n', '\t'].contains(&sign));
    assert_eq!(raw, None, "{:?}: {shown:?}", call.line);
}

fn split(mut bytes: &[u8]) -> Vec<&[u8]> {
    const LINE: &[u8] = b"\n---\n";
    let mut parts = Vec::new();
    while let Some(at) = bytes.windows(LINE.len()).position(|window| window == LINE) {
        parts.push(&bytes[..=at]);
        bytes = &bytes[at + LINE.len()..];
    }
    parts.push(bytes);
    parts
}

/// The working directory of all runs.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        std::env::set_current_dir(folder.path()).expect("it was just made");
        folder
    });
    folder.path()
}

fn empty(folder: &Path) {
    for entry in fs::read_dir(folder).expect("it is there").flatten() {
        let path = entry.path();
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.expect("it can be removed");
    }
}
